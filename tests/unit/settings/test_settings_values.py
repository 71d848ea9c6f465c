"""Which values are accepted, and what is said of the others; never the value itself."""

from __future__ import annotations

import ast
import logging
import traceback
from collections.abc import Callable
from pathlib import Path

import pytest

from foureyes.errors import ConfigError
from foureyes.settings import Settings

Refused = Callable[..., tuple[str, ...]]

COUNTS = ["notes_per_boundary", "notes_per_request"]
NO_NUMBERS = [True, False, float("nan"), float("inf"), 1.5, "many", "true", None, [1]]


@pytest.mark.parametrize("key", COUNTS)
@pytest.mark.parametrize("value", [*NO_NUMBERS, 0, -1, 10**18])
def test_bounds_over_all_reviewers_are_whole_numbers_from_1(key: str, value: object, refused: Refused) -> None:
    [problem] = refused(**{key: value})
    assert problem.startswith(f"{key} (arguments): must be ")


@pytest.mark.parametrize("value", [*NO_NUMBERS[:-2], -1, 65_536])
def test_a_port_is_a_whole_number_up_to_65535(value: object, refused: Refused) -> None:
    [problem] = refused(metrics_port=value)
    assert problem.startswith("metrics_port (arguments): must be ")


@pytest.mark.parametrize("value", [None, 0, 1, 65_535])
def test_a_port_may_be_absent_or_any_free_one(value: int | None) -> None:
    assert Settings(metrics_port=value).metrics_port == value


@pytest.mark.parametrize("value", ["true", "1.5", "nan", "inf", "-1", "1000000000000000000"])
def test_a_cadence_from_the_environment_is_a_whole_number(
    value: str, monkeypatch: pytest.MonkeyPatch, refused: Refused
) -> None:
    monkeypatch.setenv("FOUREYES_REVIEWERS__SEC__USE", "checks")
    monkeypatch.setenv("FOUREYES_REVIEWERS__SEC__INTERVAL_TURNS", value)
    [problem] = refused()
    assert problem.startswith("reviewers.sec.interval_turns (env FOUREYES_REVIEWERS__SEC__INTERVAL_TURNS): must be ")


@pytest.mark.parametrize(("value", "turns"), [("0", 0), ("3", 3)])
def test_a_cadence_of_zero_is_off(value: str, turns: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FOUREYES_REVIEWERS__SEC__USE", "checks")
    monkeypatch.setenv("FOUREYES_REVIEWERS__SEC__INTERVAL_TURNS", value)
    assert Settings().reviewers[0].interval_turns == turns


def test_a_timeout_in_the_wrong_unit_is_refused_with_the_unit(refused: Refused) -> None:
    [problem] = refused(reviewers={"sec": {"use": "checks", "timeout_seconds": 30_000}})
    assert problem.startswith("reviewers.sec.timeout_seconds (arguments): must be less than or equal to 600. Meaning: ")
    assert '"30s" and "500ms" too' in problem


@pytest.mark.parametrize(("text", "seconds"), [("9", 9), ("30s", 30), ("500ms", 0.5)])
def test_a_timeout_may_say_its_unit(text: str, seconds: float, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FOUREYES_REVIEWERS__SEC__USE", "checks")
    monkeypatch.setenv("FOUREYES_REVIEWERS__SEC__TIMEOUT_SECONDS", text)
    assert Settings().reviewers[0].timeout_seconds == seconds


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("memory", "memory"),
        (" Memory ", "memory"),
        ("sqlite:runs.db", "sqlite:runs.db"),
        ("SQLite: runs.db", "sqlite:runs.db"),
        ("runs.db", "sqlite:runs.db"),
        ("/var/lib/runs", "sqlite:/var/lib/runs"),
        ("sqlite:runs", "sqlite:runs"),
        ("~/runs.db", "sqlite:{home}/runs.db"),
        ("sqlite:~/runs.db", "sqlite:{home}/runs.db"),
        ("C:\\runs", "sqlite:C:\\runs"),
    ],
)
def test_a_store_is_memory_or_a_path(written: str, read: str, folder: Path) -> None:
    assert Settings(store=written).store == read.format(home=folder.parent / "home")


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("memroy", "is a word that names no store"),
        ("", "is a word that names no store"),
        ("redis://h/1", "names a kind of store that is not known"),
        ("sqlite:", "has no path after sqlite:"),
        ("sqlite:///runs.db", "looks like a URL"),
        ("sqlite::memory:", "names a database that SQLite forgets; write memory"),
        ("~nobody-of-this-name/runs.db", "begins with ~ and there is no such home folder"),
    ],
)
def test_anything_else_is_no_store(written: str, said: str, refused: Refused) -> None:
    [problem] = refused(store=written)
    assert problem.startswith(f"store (arguments): {said}")


