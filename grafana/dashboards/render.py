"""The dashboard as source: ``python grafana/dashboards/render.py`` writes foureyes.json beside this file.

Edit here, render, commit both. A test compares the two, and checks that every metric of foureyes is shown and that
every name in an expression exists.

No expression falls back to a constant: where there is no data, the panel says so. A share is only computed where
something was counted, and a quantile only where something was measured, so nothing reads as a healthy zero.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from itertools import count
from pathlib import Path
from typing import Any, TypeAlias

from foureyes.core.words import FAILURES, OutcomeKind, Severity

__all__ = ["RENDERED", "dashboard", "rendered"]

Json: TypeAlias = dict[str, Any]

RENDERED = Path(__file__).with_name("foureyes.json")
SCHEMA_VERSION = 38
"""That of Grafana 10.0; newer ones migrate it when they load it."""

PROMETHEUS = {"type": "prometheus", "uid": "${datasource}"}
PROCESS = 'job=~"$job", instance=~"$instance"'
REVIEWER = f'{PROCESS}, reviewer=~"$reviewer"'
FAILED = f'outcome=~"{"|".join(sorted(FAILURES))}"'

COLOURS: dict[str, dict[str, str]] = {
    "{{outcome}}": {
        OutcomeKind.NOTED: "green",
        OutcomeKind.QUIET: "blue",
        OutcomeKind.UNPARSED: "purple",
        OutcomeKind.ERROR: "red",
        OutcomeKind.TIMEOUT: "orange",
        OutcomeKind.RATE_LIMITED: "yellow",
        OutcomeKind.QUOTA_EXHAUSTED: "dark-yellow",
        OutcomeKind.REFUSED: "dark-red",
        OutcomeKind.OVERFLOW: "dark-orange",
    },
    "{{severity}}": {Severity.NIT: "blue", Severity.CONCERN: "orange", Severity.BLOCKER: "red"},
}
"""One colour a word, for the legends whose words are few; the rest gets Grafana's palette."""


def series(metric: str, labels: str) -> str:
    """Return the selector of a metric's series."""
    return f"foureyes_{metric}{{{labels}}}"


def rate(metric: str, by: str, labels: str = REVIEWER) -> str:
    """Return how often something was counted, per second."""
    return f"sum by ({by}) (rate({series(metric, labels)}[$__rate_interval]))"


def per_minute(metric: str, by: str, labels: str = REVIEWER) -> str:
    """Return how often something was counted, per minute."""
    return f"60 * {rate(metric, by, labels)}"


def counted(metric: str, labels: str = REVIEWER) -> str:
    """Return how often something was counted in the time that the dashboard shows."""
    return f"sum(increase({series(metric, labels)}[$__range]))"


def share(part: str, whole: str) -> str:
    """Return a part of a whole; nothing where the whole is nothing."""
    return f"{part} / ({whole} > 0)"


def quantile(q: float, metric: str, by: str = "le", labels: str = PROCESS, window: str = "$__rate_interval") -> str:
    """Return a quantile of a histogram; nothing where nothing was observed."""
    rates = f"sum by ({by}) (rate({series(f'{metric}_bucket', labels)}[{window}]))"
    return f"histogram_quantile({q}, {rates}) >= 0"


Query: TypeAlias = tuple[str, str]
"""An expression, and the legend of what it gives."""


def panel(kind: str, title: str, about: str, queries: Sequence[Query], size: tuple[int, int], **look: Any) -> Json:
    """Return a panel of the size (columns of 24, rows); its place comes later."""
    return {
        "type": kind,
        "title": title,
        "description": about,
        "datasource": PROMETHEUS,
        "gridPos": {"w": size[0], "h": size[1]},
        "targets": [_target(place, query, instant=kind == "stat") for place, query in enumerate(queries)],
        "fieldConfig": {"defaults": look["field"], "overrides": look.get("overrides", [])},
        "options": look["options"],
    }


def _target(place: int, query: Query, *, instant: bool) -> Json:
    return {
        "refId": "ABCD"[place],
        "datasource": PROMETHEUS,
        "expr": query[0],
        "legendFormat": query[1],
        "instant": instant,
        "range": not instant,
    }


def _thresholds(high: Sequence[float]) -> Json:
    # Orange from the first number, red from the second; a single one is red at once.
    colours = ("orange", "red")[2 - len(high) :]
    steps: list[Json] = [{"color": "green", "value": None}]
    steps += [{"color": colour, "value": value} for colour, value in zip(colours, high, strict=True)]
    return {"mode": "absolute", "steps": steps}


