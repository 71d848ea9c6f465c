"""Which tool calls a review sees, and which result belongs to which."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from foureyes.core.config import EvidenceConfig
from foureyes.core.evidence import Window, window
from foureyes.core.facts import ToolCall, ToolTrace
from foureyes.core.state import SessionState


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
    """Return what is seen of the messages."""
    return window(SessionState(id="s", nonce="0" * 32), messages, EvidenceConfig(**bounds))


def test_calls_and_results_are_paired_by_id_whatever_their_order() -> None:
    messages = [called("a", "b", "c"), result("c", "third"), result("a", "first")]
    assert [(one.name, one.arguments, one.result) for one in seen(messages).tools] == [
        ("tool-a", '{"of": "a"}', "first"),
        ("tool-b", '{"of": "b"}', None),
        ("tool-c", '{"of": "c"}', "third"),
    ]


def test_without_ids_results_belong_to_the_calls_in_their_order() -> None:
    call = {"role": "assistant", "tool_calls": [{"function": {"name": "one"}}, {"function": {"name": "two"}}]}
    messages = [call, {"role": "tool", "content": "first"}, {"role": "tool", "content": "second"}]
    assert [(one.name, one.result) for one in seen(messages).tools] == [("one", "first"), ("two", "second")]


@pytest.mark.parametrize("role", ["function", "tool"])
def test_the_old_form_of_a_call_is_read_too(role: str) -> None:
    messages = [
        {"role": "assistant", "content": None, "function_call": {"name": "look", "arguments": "{}"}},
        {"role": role, "name": "look", "content": "found"},
    ]
    assert [(one.name, one.result) for one in seen(messages).tools] == [("look", "found")]


def test_a_reused_id_pairs_each_call_with_its_own_result() -> None:
    messages = [called("a"), result("a", "old"), called("a"), result("a", "new")]
    assert [one.result for one in seen(messages).tools] == ["old", "new"]


def test_a_failed_tool_is_one_that_the_host_says_has_failed() -> None:
    messages = [called("a", "b"), result("a", "Error: no", is_error=True), result("b", "Error: no")]
    assert [one.error for one in seen(messages).tools] == [True, False]


@pytest.mark.parametrize(
    ("most", "shown"), [(0, []), (1, ["5"]), (3, ["3", "4", "5"]), (32, ["0", "1", "2", "3", "4", "5"])]
)
def test_the_newest_tool_calls_are_shown_oldest_first(most: int, shown: list[str]) -> None:
    messages = [one for number in range(6) for one in (called(str(number)), result(str(number), "done"))]
    assert [one.call_id for one in seen(messages, max_tools=most).tools] == shown


def test_tool_calls_are_found_behind_the_shown_messages() -> None:
    messages = [called("a"), result("a", "done"), *(said(f"word {number}") for number in range(40))]
    assert [one.result for one in seen(messages, max_messages=4).tools] == ["done"]


def test_arguments_and_results_of_the_trace_are_bounded_and_keep_their_ends() -> None:
    call = {"id": "a", "function": {"name": "run", "arguments": "<" + "x" * 5_000 + ">"}}
    messages = [{"role": "assistant", "tool_calls": [call]}, result("a", "<" + "y" * 50_000 + ">")]
    [trace] = seen(messages).tools
    assert trace.result is not None
    assert len(trace.arguments) <= 1_000
    assert len(trace.result) <= 1_000
    assert (trace.arguments[0], trace.arguments[-1], trace.result[0], trace.result[-1]) == ("<", ">", "<", ">")


def test_a_call_whose_result_is_still_to_come_has_none() -> None:
    assert seen([called("a")]).tools == (ToolTrace(name="tool-a", arguments='{"of": "a"}', call_id="a"),)


def test_tool_arguments_are_visible_in_the_message_too() -> None:
    call = {"id": "a", "function": {"name": "sql", "arguments": "refunded = false"}}
    [message] = seen([{"role": "assistant", "tool_calls": [call]}]).messages
    assert message.tool_calls == (ToolCall(id="a", name="sql", arguments="refunded = false"),)
