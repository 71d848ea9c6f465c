"""What comparing notes costs and what it finds, in one run. ``pytest -m benchmark -s`` prints the figures.

The rates are taken over the labelled pairs of notes. Only the half that is seen and what was written later may shape a
rule; the half that is held out and what was written last are printed beside them, and none may lose a finding.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator
from itertools import cycle, islice
from random import Random
from statistics import mean
from time import perf_counter

import pytest
from tests.pairs.pairs import Pair, half, load

from foureyes.core.counters import cut_short, series, uncounted
from foureyes.core.gist import Gist, gist
from foureyes.core.noise import is_noise
from foureyes.core.places import moved
from foureyes.core.resemblance import agree, resembling
from foureyes.core.similarity import digest, folded

from .ratios import ratio

pytestmark = pytest.mark.benchmark

PAIRS = load()
HALVES = ("seen", "held", "later", "last")
NOTICED = {"seen": 0.85, "held": 0.0, "later": 0.8, "last": 0.85}
"""The least share of the findings told twice in one language that is noticed. Most of what was written later are true
synonyms or another author's notes, many of them with hardly a word in common."""
RANDOM_PAIRS = 10_000


# --- what is found ---


def same_text(one: str, other: str) -> bool:
    """Tell whether the exact stages take the second note for the first."""
    first, second = uncounted(one), uncounted(other)
    places = set(moved(first, one)).intersection(moved(second, other))
    return first == second or folded(one) == folded(other) or bool(places) or cut_short(second, first)


def is_flagged(one: str, other: str) -> bool:
    """Tell whether the second note is flagged for resembling the first."""
    return resembling(gist(other), [("first", gist(one))]) is not None


def is_merged(pair: Pair) -> bool:
    """Tell whether two reviewers' notes become one: the same declared place, and nothing that tells them apart."""
    declared = pair.first_anchor is not None and pair.first_anchor == pair.second_anchor
    return declared and agree(gist(pair.first), gist(pair.second))


def fate(pair: Pair) -> str:
    """Return what becomes of the second note of a pair."""
    if same_text(pair.first, pair.second):
        return "dropped"
    return "flagged" if is_flagged(pair.first, pair.second) else "told"


def of(side: str, *, same: bool) -> list[Pair]:
    """Return the pairs of one half that are the same finding, or those that are not."""
    return [pair for pair in PAIRS if half(pair) == side and pair.same is same]


def shown(side: str, *, same: bool) -> Counter[str]:
    """Print what becomes of the second notes by kind, and return the sum."""
    kinds: dict[str, Counter[str]] = {}
    for pair in of(side, same=same):
        kinds.setdefault(pair.kind, Counter())[fate(pair)] += 1
    print(f"\n{side}, {'one finding told twice' if same else 'two findings'}:")
    for kind, found in kinds.items():
        print(f"  {kind:13} " + "  ".join(f"{name} {found[name]:2}" for name in ("dropped", "flagged", "told")))
    return sum(kinds.values(), Counter())


@pytest.mark.parametrize("side", HALVES)
def test_no_finding_is_dropped_and_no_two_are_merged(side: str) -> None:
    total = shown(side, same=False)
    print(f"  of {total.total()}: {total['flagged']} flagged")
    assert [pair for pair in of(side, same=False) if same_text(pair.first, pair.second)] == []
    assert [pair for pair in of(side, same=False) if same_text(pair.second, pair.first)] == []
    assert [pair for pair in of(side, same=False) if is_merged(pair)] == []


@pytest.mark.parametrize("side", HALVES)
def test_most_findings_that_are_told_twice_in_one_language_are_noticed(side: str) -> None:
    shown(side, same=True)
    fates = [fate(pair) for pair in of(side, same=True) if pair.kind != "translated"]
    share = mean(found != "told" for found in fates)
    print(f"  noticed in one language: {share:.2f} of {len(fates)}")
    assert share >= NOTICED[side]


@pytest.mark.parametrize("side", HALVES)
def test_hardly_any_two_notes_at_random_are_flagged(side: str) -> None:
    pairs = [pair for pair in PAIRS if half(pair) == side]
    lots = Random(5)
    flagged = 0
    for _ in range(RANDOM_PAIRS):
        one, other = lots.sample(pairs, 2)
        flagged += is_flagged(lots.choice((one.first, one.second)), lots.choice((other.first, other.second)))
    print(f"\n{side}: {flagged / RANDOM_PAIRS:.4f} of random pairs flagged")
    assert flagged <= 0.01 * RANDOM_PAIRS


def test_no_labelled_note_is_noise() -> None:
    texts = [text for pair in PAIRS for text in (pair.first, pair.second)]
    assert [text for text in texts if is_noise(folded(text)) or series(uncounted(text))] == []


# --- what it costs ---

