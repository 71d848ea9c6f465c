"""From the text of a file to the JSON values in it, one after the other, without holding more than one of them.

Which kind of file it is (one value, one a line, several after each other) is never asked for and never guessed from
the name: values are read until the file ends. The items of an outermost array come one by one, since such an array
may hold ten thousand runs.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TextIO

from foureyes.replay.recording import RecordingError

__all__ = ["Broken", "Entry", "decoded"]

_CHUNK = 1 << 18
"""Characters that are read at a time: small beside a run, large beside a system call."""
_NEAR = 16
"""An error so near to the end of what was read may come from the rest being unread: the longest literal and number."""
_DECODER = json.JSONDecoder()
_BLANKS = re.compile(r"[ \t\r\n]*")
_NEXT_VALUE = re.compile(r"\n(?=[{\[])")
"""Where to go on after a broken value: a line that begins one. In an indented document no inner line does."""
_NOT_UTF8 = re.compile("[\udc80-\udcff]")
"""What bytes that are no UTF-8 become when they are read with ``surrogateescape``; text cannot hold it otherwise."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One JSON value of a file, or one item of an outermost array."""

    value: object
    line: int
    """The line on which it begins, from 1."""
    number: int | None = None
    """Its number in the outermost array, from 1. None for a value of its own; an empty array is one."""
    array: int | None = None
    """Which value of the file that array is, from 0; None for a value of its own."""

    def place(self, kind: str) -> str:
        """Return how to find it again: ``message 3`` with the kind given, or ``line 3``."""
        return f"line {self.line}" if self.number is None else f"{kind} {self.number}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Broken:
    """A place in a file where no JSON value can be read."""

    error: RecordingError
    """What is wrong and where, without the name of the file."""
    array: int | None = None
    """The outermost array that ends here because of it; None where it is a value of its own."""


def decoded(file: TextIO) -> Iterator[Entry | Broken]:
    """Yield the values of the file in order, and for each that cannot be read what is wrong.

    After an error reading goes on at the next line that begins with a bracket; inside an array there is no such
    place, so its error ends the array. The file must be open with ``errors="surrogateescape"``; a value with bytes
    that are no UTF-8 is an error. A file without anything in it yields one error.
    """
    text = _Text(file)
    values = 0
    while first := text.next_character():
        array = values if first == "[" else None
        values += 1
        try:
            yield from (text.entry(),) if array is None else _items(text, array)
        except RecordingError as error:
            yield Broken(error=error, array=array)
            text.skip_to_next_value()
    if not values:
        yield Broken(error=RecordingError("the file is empty", cure="record the run again"))


def _items(text: _Text, array: int) -> Iterator[Entry]:
    line, number = text.line, 0
    text.step()
    if text.next_character() == "]":
        yield Entry(value=[], line=line)
    else:
        while not number or text.separator():
            number += 1
            yield text.entry(number=number, array=array)
    text.step()


