"""What the request asks for, as far as its words tell."""

from __future__ import annotations

import re
from collections.abc import Iterator

from foureyes.core.facts import Review

__all__ = ["asks_how", "human_words", "instructions", "points_outside", "source_named"]

_KINDS = (
    "article|blog|book|census|changelog|database|dataset|document|file|image|paper|page|pdf|photo(?:graph)?|picture"
    "|podcast|recording|report|script|site|spreadsheet|video|web ?site"
)
_SOURCE = re.compile(
    rf"\b(?:in|on|from|per|of|using|to) (?:the|this|that|an?|her|his|their|its|your|my) (?:[\w'-]+ ){{0,4}}"
    rf"(?:{_KINDS})s?\b"
    r"|\baccording to (?:the |an? |their |its )?\w+|\bas listed on\b|\bwikipedia\b|\byoutube\b|https?://\S+|\bwww\.\S+"
    r"|\bas of (?:the )?(?:end|start|beginning|january|february|march|april|may|june|july|august|september|october"
    r"|november|december|\d{4})\b|\bofficial (?:\w+ ){0,2}(?:page|records?|reports?|script|site|sources?|statistics"
    r"|website)\b|\b(?:attached|up-to-date)\b",
    re.IGNORECASE,
)
_OUTSIDE = re.compile(
    r"\b(?:audio|current(?:ly)?|image|latest|look(?:ed)? up|online|recent(?:ly)?|search(?:es)?|sources?|today|web)\b",
    re.IGNORECASE,
)
_GIVEN = re.compile(
    r"```|\b(?:the following|below|here is|here's|pasted)\b[^.\n]{0,40}\b(?:code|document|text|article|passage|poem"
    r"|letter|e-?mail|essay|draft|log|output|paragraph|transcript)\b",
    re.IGNORECASE,
)
_NO_TEXT = re.compile(
    r"audio|image|pdf|photo|picture|podcast|recording|spreadsheet|video|web ?site|wikipedia|youtube|http|www",
    re.IGNORECASE,
)
_CREATES = re.compile(
    r"^\W*(?:please |can you |could you |would you |hi,? |hello,? ){0,2}(?:build|compose|create|design|draft|explain"
    r"|fix|generate|implement|make|proofread|refactor|rewrite|suggest|summari[sz]e|translate|write)\b",
    re.IGNORECASE,
)
_HOW = re.compile(
    r"\bhow (?:do|can|could|should|would|to|does)\b"
    r"|\b(?:instructions?|guide|tutorial|steps|explain|walk me|recipe|teach)\b",
    re.IGNORECASE,
)


def human_words(review: Review) -> Iterator[str]:
    """Yield what humans said: the request, and the shown messages of theirs."""
    yield review.request
    yield from (message.text for message in review.messages if message.by_human)


def instructions(review: Review) -> Iterator[str]:
    """Yield all that the agent has to follow: the words of humans, and of the system as far as shown."""
    yield from human_words(review)
    yield from (message.text for message in review.messages if message.role in ("system", "developer"))


def source_named(review: Review) -> str | None:
    """Return the words with which the request points to a source that has to be looked at, or None.

    Good: "according to the census", "in the attached file", "as of May 2023". Bad: "Write a text for my website"; a
    request that brings a text along, unless it points to what no text can hold (a video, a website).
    """
    if _CREATES.search(review.request):
        return None
    found = (match[0] for match in _SOURCE.finditer(review.request))
    given = _GIVEN.search(review.request) is not None
    return next((words for words in found if not given or _NO_TEXT.search(words)), None)


def points_outside(review: Review) -> bool:
    """Tell whether the request asks, in a wider sense, for what nobody can know without a look: recent, online, ..."""
    if source_named(review) is not None:
        return True
    given = _CREATES.search(review.request) or _GIVEN.search(review.request)
    return given is None and _OUTSIDE.search(review.request) is not None


def asks_how(review: Review) -> bool:
    """Tell whether a human asks for instructions, which are for somebody else to carry out."""
    return any(_HOW.search(words) for words in human_words(review))
