"""README tells the truth: every block of it is run."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from prometheus_client import CollectorRegistry

from foureyes import FinishResult, ReviewScheduler, Settings, Severity, Verdict
from foureyes.testing import run_turns

README = Path(__file__).parents[1] / "README.md"
BLOCKS = re.findall(r"^```(\w+)\n(.*?)^```$", README.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)


def _blocks(language: str) -> list[str]:
    return [text for kind, text in BLOCKS if kind == language]


def _names(block: str) -> dict[str, Any]:
    names: dict[str, Any] = {}
    exec(compile(block, str(README), "exec"), names)
    return names


def _model(*replies: dict[str, Any]) -> Callable[[list[Any]], Any]:
    script = list(replies)

    async def model(messages: list[Any]) -> dict[str, Any]:
        return script.pop(0)

    return model


def _call(number: int) -> dict[str, Any]:
    call = {"id": f"call-{number}", "type": "function", "function": {"name": "total", "arguments": "{}"}}
    return {"role": "assistant", "content": "", "tool_calls": [call]}


async def _failing_tool(reply: dict[str, Any]) -> list[dict[str, Any]]:
    return [
        {"role": "tool", "tool_call_id": call["id"], "content": "Error: no such table: refunds"}
        for call in reply.get("tool_calls", ())
    ]


def test_readme_has_the_languages_that_are_tested_here() -> None:
    assert {kind for kind, _ in BLOCKS} == {"bash", "env", "python", "toml"}


@pytest.mark.anyio
async def test_the_loop_reopens_an_answer_that_hides_an_error_and_accepts_the_honest_one() -> None:
    run = _names(_blocks("python")[0])["run"]
    answers = [
        {"role": "assistant", "content": "Refunds came to 4.2 million."},
        {"role": "assistant", "content": "I could not read the refunds: the query failed, there is no such table."},
    ]
    text, guidance = await run("What did we refund?", _model(_call(1), *answers), _failing_tool)
    assert text == answers[1]["content"]
    assert (guidance.result, guidance.verdict) == (FinishResult.CLEAN, Verdict.APPROVED)


@pytest.mark.anyio
async def test_the_example_reviewer_reaches_the_agent() -> None:
    config = _names(_blocks("python")[1])["config"]
    async with ReviewScheduler([config]) as scheduler:
        session = await scheduler.session("units", request="How many miles is it?")
        (guidance,) = await run_turns(session, 0, answers=["It is 12 km."])
    assert guidance.reopen
    assert [note.severity for note in guidance.advisory.notes] == [Severity.CONCERN]


def test_the_toml_declares_what_its_comments_say(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    (tmp_path / "foureyes.toml").write_text(_blocks("toml")[0], encoding="utf-8")
    settings = Settings()
    (reviewer,) = settings.reviewers
    assert (settings.notes_per_boundary, reviewer.interval_turns, reviewer.guard.max_notes) == (4, 3, 3)
    assert settings.warnings == ()


def test_the_environment_declares_the_same_reviewer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    for line in _blocks("env")[1].splitlines():
        monkeypatch.setenv(*line.split("=", 1))
    settings = Settings()
    (reviewer,) = settings.reviewers
    assert (reviewer.name, reviewer.use, reviewer.interval_turns) == ("correctness", "checks", 3)
    assert (settings.metrics_port, settings.store) == (9464, "sqlite:/var/lib/agent/foureyes.db")
    assert settings.warnings == ()


def test_the_environment_alone_declares_a_model_that_reviews(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    for line in _blocks("env")[0].splitlines():
        monkeypatch.setenv(*line.split("=", 1))
    (reviewer,) = ReviewScheduler.from_settings(registry=CollectorRegistry()).reviewers
    assert (reviewer.use, reviewer.model, reviewer.interval_turns) == ("model", "gpt-5-mini", 5)


def _commands() -> list[list[str]]:
    lines = [line.split("#")[0].split() for block in _blocks("bash") for line in block.splitlines()]
    return [words[1:] for words in lines if words and words[0] == "foureyes"]


@pytest.mark.parametrize("words", _commands(), ids=" ".join)
def test_every_command_that_readme_shows_works(words: list[str], tmp_path: Path) -> None:
    (tmp_path / "foureyes.toml").write_text(_blocks("toml")[0], encoding="utf-8")
    (tmp_path / "runs").mkdir()
    run = [{"role": "user", "content": "Hello"}, {"role": "assistant", "content": "Good morning."}]
    (tmp_path / "runs" / "one.json").write_text(json.dumps(run), encoding="utf-8")
    given = [str(path) for word in words for path in ([word] if "*" not in word else sorted(tmp_path.glob(word)))]
    done = subprocess.run(
        [sys.executable, "-m", "foureyes", *given], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout


def test_readme_names_every_result_of_a_finish_and_no_other() -> None:
    row = next(line for line in README.read_text(encoding="utf-8").splitlines() if line.startswith("| `result` |"))
    assert set(re.findall(r"`(\w+)`", row)) == {"result", *FinishResult}
