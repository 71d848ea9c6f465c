"""The check for an answer from memory where a source was asked for."""

from __future__ import annotations

import re

from foureyes.core.facts import Note, Review
from foureyes.core.words import Severity
from foureyes_reviewers.checks.asked import points_outside
from foureyes_reviewers.checks.grounds import open_said
from foureyes_reviewers.checks.quoting import one_line
from foureyes_reviewers.checks.speech import Said, place_key, speaks_of

__all__ = ["from_memory"]

_KNOWLEDGE = re.compile(
    r"\b(?:based (?:up)?on|from|using|with|relying on|rely on|according to|drawing on|by) (?:\w+ ){0,2}"
    r"(?:background|common|existing|general|historical|internal|known|my(?: own)?|our|pre-?existing|prior|training)"
    r" (?:domain )?(?:knowledge|memory|training data|information available to me)\b"
    r"|\b(?:based (?:up)?on|with) (?:the )?(?:general(?:ly available)?|commonly known|commonly available|typical|known)"
    r" (?:\w+ ){0,2}(?:information|assumptions?|facts?|changelog|data)\b"
    r"|\bto the best of my knowledge\b|\b(?:as far as|if) I (?:know|recall|remember)\b"
    r"|\b(?:recall(?:ing|ed)?|quot(?:e|ing)|answer(?:ing)?|writ(?:e|ing)|cit(?:e|ing)|list(?:ing)?) (?:\w+ ){0,3}"
    r"from memory\b",
    re.IGNORECASE,
)
_NO_REACH = re.compile(
    r"\b(?:cannot|can't|can not|unable to|not able to"
    r"|(?:don't|do not) have (?:the )?(?:ability|access|means) to)"
    r" (?:directly |actually |currently )?(?:access|browse|connect to|fetch|listen|look up|open|query|retrieve|search"
    r"|see|view|visit|watch)\b",
    re.IGNORECASE,
)
_STILL = re.compile(
    r"\b(?:here (?:is|are)|i will (?:provide|assume|give|use|rely)|i'll (?:provide|assume|give|use|rely)|therefore"
    r"|thus|the answer is|i can (?:provide|infer|give)|based on|it is (?:likely|known|safe))\b",
    re.IGNORECASE,
)
_NOT = re.compile(r"\b(?:not|n't|cannot|rather than|instead of|please|verify|check|if you)\b|\?$", re.IGNORECASE)


_STEMS = ("knowledge", "memory", "recall", "training", "known", "generally", "commonly", "typical")
_STEMS_OF_REACH = (
    "cannot",
    "can't",
    "can not",
    "unable to",
    "not able to",
    "have the",
    "have access",
    "ability",
    "means to",
)


def from_memory(review: Review) -> tuple[Note, ...]:
    """Return a note for each message that answers from the agent's own knowledge, by its own words.

    The severity is concern. The key is ``from-memory:<digest of the speaker and the sentence>``.

    Good: "I cannot access the internet, so based on the known changelog the answer is BaseBagging."; "The rate is
    $0.10, based on general knowledge." Bad: "We should not answer from general knowledge"; "I cannot open the page;
    please send me its text."; a request that does not point to any source, where knowledge is what is asked for.
    """
    if not points_outside(review):
        return ()
    return tuple(note for said in open_said(review) if (note := _judged(said)) is not None)


def _judged(said: Said) -> Note | None:
    knows, reaches = speaks_of(said.words, _STEMS), speaks_of(said.words, _STEMS_OF_REACH)
    for sentence in said.sentences if knows or reaches else ():
        plain = _NO_REACH.sub(" ", sentence) if reaches else sentence
        if knows and _KNOWLEDGE.search(sentence) and not _NOT.search(plain):
            return _note(said, sentence)
        if plain != sentence and _STILL.search(plain) and not sentence.endswith("?"):
            return _note(said, sentence)
    return None


def _note(said: Said, sentence: str) -> Note:
    return Note(
        text=(
            f'The agent answers from memory: "{one_line(sentence)}" Nothing in the run supports it. '
            "Look it up with a tool, or say in the answer that it is from memory and may be wrong."
        ),
        severity=Severity.CONCERN,
        key=place_key("from-memory", said, sentence),
        anchor=said.anchor,
    )
