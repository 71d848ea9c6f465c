"""The command itself: what it prints and returns when something is wrong, and never a traceback unasked."""

from __future__ import annotations

import os
import subprocess
import sys
from argparse import Namespace
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

from foureyes.cli import COMMANDS, main
from foureyes.errors import ConfigError


@pytest.fixture(autouse=True)
def own_path(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the command put the working directory on a path of its own."""
    monkeypatch.setattr(sys, "path", [*sys.path])


@pytest.fixture
def ending(monkeypatch: pytest.MonkeyPatch) -> Callable[[BaseException], int]:
    """Return what runs a command that ends in this way; it tells the exit code."""

    def run_with(end: BaseException) -> int:
        def run(_args: Namespace) -> int:
            raise end

        command = ModuleType("foureyes.commands.check")
        vars(command).update(add_arguments=lambda parser: None, run=run)
        monkeypatch.setitem(sys.modules, command.__name__, command)
        return main(["check"])

    monkeypatch.delenv("FOUREYES_TRACEBACK", raising=False)
    return run_with


Ending = Callable[[BaseException], int]
Captured = pytest.CaptureFixture[str]


def test_an_error_of_ours_is_a_message_and_exit_1(ending: Ending, capsys: Captured) -> None:
    error = ConfigError("the first", "the second")
    error.add_note("by the way")
    assert ending(error) == 1
    assert capsys.readouterr() == ("", "foureyes: the first\nthe second\nby the way\n")


def test_any_other_error_is_one_line_without_its_message_and_exit_70(ending: Ending, capsys: Captured) -> None:
    assert ending(KeyError("hunter2")) == 70
    [line] = capsys.readouterr().err.splitlines()
    assert line.startswith("foureyes: unexpected KeyError at test_command_line.py:")
    assert line.endswith("; set FOUREYES_TRACEBACK=1 to see the traceback")
    assert "hunter2" not in line


def test_an_interruption_is_quiet_and_exit_130(ending: Ending, capsys: Captured) -> None:
    assert ending(KeyboardInterrupt()) == 130
    assert capsys.readouterr() == ("", "")


@pytest.mark.parametrize("end", [KeyError("x"), ConfigError("x"), KeyboardInterrupt()], ids=repr)
@pytest.mark.parametrize(("value", "shown"), [("1", True), ("yes", True), ("0", False), ("", False)])
def test_a_traceback_is_shown_if_and_only_if_it_is_asked_for(
    end: BaseException, value: str, shown: bool, ending: Ending, capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FOUREYES_TRACEBACK", value)
    ending(end)
    assert ("Traceback (most recent call last)" in capsys.readouterr().err) is shown


@pytest.mark.parametrize("words", [["demo"], ["--help"]], ids=" ".join)
def test_a_reader_that_has_gone_is_no_reason_for_words(words: list[str]) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run(
        [sys.executable, "-m", "foureyes", *words],
        env={name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"},
        stdout=writing,
        stderr=subprocess.PIPE,
        timeout=60,
        check=False,
    )
    os.close(writing)
    assert (done.returncode, done.stderr) == (1, b"")


def test_what_is_said_of_an_error_cannot_end_a_line_or_steer_a_terminal(ending: Ending, capsys: Captured) -> None:
    error = ConfigError("one\x1b[2J", "two\n\u202e")
    error.add_note("three\r")
    assert ending(error) == 1
    assert capsys.readouterr().err == "foureyes: one\\x1b[2J\ntwo\\n\\u202e\nthree\\r\n"


# Not with --help on an unbuffered full device: argparse keeps to itself what it could not write.
UNWRITABLE = [
    (words, unbuffered, target, reason)
    for words in ("demo", "--help", "check --json")
    for unbuffered in ("", "1")
    for target, reason in ((">&-", "standard output is closed"), ("> /dev/full", "no space left on device"))
    if (words, unbuffered, target) != ("--help", "1", "> /dev/full")
]


@pytest.mark.parametrize(
    ("words", "code", "start"),
    [
        ("replay run.json", 0, "No reviewers are configured"),
        ("replay missing.json", 1, "No reviewers are configured"),
        ("replay --all --score run.json", 2, ""),
        ("status --store missing.db", 2, ""),
        ("nonsense", 2, ""),
    ],
)
def test_without_a_standard_error_the_rest_is_the_same(words: str, code: int, start: str, tmp_path: Path) -> None:
    (tmp_path / "run.json").write_text('{"messages": [{"role": "user", "content": "Do it."}]}')
    done = subprocess.run(
        ["sh", "-c", f'"$0" -m foureyes {words} 2>&-', sys.executable],
        cwd=tmp_path,
        env={**os.environ, "HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (done.returncode, done.stdout[: len(start) or None]) == (code, start)


@pytest.mark.parametrize(("words", "unbuffered", "target", "reason"), UNWRITABLE)
def test_an_output_that_cannot_be_written_is_one_line_and_exit_1(
    words: str, unbuffered: str, target: str, reason: str, tmp_path: Path
) -> None:
    done = subprocess.run(
        ["sh", "-c", f'"$0" -m foureyes {words} {target}', sys.executable],
        cwd=tmp_path,
        env={**os.environ, "PYTHONUNBUFFERED": unbuffered, "HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (done.returncode, done.stderr) == (1, f"foureyes: cannot write the output: {reason}\n")


@pytest.mark.parametrize("error", [OSError(28, "full", "runs.db"), OSError(2, "gone"), OSError("other")], ids=repr)
def test_an_error_of_a_file_is_not_taken_for_one_of_the_output(
    error: OSError, ending: Ending, capsys: Captured
) -> None:
    assert ending(error) == 70
    assert "unexpected" in capsys.readouterr().err


@pytest.mark.parametrize("module", ["foureyes.cli", "foureyes.commands.check", "foureyes.settings"])
def test_an_interruption_while_modules_are_loaded_is_quiet_and_exit_130(module: str) -> None:
    code = f"""
import runpy, sys
class Interruption:
    def find_spec(self, name, path=None, target=None):
        if name == {module!r}:
            raise KeyboardInterrupt
sys.meta_path.insert(0, Interruption())
sys.argv = ["foureyes", "check"]
runpy.run_module("foureyes", run_name="__main__", alter_sys=True)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, timeout=60, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (130, b"", b"")


def test_the_version_is_that_of_the_package(capsys: pytest.CaptureFixture[str]) -> None:
    from importlib.metadata import version

    assert main(["--version"]) == 0
    assert capsys.readouterr().out == f"foureyes {version('foureyes')}\n"


def test_help_lists_every_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--help"]) == 0
    shown = capsys.readouterr().out
    assert [name for name in COMMANDS if f"\n    {name} " not in shown] == []


def test_no_command_is_help_and_exit_2(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 2
    assert capsys.readouterr().err.startswith("usage: foureyes ")


def test_an_unknown_command_is_exit_2(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["chekc"]) == 2
    assert "chekc" in capsys.readouterr().err


@pytest.mark.parametrize("name", list(COMMANDS))
def test_every_command_explains_itself(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([name, "--help"]) == 0
    assert capsys.readouterr().out.startswith(f"usage: foureyes {name} ")


def test_the_installed_command_is_the_same_as_the_module() -> None:
    script = Path(sys.executable).with_name("foureyes")
    runs = [[str(script), "--version"], [sys.executable, "-m", "foureyes", "--version"]]
    shown = [subprocess.run(run, capture_output=True, timeout=60, check=True).stdout for run in runs]
    assert shown[0] == shown[1]


def test_a_command_is_imported_only_when_it_is_chosen() -> None:
    code = "import sys; from foureyes.cli import main; main(['--version']); print(sorted(sys.modules))"
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True).stdout
    loaded = [name for name in ("foureyes.commands.check", "foureyes.settings", "rich") if f"'{name}'" in shown]
    assert loaded == []
