"""What every test may ask for: both event loops, and the folder of shared cases."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest
from hypothesis import settings

SHARED = Path(__file__).resolve().parents[2] / "shared"
"""The folder of shared cases: beside the checkout, and not part of it."""

settings.register_profile("foureyes", deadline=None, derandomize=bool(os.environ.get("CI")))
settings.load_profile("foureyes")


if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    # A job in the background of a shell without job control ignores interrupts, and so would all that the tests start.
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(params=["asyncio", "trio"])
def anyio_backend(request: pytest.FixtureRequest) -> str:
    """Run every async test on both event loops."""
    return str(request.param)


@pytest.fixture
def shared(request: pytest.FixtureRequest) -> Path:
    """Return the folder of shared cases, for a test that is marked with ``shared``."""
    if request.node.get_closest_marker("shared") is None:
        pytest.fail("a test that reads the shared cases must be marked with pytest.mark.shared")
    return SHARED


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Skip a test marked with ``shared`` where the folder is absent; in CI that is a failure."""
    if item.get_closest_marker("shared") is None or SHARED.is_dir():
        return
    reason = "the folder of shared cases is not beside this checkout (../shared)"
    if os.environ.get("CI"):
        pytest.fail(f"{reason}, and CI must not skip what it is for", pytrace=False)
    pytest.skip(reason)
