"""Kills a process in the middle of its work, lets another go on, and compares the two with one that was not killed.

Run it as ``python tests/acceptance/kill_harness.py --scripts 20``: every random script is lived through once to the
end, once with a SIGKILL at a random passage and SQLite as the store, and once so with a host that keeps the snapshot
itself. ``--everywhere`` kills at every passage there is, one after another. See ``killed_host.py`` for what a passage
is, and for what host and reviewers do.

What has to be equal afterwards: the transcript that the agent has read, what the host was told at every step, the
quotas after every step, the whole final state, and which notes were judged and sent and how. What may differ: a
reviewer may have been asked once more for each kill, under the same key and about the same; an advisory may have been
offered again, under its id; and events of the killed step may be missing, for the process died before it told them.

Pauses are left out (``pause_after_failures`` is out of reach): they belong to a process, not to a session.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from queue import SimpleQueue
from random import Random
from typing import Any, TypeVar

__all__ = ["KEEPERS", "Harness", "Life", "Zygote", "differences", "random_script"]

Json = dict[str, Any]
K = TypeVar("K")
V = TypeVar("V")

KEEPERS = ("sqlite", "snapshot")
"""Who keeps the session: our store, or the host."""
KILLED = -9
"""How a process ends that SIGKILL has hit."""


# --- scripts ---


def random_script(seed: int) -> Json:
    """Return what a host does, what its reviewers are, and how they answer: the same for the same seed."""
    random = Random(seed)
    names = random.sample(["alpha", "beta", "gamma", "delta"], random.choice((1, 2, 2, 3, 4)))
    steps = [_step(random) for _ in range(random.randint(6, 16))]
    return {
        "seed": seed,
        "backend": random.choice(("asyncio", "trio")),
        "reviewers": [[_reviewer(random, name), random.randint(1, 3)] for name in names],
        "limits": {"notes_per_boundary": random.randint(1, 4), "notes_per_request": random.randint(2, 12)},
        "steps": _fitted(steps),
    }


def _reviewer(random: Random, name: str) -> Json:
    return {
        "name": name,
        "interval_turns": random.choice((0, 1, 1, 2, 3)),
        "max_periodic_reviews": random.randint(1, 4),
        "max_rounds": random.randint(0, 3),
        "cooldown_turns": random.randint(0, 2),
        "pause_after_failures": 1_000,
    }


def _step(random: Random) -> Json:
    kind = random.choices(("turn", "finish", "request", "abort", "compact", "rewind"), (55, 22, 12, 3, 4, 4))[0]
    match kind:
        case "turn":
            return {"kind": kind, "takes": _takes(random), "works": random.random() < 0.9}
        case "finish":
            stop = random.choices(("answer", "max_turns", "paused_for_human", "aborted"), (85, 5, 5, 5))[0]
            return {"kind": kind, "takes": _takes(random), "stop": stop}
        case "request":
            text = random.choice(("Go on.", "Go on.", "Do something else."))
            return {"kind": kind, "text": text, "calls": random.random() < 0.5}
        case _:
            return {"kind": kind, "back": random.randint(0, 3)}


def _takes(random: Random) -> str:
    return random.choices(("transcript", "taken", "lost"), (60, 25, 15))[0]


def _fitted(steps: list[Json]) -> list[Json]:
    # What taken() says is saved with the next boundary, so a host that means it goes to one. And a process that has
    # not seen the transcript yet cannot know what the human said before an abort, other than with new_request().
    aborts = any(step["kind"] == "abort" for step in steps)
    return [
        step
        | ({"calls": True} if aborts else {})
        | ({"takes": "transcript"} if step.get("takes") == "taken" and not _settles(after) else {})
        for step, after in zip(steps, [*steps[1:], {}], strict=True)
    ]


def _settles(step: Json) -> bool:
    return step.get("kind") in ("turn", "finish")


# --- processes ---


class Zygote:
    """A process that has everything imported, and forks for each run."""

    def __init__(self) -> None:
        command = [sys.executable, "-W", "error", str(Path(__file__).with_name("killed_host.py"))]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def run(self, script: Json, folder: Path, keeps: str, kill: list[int] | None) -> int:
        """Let a process live through the script, from where the folder says, and return how it ended."""
        job = {"script": script, "folder": str(folder), "keeps": keeps, "kill": kill}
        asked, answered = self._process.stdin, self._process.stdout
        if asked is None or answered is None:
            raise RuntimeError("the process was started without pipes")
        asked.write(json.dumps(job) + "\n")
        asked.flush()
        return int(answered.readline())

    def close(self) -> None:
        """End the process."""
        self._process.communicate()


@dataclass(frozen=True, kw_only=True)
class Life:
    """What a session has left behind at the end of its script, however many processes it took."""

    kept: Json
    """The host's own file: transcript, what it was told at each step, and the quotas after it."""
    state: Json
    """The final state, as a snapshot."""
    passages: dict[int, list[str]]
    """Of the last process, by step."""
    asked: Counter[str]
    """How often each review was asked for, by its key."""
    attempts: dict[str, list[int]]
    """The attempt that each of these reviews was told to be, by its key."""
    seen: dict[str, set[str]]
    """What was shown for each key, as digests."""
    offered: dict[str, set[str]]
    """The notes of each advisory, by its id."""
    offers: Counter[str] = field(default_factory=Counter)
    """How often each advisory was handed over."""
    judged: dict[int, list[str]] = field(default_factory=dict)
    """What the sinks were told of notes, by step."""
    sent: frozenset[str] = frozenset()
    """Reviewer and id of every note that was sent."""

    @classmethod
    def read(cls, folder: Path) -> Life:
        """Return what the folder tells."""
        facts = [json.loads(line) for line in (folder / "log.jsonl").read_text().splitlines()]
        return cls(
            kept=json.loads((folder / "host.json").read_text()),
            state=_comparable(facts[-1]["state"]),
            passages={int(step): names for step, names in facts[-1]["passages"].items()},
            asked=Counter(fact["asked"] for fact in facts if "asked" in fact),
            attempts=_listed((fact["asked"], fact["attempt"]) for fact in facts if "asked" in fact),
            seen=_grouped((fact["asked"], fact["seen"]) for fact in facts if "asked" in fact),
            offered=_grouped((fact["offered"], json.dumps(fact["notes"])) for fact in facts if "offered" in fact),
            offers=Counter(fact["offered"] for fact in facts if "offered" in fact),
            judged=_listed((fact["step"], json.dumps(fact["judged"])) for fact in facts if "judged" in fact),
            sent=frozenset(json.dumps(fact["sent"]) for fact in facts if "sent" in fact),
        )


