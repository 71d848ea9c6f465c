"""Reading many files and folders: what is read, what is told, and what is left out."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from foureyes.replay.reading import recordings
from foureyes.replay.recording import LeftOut, Recording, RecordingError

from .recorded import ATIF, CHAT, CLAUDE, LABELS, SAMPLES, TAU, lines, pretty

RUN = pretty(CHAT)


def write(folder: Path, **files: bytes) -> None:
    """Write files; ``__`` in a name stands for a slash, ``_json`` at its end for its ending."""
    for name, data in files.items():
        path = folder / name.replace("__", "/").replace("_json", ".json")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)


def names(*paths: Path) -> list[str]:
    """Return the names of the runs, and of the types of whatever else is yielded."""
    items = recordings([str(path) for path in paths])
    return [item.name if isinstance(item, Recording) else type(item).__name__ for item in items]


def told(*paths: Path) -> list[str]:
    """Return what is said besides the runs, without the beginning of the paths."""
    items = [item for item in recordings([str(path) for path in paths]) if not isinstance(item, Recording)]
    return [str(item).replace(f"{paths[0]}", "HERE") for item in items]


def test_all_files_of_a_folder_are_read_at_any_depth_in_the_order_of_their_names(tmp_path: Path) -> None:
    write(tmp_path, b_json=RUN, a__z_json=RUN, a__c__d_json=RUN, c_json=RUN)
    assert names(tmp_path) == ["d.json", "z.json", "b.json", "c.json"]
    assert [item.source for item in recordings([str(tmp_path)]) if isinstance(item, Recording)] == [
        str(tmp_path / name) for name in ("a/c/d.json", "a/z.json", "b.json", "c.json")
    ]


def test_files_and_folders_are_read_in_the_order_in_which_they_are_named(tmp_path: Path) -> None:
    write(tmp_path, one__x_json=RUN, two__y_json=RUN, z=RUN)
    assert names(tmp_path / "two", tmp_path / "z", tmp_path / "one") == ["y.json", "z", "x.json"]


def test_what_does_not_look_like_json_is_passed_over_in_a_folder(tmp_path: Path) -> None:
    write(tmp_path, a_json=RUN, b_json=b"# Notes", c_json=b"", d_json=b"\x00\x01", e_json=b"1\n")
    assert names(tmp_path) == ["a.json"]


@pytest.mark.parametrize("ending", [".json", ".jsonl", ".ndjson", ".JSON"])
def test_what_is_called_as_if_it_were_json_is_read_in_a_folder(tmp_path: Path, ending: str) -> None:
    write(tmp_path, **{f"a{ending}": RUN})
    assert names(tmp_path) == [f"a{ending}"]


@pytest.mark.parametrize("name", ["foureyes.toml", "pyproject.toml", "run.txt", "run", "json", "run.json.bak"])
def test_what_is_called_otherwise_is_passed_over_in_a_folder_and_read_where_it_is_named(
    tmp_path: Path, name: str
) -> None:
    write(tmp_path, a_json=RUN, **{name: RUN})
    assert (names(tmp_path), names(tmp_path / name)) == (["a.json"], [name])


def test_the_settings_of_a_project_do_not_stop_its_runs(tmp_path: Path) -> None:
    write(tmp_path, runs__a_json=RUN, **{"foureyes.toml": b"[reviewers.one]\n", "README.md": b"[link](x)\n"})
    assert (names(tmp_path), told(tmp_path)) == (["a.json"], [])


@pytest.mark.parametrize("folder", [".venv", ".git", "venv", "node_modules"])
def test_folders_full_of_other_peoples_files_are_passed_over_and_read_where_they_are_named(
    tmp_path: Path, folder: str
) -> None:
    write(tmp_path, a_json=RUN, **{f"deep__{folder}__package_json": RUN})
    assert names(tmp_path) == ["a.json"]
    assert names(tmp_path / "deep" / folder) == ["package.json"]


def test_what_begins_with_a_dot_is_passed_over_in_a_folder_and_read_where_it_is_named(tmp_path: Path) -> None:
    write(tmp_path, **{".hidden_json": RUN, "a_json": RUN})
    assert names(tmp_path) == ["a.json"]
    assert names(tmp_path / ".hidden.json") == [".hidden.json"]


def test_a_link_to_a_folder_above_does_not_make_reading_endless(tmp_path: Path) -> None:
    write(tmp_path, a_json=RUN)
    (tmp_path / "loop").symlink_to(tmp_path)
    assert names(tmp_path) == ["a.json"]


def test_a_pipe_in_a_folder_is_not_waited_for(tmp_path: Path) -> None:
    write(tmp_path, a_json=RUN)
    os.mkfifo(tmp_path / "pipe.json")
    assert names(tmp_path) == ["a.json"]


def test_json_of_a_folder_that_is_no_run_is_counted_in_one_line(tmp_path: Path) -> None:
    write(tmp_path, a_json=RUN, b__config_json=b'{"x": 1}', c_json=b'{"y": 2}', d_json=b"[1]")
    assert names(tmp_path) == ["a.json", "LeftOut"]
    [line] = told(tmp_path)
    assert line == "HERE: HERE/b/config.json and 2 more left out: no recorded run of a known format"


def test_a_folder_without_any_run_is_an_error_that_says_what_is_known(tmp_path: Path) -> None:
    write(tmp_path, b__config_json=b'{"x": 1}', c_json=b"[1]")
    [line] = told(tmp_path)
    assert line.startswith("HERE: no recorded run in it, of all files that end in .json, .jsonl, .ndjson; ")
    assert "OpenAI chat messages" in line


def test_a_folder_without_any_file_that_may_be_a_run_is_an_error_that_says_how_to_read_others(tmp_path: Path) -> None:
    write(tmp_path, **{"run.txt": RUN, "foureyes.toml": b"[x]\n"})
    [line] = told(tmp_path)
    assert line.startswith("HERE: no recorded run in it, ")
    assert line.endswith("; a file of another name is read where it is named")
    assert names(tmp_path) == ["RecordingError"]


def test_each_of_several_folders_without_any_run_is_told_once_whatever_the_others_hold(tmp_path: Path) -> None:
    write(tmp_path, a__run_json=RUN, b__x=b"", c__y_json=b"[]")
    (tmp_path / "d").mkdir()
    assert names(*(tmp_path / name for name in "dabca")) == [
        "RecordingError",
        "run.json",
        "RecordingError",
        "RecordingError",
        "run.json",
    ]


def test_labels_alone_are_an_error(tmp_path: Path) -> None:
    write(tmp_path, labels_json=pretty(LABELS))
    [line] = told(tmp_path / "labels.json")
    assert line == "HERE: labels, and no recorded run; name the runs as well"


def test_without_any_path_there_is_nothing_to_tell() -> None:
    assert list(recordings([])) == []


def test_a_broken_file_of_a_folder_is_an_error_and_the_others_are_read(tmp_path: Path) -> None:
    write(tmp_path, a_json=RUN, b_json=RUN[:-9], c_json=RUN)
    assert names(tmp_path) == ["a.json", "RecordingError", "c.json"]


def test_a_file_that_is_named_must_hold_a_run(tmp_path: Path) -> None:
    write(tmp_path, a=b'{"x": 1}', b=b"# Notes", c=b"")
    assert [line.partition(";")[0].partition(": ")[2][:12] for line in told(*(tmp_path / n for n in "abc"))] == [
        "not a known ",
        "not JSON (Ex",
        "the file is ",
    ]


def test_labels_beside_the_runs_are_no_runs_and_no_error(tmp_path: Path) -> None:
    write(tmp_path, **{"labels.json": pretty(LABELS), "runs.json": pretty(TAU)})
    assert names(tmp_path) == ["runs.json"]
    assert names(tmp_path / "labels.json", tmp_path / "runs.json") == ["runs.json"]


def test_labels_and_rewards_are_taken_from_the_folder_of_the_runs_only(tmp_path: Path) -> None:
    write(tmp_path, a__run_json=pretty(ATIF), b__run_json=pretty(ATIF), **{"a__reward.txt": b"1"})
    assert [item.reward for item in recordings([str(tmp_path)]) if isinstance(item, Recording)] == [1.0, None]


def test_a_missing_file_is_told_and_the_others_are_read(tmp_path: Path) -> None:
    write(tmp_path, a=RUN)
    assert names(tmp_path / "none", tmp_path / "a") == ["RecordingError", "a"]
    assert "no such file" in told(tmp_path / "none")[0]


def test_a_name_that_no_file_can_have_is_told(tmp_path: Path) -> None:
    [error] = recordings(["a\x00b"])
    assert isinstance(error, RecordingError)
    assert str(error).isprintable()


def test_many_broken_places_of_one_file_are_told_in_four_lines(tmp_path: Path) -> None:
    write(tmp_path, a=lines(CLAUDE[1]) + b"{oops}\n" * 2_000 + lines(CLAUDE[2]))
    errors = told(tmp_path / "a")
    assert len(errors) == 4
    assert "1,997 more places that cannot be read" in errors[-1]
    assert names(tmp_path / "a").count("a") == 1


def test_a_file_of_another_kind_with_a_million_lines_is_given_up_early(tmp_path: Path) -> None:
    write(tmp_path, a=b'{"level": "info"}\n' * 100_000)
    [line] = told(tmp_path / "a")
    assert "not a known format" in line


def test_runs_of_one_file_are_numbered_from_one_and_a_single_run_is_not(tmp_path: Path) -> None:
    write(tmp_path, several_json=pretty([*TAU, *TAU]), single_json=pretty(TAU))
    assert names(tmp_path) == ["several.json, run 1", "several.json, run 2", "single.json"]


def test_runs_of_several_formats_may_stand_in_one_file(tmp_path: Path) -> None:
    write(tmp_path, a_json=lines({"messages": CHAT}, ATIF, TAU[0]))
    formats = [item.format for item in recordings([str(tmp_path)]) if isinstance(item, Recording)]
    assert formats == ["OpenAI chat messages", "ATIF", "tau-bench or AgentRx results"]


def test_a_run_is_given_before_the_rest_of_its_file_is_read(tmp_path: Path) -> None:
    write(tmp_path, a=pretty([*TAU, *TAU, *TAU]))
    seen: list[int] = []
    reading = recordings([str(tmp_path / "a")], read=seen.append)
    assert isinstance(next(reading), Recording)
    assert len(seen) == 1


def test_reading_tells_how_many_bytes_of_all_files_have_been_read(tmp_path: Path) -> None:
    write(tmp_path, a=RUN, b=RUN)
    seen: list[int] = []
    list(recordings([str(tmp_path / "a"), str(tmp_path / "b")], read=seen.append))
    assert seen == [len(RUN), 2 * len(RUN)]


def test_every_sample_can_lie_in_one_folder(tmp_path: Path) -> None:
    for number, data in enumerate(SAMPLES.values()):
        (tmp_path / f"{number}.json").write_bytes(data)
    formats = [item.format for item in recordings([str(tmp_path)]) if isinstance(item, Recording)]
    assert formats == list(SAMPLES)


def test_a_recording_knows_its_request_and_its_turns(tmp_path: Path) -> None:
    write(tmp_path, a_json=RUN)
    [recording] = recordings([str(tmp_path)])
    assert isinstance(recording, Recording)
    assert recording.request == CHAT[0]["content"]
    assert [turn.start for turn in recording.turns()] == [1, 3]


def test_a_value_that_is_too_deeply_nested_is_told(tmp_path: Path) -> None:
    deep = json.dumps(
        {"messages": [{"role": "assistant", "tool_calls": [{"function": {"name": "x", "arguments": 0}}]}]}
    )
    write(
        tmp_path, a_json=deep.replace("0", "[" * 100_000 + "]" * 100_000).encode() + b"\n" + lines({"messages": CHAT})
    )
    assert names(tmp_path) == ["RecordingError", "a.json"]
    assert "deeply nested" in told(tmp_path)[0]


def test_what_was_left_out_is_one_printable_line() -> None:
    line = str(LeftOut(folder="a\nb", files=1, example="\x1b[2J"))
    assert line.isprintable()
    assert "more" not in line
