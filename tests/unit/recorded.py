"""The same small run as each format records it, written by hand: a file is asked for, the test fails, the agent tells.

Every sample holds a human's request, a tool call that fails, and an answer.
"""

from __future__ import annotations

import json

from foureyes.core.facts import Message
from foureyes.replay.reading import parsed
from foureyes.replay.recording import Recording, RecordingError

ASK, ANSWER, FAILURE = "Run the tests.", "One test fails.", "1 failed, 2 passed"


def lines(*values: object) -> bytes:
    """Return a file with one JSON value a line."""
    return "".join(f"{json.dumps(value)}\n" for value in values).encode()


def pretty(value: object) -> bytes:
    """Return a file with one JSON value over many lines."""
    return json.dumps(value, indent=2).encode()


def only(data: bytes) -> Recording:
    """Return the one run of a file."""
    [recording] = parsed(data, source="run.json")
    return recording


def refusal(data: bytes) -> str:
    """Return what is said about the first thing in a file that cannot be read."""
    try:
        parsed(data, source="run.json")
    except RecordingError as error:
        return str(error)
    raise AssertionError("the file was read")


def roles(recording: Recording) -> list[str]:
    """Return the roles of all messages."""
    return [message.role for message in recording.messages]


def results(recording: Recording) -> list[Message]:
    """Return the results of tools."""
    return [message for message in recording.messages if message.role == "tool"]


CHAT: list[dict[str, object]] = [
    {"role": "user", "content": ASK},
    {
        "role": "assistant",
        "content": None,
        "tool_calls": [{"id": "c1", "type": "function", "function": {"name": "run_tests", "arguments": "{}"}}],
    },
    {"role": "tool", "tool_call_id": "c1", "content": f"Error: {FAILURE}"},
    {"role": "assistant", "content": ANSWER},
]

BLOCKS: list[dict[str, object]] = [
    {"role": "user", "content": ASK},
    {
        "role": "assistant",
        "content": [
            {"type": "thinking", "thinking": "Hm.", "signature": "x"},
            {"type": "text", "text": "I run them."},
            {"type": "tool_use", "id": "c1", "name": "run_tests", "input": {"path": "tests"}},
        ],
    },
    {
        "role": "user",
        "content": [
            {
                "type": "tool_result",
                "tool_use_id": "c1",
                "is_error": True,
                "content": [{"type": "text", "text": FAILURE}],
            }
        ],
    },
    {"role": "assistant", "content": [{"type": "text", "text": ANSWER}]},
]

TAU = [{"task_id": 7, "trial": 0, "reward": 0.0, "info": {"secret": "the truth"}, "traj": CHAT}]

LABELS = [
    {
        "trajectory_id": 7,
        "failures": [
            {"failure_id": 1, "step_number": 0, "step_reason": "a reason"},
            {"failure_id": 2, "step_number": 2, "step_reason": "a reason"},
        ],
        "root_cause": {"failure_id": 2, "reason_for_root_cause": "a reason"},
    }
]

CODE = "```python\nprint(1)\n```"
WHO_AND_WHEN = {
    "is_correct": False,
    "question": ASK,
    "question_ID": "q-1",
    "ground_truth": "the truth",
    "history": [
        {"role": "assistant", "name": "Tester", "content": ASK},
        {"role": "assistant", "name": "Tester", "content": f"Let us see.\n{CODE}"},
        {"role": "user", "name": "Computer_terminal", "content": f"exitcode: 1 (execution failed)\n{FAILURE}"},
        {"role": "user", "name": "Checker", "content": ANSWER},
        {"role": "assistant", "name": "Tester", "content": "TERMINATE"},
    ],
    "mistake_agent": "Checker",
    "mistake_step": "3",
    "mistake_reason": "a reason",
}

ATIF = {
    "schema_version": "ATIF-v1.2",
    "session_id": "s-1",
    "agent": {"name": "one", "version": "1"},
    "steps": [
        {"step_id": 1, "source": "user", "message": ASK},
        {"step_id": 2, "source": "agent", "message": "I run them.", "reasoning_content": "Hm."},
        {
            "step_id": 3,
            "source": "agent",
            "message": "",
            "tool_calls": [{"tool_call_id": "c1", "function_name": "bash", "arguments": {"command": "pytest"}}],
            "observation": {"results": [{"source_call_id": "c1", "content": FAILURE}]},
            "extra": {"tool_result_metadata": {"raw_tool_result": {"is_error": True}}},
        },
        {"step_id": 4, "source": "agent", "message": ANSWER},
    ],
    "final_metrics": {"total_steps": 4},
}


def claude(kind: str, message: dict[str, object], **fields: object) -> dict[str, object]:
    """Return one record of a Claude Code transcript."""
    return {"type": kind, "sessionId": "s-1", "isSidechain": False, "message": message, **fields}