SHORT = [
    "Off by one in the last page.",
    "missing await in save_user",
    "`rm -rf $BUILD_DIR` is unquoted and may be empty.",
    "The time-out is 30 where the contract says 300.",
]
MEDIUM = (
    "The migration drops column billing_email before the backfill job has copied it, so every customer who signed up "
    "before March loses the address that invoices are sent to. Run the backfill first, check that the count of empty "
    "rows is 0, and drop the column in a later release, as docs/migrations.md asks."
)
PARTS = zip(
    cycle(["orders", "users", "items", "rates", "stock"]),
    cycle(["the poller", "a nightly job", "one of the brokers"]),
    cycle(["merged", "sorted", "priced", "translated"]),
    range(25),
    strict=False,
)
LONG = " ".join(
    f"Row {row} of {table} differs from the manifest since {job} wrote it while it was {deed}; see sync_{row}.py."
    for table, job, deed, row in PARTS
)[:2_000]
OTHER_SCRIPTS = [
    (
        "Миграция удаляет столбец billing_email до того, как задание скопировало его, поэтому каждый клиент, "
        "записавшийся до марта, теряет адрес для счетов. Сначала запустите задание, затем удалите столбец позже."
    ),
    "迁移在回填任务复制之前删除了列，因此三月之前注册的每个客户都会丢失发票地址。先运行回填任务，然后在下一个版本中删除该列。",
    "माइग्रेशन बैकफ़िल से पहले कॉलम हटा देता है, इसलिए हर ग्राहक का पता खो जाता है। पहले बैकफ़िल चलाएँ।",
    "Việc di chuyển xóa cột trước khi tác vụ sao chép xong, vì vậy khách hàng đăng ký trước tháng ba mất địa chỉ.",
]
CORPORA = {
    "short": (SHORT, None),
    "300 characters": ([MEDIUM], None),
    "2,000 characters": ([LONG], None),
    "other scripts": (OTHER_SCRIPTS, None),
    "mixed": ([*SHORT, MEDIUM, LONG, *OTHER_SCRIPTS], 1.5),
}
_NO_WORD = re.compile(r"[\W_]+")


def bare(text: str) -> str:
    """Do the least that comparing two notes could be done with."""
    return _NO_WORD.sub(" ", unicodedata.normalize("NFKC", text.casefold()))


def exact(text: str) -> None:
    """Do what every note goes through before similarity is asked for."""
    fold = folded(text)
    counted = uncounted(text, fold)
    is_noise(fold)
    digest("t", fold)
    if counted is not fold:
        digest("t", counted)


@pytest.mark.parametrize("corpus", CORPORA)
def test_the_exact_stages_cost_little_more_than_a_bare_normalization(corpus: str) -> None:
    texts, limit = CORPORA[corpus]
    inner = max(1, 12_000 // sum(map(len, texts)))
    # Two measurements: a machine that does something else meanwhile slows many small steps down more than a few long.
    found = min(ratio(lambda: [*map(exact, texts)], lambda: [*map(bare, texts)], inner=inner) for _ in range(2))
    print(f"\n{corpus}: {found:.2f} of casefold, NFKC and one regular expression")
    if limit is not None:
        assert found <= limit


WORST = {
    "separators": "again, " * 1_200,
    "brackets": "again " + "(" * 8_000,
    "blanks": "again " + " " * 8_000 + "x",
    "exclamation marks": "again" + "!" * 8_000,
    "one word": "again " * 1_400,
    "Chinese reminders": "\u7b2c\u4e09\u6b21\u63d0\u9192\uff1a" * 1_400,
    "marks": "e" + "\u0301" * 8_000,
    "signs": "".join(chr(0x2190 + place % 3_000) for place in range(8_000)),
}


@pytest.mark.parametrize("kind", WORST)
def test_no_text_makes_the_exact_stages_much_slower_than_prose_of_its_length(kind: str) -> None:
    prose = [LONG] * (8_000 // len(LONG))
    found = ratio(lambda: exact(WORST[kind]), lambda: [*map(exact, prose)], rounds=5, inner=3)
    print(f"\n{kind}: {found:.1f} of prose")
    assert found <= 400


def delivered(number: int) -> list[tuple[str, Gist]]:
    """Return what an agent has been told: notes on different defects."""
    texts = islice(cycle(pair.first for pair in PAIRS), number)
    return [(f"n{place}", gist(text)) for place, text in enumerate(texts)]


def timed(texts: list[str], earlier: list[tuple[str, Gist]]) -> Iterator[float]:
    """Yield the seconds that each note takes to be compared, its own gist included."""
    for text in texts:
        began = perf_counter()
        resembling(gist.__wrapped__(text), earlier)
        yield perf_counter() - began


def test_flagging_against_128_delivered_notes_takes_at_most_200_microseconds_a_note() -> None:
    texts, _ = CORPORA["mixed"]
    notes = [*texts, *(pair.second for pair in islice(PAIRS, 100))]
    earlier = delivered(128)
    rounds = [[*timed(notes, earlier)] for _ in range(15)]
    quietest = mean(map(min, zip(*rounds, strict=True)))
    print(f"\nflagging against 128: {quietest * 1e6:.0f} µs a note")
    assert quietest <= 200e-6
