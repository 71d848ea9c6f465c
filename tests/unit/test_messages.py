"""Reading what hosts pass as messages: dictionaries, objects, parts of every kind, and what is broken."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from foureyes.core.facts import Message, ToolCall
from foureyes.core.messages import MessageError, detached, human_text, is_work, mark, message, text_of

LIMIT = 4_000
PICTURE = "data:image/png;base64," + "A" * 46_424
"""34 KB: 46,424 characters of base64 are 34,818 bytes."""


def read(raw: object, limit: int = LIMIT) -> Message:
    """Return the message as a review shows it."""
    return message(raw, limit)


def shown(content: object) -> str:
    """Return what a review shows of a content."""
    return read({"role": "user", "content": content}).text


@pytest.mark.parametrize(
    "raw",
    [
        {"role": "user", "content": "Do it.", "name": "ann"},
        SimpleNamespace(role="user", content="Do it.", name="ann"),
        Message(role="user", text="Do it.", name="ann"),
    ],
    ids=["dictionary", "object", "message"],
)
def test_the_same_message_is_read_from_every_form(raw: object) -> None:
    assert read(raw) == Message(role="user", text="Do it.", name="ann")


@pytest.mark.parametrize(
    ("content", "text"),
    [
        (None, ""),
        ("", ""),
        ("text", "text"),
        ([], ""),
        (["a", "b"], "a\nb"),
        ([{"type": "text", "text": "a"}, {"type": "text", "text": "b"}], "a\nb"),
        ([{"type": "text", "text": ""}, {"type": "text", "text": "b"}], "b"),
        ([SimpleNamespace(type="text", text="a")], "a"),
        ([{"type": "output_text", "text": "a"}], "a"),
        ([{"type": "thinking", "thinking": "secret"}], "[thinking]"),
        ([{"type": "reasoning", "summary": []}, {"type": "text", "text": "b"}], "[thinking]\nb"),
        ([{"type": "redacted_thinking", "data": "x"}], "[thinking]"),
        ([{"type": "image_url", "image_url": {"url": PICTURE}}], "[image, 34 KB]"),
        ([{"type": "image_url", "image_url": PICTURE}], "[image, 34 KB]"),
        ([{"type": "image", "source": {"type": "base64", "data": "A" * 46_424}}], "[image, 34 KB]"),
        ([{"type": "image_url", "image_url": {"url": "https://example.org/x.png"}}], "[image]"),
        ([{"type": "input_audio", "input_audio": {"data": "A" * 400}}], "[audio, 1 KB]"),
        ([{"type": "file", "file": {"file_data": "A" * 400}}], "[file, 1 KB]"),
        ([{"type": "document", "source": {}}], "[document]"),
        ([{"type": "video_url"}], "[video]"),
        ([{"type": "a\"><script>"}], "[other content]"),
        ([None, 7, {}, {"type": 3}, {"text": 7}], ""),
        (7, ""),
        ({"text": "a"}, ""),
        (b"bytes", ""),
        (object(), ""),
    ],
    ids=lambda value: repr(value)[:60],
)  # fmt: skip
def test_any_content_is_text_or_a_placeholder(content: object, text: str) -> None:
    """As in https://github.com/anthropics/claude-code/issues/76189: one tool call made the reviewer unavailable."""
    assert shown(content) == text


def test_a_picture_is_named_and_measured_and_never_passed_on() -> None:
    """As in https://github.com/openai/codex/pull/11346: a reviewer for text was given images."""
    assert shown([{"type": "text", "text": "Look:"}, {"type": "image_url", "image_url": {"url": PICTURE}}]) == (
        "Look:\n[image, 34 KB]"
    )


