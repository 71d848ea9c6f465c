"""``foureyes doctor``, as a user types it."""

from __future__ import annotations

import importlib
import json
import sys
from pathlib import Path
from typing import Any

import pytest

from foureyes.cli import main
from foureyes.core.account import account

MODULE = """
import os
import anyio
from foureyes import MisconfiguredError, RateLimitedError, Usage, charge
from foureyes.core.account import account

async def good(review):
    assert (review.request, review.answer) == ("Say hello.", "Hello.")
    charge(Usage(input_tokens=120, output_tokens=8, cost_usd=0.000321))
    return []

def mumbling(review):
    return "fine, I suppose"

async def wrong_key(review):
    raise MisconfiguredError("the key is not accepted (401)")

async def leaking(review):
    raise ValueError("cannot log in with " + os.environ["ACME_TOKEN"])

def half(review):
    return {"notes": [{"severity": "nit", "text": "Fine."}, {"severity": "nit"}, 7]}

calls = []

async def limited(review):
    calls.append(review)
    raise RateLimitedError("asked to slow down" if len(calls) % 2 else "", retry_after=0.01)

async def hanging(review):
    await anyio.sleep_forever()

class Sending:
    account = account("openai", "https://models.example/v1", "sk-other")
    closed = 0
    async def __call__(self, review):
        return []
    async def aclose(self):
        Sending.closed += 1

sending = Sending()
"""


class Shell:
    """A working folder with reviewers of its own."""

    def __init__(self, folder: Path, patch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
        self.folder, self.patch, self.capsys = folder, patch, capsys

    def declare(self, **uses: str) -> None:
        """Declare one reviewer for each name, with a short deadline."""
        tables = (f"[reviewers.{name}]\nuse = {use!r}\ntimeout_seconds = 0.3\n" for name, use in uses.items())
        (self.folder / "foureyes.toml").write_text('store = "memory"\n' + "".join(tables))

    def type(self, *words: str) -> tuple[int, str]:
        """Run the command and return its exit code and its output."""
        return main(["doctor", *words]), self.capsys.readouterr().out

    def found(self, *words: str) -> dict[str, dict[str, Any]]:
        """Return what ``doctor --json`` found, by reviewer."""
        self.code, out = self.type("--json", *words)
        return {finding["reviewer"]: finding for finding in json.loads(out)["reviewers"]}


@pytest.fixture
def shell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Shell:
    """Return a shell in a folder with the module of reviewers."""
    (tmp_path / "theirs.py").write_text(MODULE)
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "theirs", raising=False)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("COLUMNS", "100")
    return Shell(tmp_path, monkeypatch, capsys)


def test_one_that_works_is_well_and_says_what_the_call_has_used(shell: Shell) -> None:
    shell.declare(one="theirs:good", two="checks")
    code, out = shell.type()
    assert code == 0
    assert "120 + 8 tokens, 0.000321 USD" in out
    assert out.splitlines()[-1] == "all well"


@pytest.mark.parametrize(
    ("use", "outcome", "said"),
    [
        ("theirs:mumbling", "unparsed", "answered, but not in a form that can be read"),
        ("theirs:wrong_key", "error", "the key is not accepted (401)"),
        ("theirs:hanging", "timeout", "no answer within 0.3 s (timeout_seconds)"),
        ("theirs:absent", None, "theirs:absent"),
    ],
)
def test_what_is_wrong_is_said_in_plain_words_and_the_others_are_called_all_the_same(
    use: str, outcome: str | None, said: str, shell: Shell
) -> None:
    shell.declare(bad=use, good="theirs:good")
    code, out = shell.type()
    assert (code, out.splitlines()[-1]) == (1, "1 of 2 unwell")
    assert said in " ".join(out.split())
    found = shell.found()
    assert (found["bad"]["outcome"], found["bad"]["well"], found["good"]["well"]) == (outcome, False, True)


