"""The JSON values in a file: where they are, how little is held at once, where reading goes on after a broken one."""

from __future__ import annotations

import io
import json
from itertools import islice

import pytest

from foureyes.replay.decoding import Broken, Entry, decoded


class Drip(io.StringIO):
    """A file that gives no more than a few characters at a time, whatever it is asked for."""

    def __init__(self, text: str, most: int) -> None:
        super().__init__(text)
        self._most = most

    def read(self, size: int | None = -1, /) -> str:
        """Return the next few characters."""
        return super().read(self._most)


def values(text: str, most: int = 1_000_000) -> list[object]:
    """Return the values of a text, an error in place of each that cannot be read."""
    return [item.value if isinstance(item, Entry) else item.error for item in decoded(Drip(text, most))]


def problems(text: str, most: int = 1_000_000) -> list[str]:
    return [str(item.error) for item in decoded(Drip(text, most)) if isinstance(item, Broken)]


def test_values_know_the_line_on_which_they_begin() -> None:
    entries = decoded(io.StringIO('\n{"a": 1}\n\n{\n  "b": 2\n}\n"c"'))
    assert [(entry.line, entry.value) for entry in entries if isinstance(entry, Entry)] == [
        (2, {"a": 1}),
        (4, {"b": 2}),
        (7, "c"),
    ]


def test_the_items_of_an_outermost_array_come_one_by_one_with_their_number_and_line() -> None:
    entries = decoded(io.StringIO('[\n  {"a": 1},\n  [2],\n  3\n]\n[4]'))
    assert [(e.array, e.number, e.line, e.value) for e in entries if isinstance(e, Entry)] == [
        (0, 1, 2, {"a": 1}),
        (0, 2, 3, [2]),
        (0, 3, 4, 3),
        (1, 1, 6, 4),
    ]


def test_an_empty_array_is_a_value() -> None:
    assert values("[]\n[ ]") == [[], []]


TEXT = (
    '[{"a": "x\\u00e9 \\\\"}, 12.5e3, true, null, "\u4e2d"]\r\n{"b": [1, {"c": "\\ud83d\\ude00"}]}\n  -17 false "end"'
)


@pytest.mark.parametrize("most", range(1, 40))
def test_it_does_not_matter_in_which_pieces_a_file_is_read(most: int) -> None:
    assert values(TEXT, most) == values(TEXT)


def test_no_more_of_an_array_is_read_than_its_next_item_needs() -> None:
    file = io.StringIO("[" + ",".join(["[1]"] * 3_000_000) + "]")
    assert len(list(islice(decoded(file), 10))) == 10
    assert file.tell() < 1_000_000


@pytest.mark.parametrize("most", [1, 7, 1_000_000])
@pytest.mark.parametrize(
    "broken",
    ['{"a": oops}', '{"a": "unclosed', '{"a" 1}', "{", '{"a": "\x01"}', "nonsense", "[1, 2", '{"a": 1}]'],
)
def test_after_a_broken_line_the_next_line_that_begins_a_value_is_read(broken: str, most: int) -> None:
    good, bad, last = values(f'{{"g": 1}}\n{broken}\n{{"last": 1}}', most)[-3:]
    assert isinstance(bad, Exception)
    assert good in ({"g": 1}, {"a": 1}, 1, 2)
    assert last == {"last": 1}


def test_the_lines_inside_a_broken_indented_value_are_not_taken_for_values() -> None:
    document = json.dumps({"a": {"b": [1, 2, {"c": 3}]}, "d": 4}, indent=2).replace("3", "oops")
    assert [type(value) for value in values(f"{document}\n{{}}")] == [*map(type, values("#")), dict]


def test_an_error_in_an_array_says_that_the_array_has_ended() -> None:
    found = list(decoded(io.StringIO('[1, 2, oops]\n{"a": 1}\n{')))
    assert [(item.array, isinstance(item, Broken)) for item in found] == [
        (0, False),
        (0, False),
        (0, True),
        (None, False),
        (None, True),
    ]


@pytest.mark.parametrize("most", [1, 5, 1_000_000])
@pytest.mark.parametrize(
    ("text", "place"),
    [
        ('{"a": oops}', "line 1, column 7"),
        ('{"a": 1}\n\n {"b": oops}', "line 3, column 8"),
        ('{"a": 1} {"b": oops}', "line 1, column 16"),
        ("[1,\n2,\n 3 4]", "line 3, column 4"),
        ('[\n{"a": [1,\n  oops]}', "line 3, column 3"),
        ('{"a": [1,\n', "line 2, column 1"),
    ],
)
def test_a_place_is_a_line_and_a_column_of_the_file(text: str, place: str, most: int) -> None:
    [problem] = problems(text, most)
    assert problem.startswith(f"{place}: ")


@pytest.mark.parametrize("most", [1, 1_000_000])
@pytest.mark.parametrize("text", ["[1", "[1,", "[", '{"a', '{"a": "x', '[{"a": 1}', "[tru", "[1, -"])
def test_a_file_that_ends_inside_a_value_is_called_just_that(text: str, most: int) -> None:
    [problem] = problems(text, most)
    assert "the file ends in the middle of a value" in problem or "Expecting value" in problem


def test_bytes_that_are_no_utf8_spoil_only_their_value() -> None:
    data = b'{"a": "\xff"}\n{"b": "\xc3\xa9"}\n'
    file = io.TextIOWrapper(io.BytesIO(data), encoding="utf-8-sig", errors="surrogateescape")
    first, second = decoded(file)
    assert isinstance(first, Broken)
    assert str(first.error).startswith("line 1: not UTF-8 text")
    assert isinstance(second, Entry)
    assert second.value == {"b": "\u00e9"}


def test_a_lone_surrogate_that_was_written_as_an_escape_is_a_value() -> None:
    assert values('"\\ud800"') == ["\ud800"]