@pytest.mark.parametrize(
    ("raw", "calls"),
    [
        (None, ()),
        ([], ()),
        ("text", ()),
        (7, ()),
        ([{"id": "c1", "function": {"name": "look", "arguments": "{}"}}],
         (ToolCall(id="c1", name="look", arguments="{}"),)),
        ([{"id": "c1", "name": "look", "input": {"at": "ü"}}],
         (ToolCall(id="c1", name="look", arguments='{"at": "ü"}'),)),
        ([{"id": "c1", "function": {"name": "look", "arguments": {"at": 1}}}],
         (ToolCall(id="c1", name="look", arguments='{"at": 1}'),)),
        ([SimpleNamespace(id="c1", function=SimpleNamespace(name="look", arguments="{}"))],
         (ToolCall(id="c1", name="look", arguments="{}"),)),
        ([ToolCall(id="c1", name="look", arguments="{}")], (ToolCall(id="c1", name="look", arguments="{}"),)),
        ([{}], (ToolCall(name=""),)),
        ([{"id": 7, "function": {"name": None, "arguments": object}}], (ToolCall(name="", arguments='"[type]"'),)),
    ],
    ids=lambda value: repr(value)[:60],
)  # fmt: skip
def test_tool_calls_are_read_as_far_as_they_can_be(raw: object, calls: tuple[ToolCall, ...]) -> None:
    assert read({"role": "assistant", "tool_calls": raw}).tool_calls == calls


@pytest.mark.parametrize("form", [dict, SimpleNamespace])
def test_of_many_tool_calls_in_a_message_eight_are_shown(form: Any) -> None:
    calls = [{"id": f"c{number}", "function": {"name": "look"}} for number in range(20)]
    assert len(read(form(role="assistant", content="", tool_calls=calls)).tool_calls) == 8


def test_names_ids_and_arguments_are_bounded() -> None:
    call = {"id": "i" * 999, "function": {"name": "n" * 999, "arguments": "a" * 9_999}}
    taken = read({"role": "r" * 999, "name": "n" * 999, "tool_call_id": "i" * 999, "tool_calls": [call]})
    [shown_call] = taken.tool_calls
    assert [len(text) for text in (taken.role, taken.name, taken.call_id)] == [64, 64, 128]
    assert (len(shown_call.id), len(shown_call.name)) == (128, 64)
    assert len(shown_call.arguments) <= 1_024


def test_a_message_of_ours_is_bounded_like_any_other() -> None:
    call = ToolCall(id="i" * 999, name="n" * 999, arguments="a" * 9_999)
    taken = read(Message(role="r" * 999, text="x" * 9_999, name="n" * 999, call_id="i" * 999, tool_calls=(call,) * 20))
    assert [len(text) for text in (taken.role, taken.name, taken.call_id)] == [64, 64, 128]
    assert len(taken.text) <= LIMIT
    assert len(taken.tool_calls) == 8
    assert (len(taken.tool_calls[0].id), len(taken.tool_calls[0].name)) == (128, 64)
    assert len(taken.tool_calls[0].arguments) <= 1_024


@pytest.mark.parametrize(
    ("raw", "error"),
    [
        ({"role": "tool", "is_error": True}, True),
        ({"role": "tool", "is_error": False}, False),
        ({"role": "tool"}, False),
        ({"role": "tool", "is_error": "yes"}, False),
        ({"role": "tool", "is_error": 1}, False),
        (Message(role="tool", error=True), True),
    ],
)
def test_a_tool_has_failed_where_the_host_says_so(raw: object, error: bool) -> None:
    assert read(raw).error is error


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        ({"role": "user", "content": "Do it."}, "Do it."),
        ({"role": "user", "content": "Do it.", "human": True}, "Do it."),
        ({"role": "user", "content": "Nudge.", "human": False}, None),
        ({"role": "system", "content": "Do it.", "human": True}, "Do it."),
        ({"role": "user", "content": "Do it.", "human": "yes"}, "Do it."),
        ({"role": "assistant", "content": "Done."}, None),
        ({"role": "user", "content": None}, ""),
        (Message(role="user", text="Do it."), "Do it."),
        (Message(role="user", text="Nudge.", human=False), None),
        (object(), None),
    ],
    ids=repr,
)
def test_a_human_is_who_the_host_says_or_else_the_user(raw: object, text: str | None) -> None:
    assert human_text(raw) == text


