"""What every store promises, whatever it keeps sessions in."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator
from dataclasses import replace
from itertools import count
from pathlib import Path

import anyio
import pytest
from hypothesis import HealthCheck, given, settings

from foureyes.core import ledger
from foureyes.core.changes import Changes
from foureyes.errors import HostError, RevisionConflictError
from foureyes.stores.base import Store

from .lives import Step, born, configs, lived, lives, moved, noted, saved
from .places import PLACES, Place

pytestmark = pytest.mark.anyio

_numbers = count(1)


@pytest.fixture(params=sorted(PLACES))
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Place:
    """Return an empty place of every kind."""
    return PLACES[request.param](tmp_path)


@pytest.fixture
async def store(place: Place) -> AsyncIterator[Store]:
    """Return an open store on the place."""
    store = place.store()
    await store.open()
    yield store
    await store.close()


async def test_a_session_that_was_never_saved_is_none(store: Store) -> None:
    assert await store.load("nobody") is None


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(steps=lives)
async def test_what_is_loaded_equals_what_was_saved_all_life_long(
    store: Store, place: Place, steps: list[Step]
) -> None:
    state = await saved(store, None, born(f"life {next(_numbers)}"))
    for after in lived(state, steps):
        state = await saved(store, state, after)
        loaded = await store.load(state.id)
        assert loaded == state
        assert list(loaded.notes) == list(state.notes)
        assert list(loaded.reviewers) == list(state.reviewers)


async def test_another_store_on_the_place_goes_on_where_the_first_one_stopped(store: Store, place: Place) -> None:
    state = await saved(store, None, noted(born("s"), "the loop never ends"))
    other = place.store()
    await other.open()
    loaded = await other.load("s")
    assert loaded == state
    await saved(other, loaded, noted(loaded, "the file is never closed"))
    assert await store.load("s") == await other.load("s") != state
    await other.close()


async def test_a_state_that_follows_another_revision_is_refused(store: Store) -> None:
    first = await saved(store, None, born("s"))
    second = await saved(store, first, noted(first, "the loop never ends"))
    for stale in (moved(first), noted(first, "the file is never closed")):
        with pytest.raises(RevisionConflictError, match=r"'s' .* revision 2, .* not at 1") as caught:
            await saved(store, first, stale)
        assert isinstance(caught.value, HostError)
        assert await store.load("s") == second


async def test_a_new_session_is_refused_where_there_is_one(store: Store) -> None:
    state = await saved(store, None, noted(born("s"), "the loop never ends"))
    with pytest.raises(RevisionConflictError, match="at revision 2"):
        await saved(store, None, born("s"))
    assert await store.load("s") == state


@pytest.mark.parametrize("quiet", [True, False])
async def test_a_session_that_is_not_there_has_no_successor(store: Store, quiet: bool) -> None:
    state = born("s")
    with pytest.raises(RevisionConflictError, match="at revision 0"):
        await saved(store, state, moved(state) if quiet else noted(state, "the loop never ends"))
    assert await store.load("s") is None


async def test_a_quiet_boundary_moves_the_turn_and_nothing_else(store: Store) -> None:
    state = await saved(store, None, noted(born("s"), "the loop never ends"))
    after = moved(state)
    assert Changes(state, after).quiet
    await saved(store, state, after)
    assert await store.load("s") == replace(state, turn=state.turn + 1, revision=state.revision + 1)


async def test_quiet_boundaries_of_one_session_leave_the_others_alone(store: Store) -> None:
    other = await saved(store, None, born("other"))
    state = await saved(store, None, born("s"))
    await saved(store, state, moved(state))
    assert await store.load("other") == other


async def test_sessions_are_listed_in_order(store: Store) -> None:
    assert await store.sessions() == []
    for identity in ("b", "a", "ä", "\N{PILE OF POO}", "\ud800", "A", "a10", "a9"):
        await saved(store, None, born(identity))
    assert await store.sessions() == ["A", "a", "a10", "a9", "b", "ä", "\ud800", "\N{PILE OF POO}"]


@pytest.mark.parametrize(
    "identity",
    ["a", "x" * 256, "' OR 1=1; --", "%", "nul\0inside", "\0", "lone \ud800 surrogate", "\N{PILE OF POO}", " ", "\n"],
    ids=ascii,
)
async def test_any_text_can_be_the_id_of_a_session(store: Store, identity: str) -> None:
    state = await saved(store, None, born(identity))
    state = await saved(store, state, moved(state))
    assert await store.load(identity) == state
    assert await store.sessions() == [identity]
    assert await store.load(identity + "!") is None


async def test_opening_and_closing_twice_changes_nothing(store: Store) -> None:
    state = await saved(store, None, born("s"))
    await store.open()
    await store.close()
    await store.close()
    await store.open()
    assert await store.load("s") == state


async def test_a_save_in_a_cancelled_task_is_whole_or_absent(store: Store) -> None:
    state = await saved(store, None, born("s"))
    with anyio.CancelScope() as scope:
        scope.cancel()
        await saved(store, state, noted(state, "the loop never ends"))
    held = await store.load("s")
    assert held is not None
    after = await saved(store, held, noted(held, "the file is never closed"))
    assert await store.load("s") == after


async def test_a_reviewer_that_is_switched_off_keeps_its_record(store: Store) -> None:
    # What is saved is progress; whether a reviewer is enabled is read from the settings at every start.
    state = await saved(store, None, noted(born("s"), "the loop never ends"))
    loaded = await store.load("s")
    assert loaded is not None
    after = await saved(store, state, moved(ledger.fitted(loaded, configs()[1:])))
    assert "one" in after.reviewers
    assert await store.load("s") == after


@pytest.mark.parametrize("anyio_backend", ["asyncio"])
async def test_ten_thousand_boundaries_leave_a_small_store_that_is_quickly_read(store: Store, place: Place) -> None:
    # A tenth of them, and a tenth of what they may cost: each has a note of 1 kB, which the next request forgets.
    state = await saved(store, None, born("s"))
    for number in range(1_000):
        after = ledger.new_request(noted(state, f"{number} " + "x" * 1_000), "go on")
        state = await saved(store, state, ledger.revised(after, state.revision + 1))
    began = time.perf_counter()
    assert await store.load("s") == state
    assert time.perf_counter() - began < 2 / 10
    await store.close()
    assert place.size() < 20_000_000 / 10
