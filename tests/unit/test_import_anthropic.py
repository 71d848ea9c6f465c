"""What is read from messages of content blocks."""

from __future__ import annotations

import json

import pytest

from foureyes.core.facts import Message, ToolCall

from .recorded import BLOCKS, FAILURE, lines, only, pretty, refusal, results, roles


def block(role: str, *blocks: object) -> dict[str, object]:
    return {"role": role, "content": list(blocks)}


CALL = {"type": "tool_use", "id": "c1", "name": "look", "input": {}}
IMAGE = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "A" * 46_424}}


@pytest.mark.parametrize(
    "data",
    [pretty(BLOCKS), pretty({"messages": BLOCKS}), lines(*BLOCKS), lines({"messages": BLOCKS}), pretty([BLOCKS])],
    ids=["a list", "an object", "one message a line", "one run a line", "a list of runs"],
)
def test_every_shape_gives_the_same_messages(data: bytes) -> None:
    recording = only(data)
    assert roles(recording) == ["user", "assistant", "tool", "assistant"]
    assert recording.format == "Anthropic messages"


def test_a_tool_use_is_a_call_with_its_input_as_json() -> None:
    [call] = only(pretty(BLOCKS)).messages[1].tool_calls
    assert (call.id, call.name, json.loads(call.arguments)) == ("c1", "run_tests", {"path": "tests"})


@pytest.mark.parametrize(("flag", "error"), [(True, True), (False, False), (None, False), ("true", False), (1, False)])
def test_a_tool_failed_where_its_result_says_is_error(flag: object, error: bool) -> None:
    result = {"type": "tool_result", "tool_use_id": "c1", "content": FAILURE, "is_error": flag}
    [found] = results(only(pretty([block("assistant", CALL), block("user", result)])))
    assert found == Message(role="tool", text=FAILURE, call_id="c1", error=error)


def test_results_come_before_what_the_user_says_beside_them() -> None:
    said = block("user", {"type": "text", "text": "Go on."}, {"type": "tool_result", "tool_use_id": "c1"})
    recording = only(pretty([block("assistant", CALL), said]))
    assert roles(recording) == ["assistant", "tool", "user"]
    assert recording.messages[2].text == "Go on."


def test_results_alone_are_no_words_of_the_human() -> None:
    recording = only(pretty([block("assistant", CALL), block("user", {"type": "tool_result", "tool_use_id": "c1"})]))
    assert not any(message.by_human for message in recording.messages)


def test_a_tool_of_the_provider_is_a_call_with_its_result_after_it() -> None:
    call = {"type": "server_tool_use", "id": "w1", "name": "web_search", "input": {"query": "x"}}
    hit = {"type": "web_search_result", "title": "A page", "url": "https://a.example"}
    found = {"type": "web_search_tool_result", "tool_use_id": "w1", "content": [hit]}
    recording = only(pretty([block("assistant", {"type": "thinking", "thinking": "x"}, call, found)]))
    assert roles(recording) == ["assistant", "tool"]
    assert recording.messages[0].tool_calls == (ToolCall(id="w1", name="web_search", arguments='{"query": "x"}'),)
    assert recording.messages[1].text == "A page https://a.example"


def test_an_error_code_of_a_tool_of_the_provider_is_a_failure() -> None:
    content = {"type": "web_search_tool_result_error", "error_code": "max_uses_exceeded"}
    found = {"type": "web_search_tool_result", "tool_use_id": "w1", "content": content}
    [result] = results(only(pretty([block("assistant", CALL, found)])))
    assert (result.text, result.error) == ("max_uses_exceeded", True)


@pytest.mark.parametrize(
    ("content", "text"),
    [
        ([{"type": "thinking", "thinking": "Hm."}], ""),
        ([{"type": "redacted_thinking", "data": "x"}], ""),
        ([{"type": "thinking", "thinking": "Hm."}, {"type": "text", "text": "Done."}], "[thinking]\nDone."),
        ([{"type": "text", "text": ""}, CALL], ""),
        ([], ""),
        ("plain", "plain"),
    ],
    ids=["thinking", "hidden thinking", "thinking and words", "empty text", "nothing", "a text"],
)
def test_thinking_is_a_placeholder_and_alone_no_words(content: object, text: str) -> None:
    # A history with thinking and empty text is read without an exception.
    recording = only(pretty([block("assistant", CALL), {"role": "assistant", "content": content}]))
    assert recording.messages[1].text == text


def test_an_image_is_a_placeholder_with_its_kind_and_size() -> None:
    # Also where it is all that was said, so that no empty text is left.
    recording = only(pretty([block("user", IMAGE), block("assistant", CALL)]))
    assert recording.messages[0].text == "[image, 34 KB]"


def test_an_image_in_a_result_is_a_placeholder_too() -> None:
    result = {"type": "tool_result", "tool_use_id": "c1", "content": [IMAGE, {"type": "text", "text": "A plot."}]}
    [found] = results(only(pretty([block("assistant", CALL), block("user", result)])))
    assert found.text == "[image, 34 KB]\nA plot."


@pytest.mark.parametrize(
    ("message", "problem"),
    [
        ({"role": "user", "content": [{"type": "tool_result"}, 7]}, "content block"),
        ({"role": "assistant", "content": [{"type": "tool_use", "id": "c1"}]}, "without a name"),
        ({"content": "x"}, "no role"),
    ],
)
def test_a_malformed_message_is_named_with_its_place(message: object, problem: str) -> None:
    found = refusal(pretty([*BLOCKS, message]))
    assert found.startswith("run.json, message 5: ")
    assert problem in found
