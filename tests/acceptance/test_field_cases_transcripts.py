"""What went wrong in other systems between a transcript and its reviewer: each case from the file to the review."""

from __future__ import annotations

import json
import re

import pytest

from foureyes.core.config import ReviewerConfig
from foureyes.core.facts import Review
from foureyes.core.words import Disposition
from foureyes.replay.driver import replay
from foureyes.replay.reading import parsed
from foureyes.replay.run import ReplayedRun
from foureyes.testing import ScriptedReviewer, note

pytestmark = pytest.mark.anyio

ASK = {"role": "user", "content": "Fix the query."}
IMAGE = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "A" * 46_424}}
CALL = {"type": "tool_use", "id": "c1", "name": "read_file", "input": {"path": "a.py"}}


def message(role: str, *blocks: object) -> dict[str, object]:
    return {"role": role, "content": list(blocks)}


def returned(text: object) -> dict[str, object]:
    return message("user", {"type": "tool_result", "tool_use_id": "c1", "content": text})


async def reviewed(*messages: object) -> Review:
    """Return what a reviewer is told at the last turn of a recorded run."""
    reviewer = ScriptedReviewer()
    await replayed(reviewer, *messages)
    return reviewer.reviews[-1]


async def replayed(reviewer: ScriptedReviewer, *messages: object) -> ReplayedRun:
    [recording] = parsed(json.dumps(messages).encode(), source="run.json")
    return await replay(recording, [ReviewerConfig(name="one", reviewer=reviewer, interval_turns=1)])


async def test_what_was_shortened_for_the_review_is_not_taken_for_a_cut_that_the_agent_made() -> None:
    whole = "\n".join(f"line {number}" for number in range(2_000))
    review = await reviewed(ASK, message("assistant", CALL), returned(whole))
    shown = review.messages[-1].text
    marked = re.search(r"\n\[shortened for review: (\d+) characters left out\]\n", shown)
    assert marked
    assert len(shown) - len(marked[0]) + int(marked[1]) == len(whole)
    assert "[shortened for review: " in (review.tools[-1].result or "")
    assert not re.search("truncated|elided|omitted", shown + (review.tools[-1].result or ""))


async def test_the_last_line_of_a_long_output_is_shown() -> None:
    log = "PASSED tests/test_x.py\n" * 2_200 + "412 passed"
    review = await reviewed(ASK, message("assistant", CALL), returned(log))
    assert review.messages[-1].text.endswith("\n412 passed")
    assert (review.tools[-1].result or "").endswith("\n412 passed")


async def test_tool_calls_images_thinking_and_empty_texts_reach_a_reviewer_as_plain_text() -> None:
    review = await reviewed(
        ASK,
        message("assistant", {"type": "thinking", "thinking": "Hm."}, {"type": "text", "text": "I look."}, CALL),
        returned([{"type": "text", "text": "found"}, IMAGE]),
        message("assistant", {"type": "text", "text": ""}),
        message("assistant", {"type": "text", "text": "Done."}),
    )
    assert [said.text for said in review.messages] == [
        "Fix the query.",
        "[thinking]\nI look.",
        "found\n[image, 34 KB]",
        "",
        "Done.",
    ]
    assert [(tool.name, tool.result) for tool in review.tools] == [("read_file", "found\n[image, 34 KB]")]


async def test_an_image_alone_is_a_placeholder_with_its_kind_and_size() -> None:
    review = await reviewed(message("user", IMAGE), message("assistant", CALL), returned("x"))
    assert review.messages[0].text == review.request == "[image, 34 KB]"


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("users.py:42 - f-string in SQL", "orders.py:42 - f-string in SQL"),
        ("missing await in save_user", "missing await in save_order"),
    ],
    ids=["another file", "another symbol"],
)
async def test_a_note_about_another_place_in_the_same_words_is_a_new_one(first: str, second: str) -> None:
    turn = [message("assistant", CALL), returned("x")]
    run = await replayed(ScriptedReviewer([note(first)], [note(second)]), ASK, *turn, *turn)
    assert [judged.disposition for step in run.steps for judged in step.notes] == [Disposition.ADMITTED] * 2
