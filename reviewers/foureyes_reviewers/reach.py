"""Why an address could not be reached, in words that say what to do."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

__all__ = ["causes_of", "unreached"]

_DEEPEST = 10
"""Causes that are looked at; libraries make no more than six of one failed connection."""


def causes_of(error: BaseException) -> Iterator[BaseException]:
    """Yield the error and what lies below it. Of several at once, as when a name has two addresses, the first."""
    seen: BaseException | None = error
    for _ in range(_DEEPEST):
        if seen is None:
            return
        yield seen
        inner = seen.exceptions[0] if isinstance(seen, BaseExceptionGroup) else None
        # Libraries hide what went wrong below them, and there it says whether it was the certificate or the cable.
        seen = inner or seen.__cause__ or seen.__context__


def unreached(causes: Iterable[str], host: str) -> str:
    """Return why the host was not reached, by the names of the causes; "" where they say nothing that is known."""
    names = set(causes)
    if "ConnectionRefusedError" in names:
        return f"nothing listens at {host}: start it, or correct 'base_url'"
    return f"there is no host {host}: correct 'base_url'" if "gaierror" in names else ""
