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
from foureyes_reviewers.model.claims import honest, without_calls, without_control
from foureyes_reviewers.model.documents import Documents, documents
from foureyes_reviewers.model.endings import Ending
from foureyes_reviewers.model.relaxed import JSONValue, value_at
from foureyes_reviewers.model.thinking import without_thinking

__all__ = ["read"]

_LOOKED_AT = 100_000
"""Characters of an answer that are looked at, thinking not counted. The default of 1,024 tokens is some 5,000."""


def read(text: str, usage: Usage | None, finish_reason: str | None) -> Reply:
    """Return the reply in the text of an answer.

    Thinking blocks, fences, prose around, and a byte order mark do not matter. Unknown fields are ignored, entries
    that are no notes are counted as malformed, and so is, once, whatever was cut off behind whole notes. An empty
    text is silence where tokens were used and the model stopped by itself. ``usage`` and ``finish_reason`` are the
    provider's, None where it gives none.

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
    """It was a tool call and nothing else."""


def _said(text: str) -> _Said:
    text = text.strip("\ufeff \t\r\n")
    whole = value_at(text, 0) if text[:1] in ("{", "[") and len(text) <= _LOOKED_AT else None
    if whole and whole[1] == len(text):
        # Tags inside the strings of a whole document are what it talks about.
        return _Said(text=text, found=Documents(values=(whole[0],), broken=False))
    spoken, cut = without_thinking(text)
    plain = without_calls(spoken)
    called = not plain and bool(without_control(spoken))
    return _Said(
        text=plain,
        found=documents(plain[:_LOOKED_AT]),
        cut=cut or len(plain) > _LOOKED_AT,
        called=called,
    )


def _silence(said: _Said, ending: Ending, usage: Usage) -> Reply:
    if said.cut or ending is Ending.CUT:
        raise UnparsedReplyError("the answer was cut off before it began; raise max_output_tokens")
    if said.called or ending is Ending.CALLED:
        raise UnparsedReplyError("the model called a tool, and has none")
    if ending is Ending.FULL:
        raise ContextOverflowError("the model's window was full before it said anything")
    if ending is Ending.UNKNOWN or not usage.output_tokens:
        raise TransientReviewerError("the provider answered with nothing")
    return Reply(usage=usage)


def _reply(said: _Said, ending: Ending) -> Reply:
    verdict, strays = _verdict(said), _strays(said.found.values)
    entries: Sequence[JSONValue] = strays if verdict is None else verdict["notes"]
    extra = 0 if verdict is None else len({_spelt(one) for one in strays} - {_spelt(one) for one in entries})
    if not entries and (verdict is None or said.found.broken or extra):
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
    what = "JSON without a list of notes" if said.found.values or said.found.broken else "prose"
    raise UnparsedReplyError(f"the answer is {what} ({len(said.text)} characters)")
