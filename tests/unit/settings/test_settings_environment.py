"""What an environment variable means, empty and misspelt ones included, and the lines of a .env file alike."""

from __future__ import annotations

import json
import logging
import os
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from foureyes.settings import Settings

Refused = Callable[..., tuple[str, ...]]
Declare = Callable[[str, str], str]

ROSTER = {"sec": {"use": "checks"}}


@pytest.fixture(params=["env", ".env"])
def declare(request: pytest.FixtureRequest, folder: Path, monkeypatch: pytest.MonkeyPatch) -> Declare:
    """Return what sets a variable, in the environment and in a .env file; it tells how messages call the variable."""

    def in_environment(name: str, value: str) -> str:
        monkeypatch.setenv(name, value)
        return f"env {name}"

    def in_file(name: str, value: str) -> str:
        with (folder / ".env").open("a", encoding="utf-8") as lines:
            lines.write(f"{name}={value}\n")
        return f".env {name}"

    return in_environment if request.param == "env" else in_file


@pytest.mark.parametrize("empty", ["", " ", '""', "''", '"  "'])
@pytest.mark.parametrize(
    "name", ["REVIEWERS", "STORE", "METRICS_PORT", "CONFIG", "REVIEWERS__SEC__USE", "REVIEWERS__SEC__ENABLED"]
)
def test_an_empty_value_is_unset(declare: Declare, name: str, empty: str) -> None:
    nothing = Settings()
    declare(f"FOUREYES_{name}", empty)
    assert Settings() == nothing


def test_a_value_that_is_a_comment_is_unset_and_warned_of(monkeypatch: pytest.MonkeyPatch) -> None:
    nothing = Settings()
    monkeypatch.setenv("FOUREYES_STORE", "# fill me")
    assert Settings().store == nothing.store
    assert "env FOUREYES_STORE holds only a comment and counts as unset; remove the '#'" in Settings().warnings


def test_a_comment_behind_a_value_in_a_dotenv_file_is_no_part_of_it(folder: Path) -> None:
    (folder / ".env").write_text("FOUREYES_METRICS_PORT=5 # a port\nFOUREYES_STORE=   # fill me\n")
    assert Settings().metrics_port == 5
    assert Settings().sources["store"] == "default"


@pytest.mark.parametrize("quote", ["'", '"'])
def test_one_pair_of_quotes_is_taken_off(declare: Declare, quote: str) -> None:
    declare("FOUREYES_STORE", f"{quote}memory{quote}")
    assert Settings().store == "memory"


def test_quotes_that_docker_keeps_around_json_are_taken_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FOUREYES_REVIEWERS", f"'{json.dumps(ROSTER)}'")
    assert [config.name for config in Settings().reviewers] == ["sec"]


def test_names_are_read_without_regard_to_case(declare: Declare) -> None:
    place = declare("Foureyes_Reviewers__SEC__Use", "checks")
    settings = Settings()
    assert [config.name for config in settings.reviewers] == ["sec"]
    assert settings.sources["reviewers.sec.use"] == place


def test_of_two_spellings_the_upper_case_one_wins(declare: Declare) -> None:
    declare("FOUREYES_NOTES_PER_BOUNDARY", "2")
    declare("foureyes_notes_per_boundary", "3")
    assert Settings().notes_per_boundary == 2


def test_json_over_several_lines_needs_single_quotes_in_a_dotenv_file(folder: Path) -> None:
    (folder / ".env").write_text(f"FOUREYES_REVIEWERS='{json.dumps(ROSTER, indent=2)}'\n")
    assert [config.name for config in Settings().reviewers] == ["sec"]


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("[{'name':'sec'}]", r"line 1, column 3: JSON wants double quotes, not single ones$"),
        ('[{"name":"sec"},]', r"line 1, column 1[67]: there is a comma after the last item; remove it$"),
        ('{"sec":{"use":"x",}}', r"line 1, column 1[89]: there is a comma after the last item; remove it$"),
        ("sec,perf", r"must be a JSON table or list, not words; .*FOUREYES_REVIEWERS__NAME__USE=checks needs no JSON$"),
        ("sec", r"must be a JSON table or list, not words"),
        ("5", r"must be a JSON table or list, not words"),
        ("[", r"line 1, column 2: it ends too early; .* single quotes around a value of several lines$"),
        ('{"sec": {"use" "x"}}', r"line 1, column 16: check for a missing quote, comma or bracket just before$"),
        ('[{"name":"sec","every":3,"every":9}]', r"gives a key twice in one table; keep one of them$"),
        ('{"sec":{"max_rounds":NaN}}', r"holds NaN or Infinity; give finite numbers$"),
        ("[" * 100_000, r"is nested too deeply$"),
    ],
)
def test_a_slip_in_json_is_told_with_its_place_and_a_hint(
    text: str, hint: str, monkeypatch: pytest.MonkeyPatch, refused: Refused
) -> None:
    monkeypatch.setenv("FOUREYES_REVIEWERS", text)
    [problem] = refused()
    assert problem.startswith("env FOUREYES_REVIEWERS: ")
    assert re.search(hint, problem), problem


def test_several_lines_without_quotes_are_told_to_end_too_early(folder: Path, refused: Refused) -> None:
    (folder / ".env").write_text('FOUREYES_REVIEWERS=[\n  {"name": "sec",\n   "use": "checks"}\n]\n')
    # python-dotenv complains of the other lines by itself, in its own log.
    [problem] = refused()
    assert problem.startswith(".env FOUREYES_REVIEWERS: is no JSON at line 1, column 2: it ends too early")


