"""Reading what a model answered: the notes that are there, silence only where it says so, and never a guess."""

from __future__ import annotations

import json
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from foureyes.core.facts import Anchor, Note, Reply, Usage
from foureyes.core.noise import is_noise
from foureyes.core.similarity import folded
from foureyes.core.words import OutcomeKind
from foureyes.errors import (
    ReviewerError,
    TransientReviewerError,
    UnparsedReplyError,
)
from foureyes_reviewers.model.reading import read

from .growth import HOSTILE, assert_linear
from .model_answers import BLOCKER, CONCERN, EXAMPLE, LOSS, LOSS_NOTE, NIT, USED, VERDICT, notes_with, reply, texts

# --- one reply in many clothes ---

WRAPPED = {
    "plain": "@",
    "byte order mark": "\ufeff@",
    "fence": "```json\n@\n```",
    "fence without a language": "```\n@\n```",
    "fence of tildes, no end": "~~~\n@",
    "prose before": "Here you go:\n\n@",
    "prose after": "@\n\nLet me know if you need more.",
    "prose with brackets": "I looked at {x, y}, at rows[0] and at [1]. My review:\n@\nSee (a) and [b].",
    "twice the same": "@\n@",
    "thinking": f"<think>maybe {EXAMPLE}</think>@",
    "thinking with another name": f"<thinking>\nmaybe {EXAMPLE}\n</thinking>\n\n@",
    "thinking in capitals": f"<THINK>{EXAMPLE}</THINK>\n@",
    "thinking in brackets": f"[THINK]{EXAMPLE}[/THINK]@",
    "thinking opened by the template": f"maybe {EXAMPLE}, no\n</think>\n@",
    "thinking of another template": f"<seed:think>{EXAMPLE}</seed:think>@",
    "a thought": f"<|begin_of_thought|>\n{EXAMPLE}\n<|end_of_thought|>\n<|begin_of_solution|>@<|end_of_solution|>",
    "thinking about thinking": f"<think>a <think> b</think> or {EXAMPLE}</think>\n@",
    "empty thinking, then more": f"<think></think><think>{EXAMPLE}</think>@",
    "thinking afterwards": f"@\n<think>was {EXAMPLE} better?</think>",
    "thinking in a channel": (
        f"<|channel|>analysis<|message|>{EXAMPLE}<|end|><|start|>assistant<|channel|>final<|message|>@<|return|>"
    ),
    "thinking and a fence": f"<think>{EXAMPLE}</think>\nHere you go:\n```json\n@\n```",
    "the end token": "@<|im_end|>",
    "a call that nobody can make": '<tool_call>{"name": "bash", "notes": []}</tool_call>\n@',
}
"""What a model puts around its reply, which stands where the @ is."""

SPELT = {
    "indented": json.dumps({"notes": [LOSS]}, indent=4),
    "in two spellings": f"{VERDICT}\n```json\n{json.dumps(json.loads(VERDICT), indent=2)}\n```",
    "a bare list": json.dumps([LOSS]),
    "a bare list in a fence": f"```json\n{json.dumps([LOSS])}\n```",
    "a bare note": json.dumps(LOSS),
    "the other name of the text": '{"notes": [{"severity": "blocker", "note": "drops table without backup"}]}',
    "single quotes": "{'notes': [{'severity': 'blocker', 'text': 'drops table without backup', 'key': None}]}",
    "commas too many": '{"notes": [{"severity": "blocker", "text": "drops table without backup",},], }',
}


@pytest.mark.parametrize("around", WRAPPED.values(), ids=WRAPPED.keys())
def test_one_reply_is_read_in_whatever_clothes_it_comes(around: str) -> None:
    assert reply(around.replace("@", VERDICT)) == Reply(notes=(LOSS_NOTE,), usage=USED)


SAYING = ("prose with brackets", "a call that nobody can make")
"""What is read past around notes, and says something beside an empty list."""
STILL = {name: around for name, around in WRAPPED.items() if name not in SAYING}


@pytest.mark.parametrize("around", STILL.values(), ids=STILL.keys())
def test_silence_is_read_in_the_same_clothes(around: str) -> None:
    assert reply(around.replace("@", '{"notes": [], "resolved": []}')) == Reply(usage=USED)


@pytest.mark.parametrize("answer", SPELT.values(), ids=SPELT.keys())
def test_one_reply_is_read_in_whatever_spelling(answer: str) -> None:
    assert reply(answer) == Reply(notes=(LOSS_NOTE,), usage=USED)


def test_a_bare_empty_list_is_silence_only_where_it_is_the_whole_answer() -> None:
    assert reply("[]") == reply("```\n[]\n```".strip("`\n")) == Reply(usage=USED)
    with pytest.raises(UnparsedReplyError):
        reply("The list [] is what the function returns.")


def test_tags_and_fences_inside_a_note_are_what_the_note_talks_about() -> None:
    said = "the page prints </think> and ```json {} ``` and <think> raw"
    assert texts(notes_with({"severity": "nit", "text": said})) == [said]


