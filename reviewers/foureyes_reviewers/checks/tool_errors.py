"""How a tool result reads as a failure.

A result is believed where the host says so, or where it has a form that tools use to report a failure and that text
about failures does not have. Words such as "error" inside a text prove nothing, and a tool that shows files or logs
shows other people's errors, so its text has to be nothing but the report.
"""

from __future__ import annotations

import re

from foureyes.core.facts import ToolTrace
from foureyes.core.text import cut_middle
from foureyes_reviewers.checks.calls import looks, shows_content
from foureyes_reviewers.checks.exit_status import ExitStatus, is_failure, leading_status, written_status
from foureyes_reviewers.checks.forms import complaint, summary
from foureyes_reviewers.checks.quoting import one_line
from foureyes_reviewers.checks.reports import is_report, means_nothing, reported
from foureyes_reviewers.foreign import lossless

__all__ = ["failed"]

_LOOKED_AT = 4_000
"""Characters of a result that are read, head and tail; a review's evidence has at most 1,000."""

_COLOUR = re.compile(r"\x1b\[[\d;]*m")
"""What test runners put around a summary on a terminal."""
_TAGS = re.compile(r"(?:</?\w{1,40}>\s*)+")
"""A line of these is the frame around an output, and no output."""

_TRACEBACK = re.compile(r"^\s*Traceback \(most recent call last\):", re.MULTILINE)
_RAISED = re.compile(
    r"(?:\w+\.)*(?:\w*(?:Error|Exception|Interrupt|Exit|Timeout|error|timeout)|[A-Z][a-z0-9]+[A-Z]\w*)(?::\s.*)?"
    r"|(?:\w+\.)+[A-Z]\w*(?::\s.*)?"
)
_LEADING = re.compile(
    r"(?:error|fatal(?: error)?|exception|erreur|fehler|errore|erro|fout|fel|fejl|feil|virhe|błąd|chyba|hiba|hata|lỗi"
    r"|kesalahan|eroare|ошибка|помилка|грешка|σφάλμα|错误|錯誤|エラー|오류|에러|خطأ|שגיאה|त्रुटि)"
    r"(?:\[\w+\])?\s?[:\uff1a]\s*(\S.*)",
    re.IGNORECASE,
)
_LEADING_CLASS = re.compile(r"(?:\w+\.)*[A-Z]\w*(?:Error|Exception):\s+(\S.*)")
_SHELL = re.compile(
    r"(?:/\S*/)?(?:ba|z|da|k|fi)?sh: .*(?:not found|permission denied|no such file or directory|syntax error).*",
    re.IGNORECASE,
)
_NOTHING_MORE = re.compile(
    r"\W*(?:error\W+)?(?:the )?(?:tool|command|call|execution)(?: call| use)? "
    r"(?:failed|reported (?:a |an )?(?:failure|error)|returned an error)\W*",
    re.IGNORECASE,
)
"""What a host adds below a failure, and which says nothing about it."""
_WENT_WELL = re.compile(r"\W*(?:all )?(?:done|ok|success(?:ful(?:ly)?)?|passed|completed?|finished)\b", re.IGNORECASE)


def failed(trace: ToolTrace) -> str | None:
    """Return a short quotation of the failure that the result reports, or None where it reports none.

    The quotation is one line of at most 120 characters. A call without a result has not failed. Failures are:

    - the host's own flag, whatever the text says;
    - a JSON object whose top level says so: a non-empty ``error``, ``is_error`` true, ``success`` false, ``status``
      "error", ``exit_code`` or ``returncode`` other than 0;
    - an exit status other than 0 on the first or last line, alone ("exit code 2", "Command failed with exit code 1")
      or in front of the output ("exit code 1: 3 failed", "[exit 1] 3 failed", "rc=1"). A status of 0 there outweighs
      everything else. 1 is no failure where a searching or comparing command gave it, or where nothing was printed
      and the line does not call it a failure itself: that is how such commands say no;
    - nothing but a shell's or a system's complaint ("bash: x: command not found", "ls: /x: Permission denied") or an
      HTTP status from 400 on ("HTTP 500", "404 Not Found");
    - a Python traceback with the exception on the last line;
    - a first line such as "Error: ...", "fatal: ..." or "ValueError: ...", in a number of languages;
    - a last line with which a test runner, a compiler, a build or git sums up a failure (:mod:`.forms`), or an error
      of Node with its stack at the end.

    Good: "=== 1 failed, 2 passed in 0.10s ===" from run_tests. Bad: "=== 3 passed in 0.10s ===", or the first line in
    a log file that was read.

    Where the tool shows text that is not its own, only these count: the flag; an exit status alone on its line; JSON
    with no other keys than such a report has; a single line "Error..."; a shell's complaint about the command. The
    last line counts in no call that only looks, at whatever.
    """
    text = cut_middle(_COLOUR.sub("", trace.result or "").strip(), _LOOKED_AT)
    if trace.error:
        return one_line(_telling(_lines(text))) or "the host reports a failure"
    quote = _by_object(trace, text) if text else None
    return one_line(_telling(_lines(quote))) or None if quote else None


def _lines(text: str) -> list[str]:
    return [line.strip() for line in text.splitlines() if line.strip()]


def _by_object(trace: ToolTrace, text: str) -> str | None:
    try:
        value = lossless(text) if text[0] in '{["' else text
    except ValueError:
        value = text
    if isinstance(value, dict):
        return None if shows_content(trace) and not is_report(value) else reported(trace, value)
    return _by_status(trace, value) if isinstance(value, str) else None


def _by_status(trace: ToolTrace, text: str) -> str | None:
    lines = _lines(text)
    status = _stated(trace, lines)
    if status is None:
        return _by_form(trace, text, lines)
    others = (line for line in lines if not line.endswith(":") and not _frames(status, line))
    printed = [*filter(None, [status.output]), *others]
    if not is_failure(trace, status.code, " ".join(printed) or ("failed" if status.blames else "")):
        return None
    return f"exit code {status.code}: {_telling(printed)}" if printed else f"exit code {status.code}"


def _stated(trace: ToolTrace, lines: list[str]) -> ExitStatus | None:
    alone = (written_status(line) for line in (*lines[:1], *lines[-1:]))
    status = next((status for status in alone if status is not None), None)
    return status if status is not None or shows_content(trace) else leading_status(lines)


def _frames(status: ExitStatus, line: str) -> bool:
    return line == status.line or written_status(line) is not None or _TAGS.fullmatch(line) is not None


def _by_form(trace: ToolTrace, text: str, lines: list[str]) -> str | None:
    if all(_SHELL.fullmatch(line) for line in lines):
        return lines[0] if lines else None
    if shows_content(trace) and (len(lines) > 1 or not lines[0].startswith("Error")):
        return None
    if _TRACEBACK.search(text):
        last = text.rstrip().splitlines()[-1]
        return last if _RAISED.fullmatch(last) else None
    return _leading(lines) or complaint(lines) or (None if looks(trace) else summary(text))


def _leading(lines: list[str]) -> str | None:
    first = " ".join(lines[:2]) if lines[0].endswith(":") else lines[0]
    lead = _LEADING.fullmatch(first) or _LEADING_CLASS.fullmatch(first)
    if lead is None or means_nothing(lead[1]) or _WENT_WELL.match(lines[-1]):
        return None
    return first


def _telling(lines: list[str]) -> str:
    lines = [line for line in lines if not _NOTHING_MORE.fullmatch(line)] or lines
    reports = (line for line in reversed(lines) if _RAISED.fullmatch(line) or _LEADING.fullmatch(line))
    return next(reports, lines[-1] if lines else "")
