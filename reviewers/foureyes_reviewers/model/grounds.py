"""Whether a note rests on what its reviewer was shown.

Models invent obligations, alarms and quotations: https://github.com/can1357/oh-my-pi/issues/12927 and
https://github.com/can1357/oh-my-pi/issues/5181 tell of some. A remark without ground is still passed on, for it may be
right; it only cannot stop anybody.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from foureyes.core.facts import Note, Reply, Review
from foureyes.core.words import Severity

__all__ = ["NOT_FOUND", "grounded"]

NOT_FOUND = "(A quotation in this remark is not in what the reviewer was shown.) "
"""What stands before a note that quotes what is not there."""
_LEAST_WORDS = 4
"""Words of a quotation that is looked for. Shorter ones are names, and words that the reviewer proposes."""
_QUOTED = re.compile(r"\"([^\"\n]{1,400})\"|“([^”\n]{1,400})”|«([^»\n]{1,400})»")
_LEFT_OUT = re.compile(r"\.\.\.|…|\[[^\]]{0,40}\]")
_SIGNS = re.compile(r"[\W_]+")


def grounded(reply: Reply, review: Review) -> Reply:
    """Return the reply with every note as strong as its ground.

    A blocker that neither says where its evidence is nor quotes any is a concern. A note that quotes what the review
    does not show is marked, and a concern at most.
    """
    if not reply.notes:
        return reply
    shown = _plain("\n".join(_texts(review)))
    return replace(reply, notes=tuple(_grounded(note, shown) for note in reply.notes))


def _grounded(note: Note, shown: str) -> Note:
    quotations = _quotations(note.text)
    if any(part not in shown for part in quotations):
        return replace(note, text=NOT_FOUND + note.text, severity=_at_most_concern(note.severity))
    anchor = note.anchor
    placed = anchor is not None and (anchor.turn is not None or bool(anchor.call or anchor.path))
    return note if placed or quotations else replace(note, severity=_at_most_concern(note.severity))


def _at_most_concern(severity: Severity) -> Severity:
    return Severity.CONCERN if severity is Severity.BLOCKER else severity


def _quotations(text: str) -> list[str]:
    parts = [
        _plain(part)
        for found in _QUOTED.finditer(text)
        for part in _LEFT_OUT.split(next(filter(None, found.groups()), ""))
    ]
    return [part for part in parts if len(part.split()) >= _LEAST_WORDS]


def _texts(review: Review) -> Iterable[str]:
    yield from (review.request, review.answer or "")
    for message in review.messages:
        yield message.text
        yield from (f"{call.name} {call.arguments}" for call in message.tool_calls)
    for trace in review.tools:
        yield from (trace.name, trace.arguments, trace.result or "")
    yield from (note.text for note in review.earlier)


def _plain(text: str) -> str:
    # Quotations are seldom exact to the sign: what counts is the words and their order.
    return _SIGNS.sub(" ", text.casefold()).strip()
