"""Texts side by side in columns, and shares as bars; nothing in them depends on colour."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.text import Text

from foureyes.replay.visible import visible

__all__ = ["bar", "columns"]

_GAP = "  "


def columns(rows: Sequence[Sequence[Text | str]], *, right: frozenset[int] = frozenset()) -> Iterator[Text]:
    """Yield one line for each row, with every column as wide as its widest text; no line ends in blanks.

    ``right``: the columns, from 0, whose texts stand at their right edge.
    """
    cells = [[cell if isinstance(cell, Text) else Text(visible(cell)) for cell in row] for row in rows]
    widths = [max(cell.cell_len for cell in column) for column in zip(*cells, strict=True)]
    for row in cells:
        line = Text(_GAP).join(_fitted(cell, widths[at], at in right) for at, cell in enumerate(row))
        line.rstrip()
        yield line


def bar(share: float, width: int, *, full: str = "█") -> str:
    """Return a bar of at most ``width`` characters for a share from 0 to 1; anything above 0 has at least one."""
    return full * max(round(share * width), int(share > 0))


def _fitted(cell: Text, width: int, to_the_right: bool) -> Text:
    blanks = " " * (width - cell.cell_len)
    return Text.assemble(blanks, cell) if to_the_right else Text.assemble(cell, blanks)
