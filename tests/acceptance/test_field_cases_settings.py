"""Failures of settings that users of other systems have met, with the values that they had. Each names its thread."""

from __future__ import annotations

import json
import logging
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeAlias

import pytest

from foureyes.cli import main
from foureyes.errors import ConfigError
from foureyes.scheduler import ReviewScheduler
from foureyes.settings import Settings

SEC = "FOUREYES_REVIEWERS__SEC__"
Checked: TypeAlias = Callable[[], dict[str, Any]]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return an empty working directory on a machine without anybody's settings."""
    for name in [name for name in os.environ if name.upper().startswith(("FOUREYES_", "XDG_"))]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def checked(capsys: pytest.CaptureFixture[str]) -> Checked:
    """Return what runs ``foureyes check --json``, and its document; the exit code says whether there are problems."""

    def run() -> dict[str, Any]:
        code = main(["check", "--json"])
        found: dict[str, Any] = json.loads(capsys.readouterr().out)
        assert code == (1 if found["problems"] else 0)
        return found

    return run


@pytest.mark.parametrize(
    ("value", "hint"),
    [
        ("[{'name':'sec'}]", "is no JSON at line 1, column 3: JSON wants double quotes, not single ones"),
        ("sec,perf", "must be a JSON table or list, not words"),
        ('[{"name":"sec"},]', "there is a comma after the last item; remove it"),
    ],
)
def test_a_slip_in_the_roster_is_told_with_its_place_and_a_hint_and_without_the_value(
    value: str, hint: str, monkeypatch: pytest.MonkeyPatch, checked: Checked
) -> None:
    """As in https://github.com/pydantic/pydantic-settings/issues/376: an opaque crash at import."""
    monkeypatch.setenv("FOUREYES_REVIEWERS", value)
    [problem] = checked()["problems"]
    assert problem.startswith("env FOUREYES_REVIEWERS: ")
    assert hint in problem
    assert value not in problem
    with pytest.raises(ConfigError, match="FOUREYES_REVIEWERS"):
        ReviewScheduler.from_settings()


def test_an_empty_roster_is_no_roster(monkeypatch: pytest.MonkeyPatch, checked: Checked) -> None:
    """As in https://github.com/pydantic/pydantic-settings/pull/919: the same opaque crash for an empty value."""
    monkeypatch.setenv("FOUREYES_REVIEWERS", "")
    found = checked()
    assert (found["problems"], found["reviewers"]) == ([], [])


def test_a_misspelt_name_is_warned_of_with_the_right_one_and_that_nobody_reviews(
    monkeypatch: pytest.MonkeyPatch, checked: Checked
) -> None:
    """As in https://github.com/pydantic/pydantic-settings/issues/985: weeks without any review."""
    monkeypatch.setenv("FOUREYES_REVIEWER", '[{"name":"sec"}]')
    assert checked()["warnings"] == [
        "env FOUREYES_REVIEWER is not known and is ignored; did you mean FOUREYES_REVIEWERS?",
        "0 reviewers configured: nothing is reviewed; declare one, such as FOUREYES_REVIEWERS__CORRECTNESS__USE=checks",
    ]


def test_a_misspelt_key_of_a_file_is_refused(folder: Path, checked: Checked) -> None:
    """As in https://github.com/NVIDIA-NeMo/Guardrails/issues/632: an unknown key was dropped."""
    (folder / "foureyes.toml").write_text("[reviewer.sec]\nuse = 'checks'\n")
    assert checked()["problems"] == ["reviewer (foureyes.toml): is not known; did you mean [reviewers.sec]?"]


def test_lines_of_other_programs_in_a_shared_dotenv_file_are_nobodys_business(folder: Path, checked: Checked) -> None:
    """As in https://github.com/aikts/yandex-tracker-mcp/issues/22: a crash at the start."""
    lines = ["WIDGET_TOKEN=abc", f"{SEC}USE=checks", f"{SEC}TIMEOUT_SECONDS=20", f"{SEC}TIMOUT_SECONDS=5"]
    (folder / ".env").write_text("\n".join(lines))
    found = checked()
    assert found["problems"] == []
    assert found["reviewers"][0]["timeout_seconds"] == 20
    assert found["warnings"] == [
        f".env {SEC}TIMOUT_SECONDS is not known and is ignored; did you mean {SEC}TIMEOUT_SECONDS?"
    ]


