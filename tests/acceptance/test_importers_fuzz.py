"""Mutated files of every format: whatever is in a file, reading it ends, and ends without an exception.

``FOUREYES_FUZZED_FILES`` says how many files (3,000 where it is not set); the same number gives the same files.
"""

from __future__ import annotations

import json
import os
import random
import signal
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from copy import deepcopy
from functools import partial
from pathlib import Path

import anyio
import pytest

from foureyes.core.facts import Message
from foureyes.replay.driver import replay
from foureyes.replay.reading import recordings
from foureyes.replay.recording import LeftOut, Recording, RecordingError
from foureyes.replay.roster import BUILT_IN

from ..unit.recorded import SAMPLES  # noqa: TID252 - the same files as in the unit tests

FILES = int(os.environ.get("FOUREYES_FUZZED_FILES", "3000"))
REPLAYED = 40
"""One of so many runs that could be read is replayed as well."""
HANGING = 30
"""Seconds for one file of a few thousand bytes, which takes a few milliseconds: more is a hang."""
STRANGE = [None, True, 0, -1, 1e308, 10**400, "", "x", "\ud800", "\x00\x1b[2J", [], {}, [[]], {"type": "text"}, [None]]
SNIPPETS = [
    b"{",
    b"}",
    b"[",
    b"]",
    b'"',
    b"\\",
    b",",
    b":",
    b"\n",
    b"\r",
    b"\x00",
    b"\xff\xfe",
    b"\xf0\x9f",
    b"\\ud800",
]
SNIPPETS += [
    b"NaN",
    b"Infinity",
    b"1" * 5_000,
    b"[" * 3_000,
    b'{"role":' * 900,
    b"null",
    b"[]\n",
    b"{}\n",
    b"\xef\xbb\xbf",
]


def flipped(rng: random.Random, data: bytes) -> bytes:
    changed = bytearray(data)
    for _ in range(rng.randint(1, 8)):
        changed[rng.randrange(len(changed))] = rng.randrange(256)
    return bytes(changed)


def cut(rng: random.Random, data: bytes) -> bytes:
    return data[: rng.randrange(len(data))] if rng.random() < 0.7 else data[rng.randrange(len(data)) :]


def holed(rng: random.Random, data: bytes) -> bytes:
    start, end = sorted((rng.randrange(len(data)), rng.randrange(len(data))))
    return data[:start] + data[end:]


def stuffed(rng: random.Random, data: bytes) -> bytes:
    at = rng.randrange(len(data))
    return data[:at] + rng.choice(SNIPPETS) + data[at:]


def doubled(rng: random.Random, data: bytes) -> bytes:
    start, end = sorted((rng.randrange(len(data)), rng.randrange(len(data))))
    return data[:end] + data[start:end] + data[end:]


def spliced(rng: random.Random, data: bytes) -> bytes:
    other = rng.choice(list(SAMPLES.values()))
    return data[: rng.randrange(len(data))] + other[rng.randrange(len(other)) :]


def shuffled(rng: random.Random, data: bytes) -> bytes:
    lines = [*data.splitlines(keepends=True), *rng.choice(list(SAMPLES.values())).splitlines(keepends=True)]
    rng.shuffle(lines)
    return b"".join(lines[: rng.randint(1, len(lines))])


def restructured(rng: random.Random, data: bytes) -> bytes:
    """Change the values of a file and leave it valid JSON: the mutation that gets past the decoder."""
    try:
        values = [json.loads(data)]
    except ValueError:
        values = [json.loads(line) for line in data.splitlines()]
    for _ in range(rng.randint(1, 4)):
        change(rng, rng.choice(places(values)))
    return b"\n".join(json.dumps(value).encode() for value in values)


