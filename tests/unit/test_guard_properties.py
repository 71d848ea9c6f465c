"""What holds of the emission guard for any notes: bounds, repeats in other clothes, and whose note it is."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import anyio.lowlevel
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from foureyes.core.facts import Note, Review
from foureyes.core.guard import Limits
from foureyes.core.state import NoteStatus, SessionState
from foureyes.core.words import Disposition, Severity
from foureyes.guidance import Guidance
from foureyes.telemetry.events import NoteJudged, NoteSent
from foureyes.testing import RecordingSink, turn_messages

from .builders import NIT, UNBOUNDED, config, fresh, judged, note
from .shell import TASK, every_turn, reviewer, scripted, session_of, texts

NAMES = ("a", "b", "c", "d")
KEPT = {Disposition.ADMITTED, Disposition.OVER_BOUNDARY, Disposition.OVER_REQUEST, Disposition.HELD_SIMILAR}

# --- a repeat in other clothes ---

FINDINGS = [
    "Log lines at info level print the full payload",
    "users.py line 42 builds the SQL text with an f-string",
    "Fails when x < 5 and n >= 3",
    "Der Worker hängt bei Netzproblemen",
    "Нет проверки ошибки после вызова save()",
    "没有处理超时 请求会一直等待",
    "त्रुटि की जाँच नहीं होती है",
    "Café menus are compared byte by byte",
]
CLOTHES: dict[str, Callable[[str], str]] = {
    "upper": str.upper,
    "lower": str.lower,
    "stops": lambda text: f"{text}...",
    "shouts": lambda text: f"{text}!!!",
    "blanks": lambda text: "  " + text.replace(" ", " \t ") + "\n",
    "no-break blanks": lambda text: text.replace(" ", "\N{NO-BREAK SPACE}"),
    "bold": lambda text: f"**{text}**",
    "quoted": lambda text: f"> {text}",
    "listed": lambda text: f"- {text}",
    "numbered": lambda text: f"1) {text}",
    "alarmed": lambda text: f"🚨 {text} 🚨",
    "composed": lambda text: unicodedata.normalize("NFC", text),
    "taken apart": lambda text: unicodedata.normalize("NFD", text),
    "invisible": lambda text: text.replace(" ", " \u200b\u2060"),
    "third reminder": lambda text: f"Third reminder: {text}",
    "counted": lambda text: f"(7th time) {text}",
    "final": lambda text: f"FINAL WARNING: {text}",
    "as said": lambda text: f"As I said before, {text}",
}


OUTERMOST = frozenset({"numbered", "counted"})
"""Put on last: a number behind an emoji, a quotation mark or an asterisk may belong to the finding."""


@settings(max_examples=300)
@given(
    text=st.sampled_from(FINDINGS),
    clothes=st.lists(st.sampled_from(sorted(CLOTHES)), min_size=1, max_size=3, unique=True),
    severity=st.sampled_from(Severity),
    weaker=st.sampled_from(Severity),
)
def test_a_told_note_in_any_other_clothes_is_told_no_more(
    text: str, clothes: list[str], severity: Severity, weaker: Severity
) -> None:
    dressed = text
    for name in sorted(clothes, key=OUTERMOST.__contains__):
        dressed = CLOTHES[name](dressed)
    one = config()
    state, _ = judged(fresh(one), [one], {"correctness": [note(text, severity)]})
    repeat = note(dressed, min(severity, weaker, key=lambda level: level.rank))
    _, guarded = judged(state, [one], {"correctness": [repeat]}, turn=2)
    assert [found.disposition for found in guarded.judged] == [Disposition.DUPLICATE]
    assert guarded.records == ()


# --- any notes, similar ones among them ---

SAYINGS = [
    "The token cache is never cleared after logout.",
    "After logout the token cache is never cleared.",
    "Never cleared after logout: the token cache.",
    "Rounding happens before tax, so totals drift by a cent.",
    "Totals drift by a cent, so rounding happens before tax.",
    "Nobody closes the socket when the handshake fails.",
    "missing await in save_user",
    "missing await in save_order",
    "LGTM",
    "ab",
    "",
]
NOTES = st.builds(
    Note,
    text=st.sampled_from(SAYINGS),
    severity=st.sampled_from(Severity),
    key=st.sampled_from([None, None, "k1", "k2"]),
)
UNKEYED = st.builds(Note, text=st.sampled_from(SAYINGS), severity=st.sampled_from(Severity))
LISTS = st.lists(st.lists(UNKEYED, max_size=5), min_size=4, max_size=4)


def told(state: SessionState) -> set[tuple[str, Severity, bool]]:
    """Return what is kept of a boundary's notes: their texts, severities, and whether they are for the host only."""
    return {(one.text, one.severity, one.host_only) for one in state.notes.values()}


