"""Transcripts that Claude Code keeps of its sessions: one record a line."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from foureyes.core.facts import Message
from foureyes.replay.beside import Beside
from foureyes.replay.decoding import Entry
from foureyes.replay.importers.base import Importer, Run, mapping, never, string, wrong
from foureyes.replay.importers.content_blocks import block_messages
from foureyes.replay.recording import RecordingError

__all__ = ["CLAUDE_CODE"]

_READ = ("user", "assistant")
"""Types of records that are part of the conversation. There are many others, and new ones with every version."""
_NOT_HUMAN = (
    "Stop hook feedback:",
    "[Request interrupted by user",
    "<command-name>",
    "<command-message>",
    "<local-command-",
    "<bash-",
    "<system-reminder>",
    "<task-notification>",
)
"""How user records begin that the program wrote."""


def _is_record(value: object) -> bool:
    found = mapping(value)
    return found.get("type") in _READ and isinstance(mapping(found.get("message")).get("role"), str)


def _log(entries: Sequence[Entry], beside: Beside) -> Iterator[Run | RecordingError]:
    transcript = _Transcript()
    for entry in entries:
        try:
            transcript.take(mapping(entry.value), entry.place("record"))
        except RecordingError as error:
            yield error
    session = next((name for entry in entries if (name := _session(entry.value))), "")
    if transcript.messages:
        yield Run(messages=tuple(transcript.messages), id=session, narrates=True)
    else:
        yield wrong("a transcript without messages of the main conversation", "")


def _session(value: object) -> str:
    found = mapping(value)
    return string(found.get("sessionId")) or string(found.get("session_id"))


class _Transcript:
    """Puts together what the program writes apart: each block of one reply is a record of its own."""

    def __init__(self) -> None:
        self.messages: list[Message] = []
        self._replies: dict[str, int] = {}
        self._seen: set[str] = set()

    def take(self, record: Mapping[str, object], place: str) -> None:
        """Add what the record says, if it belongs to the main conversation and was not there before."""
        raw = record.get("message")
        if record.get("type") not in _READ or record.get("isSidechain") is True or record.get("isMeta") is True:
            return
        if not isinstance(raw, dict) or not isinstance(raw.get("role"), str):
            raise wrong("a record of the conversation without a message", place)
        if raw.get("model") == "<synthetic>" or self._again(string(record.get("uuid"))):
            return
        compacted = record.get("isCompactSummary") is True
        for said in block_messages(raw, place):
            self._add(replace(said, human=False) if compacted and said.role == "user" else said, string(raw.get("id")))

    def _again(self, key: str) -> bool:
        # A resumed session may hold records twice, and a tool has one result.
        again = key in self._seen
        self._seen.update([key] if key else [])
        return again

    def _add(self, said: Message, reply: str) -> None:
        if said.role == "assistant":
            self._add_reply(said, reply)
        elif said.role == "user":
            human = said.by_human and not said.text.lstrip().startswith(_NOT_HUMAN)
            self.messages.append(replace(said, human=human))
        elif not said.call_id or not self._again(f"result of {said.call_id}"):
            self.messages.append(said)

    def _add_reply(self, said: Message, reply: str) -> None:
        place = self._replies.get(reply) if reply else None
        if place is None:
            self._replies[reply] = len(self.messages)
            self.messages.append(said)
            return
        before = self.messages[place]
        text = "\n".join(filter(None, (before.text, said.text)))
        self.messages[place] = replace(before, text=text, tool_calls=before.tool_calls + said.tool_calls)


def _no_run(entry: Entry, place: str, beside: Beside) -> Run:
    raise wrong("not a whole transcript", place)


CLAUDE_CODE = Importer(
    format="Claude Code transcript",
    shapes='JSONL, one record a line: {"type": "assistant", "sessionId": "...", "message": {...}}',
    is_run=never,
    is_record=_is_record,
    run=_no_run,
    log=_log,
)
"""Reads the main conversation: side chains, records of the program's own, and unknown ones are left out.

The blocks of one reply, which stand in records of their own, are one message. A tool failed where its result says
``is_error``. Words that the program or a hook put into a user record are not the human's.
"""
