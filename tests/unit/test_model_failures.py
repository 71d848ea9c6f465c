"""What a provider's error means: its code decides, then its words, then the status."""

from __future__ import annotations

import json
import socket
import ssl
from dataclasses import replace
from typing import Any

import pytest

from foureyes.errors import (
    ContextOverflowError,
    MisconfiguredError,
    QuotaExhaustedError,
    RateLimitedError,
    RefusedError,
    ReviewerError,
    TransientReviewerError,
)
from foureyes_reviewers.model.complaints import error_for
from foureyes_reviewers.model.failures import Kind, is_free, kind_of
from foureyes_reviewers.model.problem import MAX_BODY, Problem, ProviderError
from foureyes_reviewers.redaction import Redactor

KEY = "sk-planted-0123456789abcdef"


class FakeResponse:
    """A response as the providers' libraries keep it."""

    def __init__(self, body: object, headers: dict[str, str] | None = None) -> None:
        self.text = body if isinstance(body, str) else json.dumps(body)
        self.headers = headers or {}


class FakeStatusError(Exception):
    """An error as the providers' libraries raise it."""

    def __init__(self, status: int, body: object, **headers: str) -> None:
        self.status_code = status
        self.body = body
        self.response = FakeResponse(body, {name.replace("_", "-"): value for name, value in headers.items()})
        super().__init__(f"Error code: {status} - {body}")


def problem(status: int, body: object = "", **headers: str) -> Problem:
    """Return the problem that a response with an error is."""
    return Problem.of(FakeStatusError(status, body, **headers))


def openai_error(code: str | None, message: str = "It went wrong.", kind: str = "error") -> dict[str, Any]:
    """Return an error in the form of chat completions."""
    return {"error": {"message": message, "type": kind, "param": None, "code": code}}


def anthropic_error(kind: str, message: str = "It went wrong.") -> dict[str, Any]:
    """Return an error in the form of messages."""
    return {"type": "error", "error": {"type": kind, "message": message}}


def google_error(status: str, message: str = "It went wrong.", **detail: Any) -> list[dict[str, Any]]:
    """Return an error in Google's form."""
    return [{"error": {"code": 429, "status": status, "message": message, "details": [detail] if detail else []}}]


