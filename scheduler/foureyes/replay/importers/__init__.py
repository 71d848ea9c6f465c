"""One file for each format of recorded runs. A new one is a file with an :class:`Importer`, and a line here."""

from __future__ import annotations

from foureyes.replay.importers.base import Importer
from foureyes.replay.importers.openai_chat import OPENAI_CHAT

__all__ = ["IMPORTERS", "Importer", "accepted"]

IMPORTERS: tuple[Importer, ...] = (OPENAI_CHAT,)
"""All formats, in the order in which they are asked whether a file is theirs."""


def accepted() -> str:
    """Return what files may look like, in all formats, as one phrase for messages."""
    return "; or ".join(f"{importer.format}: {importer.shapes}" for importer in IMPORTERS)
