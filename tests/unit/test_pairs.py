"""The labelled pairs of notes: how many there are of each kind, and that none is counted twice."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest
from tests.pairs.pairs import Half, Pair, half, load

SAME = ("light", "reordered", "synonyms", "other_author", "translated", "counter")
DIFFERENT = (
    *("file", "table", "line", "number", "unit", "direction", "negation", "comparison", "identifier"),
    *("cause_effect", "other_cure", "ordinal", "version", "quantifier", "person"),
)
PAIRS = load()
TEXTS = [text for pair in PAIRS for text in (pair.first, pair.second)]


def test_every_kind_is_known_and_on_one_side_only() -> None:
    assert {(pair.kind, pair.same) for pair in PAIRS} == {
        *((kind, True) for kind in SAME),
        *((kind, False) for kind in DIFFERENT),
    }


@pytest.mark.parametrize(("same", "fewest"), [(True, 130), (False, 200)])
def test_either_side_is_large_enough_to_trust_its_rates(same: bool, fewest: int) -> None:
    assert sum(pair.same is same for pair in PAIRS) >= fewest


@pytest.mark.parametrize(("kind", "fewest"), [*((kind, 20) for kind in SAME), *((kind, 10) for kind in DIFFERENT)])
def test_every_kind_has_enough_pairs(kind: str, fewest: int) -> None:
    assert sum(pair.kind == kind for pair in PAIRS) >= fewest


@pytest.mark.parametrize("kind", [*SAME, *DIFFERENT])
def test_both_halves_have_pairs_of_every_kind(kind: str) -> None:
    assert {half(pair) for pair in PAIRS if pair.kind == kind and pair.written == "first"} == {"seen", "held"}


@pytest.mark.parametrize(
    ("part", "same", "fewest"),
    [("later", True, 70), ("later", False, 80), ("last", True, 30), ("last", False, 30)],
)
def test_enough_pairs_were_written_later_to_trust_their_rates(part: Half, same: bool, fewest: int) -> None:
    assert sum(pair.same is same for pair in PAIRS if half(pair) == part) >= fewest


def test_no_text_is_used_twice() -> None:
    assert [text for text, count in Counter(TEXTS).items() if count > 1] == []


def test_many_of_the_different_findings_are_not_told_in_english() -> None:
    assert sum(not pair.first.isascii() for pair in PAIRS if not pair.same) >= 25


def test_the_texts_are_as_long_as_notes_are() -> None:
    assert [text for text in TEXTS if not text.strip() or len(text) > 300] == []


def test_only_the_same_finding_shares_a_declared_key() -> None:
    keyed = [pair for pair in PAIRS if pair.first_key is not None and pair.second_key is not None]
    assert {pair.same for pair in keyed} == {True, False}
    assert all((pair.first_key == pair.second_key) is pair.same for pair in keyed)


def test_a_shared_anchor_does_not_tell_the_label() -> None:
    anchored = [pair for pair in PAIRS if pair.first_anchor is not None and pair.first_anchor == pair.second_anchor]
    assert {pair.same for pair in anchored} == {True, False}


@pytest.mark.parametrize(("first", "expected"), [("hello", "seen"), ("abc", "held")])
def test_the_split_is_the_last_bit_of_the_first_text_and_nothing_else(first: str, expected: Half) -> None:
    pair = Pair(kind="light", first=first, second="1", same=True)
    assert half(pair) == half(replace(pair, kind="file", second="2", same=False)) == expected
