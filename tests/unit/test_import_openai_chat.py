"""What is read from OpenAI-style chat messages, and which files are refused, with which words."""

from __future__ import annotations

import json

import pytest

from foureyes.core.facts import Message, ToolCall
from foureyes.replay.reading import parsed
from foureyes.replay.recording import RecordingError

ASK = {"role": "user", "content": "Fix it."}
ANSWER = {"role": "assistant", "content": "Done."}
RUN = [ASK, ANSWER]


def read(*values: object, indent: int | None = None) -> list[tuple[Message, ...]]:
    """Return the runs of a file that holds these values, one a line."""
    data = "\n".join(json.dumps(value, indent=indent) for value in values)
    return [recording.messages for recording in parsed(data.encode(), source="run.json")]


def only(*messages: object) -> tuple[Message, ...]:
    """Return the messages of the one run that consists of these."""
    [run] = read(list(messages))
    return run


def refused(data: bytes) -> str:
    with pytest.raises(RecordingError) as caught:
        parsed(data, source="run.json")
    return str(caught.value)


@pytest.mark.parametrize(
    ("values", "runs"),
    [
        ([RUN], 1),
        ([{"messages": RUN}], 1),
        ([{"traj": RUN, "reward": 1.0}], 1),
        ([{"conversation": RUN}], 1),
        ([[{"traj": RUN}, {"traj": RUN}]], 2),
        ([[RUN, RUN, RUN]], 3),
        (RUN, 1),
        ([{"messages": RUN}, {"messages": RUN}], 2),
        ([RUN, RUN], 2),
        ([[{"role": "user", "content": "only one message"}]], 1),
    ],
    ids=[
        "a list of messages",
        "messages",
        "traj",
        "conversation",
        "a list of objects",
        "a list of lists",
        "one message a line",
        "one object a line",
        "one list a line",
        "a single message",
    ],
)
@pytest.mark.parametrize("indent", [None, 2])
def test_every_shape_is_recognised_by_its_content(values: list[object], runs: int, indent: int | None) -> None:
    assert len(read(*values, indent=indent)) == runs


def test_all_shapes_of_the_same_run_give_the_same_messages() -> None:
    expected = (Message(role="user", text="Fix it."), Message(role="assistant", text="Done."))
    assert [read(RUN), read({"traj": RUN}), read(*RUN), read([{"messages": RUN}])] == [[expected]] * 4


def test_a_byte_order_mark_and_blank_lines_do_not_matter() -> None:
    data = b"\xef\xbb\xbf\r\n" + json.dumps(ASK).encode() + b"\r\n\r\n" + json.dumps(ANSWER).encode() + b"\n\n"
    [recording] = parsed(data, source="run.json")
    assert [message.text for message in recording.messages] == ["Fix it.", "Done."]


def test_a_tool_call_keeps_its_id_name_and_arguments() -> None:
    function = {"name": "run_tests", "arguments": '{"path": "tests"}'}
    [message] = only({"role": "assistant", "content": None, "tool_calls": [{"id": "c1", "function": function}]})
    assert message.tool_calls == (ToolCall(id="c1", name="run_tests", arguments='{"path": "tests"}'),)
    assert message.text == ""


def test_arguments_that_were_recorded_as_an_object_are_read_as_their_json() -> None:
    call = {"id": "c1", "function": {"name": "run_tests", "arguments": {"path": "tests"}}}
    [message] = only({"role": "assistant", "content": "", "tool_calls": [call]})
    assert json.loads(message.tool_calls[0].arguments) == {"path": "tests"}


def test_a_custom_tool_call_is_a_tool_call() -> None:
    call = {"id": "c1", "type": "custom", "custom": {"name": "patch", "input": "*** Begin"}}
    [message] = only({"role": "assistant", "tool_calls": [call]})
    assert message.tool_calls == (ToolCall(id="c1", name="patch", arguments="*** Begin"),)


@pytest.mark.parametrize("calls", [{}, {"tool_calls": None}, {"tool_calls": []}])
def test_a_legacy_function_call_is_a_tool_call(calls: dict[str, object]) -> None:
    legacy = {"role": "assistant", "content": None, "function_call": {"name": "ls", "arguments": "{}"}, **calls}
    [message] = only(legacy)
    assert message.tool_calls == (ToolCall(name="ls", arguments="{}"),)


def test_a_tool_result_keeps_the_call_that_it_answers() -> None:
    [message] = only({"role": "tool", "tool_call_id": "c1", "name": "ls", "content": "a.py"})
    assert message == Message(role="tool", text="a.py", name="ls", call_id="c1")


