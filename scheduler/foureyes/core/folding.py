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

__all__ = ["folded"]

_KEY_CHARS = 8_000
"""Code points that are looked at when two notes are compared; what the agent reads is cut much earlier."""

_SIGNS = r"\-<>=!+#%$.)\]¢£¥\u20a0-\u20cf±\u2208-\u220d\u2242-\u228b"
_SIGN = re.compile(f"[{_SIGNS}]")
_SIGNED = re.compile(r"[<>=+#%$!.\-](?:(?<=[<>=+#%$])|(?<=[-.])(?=\.?\d)|(?<=!)(?=[-a-z0-9.]))")
"""Where an ASCII text may hold a sign that means something."""
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
_FIRST_MARKER = re.compile(_MARKER)
_MARKERS = re.compile("^" + _MARKER, re.MULTILINE)
_LEADING_QUOTE = re.compile(rf"(?:>(?: |$))+(?!{_AMOUNT})")

_UNSEEN = ("Cf", "Cc", "Cs", "Co", "Me")
_HIDDEN = re.compile(
    "[\u034f\u0488\u0489\u115f\u1160\u17b4\u17b5\u180b-\u180f\u1abe\u20dd-\u20e0\u20e2-\u20e4\u3164\ua670-\ua672\uffa0"
    "\ufe00-\ufe0f\U000e0100-\U000e01ef]+"  # fillers, selectors, enclosing marks: Python calls these printable
)
_SPELT = str.maketrans({"≤": "<=", "≥": ">=", "≠": "!=", "\N{MINUS SIGN}": "-"})
_OTHER_SPELLING = re.compile("[≤≥≠\N{MINUS SIGN}]")
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
    text = text.lower() if text.isascii() else _normal(text)
    if "<" in text:
        text = _CONTROL_TOKEN.sub(" ", text)
    if "\n" in text:
        text = _MARKERS.sub(" ", text)
    elif marker := _FIRST_MARKER.match(text):
        text = text[marker.end() :]
    return _bounded(" ".join(_ascii_words(text) if text.isascii() else _words(text)))


def _ascii_words(text: str) -> list[str]:
    raw = text.encode()
    if _SIGNED.search(text) is None:
        return raw.translate(_TO_BLANKS).decode().split()
    return _with_signs(raw.translate(_BUT_SIGNS).decode().split(), "")


def _words(text: str) -> list[str]:
    marks, signed, gone = "", False, []
    for char in set(text):
        if char.isalnum() or char.isspace():
            continue
        if _SIGN.match(char):
            signed = True
        elif unicodedata.category(char) in ("Mn", "Mc"):
            marks += char
        else:
            gone.append(char)
    words = _blanked(text, gone).split()
    if marks:
        words = [bare for word in words if (bare := word.lstrip(marks))]
    return _with_signs(words, marks) if signed else words


def _blanked(text: str, gone: list[str]) -> str:
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
            found[-1] += "%"
            found += _TOKEN.findall(_without_orphans(word[1:].lstrip(marks), marks) if marks else word[1:])
        else:
            found += _TOKEN.findall(_without_orphans(word, marks))
    return found


def _without_orphans(word: str, marks: str) -> str:
    # A mark without a letter before it would stand alone in the fold, and vanish when that is folded again.
    if not marks or not _SIGN.search(word):
        return word
    kept = ""
    for char in word:
        if char not in marks or (kept and not _SIGN.match(kept[-1])):
            kept += char
    return kept


def _normal(text: str) -> str:
    # Invisible characters go first: a mark may only meet its letter once they are gone. NFKC before casefold puts
    # marks in order and spells "℡" out, NFKC after it joins what casefold took apart.
    if len(text) > _LONG:
        text = _MARK_RUN.sub(_shortened, text)
    if not text.isprintable() or _HIDDEN.search(text):
        text = _visible(text)
    text = _composed(_composed(text).casefold())
    return text.translate(_SPELT) if _OTHER_SPELLING.search(text) else text


def _composed(text: str) -> str:
    return text if unicodedata.is_normalized("NFKC", text) else unicodedata.normalize("NFKC", text)


def _visible(text: str) -> str:
    text = _HIDDEN.sub("", text)
    unseen = [char for char in set(text) if not char.isascii() and unicodedata.category(char) in _UNSEEN]
    return text.translate(dict.fromkeys(map(ord, unseen))) if unseen else text


def _shortened(run: re.Match[str]) -> str:
    return run[0][:32]


def _bounded(fold: str) -> str:
    if fold.startswith(">"):
        fold = _LEADING_QUOTE.sub("", fold, count=1) if _LEADING_QUOTE.match(fold) else fold
    if len(fold) <= _KEY_CHARS:
        return fold
    whole = fold[: _KEY_CHARS + 1].rpartition(" ")[0]  # whole tokens only, or half of one would fold once more
    return whole or fold[:_KEY_CHARS].rstrip(".+")