PLAN = "You exceeded your current quota, please check your plan and billing details."
RETRY_INFO = {"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "42s"}

TABLE: list[tuple[int, object, Kind]] = [
    # https://github.com/link-assistant/hive-mind/issues/1936
    (429, openai_error("rate_limit_exceeded"), Kind.RATE_LIMITED),
    (429, openai_error("rate_limit"), Kind.RATE_LIMITED),
    (429, openai_error("insufficient_quota", PLAN, "insufficient_quota"), Kind.QUOTA),
    (429, google_error("RESOURCE_EXHAUSTED"), Kind.RATE_LIMITED),
    (429, google_error("RESOURCE_EXHAUSTED", PLAN, **RETRY_INFO), Kind.RATE_LIMITED),
    (429, google_error("RESOURCE_EXHAUSTED", PLAN), Kind.QUOTA),
    (429, google_error("RESOURCE_EXHAUSTED", "Daily quota exceeded", **RETRY_INFO), Kind.QUOTA),
    (402, "out of credits", Kind.QUOTA),
    (401, "", Kind.KEY),
    (529, anthropic_error("overloaded_error"), Kind.TRANSIENT),
    # the same in the words of others
    (429, "", Kind.RATE_LIMITED),
    (429, openai_error(None, PLAN), Kind.QUOTA),
    (429, openai_error(None, "Rate limit reached on tokens per min (TPM): Limit 100", "tokens"), Kind.RATE_LIMITED),
    (429, openai_error(None, "Too many concurrent requests for this account"), Kind.RATE_LIMITED),
    (429, anthropic_error("rate_limit_error"), Kind.RATE_LIMITED),
    (403, openai_error("insufficient_quota"), Kind.QUOTA),
    (400, anthropic_error("invalid_request_error", "Your credit balance is too low to access the API."), Kind.QUOTA),
    (401, anthropic_error("authentication_error", "invalid x-api-key"), Kind.KEY),
    (400, google_error("INVALID_ARGUMENT", "API key not valid. Please pass a valid API key."), Kind.KEY),
    (403, anthropic_error("permission_error"), Kind.KEY),
    (403, openai_error("unsupported_country_region_territory"), Kind.KEY),
    (403, {"error": {"message": "Your chosen model requires moderation and your input was flagged"}}, Kind.REFUSED),
    (404, openai_error("model_not_found"), Kind.NOT_FOUND),
    (404, anthropic_error("not_found_error", "model: claude-9"), Kind.NOT_FOUND),
    (404, "404 page not found", Kind.NOT_FOUND),
    (400, openai_error(None, "The model `gpt-9` does not exist"), Kind.NOT_FOUND),
    (400, openai_error("content_filter"), Kind.REFUSED),
    (400, {"error": {"code": "x", "innererror": {"code": "ResponsibleAIPolicyViolation"}}}, Kind.REFUSED),
    (400, openai_error("invalid_prompt"), Kind.REFUSED),
    (400, openai_error("context_length_exceeded"), Kind.OVERFLOW),
    (400, {"error": {"code": 400, "type": "exceed_context_size_error", "n_ctx": 4096}}, Kind.OVERFLOW),
    (
        400,
        anthropic_error("invalid_request_error", "prompt is too long: 210000 tokens > 200000 maximum"),
        Kind.OVERFLOW,
    ),
    (413, anthropic_error("request_too_large"), Kind.OVERFLOW),
    (413, "<html>Request Entity Too Large</html>", Kind.OVERFLOW),
    (400, openai_error(None, "Unrecognized request argument"), Kind.REJECTED),
    (422, "", Kind.REJECTED),
    (307, "", Kind.NOT_FOUND),
    (408, "", Kind.TRANSIENT),
    (409, "", Kind.TRANSIENT),
    (500, anthropic_error("api_error"), Kind.TRANSIENT),
    (500, "the API key of the upstream is missing", Kind.TRANSIENT),
    (502, "<html>", Kind.TRANSIENT),
    (503, openai_error(None, "model is loading"), Kind.TRANSIENT),
]


@pytest.mark.parametrize(("status", "body", "kind"), TABLE)
def test_an_error_is_read_by_its_code_then_its_words_then_its_status(status: int, body: object, kind: Kind) -> None:
    assert kind_of(problem(status, body)) is kind


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("APIConnectionError", Kind.TRANSIENT),
        ("APITimeoutError", Kind.TRANSIENT),
        ("ConnectError", Kind.UNKNOWN),
        ("ModelQuotaExceededError", Kind.QUOTA),
        ("ContentFilterError", Kind.REFUSED),
        ("ZeroDivisionError", Kind.UNKNOWN),
    ],
)
def test_an_error_without_a_response_is_read_by_its_name(name: str, kind: Kind) -> None:
    assert kind_of(Problem.of(type(name, (Exception,), {})("It went wrong."))) is kind


def test_an_error_in_a_successful_response_is_read_by_its_code() -> None:
    body = {"error": {"code": 429, "message": "Slow down", "metadata": {"reason": "rate_limit_exceeded"}}}
    assert kind_of(Problem.of(ProviderError(body, 429))) is Kind.RATE_LIMITED


@pytest.mark.parametrize(
    ("kind", "error"),
    [
        ((429, openai_error("rate_limit_exceeded")), RateLimitedError),
        ((429, openai_error("insufficient_quota")), QuotaExhaustedError),
        ((401, ""), MisconfiguredError),
        ((404, ""), MisconfiguredError),
        ((500, ""), TransientReviewerError),
        ((400, openai_error("content_filter")), RefusedError),
        ((413, ""), ContextOverflowError),
        ((400, ""), ReviewerError),
    ],
)
def test_each_meaning_has_its_own_error(kind: tuple[int, object], error: type[ReviewerError]) -> None:
    found = error_for(problem(*kind), Redactor(), "")
    assert (isinstance(found, error), found.outcome) == (True, error.outcome)