def test_a_legacy_function_result_is_a_tool_result() -> None:
    [message] = only({"role": "function", "name": "ls", "content": "a.py"})
    assert (message.role, message.name, message.text) == ("tool", "ls", "a.py")


@pytest.mark.parametrize(
    ("content", "text"),
    [
        ("plain", "plain"),
        (None, ""),
        ([], ""),
        ([{"type": "text", "text": "one"}, {"type": "text", "text": "two"}], "one\ntwo"),
        (["one", "two"], "one\ntwo"),
        ([{"type": "text", "text": "see"}, {"type": "image_url", "image_url": {"url": "https://x"}}], "see\n[image]"),
    ],
)
def test_content_is_text_or_parts_or_nothing(content: object, text: str) -> None:
    assert only({"role": "user", "content": content})[0].text == text


def test_a_message_without_content_is_read() -> None:
    assert only({"role": "assistant"})[0] == Message(role="assistant")


def test_a_refusal_is_what_the_agent_said() -> None:
    assert only({"role": "assistant", "content": None, "refusal": "I cannot."})[0].text == "I cannot."


def test_a_text_is_read_whole_however_long() -> None:
    assert only({"role": "user", "content": "x" * 100_000})[0].text == "x" * 100_000


def test_several_runs_of_a_file_are_numbered_from_one() -> None:
    data = json.dumps([{"traj": RUN}, {"traj": RUN}]).encode()
    found = parsed(data, source="some/where/runs.json")
    assert [recording.name for recording in found] == ["runs.json, run 1", "runs.json, run 2"]
    assert {recording.source for recording in found} == {"some/where/runs.json"}


def test_a_single_run_has_the_name_of_its_file() -> None:
    [recording] = parsed(json.dumps(RUN).encode(), source="some/where/run.json")
    assert recording.name == "run.json"


@pytest.mark.parametrize(
    ("values", "place"),
    [
        ([[ASK, "Done."]], "message 2"),
        ([[ASK, {"content": "Done."}]], "message 2"),
        ([[RUN, [ASK, 7]]], "run 2, message 2"),
        ([ASK, {"content": "Done."}], "line 2"),
        ([{"messages": RUN}, {"messages": [*RUN, {}]}], "line 2, message 3"),
        ([[RUN, []]], "run 2"),
        ([{"messages": RUN}, {"steps": []}], "line 2"),
    ],
)
def test_a_malformed_message_is_named_with_its_place(values: list[object], place: str) -> None:
    data = "\n".join(json.dumps(value) for value in values).encode()
    assert refused(data).startswith(f"run.json, {place}: ")


@pytest.mark.parametrize(
    ("fields", "problem"),
    [
        ({"content": 7}, "content"),
        ({"content": {"text": "x"}}, "content"),
        ({"tool_calls": "ls"}, "tool_calls"),
        ({"tool_calls": ["ls"]}, "tool call"),
        ({"tool_calls": [{"id": "c1"}]}, "tool call"),
        ({"tool_calls": [{"function": {"arguments": "{}"}}]}, "tool call"),
        ({"function_call": {"arguments": "{}"}}, "function call"),
    ],
)
def test_a_message_of_the_wrong_shape_is_refused_rather_than_read_by_half(
    fields: dict[str, object], problem: str
) -> None:
    message = refused(json.dumps([ASK, {"role": "assistant", **fields}]).encode())
    assert message.startswith("run.json, message 2: ")
    assert problem in message


@pytest.mark.parametrize("part", ["tool_use", "tool_result"])
def test_messages_of_another_format_are_not_taken_for_chat_messages(part: str) -> None:
    foreign = {"role": "assistant", "content": [{"type": part, "name": "ls"}]}
    [recording] = parsed(json.dumps([ASK, foreign]).encode(), source="run.json")
    assert recording.format == "Anthropic messages"


def test_chat_messages_are_called_by_their_name() -> None:
    [recording] = parsed(json.dumps(RUN).encode(), source="run.json")
    assert (recording.format, recording.id, recording.narrates) == ("OpenAI chat messages", "run.json", False)


@pytest.mark.parametrize("value", [{}, "text", 7, None, [7], {"steps": []}, {"messages": "none"}])
def test_what_is_no_run_is_not_a_known_format(value: object) -> None:
    message = refused(json.dumps(value).encode())
    assert message.startswith("run.json: not a known format")
    assert "OpenAI chat messages" in message
