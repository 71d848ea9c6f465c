"""Which files are refused, with which place and cure."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from foureyes.settings import Settings

Refused = Callable[..., tuple[str, ...]]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("store = memory\n", r"foureyes\.toml, line 1, column \d+: is no TOML: .*; correct the line"),
        ("\n\nstore = 'a'\nstore = 'b'\n", r"foureyes\.toml, line 4, column \d+: is no TOML: .*; correct the line"),
        ("store = ", r"foureyes\.toml, end of document: is no TOML: .*|foureyes\.toml, line 1.*"),
        (
            "[reviewer.correctness]\nuse = 'checks'\n",
            r"reviewer \(foureyes\.toml\): is not known; did you mean \[reviewers\.correctness\]\?",
        ),
        ("[reviewer]\nuse = 'checks'\n", r"reviewer \(.*\): is not known; did you mean \[reviewers\.NAME\]\?"),
        ("storee = 'memory'\n", r"storee \(foureyes\.toml\): is not known; did you mean store\?"),
        ("qqq = 'memory'\n", r"qqq \(foureyes\.toml\): is not known; remove it"),
        (
            "timeout_seconds = 9\n",
            (
                r"timeout_seconds \(foureyes\.toml\): is not known; it belongs to one reviewer: "
                r"reviewers\.NAME\.timeout_seconds"
            ),
        ),
        (
            "[reviewers.sec]\nuse = 'checks'\ntimeout = 9\n",
            r"reviewers\.sec\.timeout \(foureyes\.toml\): is not known; did you mean timeout_seconds\?",
        ),
        (
            "[reviewers.sec]\nuse = 'checks'\nguard.max_note = 9\n",
            r"reviewers\.sec\.guard\.max_note \(foureyes\.toml\): is not known; did you mean max_notes\?",
        ),
        (
            "[reviewers.sec]\nuse = 'checks'\nguard = 3\n",
            r"reviewers\.sec\.guard \(foureyes\.toml\): must be .*The bounds of the emission guard\.",
        ),
    ],
)
def test_a_slip_in_a_file_is_told_with_file_and_place(text: str, problem: str, folder: Path, refused: Refused) -> None:
    (folder / "foureyes.toml").write_text(text)
    [found] = refused()
    assert re.fullmatch(problem, found), found


def test_a_file_that_is_not_utf_8_is_refused(folder: Path, refused: Refused) -> None:
    (folder / "foureyes.toml").write_bytes("store = 'größe.db'".encode("latin-1"))
    assert refused() == ("foureyes.toml: is not UTF-8; save it as UTF-8",)


def test_a_file_may_begin_with_a_byte_order_mark(folder: Path) -> None:
    (folder / "foureyes.toml").write_text("store = 'memory'", "utf-8-sig")
    assert Settings().store == "memory"


def test_a_folder_in_the_place_of_a_file_is_refused(folder: Path, refused: Refused) -> None:
    (folder / "foureyes.toml").mkdir()
    [problem] = refused()
    assert problem.startswith("foureyes.toml: cannot be read (")


def test_a_missing_file_that_was_asked_for_is_named(monkeypatch: pytest.MonkeyPatch, refused: Refused) -> None:
    monkeypatch.setenv("FOUREYES_CONFIG", "gone.toml")
    [problem] = refused()
    assert problem == ("FOUREYES_CONFIG: the file it names does not exist; create it, or correct or unset the variable")


def test_a_file_that_was_asked_for_may_be_in_the_home_folder(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder.parent / "home" / "mine.toml").write_text("store = 'memory'")
    monkeypatch.setenv("FOUREYES_CONFIG", "~/mine.toml")
    assert Settings().store == "memory"


def test_other_tables_of_pyproject_are_none_of_our_business(folder: Path) -> None:
    (folder / "pyproject.toml").write_text(
        "[project]\nname = 'foureyes-user'\n[tool.other]\nx = 1\n[tool.foureyes]\nstore = 'memory'\n"
    )
    assert Settings().store == "memory"


def test_a_pyproject_without_our_name_is_not_even_parsed(folder: Path) -> None:
    (folder / "pyproject.toml").write_text("this is no TOML")
    assert Settings().reviewers == ()


def test_a_broken_pyproject_with_our_name_is_refused(folder: Path, refused: Refused) -> None:
    (folder / "pyproject.toml").write_text("[tool.foureyes]\nstore = memory\n")
    [problem] = refused()
    assert problem.startswith("pyproject.toml, line 2, column ")


@pytest.mark.parametrize("text", ["tool = 'foureyes'", "[tool]\nfoureyes = 3"])
def test_a_table_of_ours_that_is_no_table_is_refused(text: str, folder: Path, refused: Refused) -> None:
    (folder / "pyproject.toml").write_text(text)
    assert refused() == ("pyproject.toml: [tool.foureyes] must be a table",)
