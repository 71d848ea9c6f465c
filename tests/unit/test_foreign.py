"""JSON of others is read so that one odd value does not cost what stands beside it."""

from __future__ import annotations

import json

import pytest

from foureyes.core.facts import Note, Review, ToolTrace
from foureyes.core.words import Severity, Trigger
from foureyes.errors import ReviewerError, UnparsedReplyError
from foureyes_reviewers.checks.calls import normalised, shell_command
from foureyes_reviewers.checks.missed_form import missed_form
from foureyes_reviewers.exchange import Exchange
from foureyes_reviewers.foreign import lossless, parsed
from foureyes_reviewers.model.problem import Problem, ProviderError
from foureyes_reviewers.model.reading import read
from foureyes_reviewers.redaction import Redactor

from .model_answers import USED

LONG = "9" * 5_000
GOOD = '{"severity": "concern", "text": "The lock is kept."}'
NOTE = Note(text="The lock is kept.", severity=Severity.CONCERN)
OTHER = Note(text="The file is open.", severity=Severity.NIT)
OTHERS = '{"severity": "nit", "text": "The file is open."}'


def exchanged(text: str | bytes) -> tuple[tuple[Note, ...], int]:
    """Return the notes in the reply of a program or an endpoint, and how many were lost."""
    review = Review(session="s", reviewer="one", trigger=Trigger.MANUAL, turn=1, since=0, round=0, request="")
    said = text if isinstance(text, bytes) else text.encode()
    reply = Exchange(review, Redactor()).answered(said)
    return reply.notes, reply.malformed


def modelled(text: str) -> tuple[tuple[Note, ...], int]:
    """Return the notes in the answer of a model, and how many were lost."""
    reply = read(text, USED, "stop")
    return reply.notes, reply.malformed


ODD = {
    "a number of 5,000 digits": f'{{"notes": [{GOOD}], "seed": {LONG}}}',
    "a negative one": f'{{"notes": [{GOOD}], "seed": -{LONG}}}',
    "one in usage": f'{{"notes": [{GOOD}], "usage": {{"input_tokens": {LONG}}}}}',
    "one for a key": f'{{"notes": [{GOOD[:-1]}, "key": {LONG}}}]}}',
    "one for a turn": f'{{"notes": [{GOOD[:-1]}, "anchor": {{"turn": {LONG}}}}}]}}',
    "NaN": f'{{"notes": [{GOOD}], "score": NaN}}',
    "infinities": f'{{"notes": [{GOOD}], "score": [Infinity, -Infinity, 1e999]}}',
    "a second field": f'{{"notes": [{GOOD}], "score": 1, "score": 2}}',
    "a second list that is empty": f'{{"notes": [{GOOD}], "notes": []}}',
    "a second list that is null": f'{{"notes": [{GOOD}], "notes": null}}',
    "a byte order mark": f'\ufeff{{"notes": [{GOOD}]}}',
    "a line break in a text": f'{{"notes": [{GOOD}], "why": "a\nb"}}',
}


@pytest.mark.parametrize("text", ODD.values(), ids=ODD.keys())
def test_an_odd_value_does_not_cost_the_notes_beside_it(text: str) -> None:
    for notes, lost in (exchanged(text), modelled(text)):
        assert [(note.text, note.severity) for note in notes] == [("The lock is kept.", Severity.CONCERN)]
        assert lost == 0


def test_two_lists_of_notes_in_one_object_are_joined_in_order() -> None:
    text = f'{{"notes": [{GOOD}], "notes": [{OTHERS}], "resolved": ["a"], "resolved": ["b"]}}'
    assert exchanged(text) == modelled(text) == ((NOTE, OTHER), 0)
    assert read(text, USED, "stop").resolved == ("a", "b")


@pytest.mark.parametrize("second", ['"The file is open."', '{"text": "x"}', "3"])
def test_what_is_no_list_beside_a_list_of_notes_is_an_entry_that_cannot_be_read_or_is_one(second: str) -> None:
    text = f'{{"notes": [{GOOD}], "notes": {second}}}'
    notes, lost = exchanged(text)
    assert (notes[0], len(notes) + lost) == (NOTE, 2)
    assert modelled(text) == (notes, lost)


