"""The forms of failures in words alone: for each what it recognises, and what only looks like it."""

from __future__ import annotations

import time

import pytest

from foureyes.core.facts import ToolTrace
from foureyes_reviewers.checks.forms import COMPLAINTS, SUMMARIES, Form
from foureyes_reviewers.checks.tool_errors import failed

FORMS = (*SUMMARIES, *COMPLAINTS)

NODE = (
    "/app/a.js:3\n    throw new TypeError('no port')\n    ^\n\nTypeError: no port\n    at main (/app/a.js:3:9)\n"
    "    at node:internal/main/run_main:28:49"
)
JEST = "Snapshots:   0 total\nTime:        0.5 s\nRan all test suites."
VITEST = "   Start at  12:00:00\n   Duration  300ms (transform 20ms)"

ROWS = [
    # form, a result that reports a failure, one that does not
    ("pytest", "..F\n=== 1 failed, 2 passed in 0.10s ===", "...\n=== 3 passed in 0.10s ==="),
    ("pytest", "=== 3 failed in 0.1s ===", "=== 0 failed in 0.1s ==="),
    ("pytest", "3 failed, 2 passed in 0.10s", "the job had 3 failed, 2 passed in 0.10s"),
    ("pytest", "= 2 passed, 1 warning, 1 error in 61.20s (0:01:01) =", "= 2 passed, 1 warning in 61.20s (0:01:01) ="),
    ("pytest", "!!! stopping after 1 failures !!!\n1 failed in 0.1s", "1 failed in 0.1s\nis the line to look for"),
    ("pytest", "x\n2 errors in 0.10s", "-=== 3 failed in 0.1s ===\n+=== 3 passed in 0.1s ==="),
    ("pytest", "F\n1 failed in 3s", "> === 3 failed in 0.1s ==="),
    ("pytest", "F\n1 failed in 3s", 'assert lines[-1] == "=== 3 failed in 0.1s ==="'),
    ("pytest", "F\n1 failed in 3s", "It prints:\n```\n=== 3 failed in 0.1s ===\n```"),
    ("count", "1 failed, 3 passed", "0 failed, 3 passed"),
    ("count", "3 failed", "3 failed logins"),
    ("pytest list", "FAILED tests/test_a.py::test_b - assert 1 == 2", "FAILED is what pytest writes before a test"),
    ("unittest", "Ran 3 tests in 0.001s\n\nFAILED (failures=2)", "Ran 3 tests in 0.001s\n\nOK (skipped=2)"),
    (
        "unittest",
        "FAILED (errors=1, skipped=2)\nDestroying test database for alias 'default'...",
        "FAILED (failures=0)",
    ),
    ("jest", "Tests: 1 failed, 3 passed", "Tests: 3 passed, 3 total"),
    ("jest", f"Tests:       1 failed, 3 passed, 4 total\n{JEST}", f"Tests:       0 failed, 3 passed, 3 total\n{JEST}"),
    ("jest", f"Test Suites: 1 failed, 1 total\nTests:       0 total\n{JEST}", "echo 'Tests: 1 failed, 1 total'"),
    ("vitest", f"x\n      Tests  1 failed | 2 passed (3)\n{VITEST}", f"x\n      Tests  3 passed (3)\n{VITEST}"),
    ("go", "--- FAIL: TestA (0.00s)\nFAIL\nFAIL\texample.org/a\t0.003s\nFAIL", "ok  \texample.org/a\t0.003s"),
    ("go", "FAIL\texample.org/a [build failed]\nok  \texample.org/b\t0.1s\nFAIL", "FAIL"),
    ("go", "FAIL\tpkg", "FAIL\tis followed by a tab and the package"),
    (
        "cargo test",
        "test result: FAILED. 1 passed; 1 failed; 0 ignored",
        "test result: ok. 1 passed; 0 failed; 0 ignored",
    ),
    (
        "cargo test",
        "x\nerror: test failed, to rerun pass `--lib`",
        "// prints 'test result: FAILED. 1 passed; 1 failed'",
    ),
    ("rust", "x\nerror: could not compile `app` (bin) due to 1 previous error", "docs:\n`error: could not compile`"),
    (
        "rust",
        "x\nerror: aborting due to 2 previous errors\n\nFor more information about this error, try x",
        "no errors",
    ),
    (
        "c compiler",
        "gcc main.c\nmain.c:3:5: error: expected ';'\n    3 |   int x\n      |   ^",
        "main.c:3:5: warning: x",
    ),
    ("clang", "x\n1 warning and 2 errors generated.", "x\n2 warnings and 0 errors generated."),
    ("linker", "x\ncollect2: error: ld returned 1 exit status", "see collect2: error: ld returned 1 exit status"),
    ("typescript", "x\nsrc/a.ts(3,5): error TS2322: Type 'x'", "x\nraise an error TS2322: Type 'x'"),
    (
        "mypy",
        "x\nFound 2 errors in 1 file (checked 3 source files)",
        "x\nFound 0 errors in 1 file (checked 1 source file)",
    ),
    ("mypy", "Found 1 error in 1 file (errors prevented further checking)", "Found 3 errors in 2 files"),
    ("java build", "x\nBUILD FAILED in 3s", "x\nBUILD SUCCESSFUL in 3s"),
    ("java build", "x\n[INFO] BUILD FAILURE", "x\n[INFO] BUILD FAILURE is written at the end"),
    ("make", "cc x\nmake: *** [Makefile:3: x] Error 2", "cc x\nmake: [Makefile:3: x] Error 2 (ignored)"),
    ("make", "make[1]: *** [x] Error 2\nmake: Leaving directory '/x'", "make: 'x' is up to date."),
    ("make", "make: *** No rule to make target 'x'.  Stop.", "#   make: *** [x] Error 2"),
    ("npm", "> test\nnpm ERR! Test failed.  See above for more details.", "> test\nnpm WARN deprecated x"),
    ("npm", "x\nnpm error Lifecycle script `test` failed", "x\ngrep 'npm ERR!' a.log"),
    (
        "yarn",
        "x\nerror Command failed with exit code 1.\ninfo Visit https://x.example for documentation",
        "x\nDone in 1s.",
    ),
    ("yarn", "x\n ELIFECYCLE  Command failed with exit code 1.", "x\nELIFECYCLE is the code of npm"),
    ("git", "Cloning into 'x'...\nfatal: repository 'x' not found", "Cloning into 'x'...\nnot fatal: x"),
    ("git", "To x\nerror: failed to push some refs to 'x'\nhint: fetch first", "To x\n   1..2  main -> main"),
    ("git", "Automatic merge failed; fix conflicts and then commit the result.", "Merge made by the 'ort' strategy."),
    ("node", NODE, "TypeErrors are thrown\n    at any time\nso catch them"),
    ("node", f"{NODE} {{\n  code: 'ENOENT'\n}}\n\nNode.js v20.1.0", f"{NODE}\n\nserver listening"),
    ("system", "Permission denied", "Permission denied is written to the log"),
    (
        "system",
        "ls: cannot open directory '/x': Permission denied",
        "a.txt\nls: cannot open directory '/x': Permission denied",
    ),
    (
        "system",
        "rm: cannot remove 'a': Permission denied\nrm: cannot remove 'b': Is a directory",
        "src: is a directory",
    ),
    ("system", "cat: a.txt: No such file or directory", "note: the log says: No such file or directory"),
    ("http", "HTTP 500", "500"),
    ("http", "500 Internal Server Error", "500 items were found"),
    ("http", "404 Not Found", "404 Not Found is what it answers"),
    ("http", "HTTP/1.1 404 Not Found", "HTTP/1.1 200 OK"),
    ("http", "HTTP Error 503: Service Unavailable", "HTTP 404\nis tested in test_missing.py"),
    ("http", "Request failed with status code 404", "The request failed with status code 404 before, not now"),
]


