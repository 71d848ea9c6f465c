"""One file for each format of recorded runs. A new one is a file with an :class:`Importer`, and a line here."""

from __future__ import annotations

from foureyes.replay.importers.anthropic import ANTHROPIC
from foureyes.replay.importers.atif import ATIF
from foureyes.replay.importers.base import Importer, Run
from foureyes.replay.importers.claude_code import CLAUDE_CODE
from foureyes.replay.importers.codex import CODEX
from foureyes.replay.importers.openai_chat import OPENAI_CHAT
from foureyes.replay.importers.opentelemetry import OPENTELEMETRY
from foureyes.replay.importers.tau_bench import TAU_BENCH
from foureyes.replay.importers.who_and_when import WHO_AND_WHEN

__all__ = ["IMPORTERS", "Importer", "Run", "accepted", "known"]

IMPORTERS: tuple[Importer, ...] = (
    WHO_AND_WHEN,
    TAU_BENCH,
    ATIF,
    CLAUDE_CODE,
    CODEX,
    OPENTELEMETRY,
    ANTHROPIC,
    OPENAI_CHAT,
)
"""All formats, in the order in which they are asked whether a value is theirs: what is most particular first."""


def accepted() -> str:
    """Return what files may look like, in all formats, for those who want to read a whole page of it."""
    return "; or ".join(f"{importer.format}: {importer.shapes}" for importer in IMPORTERS)


def known() -> str:
    """Return the names of all formats, as one phrase for messages."""
    return ", ".join(importer.format for importer in IMPORTERS)
