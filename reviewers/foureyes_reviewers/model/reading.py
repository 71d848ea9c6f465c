"""What the model answered: notes where there are notes, silence only where it says so, and else the truth.

Nothing is concluded from words such as "approved": a reply is JSON with a list of notes, or it is no reply.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NoReturn

from foureyes.core.facts import NO_USAGE, Reply, Usage
from foureyes.errors import ContextOverflowError, RefusedError, TransientReviewerError, UnparsedReplyError
from foureyes.replies import MAX_ENTRIES, read_reply
from foureyes_reviewers.foreign import JSONValue
from foureyes_reviewers.model.claims import honest, without_calls, without_control
from foureyes_reviewers.model.documents import Documents, documents
from foureyes_reviewers.model.endings import Ending
from foureyes_reviewers.model.relaxed import value_at
from foureyes_reviewers.model.silence import is_silent, is_small_talk
from foureyes_reviewers.model.thinking import without_thinking

__all__ = ["read"]

_LOOKED_AT = 100_000
"""Characters of an answer that are looked at: the default of 1,024 tokens is some 5,000, and all are read at once."""

_CALLED = "the model called a tool, and has none"


def read(text: str | None, usage: Usage | None, finish_reason: str | None) -> Reply:
    """Return the reply in the text of an answer.

    Thinking blocks, fences, and a byte order mark do not matter. Nor do prose around notes and unknown fields beside
    them; beside an empty list they do, for who has nothing to say says nothing else. Entries that are no notes are
    counted as malformed, and so is, once, whatever was cut off behind whole notes. An empty
    text is silence where tokens were used and the model stopped by itself; ``text`` is None where there was no message,
    which is never silence. ``usage`` and ``finish_reason`` are the provider's, None where it gives none.

    Raises UnparsedReplyError where no reply can be found, or two that differ; RefusedError where the provider
    declined; ContextOverflowError where the model's window was full before anything was said; and
    TransientReviewerError where nothing came back and nothing was used. None of them quotes the answer.
    """
    ending = Ending.of(finish_reason)
    if ending is Ending.REFUSED:
        raise RefusedError("the provider or its model declined to answer")
    said = _said(text)
    if not said.text:
        return _silence(said, ending, usage or NO_USAGE)
    reply = _reply(said, ending)
    return replace(reply, notes=tuple(honest(note) for note in reply.notes), usage=usage or NO_USAGE)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Said:
    text: str
    """Without thinking, and without calls to tools that do not exist."""
    found: Documents
    cut: bool = False
    """It ends inside a thinking block, or is longer than anybody looks at."""
    called: bool = False
    """A tool call is among it."""
    missing: bool = False
    """There was no message, or none of a known shape."""


_NO_MESSAGE = _Said(text="", found=documents(""), missing=True)


def _said(text: str | None) -> _Said:
    if text is None:
        return _NO_MESSAGE
    text = text.strip("\ufeff \t\r\n")
    longer, text = len(text) > _LOOKED_AT, text[:_LOOKED_AT]
    whole = value_at(text, 0) if text[:1] in ("{", "[") and not longer else None
    if whole and whole[1] == len(text):
        # Tags inside the strings of a whole document are what it talks about.
        return _Said(text=text, found=Documents(values=(whole[0],), around="", broken=False))
    spoken, cut = without_thinking(text)
    plain = without_calls(spoken)
    called = plain != without_control(spoken)
    return _Said(text=plain, found=documents(plain), cut=cut or longer, called=called)


def _silence(said: _Said, ending: Ending, usage: Usage) -> Reply:
    if said.cut or ending is Ending.CUT:
        raise UnparsedReplyError("the answer was cut off before it began; raise max_output_tokens")
    if said.called or ending is Ending.CALLED:
        raise UnparsedReplyError(_CALLED)
    if ending is Ending.FULL:
        raise ContextOverflowError("the model's window was full before it said anything")
    if ending is Ending.UNKNOWN or not usage.output_tokens:
        raise TransientReviewerError("the provider answered with nothing")
    if said.missing:
        raise UnparsedReplyError("the response holds no message, or none of a known shape: check 'protocol'")
    return Reply(usage=usage)


def _reply(said: _Said, ending: Ending) -> Reply:
    verdict, strays = _verdict(said), _strays(said.found.values)
    entries: Sequence[JSONValue] = strays if verdict is None else verdict["notes"]
    extra = 0 if verdict is None else len({_spelt(one) for one in strays} - {_spelt(one) for one in entries})
    if not entries and (verdict is None or said.found.broken or not _is_alone(verdict, said, ending)):
        _fail(said, ending)
    cut = said.cut or ending in (Ending.CUT, Ending.FULL)
    lost = extra + (said.found.broken or (cut and verdict is None))
    reply = read_reply({"notes": entries, "resolved": verdict and verdict.get("resolved")})
    assert reply is not None  # A mapping with a list of notes always is one.
    return replace(reply, malformed=min(reply.malformed + lost, MAX_ENTRIES))


def _verdict(said: _Said) -> dict[str, JSONValue] | None:
    found = [_as_verdict(value) for value in said.found.values]
    different = {_spelt(one): one for one in found if one is not None}
    if len(different) > 1:
        raise UnparsedReplyError("the answer holds two replies that differ")
    if not different and said.text == "[]":
        return {"notes": []}
    return next(iter(different.values()), None)


def _is_alone(verdict: dict[str, JSONValue], said: _Said, ending: Ending) -> bool:
    # Silence is believed only where nothing else is said.
    if said.cut or said.called or ending is Ending.CALLED or not is_silent(verdict):
        return False
    if said.text == "[]":
        return True
    return is_small_talk(said.found.around) and all(_spelt(value) == _spelt(verdict) for value in said.found.values)


def _as_verdict(value: JSONValue) -> dict[str, JSONValue] | None:
    if isinstance(value, dict):
        return value if isinstance(value.get("notes"), list) else None
    return {"notes": value} if value and all(_is_note(entry) for entry in value) else None


def _spelt(value: JSONValue) -> str:
    return json.dumps(value, sort_keys=True)


def _strays(values: Sequence[JSONValue]) -> list[JSONValue]:
    return [value for value in values if _is_note(value)]


def _is_note(value: JSONValue) -> bool:
    # An object without a severity may be anything: an example, a row, a tool's arguments.
    return isinstance(value, dict) and "severity" in value and bool({"text", "note"} & value.keys())


def _fail(said: _Said, ending: Ending) -> NoReturn:
    if ending is Ending.FULL:
        raise ContextOverflowError("the model's window was full before its first whole note")
    if said.cut or ending is Ending.CUT:
        raise UnparsedReplyError("the answer was cut off before its first whole note; raise max_output_tokens")
    if said.called or ending is Ending.CALLED:
        raise UnparsedReplyError(_CALLED)
    if _verdict(said) is not None and not said.found.broken:
        raise UnparsedReplyError("the answer has an empty list of notes, and says something else beside it")
    what = "JSON without a list of notes" if said.found.values or said.found.broken else "prose"
    raise UnparsedReplyError(f"the answer is {what} ({len(said.text)} characters)")