def places(value: object) -> list[tuple[list[object] | dict[str, object], int | str]]:
    """Return every place in the value where another value could stand."""
    found: list[tuple[list[object] | dict[str, object], int | str]] = []
    waiting = [value]
    while waiting:
        item = waiting.pop()
        if isinstance(item, dict | list):
            keys = list(item) if isinstance(item, dict) else list(range(len(item)))
            found += [(item, key) for key in keys]
            waiting += list(item.values()) if isinstance(item, dict) else item
    return found


def change(rng: random.Random, place: tuple[list[object] | dict[str, object], int | str]) -> None:
    holder, key = place
    if isinstance(holder, dict):
        if rng.random() < 0.3:
            del holder[str(key)]
        else:
            holder[str(key)] = deepcopy(rng.choice(STRANGE))
    else:
        holder[int(key)] = deepcopy(rng.choice([*STRANGE, holder[0]]))


MUTATIONS: list[Callable[[random.Random, bytes], bytes]] = [
    flipped,
    cut,
    holed,
    stuffed,
    doubled,
    spliced,
    shuffled,
    restructured,
    restructured,
    restructured,
]


@contextmanager
def in_time(data: bytes) -> Iterator[None]:
    """Fail where the work on a file does not end."""

    def expired(*_: object) -> None:
        raise TimeoutError(f"still reading {data[:200]!r}")

    before = signal.signal(signal.SIGALRM, expired)
    signal.setitimer(signal.ITIMER_REAL, HANGING)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def sound(item: Recording | RecordingError | LeftOut) -> None:
    """See that what was read is what its type promises."""
    if isinstance(item, Recording):
        assert item.messages
        assert all(map(well_typed, item.messages))
        assert item.decisive is None or 1 <= item.decisive <= len(item.turns())
        assert item.reward is None or abs(item.reward) < float("inf")
    else:
        assert str(item)
        assert "\n" not in str(item)


def well_typed(message: Message) -> bool:
    texts = [message.role, message.text, message.name, message.call_id]
    texts += [text for call in message.tool_calls for text in (call.id, call.name, call.arguments)]
    return all(type(text) is str for text in texts) and type(message.error) is bool


def fuzzed(seeds: dict[str, bytes], count: int, path: Path) -> Counter[str]:
    """Read so many mutated files, and return how often a run and an error came of them."""
    rng = random.Random(20_261_130)
    names = sorted(seeds)
    seen: Counter[str] = Counter()
    for number in range(count):
        data = seeds[names[number % len(names)]]
        for _ in range(rng.randint(1, 2)):
            data = MUTATIONS[rng.randrange(len(MUTATIONS) - 3 if _ else len(MUTATIONS))](rng, data or b"{}")
        path.write_bytes(data)
        with in_time(data):
            seen += read(path, replaying=number % REPLAYED == 0)
    return seen


def read(path: Path, *, replaying: bool) -> Counter[str]:
    seen: Counter[str] = Counter()
    for item in recordings([str(path)]):
        sound(item)
        seen[item.format if isinstance(item, Recording) else type(item).__name__] += 1
        if replaying and isinstance(item, Recording):
            anyio.run(partial(replay, item, BUILT_IN))
    return seen


def test_reading_a_mutated_file_never_raises_and_never_hangs(tmp_path: Path) -> None:
    seen = fuzzed(SAMPLES, FILES, tmp_path / "mutated")
    # Both happen to every format, or the mutations would be too weak or too strong to show anything.
    assert min(seen[name] for name in SAMPLES) > FILES // 500
    assert seen["RecordingError"] > FILES // 4


@pytest.mark.shared
def test_reading_a_mutated_real_run_never_raises_and_never_hangs(shared: Path, tmp_path: Path) -> None:
    folder = shared / "data" / "trajectories"
    found = sorted((path for path in folder.rglob("*.json") if path.stat().st_size < 40_000), key=str)
    assert len(found) > 50
    seen = fuzzed({str(path): path.read_bytes() for path in found}, FILES // 10, tmp_path / "mutated")
    assert seen["Who&When"] > FILES // 100
