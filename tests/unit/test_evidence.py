"""What a review sees: bounded, detached, cheap however long the run, and truthful about what is missing."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any, SupportsIndex, overload

import pytest
from hypothesis import given
from hypothesis import strategies as st

from foureyes.core.config import EvidenceConfig
from foureyes.core.evidence import Window, contains, evidence, has_new_work, newest, window
from foureyes.core.facts import EarlierNote, Message, Review, ToolCall
from foureyes.core.ledger import new_request
from foureyes.core.messages import MessageError
from foureyes.core.render import advisory
from foureyes.core.schedule import Call
from foureyes.core.state import NoteStatus, SessionState
from foureyes.core.words import Trigger
from foureyes.testing import turn_messages

from .builders import CONCERN, record

STATE = SessionState(id="s", nonce="0" * 32)
BOUNDS = EvidenceConfig()
MARKER = re.compile(r"\[shortened for review: (\d+) characters left out]")


def human(text: str) -> dict[str, Any]:
    """Return a message of the human."""
    return {"role": "user", "content": text}


def said(text: str) -> dict[str, Any]:
    """Return a message of the agent."""
    return {"role": "assistant", "content": text}


def called(*ids: str) -> dict[str, Any]:
    """Return a message in which the agent calls tools."""
    calls = [{"id": one, "function": {"name": f"tool-{one}", "arguments": f'{{"of": "{one}"}}'}} for one in ids]
    return {"role": "assistant", "content": None, "tool_calls": calls}


def result(call: str, text: str, **more: Any) -> dict[str, Any]:
    """Return the result of a tool call."""
    return {"role": "tool", "tool_call_id": call, "content": text, **more}


def seen(messages: Sequence[object], **bounds: int) -> Window:
    """Return what is seen of the messages, of which all are allowed unless said otherwise."""
    return window(STATE, messages, EvidenceConfig(**({"max_messages": 32} | bounds)))


def review(messages: Sequence[object], state: SessionState = STATE, answer: str | None = None) -> Review:
    """Return what a reviewer is told."""
    call = Call(reviewer="correctness", trigger=Trigger.FINISH, turn=7, round=1, since=3)
    return evidence(state, call, window(state, messages, BOUNDS), answer, 12.5)


# --- bounds ---


@pytest.mark.parametrize(("length", "shown"), [(0, 0), (1, 1), (31, 31), (32, 32), (33, 32), (200, 32)])
def test_the_newest_messages_are_shown_and_the_rest_is_counted(length: int, shown: int) -> None:
    messages = [said(f"message {number}") for number in range(length)]
    here = seen(messages)
    assert [message.text for message in here.messages] == [one["content"] for one in messages[length - shown :]]
    assert here.elided == length - shown


def test_a_message_of_exactly_the_limit_is_shown_whole() -> None:
    assert seen([said("x" * 4_000)]).messages[0].text == "x" * 4_000


def test_a_longer_message_is_cut_in_the_middle_and_says_how_much_is_missing() -> None:
    """As in https://github.com/can1357/oh-my-pi/issues/12777: our own cut was taken for the agent's."""
    text = "A" * 9_000 + "B" * 9_220
    [message] = seen([result("c", text)]).messages
    assert len(message.text) <= 4_000
    [missing] = MARKER.findall(message.text)
    kept = MARKER.sub("", message.text).count("A") + MARKER.sub("", message.text).count("B")
    assert int(missing) == len(text) - kept


def test_the_end_of_a_long_result_is_kept() -> None:
    """As in https://github.com/NousResearch/hermes-agent/issues/70699: the summary at the end was cut off."""
    [message] = seen([result("c", "log line\n" * 6_000 + "412 passed")]).messages
    assert message.text.startswith("log line")
    assert message.text.endswith("412 passed")


