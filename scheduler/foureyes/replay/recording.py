"""A recorded run of an agent, whatever wrote it, as the messages that it consists of."""

from __future__ import annotations

from dataclasses import dataclass

from foureyes.core.facts import Message
from foureyes.errors import FoureyesError
from foureyes.replay.visible import one_line

__all__ = ["Recording", "RecordingError"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Recording:
    """One run that was read from a file."""

    name: str
    """The file's name, and the number of the run, from 1, where the file holds several."""
    messages: tuple[Message, ...]
    """The whole transcript, oldest first; at least one message."""
    source: str
    """The file, as the user named it."""


class RecordingError(FoureyesError):
    """A file is no recording that we can read. Nothing of it is replayed; other files are not affected.

    The message is one line: the file, the place in it, what is wrong, and what to do.
    """

    def __init__(self, problem: str, *, source: str = "", place: str = "", cure: str = "") -> None:
        self.problem, self.source, self.place, self.cure = problem, source, place, cure
        where = ", ".join(one_line(part) for part in (source, place) if part)
        text = f"{where}: {one_line(problem)}" if where else one_line(problem)
        super().__init__(f"{text}; {cure}" if cure else text)
