"""The check for an action that is said to be done and that no call did."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from foureyes.core.facts import Note, Review, ToolTrace
from foureyes.core.words import Severity
from foureyes_reviewers.checks.calls import looks, values
from foureyes_reviewers.checks.quoting import one_line
from foureyes_reviewers.checks.speech import Said, newest_said, place_key

__all__ = ["claimed_action"]

_DONE = (
    "added|approved|applied|booked|cancell?ed|changed|charged|created|credited|deleted|exchanged|modified|placed"
    "|processed|refunded|removed|rescheduled|returned|saved|scheduled|sent|submitted|updated|upgraded"
)
_CLAIM = re.compile(
    rf"\b(?:has|have) (?:now |also )?been (?:now |also )?(?:successfully )?(?P<done>{_DONE})\b"
    rf"|\b(?:i|we)(?:'ve| have) (?:now |also )?(?:successfully )?(?P<own>{_DONE})\b",
    re.IGNORECASE,
)
_DOUBT = re.compile(
    r"\b(?:not|never|once|if|unless|until|after|when|already|cannot|previously|originally|before|since|only|would|will"
    r"|should|could|can|may|request\w*|system|see|shows?|indicat\w+|appears?|seems?)\b|n't|\?",
    re.IGNORECASE,
)


def claimed_action(review: Review) -> tuple[Note, ...]:
    """Return a note where the agent says that something has been done, and no call of the run did anything at all.

    The severity is concern. The key is ``claimed-action:<digest of the speaker and the sentence>``.

    Good: "Your order has been cancelled." in a run whose calls only looked things up, or failed. Bad: the same after
    cancel_order; "Your order has already been cancelled"; "It will be cancelled".

    Silent where calls may have been made before those that are shown.
    """
    if review.elided and len(review.tools) >= _MANY:
        return ()
    return tuple(note for said in newest_said(review) if (note := _judged(review, said)) is not None)


_MANY = 30
"""Shown calls from which there may be more that are not shown; reviews show 32 unless they are set to show more."""


def _judged(review: Review, said: Said) -> Note | None:
    if not review.tools or said.message.tool_calls or any(_acts(trace) for trace in review.tools):
        return None
    claim = next(_claims(said.sentences), None)
    return None if claim is None else _note(said, claim)


def _claims(sentences: Sequence[str]) -> Iterator[str]:
    return (sentence for sentence in sentences if _CLAIM.search(sentence) and not _DOUBT.search(sentence))


def _acts(trace: ToolTrace) -> bool:
    # A call that failed may have done something before it failed.
    return not looks(trace) and not _thinks(trace)


def _thinks(trace: ToolTrace) -> bool:
    return trace.name.casefold() in ("think", "calculate", "calculator", "plan", "note") or not values(trace)


def _note(said: Said, claim: str) -> Note:
    return Note(
        text=(
            f'The agent says "{one_line(claim)}", but the calls of this run only looked things up. '
            "Make the call, or say that it is not done yet."
        ),
        severity=Severity.CONCERN,
        key=place_key("claimed-action", said, claim),
        anchor=said.anchor,
    )
