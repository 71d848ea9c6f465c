"""Rollouts that the Codex CLI keeps of its sessions: one record a line."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from foureyes.core.facts import Message, ToolCall
from foureyes.replay.beside import Beside
from foureyes.replay.decoding import Entry
from foureyes.replay.importers.base import Importer, Run, mapping, never, string, wrong
from foureyes.replay.importers.codex_output import output_text, says_error
from foureyes.replay.importers.content_blocks import arguments, text
from foureyes.replay.recording import RecordingError

__all__ = ["CODEX"]

_ENVELOPES = ("session_meta", "response_item", "event_msg", "turn_context", "compacted")
_CALLS = ("function_call", "custom_tool_call", "local_shell_call", "web_search_call", "tool_search_call")
_OUTPUTS = ("function_call_output", "custom_tool_call_output", "tool_search_output")
_NOT_HUMAN = (
    "<environment_context>",
    "<user_instructions>",
    "<turn_aborted>",
    "<user_shell_command>",
    "<subagent_notification>",
    "<hook_prompt",
    "<skill>",
    "# AGENTS.md instructions",
)
"""How user messages begin that the program wrote."""


def _is_record(value: object) -> bool:
    found = mapping(value)
    if found.get("type") in _ENVELOPES and isinstance(found.get("payload"), dict):
        return True
    return found.get("type") in (*_CALLS, *_OUTPUTS) and "call_id" in found


def _log(entries: Sequence[Entry], beside: Beside) -> Iterator[Run | RecordingError]:
    rollout = _Rollout([_event(entry.value) for entry in entries])
    for entry in entries:
        try:
            rollout.take(_item(entry.value), entry.place("record"))
        except RecordingError as error:
            yield error
    if rollout.messages:
        yield Run(messages=tuple(rollout.messages), id=_session(entries), narrates=True)
    else:
        yield wrong("a rollout without messages", "")


def _event(value: object) -> Mapping[str, object]:
    found = mapping(value)
    return mapping(found.get("payload")) if found.get("type") == "event_msg" else {}


def _item(value: object) -> Mapping[str, object]:
    found = mapping(value)
    if found.get("type") in _ENVELOPES:
        return mapping(found.get("payload")) if found["type"] == "response_item" else {}
    return found  # older versions wrote the items without an envelope


def _session(entries: Sequence[Entry]) -> str:
    metas = (mapping(entry.value) for entry in entries)
    ids = (string(mapping(meta.get("payload")).get("id")) for meta in metas if meta.get("type") == "session_meta")
    return next(filter(None, ids), string(mapping(entries[0].value).get("id")))


class _Rollout:
    """Puts together what one reply of the model consists of: each item of it is a record of its own.

    Events say which user messages the human typed, and which tools failed without saying so in their output.
    """

    def __init__(self, events: Sequence[Mapping[str, object]]) -> None:
        self.messages: list[Message] = []
        self._typed = {string(event.get("message")).strip() for event in events if event.get("type") == "user_message"}
        self._failed = {string(event.get("call_id")) for event in events if says_error(event)}
        self._replying = False

    def take(self, item: Mapping[str, object], place: str) -> None:
        """Add what the item says; items of other kinds say nothing."""
        kind = item.get("type")
        if kind == "message":
            self._message(item, place)
        elif kind in _CALLS:
            self._reply(Message(role="assistant", tool_calls=(_call(item, place),)))
        elif kind in _OUTPUTS:
            self._result(item)

    def _message(self, item: Mapping[str, object], place: str) -> None:
        content, role = item.get("content"), string(item.get("role"))
        if not role or not isinstance(content, str | list):
            raise wrong("not a message: no role, or content that is neither text nor a list", place)
        said = Message(role=role, text=text([content] if isinstance(content, str) else content))
        if role == "assistant":
            self._reply(said)
            return
        self._replying = self._replying and role != "user"
        self.messages.append(replace(said, human=self._human(said.text)) if role == "user" else said)

    def _human(self, words: str) -> bool:
        if self._typed:
            return words.strip() in self._typed
        return not words.lstrip().startswith(_NOT_HUMAN)

    def _reply(self, said: Message) -> None:
        before = self.messages[-1] if self._replying and self.messages else None
        if before is None or before.role != "assistant":
            self._replying = True
            self.messages.append(said)
            return
        words = "\n".join(filter(None, (before.text, said.text)))
        self.messages[-1] = replace(before, text=words, tool_calls=before.tool_calls + said.tool_calls)

    def _result(self, item: Mapping[str, object]) -> None:
        self._replying = False
        call, output = string(item.get("call_id")), item.get("output")
        failed = call in self._failed or says_error(mapping(output))
        self.messages.append(Message(role="tool", call_id=call, text=output_text(output), error=failed))


def _call(item: Mapping[str, object], place: str) -> ToolCall:
    kind = string(item.get("type"))
    name = string(item.get("name")) or kind.removesuffix("_call")
    if not string(item.get("name")) and kind in ("function_call", "custom_tool_call"):
        raise wrong("a tool call without a name", place)
    asked = next((item[key] for key in ("arguments", "input", "action") if item.get(key) is not None), None)
    return ToolCall(id=string(item.get("call_id")), name=name, arguments=arguments(asked))


def _no_run(entry: Entry, place: str, beside: Beside) -> Run:
    raise wrong("not a whole rollout", place)


CODEX = Importer(
    format="Codex rollout",
    shapes='JSONL, one record a line: {"type": "response_item", "payload": {"type": "message", ...}}',
    is_run=never,
    is_record=_is_record,
    run=_no_run,
    log=_log,
)
"""Reads the items of a rollout, with or without envelopes: messages, tool calls and their outputs.

A tool failed where an event or its output says so; an exit status is put in front of what was printed, for the
reviewers to judge. What the program put into a user message is not the human's.
"""