@given(lists=LISTS, order=st.permutations(NAMES), bound=st.integers(1, 5))
def test_whose_notes_they_are_does_not_change_what_is_told(
    lists: list[list[Note]], order: list[str], bound: int
) -> None:
    configs = [config(name, max_notes=bound) for name in NAMES]
    one, other = (
        judged(fresh(*configs), configs, dict(zip(names, lists, strict=True)), limits=UNBOUNDED)[0]
        for names in (NAMES, order)
    )
    assert told(one) == told(other)


@given(boundaries=st.lists(st.dictionaries(st.sampled_from(NAMES), st.lists(NOTES, max_size=6)), max_size=6))
def test_each_chain_has_one_flagged_note_of_a_request_unless_it_rises(boundaries: list[dict[str, list[Note]]]) -> None:
    configs = [config(name) for name in NAMES]
    state = fresh(*configs)
    for turn, notes in enumerate(boundaries, start=1):
        state, guarded = judged(state, configs, notes, turn=turn, limits=UNBOUNDED)
        sent = {key: replace(one, status=NoteStatus.SENT) for key, one in state.notes.items() if not one.host_only}
        state = replace(state, notes={**state.notes, **sent})
        for one in guarded.judged:
            assert (one.disposition is Disposition.HELD_SIMILAR) <= (one.similar is not None)
            assert not (one.disposition is Disposition.HELD_SIMILAR and one.risen)
    flagged = [one for one in state.notes.values() if one.similar_to is not None and not one.host_only]
    roots = {one.id: one.id for one in state.notes.values() if one.similar_to is None}
    for one in flagged:
        roots[one.id] = roots.get(str(one.similar_to), str(one.similar_to))
    for root in set(roots.values()):
        ranks = [one.severity.rank for one in flagged if roots[one.id] == root]
        assert len(ranks) <= 1 + len(Severity), "one, and one for each rise"


SCRIPTS = st.lists(st.lists(NOTES, max_size=6), max_size=7)


@pytest.mark.anyio
@pytest.mark.parametrize("anyio_backend", ["asyncio"])
@settings(max_examples=60)
@given(script=SCRIPTS, keeps=st.lists(st.booleans(), min_size=7, max_size=7), size=st.integers(1, 3))
async def test_what_is_kept_is_sent_or_listed_similar_notes_included(
    script: list[list[Note]], keeps: list[bool], size: int
) -> None:
    sink = RecordingSink()
    limits = Limits(notes_per_boundary=size, notes_per_request=5)
    async with session_of(reviewer(scripted(*script), interval_turns=1), limits=limits, sinks=[sink]) as session:
        messages: list[Any] = [TASK]
        for turn, kept in enumerate(keeps, start=1):
            messages += turn_messages(turn)
            guidance = await session.boundary(messages)
            messages += guidance.messages if kept else []
        while True:
            messages.append({"role": "assistant", "content": "done"})
            guidance = await session.finish(messages, answer="done")
            messages += guidance.messages
            if not guidance.reopen:
                break
    kept_notes = [str(event.note) for event in sink.of(NoteJudged) if event.disposition in KEPT]
    sent = [event.note for event in sink.of(NoteSent)]
    assert sorted(kept_notes) == sorted([*sent, *(left.id for left in guidance.unsent)])
    assert len(sent) <= 5


class Slow:
    """A reviewer that answers after so many rounds of the event loop."""

    def __init__(self, notes: list[Note], rounds: int) -> None:
        self._notes, self._rounds = notes, rounds

    async def __call__(self, review: Review) -> list[Note]:
        for _ in range(self._rounds):
            await anyio.lowlevel.checkpoint()
        return self._notes


@pytest.mark.anyio
@settings(max_examples=40)
@given(lists=LISTS, rounds=st.lists(st.integers(0, 5), min_size=4, max_size=4), order=st.permutations(range(4)))
async def test_who_answers_first_and_who_is_declared_first_does_not_change_what_the_agent_reads(
    lists: list[list[Note]], rounds: list[int], order: list[int]
) -> None:
    async def read(waits: list[int], declared: list[int]) -> Guidance:
        configs = [every_turn(Slow(lists[place], waits[place]), name=NAMES[place]) for place in declared]
        async with session_of(*configs) as session:
            return await session.boundary([TASK, *turn_messages(1)])

    one, other = await read([0, 0, 0, 0], [0, 1, 2, 3]), await read(rounds, order)
    assert texts(one) == texts(other)
    assert one.judged == other.judged


def test_a_nit_alone_stays_in_the_queue_when_it_is_flagged_too() -> None:
    one = config()
    state, _ = judged(fresh(one), [one], {"correctness": [note(SAYINGS[0], NIT)]})
    state, guarded = judged(state, [one], {"correctness": [note(SAYINGS[1], NIT)]}, turn=2)
    assert [found.disposition for found in guarded.judged] == [Disposition.ADMITTED]
    assert [found.status for found in state.notes.values()] == [NoteStatus.QUEUED] * 2
