"""The check for an answer that is another one than the agent had just come to."""

from __future__ import annotations

import re
from collections.abc import Sequence

from foureyes.core.facts import Message, Note, Review
from foureyes.core.words import Severity, Trigger
from foureyes_reviewers.checks.calls import word_set
from foureyes_reviewers.checks.quoting import one_line
from foureyes_reviewers.checks.speech import newest_said, place_key

__all__ = ["contradicted_answer"]

_ANSWER = re.compile(
    r"\b(?:(?:the|our|my) )?(?:final |correct )?answer(?: is|:| would be| should be)(?: that)?[:\s*_\"'`]*"
    r"(?P<said>[^\n\"]{1,120})",
    re.IGNORECASE,
)
_WORD = re.compile(r"\w+")
_MOST_WORDS = 8
"""An answer of more words can say the same in other ones."""
_LOOKED_BACK = 6
"""Messages before the answer in which the earlier one is looked for."""
_LITTLE = word_set("a an and are at be by for from in is it of on or so that the then therefore thus to was were")
_END = re.compile(r"[.!?](?:\s|$)|[})\]*_`\"]")


def contradicted_answer(review: Review) -> tuple[Note, ...]:
    """Return a note where "the answer is X" is followed, without a new result, by "the answer is Y" as the answer.

    X and Y are short (up to eight words), and each has a word or a number that the other has not. The severity is
    concern. The key is ``contradicted-answer:<digest of the speaker and both>``.

    Good: "Thus, the answer is: Smith, Jones." and then the answer "FINAL ANSWER: Smith, Miller". Bad: "FINAL ANSWER:
    Jones", which only leaves something out; a tool result in between, which may have changed it.
    """
    if review.trigger is not Trigger.FINISH or review.answer is None:
        return ()
    said = next((said for said in newest_said(review) if said.final), None)
    now = _last_answer(review.answer) if said is not None else None
    before = _earlier(said.before) if said is not None and now is not None else None
    if said is None or now is None or before is None or not _differ(before, now):
        return ()
    return (
        Note(
            text=(
                f'The answer is "{one_line(now)}", but shortly before the agent had come to "{one_line(before)}", '
                "and nothing in between explains the change. Give the one that the run supports."
            ),
            severity=Severity.CONCERN,
            key=place_key("contradicted-answer", said, f"{before} {now}"),
            anchor=said.anchor,
        ),
    )


def _earlier(before: Sequence[Message]) -> str | None:
    for message in reversed(before[-_LOOKED_BACK:]):
        if message.by_human or message.role in ("tool", "function"):
            return None
        found = _last_answer(message.text)
        if found is not None:
            return found
    return None


def _last_answer(text: str) -> str | None:
    found = [match["said"] for match in _ANSWER.finditer(text)]
    said = _END.split(found[-1], maxsplit=1)[0].strip() if found else ""
    return said if 0 < len(_WORD.findall(said)) <= _MOST_WORDS else None


def _differ(one: str, other: str) -> bool:
    first, second = _words(one), _words(other)
    return bool(first - second) and bool(second - first) and bool(first & second or len(first) == len(second))


def _words(text: str) -> set[str]:
    return set(_WORD.findall(text.casefold())) - _LITTLE
