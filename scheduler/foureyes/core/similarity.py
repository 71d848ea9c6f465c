"""When two notes say the same thing: equal folds have equal digests, and a digest is all that a history keeps."""

from __future__ import annotations

from hashlib import blake2b

from foureyes.core.folding import folded

__all__ = ["digest", "folded"]


def digest(kind: str, text: str) -> int:
    """Return a 63-bit digest of the text; equal texts of different kinds have different digests."""
    raw = blake2b(text.encode("utf-8", "replace"), digest_size=8, person=kind.encode()).digest()
    return int.from_bytes(raw, "big") >> 1
