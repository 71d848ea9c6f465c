"""How many reviews run at the same time, all sessions of a scheduler together."""

from __future__ import annotations

from types import TracebackType

import anyio
from anyio.lowlevel import RunVar

__all__ = ["Room"]


class Room:
    """Places for reviews: ``async with room`` waits for one, in the order of coming, and gives it back.

    A review that was given up and does not let go keeps its place, for it still runs. One in a thread gives it back,
    though the thread may run on: a single one that hangs would take the place for ever.

    Accounts have a limit of requests at the same time, which many sessions reach together, each for itself within it:
    https://github.com/can1357/oh-my-pi/issues/5207
    """

    def __init__(self, places: int) -> None:
        """Make room for ``places`` reviews, at least 1, on each event loop."""
        self._places = places
        self._here: RunVar[anyio.Semaphore | None] = RunVar("foureyes_room", None)

    async def __aenter__(self) -> None:
        """Wait for a place."""
        places = self._here.get()
        if places is None:
            places = anyio.Semaphore(self._places)
            self._here.set(places)
        await places.acquire()

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Give the place back."""
        places = self._here.get()
        assert places is not None  # It was made when the place was taken, on this loop.
        places.release()
