"""What redaction costs.

The rules. An ordinary text of 24,000 characters takes a few milliseconds, and a megabyte of anything less than a second
or two, however it is made; measured as CPU time, the best of a few, with a factor of ten for slow machines.
"""

from __future__ import annotations

from pathlib import Path
from time import process_time

import pytest

from foureyes_reviewers.redaction import Redactor

pytestmark = pytest.mark.timing

REDACTOR = Redactor(["Zq7-vB3xK9mT", "wJalrXUtnFEMI/K7MDENG/bPxRfiCYzzzzzz", 'p@ss/word+"1" and more'])
HOSTILE = ("a", "a=", "A", "-----BEGIN ", " ", '"', "\\", "://", "eyJ", "1", "\n", "a ", '\\"', "\\n", "AAAA\n", "+ ")


def best(text: str, tries: int) -> float:
    """Return the fewest seconds of CPU that the text took."""
    costs = []
    for number in range(tries):
        fresh = f"{text}{number}"  # what was redacted before is remembered
        began = process_time()
        REDACTOR.redacted(fresh)
        costs.append(process_time() - began)
    return min(costs)


def test_an_ordinary_text_takes_a_few_milliseconds() -> None:
    source = Path(__file__).parents[1] / "unit" / "test_redaction.py"
    assert best((source.read_text("utf-8") * 3)[:24_000], 5) < 0.060


@pytest.mark.parametrize("piece", HOSTILE)
def test_a_megabyte_of_anything_takes_less_than_two_seconds(piece: str) -> None:
    assert best(piece * (1_000_000 // len(piece)), 2) < 2.0
