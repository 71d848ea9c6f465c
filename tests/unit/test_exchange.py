"""A review as JSON, and what is made of the JSON that comes back."""

from __future__ import annotations

import json
from importlib.resources import files
from math import inf, nan
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from foureyes.charging import Meter, metered
from foureyes.core.facts import Anchor, EarlierNote, Message, Note, Review, Spend, ToolCall, ToolTrace, Usage
from foureyes.core.words import OutcomeKind, Severity, Trigger
from foureyes.errors import (
    ContextOverflowError,
    MisconfiguredError,
    QuotaExhaustedError,
    RateLimitedError,
    RefusedError,
    ReviewerError,
    TransientReviewerError,
    UnparsedReplyError,
)
from foureyes_reviewers.exchange import Exchange
from foureyes_reviewers.redaction import Redactor

SECRET = "correct-horse-battery-9"  # no pattern knows it: it is secret because the process says so


def schema(name: str) -> Draft202012Validator:
    """Return the validator of a schema that ships."""
    text = (files("foureyes_reviewers") / "schema" / f"{name}.json").read_text("utf-8")
    Draft202012Validator.check_schema(json.loads(text))
    return Draft202012Validator(json.loads(text))


def review(**facts: Any) -> Review:
    """Return a review in which everything is there."""
    given: dict[str, Any] = {
        "session": "ticket-4711",
        "reviewer": "correctness",
        "trigger": Trigger.FINISH,
        "turn": 7,
        "since": 4,
        "round": 1,
        "request": "Rename the table.",
        "messages": (
            Message(role="user", text="Rename the table.", human=True),
            Message(role="assistant", tool_calls=(ToolCall(id="c1", name="bash", arguments='{"cmd": "ls"}'),)),
            Message(role="tool", text="no such file", name="bash", call_id="c1", error=True),
        ),
        "elided": 2,
        "tools": (ToolTrace(name="bash", arguments="{}", result=None, error=True, call_id="c1"),),
        "answer": "Done \N{EM DASH} renamed.",
        "earlier": (EarlierNote(text="Nothing was renamed.", severity=Severity.CONCERN, turn=4, key="rename"),),
        "new": 3,
        "max_notes": 5,
        "permitted": "May write files.",
        "timeout_seconds": 9.5,
        "attempt": 2,
    }
    return Review(**(given | facts))


def exchange(*secrets: str, **facts: Any) -> Exchange:
    """Return the exchange about a review, with a redactor that knows these secrets."""
    return Exchange(review(**facts), Redactor(secrets))


def asked(one: Exchange) -> dict[str, Any]:
    """Return what is sent, read again."""
    document: dict[str, Any] = json.loads(one.asked())
    return document


def answered(document: object) -> Any:
    """Return what is made of a document that came back."""
    return exchange().answered(document if isinstance(document, bytes) else json.dumps(document).encode())


# --- the review ---


def test_a_review_is_sent_as_what_it_is() -> None:
    assert asked(exchange()) == {
        "version": 1,
        "key": review().key,
        "session": "ticket-4711",
        "reviewer": "correctness",
        "trigger": "finish",
        "turn": 7,
        "since": 4,
        "round": 1,
        "request": "Rename the table.",
        "messages": [
            {
                "role": "user",
                "text": "Rename the table.",
                "name": "",
                "tool_calls": [],
                "call_id": "",
                "error": False,
                "human": True,
            },
            {
                "role": "assistant",
                "text": "",
                "name": "",
                "tool_calls": [{"id": "c1", "name": "bash", "arguments": '{"cmd": "ls"}'}],
                "call_id": "",
                "error": False,
                "human": None,
            },
            {
                "role": "tool",
                "text": "no such file",
                "name": "bash",
                "tool_calls": [],
                "call_id": "c1",
                "error": True,
                "human": None,
            },
        ],
        "elided": 2,
        "tools": [{"name": "bash", "arguments": "{}", "result": None, "error": True, "call_id": "c1"}],
        "new": 3,
        "answer": "Done \N{EM DASH} renamed.",
        "earlier": [{"text": "Nothing was renamed.", "severity": "concern", "turn": 4, "key": "rename"}],
        "max_notes": 5,
        "permitted": "May write files.",
        "timeout_seconds": 9.5,
        "attempt": 2,
    }


