"""The check for figures in an answer that nothing in the run gives."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal, InvalidOperation

from foureyes.core.facts import Note, Review
from foureyes.core.words import Severity
from foureyes_reviewers.checks.grounds import is_empty, place_of_last_result
from foureyes_reviewers.checks.quoting import one_line
from foureyes_reviewers.checks.speech import Said, newest_said, place_key

__all__ = ["unsupported_figures"]

_NUMBER = re.compile(r"(?<![\w.])\d{1,3}(?:,\d{3})+(?:\.\d{1,6})?|(?<![\w,])\d{1,12}(?:\.\d{1,6})?")
_FIGURE = re.compile(
    r"(?P<unit>[$\u20ac\u00a3])\s?(?P<money>\d{1,3}(?:,\d{3})+(?:\.\d{1,4})?|\d{1,9}(?:\.\d{1,4})?)"
    r"(?!\s?(?:k|m|bn|thousand|million|billion)\b)(?![\w,.]*\d)"
)
_HEDGE = re.compile(
    r"\b(?:about|approximately|around|at least|at most|average|estimated?|for example|nearly|roughly|up to)\b|~|\u2248"
)
_CUT = "[shortened for review:"
_MOST = 600
"""Numbers that are compared. A run with more of them is one of tables, in which almost anything can be computed."""
_SMALL = 12
"""Multiples that count as simple: persons, nights, pieces."""
_LEAST = 3
"""The smallest term of a sum: with counts and ordinals of 1 and 2 every neighbour of a number would be supported."""
_TERMS = 10
"""Amounts of the answer that are added up in every combination."""


def unsupported_figures(review: Review) -> tuple[Note, ...]:
    """Return a note where the answer names an amount of money that occurs nowhere and follows from nothing.

    An amount is supported by the same number in anything shown before the answer, by a sum, a difference, a product
    or a quotient of two such numbers, by a small multiple of one, or by the sum of several amounts of the answer. The
    severity is concern. The key is ``unsupported-figures:<digest of the speaker and the figure>``.

    Good: results say 120 and 30, and the answer says "The refund is $95.00". Bad: "$150" or "$90"; "about $100";
    an answer in a run without any tool result.

    Silent where messages are left out or shortened in the review, and where the run has more than 600 numbers.
    """
    if review.elided or any(_CUT in message.text for message in review.messages):
        return ()
    said = next((said for said in newest_said(review) if said.final), None)
    if said is None or not _FIGURE.search(said.words) or place_of_last_result(said.before) is None:
        return ()
    return tuple(_judged(review, said))[:1]


def _judged(review: Review, said: Said) -> Iterator[Note]:
    texts = [review.request, *(m.text for m in said.before if not is_empty(m.text))]
    texts += [trace.arguments for trace in review.tools]
    known = set(_numbers(texts))
    if len(known) > _MOST:
        return
    amounts = [number for found in _FIGURE.finditer(said.words) if (number := _decimal(found["money"])) is not None]
    for sentence in said.sentences:
        for found in _FIGURE.finditer(sentence):
            number = _decimal(found["money"])
            if number is not None and not _HEDGE.search(sentence) and not _follows(number, known, amounts):
                yield _note(said, found[0], sentence)


def _numbers(texts: Sequence[str]) -> Iterator[Decimal]:
    for text in texts:
        for found in _NUMBER.finditer(text):
            number = _decimal(found[0])
            if number is not None:
                yield number


def _decimal(text: str) -> Decimal | None:
    try:
        return Decimal(text.replace(",", "")).quantize(Decimal("0.01"))
    except InvalidOperation:
        return None


def _follows(number: Decimal, known: set[Decimal], amounts: Sequence[Decimal]) -> bool:
    if number in known or number == 0:
        return True
    terms = {other for other in known if other >= _LEAST}
    if any(number - other in terms or number + other in terms for other in terms):
        return True
    if any(number == (other * times).quantize(Decimal("0.01")) for other in known for times in range(2, _SMALL + 1)):
        return True
    others = [amount for amount in amounts if amount != number]
    return _sum_of(number, others[:_TERMS])


def _sum_of(number: Decimal, terms: Sequence[Decimal]) -> bool:
    reached = {Decimal(0)}
    for term in terms:
        reached |= {one + term for one in reached}
        if number in reached:
            return True
    return False


def _note(said: Said, figure: str, sentence: str) -> Note:
    return Note(
        text=(
            f'The answer says {figure} ("{one_line(sentence)}"), which no result gives and no simple sum of results. '
            "Say where it comes from, or correct it."
        ),
        severity=Severity.CONCERN,
        key=place_key("unsupported-figures", said, figure),
        anchor=said.anchor,
    )