def test_one_of_whose_notes_a_part_cannot_be_read_is_unwell(shell: Shell) -> None:
    shell.declare(one="theirs:half")
    code, out = shell.type()
    assert (code, out.splitlines()[-1]) == (1, "1 of 1 unwell")
    assert "unwell: answered, but 2 of its notes could not be read" in out
    assert shell.found()["one"]["outcome"] == "noted"


def test_an_error_is_told_without_the_name_of_its_class(shell: Shell) -> None:
    shell.declare(one="theirs:wrong_key")
    assert "unwell: the key is not accepted (401)" in shell.type()[1]


def test_an_error_is_told_without_secrets(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ACME_TOKEN", "correct-horse-battery-9")
    shell.declare(one="theirs:leaking")
    assert "cannot log in with" in shell.type()[1]
    assert "horse" not in shell.type()[1] + json.dumps(shell.found())


def test_one_that_is_limited_is_called_once_and_told_for_how_long_once(shell: Shell) -> None:
    shell.declare(one="theirs:limited")
    _, said = shell.type()
    _, unsaid = shell.type()
    assert "unwell: asked to slow down\n" in said
    assert "unwell: RateLimitedError" not in unsaid
    assert "unwell: is asked to slow down by its provider for 1 s" in unsaid
    assert len(importlib.import_module("theirs").calls) == 2


@pytest.mark.parametrize("others", [True, False])
def test_one_that_is_disabled_is_not_called_and_not_unwell(others: bool, shell: Shell) -> None:
    more = "[reviewers.two]\nuse = 'theirs:good'\n" if others else ""
    (shell.folder / "foureyes.toml").write_text("[reviewers.one]\nuse = 'theirs:limited'\nenabled = false\n" + more)
    code, out = shell.type()
    assert "theirs:limited  disabled, not called" in out
    last = "all well" if others else "nobody to call: no reviewer is enabled"
    assert (code, out.splitlines()[-1]) == (0 if others else 1, last)
    assert (shell.found()["one"]["well"], shell.found()["one"]["error"]) == (None, "disabled, not called")
    assert importlib.import_module("theirs").calls == []


def test_every_fallback_is_called_too(shell: Shell) -> None:
    (shell.folder / "foureyes.toml").write_text(
        "[reviewers.one]\nuse = 'theirs:good'\nfallbacks = ['theirs:wrong_key', 'checks']\n"
    )
    code, out = shell.type("--json")
    found = json.loads(out)["reviewers"]
    assert [(each["use"], each["well"]) for each in found] == [
        ("theirs:good", True),
        ("theirs:wrong_key", False),
        ("checks", True),
    ]
    assert code == 1


def test_only_those_that_were_named_are_called(shell: Shell) -> None:
    shell.declare(bad="theirs:wrong_key", good="theirs:good")
    assert set(shell.found("good")) == {"good"}
    assert shell.code == 0


def test_a_name_that_nobody_has_is_told_with_the_nearest(shell: Shell) -> None:
    shell.declare(correctness="checks")
    assert main(["doctor", "corectness"]) == 1
    assert "did you mean correctness?" in shell.capsys.readouterr().err


def test_without_reviewers_nobody_is_called_and_that_is_not_well(shell: Shell) -> None:
    code, out = shell.type()
    assert (code, out.splitlines()[-1]) == (1, "nobody to call: no reviewer is declared")
    assert out.startswith("warning  0 reviewers configured: nothing is reviewed; declare one, such as")
    assert "FOUREYES_REVIEWERS__CORRECTNESS__USE=checks" in out


def test_one_whose_account_is_beyond_the_boundary_is_never_called(shell: Shell) -> None:
    shell.declare(one="theirs:sending")
    shell.patch.setenv("FOUREYES_AGENT__API_KEY", "sk-agent")
    found = shell.found()["one"]
    assert (found["well"], found["outcome"], found["to"]) == (False, None, "models.example")
    assert "data_boundary" in found["error"]
    assert account("openai", None, "sk-agent").credential not in json.dumps(found)


def test_a_client_is_closed_after_its_call(shell: Shell) -> None:
    shell.declare(one="theirs:sending")
    assert shell.found()["one"]["well"]
    assert importlib.import_module("theirs").Sending.closed == 1
