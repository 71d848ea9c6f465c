"""The notes a reviewer has had admitted: a persistent map of bounded size, oldest key forgotten first.

A state is a value, so a history must be one too; copying 4,096 keys at each note would make a note's cost grow
with the past. Keys live in slots, slots in chunks of 64, and an update copies one chunk and one index bucket:
about two microseconds, whether the history is empty or full.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

__all__ = ["Entry", "History"]

_CHUNK = 64


class Entry(NamedTuple):
    """One remembered key."""

    key: int
    """63-bit digest of a declared key or a folded text."""
    rank: int
    """The highest rank admitted under the key."""
    note: str
    """The id of the note that was admitted at that rank."""


@dataclass(frozen=True, slots=True, kw_only=True)
class History:
    """Up to ``capacity`` entries; every change returns a new history and leaves this one as it was."""

    capacity: int
    serial: int = 0
    """How many keys were ever remembered; the next one takes the slot ``serial % capacity``."""
    chunks: tuple[tuple[Entry, ...], ...] = ()
    index: tuple[dict[int, int], ...] = ({},) * _CHUNK

    def find(self, key: int) -> Entry | None:
        """Return what is remembered under the key, or None."""
        slot = self.index[key % _CHUNK].get(key)
        return None if slot is None else self.chunks[slot // _CHUNK][slot % _CHUNK]

    def remembered(self, entry: Entry) -> History:
        """Return the history with the entry in it.

        A key that is there already keeps its age and takes the new rank and note; a new key takes the place of
        the oldest one once the capacity is reached.
        """
        slot = self.index[entry.key % _CHUNK].get(entry.key)
        return self._appended(entry) if slot is None else self._replaced(slot, entry, self.index, self.serial)

    def slots(self) -> Iterator[tuple[int, Entry]]:
        """Yield every slot in use with its entry, in the order of the slots."""
        for number, chunk in enumerate(self.chunks):
            yield from ((number * _CHUNK + place, entry) for place, entry in enumerate(chunk))

    def since(self, earlier: History) -> list[tuple[int, Entry]]:
        """Return the slots that differ from the earlier history; all of them where it is not a later version."""
        if self.restarted_after(earlier):
            return list(self.slots())
        changed: list[tuple[int, Entry]] = []
        for number, chunk in enumerate(self.chunks):
            before = earlier.chunks[number] if number < len(earlier.chunks) else ()
            if chunk is not before:
                changed += [
                    (number * _CHUNK + place, entry)
                    for place, entry in enumerate(chunk)
                    if place >= len(before) or entry is not before[place]
                ]
        return changed

    def restarted_after(self, earlier: History) -> bool:
        """Tell whether the slots were laid out anew since the earlier history: cleared, or resized."""
        return self.capacity != earlier.capacity or self.serial < earlier.serial

    @classmethod
    def restored(cls, capacity: int, serial: int, slots: dict[int, Entry]) -> History:
        """Return the history that has these slots.

        Raises ValueError where a slot is missing, twice a key is there, or the serial does not fit: such a record
        is not one of ours.
        """
        used = min(serial, capacity)
        if capacity < 1 or serial < 0 or set(slots) != set(range(used)):
            raise ValueError(f"{len(slots)} slots do not make a history of {used}")
        if len({entry.key for entry in slots.values()}) != used:
            raise ValueError("a key stands in two slots")
        return cls._built(capacity, serial, [slots[place] for place in range(used)])

    def resized(self, capacity: int) -> History:
        """Return the history with another capacity: the newest keys that fit, in their order."""
        if capacity == self.capacity:
            return self
        entries = [entry for _, entry in self.slots()]
        oldest = self.serial % self.capacity if self.serial > self.capacity else 0
        kept = (entries[oldest:] + entries[:oldest])[-capacity:]
        return self._built(capacity, len(kept), kept)

    @classmethod
    def _built(cls, capacity: int, serial: int, entries: list[Entry]) -> History:
        index: list[dict[int, int]] = [{} for _ in range(_CHUNK)]
        for slot, entry in enumerate(entries):
            index[entry.key % _CHUNK][entry.key] = slot
        chunks = tuple(tuple(entries[at : at + _CHUNK]) for at in range(0, len(entries), _CHUNK))
        return cls(capacity=capacity, serial=serial, chunks=chunks, index=tuple(index))

    def _appended(self, entry: Entry) -> History:
        slot = self.serial % self.capacity
        index = self.index
        if self.serial >= self.capacity:
            oldest = self.chunks[slot // _CHUNK][slot % _CHUNK].key
            index = _with_bucket(index, oldest, {k: s for k, s in index[oldest % _CHUNK].items() if k != oldest})
        index = _with_bucket(index, entry.key, index[entry.key % _CHUNK] | {entry.key: slot})
        return self._replaced(slot, entry, index, self.serial + 1)

    def _replaced(self, slot: int, entry: Entry, index: tuple[dict[int, int], ...], serial: int) -> History:
        number, place = divmod(slot, _CHUNK)
        chunk = self.chunks[number] if number < len(self.chunks) else ()
        chunk = (*chunk[:place], entry, *chunk[place + 1 :])
        chunks = (*self.chunks[:number], chunk, *self.chunks[number + 1 :])
        return History(capacity=self.capacity, serial=serial, chunks=chunks, index=index)


def _with_bucket(index: tuple[dict[int, int], ...], key: int, bucket: dict[int, int]) -> tuple[dict[int, int], ...]:
    number = key % _CHUNK
    return (*index[:number], bucket, *index[number + 1 :])
