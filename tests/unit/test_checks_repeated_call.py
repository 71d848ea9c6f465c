"""The check for a tool call that is made again and again with the same outcome."""

from __future__ import annotations

from dataclasses import replace

import pytest

from foureyes.core.facts import Anchor, Message, Note, Review, ToolCall, ToolTrace
from foureyes.core.words import Severity, Trigger
from foureyes_reviewers.checks.repeated_call import PATIENT_CALLS, SAME_CALLS, repeated_call

SEARCH = ToolTrace(name="search", arguments='{"q": "rope", "page": 1}', result="No results", call_id="c1")
BROKEN = ToolTrace(name="create_ticket", arguments='{"title": "x"}', result="Error: the queue is closed")
EDIT = ToolTrace(name="edit_file", arguments='{"path": "a.py"}', result="ok")
LOOK = ToolTrace(name="read_file", arguments='{"path": "a.py"}', result="print(1)")


def notes(*tools: ToolTrace, trigger: Trigger = Trigger.PERIODIC, **facts: object) -> tuple[Note, ...]:
    review = Review(session="s", reviewer="r", trigger=trigger, turn=9, since=0, round=0, request="")
    return repeated_call(replace(review, tools=tools, **facts))  # type: ignore[arg-type]


def bash(command: str, result: str) -> ToolTrace:
    return ToolTrace(name="bash", arguments=f'{{"command": "{command}"}}', result=result)


def said(role: str, *calls: str) -> Message:
    return Message(role=role, text="words", tool_calls=tuple(ToolCall(name=name) for name in calls))


@pytest.mark.parametrize("trace", [SEARCH, BROKEN, LOOK], ids=["look", "failure", "file"])
def test_the_third_identical_call_with_the_same_outcome_is_a_concern(trace: ToolTrace) -> None:
    assert notes(trace, trace) == ()
    (note,) = notes(trace, trace, trace)
    assert note.severity is Severity.CONCERN
    assert "3 times" in note.text
    assert trace.name in note.text


def test_three_is_the_number_because_one_retry_tells_a_fluke_from_a_fact() -> None:
    assert SAME_CALLS == 3


def test_a_further_repeat_keeps_the_key_and_counts_on() -> None:
    third, fourth = notes(*[SEARCH] * 3), notes(*[SEARCH] * 4)
    assert third[0].key == fourth[0].key
    assert "4 times" in fourth[0].text


def test_the_key_names_the_tool_and_differs_between_arguments_and_tools() -> None:
    other_arguments = replace(SEARCH, arguments='{"q": "rope", "page": 2}')
    other_tool = replace(SEARCH, name="find")
    keys = [notes(*[trace] * 3)[0].key or "" for trace in (SEARCH, other_arguments, other_tool)]
    assert len(set(keys)) == 3
    assert keys[0].startswith("repeated-call:search:")


def test_key_order_and_white_space_of_json_arguments_do_not_matter() -> None:
    written = ['{"q": "rope", "page": 1}', '{"page":1,"q":"rope"}', '\n{ "page" : 1 ,\t"q":"rope" }']
    (note,) = notes(*[replace(SEARCH, arguments=arguments) for arguments in written])
    assert note.key == notes(*[SEARCH] * 3)[0].key


@pytest.mark.parametrize(
    "arguments",
    [
        ['{"q": "rope"}', '{"q": "ro pe"}', '{"q": "rope "}'],
        ['{"n": 1}', '{"n": 2}', '{"n": "1"}'],
        ["rope", "ROPE", "ro pe"],
        ['{"q": [1, 2]}', '{"q": [2, 1]}', '{"q": [1]}'],
    ],
)
def test_different_arguments_are_different_calls(arguments: list[str]) -> None:
    assert notes(*[replace(SEARCH, arguments=a) for a in arguments]) == ()


@pytest.mark.parametrize("arguments", ["", "{}", "rope", "{not json", "[" * 800, '{"x": "\\ud800"}', "日本語"])
def test_arguments_need_not_be_json_objects(arguments: str) -> None:
    assert len(notes(*[replace(SEARCH, arguments=arguments)] * 3)) == 1


@pytest.mark.parametrize("trace", [SEARCH, BROKEN])
def test_different_results_are_silent(trace: ToolTrace) -> None:
    assert notes(*[replace(trace, result=f"Error: attempt {n}") for n in range(3)]) == ()


@pytest.mark.parametrize("between", ["other", "pending", None])
def test_another_result_of_the_same_call_in_between_starts_the_count_again(between: str | None) -> None:
    other = replace(SEARCH, result=between)
    assert notes(SEARCH, SEARCH, other, SEARCH, SEARCH) == ()
    assert notes(SEARCH, SEARCH, SEARCH, other) == ()
    assert len(notes(other, SEARCH, SEARCH, SEARCH)) == 1


