"""One finding after its lines have moved.

An edit above a defect moves it by a few lines, and its reviewer raises it again in the same words with another number.
Whoever reads the file at one of two such lines has the other before them, so the two are one finding. That holds for a
named source file only, for text that says enough beside the line, and not for lines further apart: those may well be
two places with the same fault.
"""

from __future__ import annotations

from foureyes.core.wordlists import words_of

__all__ = ["moved"]

_SUFFIXES = words_of(
    """py pyi js jsx mjs ts tsx vue go rs java kt kts scala swift c h cc cpp hpp cs rb php pl lua r jl ex exs erl hs ml
    clj dart sh bash ps1 sql html css scss tf ipynb"""
)
_LINES = words_of("line l ln zeile ligne línea linea linha regel строка строке")
_AT = words_of("at on in an à auf en na в near around")
_OF = words_of("of in von de du del do в")
_FAR = 10
"""Words between a line and the file that it is a line of, at most."""
_LEAST = 24
"""Characters of the whole fold: with less beside the line, two places are hard to tell from one."""
_NEAR = 5
"""Lines. Two that are no further apart are one place, two at twice this distance never are."""


def moved(fold: str, text: str = "") -> tuple[str, ...]:
    """Return two texts, one of which a fold shares with the same finding up to five lines away; or none.

    Lines six to nine apart may share one, lines ten apart or more never do. There is nothing to return for a text
    that names no line of a source file, more than one, or says hardly anything else. The text as written is needed
    to tell "users.py:3 fails" from "users.py: 3 tests fail"; without it only a line that is called one counts.
    """
    words = fold.split()
    if len(fold) < _LEAST or _SUFFIXES.isdisjoint(words):
        return ()
    plain = text.casefold()
    places = [place for place in range(len(words)) if _is_line(words, place, plain)]
    if len(places) != 1:
        return ()
    line = int(words[places[0]])
    shelves = f"#a{line // (2 * _NEAR)}", f"#b{(line + _NEAR) // (2 * _NEAR)}"
    return tuple(" ".join([*words[: places[0]], shelf, *words[places[0] + 1 :]]) for shelf in shelves)


def _is_line(words: list[str], place: int, text: str) -> bool:
    word = words[place]
    if not (word.isascii() and word.isdigit()) or len(word) > _DIGITS or place == 0:
        return False
    before = place - 1
    named = words[before] in _LINES
    before -= named
    before -= before >= 0 and words[before] in _AT
    if before > 0 and words[before] in _SUFFIXES:
        return named or f"{words[before]}:{word}" in text
    following = words[place + 1 : place + 2 + _FAR]
    return named and bool(following) and following[0] in _OF and not _SUFFIXES.isdisjoint(following)


_DIGITS = 6