def _comparable(state: Json) -> Json:
    # A process that aborts at once does not know how long the transcript is; what follows from that is compared.
    closed = state["session"]["closed"] and state["session"]["closed"]["aborted"]
    return state | {"revision": 0, "session": state["session"] | {"closed": closed}}


def _grouped(pairs: Iterable[tuple[str, str]]) -> dict[str, set[str]]:
    return {key: set(values) for key, values in _listed(pairs).items()}


def _listed(pairs: Iterable[tuple[K, V]]) -> dict[K, list[V]]:
    lists: dict[K, list[V]] = {}
    for key, value in pairs:
        lists.setdefault(key, []).append(value)
    return lists


class Harness:
    """Lives through scripts, killed and not, in as many processes at a time as asked for."""

    def __init__(self, folder: Path, *, processes: int = 2) -> None:
        self._folder, self._serial = folder, 0
        self._zygotes: SimpleQueue[Zygote] = SimpleQueue()
        self._pool = ThreadPoolExecutor(processes)
        for _ in range(processes):
            self._zygotes.put(Zygote())
        self._processes = processes

    def __enter__(self) -> Harness:
        return self

    def __exit__(self, *_: object) -> None:
        self._pool.shutdown()
        for _zygote in range(self._processes):
            self._zygotes.get().close()

    def live(self, script: Json, keeps: str, kills: list[list[int]] | None = None) -> Life:
        """Live through the script, killed at these passages (step, number in it from 1), one process after another.

        Raises RuntimeError where a process ends otherwise than it should.
        """
        zygote = self._zygotes.get()
        try:
            with tempfile.TemporaryDirectory(dir=self._folder) as folder:
                for kill in [*(kills or []), None]:
                    status = zygote.run(script, Path(folder), keeps, kill)
                    if status != (KILLED if kill else 0):
                        raise RuntimeError(f"seed {script['seed']}, {keeps}, killed at {kill}: ended with {status}")
                return Life.read(Path(folder))
        finally:
            self._zygotes.put(zygote)

    def killed_once(self, script: Json) -> list[str]:
        """Return how lives with a kill at a random passage differ from the one without."""
        random, found = Random(f"kill {script['seed']}"), []
        for keeps in KEEPERS:
            unbroken = self.live(script, keeps)
            found += self._compared(script, keeps, unbroken, [random.choice(_passages(unbroken))])
        return found

    def killed_often(self, script: Json, keeps: str, kills: int) -> list[str]:
        """Return how a life with a kill in so many different steps differs from the one without."""
        random, unbroken = Random(f"kills {script['seed']}"), self.live(script, keeps)
        steps = sorted(random.sample(sorted(unbroken.passages), min(kills, len(unbroken.passages))))
        places = [[step, random.randint(1, len(unbroken.passages[step]))] for step in steps]
        return self._compared(script, keeps, unbroken, places)

    def killed_everywhere(self, script: Json, keeps: str) -> list[str]:
        """Return how lives with a kill, one at each passage that there is, differ from the one without."""
        unbroken = self.live(script, keeps)
        lives = self._pool.map(lambda at: self._compared(script, keeps, unbroken, [at]), _passages(unbroken))
        return [difference for found in lives for difference in found]

    def over(self, seeds: range) -> list[str]:
        """Return all differences over the random scripts of these seeds."""
        lives = self._pool.map(lambda seed: self.killed_once(random_script(seed)), seeds)
        return [difference for found in lives for difference in found]

    def _compared(self, script: Json, keeps: str, unbroken: Life, kills: list[list[int]]) -> list[str]:
        broken = self.live(script, keeps, kills)
        at = ", ".join(f"step {step}: {number}. {unbroken.passages[step][number - 1]}" for step, number in kills)
        return [
            f"seed {script['seed']}, {keeps}, killed at {at}: {difference}"
            for difference in differences(unbroken, broken, {step for step, _ in kills})
        ]


