"""What reviewers of other systems were shown, or were not, as users have reported it.

A real server stands for the provider: what it is sent is what a reviewer sees. Each docstring cites where it was
reported.
"""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from foureyes.core.words import ApiProtocol, OutcomeKind, SkipReason
from foureyes.guidance import Guidance
from foureyes.scheduler import ReviewScheduler
from foureyes.testing import run_turns, turn_messages

from .model_reviewers import TASK, config, kinds, notes, skipped
from .model_server import Exchange, ModelServer, Request, answer

pytestmark = pytest.mark.anyio

QUIET, NOTED = OutcomeKind.QUIET, OutcomeKind.NOTED


def record(request: Request) -> str:
    """Return what was sent beside the rules: the part that tells of the run."""
    said = [message["content"] for message in request.body["messages"] if message["role"] != "system"]
    parts = [
        part if isinstance(part, str) else part["text"] for one in said for part in ([one], one)[type(one) is list]
    ]
    return "\n\n".join(parts)


async def shown(server: ModelServer, messages: list[Any], **settings: Any) -> str:
    """Return the record that one review of these messages is sent, after which all is well."""
    async with ReviewScheduler([config(server, **settings)]) as scheduler:
        guidance = await (await scheduler.session("s", request="Do the work.")).boundary(messages)
    assert kinds(guidance) == [QUIET]
    [request] = server.requests
    return record(request)


def calling(number: int, result: object) -> list[dict[str, Any]]:
    """Return a turn whose call has this result."""
    call, told = turn_messages(number)
    return [call, told | {"content": result}]


# --- what is cut ---

SHORTENED = re.compile(r"\[shortened for review: (\d+) characters left out]")


