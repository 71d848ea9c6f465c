"""What is read from traces with the conventions for generative AI."""

from __future__ import annotations

import json

import pytest

from foureyes.replay.reading import parsed

from .recorded import (
    ANSWER,
    ASK,
    CALLED,
    FAILURE,
    HEARD,
    RETURNED,
    SPANS,
    TOLD,
    lines,
    only,
    otlp,
    part,
    pretty,
    refusal,
    results,
    roles,
    span,
)

WHOLE = ["user", "assistant", "tool", "assistant"]


def chat(number: int, heard: object, told: object, **fields: object) -> dict[str, object]:
    return span(
        number,
        gen_ai__operation__name="chat",
        gen_ai__input__messages=heard,
        gen_ai__output__messages=told,
        **fields,
    )


def flat(number: int, attributes: dict[str, object], **fields: object) -> dict[str, object]:
    """Return one span as the console exporter writes it."""
    context = {"trace_id": "0xt1", "span_id": f"0x{number}"}
    start = f"2026-01-01T00:00:0{number}Z"
    return {"name": "x", "context": context, "start_time": start, "attributes": attributes, **fields}


@pytest.mark.parametrize(
    "data",
    [
        lines(otlp(*SPANS)),
        pretty(otlp(*SPANS)),
        lines(*map(otlp, SPANS)),
        lines(*SPANS),
        pretty(list(SPANS)),
        lines(*reversed(SPANS)),
    ],
    ids=["an export", "indented", "an export a line", "a span a line", "a list of spans", "in any order"],
)
def test_every_shape_gives_the_same_conversation(data: bytes) -> None:
    recording = only(data)
    assert roles(recording) == WHOLE
    assert (recording.id, recording.messages[-1].text) == ("t1", ANSWER)


def test_spans_of_the_console_exporter_are_read_as_well() -> None:
    spans = [
        flat(1, {"gen_ai.input.messages": json.dumps(HEARD), "gen_ai.output.messages": json.dumps(CALLED)}),
        flat(
            2, {"gen_ai.operation.name": "execute_tool", "gen_ai.tool.call.id": "c1"}, status={"status_code": "ERROR"}
        ),
        flat(3, {"gen_ai.input.messages": RETURNED, "gen_ai.output.messages": TOLD}),
    ]
    recording = only(b"\n".join(map(pretty, spans)))
    assert roles(recording) == WHOLE
    assert [result.error for result in results(recording)] == [True]


def test_structure_may_be_written_as_structure() -> None:
    value = {
        "arrayValue": {
            "values": [
                {
                    "kvlistValue": {
                        "values": [
                            {"key": "role", "value": {"stringValue": "assistant"}},
                            {
                                "key": "parts",
                                "value": {
                                    "arrayValue": {
                                        "values": [
                                            {
                                                "kvlistValue": {
                                                    "values": [
                                                        {"key": "type", "value": {"stringValue": "text"}},
                                                        {"key": "content", "value": {"stringValue": ANSWER}},
                                                    ]
                                                }
                                            }
                                        ]
                                    }
                                },
                            },
                        ]
                    }
                }
            ]
        }
    }
    raw = {**span(1), "attributes": [{"key": "gen_ai.output.messages", "value": value}]}
    assert only(lines(raw)).messages[0].text == ANSWER


@pytest.mark.parametrize(
    ("fields", "error"),
    [
        ({"status": 2}, True),
        ({"status": 1}, False),
        ({"error__type": "TimeoutError"}, True),
        ({}, False),
    ],
)
def test_a_tool_failed_where_its_span_did(fields: dict[str, object], error: bool) -> None:
    tool = span(2, gen_ai__operation__name="execute_tool", gen_ai__tool__call__id="c1", **fields)
    [result] = results(only(lines(SPANS[0], tool, SPANS[2])))
    assert (result.text, result.error) == (FAILURE if not fields.get("error__type") else "TimeoutError", error)


def test_a_result_that_only_its_tool_tells_comes_after_the_call() -> None:
    tool = span(2, gen_ai__operation__name="execute_tool", gen_ai__tool__call__id="c1", gen_ai__tool__call__result="ok")
    recording = only(lines(SPANS[0], tool))
    assert roles(recording) == ["user", "assistant", "tool"]
    assert recording.messages[2].text == "ok"


