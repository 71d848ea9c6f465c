"""Reviewers that are named by ``module:callable``, as fallbacks are. Every one is a function without a memory."""

from __future__ import annotations

import anyio

from foureyes.core.facts import Note, Reply, Review, Usage
from foureyes.core.words import Severity
from foureyes.errors import RateLimitedError, RefusedError

NAME = __name__


async def sound(review: Review) -> list[Note]:
    """Find something."""
    return [Note(text="The fallback found this.", severity=Severity.CONCERN)]


async def silent(review: Review) -> Reply:
    """Find nothing, and say what that has cost."""
    return Reply(usage=Usage(input_tokens=7))


async def refusing(review: Review) -> None:
    """Decline."""
    raise RefusedError("not this content")


async def limited(review: Review) -> None:
    """Ask to wait for nothing, every time."""
    raise RateLimitedError("slow down", retry_after=0.0)


async def hanging(review: Review) -> None:
    """Never answer."""
    await anyio.sleep_forever()


def blocking(review: Review) -> list[Note]:
    """Find something, in a thread."""
    return [Note(text="The thread found this.", severity=Severity.CONCERN)]


async def mumbling(review: Review) -> str:
    """Say what is no reply."""
    return "Well, I think it is fine."


class Callable_:
    """A reviewer that is an object."""

    async def __call__(self, review: Review) -> list[Note]:
        """Find something."""
        return [Note(text="The object found this.", severity=Severity.CONCERN)]


instance = Callable_()
not_callable = 7
