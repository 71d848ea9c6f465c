"""The policy file of a project: read where it lies, and nothing that lies elsewhere."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from foureyes.errors import ConfigError
from foureyes_reviewers.model.policy import MAX_POLICY, read_policy
from foureyes_reviewers.redaction import Redactor

OUTSIDE = "TOP SECRET"
SECRET = "correct-horse-battery-9"


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    """Return a workspace with a folder, beside a file that is none of its business."""
    (tmp_path / "outside.md").write_text(OUTSIDE)
    (tmp_path / "work" / "docs").mkdir(parents=True)
    return tmp_path / "work"


def test_the_policy_is_the_text_of_the_file(workspace: Path) -> None:
    (workspace / "WATCHDOG.md").write_text("\ufeffWatch the sums.\n", "utf-8")
    assert read_policy(workspace) == "Watch the sums."


@pytest.mark.parametrize("name", ["WATCHDOG.md", "nowhere/WATCHDOG.md", "real.md/WATCHDOG.md"])
def test_a_file_that_is_not_there_is_refused_by_the_name_of_its_setting(workspace: Path, name: str) -> None:
    (workspace / "real.md").write_text("Watch the sums.")
    with pytest.raises(ConfigError, match=r"'policy_file': the file '.*WATCHDOG\.md' does not exist; give the path"):
        read_policy(workspace, name)


def test_a_file_in_a_folder_is_read_too(workspace: Path) -> None:
    (workspace / "docs" / "review.md").write_text("Watch the sums.")
    assert read_policy(workspace, "docs/review.md") == read_policy(workspace, "docs/../docs/review.md") != ""


def test_an_import_is_text_and_imports_nothing(workspace: Path) -> None:
    (workspace / "other.md").write_text("imported")
    (workspace / "WATCHDOG.md").write_text("@other.md\n@../outside.md\n")
    assert read_policy(workspace) == "@other.md\n@../outside.md"


@pytest.mark.parametrize(
    "name", ["../outside.md", "docs/../../outside.md", "{tmp}/outside.md", "{tmp}/work/WATCHDOG.md", "", " "]
)
def test_a_path_out_of_the_workspace_is_refused(workspace: Path, name: str) -> None:
    with pytest.raises(ConfigError, match="workspace") as raised:
        read_policy(workspace, name.format(tmp=workspace.parent))
    assert OUTSIDE not in str(raised.value)


def test_a_link_out_of_the_workspace_is_refused_and_one_inside_is_followed(workspace: Path) -> None:
    (workspace / "WATCHDOG.md").symlink_to(workspace.parent / "outside.md")
    (workspace / "docs" / "up").symlink_to(workspace.parent)
    for name in ("WATCHDOG.md", "docs/up/outside.md"):
        with pytest.raises(ConfigError, match="outside the workspace"):
            read_policy(workspace, name)
    (workspace / "real.md").write_text("Watch the sums.")
    (workspace / "docs" / "link.md").symlink_to("../real.md")
    assert read_policy(workspace, "docs/link.md") == "Watch the sums."


def test_a_workspace_that_is_a_link_itself_is_one(workspace: Path) -> None:
    (workspace / "WATCHDOG.md").write_text("Watch the sums.")
    (workspace.parent / "link").symlink_to(workspace)
    assert read_policy(workspace.parent / "link") == "Watch the sums."


def test_links_in_a_circle_are_refused(workspace: Path) -> None:
    (workspace / "WATCHDOG.md").symlink_to("WATCHDOG.md")
    with pytest.raises(ConfigError, match=r"WATCHDOG\.md"):
        read_policy(workspace)


def test_what_is_no_plain_file_is_refused_and_never_waited_for(workspace: Path) -> None:
    os.mkfifo(workspace / "pipe")
    for name in ("docs", "pipe"):
        with pytest.raises(ConfigError, match="no plain file"):
            read_policy(workspace, name)


def test_a_path_that_the_system_cannot_open_is_said_so(workspace: Path) -> None:
    with pytest.raises(ConfigError, match="cannot be read"):
        read_policy(workspace, "x" * 5_000)
    with pytest.raises(ConfigError, match="leads nowhere"):
        read_policy(workspace, "a\0b")


def test_a_long_file_is_cut_and_says_so(workspace: Path) -> None:
    file = workspace / "WATCHDOG.md"
    file.write_text("w" * MAX_POLICY)
    assert read_policy(workspace) == "w" * MAX_POLICY
    file.write_text("w" * (MAX_POLICY + 1))
    assert len(read_policy(workspace)) <= MAX_POLICY
    assert "left out" in read_policy(workspace)
    file.write_text("é" * 10_000_000)
    assert len(read_policy(workspace)) <= MAX_POLICY + 100
    assert "left out" in read_policy(workspace)


def test_bytes_that_are_no_text_are_replaced(workspace: Path) -> None:
    (workspace / "WATCHDOG.md").write_bytes(b"a\xff\x00b")
    assert read_policy(workspace) == "a\N{REPLACEMENT CHARACTER}\N{REPLACEMENT CHARACTER}b"


@pytest.mark.parametrize("size", [MAX_POLICY + 1, 40_000, 64_001, 200_000], ids="{}".format)
def test_a_secret_is_taken_out_of_a_long_file_wherever_it_would_have_been_cut(workspace: Path, size: int) -> None:
    file, redactor = workspace / "WATCHDOG.md", Redactor([SECRET])
    for place in (*range(10_480, 10_640, 5), *range(15_900, 16_010, 5)):
        text = "w" * place + SECRET
        file.write_text(text + "w" * (size - len(text)))
        read = read_policy(workspace, redact=redactor.redacted)
        assert SECRET[:8] not in read
        assert len(read) <= MAX_POLICY


def test_a_secret_that_the_end_of_what_is_read_cuts_through_is_not_shown_behind_blanks(workspace: Path) -> None:
    file, redactor = workspace / "WATCHDOG.md", Redactor([SECRET])
    for place in range(6 * MAX_POLICY - len(SECRET), 6 * MAX_POLICY):
        file.write_text(" " * place + SECRET + "w" * 100)
        assert SECRET[:2] not in read_policy(workspace, redact=redactor.redacted)
