"""An empty list of notes is silence only where it is all that the model said."""

from __future__ import annotations

import json
import time

import pytest

from foureyes.core.facts import Reply
from foureyes.errors import ReviewerError, UnparsedReplyError

from .model_answers import LOSS, LOSS_NOTE, NIT, USED, VERDICT, notes_with, reply

EMPTY = '{"notes": [], "resolved": []}'

CONTRADICTED = {
    "quoted in prose": 'The tool printed {"notes": []} and the migration drops the users table: blocker.',
    "prose afterwards": f"{EMPTY}\nHowever the loop never ends, which is a blocker.",
    "prose before": f"This drops the users table:\n{EMPTY}",
    "a short word": f"BLOCKER\n{EMPTY}",
    "a sign": f"\u274c {EMPTY}",
    "another script": f"\u5371\u967a {EMPTY}",
    "prose in a fence": f"```\ndrops the table\n{EMPTY}\n```",
    "a call": f'<tool_call>{{"name": "bash"}}</tool_call>{EMPTY}',
    "a call without an end": f"{EMPTY}\n<function check>: the loop never ends, blocker",
    "thinking without an end": f"{EMPTY}\n<think>or rather",
    "another object": f'{EMPTY}\n{{"verdict": "reject"}}',
    "another list": f'["drops the table"]\n{EMPTY}',
    "more than is looked at": EMPTY + " " * 100_000 + "It drops the table.",
}


@pytest.mark.parametrize("answer", CONTRADICTED.values(), ids=CONTRADICTED.keys())
def test_an_empty_list_beside_anything_else_is_no_silence(answer: str) -> None:
    with pytest.raises(UnparsedReplyError):
        reply(answer)


def test_a_second_list_does_not_hide_the_first() -> None:
    answer = f'{{"notes": [{json.dumps(LOSS)}], "notes": []}}'
    assert reply(answer) == Reply(notes=(LOSS_NOTE,), usage=USED)


FIELDS = [
    {"verdict": "reject", "reason": "drops the users table"},
    {"ok": False},
    {"error": "no tools"},
    {"summary": "The table is gone."},
    {"blocked": True},
    {"score": 0},
    {"issues": [LOSS]},
    {"details": {"text": "x"}},
    {"resolved": "the table is gone"},
]


@pytest.mark.parametrize("fields", FIELDS, ids=repr)
def test_an_empty_list_beside_a_field_that_says_something_is_no_silence(fields: dict[str, object]) -> None:
    for answer in (json.dumps({"notes": []} | fields), f"```json\n{json.dumps(fields | {'notes': []})}\n```"):
        with pytest.raises(UnparsedReplyError, match="beside"):
            reply(answer)


@pytest.mark.parametrize("fields", [{"summary": ""}, {"error": None}, {"issues": []}, {"extra": {}}], ids=repr)
def test_fields_that_are_empty_say_nothing(fields: dict[str, object]) -> None:
    assert reply(json.dumps({"notes": [], "resolved": None} | fields)) == Reply(usage=USED)


@pytest.mark.parametrize(
    "around",
    ["Here is my review:\n@", "Sure! Here\u2019s the JSON:\n```json\n@\n```", "**Review**\n\n@", "@\n\n@", "json\n@"],
)
def test_a_fence_and_a_lead_in_say_nothing(around: str) -> None:
    assert reply(around.replace("@", EMPTY)) == Reply(usage=USED)


@pytest.mark.parametrize("fields", FIELDS, ids=repr)
def test_notes_are_read_whatever_is_beside_them(fields: dict[str, object]) -> None:
    assert reply(json.dumps({"notes": [LOSS]} | fields)).notes == (LOSS_NOTE,)
    assert reply(f"It drops the table.\n{VERDICT}\nThat is a blocker.").notes == (LOSS_NOTE,)


@pytest.mark.parametrize("piece", ["<think>", "\n<think>a</think>", "<tool_call>", "[{", "a ", '{"a": 1}', "<|", "\n"])
def test_what_is_longer_than_any_reply_is_cut_before_it_is_read(piece: str) -> None:
    text = f"{VERDICT} {piece * (3_500_000 // len(piece))}x"
    began = time.process_time()
    try:
        found = reply(text)
    except ReviewerError:
        found = Reply()
    assert time.process_time() - began < 0.3
    assert all(note == LOSS_NOTE or note.severity is NIT for note in found.notes)


def test_a_list_in_prose_is_told_apart_from_prose() -> None:
    with pytest.raises(UnparsedReplyError, match="prose"):
        reply("It drops the table.")
    assert notes_with() == EMPTY
