"""Writing labelled, wrapped lines to a terminal or a file, so that nothing recorded can disturb either."""

from __future__ import annotations

from collections.abc import Iterable
from textwrap import wrap
from typing import TextIO

from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

from foureyes.replay.visible import visible

__all__ = ["Page", "console"]

_LEAST = 20
"""Columns that a text gets however narrow the terminal is."""


def console(file: TextIO | None = None) -> Console:
    """Return a console that takes text for text: no markup, no emoji codes, no highlighting. None = standard output."""
    return Console(file=file, markup=False, emoji=False, highlight=False)


class Page:
    """Lines with a label on the left and wrapped text beside it; no line ends in blanks."""

    def __init__(self, out: Console, indent: int) -> None:
        self._out, self._indent = out, indent
        """Columns that labels take, the blank after them included."""

    def blank(self) -> None:
        """Write an empty line."""
        self._out.print()

    def heading(self, text: str, *, whole: bool = False) -> None:
        """Write a line from the left edge, wrapped.

        ``whole``: a word that is longer than a line is not broken, so that a path can be copied.
        """
        for line in self._wrapped(Text(visible(text), style="bold"), 0, whole):
            self._write(line)

    def row(self, label: str, text: str, style: str = "", *, depth: int = 0, whole: bool = False) -> None:
        """Write a text beside its label; further lines of it stand under the first, or deeper by ``depth``.

        ``whole`` is as for :meth:`heading`.
        """
        margin = Text(visible(label).ljust(self._indent) + " " * depth, style="bold")
        for line in self._wrapped(Text(visible(text), style=style), self._indent + 2 * depth, whole):
            self._write(Text.assemble(margin, line))
            margin = Text(" " * (self._indent + 2 * depth))

    def quote(self, text: str, depth: int = 2) -> None:
        """Write a text of several lines word for word, behind a bar."""
        mark = "|" if self._out.options.ascii_only else "│"
        bar = f"{' ' * (self._indent + depth)}{mark} "
        for line in self._wrapped(Text(visible(text)), len(bar)):
            self._write(Text.assemble((bar, "dim"), line))

    def _wrapped(self, text: Text, indent: int, whole: bool = False) -> Iterable[Text]:
        width = max(_LEAST, self._out.width - indent)
        if not whole or all(cell_len(word) <= width for word in text.plain.split()):
            return text.wrap(self._out, width, overflow="fold")
        lines = wrap(text.plain, width, break_long_words=False, break_on_hyphens=False)
        return [Text(line, style=text.style) for line in lines]

    def _write(self, line: Text) -> None:
        line.rstrip()
        self._out.print(line, soft_wrap=True)
