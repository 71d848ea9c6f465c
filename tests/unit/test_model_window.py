"""Which messages are shown: from a start that seldom moves, and fewer where they do not fit."""

from __future__ import annotations

from typing import Any

import pytest

from foureyes.core.facts import Message, Review, ToolCall, ToolTrace
from foureyes.core.words import Trigger
from foureyes.errors import ContextOverflowError
from foureyes_reviewers.model.window import FRAME, TooLongError, room_after, shrunk, span, steady
from foureyes_reviewers.redaction import Redactor

KEY = "sk-planted-0123456789abcdef"


def review(*messages: Message, **facts: Any) -> Review:
    """Return a review of these messages."""
    usual: dict[str, Any] = {"session": "s", "reviewer": "one", "trigger": Trigger.PERIODIC, "turn": 9, "since": 0}
    return Review(**(usual | {"round": 0, "request": "Do it.", "messages": messages} | facts))


def said(text: str) -> Message:
    """Return a message of the agent."""
    return Message(role="assistant", text=text)


def same(text: str) -> str:
    """Redact nothing."""
    return text


# --- a start that seldom moves ---


def start(elided: int, count: int = 32, **facts: Any) -> int:
    """Return how many messages are not shown of so many further ones."""
    return steady(review(*(said("x" * 100) for _ in range(count)), elided=elided, **facts)).elided


def test_where_nothing_is_left_out_everything_is_shown() -> None:
    seen = review(*(said("x") for _ in range(32)))
    assert steady(seen) is seen


@pytest.mark.parametrize("elided", [1, 2, 15, 16, 17, 40, 99, 1_000_003])
def test_the_window_starts_at_a_multiple_of_half_its_length_and_keeps_half(elided: int) -> None:
    assert start(elided) % 16 == 0
    assert elided < start(elided) <= elided + 16


def test_the_start_moves_once_in_half_a_window() -> None:
    starts = [start(elided) for elided in range(1, 1_601)]
    assert len(set(starts)) == 101
    assert starts == sorted(starts)


def test_what_is_new_is_shown_even_where_the_start_has_to_move_for_it() -> None:
    assert start(1, new=30) == 2
    assert start(1, new=31) == 2
    assert start(1, new=32) == start(1, new=90) == 1


def test_half_of_the_characters_stay_where_the_older_messages_are_the_longer_ones() -> None:
    longer = [said("x" * 4_000) for _ in range(5)]
    seen = steady(review(*longer, *(said("x") for _ in range(11)), elided=13))
    assert span(seen) >= span(review(*longer)) / 2
    assert seen.elided == 14


def test_a_window_does_not_start_with_the_results_of_calls_that_are_left_out() -> None:
    results = [Message(role="tool", text="x" * 100) for _ in range(6)]
    messages = [*(said("x" * 100) for _ in range(10)), *results, *(said("x" * 100) for _ in range(16))]
    seen = steady(review(*messages, elided=4))
    assert seen.messages[0].role == "assistant"
    assert seen.elided == 4 + 16


@pytest.mark.parametrize("count", [1, 2, 3, 4])
def test_a_few_messages_stay_a_few(count: int) -> None:
    seen = steady(review(*(said("x" * 100) for _ in range(count)), elided=7))
    assert 2 * len(seen.messages) >= count
    assert len(seen.messages) + seen.elided == count + 7


# --- what fits ---


def test_the_span_is_messages_and_calls_with_their_labels_and_the_answer() -> None:
    call = ToolCall(name="work", arguments="12345")
    assert span(review(said("abc"), Message(role="assistant", tool_calls=(call,)), answer="xy")) == 10 + 3 * FRAME


def test_the_newest_messages_that_fit_stay_and_the_others_are_counted() -> None:
    smaller = shrunk(review(*(said(f"{n}" * 200) for n in range(5)), elided=7), 500, same)
    assert smaller is not None
    assert [message.text[0] for message in smaller.messages] == ["3", "4"]
    assert smaller.elided == 7 + 3


