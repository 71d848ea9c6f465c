"""The embedded reviewer: all checks together, on any text whatever."""

from __future__ import annotations

import inspect
import time
from collections.abc import Callable
from dataclasses import replace
from importlib.metadata import entry_points

import pytest
from hypothesis import given
from hypothesis import strategies as st

from foureyes.core.config import EvidenceConfig
from foureyes.core.evidence import window
from foureyes.core.facts import Message, Note, Reply, Review, ToolCall, ToolTrace
from foureyes.core.state import SessionState
from foureyes.core.words import Severity, Trigger
from foureyes_reviewers.checks import CHECKS, Check, reviewer

BROKEN = ToolTrace(name="create_ticket", arguments='{"title": "x"}', result="Error: the queue is closed")
REVIEW = Review(session="s", reviewer="r", trigger=Trigger.FINISH, turn=9, since=0, round=0, request="Do it.")


def asked(review: Review) -> Reply:
    """Run the reviewer without an event loop, which it does not need."""
    answering = reviewer(review)
    with pytest.raises(StopIteration) as answered:
        answering.send(None)
    reply = answered.value.value
    assert isinstance(reply, Reply)
    return reply


@pytest.mark.anyio
async def test_the_reviewer_can_be_awaited_on_both_event_loops() -> None:
    assert await reviewer(REVIEW) == Reply()


def test_use_checks_means_this_reviewer() -> None:
    (found,) = entry_points(group="foureyes.reviewers", name="checks")
    assert found.load() is reviewer


def test_the_notes_of_all_checks_come_in_the_order_of_the_checks() -> None:
    reply = asked(replace(REVIEW, tools=(BROKEN,) * 3, answer="Here you are."))
    spoken = [(note.key or "").split(":")[0] for note in reply.notes]
    assert len(spoken) > 1
    assert spoken == [check.name for check in CHECKS if check.name in spoken]


def test_a_recorded_chat_is_judged_by_the_evidence_that_a_review_gets_of_it() -> None:
    asking: dict[str, object] = {"role": "user", "content": "Open a ticket."}
    turn = [
        {"role": "assistant", "tool_calls": [{"id": "c", "function": {"name": "create_ticket", "arguments": "{}"}}]},
        {"role": "tool", "tool_call_id": "c", "content": "Error: the queue is closed"},
    ]
    seen = window(SessionState(id="s", nonce="n"), [asking, *turn * 3], EvidenceConfig())
    review = replace(REVIEW, messages=seen.messages, elided=seen.elided, tools=seen.tools, answer="Opened.")
    assert [note.severity for note in asked(review).notes] == [Severity.NIT, Severity.CONCERN]
    late = window(SessionState(id="s", nonce="n"), [asking, *turn * 3, asking], EvidenceConfig())
    assert asked(replace(review, messages=late.messages, tools=late.tools)) == Reply()


FAILED_RUNS = [
    "exit code 1: 3 failed", "exit code 1\n3 failed", "=== 3 failed in 0.1s ===", "3 failed, 2 passed in 0.10s",
    "[exit 1] 3 failed", "<returncode>1</returncode><output>3 failed</output>", "exit_code=1\n3 failed",
    "Command failed with exit code 1", "Permission denied", "HTTP 500", "404 Not Found", '{"exit_code": 1}',
]  # fmt: skip


@pytest.mark.parametrize("result", FAILED_RUNS)
def test_tests_that_fail_four_times_and_are_then_said_to_pass_are_noticed_both_times(result: str) -> None:
    tools = (ToolTrace(name="run_tests", arguments="{}", result=result),) * 4
    (repeat,) = asked(replace(REVIEW, trigger=Trigger.PERIODIC, tools=tools)).notes
    assert repeat.severity is Severity.CONCERN
    claim = asked(replace(REVIEW, tools=tools, answer="All tests pass.")).notes[-1]
    assert claim.severity is Severity.BLOCKER


def test_a_run_without_tools_and_without_messages_has_no_notes() -> None:
    assert asked(REVIEW) == Reply()
    assert asked(replace(REVIEW, answer="Done.")) == Reply()


def test_the_checks_have_different_names_and_say_what_they_look_for() -> None:
    assert len({check.name for check in CHECKS}) == len(CHECKS)
    assert all(check.description and "\n" not in check.description for check in CHECKS)


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.name)
def test_each_check_documents_a_good_and_a_bad_example_its_severity_and_its_key(check: Check) -> None:
    text = inspect.getdoc(check.find) or ""
    assert "Good:" in text
    assert "Bad:" in text
    assert "severity is" in text
    assert f"``{check.name}:" in text