@pytest.mark.parametrize(
    ("status", "free"),
    [(400, True), (401, True), (429, True), (500, True), (503, True), (529, True), (502, False), (504, False)],
)
def test_what_was_turned_away_costs_nothing_and_a_gateway_cannot_know(status: int, free: bool) -> None:
    assert is_free(problem(status)) is free


def test_a_connection_that_never_was_costs_nothing_and_one_that_broke_may() -> None:
    refused, broken = type("ConnectError", (Exception,), {}), type("ReadError", (Exception,), {})
    for cause, free in ((refused, True), (broken, False)):
        error = type("APIConnectionError", (Exception,), {})("Connection error.")
        error.__cause__ = cause()
        assert is_free(Problem.of(error)) is free


# --- what operators read ---


def test_an_error_names_status_and_code_and_the_cure() -> None:
    text = str(error_for(problem(401, openai_error("invalid_api_key")), Redactor(), ""))
    assert text == "HTTP 401 (invalid_api_key): the key is not accepted: correct 'api_key'"


def test_an_error_quotes_the_provider_where_that_helps() -> None:
    said = openai_error("model_not_found", "The model 'gpt-9' does not exist")
    assert "The model 'gpt-9' does not exist" in str(error_for(problem(404, said), Redactor(), ""))


@pytest.mark.parametrize("status", [400, 401, 402, 403, 404, 429, 500])
def test_no_error_tells_the_key(status: int) -> None:
    said = openai_error(KEY, f"Bad key {KEY} in the request of {KEY}", KEY)
    assert KEY not in str(error_for(problem(status, said), Redactor([KEY]), ""))


@pytest.mark.parametrize("status", [400, 402, 403, 404, 429, 500])
def test_no_error_quotes_what_was_sent(status: int) -> None:
    sent = "human: please look after my grandmother's recipe for plum cake"
    said = openai_error(None, "Invalid input: look after my grandmother's recipe for plum cake")
    text = str(error_for(problem(status, said), Redactor(), sent))
    assert not any(sent[start : start + 16] in text for start in range(len(sent) - 16))


def test_a_secret_at_the_place_where_a_quotation_is_cut_is_gone_before_the_cut() -> None:
    said = openai_error(None, f"{'x ' * 56}{KEY}")
    assert "sk-planted" not in str(error_for(problem(400, said), Redactor([KEY]), ""))


@pytest.mark.parametrize(
    "body",
    [None, 42, [], {}, {"error": None}, {"error": []}, {"error": {"code": {"a": [1]}}}, "\ud800", '{"a":' * 5_000],
)
@pytest.mark.parametrize("status", [400, 429, 500])
def test_an_error_of_any_shape_is_read(status: int, body: object) -> None:
    assert isinstance(error_for(problem(status, body), Redactor(), ""), ReviewerError)


def test_an_exception_whose_parts_are_rubbish_is_read() -> None:
    error = Exception()
    error.status_code, error.response, error.headers, error.body = "500", 42, 42, object()  # type: ignore[attr-defined]
    assert kind_of(Problem.of(error)) is Kind.UNKNOWN


class ConnectError(Exception):
    """As httpx calls it."""