@pytest.mark.parametrize(("form", "failure", "alike"), ROWS, ids=[f"{row[0]}: {row[1][:30]!r}" for row in ROWS])
def test_a_form_is_recognised_and_what_looks_like_it_is_not(form: str, failure: str, alike: str) -> None:
    assert failed(ToolTrace(name="run_it", result=failure))
    assert failed(ToolTrace(name="run_it", result=alike)) is None


def test_every_form_has_a_name_of_its_own_and_a_row() -> None:
    names = [form.name for form in FORMS]
    assert len(set(names)) == len(names)
    assert {row[0] for row in ROWS} == {*names, "node"}


@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.name)
def test_every_form_is_read_by_its_own_pattern(form: Form) -> None:
    lines = [line for name, failure, _ in ROWS if name == form.name for line in failure.splitlines()]
    assert any(form.said(line) for line in lines)


LOOKS = [
    ("read_file", '{"path": "ci.log"}'),
    ("grep", '{"pattern": "failed"}'),
    ("fetch_docs", '{"page": "output"}'),
    ("git_diff", "{}"),
    ("get_ci_status", "{}"),
    ("bash", '{"command": "cat ci.log"}'),
    ("bash", '{"command": "cd out && tail -5 ci.log"}'),
    ("bash", '{"command": "git diff"}'),
]


