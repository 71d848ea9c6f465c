"""The words that say something of what stands before them: after one of these a label is the subject of its sentence.

"(a) Rows are lost" is an item of a list; in "(a) is lost" the item itself is what was found.
"""

from __future__ import annotations

from foureyes.core.wordlists import words_of

__all__ = ["DENYING", "PREDICATES"]

PREDICATES = words_of(
    """is isn are aren was wasn were weren be been being has hasn have haven had hadn do does doesn did didn can cannot
    couldn could will won would wouldn shall should shouldn may might must
    ist sind war waren wird werden wurde wurden hat haben hatte kann fehlt
    est sont était ont n manque es son está están fue tiene tienen ha han falta é são foi tem têm
    è sono manca heeft zijn"""
)
DENYING = words_of("not no never nicht kein keine nie ne pas jamais nunca não non niet geen не нет")