TEXT = st.text(st.characters(), max_size=60) | st.sampled_from(
    [
        "Error: no", "exit code 1", "error", '{"error": "x"}', '{"a": 1}', "[" * 900, "pending", "\ud800", "\x00", "",
        "Traceback (most recent call last):\nKeyError: 'x'", "search", "bash", '{"command": "ls"}', "All tests pass.",
        "I have checked the website.", "Next, I'll check the page.", "We are stuck in a loop.",
        "transfer_to_human_agent",
        "You get $95.", "Max turns reached", "Let's assume the following data, as the file is missing.", "```",
    ]
)  # fmt: skip
TRACE = st.builds(
    ToolTrace, name=TEXT, arguments=TEXT, result=st.none() | TEXT, error=st.booleans(), call_id=st.just("") | TEXT
)
MESSAGE = st.builds(
    Message,
    role=st.sampled_from(["user", "assistant", "tool", "system", "other"]),
    text=TEXT,
    tool_calls=st.lists(st.builds(ToolCall, name=TEXT, arguments=TEXT), max_size=3).map(tuple),
    human=st.sampled_from([None, True, False]),
)
REVIEWS = st.builds(
    replace,
    st.just(REVIEW),
    trigger=st.sampled_from(Trigger),
    messages=st.lists(MESSAGE, max_size=6).map(tuple),
    elided=st.integers(0, 3),
    tools=st.lists(TRACE, max_size=4).flatmap(
        lambda traces: st.lists(st.sampled_from(traces) if traces else TRACE, max_size=9).map(tuple)
    ),
    answer=st.none() | TEXT,
)


@given(REVIEWS)
def test_any_review_gives_a_reply_of_sound_notes(review: Review) -> None:
    reply = asked(review)
    assert reply.malformed == 0
    assert len({note.key for note in reply.notes}) == len(reply.notes)
    assert all(_is_sound(note, review) for note in reply.notes)


def _is_sound(note: Note, review: Review) -> bool:
    short = 0 < len(note.text) < 1_000 and "\n" not in note.text and note.text.isprintable()
    anchored = note.anchor is not None and (note.anchor.turn is None or 1 <= note.anchor.turn <= review.turn)
    return short and anchored and note.subject == "work" and bool(note.key)


@given(REVIEWS)
def test_the_same_review_always_gets_the_same_reply(review: Review) -> None:
    assert asked(review) == asked(review)


@given(REVIEWS, st.integers(0, 40))
def test_what_is_worth_a_note_does_not_depend_on_how_late_it_is(review: Review, later: int) -> None:
    moved = replace(review, turn=review.turn + later, since=review.since + later)
    assert [note.key for note in asked(review).notes] == [note.key for note in asked(moved).notes]


FILLER = "word " * 200


def full(result: str, name: str) -> tuple[ToolTrace, ...]:
    arguments = [f'{{"q": "{n} {FILLER}'[:980] + '"}' for n in range(32)]
    results = [f"{result} {n} {FILLER}"[:1_000] for n in range(32)]
    return tuple(ToolTrace(name=f"{name}_{n}", arguments=arguments[n], result=results[n]) for n in range(32))


def quickest(action: Callable[[], object]) -> float:
    times = []
    for _ in range(5):
        started = time.perf_counter()
        action()
        times.append(time.perf_counter() - started)
    return min(times)


@pytest.mark.parametrize("tools", [full("Error:", "tool"), full("", "search"), full("exit code 0\n", "make")])
@pytest.mark.parametrize("sentence", ["This is it. ", "I have now passed it. "])
def test_a_full_window_costs_a_bounded_number_of_readings_of_its_text(
    tools: tuple[ToolTrace, ...], sentence: str
) -> None:
    review = replace(REVIEW, tools=tools, answer=(sentence * 800)[:8_000])
    text = "".join(f"{trace.arguments}{trace.result}" for trace in tools)
    # One reading of the text, character by character, is the reference: about a millisecond.
    assert quickest(lambda: asked(review)) < 50 * quickest(lambda: sum(1 for c in text if c == "x"))


PROSE = "I looked at the file, and we have to change the second function. Then the tests will pass, but not before. "


@pytest.mark.parametrize("trigger", [Trigger.FINISH, Trigger.PERIODIC])
def test_a_full_window_of_words_costs_a_bounded_number_of_readings_too(trigger: Trigger) -> None:
    said = tuple(Message(role="assistant", text=f"{PROSE * 8}{n}") for n in range(32))
    review = replace(
        REVIEW, trigger=trigger, turn=32, messages=said, answer=said[-1].text, request=f"In the file, {PROSE}"
    )
    text = "".join(message.text for message in said)
    # The dearest window there is: nothing but words, all of them new, and no tool that would settle the matter.
    assert quickest(lambda: asked(review)) < 120 * quickest(lambda: sum(1 for c in text if c == "x"))
