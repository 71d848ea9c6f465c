"""Reading a reply: note by note, so that a bad one never costs its siblings, and nothing ever raises."""

from __future__ import annotations

import json
from collections.abc import Iterator
from types import MappingProxyType, SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from foureyes.core.facts import NO_USAGE, Anchor, Note, Reply, Usage
from foureyes.core.text import unredacted
from foureyes.core.words import Severity
from foureyes.replies import MAX_ENTRIES, read_reply, redacted

NIT, CONCERN, BLOCKER = Severity.NIT, Severity.CONCERN, Severity.BLOCKER
LONG_NOTE = 8_000


def read(raw: object) -> Reply:
    """Return the reply, which there must be."""
    reply = read_reply(raw)
    assert reply is not None
    return reply


def only(entry: object) -> Note:
    """Return the one note of a reply with this entry."""
    [note] = read([entry]).notes
    return note


# --- the top level ---


class List(list[Any]):
    """A list of a kind of its own."""


@pytest.mark.parametrize(
    "raw",
    [
        [],
        (),
        List(),
        {"notes": []},
        {"notes": ()},
        MappingProxyType({"notes": []}),
        Reply(),
        {"notes": [], "verdict": "no"},
    ],
)
def test_an_explicit_empty_list_is_silence(raw: object) -> None:
    assert read(raw) == Reply()


@pytest.mark.parametrize(
    "raw",
    [
        None,
        "",
        "LGTM",
        "[]",
        b"[]",
        0,
        42,
        True,
        float("nan"),
        {},
        {"note": "text"},
        {"notes": None},
        {"notes": "text"},
        {"notes": {"text": "x"}},
        {"notes": 3},
        {"notes": iter([])},
        {1, 2},
        object(),
        Reply,
        iter([]),
        (entry for entry in [1]),
        SimpleNamespace(notes=[]),
        Note(text="alone"),
    ],
    ids=repr,
)
def test_what_has_no_list_of_notes_is_unparsed_and_not_silence(raw: object) -> None:
    assert read_reply(raw) is None


@pytest.mark.parametrize("top", [lambda notes: notes, tuple, lambda notes: {"notes": notes}])
def test_a_list_a_tuple_and_a_mapping_say_the_same(top: Any) -> None:
    assert read(top([{"text": "x", "severity": "blocker"}])).notes == (Note(text="x", severity=BLOCKER),)


@pytest.mark.parametrize(
    ("resolved", "keys"),
    [(["a", " ", "b", "a", 7, None], ("a", "b")), ("a", ()), (None, ()), ({"a": 1}, ()), (["k"] * 999, ("k",))],
)
def test_resolved_keys_are_texts_each_once_and_anything_else_is_none(resolved: Any, keys: tuple[str, ...]) -> None:
    assert read({"notes": [], "resolved": resolved}) == Reply(resolved=keys)
    assert read(Reply(resolved=resolved)) == Reply(resolved=keys)


# --- one note ---


@pytest.mark.parametrize(
    ("entry", "note"),
    [
        ({"text": "x"}, Note(text="x")),
        ({"note": "x"}, Note(text="x")),
        ({"text": "x", "note": "y"}, Note(text="x")),
        ({"text": "x", "severity": "concern"}, Note(text="x", severity=CONCERN)),
        ({"text": "x", "severity": " BLOCKER "}, Note(text="x", severity=BLOCKER)),
        ({"text": "x", "severity": "HIGH"}, Note(text="x", severity=BLOCKER)),
        ({"text": "x", "severity": None}, Note(text="x")),
        ({"text": "x", "severity": "catastrophic"}, Note(text="x")),
        ({"text": "x", "severity": 'critical" onload="'}, Note(text="x")),
        ({"text": "x", "severity": float("nan")}, Note(text="x")),
        ({"text": "x", "severity": ["blocker"]}, Note(text="x")),
        ({"text": "x", "severity": BLOCKER}, Note(text="x", severity=BLOCKER)),
        ({"text": "x", "key": "a/b"}, Note(text="x", key="a/b")),
        ({"text": "x", "key": "  "}, Note(text="x")),
        ({"text": "x", "key": 7}, Note(text="x")),
        ({"text": "x", "subject": " Review "}, Note(text="x", subject="review")),
        ({"text": "x", "subject": None}, Note(text="x")),
        ({"text": "x", "extra": object()}, Note(text="x")),
        (Note(text="x", severity=BLOCKER, key="k"), Note(text="x", severity=BLOCKER, key="k")),
        ({"text": "x", "anchor": {"turn": 3, "call": "c1", "path": "a.py:7"}},
         Note(text="x", anchor=Anchor(turn=3, call="c1", path="a.py:7"))),
        ({"text": "x", "anchor": {"turn": "3"}}, Note(text="x", anchor=Anchor())),
        ({"text": "x", "anchor": {"turn": True}}, Note(text="x", anchor=Anchor())),
        ({"text": "x", "anchor": {"turn": -1}}, Note(text="x", anchor=Anchor())),
        ({"text": "x", "anchor": {"turn": 10**30}}, Note(text="x", anchor=Anchor())),
        ({"text": "x", "anchor": "a.py"}, Note(text="x")),
    ],
    ids=lambda value: repr(value)[:60],
)  # fmt: skip
def test_a_note_is_read_as_far_as_it_can_be(entry: object, note: Note) -> None:
    assert only(entry) == note