def lines(title: str, about: str, *queries: Query, unit: str = "short", high: Sequence[float] = ()) -> Json:
    """Return a panel of values over time, with a dashed line at each threshold."""
    custom = {"drawStyle": "line", "lineWidth": 1, "fillOpacity": 10, "showPoints": "never"}
    custom |= {"thresholdsStyle": {"mode": "dashed" if high else "off"}}
    return _over_time(title, about, queries, {"unit": unit, "thresholds": _thresholds(high), "custom": custom})


def stack(title: str, about: str, *queries: Query, unit: str = "cpm") -> Json:
    """Return a panel of what adds up, as stacked bars; per minute unless another unit is given."""
    custom = {"drawStyle": "bars", "lineWidth": 0, "fillOpacity": 70, "stacking": {"mode": "normal", "group": "A"}}
    return _over_time(title, about, queries, {"unit": unit, "custom": custom})


def _over_time(title: str, about: str, queries: Sequence[Query], field: Json) -> Json:
    legend = {"displayMode": "list", "placement": "bottom", "showLegend": True}
    return panel(
        "timeseries",
        title,
        about,
        queries,
        (12, 8),
        field={"min": 0, **field},
        overrides=[_coloured(*pair) for _, legend in queries for pair in COLOURS.get(legend, {}).items()],
        options={"legend": legend, "tooltip": {"mode": "multi", "sort": "desc"}},
    )


def _coloured(word: str, colour: str) -> Json:
    return {
        "matcher": {"id": "byName", "options": str(word)},
        "properties": [{"id": "color", "value": {"mode": "fixed", "fixedColor": colour}}],
    }


def number(title: str, about: str, query: Query, *, unit: str = "short", high: Sequence[float] = ()) -> Json:
    """Return a panel with the newest value of something, coloured by its thresholds."""
    return panel(
        "stat",
        title,
        about,
        [query],
        (4, 4),
        field={"unit": unit, "thresholds": _thresholds(high)},
        options={
            "reduceOptions": {"calcs": ["lastNotNull"], "fields": "", "values": False},
            "colorMode": "value" if high else "none",
            "graphMode": "none",
            "textMode": "auto",
        },
    )


def pauses(title: str, about: str, query: Query) -> Json:
    """Return a panel with a band for each reviewer, red while it is paused anywhere."""
    mappings = [
        {"type": "value", "options": {"0": {"index": 0, "text": "active", "color": "green"}}},
        {"type": "range", "options": {"from": 1, "to": 1e9, "result": {"index": 1, "text": "paused", "color": "red"}}},
    ]
    return panel(
        "state-timeline",
        title,
        about,
        [query],
        (12, 8),
        field={"mappings": mappings, "custom": {"fillOpacity": 70, "lineWidth": 0}},
        options={"showValue": "auto", "mergeValues": True, "rowHeight": 0.8, "legend": {"showLegend": False}},
    )


SUCCESSES = f"max by (reviewer) ({series('last_success_timestamp_seconds', REVIEWER)})"
KEPT = 'disposition!~"admitted|over_boundary"'


def at_a_glance() -> list[Json]:
    """Return what to look at first."""
    return [
        number(
            "Reviews",
            "Reviews that ended in the time shown. Zero while agents are running: no reviewer is ever due.",
            (counted("reviews_total"), "reviews"),
        ),
        number(
            "Failed reviews",
            "Share of reviews that ended in a failure of the reviewer. No data: no review in the time shown.",
            (share(counted("reviews_total", f"{REVIEWER}, {FAILED}"), counted("reviews_total")), "failed"),
            unit="percentunit",
            high=(0.05, 0.25),
        ),
        number(
            "Oldest last success",
            "Age of the last completed review of the reviewer for which that is longest ago. A reviewer that never "
            "completed one in its process has no age: compare the panel below.",
            (f"max(time() - {SUCCESSES})", "age"),
            unit="s",
            high=(3600, 86400),
        ),
        number(
            "Notes sent",
            "Notes that the agents have read, in the time shown.",
            (counted("notes_sent_total"), "notes"),
        ),
        number(
            "Wait at a boundary, p95",
            "How long agents waited where a reviewer was due.",
            (quantile(0.95, "boundary_duration_seconds", window="$__range"), "p95"),
            unit="s",
            high=(10, 30),
        ),
        number(
            "Cost",
            "Money spent on reviews since the processes started. Reviews of unknown cost are in no number here.",
            (f"sum({series('cost_usd_total', REVIEWER)})", "cost"),
            unit="currencyUSD",
        ),
    ]


