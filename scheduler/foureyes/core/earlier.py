"""The notes that the agent has been told or is about to be told, for comparing a new note with them.

There are at most 32 sent ones per reviewer and those in the queue, however long the session is.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cached_property, lru_cache
from itertools import chain
from typing import NamedTuple

from foureyes.core.candidates import Candidate, Chosen, Like, Target, excerpt
from foureyes.core.chains import CLOSE, Chains
from foureyes.core.counters import uncounted
from foureyes.core.discriminators import differ
from foureyes.core.facts import Note
from foureyes.core.gist import Gist, gist
from foureyes.core.resemblance import Match, agree, resembling
from foureyes.core.signs import begins_alike, operators, signs
from foureyes.core.similarity import folded
from foureyes.core.state import NoteRecord, SessionState
from foureyes.core.truncation import cut_inside, cut_short
from foureyes.core.words import Likeness

__all__ = ["Earlier", "same_place"]

_SENTENCE_ENDS = tuple(".!?\u3002\uff01\uff1f\u0964\u061f")  # also of Chinese, Japanese, Hindi and Arabic
_ELLIPSES = ("...", "\N{HORIZONTAL ELLIPSIS}")
_CLOSING = "*_`\"')\N{RIGHT SINGLE QUOTATION MARK}\N{RIGHT DOUBLE QUOTATION MARK}"


class _Told(NamedTuple):
    target: Target
    note: Note | NoteRecord
    text: str
    rank: int

    def like(self, likeness: Likeness, overlap: float | None = None) -> Like:
        return Like(target=self.target, likeness=likeness, overlap=overlap, excerpt=excerpt(self.text))


class Earlier:
    """What a state keeps of earlier notes, and those that have been chosen for the agent at this boundary so far."""

    def __init__(self, state: SessionState) -> None:
        told = [note for note in state.notes.values() if not note.host_only and note.turn > state.compacted_at]
        self._state, self._before = state, told[::-1]
        self._here: list[Chosen] = []

    @cached_property
    def listed(self) -> dict[tuple[str, str], NoteRecord]:
        """Return the notes that wait to be listed at the finish, by their text without what only counts it.

        The text is its fold, with the signs that folding takes away: "a + b" is not "a * b".
        """
        return {_signed(note.text, _bare(note.text)): note for note in self._for_the_host()}

    @property
    def waiting_for_the_host(self) -> int:
        """Return how many notes wait to be listed at the finish."""
        return sum(1 for _ in self._for_the_host())

    def _for_the_host(self) -> Iterator[NoteRecord]:
        request = self._state.request
        return (note for note in self._state.notes.values() if note.host_only and note.request == request)

    def repeated(self, candidate: Candidate, shrinking: Target | None) -> Like | None:
        """Return the note that this one repeats word for word as far as it goes, at the same or a lower severity.

        ``shrinking`` is the note of which its reviewer's last one was the beginning: in a run of those a beginning is
        taken for one even where it could stand for itself.
        """
        listed = self.listed.get(_signed(candidate.note.text, candidate.bare)) if self.listed else None
        if listed is not None and listed.severity.rank >= candidate.severity.rank:
            return Like(target=listed.id, likeness=Likeness.TEXT, excerpt=excerpt(listed.text))
        if shrinking is None and _is_finished(candidate.note.text):
            return None
        for one in self._all():
            if one.rank >= candidate.severity.rank and _is_cut(candidate, one.text, one.target == shrinking):
                return one.like(Likeness.CUT)
        return None

    def resembled(self, candidate: Candidate) -> Like | None:
        """Return the note that this one resembles most, with nothing that tells the two apart; the newest of equals.

        Notes under another declared key are other findings, whatever their words. So is a note that is told apart from
        a closer one of the same form: after "Step 3 is skipped", "Step 4 is skipped" does not resemble "Row 4 is".
        """
        match = resembling(gist(candidate.text), self._comparable(candidate.note))
        if match is None:
            return None
        told = self._told(match.note_id)
        mutual = match.overlap * _ratio(candidate.bare, _bare(told.text))
        if mutual < CLOSE and self._is_of_a_series(match):
            return None
        like = replace(told.like(Likeness.WORDS, match.overlap), mutual=mutual)
        return replace(like, risen=candidate.severity.rank > self.chains.top(like))

    def _is_of_a_series(self, match: Match) -> bool:
        matched = gist(self._told(match.note_id).text)
        return any(differ(gist(self._told(closer).text), matched) for closer in match.passed)

    @cached_property
    def chains(self) -> Chains:
        """Return which of the notes tell the same finding: made where something resembles one, and then kept up."""
        return Chains(reversed(self._before), self._here, self._state.request)

    def told(self, chosen: Chosen) -> None:
        """Take in a note that has been chosen for the agent at this boundary."""
        self._here.append(chosen)
        if "chains" in self.__dict__:
            self.chains.told(chosen)

    @cached_property
    def _gists(self) -> list[tuple[str, Gist]]:
        return [(note.id, gist(note.text)) for note in self._before]

    def _comparable(self, note: Note) -> Iterable[tuple[str, Gist]]:
        here = [(f"#{place}", gist(one.lead.text)) for place, one in enumerate(self._here)]
        if not note.key:
            return chain(here, self._gists)
        told = zip([*here, *self._gists], self._all(), strict=True)
        return [pair for pair, one in told if not _keys_differ(note, one.note)]

    def _told(self, identity: str) -> _Told:
        if identity.startswith("#"):
            return _of_here(self._here[int(identity[1:])])
        return _of_before(self._state.notes[identity])

    def _all(self) -> Iterator[_Told]:
        yield from map(_of_here, self._here)
        yield from map(_of_before, self._before)


def _of_here(one: Chosen) -> _Told:
    return _Told(one, one.lead.note, one.lead.text, one.rank)


def _of_before(note: NoteRecord) -> _Told:
    return _Told(note.id, note, note.text, note.severity.rank)


def same_place(candidate: Candidate, here: Iterable[Chosen]) -> Like | None:
    """Return the note of this boundary at the same declared anchor that says about the same, from another reviewer.

    A place alone is not enough: two reviewers may well find two things wrong with one line.
    """
    anchor = candidate.note.anchor
    if anchor is None or not (anchor.turn is not None or anchor.call or anchor.path):
        return None
    own = gist(candidate.text)
    for chosen in here:
        lead, text = chosen.lead, chosen.lead.text
        if lead.note.anchor == anchor and not _keys_differ(candidate.note, lead.note) and _agree(candidate, lead):
            match = resembling(own, [("", gist(text))])
            if match is not None and candidate.raised.reviewer not in chosen.reviewers:
                return Like(target=chosen, likeness=Likeness.PLACE, overlap=match.overlap, excerpt=excerpt(text))
    return None


def _keys_differ(one: Note, other: Note | NoteRecord) -> bool:
    if not one.key or not other.key:
        return False
    first, second = folded(one.key), folded(other.key)
    return bool(first and second) and first != second


def _agree(one: Candidate, other: Candidate) -> bool:
    if not agree(gist(one.text), gist(other.text)):
        return False
    return operators(one.note.text, one.bare) == operators(other.note.text, other.bare)


def _signed(text: str, bare: str) -> tuple[str, str]:
    return bare, signs(text, bare)


def _is_finished(text: str) -> bool:
    # A whole sentence that happens to begin as an earlier one ("Do not cache it.") is a note of its own.
    plain = text.rstrip().rstrip(_CLOSING)
    return plain.endswith(_SENTENCE_ENDS) and not plain.endswith(_ELLIPSES)


def _is_cut(candidate: Candidate, earlier: str, in_a_run: bool) -> bool:
    text, bare, whole = candidate.note.text, candidate.bare, _bare(earlier)
    if not whole.startswith(bare):
        return False
    if in_a_run:
        return whole.startswith(f"{bare} ") and begins_alike(text, bare, earlier)
    if _is_finished(text):
        return False
    between_words = cut_short(bare, whole) and _breaks_at_a_blank(candidate, earlier)
    return (between_words or cut_inside(bare, text.strip(), whole)) and begins_alike(text, bare, earlier)


def _breaks_at_a_blank(candidate: Candidate, earlier: str) -> bool:
    # "missing await in save" is no beginning of "missing await in save_user": that is one word, and another function.
    words, count = earlier.split(), len(candidate.note.text.split())
    nearby = range(max(1, count - 2), min(len(words), count + 3))
    return any(uncounted(" ".join(words[:end])) == candidate.bare for end in nearby)


def _ratio(one: str, other: str) -> float:
    shorter, longer = sorted((len(one), len(other)))
    return shorter / longer if longer else 1.0


@lru_cache(maxsize=1_024)
def _bare(text: str) -> str:
    return uncounted(text)