def test_old_messages_go_before_new_ones_are_cut() -> None:
    messages = [said(letter * 3_000) for letter in "abcde"]
    here = seen(messages, max_chars=7_000)
    assert [message.text[0] for message in here.messages] == ["c", "d", "e"]
    assert here.messages[1].text == "d" * 3_000
    assert len(here.messages[0].text) <= 1_000
    assert MARKER.search(here.messages[0].text)
    assert here.elided == 2


@given(st.lists(st.integers(1, 6_000), max_size=12), st.integers(100, 9_000))
def test_no_message_is_cut_without_saying_so(sizes: list[int], chars: int) -> None:
    messages = [said("x" * size) for size in sizes]
    here = seen(messages, max_chars=chars)
    for message, size in zip(here.messages[::-1], sizes[::-1], strict=False):
        assert len(message.text) == size or MARKER.search(message.text)


def test_the_newest_message_is_shown_whatever_the_budget() -> None:
    here = seen([said("old"), said("x" * 90_000)], max_chars=100)
    assert [len(message.text) <= 100 for message in here.messages] == [True]
    assert here.elided == 1


@given(
    sizes=st.lists(st.integers(0, 9_000), max_size=60),
    most=st.integers(1, 50),
    chars=st.integers(100, 40_000),
)
def test_what_is_shown_and_what_is_elided_is_all_there_is(sizes: list[int], most: int, chars: int) -> None:
    messages = [said("x" * size) for size in sizes]
    here = seen(messages, max_messages=most, max_chars=chars)
    assert len(here.messages) + here.elided == len(messages)
    assert len(here.messages) <= most
    assert sum(len(message.text) for message in here.messages) <= chars
    assert not messages or here.messages


@pytest.mark.parametrize(("length", "kept"), [(8_000, 8_000), (8_001, None), (50_000, None)])
def test_a_long_answer_is_cut_with_a_marker(length: int, kept: int | None) -> None:
    answer = review([], answer="x" * length).answer
    assert answer is not None
    assert len(answer) <= 8_000
    assert (len(answer) == kept) or MARKER.search(answer)


@pytest.mark.parametrize("steps", [1, 50, 2_000])
def test_the_size_of_a_review_does_not_follow_the_size_of_the_run(steps: int) -> None:
    messages = [human("Do it."), *(one for step in range(steps) for one in turn_messages(step))]
    told = review(messages, answer="x" * 100_000)
    assert len(repr(told)) < 2 * (BOUNDS.max_chars + 8_000 + 32 * 2_000)


# --- a long run ---


def test_in_a_long_run_the_task_is_there_and_what_we_injected_is_no_human() -> None:
    """The reference lost both: the task fell out of the window, and who said what was forgotten."""
    state = new_request(STATE, "Move the totals to euros.")
    ours = {"role": "user", "content": advisory(state.nonce, "a1", [record("n1")], finish=False).text}
    nudge = {"role": "user", "content": "Go on.", "human": False}
    messages = [human("Move the totals to euros."), *(said(f"step {number}") for number in range(196)), ours, nudge,
                human("And mind the taxes.")]  # fmt: skip
    told = review(messages, state)
    assert len(messages) == 200
    assert told.request == "Move the totals to euros."
    assert told.elided == 200 - len(told.messages)
    assert [message.text for message in told.messages if message.by_human] == ["And mind the taxes."]
    assert [message.human for message in told.messages[-3:]] == [False, False, None]


def test_the_last_user_message_is_the_humans_and_not_ours() -> None:
    """As in https://github.com/NousResearch/hermes-agent/issues/58039: the agent thanked the user for our advice."""
    ours = {"role": "user", "content": advisory(STATE.nonce, "a1", [record("n1")], finish=False).text}
    humans = [message.text for message in seen([human("Use tabs."), ours]).messages if message.by_human]
    assert humans == ["Use tabs."]


