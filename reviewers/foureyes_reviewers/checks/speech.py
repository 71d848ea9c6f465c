"""What the agent said: its own words of the newest turns, without what it only pasted."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from foureyes.core.facts import Anchor, Message, Review
from foureyes.core.similarity import digest
from foureyes.core.text import cut_middle
from foureyes.core.words import Trigger

__all__ = ["Said", "newest_said", "own_words", "place_key", "said_since_human", "sentences", "speaks_of"]

_MAX_WORDS = 4_000
"""Characters of one message that are read; a review's evidence has at most 4,000."""
_PASTED = 3_000
"""More than this many characters of running text in one message are somebody else's: a page, a file, a log."""
_FENCED = re.compile(r"```.*?(?:```|\Z)", re.DOTALL)
_QUOTED_LINE = re.compile(r"^[ \t]*>.*$", re.MULTILINE)
_END = re.compile(r"(?<=[.!?\u3002\uff01\uff1f])\s+|\n+")
_LONGEST = 600
"""Characters of one sentence. What goes on for longer is no prose."""


@dataclass(frozen=True, kw_only=True)
class Said:
    """One message of the agent, with everything that the review shows before it."""

    message: Message
    before: Sequence[Message]
    """The shown messages up to it, oldest first."""
    turn: int
    """The turn that it began, counted per session from 1."""
    last: bool
    """It is the newest message of the agent."""
    final: bool
    """It is the answer that the agent would return."""

    @cached_property
    def words(self) -> str:
        """Return its own words (:func:`own_words`)."""
        return own_words(self.message.text)

    @cached_property
    def sentences(self) -> tuple[str, ...]:
        """Return the sentences of its own words."""
        return sentences(self.words)

    @property
    def anchor(self) -> Anchor:
        """Return its place in the run."""
        return Anchor(turn=self.turn)


def own_words(text: str) -> str:
    """Return what the writer of the text says itself: without code blocks and quoted lines; "" for a pasted page."""
    words = cut_middle(text, _MAX_WORDS).replace("\N{RIGHT SINGLE QUOTATION MARK}", "'")
    if "```" in words:
        words = _FENCED.sub("\n", words)
    if ">" in words:
        words = _QUOTED_LINE.sub("", words)
    return "" if len(words) > _PASTED else words.strip()


def sentences(words: str) -> tuple[str, ...]:
    """Return the sentences and lines, in order, without white space around them; overlong ones are left out."""
    found = (sentence.strip() for sentence in _END.split(words))
    return tuple(sentence for sentence in found if 0 < len(sentence) <= _LONGEST)


def speaks_of(words: str, stems: tuple[str, ...]) -> bool:
    """Tell whether any of the lower-case stems is in the words: a quick look before a slow expression is tried."""
    folded = words.casefold()
    return any(stem in folded for stem in stems)


def newest_said(review: Review) -> tuple[Said, ...]:
    """Return what the agent said in the turns that this review covers, oldest first.

    Those are the turns after the previous review of the same reviewer, as far as they are shown. So a remark is not
    made again at every later turn.
    """
    return tuple(_said(review))


def place_key(check: str, said: Said, what: str) -> str:
    """Return the key of a finding about a message: the check, and a digest of who said what, whatever the turn."""
    who_said_what = f"{said.message.name} {what}"
    return f"{check}:{digest('said', who_said_what):016x}"


def _said(review: Review) -> Iterator[Said]:
    spoken = [place for place, message in enumerate(review.messages) if message.role == "assistant"]
    new = spoken[-(review.turn - review.since) :] if review.turn > review.since else []
    return _told(review, spoken, new)


def said_since_human(review: Review) -> tuple[Said, ...]:
    """Return what the agent said after a human last spoke, as far as it is shown, oldest first."""
    spoken = [place for place, message in enumerate(review.messages) if message.role == "assistant"]
    human = max((place for place, message in enumerate(review.messages) if message.by_human), default=-1)
    return tuple(_told(review, spoken, [place for place in spoken if place > human]))


def _told(review: Review, spoken: Sequence[int], places: Sequence[int]) -> Iterator[Said]:
    turns = {place: review.turn - after for after, place in enumerate(reversed(spoken))}
    for place in places:
        last = place == spoken[-1]
        yield Said(
            message=review.messages[place],
            before=review.messages[:place],
            turn=max(1, turns[place]),
            last=last,
            final=last and review.trigger is Trigger.FINISH and review.answer is not None,
        )