@pytest.mark.parametrize(
    "facts", [{}, {"messages": (), "tools": (), "earlier": (), "answer": None, "elided": 0, "new": None}]
)
def test_what_is_sent_keeps_to_the_schema_that_ships(facts: dict[str, Any]) -> None:
    schema("review").validate(asked(exchange(**facts)))


def named(document: object, place: str = "") -> set[str]:
    """Return the paths of all fields in a document, list items counted as one."""
    if isinstance(document, list):
        return {path for one in document for path in named(one, place)}
    if not isinstance(document, dict):
        return set()
    here = {f"{place}{name}" for name in document}
    return here | {path for name, one in document.items() for path in named(one, f"{place}{name}.")}


def promised(rule: dict[str, Any], rules: dict[str, Any], place: str = "") -> set[str]:
    """Return the same paths as a schema has them."""
    while "$ref" in rule or "items" in rule:
        rule = rules[rule["$ref"].rpartition("/")[2]] if "$ref" in rule else rule["items"]
    here = {f"{place}{name}": one for name, one in rule.get("properties", {}).items()}
    return set(here) | {path for name, one in here.items() for path in promised(one, rules, f"{name}.")}


def test_the_schema_names_every_field_that_is_sent_and_no_other() -> None:
    rules: Any = schema("review").schema
    assert promised(rules, rules["$defs"]) == named(asked(exchange()))


def test_what_is_sent_is_one_line_of_ascii() -> None:
    sent = exchange(request="zwei\nZeilen \N{SNOWMAN}").asked()
    assert sent.isascii()
    assert sent.endswith(b"\n")
    assert sent.count(b"\n") == 1


@pytest.mark.parametrize(
    "facts",
    [
        {"request": f"Log in with {SECRET}."},
        {"messages": (Message(role="user", text=SECRET),)},
        {"messages": (Message(role="tool", name=f"tool {SECRET}"),)},
        {"messages": (Message(role="assistant", tool_calls=(ToolCall(name="b", arguments=f"-p {SECRET}"),)),)},
        {"tools": (ToolTrace(name="b", arguments=SECRET),)},
        {"tools": (ToolTrace(name="b", result=f"x{SECRET}x"),)},
        {"tools": (ToolTrace(name="b", call_id=SECRET),)},
        {"answer": f"It is {SECRET}"},
        {"earlier": (EarlierNote(text=f"Never print {SECRET}", severity=Severity.NIT, turn=1),)},
        {"earlier": (EarlierNote(text="x", severity=Severity.NIT, turn=1, key=SECRET),)},
        {"session": f"user {SECRET}"},
    ],
    ids=lambda facts: next(iter(facts)),
)
def test_a_secret_is_nowhere_in_what_is_sent(facts: dict[str, Any]) -> None:
    one = exchange(SECRET, **facts)
    assert SECRET.encode() not in one.asked()
    assert SECRET not in one.key
    schema("review").validate(asked(one))


def test_two_sessions_stay_two_although_both_ids_hold_the_same_secret() -> None:
    keys = [exchange(SECRET, session=f"{SECRET}-{number}").key for number in (1, 2)]
    assert len(set(keys)) == 2
    assert keys == [exchange(SECRET, session=f"{SECRET}-{number}").key for number in (1, 2)]


# --- the reply ---


def test_a_reply_is_read_with_all_that_belongs_to_it() -> None:
    document = {
        "version": 1,
        "notes": [
            {
                "text": "The old name is still used.",
                "severity": "blocker",
                "key": "old-name",
                "subject": "work",
                "anchor": {"turn": 3, "call": "c1", "path": "db.py:4"},
            },
            {"text": "Add a comment."},
        ],
        "resolved": ["rename"],
        "malformed": 2,
        "usage": {"input_tokens": 120, "cached_tokens": 100, "output_tokens": 30, "cost_usd": 0.25},
    }
    schema("reply").validate(document)
    reply = answered(document)
    assert reply.notes == (
        Note(
            text="The old name is still used.",
            severity=Severity.BLOCKER,
            key="old-name",
            anchor=Anchor(turn=3, call="c1", path="db.py:4"),
        ),
        Note(text="Add a comment."),
    )
    assert (reply.resolved, reply.malformed) == (("rename",), 2)
    assert reply.usage == Usage(input_tokens=120, cached_tokens=100, output_tokens=30, cost_usd=0.25)