@pytest.mark.parametrize(
    "entry",
    [None, 7, "text", ["text"], {}, {"text": None}, {"text": ["a"]}, {"note": 7}, {"severity": "nit"}, Note, object()],
    ids=repr,
)
def test_an_entry_that_is_no_note_is_malformed_and_costs_only_itself(entry: object) -> None:
    reply = read([{"text": "before"}, entry, {"text": "after"}])
    assert [note.text for note in reply.notes] == ["before", "after"]
    assert reply.malformed == 1


def test_values_of_the_wrong_type_are_counted_and_the_rest_is_kept() -> None:
    """As in https://github.com/explodinggradients/ragas/issues/608: a NaN passed the threshold."""
    raw = json.loads(
        '{"notes": [{"severity": "nit", "note": ["a"]}, {"severity": "nit", "note": 7},'
        ' {"severity": NaN, "note": "x y z"}]}'
    )
    assert read(raw) == Reply(notes=(Note(text="x y z"),), malformed=2, unknown_severities=1)


def test_half_an_emoji_and_a_null_are_replaced() -> None:
    """As in https://github.com/Aider-AI/aider/issues/3693: a lone surrogate killed the log."""
    note = only({"text": "broken \ud83d emoji \0 end", "key": "k\ud83d", "anchor": {"path": "a\0b"}})
    assert (note.text, note.key, note.anchor) == ("broken � emoji � end", "k�", Anchor(path="a�b"))


def test_a_note_of_five_megabytes_is_cut_and_says_how_much_is_missing() -> None:
    text = "head " + "*" * 5_000_000 + " tail"
    note = only({"text": text})
    assert len(note.text) <= LONG_NOTE
    assert note.text.startswith("head *")
    assert note.text.endswith("* tail")
    missing = text.count("*") - note.text.count("*")
    assert f" {missing} characters left out" in note.text


def test_long_keys_and_anchors_are_cut_once_secrets_are_out_of_them() -> None:
    said = {"text": "x", "key": "k" * 10_000, "anchor": {"call": "c" * 10_000, "path": "p" * 10_000}}
    reply = read_reply([said])
    assert reply is not None
    [note] = redacted(reply, unredacted).notes
    assert note.anchor is not None
    assert {len(str(value)) for value in (note.key, note.anchor.call, note.anchor.path)} == {512}


# --- many entries ---


class Endless(list[Any]):
    """A list that claims to be longer than anything."""

    def __len__(self) -> int:
        return 10**12


@pytest.mark.parametrize(("beyond", "malformed"), [(0, 0), (1, 1), (256, 256), (5_000, 256)])
def test_of_very_many_entries_a_bounded_number_is_looked_at_and_counted(beyond: int, malformed: int) -> None:
    reply = read([{"text": "x"}] * (MAX_ENTRIES + beyond))
    assert (len(reply.notes), reply.malformed) == (MAX_ENTRIES, malformed)


@pytest.mark.parametrize("raw", [Reply(malformed=10**12), Endless()])
def test_no_reply_claims_more_bad_entries_than_anybody_could_count(raw: object) -> None:
    assert read(raw).malformed == MAX_ENTRIES


LONG = [{"text": f"{place} {'x y ' * (LONG_NOTE // 4)}"[:LONG_NOTE], "severity": "nit"} for place in range(9)]
"""Nine notes, of which eight fit."""


def test_of_more_than_is_looked_at_the_strongest_notes_are_read_in_the_order_in_which_they_were_written() -> None:
    severities = ["nit", "concern", "nit", *["concern"] * 4, "nit", "blocker"]
    reply = read([{**one, "severity": level} for one, level in zip(LONG, severities, strict=True)])
    assert [note.text[0] for note in reply.notes] == list("01234568")
    assert reply.malformed == 1


def test_a_short_blocker_behind_long_nits_is_read() -> None:
    reply = read([*LONG, {"text": "All rows are deleted.", "severity": "blocker"}])
    assert reply.notes[-1] == Note(text="All rows are deleted.", severity=BLOCKER)
    assert (len(reply.notes), reply.malformed) == (8, 2)