def test_keys_of_other_programs_in_a_dotenv_file_are_ignored_without_a_word(
    folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (folder / ".env").write_text("WIDGET_TOKEN=abc\nFOUREYES_METRICS_PORT=20\nFOUREYES_METRIC_PORT=5\n")
    with caplog.at_level(logging.WARNING):
        settings = Settings()
    assert settings.metrics_port == 20
    [metric, nobody] = settings.warnings
    assert metric == ".env FOUREYES_METRIC_PORT is not known and is ignored; did you mean FOUREYES_METRICS_PORT?"
    assert nobody.startswith("0 reviewers configured: nothing is reviewed; declare one")
    assert caplog.messages == [metric, nobody]


def test_a_dotenv_file_in_another_encoding_is_still_read(folder: Path) -> None:
    (folder / ".env").write_bytes("WIDGET=größe\nFOUREYES_METRICS_PORT=20\n".encode("latin-1"))
    assert Settings().metrics_port == 20


def test_a_dotenv_file_may_begin_with_a_byte_order_mark(folder: Path) -> None:
    (folder / ".env").write_text("FOUREYES_METRICS_PORT=20\n", "utf-8-sig")
    assert Settings().metrics_port == 20


@contextmanager
def _not_as_root() -> Iterator[None]:
    # Root may read everything, so for a moment this is nobody.
    user = os.geteuid()
    os.seteuid(user or 65_534)
    try:
        yield
    finally:
        os.seteuid(user)


def test_a_dotenv_file_that_may_not_be_read_is_ignored_with_a_warning(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / ".env").touch(mode=0o000)
    folder.chmod(0o755)
    monkeypatch.setenv("HOME", "/nowhere")
    with _not_as_root():
        warnings = Settings().warnings
    assert warnings[0] == ".env cannot be read (Permission denied) and is ignored; correct its permissions"


def test_a_folder_called_dotenv_is_no_settings_file(folder: Path) -> None:
    (folder / ".env").mkdir()
    assert Settings().sources["store"] == "default"


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("FOUREYES_REVIEWER", "FOUREYES_REVIEWERS"),
        ("FOUREYES_STROE", "FOUREYES_STORE"),
        ("FOUREYES_STORE__PATH", "FOUREYES_STORE"),
        ("FOUREYES_CONFIGS", "FOUREYES_CONFIG"),
        ("FOUREYES_TIMEOUT_SECONDS", "FOUREYES_REVIEWERS__NAME__TIMEOUT_SECONDS"),
        ("FOUREYES_REVIEWERS__SEC__TIMOUT", "FOUREYES_REVIEWERS__SEC__TIMEOUT_SECONDS"),
        ("FOUREYES_REVIEWERS__OTHER__USES", "FOUREYES_REVIEWERS__OTHER__USE"),
        ("FOUREYES_REVIEWER__SEC__USE", "FOUREYES_REVIEWERS__SEC__USE"),
        ("FOUREYES_REVIEWERS_SEC_TIMEOUT_SECONDS", "FOUREYES_REVIEWERS__SEC__TIMEOUT_SECONDS"),
        ("FOUREYES_REVIEWERS_A_USE", "FOUREYES_REVIEWERS__A__USE"),
        ("FOUREYES_REVIEWER_A_B_USE", "FOUREYES_REVIEWERS__A_B__USE"),
        ("FOUREYES_REVIEWERS_A__USE", "FOUREYES_REVIEWERS__A__USE"),
        ("FOUREYES_REVIEWERS_A_GUARD_MAX_NOTES", "FOUREYES_REVIEWERS__A__GUARD__MAX_NOTES"),
        ("FOUREYES_REVIEWERS_A__GUARD__MAX_NOTES", "FOUREYES_REVIEWERS__A__GUARD__MAX_NOTES"),
        ("FOUREYES_REVIEWER__A_USE", "FOUREYES_REVIEWERS__A__USE"),
        ("FOUREYES_REVIEWERS_A_TIMOUT", "FOUREYES_REVIEWERS__NAME__KEY"),
        ("FOUREYES_REVIEWERS__SEC__GUARD__NOTES", "FOUREYES_REVIEWERS__SEC__GUARD__MAX_NOTES"),
    ],
)
def test_an_unknown_name_is_ignored_with_a_warning_that_says_which_was_meant(
    declare: Declare, name: str, meant: str
) -> None:
    declare("FOUREYES_REVIEWERS", json.dumps(ROSTER))
    expected = Settings()
    place = declare(name, "7")
    assert Settings().reviewers == expected.reviewers
    assert Settings().warnings == (f"{place} is not known and is ignored; did you mean {meant}?",)


def test_a_key_with_one_underscore_before_it_is_refused_with_the_name_that_was_meant(
    declare: Declare, refused: Callable[..., tuple[str, ...]]
) -> None:
    place = declare("FOUREYES_REVIEWERS__A_USE", "checks")
    [problem] = refused()
    assert problem.startswith(f"{place}: must be a JSON table")
    assert problem.endswith(". Did you mean FOUREYES_REVIEWERS__A__USE?")


def test_a_name_like_no_other_is_warned_of_without_a_guess(declare: Declare) -> None:
    place = declare("FOUREYES_QQQ", "7")
    assert f"{place} is not known and is ignored; remove it" in Settings().warnings


def test_names_that_hold_no_setting_are_known(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    (folder / "reviews.toml").touch()
    monkeypatch.setenv("FOUREYES_CONFIG", "reviews.toml")
    monkeypatch.setenv("FOUREYES_TRACEBACK", "1")
    assert not any("is not known" in warning for warning in Settings().warnings)