def test_a_result_that_is_not_there_yet_is_silent() -> None:
    assert notes(*[replace(SEARCH, result=None)] * 5) == ()


MAY_PASS = [
    '{"state": "pending"}',
    "still running",
    "in progress",
    "Error: rate limit exceeded",
    "Error: 503 Service Unavailable",
    "Error: timed out",
    "Error: connection reset by peer",
    "Error: the file is busy",
]


@pytest.mark.parametrize("result", MAY_PASS)
def test_an_outcome_that_may_pass_by_itself_is_silent(result: str) -> None:
    assert notes(*[replace(SEARCH, result=result)] * 5) == ()


TRANSIENT = [
    "Error: rate limit exceeded",
    "Error: timed out waiting for the server",
    "503 Service Unavailable",
    "HTTP 429",
    "bash: connection refused\nexit code 7",
    '{"error": "temporarily overloaded"}',
]


@pytest.mark.parametrize("result", TRANSIENT)
def test_a_failure_that_may_pass_is_a_concern_once_it_has_not_passed_for_six_calls(result: str) -> None:
    trace = ToolTrace(name="fetch", arguments="{}", result=result)
    assert notes(*[trace] * (PATIENT_CALLS - 1)) == ()
    (note,) = notes(*[trace] * PATIENT_CALLS)
    assert note.severity is Severity.CONCERN
    assert "6 times" in note.text


def test_six_is_twice_as_patient_as_three() -> None:
    assert PATIENT_CALLS == 2 * SAME_CALLS


@pytest.mark.parametrize("between", ["ok", "HTTP 500", None])
def test_six_failures_that_may_pass_have_to_be_in_a_row(between: str | None) -> None:
    trace = ToolTrace(name="fetch", arguments="{}", result="HTTP 503")
    assert notes(*[trace] * 4, replace(trace, result=between), *[trace] * 4) == ()


@pytest.mark.parametrize(
    "result", ["still running", "pending", "Error: the job is still running", "Error: not ready", '{"error": "queued"}']
)
def test_work_that_is_under_way_may_be_asked_for_as_often_as_it_takes(result: str) -> None:
    assert notes(*[ToolTrace(name="get_result", arguments="{}", result=result)] * 20) == ()


@pytest.mark.parametrize(
    "result", ["running 3 tests\ntest result: FAILED. 2 passed; 1 failed;", "Tests: 1 failed, 2 pending, 3 total"]
)
def test_tests_that_a_runner_calls_running_or_pending_do_not_pass_by_themselves(result: str) -> None:
    assert len(notes(*[ToolTrace(name="run_tests", arguments="{}", result=result)] * 3)) == 1


def test_a_file_that_contains_the_word_pending_does_not_pass_by_itself() -> None:
    assert len(notes(*[replace(LOOK, result="# pending work")] * 3)) == 1


EFFECTS = ["press_next", "scroll_down", "send_message", "get_or_create", "get_status", "wait", "list_jobs", "読む", ""]


@pytest.mark.parametrize("name", EFFECTS)
def test_success_of_a_tool_that_may_act_or_wait_is_silent(name: str) -> None:
    assert notes(*[ToolTrace(name=name, arguments="{}", result="done")] * 5) == ()


@pytest.mark.parametrize("name", EFFECTS)
def test_failure_of_any_tool_counts(name: str) -> None:
    assert len(notes(*[ToolTrace(name=name, arguments="{}", result="Error: no such place")] * 3)) == 1


@pytest.mark.parametrize("name", ["search", "get_order", "fs__readFile", "mcp__shop__list_items", "lookupUser", "Grep"])
def test_tools_that_only_look_are_known_by_their_names(name: str) -> None:
    assert len(notes(*[ToolTrace(name=name, arguments="{}", result="the same")] * 3)) == 1


@pytest.mark.parametrize(
    "command", ["cat a.py", "ls -la src", "git diff HEAD~1", "grep -rn token src", "find . -name x"]
)
def test_shell_commands_that_only_look_are_known(command: str) -> None:
    assert len(notes(*[bash(command, "the same")] * 3)) == 1


@pytest.mark.parametrize(
    "command",
    [
        "make",
        "cat a > b",
        "ls; rm a",
        "ls && ./next",
        "find . -delete",
        "tail -f log",
        "cat $(next)",
        "git pull",
        "lsof",
    ],
)
def test_other_shell_commands_may_act_and_are_silent_where_they_succeed(command: str) -> None:
    assert notes(*[bash(command, "the same")] * 5) == ()


