"""A recorded run of an agent, whatever wrote it, as the messages that it consists of."""

from __future__ import annotations

from dataclasses import dataclass

from foureyes.core.facts import Message
from foureyes.errors import FoureyesError
from foureyes.replay.turns import RecordedTurn, turns
from foureyes.replay.visible import one_line

__all__ = ["LeftOut", "Recording", "RecordingError"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Recording:
    """One run that was read from a file.

    ``reward`` and ``decisive`` are what somebody said about the run afterwards. They are for scoring: only
    ``messages`` ever reach a session, so no reviewer can see them.
    """

    name: str
    """The file's name, and the number of the run, from 1, where the file holds several."""
    messages: tuple[Message, ...]
    """The whole transcript, oldest first; at least one message."""
    source: str
    """The file, as the user named it."""
    id: str = ""
    """What the format calls the run: a session, a task with its trial. The name, where the format has no id."""
    format: str = ""
    """The format in which it was recorded, as users call it."""
    narrates: bool = False
    """Whether the agent also speaks without calling a tool and goes on; see :func:`foureyes.replay.turns.turns`."""
    reward: float | None = None
    """How the run was judged: 1 is a success, 0 a failure. None where nobody judged it."""
    decisive: int | None = None
    """The turn, from 1, at which the run went wrong, as somebody labelled it. None without such a label."""

    @property
    def request(self) -> str:
        """Return what the human asked for first, "" where no human spoke."""
        return next((message.text for message in self.messages if message.by_human), "")

    def turns(self) -> tuple[RecordedTurn, ...]:
        """Return the turns of the agent, in order; ``decisive`` counts these."""
        return tuple(turns(self.messages, narrates=self.narrates))


class RecordingError(FoureyesError):
    """A file, or a record in it, is no recording that we can read. Other files and runs are not affected.

    The message is one line: the file, the place in it, what is wrong, and what to do.
    """

    def __init__(self, problem: str, *, source: str = "", place: str = "", cure: str = "") -> None:
        self.problem, self.source, self.place, self.cure = problem, source, place, cure
        where = ", ".join(one_line(part) for part in (source, place) if part)
        text = f"{where}: {one_line(problem)}" if where else one_line(problem)
        super().__init__(f"{text}; {cure}" if cure else text)

    def located(self, source: str) -> RecordingError:
        """Return the same error with the file in which it happened."""
        return type(self)(self.problem, source=source, place=self.place, cure=self.cure)


@dataclass(frozen=True, slots=True, kw_only=True)
class LeftOut:
    """JSON files of a folder that hold no recorded run of a known format. Nothing is wrong with that."""

    folder: str
    """The folder, as the user named it."""
    files: int
    """How many, at least 1."""
    example: str
    """One of them."""

    def __str__(self) -> str:
        """Return one line that says so."""
        more = f" and {self.files - 1} more" if self.files > 1 else ""
        return f"{one_line(self.folder)}: {one_line(self.example)}{more} left out: no recorded run of a known format"