def test_the_default_store_follows_the_state_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    assert Settings().store == f"sqlite:{tmp_path / 'state/foureyes/foureyes.db'}"


def test_all_problems_of_all_sources_are_told_at_once(
    folder: Path, monkeypatch: pytest.MonkeyPatch, refused: Refused
) -> None:
    (folder / "foureyes.toml").write_text("storee = 'x'\n[reviewers.sec]\nmax_rounds = true\n[reviewers.perf]\n")
    (folder / "pyproject.toml").write_text("foureyes = ")
    monkeypatch.setenv("FOUREYES_REVIEWERS__SEC", "{")
    monkeypatch.setenv("FOUREYES_METRICS_PORT", "http")
    monkeypatch.setenv("FOUREYES_CONFIG", "gone.toml")
    beginnings = (
        "FOUREYES_CONFIG: ",
        "env FOUREYES_REVIEWERS__SEC: ",
        "metrics_port (env FOUREYES_METRICS_PORT): ",
        "pyproject.toml, ",
        "reviewers.perf (foureyes.toml): ",
        "reviewers.sec (foureyes.toml): ",
        "reviewers.sec.max_rounds (foureyes.toml): ",
        "storee (foureyes.toml): ",
    )
    found = sorted(refused())
    assert [problem.startswith(beginning) for problem, beginning in zip(found, beginnings, strict=True)] == [True] * 8


@pytest.mark.parametrize(
    ("given", "default"),
    [
        ({"max_rounds": -1}, "By default 2."),
        ({"guard": {"history": 0}}, "By default 4,096."),
        ({"evidence": {"max_chars": 1}}, "By default 32,000."),
    ],
)
def test_a_message_tells_the_default_and_not_where_it_comes_from(
    given: dict[str, object], default: str, refused: Refused
) -> None:
    [problem] = refused(reviewers={"sec": {"use": "checks", **given}})
    assert problem.endswith(default)
    assert "reference" not in problem


@pytest.mark.parametrize("triggers", [["periodc"], ["manual", "finsh", "periodc"]])
def test_a_misspelt_trigger_is_refused_with_those_that_may_be_named(triggers: list[str], refused: Refused) -> None:
    [problem] = refused(reviewers={"sec": {"use": "checks", "triggers": triggers}})
    assert problem.startswith("reviewers.sec.triggers (arguments): must be 'finish' or 'periodic'")
    assert not any(word in problem for word in ("post_turn", "tool", "manual"))


@pytest.mark.parametrize(
    ("given", "cure"),
    [
        ({"max_rounds": 0}, "give interval_turns or max_rounds"),
        ({"triggers": ["periodic"]}, "give interval_turns"),
        ({"triggers": ["finish"], "max_rounds": 0}, "give max_rounds"),
        ({"triggers": ["finish", "periodic"], "max_rounds": 0}, "give max_rounds or interval_turns"),
        ({"triggers": []}, "give triggers, or leave them out"),
        ({"max_rounds": 0, "enabled": False}, None),
        ({"max_rounds": 0, "interval_turns": 1}, None),
        ({"triggers": ["periodic"], "interval_turns": 1}, None),
        ({}, None),
    ],
)
def test_a_reviewer_that_can_never_be_due_is_a_warning(given: dict[str, object], cure: str | None) -> None:
    settings = Settings(reviewers={"other": {"use": "checks"}, "x": {"use": "checks", **given}})
    assert settings.warnings == ((f"reviewers.x is never due: {cure}",) if cure else ())