def test_a_short_note_is_read_where_a_longer_one_does_not_fit() -> None:
    reply = read([*LONG[:7], {"text": "x" * (LONG_NOTE - 1)}, LONG[8], {"text": "y"}])
    assert [note.text[0] for note in reply.notes] == [*"0123456", "x", "y"]


@pytest.mark.parametrize("claimed", [-1, True, "7", None, 1.5])
def test_a_nonsensical_count_is_none(claimed: Any) -> None:
    assert read(Reply(notes=(Note(text="x"),), malformed=claimed)).malformed == 0


# --- usage ---


@pytest.mark.parametrize(
    ("said", "usage"),
    [
        (Usage(input_tokens=7, output_tokens=3, cost_usd=0.5), Usage(input_tokens=7, output_tokens=3, cost_usd=0.5)),
        (Usage(input_tokens=7, cost_usd=2), Usage(input_tokens=7, cost_usd=2.0)),
        (Usage(input_tokens=-7), NO_USAGE),
        (Usage(input_tokens="many"), NO_USAGE),  # type: ignore[arg-type]
        (Usage(input_tokens=float("nan")), NO_USAGE),  # type: ignore[arg-type]
        (Usage(output_tokens=True), NO_USAGE),
        (Usage(input_tokens=5, cost_usd=float("nan")), Usage(input_tokens=5)),
        (Usage(input_tokens=5, cost_usd=float("inf")), Usage(input_tokens=5)),
        (Usage(input_tokens=5, cost_usd=-1.0), Usage(input_tokens=5)),
        (Usage(input_tokens=5, cost_usd=10**400), Usage(input_tokens=5)),
        (Usage(input_tokens=10**400), NO_USAGE),
        (Usage(input_tokens=5, cost_usd="free"), Usage(input_tokens=5)),  # type: ignore[arg-type]
        (None, NO_USAGE),
        ({"input_tokens": 5}, NO_USAGE),
    ],
    ids=lambda value: repr(value)[:60],
)  # fmt: skip
def test_only_counts_and_sums_that_can_be_added_up_are_usage(said: Any, usage: Usage) -> None:
    assert read(Reply(usage=said)).usage == usage


# --- anything at all ---


def generator() -> Iterator[object]:
    """Yield notes, as a reviewer might that forgot to return a list."""
    yield {"text": "x"}


RUBBISH: st.SearchStrategy[object] = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text()
    | st.binary()
    | st.characters(categories=["Cs"])
    | st.just(object())
    | st.builds(generator),
    lambda inner: (
        st.lists(inner)
        | st.dictionaries(st.sampled_from(["notes", "text", "note", "severity", "key", "anchor", "subject"]), inner)
        | st.builds(Note, text=inner, severity=inner, key=inner, subject=inner, anchor=inner)
        | st.builds(Reply, notes=inner, malformed=inner, usage=inner)
        | st.tuples(inner)
    ),
    max_leaves=12,
)


@given(RUBBISH)
def test_whatever_comes_back_is_a_clean_reply_or_none(raw: object) -> None:
    reply = read_reply(raw)
    if reply is None:
        return
    assert reply.malformed >= 0
    for note in reply.notes:
        assert len(note.text) <= LONG_NOTE
        assert isinstance(note.severity, Severity)
        (note.text + (note.key or "") + note.subject).encode()
    assert (reply.usage + NO_USAGE).input_tokens == reply.usage.input_tokens


# --- severities ---


def test_a_severity_in_any_words_keeps_its_note_and_what_nobody_knows_is_a_nit_and_counted() -> None:
    """As in https://github.com/MattJColes/lgtmaybe/issues/131: a finding was lost for the word of its severity."""
    words = ["Blocker ", "HIGH", "critical", "minor", "P0", "compliance", None, 2, "🔴"]
    reply = read([{"text": f"Finding {place}.", "severity": word} for place, word in enumerate(words)])
    expected = [BLOCKER, BLOCKER, BLOCKER, NIT, BLOCKER, NIT, NIT, NIT, NIT]
    assert [note.severity for note in reply.notes] == expected
    assert (reply.malformed, reply.unknown_severities) == (0, 3)


def test_an_unreadable_note_is_not_counted_for_its_severity_as_well() -> None:
    reply = read([{"text": 7, "severity": "awful"}, None, {"text": "The lock leaks.", "severity": "awful"}])
    assert (len(reply.notes), reply.malformed, reply.unknown_severities) == (1, 2, 1)


@pytest.mark.parametrize("said", [-1, True, None, "3", 1e9])
def test_a_reply_cannot_claim_odd_numbers_of_unknown_severities(said: Any) -> None:
    assert read(Reply(notes=(Note(text="x"),), unknown_severities=said)).unknown_severities == 0


def test_what_a_reviewer_has_counted_itself_is_kept() -> None:
    assert read(Reply(notes=(Note(text="x"),), unknown_severities=2)).unknown_severities == 2