@pytest.mark.parametrize(
    "said",
    [
        b'{"notes": []}',
        b"[]",
        b'\xef\xbb\xbf{"notes": []}\r\n',
        '{"notes": []}'.encode("utf-16"),
        b'{"notes": [], "error": null, "usage": null}',
        b'{"notes": [], "later": {"version": 2}}',
    ],
)
def test_an_explicit_silence_is_silence(said: bytes) -> None:
    reply = answered(said)
    assert (reply.notes, reply.malformed) == ((), 0)


@pytest.mark.parametrize(
    "said",
    [
        b"",
        b" \r\n\t",
        b"{}",
        b"null",
        b"true",
        b"0",
        b'"approved"',
        b"APPROVED",
        b'{"notes": null}',
        b'{"notes": "none"}',
        b'{"notes": {"text": "x"}}',
        b'{"verdict": "approved"}',
        b'{"notes": []',
        b'{"notes": []} {"notes": []}',
        b'reading files\n{"notes": []}',
        b'{"version": 2, "notes": []}',
        b'{"version": true, "notes": []}',
        b'{"version": null, "notes": []}',
        b"[" * 100_000,
        b"\xff\xfe\xfd",
        b"\x00",
    ],
)
def test_what_is_no_reply_is_never_silence(said: bytes) -> None:
    with pytest.raises(UnparsedReplyError):
        answered(said)


def test_a_bad_note_costs_itself_and_not_its_siblings() -> None:
    reply = answered({"notes": [{"text": "Good."}, 3, {"severity": "blocker"}, {"text": None}, "x"]})
    assert ([note.text for note in reply.notes], reply.malformed) == (["Good."], 4)


@pytest.mark.parametrize("lost", [-1, True, "3", 1.5, None])
def test_a_number_of_lost_notes_that_is_none_counts_nothing(lost: object) -> None:
    assert answered({"notes": [], "malformed": lost}).malformed == 0


@pytest.mark.parametrize(
    ("usage", "read"),
    [
        ({"input_tokens": 3, "output_tokens": 2}, Usage(input_tokens=3, output_tokens=2, cost_usd=None)),
        ({"input_tokens": -3, "output_tokens": "2", "cost_usd": "free"}, Usage()),
        ({"input_tokens": 3, "cost_usd": 0}, Usage(input_tokens=3, cost_usd=0)),
        ([1, 2], Usage()),
        ({"self": 1, "__init__": 2}, Usage()),
    ],
)
def test_usage_is_read_as_far_as_it_is_numbers(usage: object, read: Usage) -> None:
    assert answered({"notes": [], "usage": usage}).usage == read


# --- errors ---


@pytest.mark.parametrize(
    ("kind", "error", "outcome"),
    [
        ("transient", TransientReviewerError, OutcomeKind.ERROR),
        ("rate_limited", RateLimitedError, OutcomeKind.RATE_LIMITED),
        ("quota_exhausted", QuotaExhaustedError, OutcomeKind.QUOTA_EXHAUSTED),
        ("misconfigured", MisconfiguredError, OutcomeKind.ERROR),
        ("refused", RefusedError, OutcomeKind.REFUSED),
        ("overflow", ContextOverflowError, OutcomeKind.OVERFLOW),
        ("failed", ReviewerError, OutcomeKind.ERROR),
        ("on fire", ReviewerError, OutcomeKind.ERROR),
        (None, ReviewerError, OutcomeKind.ERROR),
        (["transient"], ReviewerError, OutcomeKind.ERROR),
        (" Rate_Limited ", RateLimitedError, OutcomeKind.RATE_LIMITED),
    ],
)
def test_each_kind_of_error_is_one_of_ours(kind: object, error: type[ReviewerError], outcome: OutcomeKind) -> None:
    with pytest.raises(ReviewerError) as caught:
        answered({"error": {"kind": kind, "message": "come back later"}})
    assert type(caught.value) is error
    assert caught.value.outcome is outcome
    assert str(caught.value) == "come back later"


HINTS = [
    (3, 3.0),
    ("2.5", 2.5),
    (-3, 0.0),
    (None, None),
    (True, None),
    ([], None),
    ("soon", None),
    (nan, None),
    ("nan", None),
    (inf, inf),
    (10**400, inf),
    ("Sat, 01 Jan 2000 00:00:00 GMT", 0.0),
]