class Counting(Sequence[object]):
    """A transcript of any length that counts how often it is looked into."""

    def __init__(self, length: int, tail: Sequence[object]) -> None:
        self.length, self.tail, self.touched = length, tail, 0

    def __len__(self) -> int:
        return self.length

    @overload
    def __getitem__(self, place: int) -> object: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[object]: ...
    def __getitem__(self, place: int | slice) -> object:
        self.touched += 1
        assert isinstance(place, int), "no copies"
        return self.tail[(place % self.length) % len(self.tail)]

    def __iter__(self) -> Iterator[object]:
        raise AssertionError("nobody walks the whole transcript")


@pytest.mark.parametrize(
    "tail", [[said("x")], [called("c"), result("c", "y")], [human("x")]], ids=["words", "tools", "human"]
)
def test_of_a_million_messages_only_the_newest_are_touched(tail: Sequence[object]) -> None:
    transcript = Counting(10**6, tail)
    here = window(STATE, transcript, BOUNDS)
    assert here.elided == 10**6 - 32
    assert transcript.touched <= 32 + 3 * 32


def test_new_work_is_looked_for_only_since_the_last_review() -> None:
    transcript = Counting(10**6, [said("ok")])
    assert not has_new_work(transcript, 10**6 - 5)
    assert transcript.touched == 5


class Text(str):
    """A long text that counts how many characters of it are looked at."""

    touched = 0

    def __getitem__(self, place: SupportsIndex | slice) -> str:
        taken = str.__getitem__(self, place)
        Text.touched += len(taken)
        return taken

    def __iter__(self) -> Iterator[str]:
        raise AssertionError("nobody walks a whole text")


def test_of_huge_messages_only_what_is_shown_is_touched() -> None:
    Text.touched = 0
    huge = Text("x" * 2_000_000)
    here = seen([result(f"c{number}", huge) for number in range(32)])
    assert sum(len(message.text) for message in here.messages) <= BOUNDS.max_chars
    assert Text.touched <= 2 * BOUNDS.max_chars


def test_of_many_further_messages_that_are_no_work_the_newest_are_read_and_the_rest_counts_as_work() -> None:
    transcript = Counting(10**6, [said("ok")])
    assert has_new_work(transcript, 10**6 - 65)
    assert transcript.touched == 64
    assert not has_new_work(transcript, 10**6 - 64)


# --- taken along, to be shown later ---


@pytest.mark.parametrize(
    "bounds", [{}, {"max_messages": 2}, {"max_tools": 0}, {"max_messages": 3, "max_tools": 5}], ids=repr
)
def test_the_window_over_the_newest_messages_is_the_one_over_all_of_them(bounds: dict[str, int]) -> None:
    messages = [message for turn in range(1, 120) for message in turn_messages(turn)]
    limits = EvidenceConfig(**bounds)
    kept = newest(messages, limits)
    assert window(STATE, kept, limits, older=len(messages) - len(kept)) == window(STATE, messages, limits)


@pytest.mark.parametrize(
    ("tail", "most"),
    [([said("x")], 32 + 3 * 32), ([called("a"), result("a", "y")], 64), ([called(*"abcdefgh")], 32)],
)
def test_no_more_messages_are_taken_along_than_a_window_looks_at(tail: Sequence[object], most: int) -> None:
    transcript = Counting(10**6, tail)
    assert len(newest(transcript, BOUNDS)) == transcript.touched == most


# --- the rest of a review ---


def test_a_review_says_what_it_is_about() -> None:
    told = review([human("Do it.")], new_request(STATE, " Do it. "), answer="Done.")
    assert (told.key.rpartition(":")[0], told.session) == ("s:7:correctness:finish", "s")
    assert told.reviewer == "correctness"
    assert (told.trigger, told.turn, told.since, told.round, told.attempt) == (Trigger.FINISH, 7, 3, 1, 1)
    assert (told.request, told.answer, told.timeout_seconds) == ("Do it.", "Done.", 12.5)