@pytest.mark.parametrize(
    ("command", "known"),
    [
        ('["bash", "-lc", "ls src"]', True),
        ('["sh", "-c", "ls src"]', True),
        ('["bash", "-lc", "./next"]', False),
        ('["ssh", "host", "ls"]', False),
        ('["bash", "-c", "ls", "src"]', False),
        ('["bash", "-c"]', False),
        ('["ls"]', False),
        ('["-c"]', False),
        ("[]", False),
        ("5", False),
    ],
)
def test_a_command_may_be_a_list_for_a_shell(command: str, known: bool) -> None:
    trace = ToolTrace(name="bash", arguments=f'{{"command": {command}}}', result="the same")
    assert len(notes(*[trace] * 3)) == known


def test_a_look_in_between_changes_nothing() -> None:
    assert len(notes(SEARCH, LOOK, SEARCH, LOOK, SEARCH)) == 1


def test_anything_else_in_between_may_have_changed_the_outcome() -> None:
    for trace in (LOOK, SEARCH, BROKEN):
        assert notes(trace, EDIT, trace, EDIT, trace) == ()
        assert notes(trace, trace, EDIT, trace) == ()
        assert notes(trace, trace, trace, EDIT) == ()


def test_another_failure_in_between_may_have_changed_the_outcome_too() -> None:
    assert notes(BROKEN, bash("make x", "exit code 2\nx"), BROKEN, bash("make y", "exit code 2\ny"), BROKEN) == ()


def test_the_count_starts_again_after_a_change() -> None:
    (note,) = notes(LOOK, EDIT, LOOK, LOOK, LOOK)
    assert "3 times" in note.text


def test_each_repeated_call_has_its_own_note_in_the_order_of_the_calls() -> None:
    found = notes(*[SEARCH, LOOK] * 3)
    assert [note.key.split(":")[1] for note in found if note.key] == ["search", "read_file"]


def test_arguments_that_may_have_been_cut_are_not_compared() -> None:
    assert len(notes(*[replace(SEARCH, arguments="x" * 899)] * 3)) == 1
    assert notes(*[replace(SEARCH, arguments="x" * 900)] * 3) == ()


def test_at_a_finish_it_is_a_nit_because_the_loop_is_over() -> None:
    (note,) = notes(*[SEARCH] * 3, trigger=Trigger.FINISH, answer="done")
    assert note.severity is Severity.NIT


def test_a_human_may_have_changed_the_outcome() -> None:
    before = [said("user"), said("assistant", "search", "search"), said("tool"), said("tool")]
    after = [said("user"), said("assistant", "search"), said("tool")]
    assert notes(*[SEARCH] * 3, messages=(*before, *after)) == ()
    assert len(notes(*[SEARCH] * 3, messages=tuple(before + after[1:]))) == 1


def test_calls_after_the_human_are_counted_by_themselves() -> None:
    messages = (said("user"), said("assistant", "search"), said("user"), said("assistant", *["search"] * 3))
    (note,) = notes(*[SEARCH] * 4, messages=messages)
    assert "3 times" in note.text


def test_where_no_message_shows_its_calls_a_human_who_only_began_the_run_is_no_obstacle() -> None:
    assert len(notes(*[SEARCH] * 3, messages=(said("system"), said("user"), said("assistant")))) == 1
    assert notes(*[SEARCH] * 3, messages=(said("user"), said("assistant"), said("user"), said("assistant"))) == ()


def test_results_are_counted_where_they_are_more_than_the_shown_calls() -> None:
    messages = (said("assistant"), said("user"), said("assistant", "search"), *[said("tool")] * 3)
    assert len(notes(*[SEARCH] * 3, messages=messages)) == 1


def test_an_advisory_is_no_human() -> None:
    advisory = Message(role="user", text="advice", human=False)
    messages = (said("user"), said("assistant", "search", "search"), advisory, said("assistant", "search"))
    assert len(notes(*[SEARCH] * 3, messages=messages)) == 1


def test_calls_older_than_the_shown_messages_prove_nothing() -> None:
    shown = (said("assistant", "search"), said("tool"), said("assistant", "search"), said("tool"))
    assert notes(*[SEARCH] * 3, messages=shown, elided=4) == ()
    assert len(notes(*[SEARCH] * 3, messages=shown, elided=0)) == 1


def test_the_note_is_anchored_at_the_last_call() -> None:
    last = replace(SEARCH, call_id="c3")
    assert notes(SEARCH, SEARCH, last)[0].anchor == Anchor(call="c3")
    assert notes(*[replace(SEARCH, call_id="")] * 3)[0].anchor == Anchor(call="search")


def test_the_note_says_what_was_seen_and_what_to_do_on_one_short_line() -> None:
    loud = replace(BROKEN, arguments='{"title": "' + "long\\n" * 100 + '"}', result=f"Error: {'x' * 500}\nsecond line")
    text = notes(*[loud] * 3)[0].text
    assert "\n" not in text
    assert len(text) < 500
    assert "Change the arguments" in text
    assert "second line" not in text
    assert 'failed each time with "Error: the queue is closed"' in notes(*[BROKEN] * 3)[0].text
