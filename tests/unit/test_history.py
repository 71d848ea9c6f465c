"""A history against the plainest model of it: an ordered dict that forgets its oldest key."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from foureyes.core.history import Entry, History

KEYS = st.one_of(st.integers(0, 12), st.integers(0, 2**63 - 1))
ENTRIES = st.builds(Entry, KEYS, st.integers(1, 3), st.integers(1, 99).map("n{}".format))
CAPACITIES = st.one_of(st.integers(1, 8), st.integers(60, 130))
TALES = st.lists(ENTRIES, max_size=200)


class Model:
    """What a history is meant to remember."""

    def __init__(self, capacity: int, entries: Iterable[Entry] = ()) -> None:
        self.capacity = capacity
        self.kept: OrderedDict[int, Entry] = OrderedDict()
        for entry in entries:
            self.remember(entry)

    def remember(self, entry: Entry) -> None:
        self.kept[entry.key] = entry
        if len(self.kept) > self.capacity:
            self.kept.popitem(last=False)


def told(capacity: int, entries: Iterable[Entry]) -> History:
    """Return a history that has remembered the entries, one after another."""
    history = History(capacity=capacity)
    for entry in entries:
        history = history.remembered(entry)
    return history


def by_slot(history: History) -> dict[int, Entry]:
    return dict(history.slots())


def assert_same(history: History, model: Model, asked: Iterable[Entry]) -> None:
    assert sorted(by_slot(history).values()) == sorted(model.kept.values())
    assert [history.find(entry.key) for entry in asked] == [model.kept.get(entry.key) for entry in asked]


@given(CAPACITIES, TALES)
def test_a_history_remembers_what_an_ordered_dict_of_its_capacity_would(capacity: int, tale: list[Entry]) -> None:
    history, model = History(capacity=capacity), Model(capacity)
    for entry in tale:
        history = history.remembered(entry)
        model.remember(entry)
        assert history.find(entry.key) == entry
    assert_same(history, model, tale)


@given(CAPACITIES, TALES, TALES, TALES)
def test_two_futures_of_one_history_do_not_meet(
    capacity: int, past: list[Entry], one: list[Entry], other: list[Entry]
) -> None:
    before = told(capacity, past)
    first, second = before, before
    for entry in one:
        first = first.remembered(entry)
    for entry in other:
        second = second.remembered(entry)
    everything = past + one + other
    assert_same(before, Model(capacity, past), everything)
    assert_same(first, Model(capacity, past + one), everything)
    assert_same(second, Model(capacity, past + other), everything)


@given(CAPACITIES, CAPACITIES, TALES, TALES)
@example(2, 1, [Entry(key, 1, "n1") for key in range(3)], [])
@example(2, 4, [Entry(key, 1, "n1") for key in range(3)], [Entry(key, 1, "n1") for key in range(3, 6)])
def test_another_capacity_keeps_the_newest_keys_and_their_age(
    capacity: int, resized: int, past: list[Entry], future: list[Entry]
) -> None:
    model = Model(resized, Model(capacity, past).kept.values())
    history = told(capacity, past).resized(resized)
    assert_same(history, model, past)
    for entry in future:
        history = history.remembered(entry)
        model.remember(entry)
    assert_same(history, model, past + future)


def test_the_same_capacity_is_the_same_history() -> None:
    history = told(3, [Entry(1, 1, "n1")])
    assert history.resized(3) is history


@given(CAPACITIES, TALES, TALES)
def test_the_slots_since_a_version_lead_from_it_to_this_one(
    capacity: int, past: list[Entry], future: list[Entry]
) -> None:
    before = told(capacity, past)
    after = before
    for entry in future:
        after = after.remembered(entry)
    changed = after.since(before)
    assert by_slot(before) | dict(changed) == by_slot(after)
    assert len(changed) <= len({entry.key for entry in future})
    assert not after.restarted_after(before)


@given(CAPACITIES, CAPACITIES, TALES, TALES)
def test_the_slots_since_an_unrelated_history_are_all_there_is_where_it_restarted(
    capacity: int, other: int, past: list[Entry], future: list[Entry]
) -> None:
    before, after = told(capacity, past), told(other, future)
    stored = {} if after.restarted_after(before) else by_slot(before)
    assert stored | dict(after.since(before)) == by_slot(after)


@given(CAPACITIES, TALES, ENTRIES)
def test_one_new_key_changes_one_slot_however_much_came_before(capacity: int, past: list[Entry], entry: Entry) -> None:
    before = told(capacity, past)
    assert [found for _, found in before.remembered(entry).since(before)] == [entry]


def test_nothing_has_changed_since_the_same_version() -> None:
    history = told(70, [Entry(key, 1, "n1") for key in range(70)])
    assert history.since(history) == []


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (told(3, [Entry(1, 1, "n1")]), History(capacity=3)),
        (told(3, [Entry(1, 1, "n1")]), told(3, [Entry(1, 1, "n1")]).resized(4)),
        (told(3, [Entry(1, 1, "n1")]), told(3, [Entry(1, 1, "n1")]).resized(2)),
    ],
    ids=["cleared", "grown", "shrunk"],
)
def test_a_history_that_was_laid_out_anew_restarted(before: History, after: History) -> None:
    assert after.restarted_after(before)


@given(CAPACITIES, TALES, TALES)
def test_a_history_restored_from_its_slots_goes_on_as_if_nothing_had_happened(
    capacity: int, past: list[Entry], future: list[Entry]
) -> None:
    history = told(capacity, past)
    restored = History.restored(capacity, history.serial, by_slot(history))
    assert restored == history
    for entry in future:
        restored, history = restored.remembered(entry), history.remembered(entry)
    assert restored == history


@pytest.mark.parametrize(
    ("capacity", "serial", "slots"),
    [
        (0, 0, {}),
        (3, -1, {}),
        (3, 1, {}),
        (3, 0, {0: Entry(1, 1, "n1")}),
        (3, 2, {0: Entry(1, 1, "n1"), 2: Entry(2, 1, "n2")}),
        (3, 2, {0: Entry(1, 1, "n1"), 1: Entry(1, 2, "n2")}),
        (1, 2, {0: Entry(1, 1, "n1"), 1: Entry(2, 1, "n2")}),
    ],
    ids=["no capacity", "negative serial", "missing", "too many", "gap", "key twice", "over capacity"],
)
def test_slots_that_are_no_history_are_refused(capacity: int, serial: int, slots: dict[int, Entry]) -> None:
    with pytest.raises(ValueError, match=r"slots do not make a history|a key stands in two slots"):
        History.restored(capacity, serial, slots)


def test_a_capacity_of_one_remembers_the_last_key_alone() -> None:
    history = told(1, [Entry(1, 3, "n1"), Entry(2, 1, "n2")])
    assert history.find(1) is None
    assert history.find(2) == Entry(2, 1, "n2")


def test_a_key_that_is_raised_again_keeps_its_age() -> None:
    history = told(2, [Entry(1, 1, "n1"), Entry(2, 1, "n2"), Entry(1, 3, "n3"), Entry(4, 1, "n4")])
    assert history.find(1) is None
    assert history.find(2) == Entry(2, 1, "n2")