class _Text:
    """A window on the text of a file that moves forward only."""

    def __init__(self, file: TextIO) -> None:
        self._file = file
        self._buffer, self._at, self._column = "", 0, 0
        self._untried = False
        self.line = 1

    def next_character(self) -> str:
        """Return the next character that is no blank, without taking it; "" at the end of the file."""
        while True:
            self._advance(self._end_of_blanks())
            if self._at < len(self._buffer):
                return self._buffer[self._at]
            if not self._more():
                return ""

    def step(self) -> None:
        """Take one character."""
        self._at += 1

    def separator(self) -> bool:
        """Take the comma after an item of an array; False where the array ends instead."""
        if self.next_character() == "]":
            return False
        if self.next_character() != ",":
            self._untried = self._begins_line()
            raise self._wrong("',' or ']' is missing", self._at)
        self.step()
        self.next_character()
        return True

    def entry(self, *, number: int | None = None, array: int | None = None) -> Entry:
        """Take the value that begins here."""
        line = self.line
        return Entry(value=self._value(), line=line, number=number, array=array)

    def skip_to_next_value(self) -> None:
        """Go to the next line that begins a value, or to the end of the file. Stays where none has been tried yet."""
        if self._untried:
            self._untried = False
            return
        while (found := _NEXT_VALUE.search(self._buffer, self._at)) is None:
            # The last character stays: a line end whose bracket has not been read yet.
            self._advance(max(self._at, len(self._buffer) - 1))
            if not self._more():
                self._advance(len(self._buffer))
                return
        self._advance(found.end())

    def _value(self) -> object:
        while True:
            try:
                value, end = _DECODER.raw_decode(self._buffer, self._at)
            except json.JSONDecodeError as error:
                if self._may_go_on(error) and self._more():
                    continue
                raise self._broken(error) from None
            except (RecursionError, ValueError) as error:
                raise self._unreadable(error) from None
            if end >= len(self._buffer) - _NEAR and isinstance(value, int | float) and self._more():
                continue  # more digits, or an exponent, may follow
            self._refuse_foreign_bytes(end)
            self._advance(end)
            return value

    def _may_go_on(self, error: json.JSONDecodeError) -> bool:
        return error.msg.startswith("Unterminated string") or error.pos >= len(self._buffer) - _NEAR

    def _refuse_foreign_bytes(self, end: int) -> None:
        if not self._buffer.isascii() and _NOT_UTF8.search(self._buffer, self._at, end):
            raise self._not_utf8()

    def _broken(self, error: json.JSONDecodeError) -> RecordingError:
        if _NOT_UTF8.search(self._buffer, self._at, min(len(self._buffer), error.pos + 2)):
            return self._not_utf8()
        rest = self._buffer[error.pos :]
        unclosed = error.msg.startswith("Unterminated string") and "\n" not in rest.rstrip()
        if not rest.strip() or unclosed:
            where = self._where(error.pos)
            return RecordingError("the file ends in the middle of a value", place=where, cure="copy or record it again")
        return self._wrong(error.msg, error.pos)

    def _wrong(self, what: str, at: int) -> RecordingError:
        if at >= len(self._buffer):
            return RecordingError(
                "the file ends in the middle of a value", place=self._where(at), cure="copy or record it again"
            )
        return RecordingError(f"not JSON ({what})", place=self._where(at), cure="repair or remove the broken line")

    def _unreadable(self, error: Exception) -> RecordingError:
        reason = "too deeply nested" if isinstance(error, RecursionError) else "a number with too many digits"
        return RecordingError(
            f"JSON that cannot be read: {reason}", place=f"line {self.line}", cure="record the run again"
        )

    def _not_utf8(self) -> RecordingError:
        return RecordingError("not UTF-8 text", place=f"line {self.line}", cure="save it as UTF-8 JSON")

    def _begins_line(self) -> bool:
        before = self._buffer[self._at - 1 : self._at]
        return self._buffer[self._at : self._at + 1] in ("{", "[") and (before == "\n" or not (before or self._column))

    def _where(self, at: int) -> str:
        line = self.line + self._buffer.count("\n", self._at, at)
        start = self._buffer.rfind("\n", 0, at)
        column = at - start if start >= 0 else at + self._column + 1
        return f"line {line}, column {column}"

    def _end_of_blanks(self) -> int:
        found = _BLANKS.match(self._buffer, self._at)
        return found.end() if found else self._at

    def _advance(self, end: int) -> None:
        self.line += self._buffer.count("\n", self._at, end)
        self._at = end

    def _more(self) -> bool:
        # At least as much again as is waiting, so that a long value is not looked at once per chunk.
        read = self._file.read(max(_CHUNK, len(self._buffer) - self._at))
        if not read:
            return False
        gone = self._buffer[: self._at]
        last = gone.rfind("\n")
        self._column = len(gone) - last - 1 if last >= 0 else self._column + len(gone)
        self._buffer, self._at = self._buffer[self._at :] + read, 0
        return True
