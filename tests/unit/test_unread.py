"""How much of a transcript is new to a reviewer."""

from __future__ import annotations

import pytest

from foureyes.core.messages import mark
from foureyes.core.unread import unread

RUN = [{"role": "user", "content": f"message {number}"} for number in range(5)]


@pytest.mark.parametrize(("read", "new"), [(0, 5), (1, 4), (4, 1), (5, 0)])
def test_what_came_after_the_messages_that_were_read_is_new(read: int, new: int) -> None:
    assert unread(RUN, read, mark(RUN, read)) == unread(RUN, read) == new


def test_of_a_transcript_that_has_become_shorter_everything_is_new() -> None:
    assert unread(RUN, 6, 7) == 5


def test_of_a_transcript_that_was_rewritten_everything_is_new() -> None:
    assert unread(RUN, 3, mark(RUN, 3) + 1) == 5
    assert unread([*RUN[:2], {"role": "user", "content": "summary"}, *RUN[3:]], 3, mark(RUN, 3)) == 5
