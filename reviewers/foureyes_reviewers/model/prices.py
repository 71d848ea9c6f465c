"""What a question will use, guessed beforehand, and what an answer has cost."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from math import ceil

from foureyes.core.backend import Price, priced
from foureyes.core.facts import NO_USAGE, Usage

__all__ = ["FREE", "cost", "price_of", "tokens_in"]

FREE = replace(NO_USAGE, cost_usd=0.0)
"""What an attempt costs that the provider turned away: nothing, and that is known."""
_ASCII_CHARS = 3
"""Characters of a token: English has four or five, code and JSON about three."""
_OTHER_TOKENS = 1.5
"""Tokens of a character beyond ASCII: Chinese has up to 1.3 with older vocabularies, emoji two or three."""
_CACHE_WRITE = 0.25
"""What writing into the provider's cache costs on top, as a share of the price of the input (Anthropic, 5 minutes)."""
_MILLION = 1_000_000


def price_of(model: str, prices: Iterable[str]) -> Price | None:
    """Return the declared price of the model, the last one where there are several; None where it is unknown."""
    return dict(priced(text) for text in prices).get(model)


def tokens_in(text: str) -> int:
    """Return about how many tokens the text has, and rather too many: what is set aside has to suffice.

    A guess from the English average comes out far too low for JSON and for other scripts:
    https://github.com/can1357/oh-my-pi/issues/5282
    """
    plain = len(text) if text.isascii() else len(text.encode("ascii", "ignore"))
    return ceil(plain / _ASCII_CHARS + (len(text) - plain) * _OTHER_TOKENS)


def cost(usage: Usage, price: Price | None, *, written: int = 0) -> Usage:
    """Return the usage with its cost in US dollars, unknown where the price is.

    ``written`` are the tokens of the input that the provider has put into its cache, which some charge extra for.
    """
    if price is None:
        return replace(usage, cost_usd=None)
    fresh = max(usage.input_tokens - usage.cached_tokens, 0) + written * _CACHE_WRITE
    dollars = fresh * price.input + usage.cached_tokens * price.cached + usage.output_tokens * price.output
    return replace(usage, cost_usd=dollars / _MILLION)
