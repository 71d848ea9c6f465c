"""What a reviewer without tools cannot truthfully say."""

from __future__ import annotations

import re
from dataclasses import replace

from foureyes.core.facts import Note
from foureyes.core.words import Severity

__all__ = ["UNVERIFIED", "honest", "without_calls", "without_control"]

UNVERIFIED = "(This reviewer has no tools, so it cannot have run anything.) "
"""What stands before a note whose reviewer says that it ran something."""

_CALL = re.compile(
    r"<(tool_calls?|function_calls?|invoke|tool_use|tool_response|function)\b[^<>]{0,200}>.*?(?:</\1>|\Z)",
    re.DOTALL | re.IGNORECASE,
)
_CONTROL = re.compile(r"<\|[^|<>]{0,40}\|>|</?s>|<(?:eos|bos|end_of_turn|start_of_turn)>", re.IGNORECASE)
_QUOTED = re.compile(r"\"[^\"\n]{0,400}\"|`[^`\n]{0,400}`|“[^”\n]{0,400}”|«[^»\n]{0,400}»|(?<!\w)'[^'\n]{0,400}'(?!\w)")
_RAN = re.compile(
    r"(?:^|[.!?;]\s{1,3}|\n)\W{0,8}(?:(?:so|and|then|when|after)\s{1,3})?"
    r"(?:I|we)(?:['\u2019]ve|\s{1,3}(?:have|had|just|also|then|actually|myself)){0,3}\s{1,3}"
    r"(?:re-?)?(?:ran|run|executed|tested|compiled|built|installed|launched|invoked|benchmarked|reproduced)\b",
    re.IGNORECASE,
)


def without_control(text: str) -> str:
    """Return the text without the tokens by which chat templates begin and end a message."""
    return _CONTROL.sub("", text).strip()


def without_calls(text: str) -> str:
    """Return the text without what has the shape of a tool call, for nobody is there to make it."""
    return without_control(_CALL.sub("", text))


def honest(note: Note) -> Note:
    """Return the note as a reviewer without tools may give it.

    What has the shape of a tool call is gone. Where it says that it ran something itself, the note is marked, and is
    a concern at most; where it quotes somebody else saying so, it is as it was.
    """
    text = without_calls(note.text)
    if not _RAN.search(_QUOTED.sub("''", text)):
        return note if text == note.text else replace(note, text=text)
    severity = Severity.CONCERN if note.severity is Severity.BLOCKER else note.severity
    return replace(note, text=UNVERIFIED + text, severity=severity)
