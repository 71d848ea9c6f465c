"""The words that are used for one another: whatever their inflection, and never the ends of one scale."""

from __future__ import annotations

from itertools import combinations

import pytest

from foureyes.core.contrasts import SCALES
from foureyes.core.kindred import KINDRED
from foureyes.core.synonyms import SYNONYMS
from foureyes.core.thesaurus import groups, kin, topics
from foureyes.core.topics import TOPICS

LISTS = [*SYNONYMS, *KINDRED, *TOPICS]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("deleted", "removing"),
        ("invoices", "bill"),
        ("cancellation", "cancel"),
        ("unchecked", "verify"),
        ("refunded", "repayment"),
        ("plotted", "charts"),
    ],
)
def test_words_of_one_group_are_kin_whatever_their_inflection(one: str, other: str) -> None:
    assert kin(one).keys() & kin(other).keys()


def test_a_word_in_no_list_has_no_kin() -> None:
    assert (kin("zxqv"), groups("zxqv"), topics("zxqv")) == ({}, (), frozenset())


def test_what_counts_most_comes_first_and_nothing_counts_as_much_as_the_same_word() -> None:
    shares = [*kin("delete").values()]
    assert shares == sorted(shares, reverse=True)
    assert all(0 < share < 1 for share, _ in LISTS)


def test_a_topic_is_no_group_of_words_that_stand_for_one_another() -> None:
    assert topics("parcel")
    assert topics("parcel").isdisjoint(groups("parcel"))
    assert topics("parcel") <= kin("parcel").keys()


def test_the_ends_of_a_scale_are_in_no_group_together() -> None:
    found = [group.split() for _, text in (*SYNONYMS, *KINDRED) for group in text.split(";")]
    scaled = [pair for words in found for pair in combinations([word for word in words if word in SCALES], 2)]
    assert [(one, other) for one, other in scaled if are_opposites(one, other)] == []


def are_opposites(one: str, other: str) -> bool:
    ends = dict(SCALES[one])
    return any(ends.get(scale, end) != end for scale, end in SCALES[other])


def test_no_group_is_of_one_word() -> None:
    assert [group for _, text in LISTS for group in text.split(";") if len({*group.split()}) < 2] == []
