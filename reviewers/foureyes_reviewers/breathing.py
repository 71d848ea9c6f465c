"""Reading what comes in crumbs without keeping the event loop to oneself.

What a connection has received at once is taken apart without a pause: 64 KB are ten thousand chunks of one byte, and
half a second in which no deadline is kept.
"""

from __future__ import annotations

from anyio.lowlevel import cancel_shielded_checkpoint

__all__ = ["breathe"]

_EVERY = 32
"""Parts that are taken in a row: one or two milliseconds."""


async def breathe(number: int) -> None:
    """Let others run before the part of this number is taken, once in 32.

    Nothing is cancelled here: the generators of the libraries are to end by themselves, and the next part that has not
    come yet is waited for as ever.
    """
    if number % _EVERY == 0:
        await cancel_shielded_checkpoint()
