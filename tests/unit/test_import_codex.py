"""What is read from rollouts of the Codex CLI."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from foureyes.core.facts import ToolCall
from foureyes.replay.reading import recordings
from foureyes.replay.recording import Recording, RecordingError

from .recorded import ANSWER, ASK, CODEX, codex, event, lines, only, refusal, results, roles


def said(role: str, words: str) -> dict[str, object]:
    kind = "output_text" if role == "assistant" else "input_text"
    return codex(type="message", role=role, content=[{"type": kind, "text": words}])


def call(call_id: str = "c1", **fields: object) -> dict[str, object]:
    return codex(**{"type": "function_call", "name": "shell", "call_id": call_id, "arguments": "{}", **fields})


def output(value: object, name: str = "c1", **fields: object) -> dict[str, object]:
    return codex(type="function_call_output", call_id=name, output=value, **fields)


def returned(value: object, *events: object) -> tuple[str, bool]:
    [result] = results(only(lines(said("user", ASK), call(), *events, output(value))))
    return result.text, result.error


def test_what_stands_between_two_outputs_is_one_message() -> None:
    recording = only(lines(*CODEX))
    assert roles(recording) == ["user", "user", "assistant", "tool", "assistant"]
    assert (recording.messages[2].text, len(recording.messages[2].tool_calls)) == ("I run them.", 1)
    assert recording.id == "s-1"


def test_calls_made_at_once_are_one_turn() -> None:
    recording = only(lines(said("user", ASK), call("c1"), call("c2"), output("1", "c1"), output("2", "c2")))
    assert roles(recording) == ["user", "assistant", "tool", "tool"]
    assert [call.id for call in recording.messages[1].tool_calls] == ["c1", "c2"]


def test_the_items_may_stand_without_an_envelope_as_older_versions_wrote_them() -> None:
    items = [record["payload"] for record in CODEX if record["type"] == "response_item"]
    recording = only(lines({"id": "old-1", "timestamp": "2025", "instructions": None}, *items))
    assert recording.id == "old-1"
    assert [message.text for message in recording.messages] == [m.text for m in only(lines(*CODEX)).messages]


@pytest.mark.parametrize(
    ("item", "expected"),
    [
        (call(arguments='{"a": 1}'), ToolCall(id="c1", name="shell", arguments='{"a": 1}')),
        (
            call(type="custom_tool_call", arguments=None, input="*** Begin"),
            ToolCall(id="c1", name="shell", arguments="*** Begin"),
        ),
        (
            call(type="local_shell_call", name=None, arguments=None, action={"command": ["ls"]}),
            ToolCall(id="c1", name="local_shell", arguments='{"command": ["ls"]}'),
        ),
    ],
)
def test_every_kind_of_call_keeps_its_id_name_and_arguments(item: object, expected: ToolCall) -> None:
    assert only(lines(said("user", ASK), item)).messages[1].tool_calls == (expected,)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("plain", "plain"),
        (json.dumps({"output": "x\n", "metadata": {"exit_code": 2}}), "exit code 2\nx\n"),
        (json.dumps({"output": "x", "metadata": {}}), json.dumps({"output": "x", "metadata": {}})),
        ("Exit code: 1\nWall time: 0.1 seconds\nOutput:\nno match", "exit code 1\nno match"),
        ("Wall time: 0.1 seconds\nProcess exited with code 0\nOutput:\nok", "exit code 0\nok"),
        (
            "Chunk ID: 1a\nWall time: 0.1 seconds\nProcess exited with code 7\nOriginal token count: 9\nOutput:\nx",
            "exit code 7\nx",
        ),
        ("Exit code: 3\nWall time: 1 seconds\nTotal output lines: 900\nOutput:\nx", "exit code 3\nx"),
        ("Wall time: 5 seconds\nProcess running with session ID 3\nOutput:\nx", None),
        ("The docs say: Exit code: 1\nWall time: 1\nOutput:\n", None),
        ([{"type": "input_text", "text": "one"}, {"type": "input_image", "image_url": "https://x"}], "one\n[image]"),
        ({"content": "x", "success": True}, "x"),
        (None, ""),
    ],
)
def test_an_exit_status_comes_first_and_nothing_is_called_a_failure(value: object, text: str | None) -> None:
    # Whether a status of 1 is a failure depends on the command: reviewers read it from the first line.
    assert returned(value) == (value if text is None else text, False)


@pytest.mark.parametrize(
    ("value", "events", "error"),
    [
        ({"content": "no", "success": False}, [], True),
        ("no", [event(type="patch_apply_end", call_id="c1", success=False)], True),
        ("no", [event(type="patch_apply_end", call_id="c2", success=False)], False),
        ("no", [event(type="patch_apply_end", call_id="c1", success=True)], False),
        ("no", [event(type="mcp_tool_call_end", call_id="c1", result={"Err": "gone"})], True),
        ("no", [event(type="mcp_tool_call_end", call_id="c1", result={"Ok": {"isError": True}})], True),
        ("no", [event(type="mcp_tool_call_end", call_id="c1", result={"Ok": {"isError": False}})], False),
    ],
)
def test_a_tool_failed_where_its_output_or_an_event_says_so(value: object, events: list[object], error: bool) -> None:
    assert returned(value, *events) == ("no", error)


def test_only_what_the_human_typed_is_the_humans() -> None:
    recording = only(lines(*CODEX))
    assert [message.by_human for message in recording.messages[:2]] == [False, True]


@pytest.mark.parametrize(
    ("words", "human"),
    [
        (ASK, True),
        ("<environment_context>x</environment_context>", False),
        ("# AGENTS.md instructions for /x", False),
        ("<turn_aborted>x", False),
    ],
)
def test_without_events_the_programs_own_beginnings_tell_who_wrote(words: str, human: bool) -> None:
    recording = only(lines(said("user", words), said("assistant", ANSWER)))
    assert recording.messages[0].by_human is human


def test_a_developer_message_ends_no_turn() -> None:
    # Advice of a hook stands between a call and its output.
    recording = only(lines(said("user", ASK), call(), said("developer", "Advice."), output("x")))
    assert [(turn.start, turn.end) for turn in recording.turns()] == [(1, 4)]


def test_a_malformed_item_is_told_and_left_out_and_the_rest_is_read(tmp_path: Path) -> None:
    path = tmp_path / "x"
    bad = [codex(type="message", role="assistant", content=7), call("c9", name=None)]
    path.write_bytes(lines(*CODEX[:3], *bad, *CODEX[3:]))
    first, second, recording = recordings([str(path)])
    assert isinstance(first, RecordingError)
    assert isinstance(second, RecordingError)
    assert isinstance(recording, Recording)
    assert (first.place, second.place) == ("line 4", "line 5")
    assert recording.messages == only(lines(*CODEX)).messages


def test_a_rollout_without_messages_is_refused() -> None:
    assert "without messages" in refusal(lines(CODEX[0]))
