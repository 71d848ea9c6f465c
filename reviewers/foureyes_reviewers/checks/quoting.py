"""Naming things of the run in a note: short, on one line, and harmless."""

from __future__ import annotations

from foureyes.core.facts import Anchor, ToolTrace
from foureyes.core.text import cut_end

__all__ = ["MAX_QUOTE", "anchored", "called", "one_line"]

MAX_QUOTE = 120
"""Characters of the run that one quotation shows: enough for an error message, too little for a speech."""
_LOOKED_AT = 2 * MAX_QUOTE


def one_line(text: str) -> str:
    """Return the beginning of the text on one line, at most 120 characters, with an ellipsis where it was cut.

    What does not print (control characters, marks that reverse the writing direction) is left out.
    """
    words = " ".join(text[:_LOOKED_AT].split())
    printed = words if words.isprintable() else "".join(c for c in words if c.isprintable()).strip()
    if len(printed) <= MAX_QUOTE and len(text) <= _LOOKED_AT:
        return printed
    return f"{cut_end(printed, MAX_QUOTE - 1)}…"


def called(trace: ToolTrace) -> str:
    """Return the call as a note names it: the tool, and its arguments in parentheses if there are any."""
    name, arguments = one_line(trace.name) or "(unnamed tool)", one_line(trace.arguments)
    return f"`{name}` ({arguments})" if arguments else f"`{name}`"


def anchored(trace: ToolTrace) -> Anchor:
    """Return the place of the call in the run: its id, else the tool's name. The turn is not known to a check."""
    return Anchor(call=trace.call_id or trace.name or None)
