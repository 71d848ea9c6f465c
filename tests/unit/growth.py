"""Whether the cost of a function grows with the length of a text, or with its square."""

from __future__ import annotations

from collections.abc import Callable
from time import process_time

SHORT, LONG = 40_000, 320_000
"""Characters. The longer text is eight times as long: linear work takes 8 times as long, quadratic 64 times."""
FAST = 0.5
"""Seconds of CPU below which nothing is compared: far too little for quadratic work at the longer length."""

HOSTILE = (
    "a",
    "A1",
    " ",
    "\n",
    "=",
    ":",
    "-",
    "/",
    "\\",
    '"',
    "'",
    "'\"",
    '\\"',
    "{",
    "[",
    "{[",
    '{"a":',
    "<|",
    "x=",
    "eyJ",
)
"""Pieces that, repeated, make careless expressions backtrack."""


def cost(work: Callable[[str], object], text: str) -> float:
    """Return the seconds of CPU that the work takes."""
    began = process_time()
    work(text)
    return process_time() - began


def assert_linear(work: Callable[[str], object], piece: str) -> None:
    """Fail where the work on the piece repeated grows faster than its length."""
    long = cost(work, piece * (LONG // len(piece)))
    if long > FAST:
        assert long < 24 * cost(work, piece * (SHORT // len(piece)))
