"""Failed runs of several agents, with who made the decisive error and when (the data set Who&When)."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence

from foureyes.core.facts import Message, ToolCall
from foureyes.replay.beside import Beside
from foureyes.replay.decoding import Entry
from foureyes.replay.importers.base import Importer, Run, mapping, never, number, string, wrong
from foureyes.replay.importers.conversation import read_log

__all__ = ["WHO_AND_WHEN"]

_STATUS = re.compile(r"exitcode: (-?\d{1,10})\b|.{0,200}?POSIX exit code: (-?\d{1,10})\)", re.DOTALL)
"""How the two frameworks behind the runs report on code that they executed; nothing else tells a failure."""
_FENCED = re.compile(r"```\w*\n(.*?)```", re.DOTALL)
_END = "TERMINATE"
"""What an agent says to end the conversation: no words of an answer."""


def _is_run(value: object) -> bool:
    found = mapping(value)
    history = found.get("history")
    speaks = isinstance(history, list) and bool(history) and "content" in mapping(history[0])
    return speaks and ("mistake_step" in found or "question" in found)


def _run(entry: Entry, place: str, beside: Beside) -> Run:
    value = mapping(entry.value)
    history = value["history"]
    spoken = _spoken(history if isinstance(history, list) else [], place)
    step = number(value.get("mistake_step"))
    return Run(
        messages=tuple(_messages(spoken)),
        id=string(value.get("question_ID")),
        narrates=True,
        reward=number(value.get("is_correct", value.get("is_corrected"))),
        decisive=None if step is None else max(0, int(step)),
    )


def _spoken(history: Sequence[object], place: str) -> list[tuple[str, str]]:
    inside = f"{place}, step " if place else "step "
    return [_said(mapping(raw), f"{inside}{count}") for count, raw in enumerate(history)]


def _said(raw: Mapping[str, object], place: str) -> tuple[str, str]:
    speaker, words = string(raw.get("name")) or string(raw.get("role")), raw.get("content")
    if not speaker:
        raise wrong("nobody said it: neither a name nor a role", place)
    if not isinstance(words, str | None):
        raise wrong("content is neither text nor null", place)
    return speaker, words or ""


def _messages(spoken: Sequence[tuple[str, str]]) -> Iterator[Message]:
    # The first message is the task; the person speaks again only under their own name.
    executors = {speaker for speaker, words in spoken if _executes(speaker, words)}
    for place, (speaker, words) in enumerate(spoken):
        if not place or speaker == "human":
            yield Message(role="user", text=words, name=speaker, human=True)
        elif speaker in executors:
            yield Message(role="tool", text=words, name=speaker, call_id=_id(place), error=_failed(words))
        else:
            follower = spoken[place + 1][0] if place + 1 < len(spoken) else ""
            yield _agent(speaker, words, place, follower if follower in executors else "")


def _executes(speaker: str, words: str) -> bool:
    plain = speaker.replace("_", "").casefold()
    return plain == "computerterminal" or words.startswith("exitcode: ")


def _failed(words: str) -> bool:
    status = _STATUS.match(words)
    return status is not None and int(status[1] or status[2]) != 0


def _agent(speaker: str, words: str, place: int, executor: str) -> Message:
    code = "\n".join(_FENCED.findall(words)) if executor else ""
    call = ToolCall(id=_id(place + 1), name=executor, arguments=json.dumps({"code": code}, ensure_ascii=False))
    text = "" if words.strip() == _END else words
    return Message(role="assistant", text=text, name=speaker, tool_calls=(call,) if code else ())


def _id(place: int) -> str:
    return f"step {place}"


WHO_AND_WHEN = Importer(
    format="Who&When",
    shapes='{"question": "...", "history": [{"role": "...", "name": "...", "content": "..."}, ...], "mistake_step": 3}',
    is_run=_is_run,
    is_record=never,
    run=_run,
    log=read_log,
)
"""Reads conversations of several agents: each message of an agent is a turn, and executed code is a tool call.

A label counts messages of ``history`` from 0.
"""