def test_a_word_in_angle_brackets_in_the_middle_of_a_line_begins_no_thinking() -> None:
    assert texts(f"The agent's template has no <think> tag. {VERDICT}") == [LOSS_NOTE.text]


def test_line_breaks_and_quotes_inside_a_text_are_read() -> None:
    assert texts('{"notes": [{"severity": "nit", "text": "one\ntwo"}]}') == ["one\ntwo"]
    assert texts("""{'notes': [{'severity': 'nit', 'text': 'it\\'s "two"'}]}""") == ["""it's "two\""""]


# --- every field of a note ---


def test_every_field_of_the_schema_arrives() -> None:
    anchor = {"turn": 3, "call": "call_7", "path": "src/a.py:12"}
    entry = LOSS | {"key": "migration.no-backup", "anchor": anchor, "subject": "review"}
    assert reply(notes_with(entry)).notes == (
        Note(
            text=LOSS_NOTE.text,
            severity=BLOCKER,
            key="migration.no-backup",
            subject="review",
            anchor=Anchor(turn=3, call="call_7", path="src/a.py:12"),
        ),
    )


def test_null_means_that_a_field_is_missing() -> None:
    assert reply(notes_with(LOSS | {"key": None, "anchor": None, "subject": "work"})).notes == (LOSS_NOTE,)


def test_resolved_keys_arrive_each_once() -> None:
    answer = {"notes": [], "resolved": ["a/b", "a/b", "", 7, None, "c"]}
    assert reply(json.dumps(answer)) == Reply(resolved=("a/b", "c"), usage=USED)


def test_resolved_keys_without_a_list_of_notes_are_no_reply() -> None:
    with pytest.raises(UnparsedReplyError):
        reply('{"resolved": ["a"]}')


# --- several documents ---


def test_a_sequence_of_notes_behind_a_banner_is_read_and_unknown_fields_are_ignored() -> None:
    answer = (
        'installing deps...\n{"severity":"nit","note":"a b c","confidence":0.4}\n{"severity":"concern","note":"d e f"}'
    )
    assert reply(answer).notes == (Note(text="a b c"), Note(text="d e f", severity=CONCERN))
    assert reply(answer).malformed == 0


OTHERS = [
    '{"notes": []}',
    EXAMPLE,
    '{"notes": [{"severity": "concern", "text": "drops table without backup"}]}',
    '[{"severity": "blocker", "text": "something else"}]',
]


@pytest.mark.parametrize("other", OTHERS)
def test_two_replies_that_differ_are_no_reply(other: str) -> None:
    for answer in (f"{VERDICT}\n{other}", f"{other}\n{VERDICT}"):
        with pytest.raises(UnparsedReplyError, match="differ"):
            reply(answer)


def test_a_stray_note_beside_a_reply_is_counted_and_not_lost_without_a_word() -> None:
    answer = f'{VERDICT}\n{{"severity": "concern", "text": "another"}}'
    assert reply(answer) == Reply(notes=(LOSS_NOTE,), malformed=1, usage=USED)
    assert reply(f"{VERDICT}\n{json.dumps(LOSS)}").malformed == 0


def test_silence_beside_a_stray_note_is_no_silence() -> None:
    with pytest.raises(UnparsedReplyError):
        reply('{"notes": []}\n{"severity": "blocker", "text": "but the table is gone"}')


# --- silence and failure ---


@pytest.mark.parametrize("text", ["", "  \n", "\ufeff", "<think>all fine</think>", "<|eos|>", "</s>", "<|im_end|>\n"])
@pytest.mark.parametrize("reason", [None, "stop", "end_turn", "STOP"])
def test_an_empty_answer_that_used_tokens_is_silence(text: str, reason: str | None) -> None:
    assert reply(text, reason) == Reply(usage=USED)


@pytest.mark.parametrize("usage", [None, Usage(), Usage(input_tokens=500)])
def test_an_empty_answer_without_tokens_is_a_failure(usage: Usage | None) -> None:
    with pytest.raises(TransientReviewerError):
        read("", usage, "stop")


def test_an_empty_answer_that_stopped_for_an_unknown_reason_is_a_failure() -> None:
    with pytest.raises(TransientReviewerError):
        reply("", "malformed_function_call")


def test_an_explicit_empty_list_is_silence_whatever_was_used() -> None:
    assert read('{"notes": []}', None, None) == Reply()
    assert read('{"notes": []}', Usage(), "stop") == Reply()


NO_REPLY = [
    "{}",
    '{"note": "x"}',
    '{"notes": null}',
    '{"notes": "none"}',
    '{"notes": {"severity": "nit", "text": "x"}, "verdict": "ok"}'.replace('"severity": "nit", ', ""),
    "true",
    '"ok"',
    "[1, 2]",
    '{"approved": true}',
    '{"verdict": "approve", "score": NaN}',
]