def test_of_a_note_with_two_texts_and_two_severities_both_texts_and_the_higher_severity_are_kept() -> None:
    text = '{"notes": [{"text": "One.", "severity": "blocker", "text": "Two.", "severity": "nit"}]}'
    assert exchanged(text) == ((Note(text="One.\nTwo.", severity=Severity.BLOCKER),), 0)


def test_an_error_is_not_hidden_by_a_second_one_that_says_nothing() -> None:
    with pytest.raises(ReviewerError, match="out of disk"):
        exchanged('{"error": {"message": "out of disk"}, "notes": [], "error": null}')


def test_a_verdict_beside_an_empty_list_is_not_hidden_by_an_empty_one() -> None:
    with pytest.raises(UnparsedReplyError):
        modelled('{"notes": [], "verdict": "reject", "verdict": null}')


def test_a_lone_surrogate_is_marked_and_costs_nothing() -> None:
    text = '{"notes": [{"severity": "nit", "text": "a\\ud800b"}]}'
    assert [note.text for note in exchanged(text)[0]] == ["a\N{REPLACEMENT CHARACTER}b"]


def test_a_byte_that_is_no_character_costs_nothing() -> None:
    said = b'{"notes": [{"severity": "nit", "text": "a\xffb"}]}'
    assert [note.text for note in exchanged(said)[0]] == ["a\N{REPLACEMENT CHARACTER}b"]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (f'{{"notes": [{GOOD}]}}\n{{"notes": [{OTHERS}]}}', "more than one"),
        (f'{{"notes": [{GOOD}], "deep": {"[" * 200_000}{"]" * 200_000}}}', "nested too deeply"),
        ("[" * 200_000, "nested too deeply"),
        ("\ufeff\n", "empty"),
        ("reading files", "no reply"),
    ],
)
def test_what_cannot_be_read_as_one_reply_is_said_and_never_silence(text: str, problem: str) -> None:
    with pytest.raises(UnparsedReplyError, match=problem):
        exchanged(text)


@pytest.mark.parametrize("depth", [30, 40, 300, 900, 2_000, 200_000])
def test_a_field_of_any_depth_behind_the_notes_of_a_model_neither_costs_them_nor_raises(depth: int) -> None:
    notes, _ = modelled(f'{{"notes": [{GOOD}], "deep": {"[" * depth}{"]" * depth}}}')
    assert notes == (NOTE,)


def test_many_fields_given_twice_take_linear_time() -> None:
    many = ",".join(f'"{number}": 1, "{number}": 2' for number in range(40_000))
    assert len(parsed(f"{{{many}}}")) == 40_000  # comparing each with each would take minutes


def test_what_is_compared_is_read_as_any_program_reads_it() -> None:
    assert lossless('{"a": 1, "a": 2}') == {"a": 2}
    assert lossless(LONG) == LONG
    assert normalised(f'{{"n": {LONG[:302]}}}') != normalised(f'{{"n": {LONG[:303]}}}')


def test_a_shell_command_is_found_beside_a_number_of_5000_digits() -> None:
    assert shell_command(ToolTrace(name="bash", arguments=f'{{"n": {LONG}, "command": "ls"}}')) == "ls"


def test_an_answer_with_a_number_of_5000_digits_is_json() -> None:
    asked = Review(
        session="s", reviewer="one", trigger=Trigger.FINISH, turn=1, since=0, round=1,
        request="Answer in JSON.", answer=f'{{"n": {LONG}}}',
    )  # fmt: skip
    assert list(missed_form(asked)) == []


def test_the_code_of_an_error_is_found_beside_a_number_of_5000_digits() -> None:
    class Response:
        text = f'{{"error": {{"code": "insufficient_quota", "code": null, "id": {LONG}}}}}'
        headers: dict[str, str] = {}  # noqa: RUF012

    error = ProviderError(json.dumps("x"), 429)
    error.response = Response()  # type: ignore[attr-defined]
    assert Problem.of(error).codes == {"insufficient_quota"}
