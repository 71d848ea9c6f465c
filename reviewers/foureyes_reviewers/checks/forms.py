"""Forms in which runners, compilers and shells report a failure in words alone, without an exit status."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

__all__ = ["COMPLAINTS", "SUMMARIES", "Form", "complaint", "summary"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Form:
    """One way to report a failure on one line, which has to match from its first character to its last."""

    name: str
    """Whose form it is; unique among all forms."""
    pattern: re.Pattern[str]
    """Linear in the length of the line. The group ``said``, where there is one, is what is worth quoting."""

    def said(self, line: str) -> str | None:
        """Return what the line reports, or None where it has another form."""
        found = self.pattern.fullmatch(line)
        return found and (found["said"] if "said" in self.pattern.groupindex else found[0])


def _form(name: str, pattern: str, *, any_case: bool = False) -> Form:
    return Form(name=name, pattern=re.compile(pattern, re.IGNORECASE if any_case else 0))


SUMMARIES = (
    # "=== 1 failed, 2 passed in 0.10s ===", with its rulers or without; "2 errors in 0.1s".
    _form(
        "pytest",
        r"(?:=+ )?(?P<said>(?:\d{1,9} \w+, ){0,8}[1-9]\d{0,8} (?:failed|errors?)(?:, \d{1,9} \w+){0,8}"
        r" in [\d.]{1,12}s(?: \([\d:]{1,12}\))?)(?: =+)?",
    ),
    # "1 failed, 3 passed": what wrappers leave of the line above.
    _form("count", r"(?:\d{1,9} \w+, ){0,8}[1-9]\d{0,8} failed(?:, \d{1,9} \w+){0,8}"),
    # "FAILED tests/test_a.py::test_b - assert 1 == 2": the list above it, where the last line is missing.
    _form("pytest list", r"(?:FAILED|ERROR) \S+\.py::\S+(?: - .*)?"),
    # "FAILED (failures=2)", below the dashes and the time.
    _form(
        "unittest", r"FAILED \((?:failures|errors|unexpected successes)=[1-9]\d{0,8}(?:, [a-z ]{1,30}=\d{1,9}){0,8}\)"
    ),
    # "Tests:       1 failed, 3 passed, 4 total" and the same of its suites.
    _form(
        "jest",
        r"(?:Tests|Test Suites): {1,12}(?:\d{1,9} \w+, ){0,8}[1-9]\d{0,8} failed(?:, \d{1,9} \w+){0,8}",
    ),
    # "      Tests  1 failed | 2 passed (3)"
    _form(
        "vitest",
        r" {1,8}(?P<said>(?:Tests|Test Files) {2}[1-9]\d{0,8} failed(?: \| \d{1,9} \w+){0,8}(?: \(\d{1,9}\))?)",
    ),
    # "FAIL<tab>example.org/pkg<tab>0.003s", "FAIL<tab>example.org/pkg [build failed]"
    _form("go", r"FAIL\t\S+(?:\t[\d.]{1,12}s| \[[a-z ]{1,20} failed\])?"),
    # "test result: FAILED. 1 passed; 1 failed; ..."
    _form("cargo test", r"test result: FAILED\..*|error: (?:\d{1,9} targets?|test) failed.*"),
    # "error: could not compile `app` (bin "app") due to 2 previous errors"
    _form("rust", r"error: (?:could not compile `.*|aborting due to (?:[1-9]\d{0,8} )?previous errors?.*)"),
    # "main.c:3:5: error: expected ';'", above the quoted source
    _form("c compiler", r"[^\s:]+:\d{1,9}:\d{1,9}: (?:fatal )?error: .+"),
    # "2 errors generated.", "1 warning and 1 error generated."
    _form("clang", r"(?:\d{1,9} warnings? and )?[1-9]\d{0,8} errors? generated\."),
    # "collect2: error: ld returned 1 exit status"
    _form("linker", r"(?:collect2|clang(?:\+\+)?|ld): error: .+"),
    # "src/a.ts(3,5): error TS2322: Type ..."
    _form("typescript", r"[^\s(]+\(\d{1,9},\d{1,9}\): error TS\d{1,6}: .+"),
    # "Found 2 errors in 1 file (checked 3 source files)"
    _form("mypy", r"Found [1-9]\d{0,8} errors? in \d{1,9} files? \((?:checked|errors prevented) .*\)"),
    # "BUILD FAILED in 3s", "[INFO] BUILD FAILURE"
    _form("java build", r"BUILD FAILED(?: in [\w ]{1,20})?|\[(?:INFO|ERROR)\] BUILD FAILURE"),
    # "make: *** [Makefile:3: test] Error 2", "make: *** No rule to make target 'x'.  Stop."
    _form("make", r"make(?:\[\d{1,3}\])?: \*\*\* .*(?:Error \d{1,3}|Stop\.)"),
    # "npm ERR! Test failed.", "npm error code ELIFECYCLE": npm ends in a block of such lines.
    _form("npm", r"npm (?:ERR!|error)(?: .*)?"),
    # "error Command failed with exit code 1.", " ELIFECYCLE  Command failed with exit code 1."
    _form("yarn", r"(?:error | ?\W{0,3}ELIFECYCLE\W{1,4})(?P<said>Command failed with exit code \d{1,10}\.)"),
    # "fatal: repository 'x' not found", below what git did until then
    _form("git", r"fatal: \S.*|error: failed to push some refs to .*|Automatic merge failed; fix conflicts .*"),
)
"""Last lines that sum up a run that failed. Counts of 0 are none."""

COMPLAINTS = (
    # "Permission denied", "ls: cannot open directory '/x': Permission denied"
    _form(
        "system",
        r"(?!(?:debug|e\.g|hint|info|note|tip|warn|warning)\b)(?:[a-z][\w.+-]{0,40}: (?:.*: )?)?"
        r"(?:permission denied|operation not permitted|no such file or directory|no space left on device"
        r"|read-only file system|command not found|connection (?:refused|reset by peer|timed out)"
        r"|directory not empty|access (?:is )?denied)\.?|[a-z][\w.+-]{0,40}: .*: (?:not|is) a directory",
        any_case=True,
    ),
    # "HTTP 500", "HTTP/1.1 404 Not Found", "500 Internal Server Error"
    _form(
        "http",
        r"HTTP(?:/[\d.]{1,3})? ?(?:error|status|status code)?:? [45]\d\d\.?"
        r"|(?:HTTP(?:/[\d.]{1,3})? (?:error )?)?[45]\d\d:? ?(?:bad (?:request|gateway)|unauthorized|forbidden|not found"
        r"|method not allowed|request timeout|conflict|gone|unprocessable (?:entity|content)|too many requests"
        r"|internal server error|not implemented|service (?:temporarily )?unavailable|gateway time-?out)\.?"
        r"|request failed with status code [45]\d\d\.?",
        any_case=True,
    ),
)
"""Lines in which a system refuses; they count where the result has no other lines."""

_TRAILERS = re.compile(
    r"Snapshots: .*|Time: .*|Tests: .*|Ran all test suites.*"  # jest, below its suites
    r"| +(?:Tests|Start at|Duration) {2}.*"  # vitest
    r"|FAIL|(?:ok  |\?   )\t.*"  # go, about all packages and the others
    r"|(?:warning: build failed|For more information about|Some errors have detailed explanations).*"  # rust
    r"| *\d{0,6} \|.*|compilation terminated\."  # the source that a compiler quotes
    r"|make(?:\[\d{1,3}\])?: Leaving directory .*"
    r"|info Visit https:.*"  # yarn
    r"|hint: .*|Please make sure you have the correct access rights|and the repository exists\."  # git
    r"|(?:Destroying|Preserving) test database .*"  # unittest as Django runs it
)
"""What a runner still writes below its summary."""

_NODE = re.compile(
    r"^(?P<said>(?:Uncaught )?\w*Error(?: \[\w+\])?(?:: [^\n]*)?)(?:\n[ \t]+at [^\n]+)+"
    r"(?:\n[ \t]+\w+: [^\n]*|\n\})*(?:\n+Node\.js v[\d.]+)?\Z",
    re.MULTILINE,
)
"""An error with its stack and what Node writes below it, at the end of the text."""


def summary(text: str) -> str | None:
    """Return what the end of the text sums up as a failure of a run, or None.

    Read is the last line that is not empty, apart from the lines that the runner writes below its summary; or an
    error of Node with its stack. A quoted or fenced summary is none, nor one with more text below.

    Good: a last line "=== 1 failed, 2 passed in 0.10s ===". Bad: "=== 3 passed in 0.10s ===", "x == '1 failed'".
    """
    for line in reversed([line.rstrip() for line in text.splitlines() if line.strip()]):
        found = _said(SUMMARIES, line)
        if found or not _TRAILERS.fullmatch(line):
            return found or _stack(text)
    return None


def complaint(lines: Sequence[str]) -> str | None:
    """Return the first line where every line is a system's complaint, or None.

    Good: "ls: cannot open directory '/x': Permission denied". Bad: the same below a list of files, "404", "note: the
    log says: Permission denied".
    """
    found = [_said(COMPLAINTS, line) for line in lines]
    return found[0] if found and all(found) else None


def _said(forms: Sequence[Form], line: str) -> str | None:
    return next((said for form in forms if (said := form.said(line))), None)


def _stack(text: str) -> str | None:
    found = _NODE.search(text.rstrip())
    return found and found["said"]
