"""The dashboard shows every metric, names nothing that is not there, and its expressions work."""

from __future__ import annotations

import json
import math
import re
import runpy
from collections import defaultdict
from itertools import combinations
from pathlib import Path
from typing import Any, TypeAlias

import pytest
from prometheus_client import CollectorRegistry

from foureyes.telemetry.prometheus import PrometheusSink
from foureyes.telemetry.series import Series

GRAFANA = Path(__file__).parents[2] / "grafana"
SOURCE = runpy.run_path(str(GRAFANA / "dashboards" / "render.py"))
TEXT = (GRAFANA / "dashboards" / "foureyes.json").read_text(encoding="utf-8")
DASHBOARD: dict[str, Any] = json.loads(TEXT)
PANELS = [panel for panel in DASHBOARD["panels"] if panel["type"] != "row"]
VARIABLES = {variable["name"]: variable for variable in DASHBOARD["templating"]["list"]}
QUERIES = [(panel, target) for panel in PANELS for target in panel["targets"]]
CHOICES = [variable["query"]["query"] for variable in VARIABLES.values() if variable["type"] == "query"]
EXPRESSIONS = [target["expr"] for _, target in QUERIES]
TARGET_LABELS = {"job", "instance"}

Known: TypeAlias = dict[str, dict[str, set[str]]]
"""The names of all samples, their labels, and the values that those take."""

each_expression = pytest.mark.parametrize(
    "expression", EXPRESSIONS, ids=[f"{panel['title']}, {target['refId']}" for panel, target in QUERIES]
)


@pytest.fixture(scope="module")
def known(busy: Any) -> Known:
    registry = CollectorRegistry()
    sink = PrometheusSink(busy.reviewers, registry)
    for event in busy.events:
        sink.emit(event)
    found: Known = defaultdict(lambda: defaultdict(set))
    for sample in (sample for metric in registry.collect() for sample in metric.samples):
        labels = found[sample.name]
        for label, value in sample.labels.items():
            labels[label].add(value)
    return found


def selectors(expression: str) -> list[tuple[str, list[tuple[str, str]]]]:
    """Return each metric of an expression with the labels and the words that it asks for."""
    found = re.findall(r"(foureyes_\w+)\{([^}]*)\}", expression)
    assert len(found) == len(re.findall("foureyes_", expression)), "a metric without a selector"
    return [(metric, re.findall(r'(\w+)(?:=~|!~|!=|=)"([^"]*)"', matchers)) for metric, matchers in found]


def grouped(expression: str) -> set[str]:
    """Return the labels that an expression keeps or joins on."""
    lists = re.findall(r"(?:by|on|group_left) \(([^)]*)\)", expression)
    return {label.strip() for labels in lists for label in labels.split(",")}


def test_the_rendered_file_is_what_the_source_renders() -> None:
    assert SOURCE["rendered"]() == TEXT, "run: python grafana/dashboards/render.py"


def test_every_metric_of_foureyes_is_shown(known: Known) -> None:
    shown = {metric for expression in EXPRESSIONS for metric, _ in selectors(expression)}
    families = {metric.name for metric in Series().describe()}
    assert {family for family in families if not any(name.startswith(family) for name in shown)} == set()
    assert len(families) == 24


@each_expression
def test_an_expression_names_only_metrics_and_labels_that_are_there(expression: str, known: Known) -> None:
    for metric, matchers in selectors(expression):
        assert metric in known
        assert {label for label, _ in matchers} <= known[metric].keys() | TARGET_LABELS
    labels = {label for metric, _ in selectors(expression) for label in known[metric]}
    assert grouped(expression) <= labels | TARGET_LABELS


@each_expression
def test_an_expression_asks_only_for_words_that_occur(expression: str, known: Known) -> None:
    for metric, matchers in selectors(expression):
        words = {(label, word) for label, value in matchers if "$" not in value for word in value.split("|")}
        assert words <= {(label, word) for label, values in known[metric].items() for word in values}


@each_expression
def test_every_choice_at_the_top_narrows_every_expression(expression: str, known: Known) -> None:
    for metric, matchers in selectors(expression):
        possible = TARGET_LABELS | ({"reviewer"} & known[metric].keys())
        assert {(label, f"${label}") for label in possible} <= set(matchers)


@each_expression
def test_no_expression_makes_a_healthy_zero_of_no_data(expression: str) -> None:
    assert not re.search(r"\bor\b|vector|absent|clamp|\bbool\b", expression)


@pytest.mark.parametrize(("panel", "target"), QUERIES, ids=[panel["title"] for panel, _ in QUERIES])
def test_a_legend_names_only_labels_that_the_expression_keeps(panel: dict[str, Any], target: dict[str, Any]) -> None:
    assert set(re.findall(r"\{\{(\w+)\}\}", target["legendFormat"])) <= grouped(target["expr"])


@pytest.mark.parametrize("panel", PANELS, ids=lambda panel: panel["title"])
def test_every_panel_says_what_bad_looks_like_and_asks_the_chosen_source(panel: dict[str, Any]) -> None:
    sources = [panel["datasource"], *(target["datasource"] for target in panel["targets"])]
    assert len(panel["description"]) > 20
    assert {source["uid"] for source in sources} == {"${datasource}"}


def test_no_two_panels_have_the_same_number_or_the_same_place() -> None:
    everything = DASHBOARD["panels"]
    assert len({panel["id"] for panel in everything}) == len(everything)
    for one, other in combinations([panel["gridPos"] for panel in everything], 2):
        beside = one["x"] + one["w"] <= other["x"] or other["x"] + other["w"] <= one["x"]
        below = one["y"] + one["h"] <= other["y"] or other["y"] + other["h"] <= one["y"]
        assert beside or below
        assert one["x"] + one["w"] <= 24


def test_the_reader_chooses_source_job_instance_and_reviewer() -> None:
    assert list(VARIABLES) == ["datasource", "job", "instance", "reviewer"]


def substituted(expression: str) -> str:
    """Return an expression as Grafana would send it, with everything chosen."""
    values = {"$__rate_interval": "1h", "$__range": "1h"} | {f"${name}": ".*" for name in VARIABLES}
    for name, value in values.items():
        expression = expression.replace(name, value)
    assert "$" not in expression
    return expression


@each_expression
def test_an_expression_gives_numbers_on_a_real_prometheus(expression: str, watched: Any) -> None:
    found = watched.prometheus.ask(substituted(expression))
    assert found
    assert all(math.isfinite(value) for _, value in found)


@pytest.mark.parametrize("query", CHOICES)
def test_a_choice_offers_something_on_a_real_prometheus(query: str, watched: Any) -> None:
    called = re.fullmatch(r"label_values\((.*), (\w+)\)", query)
    assert called
    selector, label = called.groups()
    assert watched.prometheus.get(f"label/{label}/values", **{"match[]": substituted(selector)})


def test_nothing_is_shown_where_nothing_was_scraped(watched: Any) -> None:
    elsewhere = [substituted(expression.replace("$job", "elsewhere")) for expression in EXPRESSIONS]
    assert [expression for expression in elsewhere if watched.prometheus.ask(expression)] == []
