"""Folding: the words of a text without what never carries meaning.

Removed are case, normal forms, invisible characters, markdown, list and quotation markers, punctuation, emoji and white
space. Kept is what does carry meaning: comparison and negation signs, signs and decimal points of numbers, ``C++`` and
``C#``, per cent and currency, and combining marks, which in Hindi or Thai are half the word.

Every note passes through here, so the usual text takes short ways: ASCII is translated in one go, other scripts are
looked at once for each distinct character, and only the few words that hold a sign meet a regular expression.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from foureyes.core.predicates import PREDICATES

__all__ = ["folded", "normal", "unmarked"]

_KEY_CHARS = 8_000
"""Code points that are looked at when two notes are compared; what the agent reads is cut much earlier."""

_SIGNS = r"\-<>=!+#%$.)\]¢£¥\u20a0-\u20cf±\u2208-\u220d\u2242-\u228b"
_SIGN = re.compile(f"[{_SIGNS}]")
_MEANT = r"(?:(?<![-.!)\]])|(?<=[-.])(?=\.?\d)|(?<=!)(?=[-.\w]))"
_SIGNED = re.compile(rf"[<>=+#%$!.\-]{_MEANT}")
_PROSE = "-.!)]"
_SIGNED_PROSE = re.compile(rf"[-.!]{_MEANT}")
"""Where a sign may mean something: not the full stop, the hyphen and the bracket of prose."""
_START = rf"(?<![^{_SIGNS}])"
_TOKEN = re.compile(
    rf"(?:\+(?=\.?\d)|{_START}(?<![)\]])-(?=\.?\d)|{_START}(?<![)\]!])!(?=\.?\d|[^{_SIGNS}])|)"  # +1, -1, !ready
    rf"(?:{_START}(?<!\.)\.(?=\d)|)[^{_SIGNS}]+(?:\.\d+)*(?:\+\+|\#)?%?"  # .5, a word, 1.5, c++, c#, 50%
    r"|[<>=!]=+|<>|[<>=±\u2208-\u220d\u2242-\u228b]|[$¢£¥\u20a0-\u20cf]"  # comparisons and currency
)
_PUNCTUATION = "".join(chr(point) for point in range(128) if not chr(point).isalnum())
_TO_BLANKS = bytes.maketrans(_PUNCTUATION.encode(), b" " * len(_PUNCTUATION))
_PLAIN = "".join(char for char in _PUNCTUATION if not _SIGN.match(char))
_BUT_SIGNS = bytes.maketrans(_PLAIN.encode(), b" " * len(_PLAIN))

_CONTROL_TOKEN = re.compile(r"<\|[^|<>]{0,40}\|>|</?s>")
_AMOUNT = r"[-+.$¢£¥\u20a0-\u20cf \t]*\d"
"""Before one of these a leading ">" is a comparison ("> 5 rows are lost"), before anything else a quotation."""
_MARKER = rf"(?:[ \t]*(?:>(?!{_AMOUNT}|=)|(?:[-*+•#]+|\(?\d{{1,3}}[.)]|\(?[a-z]\))(?=[ \t])))+"
_LABEL = re.compile(r"(?:\(?\d{1,3}[.)]|\(?[a-z]\))$")
_WORD = re.compile(r"[ \t]*([^\W\d_]+)")
_FIRST_MARKER = re.compile(_MARKER)
_MARKERS = re.compile("^" + _MARKER, re.MULTILINE)
_LEADING_QUOTE = re.compile(rf"(?:>(?: |$))+(?!{_AMOUNT})")

_ODD = re.compile(r"[^\w ]")
_UNSEEN = ("Cf", "Cc", "Cs", "Co", "Me")
_MARK = ("Mn", "Mc")
_FILLERS = "\u115f\u1160\u3164\uffa0"
"""Letters by their category, and yet invisible."""
_SELECTORS = re.compile("[\u034f\u17b4\u17b5\u180b-\u180f\ufe00-\ufe0f\U000e0100-\U000e01ef]")
"""Marks by their category, and yet invisible."""
_SPELT = str.maketrans({"≤": "<=", "≥": ">=", "≠": "!=", "\N{MINUS SIGN}": "-"})
_OTHER_SPELLINGS = frozenset("≤≥≠\N{MINUS SIGN}")
_MANY = 32
_LONG = 512
_MARK_RUN = re.compile(
    "[\u0300-\u036f\u0483-\u0487\u0591-\u05bd\u064b-\u065f\u0900-\u0903\u093a-\u094f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff]{33,}"
)
"""Putting a run of marks in order costs the square of its length; no word of any script needs more than 32."""


def folded(text: str) -> str:
    """Return the words and meaningful signs of the text, separated by single blanks; "" where there are none.

    Folding a folded text changes nothing. Only the first 8,000 code points count, and the fold is no longer.
    """
    text = text[:_KEY_CHARS]
    if text.isascii():
        return _bounded(" ".join(_ascii_words(unmarked(text.lower()))))
    text, kinds = _normal(text)
    return _bounded(" ".join(_words(unmarked(text), kinds)))


def normal(text: str) -> str:
    """Return a text with its punctuation, in lower case and normal form, without what is invisible."""
    text = text[:_KEY_CHARS]
    return text.lower() if text.isascii() else _normal(text)[0]


def unmarked(text: str) -> str:
    """Return a text in lower case without control tokens and the markers of lists and quotations."""
    if "<" in text:
        text = _CONTROL_TOKEN.sub(" ", _untagged(text))
    if "\n" in text:
        return _MARKERS.sub(_kept, text)
    marker = _FIRST_MARKER.match(text)
    return _kept(marker) + text[marker.end() :] if marker else text


def _kept(marker: re.Match[str]) -> str:
    # A label that the sentence is about stays: "(a) is wrong".
    label = _LABEL.search(marker[0])
    following = _WORD.match(marker.string, marker.end()) if label else None
    return f" {label[0]}" if label and following and following[1] in PREDICATES else " "


def _untagged(text: str) -> str:
    # An element that holds the whole text is layout; one inside a text may be what it is about.
    for _ in range(_DEEPEST):
        found = _ELEMENT.match(text) if text.lstrip()[:1] == "<" else None
        inner = text[found.end() :].rstrip() if found else ""
        if (
            found is None
            or not inner.endswith(end := f"</{found[1]}>")
            or inner.count(f"<{found[1]}")
            or inner.count(end) > 1
        ):
            break
        text = inner[: -len(end)]
    return text


_ELEMENT = re.compile(r"\s*<([a-z][a-z0-9]{0,9})(?:\s[^<>]{0,200})?>")
_DEEPEST = 4


def _ascii_words(text: str) -> list[str]:
    raw = text.encode()
    if _SIGNED.search(text) is None:
        return raw.translate(_TO_BLANKS).decode().split()
    return _with_signs(raw.translate(_BUT_SIGNS).decode().split(), "")


def _words(text: str, kinds: dict[str, str]) -> list[str]:
    values = kinds.values()
    signed = "sign" in values or ("prose" in values and _SIGNED_PROSE.search(text) is not None)
    plain = ("gone",) if signed else ("gone", "prose")
    words = _blanked(text, [char for char, kind in kinds.items() if kind in plain]).split()
    if "mark" in values:
        marks = "".join([char for char, kind in kinds.items() if kind == "mark"])
        words = [bare for word in words if (bare := word.lstrip(marks))]
        return _with_signs(words, marks) if signed else words
    return _with_signs(words, "") if signed else words


@lru_cache(maxsize=2_048)
def _kind(char: str) -> str:
    # What becomes of a character that is no letter or digit. Asked once for each, so the usual ones are remembered.
    if char.isspace():
        return "space"
    if _SIGN.match(char):
        return "prose" if char in _PROSE else "sign"
    if char.isascii():
        return "gone"
    category = unicodedata.category(char)
    if category in _UNSEEN or _SELECTORS.match(char):
        return "unseen"
    return "mark" if category in _MARK else "gone"


def _blanked(text: str, gone: list[str]) -> str:
    text = text.replace("_", " ")
    if len(gone) > _MANY:
        return text.translate(dict.fromkeys(map(ord, gone), " "))
    for char in gone:
        text = text.replace(char, " ")
    return text


def _with_signs(words: list[str], marks: str) -> list[str]:
    found: list[str] = []
    for word in words:
        if word.isalnum():
            found.append(word)
        elif word[0] == "%" and found and _TOKEN.fullmatch(found[-1] + "%"):
            found[-1] = _without_orphans(found[-1] + "%", marks)
            found += _TOKEN.findall(_without_orphans(word[1:].lstrip(marks), marks) if marks else word[1:])
        else:
            found += _TOKEN.findall(_without_orphans(word, marks))
    return found


def _without_orphans(word: str, marks: str) -> str:
    # A mark that has no letter before it would stand alone in the fold, and vanish when that is folded again.
    if not marks or not _SIGN.search(word):
        return word
    kept = ""
    for char in word:
        if char not in marks or not (kept == "" or kept[-1].isdigit() or _SIGN.match(kept[-1])):
            kept += char
    return kept


def _normal(text: str) -> tuple[str, dict[str, str]]:
    # Invisible characters go first: a mark may only meet its letter once they are gone. NFKC before casefold puts
    # marks in order and spells "℡" out, NFKC after it joins what casefold took apart. Beside the text: what is no
    # letter, digit or blank in it, and what becomes of it.
    text, kinds = _visible(text)
    first = unicodedata.normalize("NFKC", text)
    lower = first.casefold()
    last = lower if lower == first else unicodedata.normalize("NFKC", lower)
    if first != text or len(last) != len(text):
        kinds = _kinds(last)
    if _OTHER_SPELLINGS.isdisjoint(kinds):
        return last, kinds
    last = last.translate(_SPELT)
    return last, _kinds(last)


def _visible(text: str) -> tuple[str, dict[str, str]]:
    if len(text) > _LONG:
        text = _MARK_RUN.sub(_shortened, text)
    for filler in _FILLERS:
        if filler in text:
            text = text.replace(filler, "")
    kinds = _kinds(text)
    if "unseen" not in kinds.values():
        return text, kinds
    text = text.translate({ord(char): None for char, kind in kinds.items() if kind == "unseen"})
    return text, _kinds(text)


def _kinds(text: str) -> dict[str, str]:
    return {char: _kind(char) for char in set(_ODD.findall(text))}


def _shortened(run: re.Match[str]) -> str:
    return run[0][:32]


def _bounded(fold: str) -> str:
    if fold.startswith(">"):
        fold = _LEADING_QUOTE.sub("", fold, count=1) if _LEADING_QUOTE.match(fold) else fold
    if len(fold) <= _KEY_CHARS:
        return fold
    whole = fold[: _KEY_CHARS + 1].rpartition(" ")[0]  # whole tokens only, or half of one would fold once more
    return whole or fold[:_KEY_CHARS].rstrip(".+")
