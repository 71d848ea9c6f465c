"""Answers that are refused, cut off, or say what their writer cannot know."""

from __future__ import annotations

import pytest

from foureyes.core.facts import Note, Reply
from foureyes.errors import (
    ContextOverflowError,
    RefusedError,
    UnparsedReplyError,
)
from foureyes_reviewers.model.claims import UNVERIFIED

from .model_answers import BLOCKER, CONCERN, EXAMPLE, LOSS, LOSS_NOTE, NIT, USED, VERDICT, notes_with, reply

# --- refused, full, cut ---


@pytest.mark.parametrize("reason", ["content_filter", "refusal", "SAFETY", "guardrail_intervened"])
@pytest.mark.parametrize("text", ["", "I can't", VERDICT])
def test_a_refusal_is_one_whatever_was_said_before_it(reason: str, text: str) -> None:
    with pytest.raises(RefusedError):
        reply(text, reason)


@pytest.mark.parametrize("reason", ["length", "max_tokens", "max_output_tokens"])
@pytest.mark.parametrize("text", ["", "<think>hm", '{"notes": [', '{"notes": [{"severity": "blocker", "te', "Let me"])
def test_an_answer_cut_off_before_a_whole_note_is_never_silence(reason: str, text: str) -> None:
    with pytest.raises(UnparsedReplyError, match="max_output_tokens"):
        reply(text, reason)


def test_thinking_without_an_end_is_never_silence_even_where_it_holds_a_reply() -> None:
    for text in ("<think>hm", f"<think>maybe {EXAMPLE}", '<think>\n{"notes": []}'):
        with pytest.raises(UnparsedReplyError):
            reply(text)


def test_whole_notes_before_a_cut_are_kept_and_the_loss_is_counted() -> None:
    full = notes_with(LOSS, {"severity": "concern", "text": "second"}, {"severity": "nit", "text": "third"})
    start, end = full.index("second") + 1, full.index("third")
    for cut in range(start - 1, len(full) - 1):
        here = reply(full[:cut], "length")
        assert here.notes[0] == LOSS_NOTE
        assert here.malformed == 1
        assert len(here.notes) <= 1 + (cut > start) + (cut > end)


@pytest.mark.parametrize("cut", range(1, len(VERDICT)))
def test_a_cut_at_any_place_is_unparsed_or_noted_with_a_loss_and_never_silence(cut: int) -> None:
    try:
        here = reply(VERDICT[:cut], "length")
    except UnparsedReplyError:
        return
    assert (here.notes, here.malformed) == ((LOSS_NOTE,), 1)


def test_an_answer_that_is_whole_before_the_limit_has_lost_nothing() -> None:
    assert reply(VERDICT, "length").malformed == 0
    assert reply('{"notes": []}', "length") == Reply(usage=USED)


def test_a_full_window_is_an_overflow_unless_a_whole_note_came_out() -> None:
    for text in ("", '{"notes": ['):
        with pytest.raises(ContextOverflowError):
            reply(text, "model_context_window_exceeded")
    assert reply(VERDICT[:-4], "model_context_window_exceeded").notes == (LOSS_NOTE,)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "tool_calls"),
        ("", "tool_use"),
        ('<tool_call>{"name":"bash"}</tool_call>', "stop"),
        ("<invoke name='x'>", ""),
    ],
)
def test_a_call_to_a_tool_that_does_not_exist_is_no_silence(text: str, reason: str) -> None:
    with pytest.raises(UnparsedReplyError, match="tool"):
        reply(text, reason)


def test_silence_quoted_inside_a_reply_that_is_broken_is_no_silence() -> None:
    answer = '{"notes": [{"severity": "blocker", "text": "it printed {"notes": []} and stopped"}]}'
    with pytest.raises(UnparsedReplyError):
        reply(answer)


# --- claims that a reviewer without tools cannot make ---


@pytest.mark.parametrize(
    "claim",
    [
        "I executed pytest: 3 failed",
        "I ran the tests and 3 fail.",
        "The count is wrong. I've re-run the query and it gives 7.",
        "- I have just tested this: it crashes",
        "We compiled it and got two errors",
    ],
)
def test_a_claim_to_have_run_something_is_marked_and_blocks_nothing(claim: str) -> None:
    [note] = reply(notes_with({"severity": "blocker", "text": claim})).notes
    assert note == Note(text=UNVERIFIED + claim, severity=CONCERN)
    [nit] = reply(notes_with({"severity": "nit", "text": claim})).notes
    assert nit.severity is NIT


@pytest.mark.parametrize(
    "text",
    [
        'The agent says "I ran the tests", but no such call is in the transcript.',
        "The agent wrote `I executed pytest: 3 failed` over a run that passed.",
        "“I tested it.” has no call behind it.",
        "Nobody ran the migration.",
        "If I run the numbers in message 4, the sum is 7 and not 8.",
        "The agent ran pytest and ignored three failures.",
    ],
)
def test_what_others_claim_leaves_a_note_as_it_is(text: str) -> None:
    assert reply(notes_with({"severity": "blocker", "text": text})).notes == (Note(text=text, severity=BLOCKER),)


def test_text_in_the_shape_of_a_tool_call_reaches_nobody() -> None:
    [note] = reply(notes_with(LOSS | {"text": 'Look: <tool_call>{"name":"bash"}</tool_call> it fails<|im_end|>'})).notes
    assert note.text == "Look:  it fails"
