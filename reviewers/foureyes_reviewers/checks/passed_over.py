"""The check for a failed call that the agent's next words treat as a success."""

from __future__ import annotations

import re
from collections.abc import Sequence

from foureyes.core.facts import Message, Note, Review, ToolTrace
from foureyes.core.words import Severity
from foureyes_reviewers.checks.answers import Answer
from foureyes_reviewers.checks.calls import fingerprint
from foureyes_reviewers.checks.grounds import open_said, trace_of
from foureyes_reviewers.checks.quoting import anchored, called, one_line
from foureyes_reviewers.checks.speech import Said
from foureyes_reviewers.checks.tool_errors import failed

__all__ = ["passed_over"]

_SUCCESS = re.compile(
    r"\bsuccess(?:ful(?:ly)?)?\b|\b(?:confirm|reinforc|indicat|demonstrat|establish)(?:s|es|ed)\b"
    r"|\b(?:i|we)(?:'ve| have)? (?:\w+ly |now |also ){0,2}(?:found|obtained|retrieved|located|identified|gathered"
    r"|completed|created|fixed|updated|verified|confirmed|extracted|installed|sent|booked|cancell?ed)\b"
    r"|\bbased on (?:the |these |our |those )?(?:\w+ ){0,3}(?:results?|output|data|findings|searches)\b"
    r"|\b(?:results?|output|searches|data) (?:clearly )?(?:show|confirm|indicate|suggest|reinforce|match|reveal)s?\b"
    r"|\b(?:has|have) been (?:\w+ly )?(?:\w+ed|sent|set|made|built|found)\b"
    r"|\bworks? (?:correctly|as expected|fine|well|now)\b|\ball (?:tests|checks) pass",
    re.IGNORECASE,
)
_UNSURE = re.compile(
    r"\b(?:not|n't|cannot|if|unless|until|once|will|would|should|could|can|may|might|let's|please|try|retry|again|but"
    r"|however|although|despite|seems?|appears?|attempt\w*|fix|correct|adjust|instead|issue|problem|handle|partial\w*)\b",
    re.IGNORECASE,
)


def passed_over(review: Review) -> tuple[Note, ...]:
    """Return a note for each message that speaks of a success right after nothing but failed calls.

    The severity is concern. The key is ``passed-over:<tool>:<digest of the arguments>``.

    Good: run_script gives "exit code 1: Traceback ... TypeError: ...", and the agent's next words are "The detailed
    searches confirm the date." Bad: "The script stopped with a TypeError; the part before it confirms the date", or a
    next message without words; or one of several calls at once succeeded.

    Silent where the message says in any way that something went wrong (:class:`.answers.Answer`), where every sentence
    about a success has a doubt, a condition or a plan in it, and about the answer itself, which another check judges.
    """
    return tuple(note for said in open_said(review) if (note := _judged(said)) is not None)


def _judged(said: Said) -> Note | None:
    call = _failed_before(said.before) if said.words and not said.final else None
    if call is None or Answer.read(said.words).owns_up:
        return None
    claim = next((s for s in said.sentences if _SUCCESS.search(s) and not _UNSURE.search(s)), None)
    return None if claim is None else _note(call[0], call[1], claim)


def _failed_before(before: Sequence[Message]) -> tuple[ToolTrace, str] | None:
    found: tuple[ToolTrace, str] | None = None
    for place in range(len(before) - 1, -1, -1):
        if before[place].role not in ("tool", "function"):
            break
        trace = trace_of(before[place], before[:place])
        quote = failed(trace)
        if quote is None:
            return None
        found = found or (trace, quote)
    return found


def _note(trace: ToolTrace, quote: str, claim: str) -> Note:
    return Note(
        text=(
            f'{called(trace)} failed with "{quote}", and the agent goes on with "{one_line(claim)}". '
            "Say what failed, and repeat the call or rest the statement on something else."
        ),
        severity=Severity.CONCERN,
        key=f"passed-over:{trace.name}:{fingerprint(trace)}",
        anchor=anchored(trace),
    )
