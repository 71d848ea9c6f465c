"""Responses that come to an end. Imported with the library of a provider."""

from __future__ import annotations

from collections.abc import AsyncIterator

import httpx2

from foureyes.errors import UnparsedReplyError
from foureyes_reviewers.breathing import breathe

__all__ = ["MAX_RESPONSE", "UnreadResponseError", "bound"]

MAX_RESPONSE = 4_000_000
"""Bytes of a response that are read: the longest reply that can be asked for has a tenth of it."""


class UnreadResponseError(UnparsedReplyError):
    """Raised where a response is longer than any reply, or packed: it would fill the memory of the host."""


async def bound(response: httpx2.Response) -> None:
    """Make the response end with UnreadResponseError where it is longer than any reply.

    Raises the same where it is packed, for a few bytes unpack to any number. Of an error that is packed the body is
    passed over, and one that is too long is cut: its status says what happened.
    """
    assert isinstance(response.stream, httpx2.AsyncByteStream)
    if not _is_packed(response):
        response.stream = _Bounded(response.stream, complains=response.is_success)
    elif response.is_success:
        raise UnreadResponseError("the response is packed, although that was not asked for")
    else:
        response.stream = _Dropped(response.stream)
        del response.headers["Content-Encoding"]


def _is_packed(response: httpx2.Response) -> bool:
    told = response.headers.get("Content-Encoding", "").casefold().split(",")
    return any(encoding.strip() not in ("", "identity") for encoding in told)


class _Dropped(httpx2.AsyncByteStream):
    def __init__(self, whole: httpx2.AsyncByteStream) -> None:
        self._whole = whole

    async def __aiter__(self) -> AsyncIterator[bytes]:
        return
        yield b""

    async def aclose(self) -> None:
        await self._whole.aclose()


class _Bounded(httpx2.AsyncByteStream):
    def __init__(self, whole: httpx2.AsyncByteStream, *, complains: bool) -> None:
        self._whole, self._complains = whole, complains
        self._size = self._parts = 0

    async def __aiter__(self) -> AsyncIterator[bytes]:
        try:
            async for part in self._whole:
                self._size, self._parts = self._size + len(part), self._parts + 1
                await breathe(self._parts)
                if self._size <= MAX_RESPONSE:
                    yield part
                else:
                    # The stream is to end by itself: trio wants every generator inside it run to its end.
                    await self._whole.aclose()
        except Exception:
            if self._size <= MAX_RESPONSE:
                raise
        if self._size > MAX_RESPONSE and self._complains:
            raise UnreadResponseError(f"the response is longer than {MAX_RESPONSE} bytes")

    async def aclose(self) -> None:
        await self._whole.aclose()
