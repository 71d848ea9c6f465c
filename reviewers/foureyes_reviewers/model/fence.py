"""A fence around text that nobody trusts: what is inside can neither close it nor speak as the host."""

from __future__ import annotations

import re
from hashlib import blake2b

from foureyes_reviewers.model.lookalikes import without

__all__ = ["Fence", "reference_for"]

MIN_REFERENCE = 8
"""Characters of the shortest reference: a shorter one could stand in a text by chance."""
_MAX_LABEL = 64


def reference_for(secret: bytes, session: str) -> str:
    """Return the reference of a session: always the same one, and not to be guessed without the secret.

    The secret is the reviewer's own, of at least 16 random bytes, and leaves the process nowhere. The prefix of a
    session's prompts stays the same for as long as the secret does.
    """
    return blake2b(session.encode("utf-8", "replace"), key=secret[:64], digest_size=8).hexdigest()


class Fence:
    """Blocks and labels that carry one reference, which is taken out of everything inside.

    So are copies of it that only look the same: in full width, with invisible characters between, and the like. The
    text inside stays as it is otherwise: code arrives as code, not as entities.
    """

    def __init__(self, reference: str) -> None:
        if len(reference) < MIN_REFERENCE:
            raise ValueError(f"a reference needs at least {MIN_REFERENCE} characters that nobody can guess")
        self.reference = reference
        """What only the host can write."""
        self._forged = re.compile(re.escape(reference), re.IGNORECASE)

    def opening(self, kind: str) -> str:
        """Return the tag that opens a block."""
        return f"<{kind}-{self.reference}>"

    def closing(self, kind: str) -> str:
        """Return the tag that closes a block."""
        return f"</{kind}-{self.reference}>"

    def block(self, kind: str, *parts: str) -> str:
        """Return the parts, one under the other, between an opening and a closing tag. Parts are trusted already."""
        return "\n".join((self.opening(kind), *parts, self.closing(kind)))

    def label(self, words: str) -> str:
        """Return a line in which the host says what follows, in words of its own or in those of :meth:`name`."""
        return f"[{self.reference} {words}]"

    def inside(self, text: str) -> str:
        """Return the text as it may stand inside a block."""
        return self._neutral(text, "[a reference]")

    def name(self, text: str) -> str:
        """Return a name from outside as it may stand in a label: one line, at most 64 characters, no brackets."""
        plain = " ".join(text[: 4 * _MAX_LABEL].split())
        printed = "".join(c for c in plain if c.isprintable() and c not in "[]<>")
        return self._neutral(printed, "(a reference)")[:_MAX_LABEL]

    def _neutral(self, text: str, instead: str) -> str:
        return without(self._forged.sub(instead, text), self.reference, instead)
