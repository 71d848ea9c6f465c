# ruff: noqa: RUF001 - signs that look alike are meant
"""Signs that tell two notes of the same words apart: "a + b" and "a * b", "/tmp" and "./tmp", "user_id" and "user.id".

Folding takes signs away, for most of them are layout. What is left to be told by one stands between or inside words: an
operator, an arrow, a tick or a cross, a path, a bracket that stands alone. A dash, a quotation mark, a full stop, the
marker of a list and what sets a text in bold say nothing and are never among them.
"""

from __future__ import annotations

import re
from functools import cache

from foureyes.core.folding import folded, normal, unmarked

__all__ = ["begins_alike", "operators", "signs"]

_CHARS = 8_000
"""As many as folding looks at."""
_PICTURES = "\u2190-\u21ff\u27f0-\u27ff\u2b05-\u2b0d✓✔✗✘✅❌❎☑☒⛔👍👎🔴🟢🟡🟠🔵▲▼"
_BEFORE = r"\s`'\"“”‘’(\[{,"
_MAYBE = re.compile(rf"[{_PICTURES}+*/|&^~\\@_{{}}\[\]]|[()](?=[\s`'\"]|[)])|\w\.[^\W\d]|[{_BEFORE}][,.]|^\.")
"""Without one of these there is nothing to look for, and that is so of most prose."""
_SENTENCE_ENDS = tuple(".!?…:;。！？")


@cache
def _meant() -> re.Pattern[str]:
    start, end = rf"(?:(?<=[{_BEFORE}])|^)", r"(?=[\s`'\"”’,]|[.;:!?)]*(?:\s|$))"
    return re.compile(
        rf"(?P<joins>(?<=\w)(?:->|::|[./\\&|^~@]|\*\*?|\+(?!\+))(?=[^\W_]))"
        rf"|(?P<begins>{start}(?:~?\.{{0,2}}/|[\^~&\\](?!~)|\*\*?|_+|\.(?=\D))(?=[\w.]))"
        rf"|(?P<ends>(?<=\w)(?:\+(?!\+)|\*\*?|/){end}|(?<=\w)(?:\[\]|\{{\}}))"
        rf"|(?P<stands>[{_PICTURES}]|(?<!\w)(?:\[\]|\{{\}}|\(\))"
        rf"|(?<=[\s`'\"])(?:\|\||&&|\*\*?|[+/|&^~\\]|[()\[\]{{}}]){end}|(?<=\s)(?:,|\.\.?){end})"
        rf"|(?P<word>\w+(?:\.\d+)*)"
    )


_TAIL = 32
_RUN = re.compile(r"(?<!\w)(?:\*+|_+|~~)|(?:\*+|_+|~~)(?!\w)")
_LAST_RUN = re.compile(r"\s[*_~]+\W*\Z")


def _plain(text: str) -> str:
    # The text without the signs that set a part of it in bold: those that come in pairs.
    # The first of a pair that blanks follow is taken for a list marker.
    if last := _LAST_RUN.search(text, max(0, len(text) - _TAIL)):
        text = text[: last.start()]
    opened: dict[str, int] = {}
    gone: set[int] = set()
    for run in _RUN.finditer(text):
        if run[0] in opened and not text[run.start() - 1].isspace():
            gone.update((opened.pop(run[0]), run.start()))
        elif not text[run.end() : run.end() + 1].isspace():
            opened[run[0]] = run.start()
    return _RUN.sub(lambda run: "" if run.start() in gone else run[0], text) if gone else text


def signs(text: str, bare: str) -> str:
    """Return the signs of a text as written that carry meaning, each with its words; "" where there are none.

    ``bare`` is the fold without what counts the note: what stands at a word that is not in it belongs to a counter.
    """
    text = text[:_CHARS]
    if _MAYBE.search(text) is None:
        return ""
    return _beside(unmarked(_plain(normal(text))), frozenset(bare.split()))


def _beside(text: str, known: frozenset[str]) -> str:
    found = [*_meant().finditer(text)]
    words = [_words(one[0]) if one.lastgroup == "word" else () for one in found]
    following = [""]
    for some in reversed(words):
        following.append(some[0] if some else following[-1])
    kept, before = [], ""
    for one, some, after in zip(found, words, following[-2::-1], strict=True):
        if some:
            before = some[-1]
        elif _belongs(one, before, after, known):
            kept.append(_told(one, before, after))
    return "\n".join(kept)


def _told(one: re.Match[str], before: str, after: str) -> str:
    sides = {"begins": ("", after), "ends": (before, "")}
    left, right = sides.get(one.lastgroup or "", (before, after))
    return f"{left} {one[0]} {right}"


def _belongs(one: re.Match[str], before: str, after: str, known: frozenset[str]) -> bool:
    if one.lastgroup == "begins":
        return after in known
    if one.lastgroup == "stands" and one.string[: one.start()].rstrip().endswith(_SENTENCE_ENDS):
        return False  # what decorates a sentence
    return before in known and (not after or after in known or one.lastgroup == "ends")


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.replace("_", " ").split() if text.isascii() else folded(text).split())


def operators(text: str, bare: str) -> list[str]:
    """Return the signs of :func:`signs` without their words, for texts that may say the same in other words."""
    return sorted(line.split(" ")[1] for line in signs(text, bare).splitlines())


def begins_alike(text: str, bare: str, earlier: str) -> bool:
    """Tell whether an earlier text has, as far as this one goes, the same signs. ``bare`` is this one's."""
    words, count = earlier.split(), len(text.split())
    own = signs(text.rstrip(_BROKEN_OFF), bare)
    ends = range(max(1, count - _NEARBY), count + _NEARBY + 1)
    return any(signs(" ".join(words[:end]), bare) == own for end in ends)


_BROKEN_OFF = " .\u2026"
_NEARBY = 2
"""Words by which two texts differ that say the same so far: a dash or a mark may stand alone, or not."""
