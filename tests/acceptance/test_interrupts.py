"""Ctrl-C at any moment of the command: it ends with 130 and without a word, whatever it was about to load."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

SCRIPT = str(Path(sysconfig.get_path("scripts")) / "foureyes")
WAYS = {"the command": [SCRIPT], "python -m": ["-m", "foureyes"]}
"""What follows ``python``: the script of the installation, which is what a user types, and the module."""

MOMENTS = [
    "signal",
    "argparse",
    "pydantic",
    "foureyes.core.config",
    "asyncio",
    "foureyes.settings.model",
    "importlib.metadata",
]
"""Modules that ``foureyes status`` loads, from the first on: interrupted as soon as one is there."""
BEGUN = {
    "check": "foureyes.commands.report",
    "demo": "foureyes.replay.demo",
    "doctor": "foureyes.commands.examination",
    "replay run.json": "foureyes.replay.driver",
    "status": "foureyes.commands.survey",
}
"""The last module, or nearly so, that a command needs before it begins."""


def interrupted(way: str, words: list[str], module: str, folder: Path) -> tuple[int, bytes, list[str]]:
    """Return how the command ends when it is interrupted once it has loaded a module: code, output, and errors."""
    process = subprocess.Popen(
        [sys.executable, "-X", "importtime", *WAYS[way], *words],
        cwd=folder,
        env={**os.environ, "HOME": str(folder), "FOUREYES_STORE": f"sqlite:{folder / 'foureyes.db'}"},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=False,
        start_new_session=True,
    )
    assert process.stderr is not None
    said = []
    with process:
        for line in map(bytes.decode, process.stderr):
            if not line.startswith("import time:"):
                said.append(line)
            elif line.rpartition("|")[2].strip() == module:
                process.send_signal(signal.SIGINT)
        output = process.stdout.read() if process.stdout else b""
    return process.returncode, output, said


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("module", MOMENTS)
def test_an_interruption_while_loading_is_quiet_and_exit_130(way: str, module: str, tmp_path: Path) -> None:
    assert interrupted(way, ["status"], module, tmp_path) == (130, b"", [])


@pytest.mark.parametrize(("command", "module"), BEGUN.items())
def test_every_command_can_be_interrupted_before_it_has_begun(command: str, module: str, tmp_path: Path) -> None:
    assert interrupted("the command", command.split(), module, tmp_path) == (130, b"", [])


def test_an_interruption_that_is_ignored_stays_ignored(tmp_path: Path) -> None:
    """As under nohup, or in the background of a script."""
    done = subprocess.run(
        [
            "sh",
            "-c",
            "trap '' INT; \"$@\" & pid=$!; kill -INT $pid; wait $pid",
            "sh",
            sys.executable,
            "-m",
            "foureyes",
            "--help",
        ],
        cwd=tmp_path,
        capture_output=True,
        timeout=60,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, b"")


def test_nothing_is_loaded_before_an_interruption_can_be_answered() -> None:
    """Else the interpreter would answer it, with a traceback."""
    done = subprocess.run(
        [
            sys.executable,
            "-c",
            "import sys; before = {*sys.modules}; import foureyes.cli; print(*{*sys.modules} - before)",
        ],
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    assert set(done.stdout.split()) <= {"__future__", "foureyes", "foureyes.cli"}