def dead_while_green() -> list[Json]:
    """Return what shows a reviewer that no longer reviews."""
    paused = series("reviewer_state", f'{REVIEWER}, state="paused"')
    started, version = series("start_timestamp_seconds", PROCESS), series("build_info", PROCESS)
    return [
        stack(
            "Reviews by outcome",
            "Only noted and quiet are completed reviews. Unparsed is a reviewer whose answers nobody can read.",
            (per_minute("reviews_total", "outcome"), "{{outcome}}"),
        ),
        lines(
            "Failed share by reviewer",
            "Failures of a reviewer among its reviews. A gap: no review.",
            (
                share(rate("reviews_total", "reviewer", f"{REVIEWER}, {FAILED}"), rate("reviews_total", "reviewer")),
                "{{reviewer}}",
            ),
            unit="percentunit",
            high=(0.25,),
        ),
        lines(
            "Age of the last success",
            "Grows while a reviewer completes nothing. Missing: it has not completed one since its process started.",
            (f"time() - {SUCCESSES}", "{{reviewer}}"),
            unit="s",
        ),
        pauses(
            "Reviewers paused",
            "Paused after repeated failures, in at least one process. While paused nobody reviews for it.",
            (f"sum by (reviewer) ({paused})", "{{reviewer}}"),
        ),
        stack(
            "Reviews skipped by reason",
            "A reviewer was due and was not called. Cap and cooldown are its own bounds; busy is a review that hangs.",
            (per_minute("review_skips_total", "reason"), "{{reason}}"),
        ),
        stack(
            "Finishes by result",
            "Capped: re-opened as often as allowed, and still not clean. Unavailable: nobody could review.",
            (per_minute("finishes_total", "result", PROCESS), "{{result}}"),
        ),
        lines(
            "Failures of foureyes itself",
            "States that could not be saved, and events that a sink lost. Anything above zero needs a look.",
            (f"sum(increase({series('checkpoint_failures_total', PROCESS)}[$__rate_interval]))", "checkpoints"),
            (f"sum(increase({series('sink_failures_total', PROCESS)}[$__rate_interval]))", "sinks"),
        ),
        lines(
            "Event loop stood still",
            "Seconds a minute during reviews. Most often a reviewer waits without await: see the log.",
            (f"60 * sum(rate({series('loop_frozen_seconds_total', PROCESS)}[$__rate_interval]))", "seconds a minute"),
        ),
        lines(
            "Time since start",
            "Falls to zero at a restart. The legend names the version that each process runs.",
            (f"(time() - {started}) * on (job, instance) group_left (version) {version}", "{{instance}} {{version}}"),
            unit="s",
        ),
    ]


def floods_the_agent() -> list[Json]:
    """Return what shows a reviewer that says too much."""
    kept = rate("notes_total", "reviewer", f"{REVIEWER}, {KEPT}")
    return [
        stack(
            "Notes sent by severity",
            "What the agents read. The guard bounds it per review, per boundary and per request.",
            (per_minute("notes_sent_total", "severity"), "{{severity}}"),
        ),
        stack(
            "Notes by what became of them",
            "Admitted and over_boundary reach the agent, now or later. The others do not.",
            (per_minute("notes_total", "disposition"), "{{disposition}}"),
        ),
        lines(
            "Share of notes kept from the agent",
            "Close to 1: the reviewer repeats itself or writes noise, and its prompt needs work.",
            (share(kept, rate("notes_total", "reviewer")), "{{reviewer}}"),
            unit="percentunit",
        ),
        lines(
            "Similar notes",
            "Flagged for resembling what the agent had been told: one of a finding is sent, the others are held.",
            (per_minute("similar_notes_total", "reviewer"), "{{reviewer}}"),
        ),
        stack(
            "Reviewers muted",
            "A flood silenced a reviewer for the rest of a request: similar notes, or suppressed blockers, in a row.",
            (per_minute("mutes_total", "reviewer, reason"), "{{reviewer}} {{reason}}"),
        ),
        stack(
            "Allowances spent",
            "A reviewer used its last periodic review, or its last round at the finish, of a request.",
            (per_minute("quota_exhausted_total", "reviewer, kind"), "{{reviewer}} {{kind}}"),
        ),
    ]


def stalls_the_agent() -> list[Json]:
    """Return what shows a reviewer that keeps the agent waiting."""
    quantiles = [(0.5, "p50"), (0.95, "p95"), (0.99, "p99")]
    return [
        lines(
            "Wait at a boundary",
            "At most the largest timeout of the reviewers that were due. The line is the default timeout of 30 s.",
            *((quantile(q, "boundary_duration_seconds"), name) for q, name in quantiles),
            unit="s",
            high=(30,),
        ),
        lines(
            "Review duration by reviewer, p95",
            "All attempts and fallbacks together. Compare with the reviewer's timeout.",
            (quantile(0.95, "review_duration_seconds", "le, reviewer", REVIEWER), "{{reviewer}}"),
            unit="s",
        ),
        stack(
            "Timeouts by reviewer",
            "Reviews that the deadline ended. The agent waited for all of it.",
            (per_minute("reviews_total", "reviewer", f'{REVIEWER}, outcome="timeout"'), "{{reviewer}}"),
        ),
        lines(
            "Given-up reviews still running",
            "They ignore being cancelled. A number that stays is a reviewer that leaks.",
            (f"sum by (reviewer) ({series('leftovers', REVIEWER)})", "{{reviewer}}"),
        ),
        stack(
            "Boundaries",
            "All of them, those at which nobody was due included: the agents' own pace.",
            (per_minute("boundaries_total", "kind", PROCESS), "{{kind}}"),
        ),
        lines(
            "Saving the state",
            "Part of every boundary at which something happened.",
            *((quantile(q, "checkpoint_duration_seconds"), name) for q, name in quantiles),
            unit="s",
        ),
    ]


