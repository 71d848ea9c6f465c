"""The check for an answer that announces work in place of having done it."""

from __future__ import annotations

import re

from foureyes.core.facts import Note, Review
from foureyes.core.words import Severity
from foureyes_reviewers.checks.quoting import one_line
from foureyes_reviewers.checks.speech import Said, newest_said, place_key

__all__ = ["announced", "unfinished_answer"]

_TAIL = 4
"""Sentences at the end of an answer in which an announcement means that it is still open."""
_DO = (
    "access|analy[sz]e|begin|book|calculate|cancel|check|compute|continue|correct|create|cross-?reference|determine"
    "|download|examine|execute|extract|fetch|find|fix|gather|get|go ahead|identify|implement|inspect|investigate|look"
    "|locate|navigate|perform|proceed|process|pull|query|read|rerun|re-run|retrieve|review|run|scan|search|start|test"
    "|try|update|verify|visit"
)
_NOW = (
    r"(?:now |next |then |first |also |go ahead and |proceed (?:to |with )|continue (?:to |with )|start |begin ){0,2}"
)
_OPEN = re.compile(
    rf"^\W*(?:next|now|then|first|so|okay|to \w+ [^,]{{1,60}})?,? ?"
    rf"(?:(?:i|we)(?:'ll| will| am going to|'m going to| need to| still need to)|let(?:'s| us| me)) {_NOW}(?:{_DO})\b"
    rf"|\b(?:please )?(?:hold on|bear with me|give me a moment|one moment|stand by)\b"
    rf"|\bnext steps?(?: is| are)?(?: to)?:? (?:{_DO})\b"
    rf"|\b(?:i will|i'll) (?:return|get back|report|be back|provide (?:the )?(?:results?|findings)) "
    rf"(?:\w+ ){{0,6}}(?:shortly|soon|once|when)\b",
    re.IGNORECASE,
)
_OFFER = re.compile(
    r"\b(?:if you|if that|if there|if so|if everyone|once you|when you|after you|as soon as you|unless|please confirm"
    r"|you confirm|once confirmed|let me know|would you|shall i|should i|may i|can you|could you|could someone"
    r"|conclude|terminate|end the)\b|\?",
    re.IGNORECASE,
)
"""The reader is asked, or the work is called done: then the announcement is an offer."""


def unfinished_answer(review: Review) -> tuple[Note, ...]:
    """Return a note where the answer ends with what the agent is about to do, and no call does it.

    The severity is concern. The key is ``unfinished-answer:<digest of the speaker and the sentence>``.

    Good: an answer that ends "Next, I'll verify the availability of the third film." Bad: "Shall I go on with the
    third film?"; "If you agree, I will book it"; an announcement in the middle of a longer answer.

    Silent at every other moment than a finish with an answer.
    """
    return tuple(note for said in newest_said(review) if (note := _judged(said)) is not None)


def _judged(said: Said) -> Note | None:
    sentence = announced(said) if said.final else None
    return None if sentence is None else _note(said, sentence)


def announced(said: Said) -> str | None:
    """Return the sentence at the end of a message that announces work which the message does not begin, or None."""
    tail = said.sentences[-_TAIL:]
    if said.message.tool_calls or any(_OFFER.search(sentence) for sentence in tail):
        return None
    return next((sentence for sentence in reversed(tail) if _OPEN.search(sentence)), None)


def _note(said: Said, sentence: str) -> Note:
    return Note(
        text=(
            f'The answer ends with work that is still to be done: "{one_line(sentence)}" No call does it. '
            "Do it before answering, or say that the request is not fulfilled."
        ),
        severity=Severity.CONCERN,
        key=place_key("unfinished-answer", said, sentence),
        anchor=said.anchor,
    )