@pytest.mark.parametrize("length", [20 * 1_024, 9 * 1_024])
async def test_our_own_cut_tells_how_long_the_result_was_and_looks_like_nobody_elses(
    length: int, server: ModelServer
) -> None:
    """https://github.com/can1357/oh-my-pi/issues/12777"""
    lines = "".join(f"{place:08}\n" for place in range(length // 9 - 1))
    log = lines + "x" * (length - len(lines))
    seen = await shown(server, [TASK, *calling(1, log)], evidence={"max_chars": 2_048})
    block = seen[seen.index("<transcript-") : seen.index("</transcript-")]
    before, missing, after = SHORTENED.split(block)
    head, tail = before[before.index("00000000") :], after.strip("\n").splitlines()[-1]
    kept = head.removesuffix("\n") + after.removeprefix("\n").rstrip("\n")
    assert (head[:18], tail) == ("00000000\n00000001\n", "x" * (length - len(lines)))
    assert len(kept) + int(missing) == len(log)
    assert len(kept) < 2_048
    assert "truncated" not in seen.casefold()


async def test_the_mark_of_a_cut_survives_where_secrets_are_taken_out(server: ModelServer) -> None:
    """https://github.com/can1357/oh-my-pi/issues/12778"""
    secret = "PASSWORD=planted-Wq3ZtR8v-of-nobody\n"
    seen = await shown(server, [TASK, *calling(1, secret + "a line of it\n" * 2_000 + secret)])
    assert len(SHORTENED.findall(seen)) == 1
    assert "planted" not in seen
    assert seen.count("PASSWORD=") == 2


async def test_the_last_line_of_a_long_log_is_shown_in_every_window(server: ModelServer) -> None:
    """https://github.com/NousResearch/hermes-agent/issues/70699"""
    log = "collected one more\n" * (50 * 1_024 // 19) + "412 passed"
    for evidence in ({}, {"max_chars": 2_048}, {"max_messages": 1}):
        server.requests.clear()
        assert "412 passed" in await shown(server, [TASK, *calling(1, log)], evidence=evidence)


async def test_the_last_turn_is_whole_behind_older_ones_that_would_fill_the_window(server: ModelServer) -> None:
    """https://github.com/NousResearch/hermes-agent/issues/70701"""
    older = [message for turn in range(1, 30) for message in calling(turn, f"old {turn} " + "y" * 3_900)]
    last = "".join(f"row {place}\n" for place in range(400))
    seen = await shown(server, [TASK, *older, *calling(30, last)])
    assert last.strip() in seen
    assert "y" * 3_900 in seen
    assert "not shown" in seen


# --- blocks ---


def picture(kilobytes: int) -> dict[str, Any]:
    """Return an image of this size."""
    data = "A" * (kilobytes * 1_024 * 4 // 3)
    return {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{data}"}}


async def test_whatever_blocks_a_history_holds_the_record_is_text_with_placeholders(
    server: ModelServer, protocol: ApiProtocol
) -> None:
    """https://github.com/anthropics/claude-code/issues/76189: every smoke test without tools passed."""
    call = {"id": "c1", "type": "function", "function": {"name": "look_at", "arguments": '{"page": 3}'}}
    messages = [
        TASK,
        {"role": "assistant", "content": "", "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "c1", "content": [{"type": "text", "text": "seen"}, picture(34)]},
        {"role": "tool", "tool_call_id": "c2", "content": "no such page", "is_error": True},
        {"role": "assistant", "content": [{"type": "thinking", "thinking": "between us"}]},
        {"role": "assistant", "content": ""},
        {"role": "assistant", "content": None},
        {"role": "assistant", "content": [{"type": "text", "text": ""}]},
    ]
    seen = await shown(server, messages, protocol=protocol)
    for part in ('{"page": 3}', "look_at", "seen", "[image, 34 KB]", "no such page", "FAILED", "[thinking]"):
        assert part in seen
    assert "between us" not in seen
    assert "AAAA" not in seen
    body = json.dumps(server.requests[0].body)
    for block in ("image_url", "tool_use", "tool_result", '"tool_calls"', '"role": "tool"'):
        assert block not in body


async def test_a_request_that_is_nothing_but_a_picture_is_told_with_its_size(
    server: ModelServer, protocol: ApiProtocol
) -> None:
    """https://github.com/openai/codex/pull/11346"""
    messages = [{"role": "user", "content": [picture(34)]}, *calling(1, "a cat")]
    seen = await shown(server, messages, protocol=protocol)
    assert "[image, 34 KB]" in seen
    for message in server.requests[0].body["messages"]:
        parts = [message["content"]] if isinstance(message["content"], str) else message["content"]
        assert all((part if isinstance(part, str) else part["text"]).strip() for part in parts)


# --- who spoke, and what is new ---


async def test_delivered_advice_is_nobodys_request(server: ModelServer) -> None:
    """https://github.com/NousResearch/hermes-agent/issues/58039"""
    server.plays(notes(("concern", "The lock is never given back.")), answer())
    messages: list[Any] = [{"role": "user", "content": "Sum up the refunds."}]
    async with ReviewScheduler([config(server, max_rounds=2)]) as scheduler:
        session = await scheduler.session("s")
        guidances = await run_turns(session, 2, messages=messages, answers=["They are 412."])
        state = session.state
    assert [guidance.messages != [] for guidance in guidances] == [True, False, False]
    assert (state.request, state.request_text) == (1, "Sum up the refunds.")
    seen = record(server.requests[-1])
    advice = guidances[0].messages[0]["content"]
    label, _, after = seen.partition(advice.splitlines()[0])[0].rpartition("\n[")
    assert after.partition("]")[0].endswith("automated message, not from the human")
    assert label
    assert len(re.findall(r"^\[\S+ (?:#\d+ )?human]$", seen, re.MULTILINE)) == 1
    assert [message["content"] for message in messages if message["role"] == "tool"] == ["result 1", "result 2"]


async def test_what_reviewers_said_makes_no_review_while_the_agent_does_nothing(server: ModelServer) -> None:
    """https://github.com/omdsh-dev/dsh-advisor/issues/6"""

    def echoes(exchange: Exchange) -> None:
        notes(("concern", f"I am shown {len(exchange.request.text)} characters of it."))(exchange)

    for model in ("a", "b"):
        server.plays(echoes, model=model)
    messages: list[Any] = [TASK, *turn_messages(1)]
    guidances: list[Guidance] = []
    async with ReviewScheduler([config(server, name, model=name) for name in "ab"]) as scheduler:
        session = await scheduler.session("s", request="Do the work.")
        for _ in range(4):
            guidances.append(await session.boundary(messages))
            messages += guidances[-1].messages
    assert kinds(*guidances) == [NOTED] * 2
    assert skipped(*guidances[1:]) == [SkipReason.NOTHING_NEW] * 6
    assert len(server.requests) == 2


async def test_what_the_agent_did_first_in_a_turn_is_shown_as_what_it_did_last(server: ModelServer) -> None:
    """https://github.com/NVIDIA-NeMo/Guardrails/issues/1413"""
    first = [TASK, *turn_messages(1)]
    said = ["I have DELETED the ledger.", "Now the report.", "The report is written."]
    second = [*first, *({"role": "assistant", "content": text} for text in said)]
    async with ReviewScheduler([config(server)]) as scheduler:
        session = await scheduler.session("s", request="Do the work.")
        await session.boundary(first)
        await session.boundary(second)
    seen = record(server.requests[1])
    places = [seen.index(text) for text in said]
    assert places == sorted(places)
    assert seen.index("result 1") < places[0]
