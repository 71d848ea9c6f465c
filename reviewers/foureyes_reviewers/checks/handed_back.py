"""The check for work that the agent hands back by word instead of doing it."""

from __future__ import annotations

import re

from foureyes.core.facts import Note, Review
from foureyes.core.words import Severity
from foureyes_reviewers.checks.asked import asks_how
from foureyes_reviewers.checks.grounds import open_said
from foureyes_reviewers.checks.quoting import one_line
from foureyes_reviewers.checks.speech import Said, place_key

__all__ = ["handed_back"]

_WORK = (
    "access|browse|check|count|download|execute|extract|find|go to|identify|inspect|locate|look (?:at|up|for)|navigate"
    "|note|observe|open|perform|read|replace|review|run|scroll|search|verify|view|visit|watch"
)
_BY_HAND = re.compile(
    rf"\byou(?:'ll| will| can| could| may| might| should| would)? (?:then |also |now )?(?:need to |have to |want to )?"
    rf"(?:manually (?:\w+ly )?(?:{_WORK})|(?:{_WORK})\b[^.]{{0,80}}\b(?:manually|by hand|yourself|on your own))"
    rf"|\byou(?:'ll| will) (?:need|have) to (?:perform|follow|do|carry out) (?:these|the following|this|those)"
    rf"|\bmanual (?:\w+ ){{0,2}}(?:inspection|review|search|verification|check\w*|extraction) (?:will be|would be|is)"
    rf" (?:required|needed|necessary)\b"
    rf"|\b(?:please|kindly) (?:{_WORK}) [^.]{{0,120}}\b(?:manually|yourself|by hand)\b"
    rf"|\bplease (?:follow|perform|carry out|complete) (?:these|the (?:next|following)|the) steps\b"
    rf"|\bplease (?:report|tell me|share|provide) (?:\w+ ){{0,5}}(?:you (?:observe|see|find)|from (?:the|that|those)"
    rf" (?:link|page|video|website|document))",
    re.IGNORECASE,
)
_NOT = re.compile(r"\b(?:don't|do not|won't|no need|not need)\b", re.IGNORECASE)


def handed_back(review: Review) -> tuple[Note, ...]:
    """Return a note for each message that asks somebody else to do the work by hand.

    The severity is concern. The key is ``handed-back:<digest of the speaker and the sentence>``.

    Good: "You will need to perform these steps: open the link, watch the video."; "Manual inspection will be
    required." Bad: "Please give me your e-mail address"; "You do not need to check this manually"; a request that
    asks how something is done.

    Silent where the message calls a tool, for then the work goes on.
    """
    if asks_how(review):
        return ()
    return tuple(note for said in open_said(review) if (note := _judged(said)) is not None)


def _judged(said: Said) -> Note | None:
    if said.message.tool_calls:
        return None
    sentence = next((s for s in said.sentences if _BY_HAND.search(s) and not _NOT.search(s)), None)
    return None if sentence is None else _note(said, sentence)


def _note(said: Said, sentence: str) -> Note:
    return Note(
        text=(
            f'The work is handed back: "{one_line(sentence)}" The request asks the agent to do it. '
            "Do it with the tools at hand, or say what exactly is missing."
        ),
        severity=Severity.CONCERN,
        key=place_key("handed-back", said, sentence),
        anchor=said.anchor,
    )
