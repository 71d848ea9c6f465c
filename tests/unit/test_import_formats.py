"""What holds for every format of recorded runs."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from foureyes.replay.importers import IMPORTERS, accepted
from foureyes.replay.reading import recordings
from foureyes.replay.recording import Recording, RecordingError

from .recorded import ANSWER, ASK, FAILURE, SAMPLES, only, pretty, refusal, results

EVERY = pytest.mark.parametrize(("name", "data"), SAMPLES.items(), ids=SAMPLES)


def test_there_is_a_sample_of_every_format() -> None:
    assert set(SAMPLES) == {importer.format for importer in IMPORTERS}


@EVERY
def test_a_run_is_recognised_by_its_content(name: str, data: bytes) -> None:
    assert only(data).format == name


@EVERY
def test_the_request_is_what_the_human_asked_first(name: str, data: bytes) -> None:
    assert only(data).request == ASK


@EVERY
def test_the_last_turn_with_words_is_the_answer(name: str, data: bytes) -> None:
    answers = [turn.said.text for turn in only(data).turns() if turn.answers]
    assert answers == [ANSWER]


@EVERY
def test_the_result_of_the_tool_answers_its_call(name: str, data: bytes) -> None:
    recording = only(data)
    [result] = results(recording)
    [call] = [call for message in recording.messages for call in message.tool_calls]
    assert FAILURE in result.text
    assert call.name
    assert call.id == result.call_id != ""


@EVERY
def test_a_call_and_its_result_are_one_turn(name: str, data: bytes) -> None:
    [turn] = [turn for turn in only(data).turns() if turn.said.tool_calls]
    assert turn.end == turn.start + 2


@EVERY
def test_a_file_that_was_cut_off_anywhere_gives_runs_and_one_clear_line(name: str, data: bytes, tmp_path: Path) -> None:
    path = tmp_path / "x"
    whole = data.rstrip()
    for length in range(0, len(whole), 7):
        path.write_bytes(whole[:length])
        items = list(recordings([str(path)]))
        errors = [str(item) for item in items if isinstance(item, RecordingError)]
        at_a_line_end = whole[length - 1 : length] == b"\n" or whole[length : length + 1] == b"\n"
        assert len(errors) == 1 or (at_a_line_end and not errors)
        assert all(error.startswith(f"{path}") and "\n" not in error and "; " in error for error in errors)
        assert all(item.messages for item in items if isinstance(item, Recording))


@EVERY
def test_nothing_that_was_said_about_the_run_is_in_its_messages(name: str, data: bytes) -> None:
    shown = repr(only(data).messages)
    assert "the truth" not in shown
    assert "a reason" not in shown


@EVERY
def test_an_unknown_format_is_told_the_name_of_this_one_and_help_what_it_looks_like(name: str, data: bytes) -> None:
    assert f"{name}: " in accepted()
    assert name in refusal(b'{"unknown": 1}')


def test_what_is_said_about_an_unknown_format_is_no_more_than_two_lines_of_a_terminal_and_a_half() -> None:
    assert len(refusal(b'{"unknown": 1}')) <= 200 + len("run.json: ")


def test_text_that_only_looks_like_a_format_inside_a_string_is_not_that_format() -> None:
    assert only(pretty([{"role": "user", "content": json.dumps({"history": []})}])).format == "OpenAI chat messages"