@pytest.mark.parametrize(
    ("bottom", "kind", "name", "said"),
    [
        (ConnectionResetError("no"), Kind.TRANSIENT, "ConnectionResetError", "broke the connection off"),
        (ssl.SSLEOFError("no"), Kind.TRANSIENT, "SSLEOFError", "broke the connection off"),
        (
            ssl.SSLError("wrong version"),
            Kind.TRANSIENT,
            "SSLError",
            "the address does not speak TLS: correct 'base_url",
        ),
        (ExceptionGroup("all", [OSError()]), Kind.TRANSIENT, "ConnectError", "the request failed with ConnectError"),
        (ExceptionGroup("all", [TimeoutError()]), Kind.TRANSIENT, "TimeoutError", "the request failed with TimeoutE"),
        (ssl.SSLCertVerificationError("x"), Kind.NOT_FOUND, "SSLCertVerificationError", "the certificate of the addr"),
    ],
)
def test_what_is_hidden_below_an_error_says_what_it_was(bottom: Exception, kind: Kind, name: str, said: str) -> None:
    top, middle = type("APIConnectionError", (Exception,), {})("Connection error."), ConnectError()
    top.__cause__, middle.__context__, middle.__suppress_context__ = middle, bottom, True
    found = Problem.of(top)
    assert (kind_of(found), found.root, is_free(found)) == (kind, name, True)
    assert said in str(error_for(found, Redactor(), ""))


@pytest.mark.parametrize(
    ("bottom", "said"),
    [
        (ConnectionRefusedError("no"), "nothing listens at localhost:8000: start it, or correct 'base_url'"),
        (
            ExceptionGroup("all attempts", [ConnectionRefusedError(), ConnectionRefusedError()]),
            "nothing listens at localhost:8000: start it, or correct 'base_url'",
        ),
        (socket.gaierror("unknown"), "there is no host localhost:8000: correct 'base_url'"),
    ],
)
def test_an_address_that_was_not_reached_is_told_with_the_cure(bottom: Exception, said: str) -> None:
    top, middle = type("APIConnectionError", (Exception,), {})("Connection error."), ConnectError()
    top.__cause__, middle.__cause__ = middle, bottom
    assert str(error_for(Problem.of(top), Redactor(), "", "localhost:8000")) == said


@pytest.mark.parametrize(
    ("status", "said"),
    [
        (500, "the server failed (HTTP 500)"),
        (403, "HTTP 403: the key is not accepted: correct 'api_key'"),
        (404, "HTTP 404: unknown model or address: correct 'model' or 'base_url'"),
        (429, "HTTP 429: asked to slow down"),
    ],
)
def test_a_status_alone_is_told_in_plain_words(status: int, said: str) -> None:
    assert str(error_for(problem(status), Redactor(), "")).removesuffix(": ").startswith(said)


def test_the_name_that_is_told_of_an_error_is_the_one_that_says_something() -> None:
    said = error_for(problem(401, anthropic_error("authentication_error")), Redactor(), "")
    assert str(said) == "HTTP 401 (authentication_error): the key is not accepted: correct 'api_key'"
    assert "(" not in str(error_for(problem(404, {"type": "error"}), Redactor(), ""))


@pytest.mark.parametrize(
    ("status", "kind"), [(401, Kind.KEY), (403, Kind.KEY), (413, Kind.OVERFLOW), (500, Kind.TRANSIENT)]
)
def test_a_code_that_is_said_of_everything_does_not_make_a_wrong_key_pass(status: int, kind: Kind) -> None:
    assert kind_of(problem(status, openai_error(None, kind="server_error"))) is kind


@pytest.mark.parametrize(("seconds", "said"), [(20.0, " for 20 s"), (0.2, " for 1 s"), (float("inf"), ""), (None, "")])
def test_who_is_asked_to_slow_down_is_told_for_how_long(seconds: float | None, said: str) -> None:
    asked = replace(problem(429), retry_after=seconds)
    assert str(error_for(asked, Redactor(), "")) == f"HTTP 429: asked to slow down{said}"


def test_a_secret_at_the_end_of_what_is_read_of_an_error_is_not_quoted() -> None:
    secret = "correct-horse-battery-9"
    for place in range(MAX_BODY - len(secret), MAX_BODY, 2):
        said = replace(problem(400), text=("\n" * place + secret)[:MAX_BODY])
        assert "co" not in str(error_for(said, Redactor([secret]), "")).partition("accepted")[2]
