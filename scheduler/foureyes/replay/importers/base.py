"""What an importer is."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from foureyes.core.facts import Message
from foureyes.replay.decoding import Entry

__all__ = ["Importer"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Importer:
    """How one format of recorded runs is recognised and read."""

    format: str
    """What users call the format, for messages."""
    shapes: str
    """What a file of the format looks like, for messages: short samples, and what else may hold them."""
    recognises: Callable[[Sequence[Entry]], bool]
    """Tells, from their content alone, whether the values of a file are of this format."""
    runs: Callable[[Sequence[Entry]], Iterator[tuple[Message, ...]]]
    """Yields the messages of each run, at least one a run, in the order of the file.

    Raises RecordingError, with the place and without the file's name, for a value that the format does not allow.
    Only called for values that were recognised.
    """
