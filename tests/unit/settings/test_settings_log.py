"""What the log says when settings are read, and what it does not."""

from __future__ import annotations

import logging
from pathlib import Path

import pytest

from foureyes.core.config import ReviewerConfig
from foureyes.errors import ConfigError
from foureyes.settings import Settings


@pytest.fixture
def log(caplog: pytest.LogCaptureFixture) -> pytest.LogCaptureFixture:
    """Return the log, everything included."""
    caplog.set_level(logging.DEBUG, logger="foureyes")
    return caplog


def test_the_roster_is_logged_with_the_source_of_each_reviewer(
    folder: Path, monkeypatch: pytest.MonkeyPatch, log: pytest.LogCaptureFixture
) -> None:
    (folder / "foureyes.toml").write_text("[reviewers.a]\nuse = 'checks'\n[reviewers.c]\nuse = 'checks'\n")
    monkeypatch.setenv("FOUREYES_REVIEWERS__A__USE", "mine:a")
    Settings(reviewers=[ReviewerConfig(name="b", reviewer=print)])
    assert log.record_tuples == [
        ("foureyes", logging.INFO, "reviewers: a (env FOUREYES_REVIEWERS__A__USE), b (arguments), c (foureyes.toml)")
    ]


def test_no_reviewers_is_a_warning_once(log: pytest.LogCaptureFixture) -> None:
    Settings()
    loud = [record.getMessage() for record in log.records if record.levelno >= logging.WARNING]
    assert loud == [
        "0 reviewers configured: nothing is reviewed; declare one, such as FOUREYES_REVIEWERS__CORRECTNESS__USE=checks"
    ]


def test_no_enabled_reviewer_is_a_warning_once(log: pytest.LogCaptureFixture) -> None:
    Settings(reviewers={"a": {"use": "checks", "enabled": False}, "b": {"use": "checks", "enabled": False}})
    loud = [record.getMessage() for record in log.records if record.levelno >= logging.WARNING]
    assert loud == ["0 reviewers enabled; declared are a, b: nothing is reviewed; give one enabled = true"]


def test_refused_settings_are_not_logged_and_carry_their_warnings_as_notes(
    monkeypatch: pytest.MonkeyPatch, log: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv("FOUREYES_STROE", "memory")
    with pytest.raises(ConfigError) as caught:
        Settings(metrics_port=-1)
    assert caught.value.__notes__ == ["env FOUREYES_STROE is not known and is ignored; did you mean FOUREYES_STORE?"]
    assert log.records == []


EVIL = "\x1b[2J\n\u202e"


def test_nothing_that_is_logged_or_refused_can_end_a_line_or_steer_a_terminal(
    folder: Path, monkeypatch: pytest.MonkeyPatch, log: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv(f"FOUREYES_{EVIL}", "1")
    Settings()
    (folder / "foureyes.toml").write_text('"\\u001B[2J\\n" = 1\n[reviewers."\\u001B[2J"]\nuse = "checks"\n')
    with pytest.raises(ConfigError) as caught:
        Settings()
    told = [record.getMessage() for record in log.records] + [*caught.value.problems, *caught.value.__notes__]
    assert sum("\\x1b[2J" in text for text in told) == 4
    assert all(text.isprintable() for text in told)


def test_importing_the_settings_reads_nothing(folder: Path) -> None:
    import importlib.util

    import foureyes.settings.model as model

    (folder / "foureyes.toml").write_text("this is no TOML")
    spec = importlib.util.find_spec(model.__name__)
    assert spec is not None
    assert spec.loader is not None
    spec.loader.exec_module(importlib.util.module_from_spec(spec))
