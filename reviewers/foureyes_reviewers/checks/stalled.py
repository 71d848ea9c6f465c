"""The check for a run that stands still, as the agent itself says."""

from __future__ import annotations

import re

from foureyes.core.facts import Message, Note, Review
from foureyes.core.words import Severity
from foureyes_reviewers.checks.quoting import one_line
from foureyes_reviewers.checks.speech import Said, newest_said, own_words, place_key, speaks_of

__all__ = ["EVERY", "stalled"]

EVERY = 2
"""Admissions to a note: the first may lead to another way, and not each further one is news."""

_VALUE = r'\s{0,9}:\s{0,9}(?:\{[^{}]{0,1500}?"\w{1,40}"\s{0,9}:\s{0,9})?'
_REPORT = re.compile(
    rf'"\w{{0,40}}(?:loop|stuck|stalled)\w{{0,40}}"{_VALUE}true\b'
    rf'|"\w{{0,40}}progress\w{{0,40}}"{_VALUE}false\b',
    re.IGNORECASE,
)
_SAYS = re.compile(
    r"\b(?:i am|i'm|we are|we're|seem(?:s)? to be|appear(?:s)? to be|been) (?:currently |still )?"
    r"(?:stuck|going (?:around |round )?in circles|repeating (?:the same|ourselves|myself)|(?:caught )?in a loop)\b"
    r"|\b(?:no|not making any|without any|little) (?:real |forward |further |significant )?progress\b"
    r"(?! (?:bar|indicator|report))"
    r"|\bsame (?:error|problem|issue|result|failure) (?:again|persists|keeps|occurs again|as before)\b"
    r"|\b(?:still|again) (?:the same|getting the same|hitting the same|stuck)\b",
    re.IGNORECASE,
)
_STEMS = ("loop", "stuck", "stall", "progress", "circles", "repeating", "same")
_NOT = re.compile(r"\b(?:not|n't|no longer|never|avoid|if|unless|until)\b (?!making)", re.IGNORECASE)


def stalled(review: Review) -> tuple[Note, ...]:
    """Return a note where the agent says for the second time, the fourth, and so on, that it stands still.

    That is a sentence ("we are stuck", "no progress"), or a field of a report that it writes about itself
    (``"is_in_loop": true``, ``"progress": false``). The severity is concern. The key is ``stalled:<digest of the
    speaker and the words>``.

    Good: "We are going in circles" now and once before among the shown messages. Bad: the first time, because the agent
    may then change its way; "We are not stuck".
    """
    return tuple(note for said in newest_said(review) if (note := _judged(said)) is not None)


def _judged(said: Said) -> Note | None:
    here = _admission(said.message)
    if here is None:
        return None
    before = sum(_admission(message) is not None for message in said.before if message.role == "assistant")
    return _note(said, here, before + 1) if before % EVERY == EVERY - 1 else None


def _admission(message: Message) -> str | None:
    words = own_words(message.text)
    if not speaks_of(words, _STEMS):
        return None
    found = _REPORT.search(words)
    if found is not None:
        return found[0]
    return next(
        (s[0] for s in _SAYS.finditer(words) if not _NOT.search(words[max(0, s.start() - 30) : s.start()])), None
    )


def _note(said: Said, admission: str, times: int) -> Note:
    return Note(
        text=(
            f'The agent says for the {times}. time that it makes no progress: "{one_line(admission)}" '
            "Give up this way and take another, or say what is missing; the same steps give the same."
        ),
        severity=Severity.CONCERN,
        key=place_key("stalled", said, admission),
        anchor=said.anchor,
    )
