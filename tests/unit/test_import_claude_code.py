"""What is read from transcripts of Claude Code."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from foureyes.replay.reading import recordings
from foureyes.replay.recording import Recording, RecordingError

from .recorded import ANSWER, ASK, CLAUDE, FAILURE, claude, lines, only, refusal, results, roles


def text(words: str) -> dict[str, object]:
    return {"type": "text", "text": words}


def use(name: str) -> dict[str, object]:
    return {"type": "tool_use", "id": name, "name": "Bash", "input": {}}


def reply(identity: str, *blocks: object, **fields: object) -> dict[str, object]:
    return claude("assistant", {"role": "assistant", "id": identity, "content": list(blocks)}, **fields)


def result(name: str, **fields: object) -> dict[str, object]:
    return claude("user", {"role": "user", "content": [{"type": "tool_result", "tool_use_id": name, **fields}]})


def user(words: str, **fields: object) -> dict[str, object]:
    return claude("user", {"role": "user", "content": words}, **fields)


def test_the_blocks_of_one_reply_are_one_message() -> None:
    recording = only(lines(*CLAUDE))
    assert roles(recording) == ["user", "assistant", "tool", "assistant"]
    said = recording.messages[1]
    assert (said.text, [call.id for call in said.tool_calls]) == ("I run them.", ["c1"])
    assert recording.id == "s-1"


def test_a_reply_whose_tools_ran_while_it_was_written_is_one_message() -> None:
    recording = only(lines(user(ASK), reply("m1", use("c1")), result("c1"), reply("m1", use("c2")), result("c2")))
    assert roles(recording) == ["user", "assistant", "tool", "tool"]
    assert [call.id for call in recording.messages[1].tool_calls] == ["c1", "c2"]


@pytest.mark.parametrize(("flag", "error"), [(True, True), (False, False), (None, False)])
def test_a_tool_failed_where_its_result_says_is_error(flag: object, error: bool) -> None:
    recording = only(lines(user(ASK), reply("m1", use("c1")), result("c1", content=FAILURE, is_error=flag)))
    assert [(found.text, found.error) for found in results(recording)] == [(FAILURE, error)]


def test_a_result_counts_once() -> None:
    recording = only(lines(user(ASK), reply("m1", use("c1")), result("c1", content="1"), result("c1", content="2")))
    assert [found.text for found in results(recording)] == ["1"]


def test_a_record_that_a_resumed_session_holds_twice_counts_once() -> None:
    assert roles(only(lines(*CLAUDE, *CLAUDE))) == roles(only(lines(*CLAUDE)))


@pytest.mark.parametrize(
    "record",
    [
        reply("m9", text("From a side chain."), isSidechain=True),
        user("A side chain's request.", isSidechain=True),
        user("Caveat: ...", isMeta=True),
        claude("assistant", {"role": "assistant", "model": "<synthetic>", "content": [text("API Error: 529")]}),
        {"type": "system", "content": "x"},
        {"type": "file-history-snapshot", "snapshot": {}},
        {"type": "a-type-of-next-year", "message": {"role": "user", "content": "x"}},
        {"queue": 1},
        7,
    ],
    ids=["side chain", "its request", "meta", "synthetic", "system", "snapshot", "unknown", "no type", "no object"],
)
def test_records_outside_the_main_conversation_are_left_out(record: object) -> None:
    assert only(lines(record, *CLAUDE, record)).messages == only(lines(*CLAUDE)).messages


@pytest.mark.parametrize(
    ("words", "human"),
    [
        (ASK, True),
        ("Stop hook feedback:\nThe tests were not run.", False),
        ("[Request interrupted by user]", False),
        ("<command-name>/clear</command-name>", False),
        ("<local-command-stdout>ok</local-command-stdout>", False),
        ("<system-reminder>x</system-reminder>", False),
        ("<b>Make this bold</b>", True),
    ],
)
def test_what_the_program_or_a_hook_wrote_is_not_the_humans(words: str, human: bool) -> None:
    recording = only(lines(user(ASK), reply("m1", text(ANSWER)), user(words)))
    assert recording.messages[-1].text == words
    assert recording.messages[-1].by_human is human


def test_the_summary_of_a_compaction_is_not_the_humans() -> None:
    recording = only(
        lines(user("This session is continued.", isCompactSummary=True), user(ASK), reply("m1", text("x")))
    )
    assert [message.by_human for message in recording.messages] == [False, True, False]


def test_what_a_stop_hook_sent_back_was_an_answer_too() -> None:
    records = [user(ASK), reply("m1", text("Done.")), user("Stop hook feedback:\nno"), reply("m2", text(ANSWER))]
    assert [turn.said.text for turn in only(lines(*records)).turns() if turn.answers] == ["Done.", ANSWER]


def test_the_transcript_may_be_the_stream_of_a_program() -> None:
    records = [
        {"type": "system", "subtype": "init", "session_id": "s-2"},
        {"type": "assistant", "session_id": "s-2", "message": {"role": "assistant", "content": [text(ANSWER)]}},
        {"type": "result", "result": ANSWER},
    ]
    recording = only(lines(*records))
    assert (recording.id, roles(recording)) == ("s-2", ["assistant"])


def test_a_broken_record_is_told_and_left_out_and_the_rest_is_read(tmp_path: Path) -> None:
    path = tmp_path / "x"
    records = [json.dumps(record) for record in CLAUDE]
    records[5] = records[5][:10]
    records.insert(3, json.dumps({"type": "user", "message": {"content": "x"}}))
    path.write_text("\n".join(records), encoding="utf-8")
    broken, malformed, recording = recordings([str(path)])
    assert isinstance(broken, RecordingError)
    assert isinstance(malformed, RecordingError)
    assert isinstance(recording, Recording)
    assert (broken.place.partition(",")[0], malformed.place) == ("line 7", "line 4")
    assert recording.messages == only(lines(*CLAUDE)).messages


def test_a_transcript_whose_last_line_is_being_written_is_read_up_to_it(tmp_path: Path) -> None:
    path = tmp_path / "x"
    path.write_bytes(lines(*CLAUDE)[:-20])
    error, recording = recordings([str(path)])
    assert isinstance(error, RecordingError)
    assert error.problem == "the file ends in the middle of a value"
    assert isinstance(recording, Recording)
    assert roles(recording) == ["user", "assistant", "tool"]


def test_a_transcript_with_side_chains_only_has_no_run() -> None:
    assert "main conversation" in refusal(lines(user(ASK, isSidechain=True)))