def test_model_calls_that_tell_only_what_is_new_are_joined() -> None:
    assert roles(only(lines(chat(1, HEARD, CALLED), chat(2, RETURNED, TOLD)))) == WHOLE


def test_a_history_that_was_compacted_repeats_nothing() -> None:
    summary = [{"role": "user", "parts": [part("text", content="So far: tests ran.")]}]
    recording = only(lines(SPANS[0], chat(3, [*HEARD, *summary, *RETURNED], TOLD)))
    assert [message.text for message in recording.messages if message.role == "user"] == [ASK, "So far: tests ran."]


def test_system_instructions_are_a_message_and_stand_once() -> None:
    system = [part("text", content="Be brief.")]
    spans = [
        chat(1, HEARD, CALLED, gen_ai__system_instructions=system),
        chat(2, [*HEARD, *CALLED, *RETURNED], TOLD, gen_ai__system_instructions=system),
    ]
    assert roles(only(lines(*spans))) == ["system", *WHOLE]


def test_messages_of_older_conventions_are_read_from_events() -> None:
    function = {"id": "c1", "type": "function", "function": {"name": "run_tests", "arguments": "{}"}}
    events = [
        {"name": "gen_ai.user.message", "attributes": {"content": ASK}},
        {"name": "gen_ai.assistant.message", "attributes": {"tool_calls": json.dumps([function])}},
        {"name": "gen_ai.tool.message", "attributes": {"id": "c1", "content": FAILURE}},
        {"name": "gen_ai.choice", "attributes": {"message": json.dumps({"content": ANSWER})}},
    ]
    recording = only(lines(flat(1, {"gen_ai.operation.name": "chat"}, events=events)))
    assert roles(recording) == WHOLE
    assert (recording.messages[1].tool_calls[0].name, recording.messages[3].text) == ("run_tests", ANSWER)


def test_each_conversation_and_each_agent_is_a_run() -> None:
    spans = [
        chat(1, HEARD, TOLD, gen_ai__conversation__id="a"),
        chat(2, HEARD, TOLD, gen_ai__conversation__id="b"),
        chat(3, HEARD, TOLD, gen_ai__conversation__id="b", gen_ai__agent__name="helper"),
    ]
    assert [recording.id for recording in parsed(lines(*spans), source="x")] == ["a", "b", "b"]


def test_a_model_call_belongs_to_the_agent_above_it() -> None:
    agent = span(1, gen_ai__operation__name="invoke_agent", gen_ai__agent__name="helper", gen_ai__output__messages=TOLD)
    inside = {**chat(2, HEARD, TOLD), "parentSpanId": "s1"}
    outside = chat(3, HEARD, TOLD)
    assert [roles(recording) for recording in parsed(lines(agent, inside, outside), source="x")] == [
        ["user", "assistant"],
        ["user", "assistant"],
    ]


def test_spans_that_are_each_others_parents_are_read() -> None:
    first, second = chat(1, HEARD, CALLED), chat(2, RETURNED, TOLD)
    loop = [{**first, "parentSpanId": "s2"}, {**second, "parentSpanId": "s1"}]
    assert roles(only(lines(*loop))) == WHOLE


def test_spans_of_other_libraries_do_not_matter() -> None:
    other = span(9, http__request__method="GET")
    assert roles(only(lines(otlp(other, *SPANS, other)))) == WHOLE


def test_of_several_candidates_the_first_counts() -> None:
    other = {"role": "assistant", "parts": [part("text", content="Another.")]}
    assert [m.text for m in only(lines(chat(1, HEARD, [*TOLD, other]))).messages] == [ASK, ANSWER]


def test_spans_without_content_say_how_to_record_it() -> None:
    assert "capture of content" in refusal(lines(span(1, gen_ai__operation__name="chat")))


def test_traces_without_any_generative_ai_are_not_known() -> None:
    assert "not a known format" in refusal(lines(otlp(span(1, http__request__method="GET"))))