def _passages(life: Life) -> list[list[int]]:
    return [[step, number] for step, names in life.passages.items() for number in range(1, len(names) + 1)]


# --- what must be equal ---


def differences(unbroken: Life, broken: Life, killed: set[int]) -> list[str]:
    """Return what a life with kills in these steps has left behind otherwise than the unbroken one, in sentences."""
    return [
        *_unequal("the host's file", unbroken.kept, broken.kept),
        *_unequal("the final state", unbroken.state, broken.state),
        *_unequal("what the reviewers were shown", unbroken.seen, broken.seen),
        *_unequal("the advisories offered", unbroken.offered, broken.offered),
        *_unequal("the notes sent", sorted(unbroken.sent), sorted(broken.sent)),
        *_asked_too_often(unbroken, broken, len(killed)),
        *_judged_otherwise(unbroken, broken, killed),
    ]


def _unequal(what: str, one: Any, other: Any) -> Iterator[str]:
    if isinstance(one, dict) and isinstance(other, dict):
        for key in one | other:
            yield from _unequal(f"{what}, {key}", one.get(key), other.get(key))
    elif isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        for place, (mine, others) in enumerate(zip(one, other, strict=True)):
            yield from _unequal(f"{what}, {place}", mine, others)
    elif one != other:
        yield f"{what}: {one!r} became {other!r}"


def _asked_too_often(unbroken: Life, broken: Life, kills: int) -> Iterator[str]:
    reviewers: Counter[str] = Counter()
    for key, times in (broken.asked - unbroken.asked).items():
        reviewers[key.split(":")[2]] += times
    yield from (f"{name} was asked {times} times more" for name, times in reviewers.items() if times > kills)
    yield from (f"{key} was not asked for as often" for key in unbroken.asked - broken.asked)


def _judged_otherwise(unbroken: Life, broken: Life, killed: set[int]) -> Iterator[str]:
    for step in unbroken.judged.keys() | broken.judged.keys():
        told, now = unbroken.judged.get(step, []), broken.judged.get(step, [])
        if now != told and not (step in killed and _is_cut_off(told, now)):
            yield f"the notes of step {step}: {told} became {now}"


def _is_cut_off(told: list[str], now: list[str]) -> bool:
    # Nobody is told again what our store has kept; what the host has not kept is settled, and told, once more.
    return any(now == told[:end] + again for end in range(len(told) + 1) for again in ([], told))


def main() -> int:
    """Kill and compare, as the command line says; 1 where anything differs."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else "")
    parser.add_argument("--scripts", type=int, default=20, help="random scripts, each killed once per keeper")
    parser.add_argument("--seed", type=int, default=0, help="of the first script")
    parser.add_argument("--everywhere", action="store_true", help="kill at every passage of each script")
    parser.add_argument("--processes", type=int, default=2, help="at a time")
    options = parser.parse_args()
    seeds = range(options.seed, options.seed + options.scripts)
    with tempfile.TemporaryDirectory() as folder, Harness(Path(folder), processes=options.processes) as harness:
        found = _everywhere(harness, seeds) if options.everywhere else harness.over(seeds)
    print("\n".join(found) or f"{options.scripts} scripts: nothing differs")
    return 1 if found else 0


def _everywhere(harness: Harness, seeds: range) -> list[str]:
    scripts = [random_script(seed) | {"backend": "asyncio"} for seed in seeds]
    return [found for script in scripts for keeps in KEEPERS for found in harness.killed_everywhere(script, keeps)]


if __name__ == "__main__":
    sys.exit(main())
