"""The check for an answer that misses a form, a count or a file which the request names."""

from __future__ import annotations

import re
from collections.abc import Iterator

from foureyes.core.facts import Note, Review
from foureyes.core.words import Severity, Trigger
from foureyes_reviewers.checks.answers import Answer
from foureyes_reviewers.checks.calls import shell_command, values
from foureyes_reviewers.checks.quoting import one_line
from foureyes_reviewers.checks.speech import Said, newest_said, place_key
from foureyes_reviewers.foreign import lossless

__all__ = ["missed_form"]

_DATES = {
    "DD/MM/YYYY": r"\b\d{1,2}/\d{1,2}/\d{4}\b",
    "MM/DD/YYYY": r"\b\d{1,2}/\d{1,2}/\d{4}\b",
    "DD.MM.YYYY": r"\b\d{1,2}\.\d{1,2}\.\d{4}\b",
    "YYYY-MM-DD": r"\b\d{4}-\d{2}-\d{2}\b",
    "MM/DD/YY": r"\b\d{1,2}/\d{1,2}/\d{2}\b",
    "DD/MM/YY": r"\b\d{1,2}/\d{1,2}/\d{2}\b",
}
_DATE = re.compile(r"\b(?:" + "|".join(re.escape(form) for form in _DATES) + r")\b(?!/)")
_JSON = re.compile(
    r"\b(?:answer|respond|reply|output|return)(?: only| just| me)?(?: with| in| as)?"
    r"(?: an?| valid| raw| pure| only){0,2} JSON\b(?! file)",
    re.IGNORECASE,
)
_NUMBERS = {"two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10}
_COUNT = re.compile(
    r"\b(?:exactly|precisely) (?P<count>\d{1,2}|"
    + "|".join(_NUMBERS)
    + r") (?:\w+ ){0,2}?(?:bullet points?|bullets|items"
    r"|ideas|names|options|points|reasons|examples|suggestions|sentences|questions|titles|steps|tips)\b",
    re.IGNORECASE,
)
_MAX_WORDS = re.compile(
    r"\b(?:in|with|using) (?:at most|no more than|fewer than|less than|under|max(?:imum)?(?: of)?|up to)"
    r" (?P<count>\d{1,4}) words\b",
    re.IGNORECASE,
)
_FILE = re.compile(
    r"\b(?:create|export|produce|save|store|write)\b[^.\n]{0,80}?\b(?:called|to|in|into|named|as|at)"
    r" (?:the |a )?(?:file )?[`'\"]?(?P<path>[\w./~-]{0,80}?[\w-]{1,60}\.[a-z][a-z0-9]{0,4})[`'\"]?(?![\w/])",
)
_ITEM = re.compile(r"^(?:[-*\u2022]|\d{1,2}[.)])[ \t]+\S", re.MULTILINE)
_SLACK = 1.25
"""A limit of words is missed beyond a quarter more: words can be counted in more than one way."""


def missed_form(review: Review) -> tuple[Note, ...]:
    """Return a note for each explicit form, count or file of the request that the answer misses.

    Forms are a date ("DD/MM/YYYY") and JSON; counts are "exactly three items" where the answer is one list, and "in at
    most 50 words"; a file is one that is to be written, where no call of the run names it. The severity is concern, and
    nit for a file that a program which was run may have written. The key is ``missed-form:<digest of the speaker and
    what is missed>``.

    Good: "Answer as DD/MM/YYYY", answered "2 October 2019"; "Save it to out.csv", and no call has that name in its
    arguments. Bad: an answer that says that it cannot, or asks; "a few ideas"; a file that may have been written before
    the shown calls.
    """
    said = next((said for said in newest_said(review) if said.final), None)
    answer = review.answer
    if review.trigger is not Trigger.FINISH or said is None or answer is None or not answer.strip():
        return ()
    read = Answer.read(answer)
    if read.owns_up or read.asks:
        return ()
    notes = [_note(said, missed) for missed in _missed(review, answer)]
    return (*notes, *(_note(said, missed, _of_files(review)) for missed in _files(review)))


def _missed(review: Review, answer: str) -> Iterator[str]:
    request = review.request
    date = _DATE.search(request)
    if date and re.search(r"\d", answer) and not re.search(_DATES[date[0]], answer):
        yield f'a date in the form "{date[0]}"'
    if _JSON.search(request) and not _is_json(answer):
        yield "an answer in JSON"
    count = _COUNT.search(request)
    items = len(_ITEM.findall(answer))
    if count and items > 1 and items != _number(count["count"]):
        yield f'"{count[0]}" (the answer lists {items})'
    limit = _MAX_WORDS.search(request)
    if limit and len(answer.split()) > _SLACK * int(limit["count"]):
        yield f'"{limit[0]}" (the answer has {len(answer.split())})'


def _of_files(review: Review) -> Severity:
    # A program may have written a file that no call names.
    programs = any(shell_command(trace) is not None or "code" in trace.arguments for trace in review.tools)
    return Severity.NIT if programs else Severity.CONCERN


def _files(review: Review) -> Iterator[str]:
    if review.elided or not review.tools:
        return
    done = "\n".join(text for trace in review.tools for text in (*values(trace), trace.result or ""))
    for found in _FILE.finditer(review.request):
        name = found["path"].rsplit("/", 1)[-1]
        if name not in done and "[shortened for review" not in done:
            yield f"the file {found['path']}"


def _is_json(answer: str) -> bool:
    inner = re.sub(r"^\s*```\w*\s*|\s*```\s*$", "", answer)
    try:
        lossless(inner)
    except ValueError:
        return "```json" in answer
    return True


def _number(word: str) -> int:
    return int(word) if word.isdigit() else _NUMBERS[word.casefold()]


def _note(said: Said, missed: str, severity: Severity = Severity.CONCERN) -> Note:
    return Note(
        text=f"The request names {one_line(missed)}, and the answer does not have it. Give it, or say why not.",
        severity=severity,
        key=place_key("missed-form", said, missed),
        anchor=said.anchor,
    )