def costs_more_than_the_work() -> list[Json]:
    """Return what shows a reviewer that is too dear."""
    calls, reviews = rate("review_attempts_total", "reviewer"), rate("reviews_total", "reviewer")
    return [
        stack(
            "Tokens by reviewer",
            "Read and written. Cached tokens are part of those read.",
            (per_minute("tokens_total", "reviewer", f'{REVIEWER}, kind=~"input|output"'), "{{reviewer}}"),
        ),
        lines(
            "Tokens by kind",
            "Cached is a part of input: far below it, the provider's cache does not help.",
            (per_minute("tokens_total", "kind"), "{{kind}}"),
            unit="cpm",
        ),
        lines(
            "Calls per review",
            "Above 1: retries and fallbacks.",
            (share(calls, reviews), "{{reviewer}}"),
        ),
        stack(
            "Fallbacks",
            "A reviewer failed and the next in its chain was asked. Two bills for one review.",
            (
                per_minute("fallbacks_total", "reviewer, from, to, reason"),
                "{{reviewer}}: {{from}} → {{to}}, {{reason}}",
            ),
        ),
    ]


def placed(rows: Sequence[tuple[str, Sequence[Json]]]) -> Iterator[Json]:
    """Give every panel its number and its place: a title for each row, then panels from left to right."""
    ids, y = count(1), 0
    for title, panels in rows:
        yield {"id": next(ids), "type": "row", "title": title, "collapsed": False, "panels": [], **_at(0, y, 24, 1)}
        x, y = 0, y + 1
        for each in panels:
            width, height = each["gridPos"]["w"], each["gridPos"]["h"]
            yield {"id": next(ids), **each, **_at(x, y, width, height)}
            x, y = (0, y + height) if x + width >= 24 or each is panels[-1] else (x + width, y)


def _at(x: int, y: int, width: int, height: int) -> Json:
    return {"gridPos": {"x": x, "y": y, "w": width, "h": height}}


def variables() -> list[Json]:
    """Return what the reader can choose; each choice narrows those after it."""
    source = {"name": "datasource", "label": "Data source", "type": "datasource", "query": "prometheus", "refresh": 1}
    return [
        source,
        _variable("job", "Job", "label_values(foureyes_build_info, job)"),
        _variable("instance", "Instance", 'label_values(foureyes_build_info{job=~"$job"}, instance)'),
        _variable("reviewer", "Reviewer", f"label_values({series('reviewer_state', PROCESS)}, reviewer)"),
    ]


def _variable(name: str, label: str, query: str) -> Json:
    return {
        "name": name,
        "label": label,
        "type": "query",
        "datasource": PROMETHEUS,
        "query": {"query": query, "refId": name},
        "refresh": 2,
        "sort": 1,
        "multi": True,
        "includeAll": True,
        "allValue": ".*",
        "current": {"selected": True, "text": ["All"], "value": ["$__all"]},
    }


def dashboard() -> Json:
    """Return the dashboard as Grafana's classic model."""
    rows = [
        ("At a glance", at_a_glance()),
        ("Dead while green", dead_while_green()),
        ("Floods the agent", floods_the_agent()),
        ("Stalls the agent", stalls_the_agent()),
        ("Costs more than the work", costs_more_than_the_work()),
    ]
    return {
        "uid": "foureyes",
        "title": "foureyes",
        "description": "What the reviewers of AI agents do: do they review, and do they flood, stall or overcharge?",
        "tags": ["foureyes"],
        "schemaVersion": SCHEMA_VERSION,
        "editable": True,
        "graphTooltip": 1,
        "refresh": "30s",
        "time": {"from": "now-6h", "to": "now"},
        "templating": {"list": variables()},
        "panels": list(placed(rows)),
    }


def rendered() -> str:
    """Return the text of the rendered file."""
    return json.dumps(dashboard(), indent=2, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    RENDERED.write_text(rendered(), encoding="utf-8")
