"""Reading files: which are refused, where, and what to do about it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from foureyes.replay.reading import parsed, recordings
from foureyes.replay.recording import Recording, RecordingError

RUN = json.dumps([{"role": "user", "content": "Fix it."}, {"role": "assistant", "content": "Done."}])


def refused(data: bytes) -> RecordingError:
    with pytest.raises(RecordingError) as caught:
        parsed(data, source="run.json")
    return caught.value


def test_a_file_that_was_cut_off_anywhere_is_refused() -> None:
    for length in range(len(RUN)):
        refused(RUN[:length].encode())


@pytest.mark.parametrize("end", ['"content": "Fi', '"content": ', '"content"', "{"])
def test_a_file_that_ends_inside_a_value_is_called_just_that(end: str) -> None:
    data = RUN[: RUN.index('"content": "Fi')] + end if end != "{" else "[{"
    error = refused(data.encode())
    assert error.problem == "the file ends in the middle of a value"
    assert error.place.startswith("line 1, column ")


def test_a_cut_off_last_line_is_named_by_its_number() -> None:
    error = refused(b'{"role": "user", "content": "Fix it."}\n{"role": "assistant", "cont')
    assert error.place.startswith("line 2, ")


def test_a_broken_line_in_the_middle_is_named_by_its_number() -> None:
    error = refused(b'{"role": "user", "content": "Fix it."}\n{"role": oops}\n{"role": "assistant"}\n')
    assert error.place.startswith("line 2, ")
    assert error.problem.startswith("not JSON")


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        (b"", "empty"),
        (b" \r\n\t", "empty"),
        (b"\xff\xfe[\x00]\x00", "UTF-8"),
        (b"[" * 100_000, "nested"),
        (b"[1" + b"0" * 5_000 + b"]", "digits"),
        (b"# notes", "not JSON"),
    ],
)
def test_what_is_no_json_is_refused_with_its_kind(data: bytes, problem: str) -> None:
    assert problem in refused(data).problem


@pytest.mark.parametrize("data", ["[]", "[[]]", '{"messages": []}', "[]\n[]", '[{"messages": []}, []]'])
def test_a_file_with_nothing_in_it_has_no_messages(data: str) -> None:
    assert refused(data.encode()).problem == "no messages"


@pytest.mark.parametrize("data", ["null", "0", '""', "{}", '{"steps": []}', '{"a": "b"}', "[1]", "[" * 500 + "]" * 500])
def test_an_unknown_format_is_refused_with_the_names_of_the_known_ones(data: str) -> None:
    error = refused(data.encode())
    assert error.problem == "not a known format of recorded runs"
    assert error.cure.startswith("known: ")
    assert error.cure.endswith("OpenAI chat messages")


def test_every_refusal_is_one_line_with_file_problem_and_cure() -> None:
    error = refused(b"[")
    assert str(error) == f"run.json, {error.place}: {error.problem}; {error.cure}"
    assert error.cure
    assert "\n" not in str(error)


def test_a_file_name_cannot_command_the_terminal() -> None:
    with pytest.raises(RecordingError) as caught:
        parsed(b"", source="\x1b[2Jrun\n.json")
    assert str(caught.value).isprintable()


def test_the_name_of_a_file_does_not_decide_how_it_is_read(tmp_path: Path) -> None:
    path = tmp_path / "run.txt"
    path.write_text(RUN, encoding="utf-8")
    [recording] = recordings([str(path)])
    assert isinstance(recording, Recording)
    assert (recording.name, recording.source, len(recording.messages)) == ("run.txt", str(path), 2)
