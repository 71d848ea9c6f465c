"""The public interface, as a strict type checker and as Python see it."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

import anyio
import mypy.api
import pytest

from foureyes import MemoryStore, Verdict

HERE = Path(__file__).parent


def checked(page: str) -> str:
    """Return what mypy has to say of a page."""
    said, errors, _ = mypy.api.run(["--strict", "--warn-unused-ignores", "--no-error-summary", str(HERE / page)])
    return said + errors


def imported(page: str) -> ModuleType:
    """Return the page as a module."""
    spec = importlib.util.spec_from_file_location(page.removesuffix(".py"), HERE / page)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("page", ["api.py", "misuse.py"])
def test_mypy_accepts_what_is_right_and_refuses_what_is_wrong(page: str) -> None:
    assert checked(page) == ""


def test_the_page_of_user_code_runs_as_it_stands(capsys: pytest.CaptureFixture[str]) -> None:
    page = imported("api.py")
    assert anyio.run(page.main, MemoryStore(), [page.Printing()]) is Verdict.APPROVED
    assert "finish_settled conversation-7" in capsys.readouterr().out
    assert [guidance.turn for guidance in anyio.run(page.tested)] == [1, 2, 3, 4]
