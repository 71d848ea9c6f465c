"""Print which modules the first review by a model imports: ``model_imports.py BACKEND PROTOCOL``."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import anyio

sys.path.insert(0, str(Path(__file__).parent))

from model_server import running

from foureyes.core.config import ReviewerConfig
from foureyes.scheduler import ReviewScheduler
from foureyes.testing import turn_messages


async def main(url: str, protocol: str) -> None:
    """Review one turn."""
    settings = {"model": "small", "base_url": url, "protocol": protocol, "interval_turns": 1}
    async with ReviewScheduler([ReviewerConfig(name="one", use="model", **settings)]) as scheduler:
        session = await scheduler.session("s", request="Do the work.")
        before = set(sys.modules)
        guidance = await session.boundary([{"role": "user", "content": "Do the work."}, *turn_messages(1)])
        assert guidance.outcomes[0].outcome.completed
        print(json.dumps(sorted(set(sys.modules) - before)))


if __name__ == "__main__":
    with running() as server:
        anyio.run(main, server.url, sys.argv[2], backend=sys.argv[1])
