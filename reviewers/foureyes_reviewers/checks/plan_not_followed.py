"""The check for work that is announced again and again, and never begun."""

from __future__ import annotations

from foureyes.core.facts import Note, Review
from foureyes.core.words import Severity
from foureyes_reviewers.checks.grounds import calls_in
from foureyes_reviewers.checks.quoting import one_line
from foureyes_reviewers.checks.speech import Said, newest_said, place_key
from foureyes_reviewers.checks.unfinished_answer import announced

__all__ = ["IN_A_ROW", "plan_not_followed"]

IN_A_ROW = 3
"""Announcements from which the note is a concern. With the second, a call may still be on its way: that is a nit."""


def plan_not_followed(review: Review) -> tuple[Note, ...]:
    """Return a note where the agent ends messages in a row with an announcement, and calls nothing in between.

    The severity is nit for two in a row, and concern from the third on. The key is ``plan-not-followed:<digest of the
    speaker and the sentence>``.

    Good: "I will now look up the nominator.", "I'll proceed to the nomination page." and "Let me check the page.", each
    without a call. Bad: one such message, for the call may be in the next; a call, a result or a human's words in
    between.
    """
    return tuple(note for said in newest_said(review) if (note := _judged(said)) is not None)


def _judged(said: Said) -> Note | None:
    again = announced(said)
    first = _announced_before(said, IN_A_ROW - 1) if again is not None else []
    if again is None or not first:
        return None
    return Note(
        text=(
            f'The agent announces "{one_line(again)}" after it had announced "{one_line(first[0])}", '
            "and no tool was called for either. Do it now, with a call, or say why it cannot be done."
        ),
        severity=Severity.CONCERN if len(first) >= IN_A_ROW - 1 else Severity.NIT,
        key=place_key("plan-not-followed", said, again),
        anchor=said.anchor,
    )


def _announced_before(said: Said, most: int) -> list[str]:
    found: list[str] = []
    end = len(said.before)
    for place in range(len(said.before) - 1, -1, -1):
        message = said.before[place]
        if message.role != "assistant" or not message.text.strip():
            continue
        since = said.before[place:end]
        if calls_in(since) or any(one.by_human for one in since):
            break
        sentence = announced(Said(message=message, before=(), turn=0, last=False, final=False))
        if sentence is None or len(found) >= most:
            break
        found.append(sentence)
        end = place
    return found
