"""In which forms reviewers may be declared, and which rosters are refused."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from foureyes.core.config import ReviewerConfig
from foureyes.core.words import Trigger
from foureyes.settings import Settings

Refused = Callable[..., tuple[str, ...]]

SEC, PERF = {"use": "checks", "timeout_seconds": 9}, {"use": "mine:perf"}
LISTED = [{"name": "sec", **SEC}, {"name": "perf", **PERF}]


def names() -> list[str]:
    """Return the reviewers' names in order."""
    return [config.name for config in Settings().reviewers]


@pytest.mark.parametrize(
    "variables",
    [
        {"FOUREYES_REVIEWERS": json.dumps({"sec": SEC, "perf": PERF})},
        {"FOUREYES_REVIEWERS": json.dumps(LISTED)},
        {"FOUREYES_REVIEWERS__SEC": json.dumps(SEC), "FOUREYES_REVIEWERS__PERF": json.dumps(PERF)},
        {
            "FOUREYES_REVIEWERS__SEC__USE": "checks",
            "foureyes_reviewers__sec__timeout_seconds": "9",
            "FOUREYES_REVIEWERS__perf__USE": "mine:perf",
        },
        {
            "FOUREYES_REVIEWERS__0__NAME": "sec",
            "FOUREYES_REVIEWERS__0__USE": "checks",
            "FOUREYES_REVIEWERS__0__TIMEOUT_SECONDS": "9",
            "FOUREYES_REVIEWERS__1__NAME": "perf",
            "FOUREYES_REVIEWERS__1__USE": "mine:perf",
        },
    ],
    ids=["JSON table", "JSON list", "JSON each", "by name", "numbered"],
)
def test_every_form_in_the_environment_declares_the_same_reviewers(
    variables: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    found = {config.name: (config.use, config.timeout_seconds) for config in Settings().reviewers}
    assert found == {"sec": ("checks", 9), "perf": ("mine:perf", 30)}


@pytest.mark.parametrize(
    "text",
    [
        "[reviewers.sec]\nuse = 'checks'\n[reviewers.perf]\nuse = 'checks'\n",
        "[[reviewers]]\nname = 'perf'\nuse = 'checks'\n[[reviewers]]\nname = 'sec'\nuse = 'checks'\n",
    ],
    ids=["tables", "list"],
)
def test_a_file_may_hold_tables_or_a_list(text: str, folder: Path) -> None:
    (folder / "foureyes.toml").write_text(text)
    assert names() == ["perf", "sec"]


def test_tables_are_ordered_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FOUREYES_REVIEWERS", json.dumps({"sec": SEC, "perf": PERF}))
    assert names() == ["perf", "sec"]


def test_lists_keep_their_order(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FOUREYES_REVIEWERS", json.dumps(LISTED))
    assert names() == ["sec", "perf"]


def test_numbers_are_counted_and_not_spelled(monkeypatch: pytest.MonkeyPatch) -> None:
    for place, name in ((10, "a"), (9, "b")):
        monkeypatch.setenv(f"FOUREYES_REVIEWERS__{place}__NAME", name)
        monkeypatch.setenv(f"FOUREYES_REVIEWERS__{place}__USE", "checks")
    assert names() == ["b", "a"]


def test_an_explicit_order_wins_over_a_place_in_a_list_even_from_a_weaker_source(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "foureyes.toml").write_text("[reviewers.perf]\norder = -1\n")
    monkeypatch.setenv("FOUREYES_REVIEWERS", json.dumps(LISTED))
    assert names() == ["perf", "sec"]


@pytest.mark.parametrize("deeper", ["FOUREYES_REVIEWERS__SEC__MAX_ROUNDS", "FOUREYES_REVIEWERS__0__MAX_ROUNDS"])
def test_a_deeper_name_overrides_the_json_key_by_key(deeper: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FOUREYES_REVIEWERS", '[{"name": "sec", "use": "checks", "max_rounds": 1, "cooldown_turns": 7}]')
    monkeypatch.setenv(deeper, "5")
    [sec] = Settings().reviewers
    assert (sec.max_rounds, sec.cooldown_turns) == (5, 7)
    assert Settings().sources["reviewers.sec.max_rounds"] == f"env {deeper}"


def test_lists_are_words_with_commas_or_json(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FOUREYES_REVIEWERS__SEC__USE", "checks")
    monkeypatch.setenv("FOUREYES_REVIEWERS__SEC__FALLBACKS", "other, mine:perf,")
    monkeypatch.setenv("FOUREYES_REVIEWERS__SEC__TRIGGERS", '["finish", "periodic"]')
    [sec] = Settings().reviewers
    assert sec.fallbacks == ("other", "mine:perf")
    assert sec.triggers == frozenset({Trigger.FINISH, Trigger.PERIODIC})


def test_a_stronger_list_replaces_a_weaker_one_as_a_whole(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "foureyes.toml").write_text("[reviewers.sec]\nuse = 'checks'\nfallbacks = ['a', 'b']\n")
    monkeypatch.setenv("FOUREYES_REVIEWERS__SEC__FALLBACKS", "c")
    assert Settings().reviewers[0].fallbacks == ("c",)


def test_four_reviewers_are_accepted() -> None:
    assert len(Settings(reviewers=dict.fromkeys("abcd", SEC)).reviewers) == 4


def test_a_fifth_reviewer_is_refused_whichever_sources_they_come_from(
    folder: Path, monkeypatch: pytest.MonkeyPatch, refused: Refused
) -> None:
    (folder / "foureyes.toml").write_text("[reviewers.e]\nuse = 'checks'\n")
    monkeypatch.setenv("FOUREYES_REVIEWERS", json.dumps(dict.fromkeys("abcd", SEC)))
    [problem] = refused()
    assert problem.startswith("reviewers: 5 are declared and at most 4 may be; remove some of ")
    assert "e (foureyes.toml)" in problem
    assert "a (env FOUREYES_REVIEWERS)" in problem


def test_names_that_differ_in_case_only_are_refused_over_all_sources(
    folder: Path, monkeypatch: pytest.MonkeyPatch, refused: Refused
) -> None:
    (folder / "foureyes.toml").write_text("[reviewers.Sec]\nuse = 'checks'\n")
    monkeypatch.setenv("FOUREYES_REVIEWERS__SEC__USE", "checks")
    assert (
        "reviewers.Sec: the same name as sec but for its case (env FOUREYES_REVIEWERS__SEC__USE, foureyes.toml); "
        "rename one of them"
    ) in refused()


@pytest.mark.parametrize(
    ("reviewers", "problem"),
    [
        ([{"use": "checks"}], "reviewers.0 (arguments): number 0 has no name; give it a 'name'"),
        ([{"name": 3, "use": "checks"}], "reviewers.0 (arguments): number 0 has no name; give it a 'name'"),
        (
            [{"name": "sec", **SEC}, {"name": "sec", **SEC}],
            "reviewers.sec (arguments): the name is given twice; rename one of them",
        ),
        (
            [ReviewerConfig(name="sec", use="a"), ReviewerConfig(name="sec", use="b")],
            "reviewers.sec (arguments): the name is given twice; rename one of them",
        ),
        (
            {"sec": {"name": "perf", **SEC}},
            "reviewers.sec.name (arguments): the key is the name; leave 'name' out",
        ),
        ({"sec": 3}, "reviewers.sec (arguments): must be a table, such as {use = 'checks'}"),
        ([3], "reviewers.0 (arguments): must be a table, such as {use = 'checks'}"),
        (3, "reviewers (arguments): must be a table keyed by name, or a list of tables with a name"),
        (None, "reviewers (arguments): must be a table keyed by name, or a list of tables with a name"),
    ],
)
def test_a_roster_that_cannot_be_read_is_refused(reviewers: object, problem: str, refused: Refused) -> None:
    assert refused(reviewers=reviewers) == (problem,)


def test_a_name_that_says_the_same_as_its_key_is_accepted() -> None:
    assert Settings(reviewers={"sec": {"name": "sec", **SEC}}).reviewers[0].name == "sec"


def test_a_reviewer_with_nothing_to_use_is_refused_with_the_name_that_was_meant(
    folder: Path, monkeypatch: pytest.MonkeyPatch, refused: Refused
) -> None:
    (folder / "foureyes.toml").write_text("[reviewers.correctness]\nuse = 'checks'\n")
    monkeypatch.setenv("FOUREYES_REVIEWERS__CORECTNESS__TIMEOUT_SECONDS", "9")
    [problem] = refused()
    assert problem == (
        "reviewers.corectness (env FOUREYES_REVIEWERS__CORECTNESS__TIMEOUT_SECONDS): nothing reviews; set 'use' to "
        "an entry-point name such as checks, or to module:callable; did you mean correctness?"
    )


def test_a_callable_cannot_be_named_outside_of_code(folder: Path, refused: Refused) -> None:
    (folder / "foureyes.toml").write_text("[reviewers.sec]\nreviewer = 'mine:sec'\n")
    assert refused() == (
        "reviewers.sec.reviewer (foureyes.toml): a callable can only be given in code; name it with 'use' instead",
    )