@pytest.mark.parametrize("empty", ["", "  "])
def test_an_option_that_compose_leaves_empty_has_its_default(
    empty: str, monkeypatch: pytest.MonkeyPatch, checked: Checked
) -> None:
    """As in https://github.com/IBM/mcp-context-forge/pull/6123: "" broke number, bool and list fields."""
    monkeypatch.setenv(f"{SEC}USE", "checks")
    for key in ("TIMEOUT_SECONDS", "ENABLED", "FALLBACKS", "TRIGGERS", "GUARD__MAX_NOTES"):
        monkeypatch.setenv(f"{SEC}{key}", empty)
    for name in ("FOUREYES_REVIEWERS", "FOUREYES_METRICS_PORT", "FOUREYES_STORE", "FOUREYES_CONFIG"):
        monkeypatch.setenv(name, empty)
    found = checked()
    assert (found["problems"], found["warnings"]) == ([], [])
    assert {key: source for key, source in found["sources"].items() if source != "default"} == {
        "reviewers.sec.use": f"env {SEC}USE"
    }


@pytest.mark.parametrize("value", ["30000", "0", "-1", "inf", "nan", "true"])
def test_a_timeout_that_can_be_no_number_of_seconds_is_refused_with_the_unit(
    value: str, monkeypatch: pytest.MonkeyPatch, checked: Checked
) -> None:
    """As in https://github.com/grafana/agento11y/issues/492: milliseconds taken for seconds."""
    monkeypatch.setenv(f"{SEC}USE", "checks")
    monkeypatch.setenv(f"{SEC}TIMEOUT_SECONDS", value)
    [problem] = checked()["problems"]
    assert problem.startswith(f"reviewers.sec.timeout_seconds (env {SEC}TIMEOUT_SECONDS): must be ")


def test_a_timeout_may_say_its_unit(monkeypatch: pytest.MonkeyPatch, checked: Checked) -> None:
    """As in https://github.com/PrimeIntellect-ai/verifiers/issues/2372: seconds taken for milliseconds."""
    monkeypatch.setenv(f"{SEC}USE", "checks")
    monkeypatch.setenv(f"{SEC}TIMEOUT_SECONDS", "500ms")
    assert checked()["reviewers"][0]["timeout_seconds"] == 0.5


@pytest.mark.parametrize(("value", "turns"), [("0", 0), ("3", 3), ("1000000000", 10**9)])
def test_a_cadence_is_a_whole_number_and_0_is_off(
    value: str, turns: int, monkeypatch: pytest.MonkeyPatch, checked: Checked
) -> None:
    """As in https://github.com/pydantic/pydantic-ai-harness/pull/724; here 0 says that there is no periodic review."""
    monkeypatch.setenv(f"{SEC}USE", "checks")
    monkeypatch.setenv(f"{SEC}INTERVAL_TURNS", value)
    assert checked()["reviewers"][0]["interval_turns"] == turns
    assert Settings().reviewers[0].periodic is (turns > 0)


@pytest.mark.parametrize("value", [-1, True, 1.5, 10**18, float("nan"), "many", None])
@pytest.mark.parametrize("key", ["interval_turns", "max_rounds", "cooldown_turns"])
def test_a_cadence_that_is_none_is_refused_from_code_and_from_json(
    key: str, value: object, monkeypatch: pytest.MonkeyPatch, checked: Checked
) -> None:
    """As in https://github.com/pydantic/pydantic-ai-harness/pull/724: true was taken for 1, and fired each turn."""
    roster = {"sec": {"use": "checks", key: value}}
    with pytest.raises(ConfigError, match=rf"^reviewers\.sec\.{key} \(arguments\): must be "):
        Settings(reviewers=roster)
    monkeypatch.setenv("FOUREYES_REVIEWERS", json.dumps(roster))
    [problem] = checked()["problems"]
    nan = isinstance(value, float) and value != value
    place = "env FOUREYES_REVIEWERS: " if nan else f"reviewers.sec.{key} (env FOUREYES_REVIEWERS): must be "
    assert problem.startswith(place)


def test_settings_that_were_written_down_and_read_again_are_the_same_and_hold_no_key(
    monkeypatch: pytest.MonkeyPatch, checked: Checked
) -> None:
    """As in https://github.com/microsoft/autogen/issues/5939: the key had become stars."""
    monkeypatch.setenv("OPENAI_API_KEY", "sk-hunter2")
    monkeypatch.setenv(f"{SEC}USE", "checks")
    monkeypatch.setenv(f"{SEC}TIMEOUT_SECONDS", "500ms")
    before, document = Settings(), checked()
    monkeypatch.delenv(f"{SEC}USE")
    monkeypatch.delenv(f"{SEC}TIMEOUT_SECONDS")
    written = json.dumps({"reviewers": document["reviewers"], **document["settings"]})
    assert "hunter2" not in written
    assert "***" not in written
    again = Settings(**json.loads(written))
    assert (again.reviewers, again.model_dump()) == (before.reviewers, before.model_dump())