@pytest.mark.parametrize("text", NO_REPLY)
def test_json_without_a_list_of_notes_is_no_reply(text: str) -> None:
    with pytest.raises(UnparsedReplyError):
        reply(text)


# --- words are no verdict ---

WORDS = [
    "I am worried that the retry loop never backs off.",
    "DISAPPROVE",
    "I cannot approve this",
    "NOT APPROVED",
    "approved? no",
    "No failures were found",
    "This would have FAILED before; now fine",
    "Yes",
    "yes.",
    "Yes, block it",
    "No - it is safe",
    "はい",
    "LGTM",
    "(silence)",
    "Acknowledged.",
    "I'm sorry, I can't help with that.",
    "notes: none",
    "severity: blocker\nsummary: drops table",
]


@pytest.mark.parametrize("text", WORDS)
def test_words_without_notes_are_no_reply_whatever_they_say(text: str) -> None:
    with pytest.raises(UnparsedReplyError, match="prose") as raised:
        reply(text)
    assert raised.value.outcome is OutcomeKind.UNPARSED


def test_an_error_never_quotes_the_answer() -> None:
    for answer in ("hunter2 is what I saw", '{"seen": "hunter2"}', '{"notes": [{"text": "hunter2'):
        with pytest.raises(UnparsedReplyError) as raised:
            reply(answer)
        assert "hunter2" not in str(raised.value)


@pytest.mark.parametrize("text", ["<|eos|>", "(silence)", "[no advice]", "Acknowledged.", "Waiting for revision."])
def test_talk_about_silence_in_a_note_is_empty_or_noise_to_the_guard(text: str) -> None:
    [said] = texts(notes_with({"severity": "nit", "text": text}))
    assert not folded(said) or is_noise(folded(said))


# --- one bad note never costs its siblings ---


def test_whatever_stands_for_a_severity_the_note_is_kept() -> None:
    words: list[Any] = ["Blocker ", "HIGH", "critical", "minor", "P0", "compliance", None, 2, "🔴"]
    answer = notes_with(*({"severity": word, "text": f"note {place}"} for place, word in enumerate(words)))
    levels = [note.severity for note in reply(answer).notes]
    assert levels == [BLOCKER, BLOCKER, BLOCKER, NIT, BLOCKER, NIT, NIT, NIT, NIT]


@pytest.mark.parametrize("severity", ["", "warning!", "CONCERN", " blocker ", None])
def test_a_note_without_a_severity_we_know_is_never_dropped(severity: str | None) -> None:
    assert texts(notes_with({"severity": severity, "text": "x y z"}, LOSS)) == ["x y z", LOSS_NOTE.text]


def test_notes_of_the_wrong_type_are_counted_and_the_good_one_stays() -> None:
    answer = '{"notes":[{"severity":"nit","note":["a"]},{"severity":"nit","note":7},{"severity":NaN,"note":"x y z"}]}'
    assert reply(answer) == Reply(notes=(Note(text="x y z"),), malformed=2, usage=USED)


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity", "1e999", "9" * 400, "9" * 5_000, "-" + "9" * 5_000])
def test_numbers_that_are_none_do_no_harm(number: str) -> None:
    answer = f'{{"notes": [{{"severity": "nit", "text": "x y z", "anchor": {{"turn": {number}}}}}], "score": {number}}}'
    assert reply(answer).notes == (Note(text="x y z", anchor=Anchor()),)


def test_a_number_too_long_to_be_any_costs_no_sibling() -> None:
    answer = notes_with({"severity": "nit", "text": "x y z", "anchor": {"turn": 0}}, LOSS)
    assert texts(answer.replace('"turn": 0', f'"turn": {"9" * 5_000}')) == ["x y z", LOSS_NOTE.text]


# --- anything at all ---


@given(st.text(max_size=300))
def test_any_text_is_a_reply_or_one_of_our_errors(text: str) -> None:
    with suppress(ReviewerError):
        assert isinstance(reply(text), Reply)


@given(st.lists(st.sampled_from([*SPELT.values(), *OTHERS, "<think>", "</think>", '"', "'", "{", "[", "\\", "```"])))
def test_any_mixture_of_replies_is_a_reply_or_one_of_our_errors(parts: list[str]) -> None:
    with suppress(ReviewerError):
        assert isinstance(reply("\n".join(parts)), Reply)


def test_lone_surrogates_do_not_get_through() -> None:
    assert texts('{"notes": [{"severity": "nit", "text": "a \\ud800 b"}]}') == ["a \N{REPLACEMENT CHARACTER} b"]


@pytest.mark.parametrize(
    "piece", [*HOSTILE, VERDICT, '{"notes":[', "{'", "<think>", "</think>", "<tool_call>", "\n<think>"]
)
def test_reading_takes_linear_time_however_hostile_the_answer(piece: str) -> None:
    def work(text: str) -> None:
        with suppress(ReviewerError):
            reply(text)

    assert_linear(work, piece)