BROKEN = "half \ud83d emoji \0 end"
WHOLE = "half � emoji � end"


def test_half_characters_and_nulls_are_replaced_everywhere() -> None:
    call = {"id": BROKEN, "function": {"name": BROKEN, "arguments": BROKEN}}
    raw = {"role": BROKEN, "content": BROKEN, "name": BROKEN, "tool_call_id": BROKEN, "tool_calls": [call]}
    taken = read(raw)
    assert taken == Message(
        role=WHOLE,
        text=WHOLE,
        name=WHOLE,
        call_id=WHOLE,
        tool_calls=(ToolCall(id=WHOLE, name=WHOLE, arguments=WHOLE),),
    )


def test_half_characters_in_values_of_our_own_are_replaced_too() -> None:
    call = ToolCall(id=BROKEN, name=BROKEN, arguments=BROKEN)
    taken = read(Message(role=BROKEN, text=BROKEN, name=BROKEN, call_id=BROKEN, tool_calls=(call,)))
    repr(taken).encode()
    assert "\\ud83d" not in repr(taken)
    assert "\\x00" not in repr(taken)


@pytest.mark.parametrize("raw", [None, 7, "user", [], object(), {}, {"content": "x"}, {"role": None}, {"role": 3}])
def test_what_has_no_role_is_no_message(raw: object) -> None:
    for look in (read, lambda one: is_work(one, says_nothing=lambda text: True)):
        with pytest.raises(MessageError) as raised:
            look(raw)
        assert type(raw).__name__ in str(raised.value)
        assert "pass chat-completions messages" in str(raised.value)


def test_an_error_about_a_message_does_not_repeat_it() -> None:
    with pytest.raises(MessageError) as raised:
        read({"content": "the password is hunter2"})
    assert "hunter2" not in str(raised.value)


@pytest.mark.parametrize("limit", [0, 1, 64, 100, 3_999])
def test_no_text_is_longer_than_asked_for(limit: int) -> None:
    assert len(read({"role": "user", "content": "x" * 9_999}, limit).text) <= limit


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.sampled_from(["type", "text", "image_url", "url", "id"]), inner),
    max_leaves=8,
)


@given(
    st.fixed_dictionaries(
        {"role": st.sampled_from(["user", "assistant", "tool", "x"])},
        optional={
            "content": JSON,
            "name": JSON,
            "tool_calls": JSON,
            "tool_call_id": JSON,
            "function_call": JSON,
            "human": JSON,
            "is_error": JSON,
        },
    )
)
def test_whatever_a_message_holds_it_is_read_and_clean(raw: dict[str, Any]) -> None:
    taken = read(raw)
    repr(taken).encode()
    assert len(taken.text) <= LIMIT
    assert isinstance(text_of(raw), str)
    human_text(raw)
    is_work(raw, says_nothing=lambda text: not text)


@pytest.mark.parametrize(
    "raw",
    [
        {"role": "assistant", "content": [{"type": "tool_use", "id": "t1", "name": "look", "input": {}}]},
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t1", "content": "x"}]},
        {"role": "model", "parts": [{"functionCall": {"name": "look"}}]},
    ],
)
def test_a_message_whose_tool_calls_would_be_lost_is_refused_with_the_cure(raw: dict[str, object]) -> None:
    with pytest.raises(MessageError, match="pass chat-completions messages"):
        read(raw)


class Failing:
    """A lazy object of a host's, whose attributes fail."""

    role = "assistant"

    @property
    def content(self) -> str:
        """Fail as a detached row does."""
        raise RuntimeError("detached")


def test_an_object_that_fails_at_its_attributes_shows_nothing() -> None:
    assert read(Failing()).text == ""


def test_arguments_that_json_does_not_know_are_written_as_far_as_they_can_be() -> None:
    cyclic: dict[str, object] = {"a": 1}
    cyclic["b"] = cyclic
    for value in ({("a", 1): 2}, cyclic, {"at": object()}, {"deep": [[[[]]]] * 10}):
        call = {"id": "c1", "function": {"name": "look", "arguments": value}}
        (taken,) = read({"role": "assistant", "tool_calls": [call]}).tool_calls
        assert (taken.name, len(taken.arguments) <= 1_024) == ("look", True)