def test_numbered_names_declare_a_list_in_order(monkeypatch: pytest.MonkeyPatch, checked: Checked) -> None:
    """As in https://github.com/pydantic/pydantic-settings/issues/268: "should be a valid list"."""
    for place, name in enumerate(["sec", "perf"]):
        monkeypatch.setenv(f"FOUREYES_REVIEWERS__{place}__NAME", name)
        monkeypatch.setenv(f"FOUREYES_REVIEWERS__{place}__USE", "checks")
    assert [reviewer["name"] for reviewer in checked()["reviewers"]] == ["sec", "perf"]


def test_a_numbered_name_wins_over_the_json_of_the_same_list(monkeypatch: pytest.MonkeyPatch, checked: Checked) -> None:
    """As in https://github.com/pydantic/pydantic-settings/issues/376: it was ignored without a word."""
    monkeypatch.setenv("FOUREYES_REVIEWERS", '[{"name": "sec", "use": "checks", "max_rounds": 1}]')
    monkeypatch.setenv("FOUREYES_REVIEWERS__0__MAX_ROUNDS", "5")
    found = checked()
    assert found["reviewers"][0]["max_rounds"] == 5
    assert found["sources"]["reviewers.sec.max_rounds"] == "env FOUREYES_REVIEWERS__0__MAX_ROUNDS"


@pytest.mark.parametrize(
    ("value", "problem"),
    [
        ('[{"name":"sec","use":"checks"},{"name":"Sec","use":"checks"}]', "the same name as sec but for its case"),
        ('[{"name":"sec","every":3,"every":9}]', "gives a key twice in one table; keep one of them"),
        ('{"sec":{"use":"checks"},"sec":{"use":"checks"}}', "gives a key twice in one table; keep one of them"),
        ('[{"name":"sec","use":"checks"},{"name":"sec","use":"checks"}]', "the name is given twice"),
    ],
)
def test_two_reviewers_that_would_share_one_slot_are_refused(
    value: str, problem: str, monkeypatch: pytest.MonkeyPatch, checked: Checked
) -> None:
    """As in https://github.com/pydantic/pydantic-settings/issues/277: the last one won without a word."""
    monkeypatch.setenv("FOUREYES_REVIEWERS", value)
    assert any(problem in found for found in checked()["problems"])


