"""The progress bar: whom it is shown to, and whom not."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from foureyes.replay.progress import Meter, progress


class Terminal(io.StringIO):
    """A stream that somebody is looking at."""

    def isatty(self) -> bool:
        """Return True: it is a terminal."""
        return True


def shown(stream: io.StringIO, folder: Path, runs: int, *, wanted: bool = True) -> str:
    """Return what is written to standard error while so many runs are worked on."""
    path = folder / "runs.json"
    path.write_bytes(b"x" * 1_000)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("sys.stderr", stream)
        patched.setenv("TERM", "xterm")
        with progress([str(folder)], wanted=wanted) as meter:
            for number in range(1, runs + 1):
                meter.read(1_000 * number // runs)
                meter.done()
    return stream.getvalue()


def test_many_runs_have_a_bar_with_their_number(tmp_path: Path) -> None:
    assert "1,234 runs" in shown(Terminal(), tmp_path, 1_234)


def test_a_few_runs_have_none(tmp_path: Path) -> None:
    assert "runs" not in shown(Terminal(), tmp_path, 19)


@pytest.mark.parametrize(("stream", "wanted"), [(io.StringIO(), True), (Terminal(), False)])
def test_nobody_is_shown_a_bar_who_is_not_looking_or_did_not_want_it(
    stream: io.StringIO, wanted: bool, tmp_path: Path
) -> None:
    assert shown(stream, tmp_path, 100, wanted=wanted) == ""


def test_a_meter_without_a_bar_takes_note_of_nothing() -> None:
    meter = Meter()
    meter.read(10)
    meter.done()
    assert vars(meter) == {}
