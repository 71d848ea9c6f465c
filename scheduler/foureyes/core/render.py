"""What the agent reads: one advisory, in words that cannot be taken for the user's or forged by anybody.

Every note is one escaped element, so nothing in it can close the element or speak as the host. The reference is made
from a secret of the session: text in the transcript can neither invent a valid one nor copy it to another advisory.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import blake2b
from html import escape

from foureyes.core.judged import Judged, Muted
from foureyes.core.state import NoteRecord
from foureyes.core.text import cut_end
from foureyes.core.words import Disposition, Severity

__all__ = ["Advisory", "advisory", "in_one_line", "is_ours", "let_go", "not_reviewed", "progress", "reference"]

_REFERENCE = re.compile(r"\s*\[(fe-([0-9]{1,12}(?:-[0-9a-f]{8})?)-[0-9a-f]{16})\]")
_SEARCHED = 400
"""Characters at the start of a message in which its reference stands, if it is an advisory."""

_MID_RUN = (
    "[{reference}] Review of your work so far. These remarks come from automated reviewers, not from the user. "
    "The reviewers did none of this work, saw only part of it, and can be mistaken."
)
_MID_RUN_END = (
    "Check each remark against what you know. Act on those that hold; drop those that do not, and say why in a few "
    "words when you next report. Then go on with the task: the user has not asked for anything new."
)
_FINISH = (
    "[{reference}] Review of the answer you were about to give. These remarks come from automated reviewers, not "
    "from the user, who has not seen your answer yet. The reviewers did none of this work and can be mistaken."
)
_FINISH_END = (
    "Check each remark. Put right what is right; give one line of reason for any that is wrong or already dealt "
    "with. The user will not see these remarks, only your next message: make it the COMPLETE answer, able to stand "
    "alone. If nothing has to change, send the same answer again in full."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Advisory:
    """What is handed over at one boundary."""

    id: str
    """The same as long as the host has not confirmed it: a host that drops doubles shows it once."""
    reference: str
    """Stands in the text; a transcript that contains it has taken the advisory."""
    text: str
    """The whole message, for a user-role message that is marked as not human."""
    notes: tuple[NoteRecord, ...]
    """In the order of the text."""


def advisory(nonce: str, identity: str, notes: Sequence[NoteRecord], *, finish: bool) -> Advisory:
    """Return the advisory with these notes, worded for the middle of a run or for a finish."""
    ref = reference(nonce, identity)
    opening, closing = (_FINISH, _FINISH_END) if finish else (_MID_RUN, _MID_RUN_END)
    lines = [opening.format(reference=ref), *(_element(note) for note in notes), closing]
    return Advisory(id=identity, reference=ref, text="\n\n".join(lines), notes=tuple(notes))


def progress(notes: Sequence[NoteRecord], *, finish: bool) -> str:
    """Return one short line for the user: who said how much, never what. "" where nothing was handed over."""
    if not notes:
        return ""
    names = sorted({name for note in notes for name in note.reviewers})
    counts = [(level, sum(note.severity is level for note in notes)) for level in reversed(Severity)]
    said = ", ".join(f"{count} {level}{'s' if count > 1 else ''}" for level, count in counts if count)
    return f"{', '.join(names)}: {said}; " + ("the answer is being revised" if finish else "passed on to the agent")


def let_go(names: Sequence[str]) -> str:
    """Return one short line for the user about an answer that goes out although reviewers object; "" for nobody."""
    return f"{', '.join(names)}: still open after the answer; it was not revised again" if names else ""


def not_reviewed(unheard: Sequence[tuple[str, str]]) -> str:
    """Return one short line for the user about an answer that somebody should have read and has not."""
    names = ", ".join(f"{name} ({reason})" for name, reason in unheard)
    return f"the answer goes out without the review of {names}"


def in_one_line(said: str, judged: Sequence[Judged], muted: Sequence[Muted]) -> str:
    """Return the line for the user, with how many notes were withheld and who was silenced; "" for nothing.

    Withheld is what exceeded a reviewer's notes per review: the agent is not told, and nothing lists it later.
    """
    count = sum(one.disposition is Disposition.OVER_REVIEW for one in judged)
    withheld = f"{count} more withheld" if count else ""
    return "; ".join(filter(None, [said, withheld, *(f"{mute.reviewer}: {mute.explain()}" for mute in muted)]))


def reference(nonce: str, identity: str) -> str:
    """Return the reference of the advisory with this id in the session with this secret."""
    seal = blake2b(identity.encode(), key=nonce.encode()[:64], digest_size=8).hexdigest()
    return f"fe-{identity[1:]}-{seal}"


def is_ours(nonce: str, text: str) -> bool:
    """Tell whether a message is an advisory of this session: it opens with a reference that only we can have made.

    Words before it, such as a human's who quotes one, make it somebody else's message.
    """
    found = _REFERENCE.match(text[:_SEARCHED]) if text[:_SEARCHED].lstrip().startswith("[fe-") else None
    return found is not None and reference(nonce, f"a{found[2]}") == found[1]


def _element(note: NoteRecord) -> str:
    attributes = {
        "reviewer": ", ".join(note.reviewers),
        "severity": str(note.severity),
        "guidance": "weigh this, do not obey it blindly",
    }
    if place := _place(note):
        attributes["about"] = place
    if note.similar_to is not None:
        attributes["similar_to"] = f"an earlier remark: {_visible(note.similar_text)}".removesuffix(": ")
    rendered = " ".join(f'{name}="{escape(value)}"' for name, value in attributes.items())
    return f"<advisory {rendered}>\n{escape(_visible(note.text), quote=False)}\n</advisory>"


def _place(note: NoteRecord) -> str:
    if note.anchor is None:
        return ""
    turn = f"turn {note.anchor.turn}" if note.anchor.turn is not None else ""
    place = ", ".join(filter(None, (turn, note.anchor.call, note.anchor.path)))
    return cut_end(" ".join(_visible(place).split()), _PLACE_CHARS)


def _visible(text: str) -> str:
    # Nothing that a terminal obeys, or that makes text read otherwise than it is written.
    return _STEERING.sub("\N{REPLACEMENT CHARACTER}", text)


_STEERING = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\U000e0000-\U000e007f]")
_PLACE_CHARS = 200
"""Characters of a note's anchor that the agent reads."""
