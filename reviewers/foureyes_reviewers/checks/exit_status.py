"""Exit statuses: how hosts write them around what a command printed, and which of them are failures."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from foureyes.core.facts import ToolTrace

__all__ = ["ExitStatus", "is_failure", "leading_status", "written_status"]

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
_FAILED_WITH = re.compile(
    r"[\[(<*\s]*(?:error|(?:the )?(?:command|process|program|script|task) failed)\b", re.IGNORECASE
)
_RETURNED = re.compile(r"(?:command .* )?returned non-zero exit status (-?\d{1,10})\.?", re.IGNORECASE)
"""How Python's subprocess puts it."""

_NAME = r"(?:exit|return)[ _-]?(?:code|status)|rc"
_BEFORE_OUTPUT = (
    # "<returncode>1</returncode><output>3 failed</output>"
    re.compile(rf"<(?P<tag>{_NAME})>(?P<code>-?\d{{1,10}})</(?P=tag)>(?P<output>.*)", re.IGNORECASE),
    # "[exit 1] 3 failed", "(exit code: 2) ..."
    re.compile(rf"[\[(](?:{_NAME}|exit(?:ed)?(?: with)?)[ :=]{{1,2}}(?P<code>-?\d{{1,10}})[\])](?P<output>.*)", re.I),
    # "exit_code=1", "rc=1, 3 failed": not with spaces around, as source code has it
    re.compile(rf"(?:{_NAME})=(?P<code>-?\d{{1,10}})(?:[:,] (?P<output>.*))?", re.IGNORECASE),
)
_TAG = re.compile(r"</?\w{1,40}>")

_ANSWERS_NO = re.compile(r"(?:^|[|;&\"'(])\s*(?:(?:grep|egrep|rg|ag|diff|git diff|git grep|cmp|test|which|pgrep)\b|\[)")


@dataclass(frozen=True, slots=True, kw_only=True)
class ExitStatus:
    """What one line says about the end of a command."""

    code: int
    """Its exit status; 0 is success, a negative one a signal."""
    line: str
    """The whole line."""
    blames: bool = False
    """The line itself calls it a failure, as "Command failed with exit code 1" does."""
    output: str = ""
    """What the command printed, as far as it stands on the same line."""


def written_status(line: str) -> ExitStatus | None:
    """Return the exit status that the line states, or None where it is not such a statement and nothing else.

    Good: "exit code 2", "[Process exited with code -9]", "exitcode: 1 (execution failed)", "Command failed with exit
    code 1: npm test", "Command 'make' returned non-zero exit status 2." Bad: a sentence about exit statuses, an
    assignment in source code ("exit_code = 1").
    """
    if returned := _RETURNED.fullmatch(line):
        return ExitStatus(code=int(returned[1]), line=line, blames=True)
    found = _LINE.match(line)
    if found is None:
        return None
    rest, blames = found[2], _FAILED_WITH.match(line) is not None
    alone = len(rest) <= _MAX_REST and _REST.fullmatch(rest)
    return (
        ExitStatus(code=int(found[1]), line=line, blames=blames) if alone or (blames and rest.startswith(":")) else None
    )


def leading_status(lines: Sequence[str]) -> ExitStatus | None:
    """Return the exit status in front of what was printed, in forms that a text of somebody else may have too.

    Good: "exit code 1: 3 failed" where it is all there is; as the first or the last line "[exit 1] 3 failed",
    "<returncode>1</returncode><output>3 failed</output>", "exit_code=1", "rc=1". Bad: two such lines, which are a list
    of what exit statuses mean; "exit code 1" with more lines below "exit code 1: general error"; "exit 1".
    """
    stated = [status for line in (*lines[:1], *lines[1:][-1:]) if (status := _in_front(line)) is not None]
    if stated:
        return stated[0] if len(stated) == 1 else None
    found = _LINE.match(lines[0]) if len(lines) == 1 else None
    output = found[2].lstrip() if found else ""
    if found is None or not output.startswith(":"):
        return None
    return ExitStatus(code=int(found[1]), line=lines[0], output=output[1:].strip())


def is_failure(trace: ToolTrace, status: int, printed: str) -> bool:
    """Tell whether the call failed, given its exit status and what it printed besides.

    0 is success. 1 is how searching and comparing commands say no, so it is no failure where nothing was printed or
    the arguments have such a command (grep, diff, test and their like) in them.
    """
    says_no = status == 1 and (not printed.strip() or _ANSWERS_NO.search(trace.arguments) is not None)
    return status != 0 and not says_no


def _in_front(line: str) -> ExitStatus | None:
    found = next((match for pattern in _BEFORE_OUTPUT if (match := pattern.fullmatch(line))), None)
    if found is None:
        return None
    return ExitStatus(code=int(found["code"]), line=line, output=_TAG.sub(" ", found["output"] or "").strip())
