"""The check for an answer about the outside world in a run in which nobody looked at it."""

from __future__ import annotations

from foureyes.core.facts import Note, Review
from foureyes.core.words import Severity
from foureyes_reviewers.checks.answers import Answer
from foureyes_reviewers.checks.asked import source_named
from foureyes_reviewers.checks.grounds import has_grounds
from foureyes_reviewers.checks.quoting import one_line
from foureyes_reviewers.checks.speech import newest_said, place_key

__all__ = ["unsupported_answer"]

_POLICY = 500
"""Characters of a system message that may hold what the answer rests on."""
_LEAST = 20


def unsupported_answer(review: Review) -> tuple[Note, ...]:
    """Return a note where the request points to a source, and the answer comes without one look at anything.

    The severity is concern. The key is ``unsupported-answer:<digest of the speaker and the answer>``.

    Good: "According to the census of 2011, how many ...?", answered with a number in a run without one tool result.
    Bad: the same after a call that gave a result; an answer that says that it could not look; a question to the human;
    a request that can be answered by thinking.

    Silent where messages are left out from the review, and where another speaker or a system message may be the source.
    """
    said = next((said for said in newest_said(review) if said.final), None)
    source = source_named(review) if said is not None else None
    if said is None or source is None or has_grounds(review, said.before):
        return ()
    if any(m.role in ("system", "developer") and len(m.text) >= _POLICY for m in said.before):
        return ()
    answer = Answer.read(said.words)
    if len(said.words) < _LEAST or answer.owns_up or answer.asks:
        return ()
    return (
        Note(
            text=(
                f'The request points to a source ("{one_line(source)}"), and the answer was given without a look at '
                "it: no tool gave a result from outside. Look it up, or say that the answer is not verified."
            ),
            severity=Severity.CONCERN,
            key=place_key("unsupported-answer", said, said.words),
            anchor=said.anchor,
        ),
    )
