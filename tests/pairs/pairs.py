"""Labelled pairs of notes: one finding told twice, and two findings that read alike.

They were written by hand before any rule that compares notes, and no rule may be fitted to the half that is held out.
Two further parts were written later: one before the words that are used for one another were widened, which may shape a
rule, too, and one after it, which may not.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path
from typing import Literal, TypeAlias

HERE = Path(__file__).resolve().parent
Half: TypeAlias = Literal["seen", "held", "later", "last"]
Part: TypeAlias = Literal["first", "later", "last"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """Two notes, in the order in which they would arrive."""

    kind: str
    """How the second differs from the first; every kind is either always the same finding or never."""
    first: str
    second: str
    same: bool
    """True: one finding, and who has heard the first needs no second; False: two, and both must be heard."""
    first_key: str | None = None
    """The finding key that the reviewer declares; None where it declares none."""
    second_key: str | None = None
    first_anchor: str | None = None
    """The path that the reviewer declares as its evidence, with or without a line; None where it declares none."""
    second_anchor: str | None = None
    written: Part = "first"
    """The part that it is of; only the first one is split."""


def load() -> tuple[Pair, ...]:
    """Return every pair, part by part: the same findings of each first, in the order of the files."""
    return _part("first") + _part("later", "later_") + _part("last", "last_")


def half(pair: Pair) -> Half:
    """Return the side of the fixed split: the last bit of the first text's SHA-256, 0 being ``seen``.

    What was written later is on sides of its own.
    """
    if pair.written != "first":
        return pair.written
    return "held" if sha256(pair.first.encode()).digest()[-1] & 1 else "seen"


def _part(written: Part, prefix: str = "") -> tuple[Pair, ...]:
    both = _read(f"{prefix}true_pairs.jsonl", same=True) + _read(f"{prefix}false_pairs.jsonl", same=False)
    return tuple(replace(pair, written=written) for pair in both)


def _read(name: str, *, same: bool) -> tuple[Pair, ...]:
    lines = (HERE / name).read_text("utf-8").splitlines()
    return tuple(Pair(**json.loads(line), same=same) for line in lines)
