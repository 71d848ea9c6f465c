"""What a model thought, apart from what it said."""

from __future__ import annotations

import re

__all__ = ["without_thinking"]

_NAMES = "(?:seed:)?think|thinking|thoughts?|reasoning|reflection|scratchpad|analysis"
_OPEN = rf"[<◁](?:{_NAMES})[>▷]|\[(?-i:THINK)\]|<\|channel\|>(?:analysis|commentary)|<\|begin_of_thought\|>"
_CLOSE = rf"[<◁]/(?:{_NAMES})[>▷]|\[/(?-i:THINK)\]|<\|channel\|>final(?:<\|message\|>)?|<\|end_of_thought\|>"
_TAG = re.compile(
    # In the middle of a line the name of a tag is a word that the model speaks about.
    rf"(?:^[ \t]*|(?<=[>▷\]]))(?P<open>{_OPEN})|(?P<close>{_CLOSE})",
    re.IGNORECASE | re.MULTILINE,
)


def without_thinking(text: str) -> tuple[str, bool]:
    """Return what is left without thinking blocks, and whether the text ends inside one.

    A block that is never closed reaches to the end. A closing tag that nothing opened ends thinking that began before
    the text: some chat templates write the opening tag themselves. Takes linear time.
    """
    kept: list[str] = []
    start, inside = 0, False
    for tag in _TAG.finditer(text):
        if tag["open"] is None:
            kept = kept if inside else []
            start, inside = tag.end(), False
        elif not inside:
            kept.append(text[start : tag.start()])
            inside = True
    return "".join(kept if inside else [*kept, text[start:]]), inside