@pytest.mark.parametrize("row", [row for row in ROWS if row[0] not in ("system", "http")], ids=lambda row: row[0])
@pytest.mark.parametrize(("name", "arguments"), LOOKS)
def test_a_call_that_only_looks_has_not_failed_because_of_what_it_saw(
    name: str, arguments: str, row: tuple[str, str, str]
) -> None:
    first = row[1].splitlines()[0]
    text = row[1] if not first.startswith(("error", "fatal")) else f"a log\n{row[1]}"
    assert failed(ToolTrace(name=name, arguments=arguments, result=text)) is None


@pytest.mark.parametrize("result", ["Permission denied", "HTTP 500", "cat: x: Permission denied"])
def test_a_line_in_a_file_is_no_refusal_but_a_folder_that_cannot_be_listed_is(result: str) -> None:
    assert failed(ToolTrace(name="read_file", result=result)) is None
    assert failed(ToolTrace(name="bash", arguments='{"command": "ls /x"}', result=result))


@pytest.mark.parametrize("command", ["pytest -q | tail -3", "cd src && pytest -q", "sed -i s/a/b/ a.py && pytest"])
def test_what_the_output_is_piped_into_does_not_hide_a_failure(command: str) -> None:
    assert failed(ToolTrace(name="bash", arguments=f'{{"command": "{command}"}}', result="F\n1 failed in 0.1s"))


@pytest.mark.parametrize(
    ("result", "quote"),
    [
        ("..F\n=== 1 failed, 2 passed in 0.10s ===", "1 failed, 2 passed in 0.10s"),
        (NODE, "TypeError: no port"),
        ("x\n ELIFECYCLE  Command failed with exit code 1.", "Command failed with exit code 1."),
    ],
)
def test_the_quotation_is_what_was_reported_without_its_frame(result: str, quote: str) -> None:
    assert failed(ToolTrace(name="run_it", result=result)) == quote


PIECES = [
    "1 failed, ",
    "=",
    "= ",
    "1 warning and ",
    "a: ",
    "x: : ",
    " at ",
    "\n    at ",
    "Error: \n at x",
    "Error",
    "A",
]
PIECES += [
    "FAILED (failures=1, ",
    "Tests: 1 failed, ",
    " Tests  1 failed | 1 x",
    "FAIL\t",
    "a:1:1: error",
    "1",
    "HTTP ",
]
PIECES += [
    "error: ",
    "make: *** Error 1 ",
    "npm ERR! ",
    "fatal: ",
    "a(1,1): error TS1",
    ".",
    "\n}",
    "\n a: b",
    "\t",
    " ",
]
HOSTILE = [
    (lead + piece * 1_000)[: 1_000 - len(end)] + end
    for piece in PIECES
    for lead in ("", "Error: x\n at y")
    for end in ("", "!")
]


def seconds(form: Form, text: str) -> float:
    started = time.perf_counter()
    form.said(text)
    return time.perf_counter() - started


@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.name)
def test_no_pattern_is_slow_on_a_thousand_hostile_characters(form: Form) -> None:
    assert all(min(seconds(form, text) for _ in range(3)) < 0.005 for text in HOSTILE)


def reading(text: str) -> float:
    started = time.perf_counter()
    failed(ToolTrace(name="run_it", result=text))
    return time.perf_counter() - started


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
def test_all_patterns_together_are_not_slow_on_a_thousand_hostile_characters(text: str) -> None:
    assert min(reading(text) for _ in range(3)) < 0.005
