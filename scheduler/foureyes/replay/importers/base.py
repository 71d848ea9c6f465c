"""What an importer is, and what it makes of a run."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from foureyes.core.facts import Message
from foureyes.replay.beside import Beside
from foureyes.replay.decoding import Entry
from foureyes.replay.recording import RecordingError

__all__ = ["CURE", "Importer", "Run", "mapping", "never", "number", "string", "wrong"]

CURE = "repair it or remove it"
"""What to do about a value that the format does not allow."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """One run as an importer read it."""

    messages: tuple[Message, ...]
    """The whole transcript, oldest first; at least one message."""
    id: str = ""
    """What the format calls the run, "" where it has no name for it."""
    narrates: bool = False
    """See :attr:`foureyes.replay.recording.Recording.narrates`."""
    reward: float | None = None
    """1 is a success, 0 a failure, None unknown."""
    decisive: int | None = None
    """The place in ``messages``, from 0, of the decisive error; may lie behind the end. None without a label."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Importer:
    """How one format of recorded runs is recognised and read.

    A format records a run as one JSON value, or as a log of records: one a line, or as one array. It may do both.
    """

    format: str
    """What users call the format, for messages."""
    shapes: str
    """What a file of the format looks like, for the command's help: short samples, and what else may hold them."""
    is_run: Callable[[object], bool]
    """Tells, from its content alone, whether a value is a whole run of this format."""
    is_record: Callable[[object], bool]
    """Tells, from its content alone, whether a value is a record that only logs of this format hold."""
    run: Callable[[Entry, str, Beside], Run]
    """Returns the run in a value for which ``is_run`` holds; the text is its place, "" for the only one.

    Raises RecordingError, with the place and without the file's name, for a value that the format does not allow.
    """
    log: Callable[[Sequence[Entry], Beside], Iterator[Run | RecordingError]]
    """Yields the runs in the records of a log, at least one of which is such a record.

    Yields an error for each record that cannot be read, and leaves it out. No run at all is an error of its own.
    """


def never(value: object) -> bool:
    """Return False: a format has no value of this kind."""
    return False


def string(value: object) -> str:
    """Return the value if it is a text, else ""."""
    return value if isinstance(value, str) else ""


def mapping(value: object) -> Mapping[str, object]:
    """Return the value if it is an object, else an empty one."""
    return value if isinstance(value, dict) else {}


def number(value: object) -> float | None:
    """Return a finite number, be it written as one, as a truth value or as text; None for anything else."""
    if not isinstance(value, int | float | str):
        return None
    try:
        found = float(
            {"true": "1", "false": "0"}.get(value.strip().casefold(), value) if isinstance(value, str) else value
        )
    except (ValueError, OverflowError):
        return None
    return found if abs(found) < float("inf") else None


def wrong(problem: str, place: str) -> RecordingError:
    """Return an error about a value that the format does not allow."""
    return RecordingError(problem, place=place, cure=CURE)
