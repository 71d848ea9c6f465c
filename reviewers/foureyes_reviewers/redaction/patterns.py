"""Forms by which a secret is known without knowing the secret."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from foureyes_reviewers.redaction.lines import BREAK
from foureyes_reviewers.redaction.looks import Look
from foureyes_reviewers.redaction.needles import is_ordinary
from foureyes_reviewers.redaction.spans import MARK, Span

__all__ = ["EDGE", "Pattern"]

EDGE = (
    r"(?:(?<![A-Za-z0-9])|(?<=\\[nrtbfv0])|(?<=\\u[0-9A-Fa-f]{4})|(?<=\\x[0-9A-Fa-f]{2})|(?<=%[0-9A-Fa-f]{2})"
    r"|(?<=[\[;\d]m))"
)
"""Where a word begins: also behind an escape of one character, and behind a colour of a terminal."""
_WRAPPED_FROM = 60
"""Characters of a line that may have been broken because it was too long."""
_LONGEST_REST = 4_000
"""Characters that are looked for in the lines below."""
_REST = re.compile(r"[\w+/=.~-]{1,400}(?=[\"'\s,;)\\]|\Z)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Pattern:
    """One form of secrets.

    The form is tried only where one of the starts stands, so that a text without any costs next to nothing.
    """

    kind: str
    """What the marker calls it: ``[redacted: <kind>]``."""
    starts: tuple[str, ...]
    """What every match begins with, one of these; in lower case where the form takes either. None given: the form is
    tried everywhere, so it should begin with a character that is rare."""
    form: re.Pattern[str]
    """What is replaced: its group ``secret`` or ``bare`` where it has one, else the whole match. To take linear time,
    what it repeats has a bound, or cannot begin within another match."""
    accept: Callable[[re.Match[str]], bool] | None = None
    """Whether a match is a secret; None: each is."""
    needs: str = ""
    """What a text with a match has in it somewhere, in lower case; empty: nothing else."""
    back: tuple[int, ...] = (0,)
    """How many characters before the start a match may begin."""
    rest: re.Pattern[str] | None = None
    """How a match goes on once it is taken for a secret; None: it does not. So little is read in vain."""
    wraps: bool = False
    """Whether it is one word of 16 characters or more, which goes on in the next line where a line was too long."""

    def spans(self, look: Look) -> Iterator[Span]:
        """Yield the secrets of this form in the text; none that is marked."""
        if self.needs not in look.low:
            return
        if not self.starts:
            yield from filter(None, map(self._span, self.form.finditer(look.text)))
        for start in self.starts:
            if not self.wraps or start in look.words:
                yield from self._from(start, look)

    def _from(self, start: str, look: Look) -> Iterator[Span]:
        searched = look.low if self.form.flags & re.IGNORECASE else look.text
        place = searched.find(start)
        while place >= 0:
            span = self._at(look.text, place)
            if span:
                yield span
            place = searched.find(start, max(place + 1, span.end if span else 0))

    def _at(self, text: str, place: int) -> Span | None:
        for back in self.back:
            found = self.form.match(text, place - back) if place >= back else None
            if found:
                return self._span(found)
        return None

    def _span(self, found: re.Match[str]) -> Span | None:
        start, end = found.span(_secret(found))
        if found.string.startswith(MARK, start) or (self.accept is not None and not self.accept(found)):
            return None
        return Span(start, self._end(found.string, end), self.kind)

    def _end(self, text: str, end: int) -> int:
        more = self.rest.match(text, end) if self.rest else None
        end = more.end() if more else end
        return _end_of_wrapped(text, end) if self.wraps else end


def _secret(found: re.Match[str]) -> str | int:
    groups = ("secret", "bare")
    return next((group for group in groups if group in found.re.groupindex and found[group] is not None), 0)


def _end_of_wrapped(text: str, end: int) -> int:
    last = end + _LONGEST_REST
    while end < last and text.find("\n", max(0, end - _WRAPPED_FROM), end) < 0 and end >= _WRAPPED_FROM:
        gap = BREAK.match(text, end)
        rest = _REST.match(text, gap.end()) if gap else None
        if rest is None or is_ordinary(rest[0]):
            break
        end = rest.end()
    return end