@pytest.mark.parametrize("kind", ["transient", "rate_limited", "quota_exhausted", "misconfigured"])
@pytest.mark.parametrize(("hint", "seconds"), HINTS)
def test_an_error_may_say_when_to_come_back(kind: str, hint: object, seconds: float | None) -> None:
    with pytest.raises(ReviewerError) as caught:
        answered({"error": {"kind": kind, "retry_after": hint}})
    assert getattr(caught.value, "retry_after", "missing") == seconds


@pytest.mark.parametrize(("told", "hint", "seconds"), [(2, 600.0, 600.0), (600, 2.0, 600.0), (None, 5.0, 5.0)])
def test_of_the_hints_in_the_error_and_beside_it_the_longer_one_counts(
    told: object, hint: float, seconds: float
) -> None:
    said = json.dumps({"error": {"kind": "rate_limited", "retry_after": told}}).encode()
    for read in (exchange().answered, exchange().fail_if_told):
        with pytest.raises(RateLimitedError) as caught:
            read(said, hint)
        assert caught.value.retry_after == seconds


@pytest.mark.parametrize("error", ["down", {"message": "down"}, {"kind": "failed"}, ["down"], 3])
def test_an_error_beside_an_empty_list_is_not_silence(error: object) -> None:
    with pytest.raises(ReviewerError):
        answered({"notes": [], "error": error})


def test_what_an_error_has_used_is_charged() -> None:
    meter = Meter()
    metered(meter)
    with pytest.raises(RefusedError):
        answered({"error": {"kind": "refused"}, "usage": {"input_tokens": 10, "cost_usd": 0.5}})
    assert meter.total == (Spend(model="", usage=Usage(input_tokens=10, cost_usd=0.5)),)


@pytest.mark.parametrize("said", [b"", b"<h1>502</h1>", b'{"error": "down"}', b'{"error": {"type": "x"}}', b"[]"])
def test_of_an_answer_that_failed_only_errors_with_a_kind_are_ours(said: bytes) -> None:
    exchange().fail_if_told(said)
    with pytest.raises(RefusedError):
        exchange().fail_if_told(b'{"error": {"kind": "refused"}}')


# --- what operators are told ---


def test_a_message_is_one_short_line() -> None:
    told = exchange().told("first\n\tsecond\x00" + "x" * 500)
    assert told == "first second\N{REPLACEMENT CHARACTER}" + "x" * 137
    assert len(told) == 150


def test_a_message_has_no_secret_wherever_it_would_have_been_cut() -> None:
    for room in range(120, 160):
        assert "correct-h" not in exchange(SECRET).told("." * room + SECRET)


@pytest.mark.parametrize("room", [4_090, 8_180, 12_280, 16_370, 100_000])
def test_a_message_has_no_secret_behind_any_number_of_blanks(room: int) -> None:
    for more in range(12):
        assert "correct" not in exchange(SECRET).told(" " * (room + more) + SECRET)
        assert "correct" not in exchange(SECRET).told(f"{SECRET} " * (room // 24) + " " * more + SECRET)


@pytest.mark.parametrize(
    "message",
    [
        "bad prompt: Please move all the invoices of Mr Smith to the archive",
        "KeyError: 'the invoices of Mr Smith to'",
        "move  all the\ninvoices of Mr Smith",
    ],
)
def test_a_message_that_quotes_the_run_is_not_shown(message: str) -> None:
    one = exchange(request="Please move all the invoices\nof Mr Smith to the archive today.")
    assert "Smith" not in one.told(message)
    assert one.told("KeyError: 'invoices'") == "KeyError: 'invoices'"


@pytest.mark.parametrize("message", [None, "", " \n", 3, ["x"]])
def test_a_message_that_is_none_is_said_to_be_none(message: object) -> None:
    assert exchange().told(message) == "no reason given"


_JSON = st.recursive(
    st.none() | st.booleans() | st.floats() | st.integers() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(["notes", "text", "severity", "error", "kind", "usage", "version", "resolved", "x"]), inner
        )
    ),
    max_leaves=12,
)


@given(_JSON)
def test_whatever_comes_back_is_a_reply_or_an_error_of_ours(document: object) -> None:
    try:
        reply = answered(document)
    except ReviewerError:
        return
    assert isinstance(document, list) or isinstance(document["notes"], list)  # type: ignore[index]
    assert reply.malformed >= 0


@given(st.binary(max_size=64))
def test_whatever_bytes_come_back_are_a_reply_or_an_error_of_ours(said: bytes) -> None:
    try:
        answered(said)
    except ReviewerError:
        return
    assert said.strip()