def test_no_older_message_jumps_over_one_that_does_not_fit() -> None:
    smaller = shrunk(review(said("old"), said("x" * 490), said("new")), 492 + FRAME, same)
    assert smaller is not None
    assert [message.text for message in smaller.messages] == ["new"]


def test_a_newest_message_that_does_not_fit_is_cut_in_the_middle() -> None:
    smaller = shrunk(review(said("start" + "x" * 5_000 + "end")), 500, same)
    assert smaller is not None
    [message] = smaller.messages
    assert (message.text[:5], message.text[-3:], len(message.text) <= 500) == ("start", "end", True)
    assert smaller.elided == 0


def test_the_arguments_of_its_calls_are_cut_too() -> None:
    call = ToolCall(name="write", arguments="y" * 5_000)
    smaller = shrunk(review(Message(role="assistant", text="x" * 5_000, tool_calls=(call,))), 500, same)
    assert smaller is not None
    assert span(smaller) <= 500


def test_an_answer_has_half_the_room_at_most() -> None:
    smaller = shrunk(review(said("x" * 5_000), answer="y" * 5_000), 1_000, same)
    assert smaller is not None
    assert (400 < len(smaller.answer or "") <= 500, span(smaller) <= 1_000) == (True, True)


def test_the_newer_half_of_the_tool_calls_stays() -> None:
    smaller = shrunk(review(said("x"), tools=tuple(ToolTrace(name=str(n)) for n in range(5))), 500, same)
    assert smaller is not None
    assert [trace.name for trace in smaller.tools] == ["2", "3", "4"]


def test_where_nothing_worth_reading_has_room_there_is_no_smaller_review() -> None:
    assert shrunk(review(said("x" * 5_000)), 399, same) is None
    assert shrunk(review(said("x" * 5_000)), 400, same) is not None


@pytest.mark.parametrize("before", range(300, 360, 7))
def test_secrets_are_gone_before_anything_is_cut(before: int) -> None:
    smaller = shrunk(review(said("x " * (before // 2) + KEY + " y" * 5_000)), 500, Redactor([KEY]).redacted)
    assert smaller is not None
    assert "sk-planted" not in smaller.messages[0].text


SAYS_MUCH = "This model's maximum context length is 10000 tokens. However, you requested 20000 tokens"
SAYS_LITTLE = "prompt is too long: 100000 tokens > 10000 maximum"


@pytest.mark.parametrize(
    ("words", "share"),
    [
        (SAYS_MUCH, (0.9 * 10_000 - 2_000) / (20_000 - 2_000)),
        (SAYS_LITTLE, (0.9 * 10_000 - 2_000) / (100_000 - 2_000)),
        ("request (10000 tokens) exceeds\nn_prompt_tokens: 10000\nn_ctx: 4096", (0.9 * 4_096 - 2_000) / 8_000),
        ("n_prompt_tokens: 10000\nn_ctx: 2048", 0.0),
        ("context_length_exceeded", None),
        ("maximum context length is 8000 tokens", None),
        ("maximum context length is 8000 tokens, you requested 100 tokens", None),
        ("maximum context length is 1000 tokens, you requested 1500 tokens", None),
    ],
)
def test_the_share_that_fits_is_read_from_the_providers_words(words: str, share: float | None) -> None:
    found = TooLongError("", words=words).share(2_000)
    assert found == (None if share is None else pytest.approx(share))


@pytest.mark.parametrize(
    ("words", "chars", "room"),
    [
        ("", 40_000, 20_000),
        (SAYS_MUCH, 40_000, int(40_000 * 7_000 / 18_000)),
        (SAYS_LITTLE, 40_000, int(40_000 * 7_000 / 98_000)),
        (SAYS_LITTLE, 20_000, 2_000),
        (SAYS_LITTLE, 3_000, 1_500),
    ],
)
def test_the_next_try_is_half_or_what_fits_or_what_is_worth_a_try(words: str, chars: int, room: int) -> None:
    assert room_after(TooLongError("", words=words), chars, 8_000) == room


def test_an_overflow_that_says_nothing_halves() -> None:
    assert room_after(ContextOverflowError(), 40_000, 10_000) == 20_000
