"""Responses that come to an end. Imported with the library of a provider."""

from __future__ import annotations

from collections.abc import AsyncIterator

import httpx2

from foureyes.errors import UnparsedReplyError

__all__ = ["MAX_RESPONSE", "EndlessResponseError", "bound"]

MAX_RESPONSE = 4_000_000
"""Bytes of a response that are read: the longest reply that can be asked for has a tenth of it."""


class EndlessResponseError(UnparsedReplyError):
    """Raised where a response goes on for longer than any reply: it would fill the memory of the host."""

    def __init__(self) -> None:
        super().__init__(f"the response is longer than {MAX_RESPONSE} bytes")


async def bound(response: httpx2.Response) -> None:
    """Make the response end with EndlessResponseError where it is longer than any reply."""
    assert isinstance(response.stream, httpx2.AsyncByteStream)
    response.stream = _Bounded(response.stream)


class _Bounded(httpx2.AsyncByteStream):
    def __init__(self, whole: httpx2.AsyncByteStream) -> None:
        self._whole = whole
        self._size = 0

    async def __aiter__(self) -> AsyncIterator[bytes]:
        try:
            async for part in self._whole:
                self._size += len(part)
                if self._size <= MAX_RESPONSE:
                    yield part
                else:
                    # The stream is to end by itself: trio wants every generator inside it run to its end.
                    await self._whole.aclose()
        except Exception:
            if self._size <= MAX_RESPONSE:
                raise
        if self._size > MAX_RESPONSE:
            raise EndlessResponseError

    async def aclose(self) -> None:
        await self._whole.aclose()