def test_a_review_lists_what_its_reviewer_has_told_the_agent_and_nothing_else() -> None:
    notes = [
        record("sent", status=NoteStatus.SENT, key="k", turn=2),
        record("queued"),
        record("handed", status=NoteStatus.HANDED_OVER),
        record("other", status=NoteStatus.SENT, reviewers=("scope",)),
        record("both", status=NoteStatus.SENT, reviewers=("scope", "correctness"), turn=4),
    ]
    state = SessionState(id="s", nonce="0" * 32, notes={note.id: note for note in notes})
    assert review([], state).earlier == (
        EarlierNote(text="sent", severity=CONCERN, turn=2, key="k"),
        EarlierNote(text="both", severity=CONCERN, turn=4),
    )


def test_of_many_earlier_notes_the_newest_32_are_shown() -> None:
    notes = {f"n{number}": record(f"n{number}", status=NoteStatus.SENT) for number in range(40)}
    told = review([], SessionState(id="s", nonce="0" * 32, notes=notes))
    assert [note.text for note in told.earlier] == [f"n{number}" for number in range(8, 40)]


def test_an_empty_transcript_is_shown_as_empty() -> None:
    told = review([])
    assert (told.messages, told.elided, told.tools) == ((), 0, ())


def test_a_view_is_detached_from_what_the_host_changes_later() -> None:
    messages = [human("Do it."), called("a")]
    here = seen(messages)
    messages[0]["content"] = "changed"
    messages[1]["tool_calls"].clear()
    messages.append(said("more"))
    assert here.messages[0].text == "Do it."
    assert len(here.messages[1].tool_calls) == 1


# --- new work ---


@pytest.mark.parametrize(
    ("message", "work"),
    [
        (said("I moved the totals."), True),
        (called("a"), True),
        (result("a", ""), True),
        ({"role": "function", "content": ""}, True),
        (said("OK."), False),
        (said("Looks good!"), False),
        (said(""), False),
        (said("   ...  "), False),
        ({"role": "assistant", "content": None}, False),
        (human("Go on."), False),
        ({"role": "system", "content": "Be brief."}, False),
        ({"role": "developer", "content": "Be brief."}, False),
        (Message(role="assistant", text="I moved the totals."), True),
        (Message(role="assistant", tool_calls=(ToolCall(name="a"),)), True),
        (Message(role="user", text="Go on."), False),
    ],
    ids=repr,
)
def test_work_is_what_the_agent_did(message: object, work: bool) -> None:
    assert has_new_work([human("Do it."), message], 1) is work


def test_work_before_the_last_review_is_not_new() -> None:
    assert not has_new_work([said("I moved the totals."), human("Thanks.")], 1)


def test_a_transcript_that_has_become_shorter_counts_as_new() -> None:
    """As in a host that compacts: what was rewritten has not been reviewed."""
    assert has_new_work([human("Do it.")], 5)


@pytest.mark.parametrize("wrong", [None, 7, object(), {"content": "x"}, {"role": 3}, "text"])
def test_what_is_no_message_is_refused(wrong: object) -> None:
    with pytest.raises(MessageError, match="must have a role"):
        seen([human("Do it."), wrong])
    with pytest.raises(MessageError, match="must have a role"):
        has_new_work([human("Do it."), wrong], 1)


# --- what a transcript contains ---


@pytest.mark.parametrize(("behind", "found"), [(0, True), (63, True), (64, False)])
def test_a_text_is_looked_for_in_the_newest_messages(behind: int, found: bool) -> None:
    assert contains([said("... fe-1-abc ..."), *[said("x")] * behind], "fe-1-abc") is found


def test_a_text_is_found_in_parts_and_objects_too() -> None:
    assert contains([{"role": "user", "content": [{"type": "text", "text": "fe-1-abc"}]}], "fe-1-abc")
    assert contains([Message(role="user", text="fe-1-abc")], "fe-1-abc")
    assert not contains([{"role": "user", "content": None}, object()], "fe-1-abc")