CLAUDE = [
    {"type": "summary", "summary": "An earlier session", "leafUuid": "u0"},
    claude("user", {"role": "user", "content": ASK}, uuid="u1"),
    claude(
        "assistant", {"role": "assistant", "id": "m1", "content": [{"type": "text", "text": "I run them."}]}, uuid="u2"
    ),
    claude(
        "assistant",
        {
            "role": "assistant",
            "id": "m1",
            "content": [{"type": "tool_use", "id": "c1", "name": "Bash", "input": {"command": "pytest"}}],
        },
        uuid="u3",
    ),
    claude(
        "user",
        {
            "role": "user",
            "content": [{"type": "tool_result", "tool_use_id": "c1", "is_error": True, "content": FAILURE}],
        },
        uuid="u4",
    ),
    {"type": "attachment", "attachment": {"type": "hook_blocking_error"}},
    claude("assistant", {"role": "assistant", "id": "m2", "content": [{"type": "text", "text": ANSWER}]}, uuid="u5"),
]


def codex(**payload: object) -> dict[str, object]:
    """Return one response item of a Codex rollout."""
    return {"timestamp": "2026-01-01T00:00:00Z", "type": "response_item", "payload": payload}


def event(**payload: object) -> dict[str, object]:
    """Return one event of a Codex rollout."""
    return {"timestamp": "2026-01-01T00:00:00Z", "type": "event_msg", "payload": payload}


CODEX = [
    {"type": "session_meta", "payload": {"id": "s-1", "cwd": "/x"}},
    codex(type="message", role="user", content=[{"type": "input_text", "text": "<environment_context>x"}]),
    codex(type="message", role="user", content=[{"type": "input_text", "text": ASK}]),
    event(type="user_message", message=ASK),
    codex(type="reasoning", summary=[]),
    codex(type="message", role="assistant", content=[{"type": "output_text", "text": "I run them."}]),
    codex(type="function_call", name="shell", call_id="c1", arguments='{"command": ["pytest"]}'),
    event(type="token_count", info=None),
    codex(
        type="function_call_output",
        call_id="c1",
        output=json.dumps({"output": FAILURE, "metadata": {"exit_code": 2, "duration_seconds": 0.1}}),
    ),
    codex(type="message", role="assistant", content=[{"type": "output_text", "text": ANSWER}]),
]


def part(kind: str, **fields: object) -> dict[str, object]:
    """Return one part of a message of the conventions for generative AI."""
    return {"type": kind, **fields}


def attribute(key: str, value: object) -> dict[str, object]:
    """Return one attribute as OTLP writes it; structure as a text."""
    return {"key": key, "value": {"stringValue": value if isinstance(value, str) else json.dumps(value)}}


def span(number: int, *, status: int = 0, **attributes: object) -> dict[str, object]:
    """Return one span as OTLP writes it; ``__`` in the name of an attribute stands for a dot."""
    return {
        "traceId": "t1",
        "spanId": f"s{number}",
        "parentSpanId": "",
        "startTimeUnixNano": str(1_700_000_000_000_000_000 + number),
        "attributes": [attribute(name.replace("__", "."), value) for name, value in attributes.items()],
        "status": {"code": status},
    }


HEARD = [{"role": "user", "parts": [part("text", content=ASK)]}]
CALLED = [{"role": "assistant", "parts": [part("tool_call", id="c1", name="run_tests", arguments={"path": "tests"})]}]
RETURNED = [{"role": "tool", "parts": [part("tool_call_response", id="c1", response=FAILURE)]}]
TOLD = [{"role": "assistant", "parts": [part("text", content=ANSWER)], "finish_reason": "stop"}]

SPANS = [
    span(1, gen_ai__operation__name="chat", gen_ai__input__messages=HEARD, gen_ai__output__messages=CALLED),
    span(2, status=2, gen_ai__operation__name="execute_tool", gen_ai__tool__call__id="c1"),
    span(
        3,
        gen_ai__operation__name="chat",
        gen_ai__input__messages=[*HEARD, *CALLED, *RETURNED],
        gen_ai__output__messages=TOLD,
    ),
]


def otlp(*spans: object) -> dict[str, object]:
    """Return an export of OTLP with these spans."""
    return {"resourceSpans": [{"resource": {}, "scopeSpans": [{"scope": {}, "spans": list(spans)}]}]}


SAMPLES: dict[str, bytes] = {
    "OpenAI chat messages": lines(*CHAT),
    "Anthropic messages": pretty({"system": "Be brief.", "messages": BLOCKS}),
    "tau-bench or AgentRx results": pretty(TAU),
    "Who&When": pretty(WHO_AND_WHEN),
    "ATIF": pretty(ATIF),
    "Claude Code transcript": lines(*CLAUDE),
    "Codex rollout": lines(*CODEX),
    "OpenTelemetry GenAI spans": lines(otlp(*SPANS)),
}
"""A good file of each format."""
