"""A project in which ``foureyes status`` is typed, and hosts that fill its store."""

from __future__ import annotations

import json
import os
import sqlite3
import sys
from collections.abc import Awaitable, Callable, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import anyio
import pytest

from foureyes.cli import main
from foureyes.scheduler import ReviewScheduler
from foureyes.session import Session
from foureyes.settings import Settings
from foureyes.stores.sqlite import SQLiteStore
from foureyes.testing import ScriptedReviewer, run_turns

SETTINGS = """\
store = "states/runs.db"
[reviewers.correctness]
use = "checks"
interval_turns = 3
[reviewers.security]
use = "checks"
max_rounds = 1
"""

COMMAND = [sys.executable, "-m", "foureyes", "status", "--json"]


@dataclass(frozen=True, kw_only=True)
class Shell:
    """A project folder whose settings name a store, and an empty home."""

    folder: Path
    capsys: pytest.CaptureFixture[str]

    @property
    def store(self) -> Path:
        """Return the path of the store's file."""
        return self.folder / "states" / "runs.db"

    def settings(self, text: str) -> None:
        """Declare other settings."""
        (self.folder / "foureyes.toml").write_text(text)

    def type(self, *words: str) -> tuple[int, str, str]:
        """Run the command, and return its exit code and what it wrote."""
        code = main(["status", *words])
        return code, *self.capsys.readouterr()

    def document(self, *words: str) -> dict[str, Any]:
        """Run ``status --json`` and return what it wrote."""
        found: dict[str, Any] = json.loads(self.type("--json", *words)[1])
        return found

    def reviewer(self, name: str, session: str = "s") -> dict[str, Any]:
        """Return what is said of one reviewer of one session."""
        [found] = self.document(session)["sessions"]
        one: dict[str, Any] = next(one for one in found["reviewers"] if one["name"] == name)
        return one

    def run(self, statement: str, *values: object) -> None:
        """Change the tables behind the store's back."""
        with closing(sqlite3.connect(self.store)) as connection, connection:
            connection.execute(statement, values)

    def files(self) -> dict[str, tuple[int, bytes]]:
        """Return every file beside the store, with its time of change and its content."""
        return {path.name: (path.stat().st_mtime_ns, path.read_bytes()) for path in self.store.parent.iterdir()}


def in_project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Shell:
    """Return a shell in a project with two reviewers and no sessions yet."""
    for name in [name for name in os.environ if name.upper().startswith(("FOUREYES_", "XDG_"))]:
        monkeypatch.delenv(name)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("COLUMNS", "80")
    shell = Shell(folder=tmp_path, capsys=capsys)
    shell.settings(SETTINGS)
    return shell


def drive(
    store: Path,
    host: Callable[[Session], Awaitable[object]],
    session: str = "s",
    script: Sequence[object] = (),
    request: str = "Do the work.",
    function: Callable[..., Any] | None = None,
) -> None:
    """Let a host drive one session with the declared reviewers, which answer from a script and then are quiet."""

    async def run() -> None:
        configs = [
            config.model_copy(update={"use": None, "reviewer": function or ScriptedReviewer(*script)})
            for config in Settings().reviewers
        ]
        async with ReviewScheduler(configs, store=SQLiteStore(store)) as scheduler:
            await host(await scheduler.session(session, request=request))

    anyio.run(run)


def turns(number: int) -> Callable[[Session], Awaitable[object]]:
    """Return a host that makes some turns."""
    return lambda session: run_turns(session, number)
