"""Exit statuses: how hosts write them around what a command printed, and which of them are failures."""

from __future__ import annotations

import re

from foureyes.core.facts import ToolTrace

__all__ = ["is_failure", "written_status"]

_LINE = re.compile(
    r"[\[(<*\s]*"
    r"(?:(?:error|the|command|process|program|script|shell|task|has|finished|failed|terminated|completed|ended|done"
    r"|with|an?|and|non-?zero)[\s:,]+){0,6}"
    r"(?:(?:exit|return)[ _-]?(?:code|status)|exit(?:ed)? with(?: an?)?(?: (?:exit )?(?:code|status))?)"
    r"(?:[\s:>]|of|was|is){0,4}(-?\d{1,10})\b(.*)",
    re.IGNORECASE,
)
_REST = re.compile(
    r"[\])>*.,;\s]*(?:</\w+>)?(?:(?:after|in) [\d.,]+ ?\w*)?\s*(?:\([^()]*\))?[\])>.:\s]*", re.IGNORECASE
)
_MAX_REST = 60
"""A longer rest of the line is prose about exit statuses (and would be slow to match)."""
_FAILED_WITH = re.compile(r"[\[(<*\s]*(?:error|command failed|process failed)\b", re.IGNORECASE)
_ANSWERS_NO = re.compile(r"(?:^|[|;&\"'(])\s*(?:(?:grep|egrep|rg|ag|diff|git diff|git grep|cmp|test|which|pgrep)\b|\[)")


def written_status(line: str) -> int | None:
    """Return the exit status that the line states, or None where it is not such a statement and nothing else.

    Read are "exit code 2", "[Process exited with code -9]", "exitcode: 1 (execution failed)" and their like. A
    sentence about exit statuses is none, nor is an assignment in source code.
    """
    found = _LINE.match(line)
    if found is None:
        return None
    rest = found[2]
    alone = len(rest) <= _MAX_REST and _REST.fullmatch(rest)
    return int(found[1]) if alone or (rest.startswith(":") and _FAILED_WITH.match(line)) else None


def is_failure(trace: ToolTrace, status: int, printed: str) -> bool:
    """Tell whether the call failed, given its exit status and what it printed besides.

    0 is success. 1 is how searching and comparing commands say no, so it is no failure where nothing was printed or
    the arguments have such a command (grep, diff, test and their like) in them.
    """
    says_no = status == 1 and (not printed.strip() or _ANSWERS_NO.search(trace.arguments) is not None)
    return status != 0 and not says_no
