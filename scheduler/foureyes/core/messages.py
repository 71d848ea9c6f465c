"""Reading the host's messages, whatever they are made of, without looking at more of them than is needed.

Understood are :class:`~foureyes.core.facts.Message`, chat-completions dictionaries, and objects with the same names
as attributes. Two optional names of our own in a dictionary: ``human`` (false marks a user message that no human
wrote) and ``is_error`` (true marks the result of a failed tool).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeGuard

from foureyes.core.facts import Message, ToolCall
from foureyes.core.similarity import digest
from foureyes.core.text import Redact, clean, cut_redacted, unredacted

__all__ = ["MessageError", "detached", "human_text", "is_work", "mark", "message", "text_of"]

MAX_TOOL_CALLS = 8
"""Tool calls of one message that a review shows. 8 as in the reference."""
MAX_NAME = 64
MAX_CALL_ID = 128
MAX_ARGUMENTS = 1_024
_LONGEST_SECRET = 8_192
_MOST_OF_ONE = 4 * MAX_ARGUMENTS
"""Characters of one value inside arguments that are no text."""
_MOST_WRITTEN = 65_536
"""Characters after which no further value of arguments that are no text is written; the last one stays whole."""


_FOREIGN = ("tool_use", "tool_result", "function_call", "function_call_output", "toolCall", "toolResult")
"""Blocks of other APIs that hold a tool call or its result."""


class MessageError(ValueError):
    """Something that is no message, or one of another API, whose tool calls would be lost without a word."""

    def __init__(self, raw: object, what: str = "") -> None:
        what = what or f"a message must have a role: got {type(raw).__name__}"
        super().__init__(f"{what}; pass chat-completions messages, as dictionaries or objects, or foureyes.Message")


def message(raw: object, limit: int, redact: Redact = unredacted) -> Message:
    """Return the host's message with at most ``limit`` characters of text, redacted before it is cut.

    Raises MessageError for what is none.
    """
    if isinstance(raw, Message):
        return _bounded(raw, limit, redact)
    get, role, content = _opened(raw)
    human = get("human")
    return Message(
        role=_short(role, MAX_NAME, redact),
        text=_shown(content, limit, redact),
        name=_short(get("name"), MAX_NAME, redact),
        tool_calls=_tool_calls(get, lambda call: _call(call, redact)),
        call_id=_short(get("tool_call_id"), MAX_CALL_ID, redact),
        error=get("is_error") is True,
        human=human if isinstance(human, bool) else None,
    )


def detached(raw: object) -> Message:
    """Return the host's message as it is now, whatever the host does to it later; nothing is cut or redacted.

    :func:`message` of it is what :func:`message` of the host's own would have been; only values of more than 4,096
    characters inside arguments that are no text are whole here. Cheap: texts are not copied. Raises MessageError for
    what is no message.
    """
    if isinstance(raw, Message):
        calls = tuple([_whole(call) for call in (raw.tool_calls or ())[:MAX_TOOL_CALLS]])
        return replace(raw, text=_text(raw.text), tool_calls=calls)
    get, role, content = _opened(raw)
    human = get("human")
    return Message(
        role=role,
        text=_text(content),
        name=get("name"),
        tool_calls=_tool_calls(get, _whole),
        call_id=get("tool_call_id"),
        error=get("is_error") is True,
        human=human if isinstance(human, bool) else None,
    )


def _opened(raw: object) -> tuple[_Getter, str, object]:
    # How its fields are read, and the two that decide whether it is a message of this form.
    get = _getter(raw)
    role, content = get("role"), get("content")
    if not isinstance(role, str):
        raise MessageError(raw)
    if type(content) is not str:
        _refuse_foreign(raw, content)
    return get, role, content


def is_work(raw: object, *, says_nothing: Callable[[str], bool]) -> bool:
    """Tell whether the agent did something in this message: called a tool, got a result, or said something.

    Raises MessageError for what is no message.
    """
    if isinstance(raw, Message):
        role, calls, text = raw.role, bool(raw.tool_calls), raw.text
    else:
        get = _getter(raw)
        role, calls = get("role"), bool(get("tool_calls") or get("function_call"))
        text = "" if calls else _text(get("content"))
    if not isinstance(role, str):
        raise MessageError(raw)
    if role in ("user", "system", "developer"):
        return False
    return calls or role in ("tool", "function") or not says_nothing(text)


def mark(messages: Sequence[object], length: int) -> int:
    """Return a digest of the last of the first ``length`` messages, by which a rewritten transcript is recognised.

    0 where there is none. Of a long text the first 2,000 characters and the length count.
    """
    if not 0 < length <= len(messages):
        return 0
    raw = messages[length - 1]
    text, role = text_of(raw), raw.role if isinstance(raw, Message) else _get(raw, "role")
    calls = raw.tool_calls if isinstance(raw, Message) else _get(raw, "tool_calls")
    ids = [call.id if isinstance(call, ToolCall) else _get(call, "id") for call in calls[:1]] if _is_list(calls) else []
    return digest("m", f"{role}|{ids}|{len(text)}|{text[:2_000]}")


def _is_list(value: object) -> TypeGuard[Sequence[object]]:
    return isinstance(value, list | tuple)


def text_of(raw: object) -> str:
    """Return the whole text of a message, "" where it has none."""
    return _text(raw.text if isinstance(raw, Message) else _get(raw, "content"))


def human_text(raw: object) -> str | None:
    """Return the text of a message that a human wrote, None for any other message."""
    if isinstance(raw, Message):
        return _text(raw.text) if raw.by_human else None
    human = _get(raw, "human")
    by_human = human if isinstance(human, bool) else _get(raw, "role") == "user"
    return text_of(raw) if by_human else None


_Getter = Callable[[str], Any]


def _getter(raw: object) -> _Getter:
    if type(raw) is dict or isinstance(raw, Mapping):
        return raw.get
    return lambda name: _attribute(raw, name)


def _attribute(raw: object, name: str) -> Any:
    try:
        return getattr(raw, name, None)
    except Exception:  # noqa: BLE001 - a lazy object of the host's may fail at anything; it then shows nothing
        return None


def _get(raw: object, name: str) -> Any:
    return _getter(raw)(name)


def _bounded(raw: Message, limit: int, redact: Redact) -> Message:
    return Message(
        role=_short(raw.role, MAX_NAME, redact),
        text=_shown(raw.text, limit, redact),
        name=_short(raw.name, MAX_NAME, redact),
        tool_calls=tuple([_call(call, redact) for call in (raw.tool_calls or ())[:MAX_TOOL_CALLS]]),
        call_id=_short(raw.call_id, MAX_CALL_ID, redact),
        error=raw.error,
        human=raw.human,
    )


def _short(value: object, limit: int, redact: Redact = unredacted) -> str:
    if not value or not isinstance(value, str):
        return ""
    if redact is not unredacted:
        value = redact(value[: limit + _LONGEST_SECRET])
    return value if len(value) <= limit and value.isprintable() else clean(value[:limit])


def _shown(content: object, limit: int, redact: Redact) -> str:
    if redact is unredacted and type(content) is str and len(content) <= limit:
        return clean(content)
    return clean(cut_redacted(_text(content), limit, redact))


def _text(content: object) -> str:
    if isinstance(content, str):
        return content
    if isinstance(content, Sequence) and not isinstance(content, bytes):
        return "\n".join(filter(None, (_part(part) for part in content)))
    return ""


def _part(part: object) -> str:
    if isinstance(part, str):
        return part
    text = _get(part, "text")
    if isinstance(text, str):
        return text
    kind = _get(part, "type")
    if kind in ("thinking", "reasoning", "redacted_thinking"):
        return "[thinking]"
    return f"[{_noun(kind)}{_size(part)}]" if isinstance(kind, str) else ""


def _refuse_foreign(raw: object, content: object) -> None:
    parts = content if isinstance(content, list | tuple) else ()
    found = [kind for part in parts if not isinstance(part, str) and (kind := _get(part, "type")) in _FOREIGN]
    if found or (content is None and _get(raw, "parts")):
        raise MessageError(raw, f"a message holds {f'a {found[0]} block' if found else 'parts and no content'}")


def _noun(kind: str) -> str:
    words = ("image", "audio", "video", "file", "document")
    return next((word for word in words if word in kind), "other content")


def _size(part: object) -> str:
    # Base64 of an inline attachment: four characters for three bytes. A link has no size to tell.
    data = _get(part, "image_url") or _get(part, "input_audio") or _get(part, "source") or _get(part, "file")
    url = data if isinstance(data, str) else (_get(data, "url") or _get(data, "data") or _get(data, "file_data"))
    if not isinstance(url, str) or url.startswith(("http://", "https://")):
        return ""
    return f", {max(1, round((len(url) - url.find(',') - 1) * 3 / 4 / 1024))} KB"


def _tool_calls(get: _Getter, read: Callable[[object], ToolCall]) -> tuple[ToolCall, ...]:
    calls = get("tool_calls")
    if not calls:
        legacy = get("function_call")
        return (read({"function": legacy}),) if legacy else ()
    if not isinstance(calls, Sequence) or isinstance(calls, str | bytes):
        return ()
    return tuple([read(call) for call in calls[:MAX_TOOL_CALLS]])


def _call(raw: object, redact: Redact) -> ToolCall:
    identity, name, arguments = _parts_of_call(raw)
    return ToolCall(
        id=_short(identity, MAX_CALL_ID, redact),
        name=_short(name, MAX_NAME, redact),
        arguments=_arguments(arguments, redact),
    )


def _whole(raw: object) -> ToolCall:
    identity, name, arguments = _parts_of_call(raw)
    return ToolCall(id=identity, name=name, arguments=_written(arguments))


def _parts_of_call(raw: object) -> tuple[Any, Any, object]:
    if isinstance(raw, ToolCall):
        return raw.id, raw.name, raw.arguments
    get = _getter(raw)
    function = _getter(get("function") or raw)
    arguments = function("arguments")
    return get("id"), function("name"), arguments if arguments is not None else function("input")


def _arguments(value: object, redact: Redact) -> str:
    if value is None:
        return ""
    text = value if isinstance(value, str) else _dumped(value, redact)
    if redact is unredacted and len(text) <= MAX_ARGUMENTS:
        return clean(text)
    return clean(cut_redacted(text, MAX_ARGUMENTS, redact))


def _dumped(value: object, redact: Redact) -> str:
    # What is cut here has no marker, so a secret has to be gone before.
    cut = (redact(part[: _MOST_OF_ONE + _LONGEST_SECRET])[:_MOST_OF_ONE] for part in _values(value))
    return "".join(cut)


def _written(value: object) -> str:
    if isinstance(value, str):
        return value
    parts, length = list[str](), 0
    for part in () if value is None else _values(value):
        parts.append(part)
        length += len(part)
        if length > _MOST_WRITTEN:
            break
    return "".join(parts)


def _values(value: object) -> Iterator[str]:
    # Arguments may be huge, cyclic, or of types that JSON does not know: as much is written as can be.
    try:
        for count, part in enumerate(_ENCODER.iterencode(value)):
            yield part
            if count >= MAX_ARGUMENTS:
                break
    except Exception:  # noqa: BLE001 - as above
        yield "[not readable]"


_ENCODER = json.JSONEncoder(ensure_ascii=False, default=lambda other: f"[{type(other).__name__}]", skipkeys=True)