def test_rosters_of_two_sources_are_one_and_say_where_each_reviewer_is_from(
    folder: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """As in https://github.com/can1357/oh-my-pi/issues/7795: one roster hid the other; here they are merged by name."""
    (folder / ".env").write_text('FOUREYES_REVIEWERS=[{"name":"sec","use":"checks","max_rounds":1}]\n')
    monkeypatch.setenv("FOUREYES_REVIEWERS", '[{"name":"perf","use":"checks"}]')
    with caplog.at_level(logging.INFO, "foureyes"):
        settings = Settings()
    assert sorted(config.name for config in settings.reviewers) == ["perf", "sec"]
    assert len(caplog.messages) == 1
    for said in ("perf (env FOUREYES_REVIEWERS)", "sec (.env FOUREYES_REVIEWERS)"):
        assert said in caplog.messages[0]


def test_a_file_of_the_project_is_weaker_than_the_environment_and_the_user(
    folder: Path, monkeypatch: pytest.MonkeyPatch, checked: Checked
) -> None:
    """As in https://github.com/pydantic/pydantic-settings/issues/565: nobody knew which one had won."""
    own = folder / "home" / ".config" / "foureyes" / "foureyes.toml"
    own.parent.mkdir(parents=True)
    places: dict[str, Callable[[], object]] = {
        "pyproject.toml": lambda: (folder / "pyproject.toml").write_text("[tool.foureyes]\nnotes_per_boundary = 1\n"),
        "foureyes.toml": lambda: (folder / "foureyes.toml").write_text("notes_per_boundary = 2\n"),
        ".env FOUREYES_NOTES_PER_BOUNDARY": lambda: (folder / ".env").write_text("FOUREYES_NOTES_PER_BOUNDARY=3\n"),
        "~/.config/foureyes/foureyes.toml": lambda: own.write_text("notes_per_boundary = 4\n"),
        "env FOUREYES_NOTES_PER_BOUNDARY": lambda: monkeypatch.setenv("FOUREYES_NOTES_PER_BOUNDARY", "5"),
    }
    for value, (source, declare) in enumerate(places.items(), start=1):
        declare()
        found = checked()
        assert (found["settings"]["notes_per_boundary"], found["sources"]["notes_per_boundary"]) == (value, source)


def test_a_reviewer_that_cannot_be_found_is_a_problem_of_its_own_and_stops_the_start(
    monkeypatch: pytest.MonkeyPatch, checked: Checked
) -> None:
    """As in https://github.com/can1357/oh-my-pi/issues/8812: it was off, without a word."""
    monkeypatch.setenv("FOUREYES_REVIEWERS__SEC__USE", "acme-none-1")
    monkeypatch.setenv("FOUREYES_REVIEWERS__PERF__USE", "checks")
    [problem] = checked()["problems"]
    assert problem.startswith(
        "reviewers.sec.use (env FOUREYES_REVIEWERS__SEC__USE): use 'acme-none-1' is offered by no"
    )
    with pytest.raises(ConfigError, match="reviewer 'sec': use 'acme-none-1'"):
        ReviewScheduler.from_settings()


@pytest.mark.parametrize("line", ["5 # seconds", "5   # seconds", '"5"', "'5' # seconds", "5"])
def test_a_comment_and_quotes_are_no_part_of_a_value(line: str, folder: Path, checked: Checked) -> None:
    """As in https://github.com/mtrnix/metronix-memory/issues/471: each loader read another value."""
    (folder / ".env").write_text(f"{SEC}USE=checks\n{SEC}TIMEOUT_SECONDS={line}\n{SEC}FALLBACKS=   # fill me\n")
    found = checked()
    assert (found["problems"], found["reviewers"][0]["timeout_seconds"]) == ([], 5)
    assert found["sources"]["reviewers.sec.fallbacks"] == "default"


def test_a_comment_and_quotes_that_docker_passes_on_are_no_part_of_a_value(
    monkeypatch: pytest.MonkeyPatch, checked: Checked
) -> None:
    """As in https://github.com/docker/docs/issues/123: quotes and comments became part of the value."""
    monkeypatch.setenv("FOUREYES_REVIEWERS__0__NAME", '"sec"')
    monkeypatch.setenv("FOUREYES_REVIEWERS__0__USE", "'checks'")
    monkeypatch.setenv("FOUREYES_REVIEWERS__0__FALLBACKS", "# fill me")
    found = checked()
    assert ([one["name"] for one in found["reviewers"]], found["problems"]) == (["sec"], [])
    assert found["warnings"] == [
        "env FOUREYES_REVIEWERS__0__FALLBACKS holds only a comment and counts as unset; remove the '#'"
    ]


def test_a_comment_without_a_blank_before_it_is_refused(folder: Path, checked: Checked) -> None:
    """As in https://github.com/theskumar/python-dotenv/issues/285: it is part of the value, and no number."""
    (folder / ".env").write_text(f"{SEC}USE=checks\n{SEC}TIMEOUT_SECONDS=5# seconds\n")
    [problem] = checked()["problems"]
    assert problem.startswith(f"reviewers.sec.timeout_seconds (.env {SEC}TIMEOUT_SECONDS): must be ")


ROSTER = '[\n  {"name": "sec",\n   "use": "checks"}\n]'


def test_json_over_several_lines_without_quotes_is_told_what_it_needs(folder: Path, checked: Checked) -> None:
    """As in https://github.com/theskumar/python-dotenv/issues/285: cut after the first line."""
    (folder / ".env").write_text(f"FOUREYES_REVIEWERS={ROSTER}\n")
    [problem] = checked()["problems"]
    assert problem.startswith(".env FOUREYES_REVIEWERS: is no JSON at line 1, column 2: it ends too early; ")
    assert "single quotes" in problem


def test_json_over_several_lines_in_single_quotes_is_read(folder: Path, checked: Checked) -> None:
    """As in https://github.com/theskumar/python-dotenv/issues/285."""
    (folder / ".env").write_text(f"FOUREYES_REVIEWERS='{ROSTER}'\n")
    assert [reviewer["name"] for reviewer in checked()["reviewers"]] == ["sec"]


def test_bare_names_of_other_tools_change_nothing(monkeypatch: pytest.MonkeyPatch, checked: Checked) -> None:
    """As in https://github.com/pydantic/pydantic-settings/issues/666: TIMEOUT of another tool was read."""
    monkeypatch.setenv(f"{SEC}USE", "checks")
    monkeypatch.setenv(f"{SEC}TIMEOUT_SECONDS", "20")
    before = checked()
    hostile = {"TIMEOUT": "1", "TIMEOUT_SECONDS": "1", "DEBUG": "release", "NAME": "x", "USE": "x", "STORE": "memory"}
    for name, value in (hostile | {"REVIEWERS": "{", "METRICS_PORT": "x", "ENABLED": "no", "CONFIG": "gone"}).items():
        monkeypatch.setenv(name, value)
    assert checked() == before
    assert before["reviewers"][0]["timeout_seconds"] == 20
