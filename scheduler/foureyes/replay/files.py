"""Which files are meant by the paths that a user names: files themselves, and everything in folders."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO

from foureyes.replay.recording import RecordingError

__all__ = ["ENDINGS", "Found", "found", "opened", "seems_json"]

ENDINGS = (".json", ".jsonl", ".ndjson")
"""Names of files that may hold runs, in any case: in a folder no other file is opened."""
_FOREIGN = frozenset({"node_modules", "venv"})
"""Folders full of other people's files, beside the hidden ones."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """One file to read."""

    path: str
    """As the user would name it."""
    folder: str = ""
    """The named folder in which it was found; "" where the file itself was named."""


def found(paths: Sequence[str]) -> Iterator[Found | RecordingError]:
    """Yield the files in the order of the paths, those of a folder by their names, at any depth.

    A file that is named is yielded whatever it is called. In a folder only what ends in .json, .jsonl or .ndjson is;
    what begins with a dot, what is no regular file, and folders called node_modules or venv are passed over, and links
    to folders are not followed. A folder that cannot be listed is an error.
    """
    for path in paths:
        if os.path.isdir(path):
            yield from _inside(path, path)
        else:
            yield Found(path=path)


def opened(path: str) -> TextIO:
    """Return the file, open for :func:`foureyes.replay.decoding.decoded`. Raises RecordingError where it cannot be."""
    try:
        return open(path, encoding="utf-8-sig", errors="surrogateescape", newline="")
    except (OSError, ValueError) as error:
        raise unreadable(error, path) from None


def unreadable(error: Exception, path: str) -> RecordingError:
    """Return what to say about a file that the system does not let us read."""
    reason = (getattr(error, "strerror", None) or type(error).__name__).lower()
    return RecordingError(reason, source=path, cure="name a file with recorded runs, or a folder of them")


def seems_json(path: str) -> bool:
    """Tell whether the first character of the file that is no blank is a bracket. True where it cannot be read.

    It is then worth a word that it cannot.
    """
    try:
        with opened(path) as file:
            return (file.read(4_096).lstrip()[:1] or "?") in "{["
    except (RecordingError, OSError):
        return True


def _inside(folder: str, named: str) -> Iterator[Found | RecordingError]:
    try:
        entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
    except OSError as error:
        yield unreadable(error, folder)
        return
    for entry in entries:
        if entry.name.startswith("."):
            continue
        if entry.is_dir(follow_symlinks=False):
            yield from _inside(entry.path, named) if entry.name not in _FOREIGN else ()
        elif entry.name.lower().endswith(ENDINGS) and entry.is_file():
            yield Found(path=str(Path(entry.path)), folder=named)