def test_a_digest_tells_a_rewritten_transcript() -> None:
    transcript = [{"role": "user", "content": "a"}, {"role": "assistant", "content": "b"}]
    assert mark(transcript, 2) == mark([*transcript, {"role": "tool", "content": "c"}], 2) != 0
    assert mark(transcript[1:], 1) != mark(transcript, 1)
    assert mark(transcript, 3) == mark(transcript, 0) == 0


# --- kept for later ---

CALL = {"id": "c", "type": "function", "function": {"name": "put", "arguments": {"deep": [{"n": 1}, "x" * 4_000]}}}
FORMS: dict[str, Any] = {
    "a dictionary": {"role": "user", "content": "Do it.", "name": "ann", "human": False},
    "an object": SimpleNamespace(role="tool", content="ok", tool_call_id="c", is_error=True),
    "a message of ours": Message(role="assistant", text="x" * 9_000, tool_calls=(ToolCall(id="1", name="f"),)),
    "parts": {
        "role": "user",
        "content": [{"type": "text", "text": "a\x00"}, {"type": "image_url", "image_url": PICTURE}],
    },
    "arguments as text": {"role": "assistant", "tool_calls": [{"id": "c", "function": {"arguments": "{" * 5_000}}]},
    "arguments as data": {"role": "assistant", "tool_calls": [CALL] * 9},
    "an old form of calls": {"role": "assistant", "function_call": {"name": "f", "arguments": None}},
    "a call with input": {"role": "assistant", "tool_calls": [{"id": "c", "name": "f", "input": {"a": 1}}]},
    "names that are no text": {"role": "user", "content": 7, "name": 8, "tool_call_id": ["x"], "tool_calls": "rubbish"},
    "long names": {"role": "r" * 99, "content": "", "name": "n" * 99, "tool_call_id": "i" * 999},
}


def shouted(text: str) -> str:
    """Return the text changed, in as many characters."""
    return text.upper()


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("limit", [0, 100, LIMIT])
def test_a_detached_message_is_shown_as_the_hosts_own_would_be(form: str, limit: int) -> None:
    assert message(detached(FORMS[form]), limit, shouted) == message(FORMS[form], limit, shouted)


def test_what_the_host_does_to_its_message_later_is_not_seen_in_a_detached_one() -> None:
    call = {"id": "c", "function": {"name": "put", "arguments": {"deep": ["before"]}}}
    part = {"type": "text", "text": "before"}
    raw = {"role": "assistant", "content": [part], "tool_calls": [call]}
    kept = detached(raw)
    part["text"] = "after"
    call["function"]["arguments"]["deep"].append("after")  # type: ignore[index]
    raw["tool_calls"] = []
    assert (kept.text, kept.tool_calls) == ("before", (ToolCall(id="c", name="put", arguments='{"deep": ["before"]}'),))


def test_of_huge_arguments_no_more_is_written_than_is_looked_at_and_nothing_is_cut_through() -> None:
    [call] = detached({"role": "assistant", "tool_calls": [{"function": {"arguments": ["x" * 40_000] * 9}}]}).tool_calls
    assert call.arguments == f'["{"x" * 40_000}", "{"x" * 40_000}"'


def test_cyclic_arguments_are_written_as_far_as_they_can_be() -> None:
    cyclic: dict[str, Any] = {"a": 1}
    cyclic["again"] = cyclic
    [call] = detached({"role": "assistant", "tool_calls": [{"function": {"arguments": cyclic}}]}).tool_calls
    assert call.arguments == '{"a": 1, "again": [not readable]'


@pytest.mark.parametrize("wrong", [None, 7, {"content": "x"}, {"role": 1}, {"role": "user", "parts": ["x"]}])
def test_what_is_no_message_cannot_be_detached(wrong: object) -> None:
    with pytest.raises(MessageError):
        detached(wrong)
