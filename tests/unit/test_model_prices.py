"""What a question will use is guessed high, and what an answer has cost is worked out from its tokens."""

from __future__ import annotations

import pytest

from foureyes.core.backend import Price
from foureyes.core.facts import NO_USAGE, Usage
from foureyes_reviewers.model.prices import FREE, cost, price_of, tokens_in

PRICE = Price(input=10.0, cached=1.0, output=20.0)
"""In US dollars per million tokens."""


def test_cached_tokens_cost_their_own_price() -> None:
    used = cost(Usage(input_tokens=1_000, cached_tokens=400, output_tokens=50), PRICE)
    assert used.cost_usd == pytest.approx((600 * 10 + 400 * 1 + 50 * 20) / 1_000_000)


def test_what_is_written_into_the_cache_costs_a_quarter_more() -> None:
    plain, written = (cost(Usage(input_tokens=1_000), PRICE, written=count).cost_usd for count in (0, 400))
    assert plain is not None
    assert written is not None
    assert written - plain == pytest.approx(400 * 0.25 * 10 / 1_000_000)


def test_an_unknown_price_makes_an_unknown_cost_and_never_nothing() -> None:
    assert cost(Usage(input_tokens=1, cost_usd=0.0), None).cost_usd is None


def test_more_cached_tokens_than_tokens_cost_nothing_extra() -> None:
    used = cost(Usage(input_tokens=10, cached_tokens=400), PRICE)
    assert used.cost_usd == pytest.approx(400 * 1 / 1_000_000)


def test_what_is_free_adds_nothing_and_leaves_a_known_cost_known() -> None:
    assert (NO_USAGE + Usage(input_tokens=5, cost_usd=0.5) + FREE).cost_usd == 0.5


@pytest.mark.parametrize(
    ("model", "price"),
    [
        ("small", Price(input=1.0, cached=1.0, output=2.0)),
        ("vendor/large:free=x", Price(input=3.0, cached=0.5, output=4.0)),
        ("other", None),
    ],
)
def test_a_price_is_found_by_the_models_name(model: str, price: Price | None) -> None:
    assert price_of(model, ("small=9/9", "small=1/2", "vendor/large:free=x=3/0.5/4")) == price


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("", 0),
        ("a", 1),
        ("abc", 1),
        ("abcd", 2),
        ("工作", 3),
        ("工作工", 5),
        ("abc工作", 4),
        ("🎉", 2),
        ("e\N{COMBINING ACUTE ACCENT}", 2),
    ],
)
def test_three_ascii_characters_are_a_token_and_two_others_are_three(text: str, tokens: int) -> None:
    # Guesses from the English average are too low for JSON and for other scripts:
    # https://github.com/can1357/oh-my-pi/issues/5282
    assert tokens_in(text) == tokens