# --- money ---


@pytest.mark.parametrize("bound", ["usd_per_request", "usd_per_session"])
def test_a_budget_in_dollars_over_all_needs_the_price_of_every_model_that_reviews(bound: str, refused: Refused) -> None:
    model = {"use": "model", "model": "m", "base_url": "http://localhost/v1"}
    reviewers = {
        "a": {**model, "fallback_models": ["n"], "prices": ["m=1/2"]},
        "b": {"use": "checks", "fallbacks": ["model"], "model": "m"},
        "c": {**model, "prices": ["m=1/2"]},
        "d": {**model, "enabled": False},
    }
    assert refused(reviewers=reviewers, budget={bound: 1}) == (
        "reviewers.a: a budget in US dollars needs a price for 'n'; add it to 'prices'",
        "reviewers.b: a budget in US dollars needs a price for 'm'; add it to 'prices'",
    )
    assert len(Settings(reviewers=reviewers, budget={"tokens_per_request": 9}).reviewers) == 4


# --- lists ---


LISTS = ["command", "environment", "prices", "fallback_models", "checks", "fallbacks"]


@pytest.mark.parametrize(
    ("key", "written"),
    [
        *((key, written) for key in LISTS for written in ("'./review.sh --x'", "7", "true", "[7]")),
        ("triggers", "'finish'"),
    ],
)
def test_what_is_no_list_of_strings_is_told_with_an_example_of_one(
    key: str, written: str, folder: Path, refused: Refused
) -> None:
    (folder / "foureyes.toml").write_text(f"[reviewers.one]\nuse = 'mine:own'\n{key} = {written}\n")
    [problem] = refused()
    assert problem.startswith(f"reviewers.one.{key} (foureyes.toml): must be a list of strings, such as ['")
    example = ast.literal_eval(problem.partition("such as ")[2].partition("]")[0] + "]")
    given = {"one": {"use": "mine:own", key: example}}
    assert getattr(Settings(reviewers=given).reviewers[0], key) in (tuple(example), frozenset(example))


SECRET = "hunter2-9f1c"


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("FOUREYES_STORE", f"postgres://u:{SECRET}@h/db"),
        ("FOUREYES_STORE", SECRET),
        ("FOUREYES_METRICS_PORT", SECRET),
        ("FOUREYES_REOPEN_SEVERITY", SECRET),
        ("FOUREYES_REVIEWERS", SECRET),
        ("FOUREYES_REVIEWERS", f"[{SECRET}]"),
        ("FOUREYES_REVIEWERS", f'["{SECRET}"]'),
        ("FOUREYES_REVIEWERS", f'{{"sec": {{"use": "checks", "timeout_seconds": "{SECRET}"}}}}'),
        ("FOUREYES_REVIEWERS", f'{{"sec": {{"use": "checks", "triggers": ["{SECRET}"]}}}}'),
        ("FOUREYES_REVIEWERS", f'{{"sec": {{"use": "checks", "guard": "{SECRET}"}}}}'),
        ("FOUREYES_REVIEWERS", f'{{"sec": {{"use": "checks", "name": "{SECRET}"}}}}'),
        ("FOUREYES_REVIEWERS", f'{{"{SECRET}": {{}}, "{SECRET}": {{}}}}'),
        ("FOUREYES_CONFIG", f"{SECRET}.toml"),
        ("FOUREYES_REVIEWERS", f'{{"sec": {{"use": "checks", "nonsense": "{SECRET}"}}}}'),
    ],
)
def test_no_message_and_no_traceback_holds_a_value(
    name: str, value: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv(name, value)
    with caplog.at_level(logging.DEBUG), pytest.raises(ConfigError) as caught:
        Settings()
    assert SECRET not in "".join(traceback.format_exception(caught.value)) + caplog.text
    assert "json.decoder" not in {entry.frame.f_globals["__name__"] for entry in caught.traceback}
