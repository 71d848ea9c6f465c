"""The reviewer that asks a model: what it asks, what it charges, and what it remembers."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from foureyes.charging import Meter, metered
from foureyes.core.backend import Price
from foureyes.core.facts import NO_USAGE, Message, Review, Usage
from foureyes.core.words import OutputMode, Trigger
from foureyes.errors import (
    ContextOverflowError,
    RefusedError,
    ReviewerError,
    TransientReviewerError,
    UnparsedReplyError,
)
from foureyes_reviewers.model import ModelReviewer
from foureyes_reviewers.model.client import Completion, Form
from foureyes_reviewers.model.problem import Problem, ProviderError
from foureyes_reviewers.model.prompt import Prompt
from foureyes_reviewers.redaction import Redactor

pytestmark = pytest.mark.anyio

KEY = "sk-planted-0123456789abcdef"
QUIET = '{"notes": [], "resolved": []}'
USED = Usage(input_tokens=1_000, output_tokens=10)
PRICE = Price(input=10.0, cached=10.0, output=20.0)
SPENT = (1_000 * 10 + 10 * 20) / 1_000_000
TOO_LONG = ProviderError({"error": {"code": "context_length_exceeded"}}, 400)


class FakeClient:
    """A client that plays a script: answers, and errors that it raises."""

    def __init__(self, *script: object, forms: int = 1) -> None:
        self.model = "small"
        self.script = list(script)
        self.asked: list[Prompt] = []
        self.forms = forms
        self.closed = 0

    @property
    def form(self) -> Form:
        """Return the form, which is named by how many there are left."""
        return Form(mode=OutputMode.PROMPTED, dialect=str(self.forms))

    async def complete(self, prompt: Prompt, form: Form) -> Completion:
        """Play the next act."""
        self.asked.append(prompt)
        act = self.script.pop(0) if self.script else QUIET
        if isinstance(act, BaseException):
            raise act
        return act if isinstance(act, Completion) else Completion(text=str(act), usage=USED, finish_reason="stop")

    def adapted(self, form: Form, problem: Problem) -> bool:
        """Go on as long as there are forms."""
        self.forms -= 1
        return self.forms > 0

    async def aclose(self) -> None:
        """Count it."""
        self.closed += 1


def reviewer(client: FakeClient, **settings: Any) -> ModelReviewer:
    """Return a reviewer that asks this client."""
    return ModelReviewer(client, **({"redactor": Redactor([KEY]), "price": PRICE} | settings))


def review(*texts: str, **facts: Any) -> Review:
    """Return a review of a run in which the agent has said this."""
    messages = tuple(Message(role="assistant", text=text) for text in texts or ("Done.",))
    usual: dict[str, Any] = {"session": "s", "reviewer": "one", "trigger": Trigger.PERIODIC, "turn": 1, "since": 0}
    return Review(**(usual | {"round": 0, "request": "Do it.", "messages": messages} | facts))


def meter() -> Meter:
    """Return the meter by which the running test is charged."""
    found = Meter()
    metered(found)
    return found


async def test_what_was_used_is_charged_and_not_reported_again() -> None:
    spent = meter()
    reply = await reviewer(FakeClient())(review())
    assert reply.usage == NO_USAGE
    [charged] = spent.total
    assert (charged.model, charged.usage.input_tokens, charged.usage.output_tokens) == ("small", 1_000, 10)
    assert charged.usage.cost_usd == pytest.approx(SPENT)


async def test_the_cost_of_a_model_without_a_price_is_unknown() -> None:
    spent = meter()
    await reviewer(FakeClient(), price=None)(review())
    assert spent.total[0].usage.cost_usd is None


async def test_usage_that_is_not_reported_is_charged_as_guessed() -> None:
    spent, client = meter(), FakeClient(Completion(text=QUIET))
    made = reviewer(client)
    guess = made.estimate(review())
    await made(review())
    [charged] = spent.total
    assert charged.usage.input_tokens == guess.input_tokens
    assert 0 < charged.usage.output_tokens < guess.output_tokens


@pytest.mark.parametrize(
    ("error", "free"),
    [
        (ProviderError("no", 400), True),
        (ProviderError("no", 429), True),
        (ProviderError("no", 500), True),
        (ProviderError("no", 504), False),
        (ProviderError("no"), False),
        (ValueError("no"), False),
        (UnparsedReplyError("no"), False),
    ],
)
async def test_a_failed_request_is_charged_as_expected_unless_nobody_bills_it(error: Exception, free: bool) -> None:
    spent, made = meter(), reviewer(FakeClient(error))
    with pytest.raises(ReviewerError):
        await made(review())
    [charged] = spent.total
    assert charged.usage == (Usage(cost_usd=0.0) if free else made.estimate(review()))


async def test_each_form_of_a_question_is_charged() -> None:
    spent, client = meter(), FakeClient(ProviderError("no", 400), ProviderError("no", 422), QUIET, forms=3)
    await reviewer(client)(review())
    assert [charged.usage.cost_usd for charged in spent.total] == [0.0, 0.0, pytest.approx(SPENT)]


async def test_a_question_is_not_put_in_other_forms_for_ever() -> None:
    client = FakeClient(*[ProviderError("no", 400)] * 99, forms=99)
    with pytest.raises(ReviewerError):
        await reviewer(client)(review())
    assert len(client.asked) == 5


def test_the_estimate_is_the_whole_question_and_one_whole_reply() -> None:
    made = reviewer(FakeClient(), max_output_tokens=300)
    short, long = made.estimate(review("x")), made.estimate(review("x" * 3_001))
    assert short.output_tokens == 300
    assert long.input_tokens - short.input_tokens == 1_000
    assert short.cost_usd == pytest.approx((short.input_tokens * 10 + 300 * 20) / 1_000_000)


async def test_nothing_to_review_is_no_silence_and_nobody_is_asked() -> None:
    # https://github.com/DefuzeX-AI/KUMA-DefuzeX/issues/38: "pass, high confidence" about an input that was empty.
    client, empty = FakeClient(), replace(review(), messages=())
    with pytest.raises(ReviewerError, match="nothing to review"):
        await reviewer(client)(empty)
    assert client.asked == []
    assert reviewer(client).estimate(empty) == Usage(cost_usd=0.0)


# --- a question that does not fit ---


async def test_what_does_not_fit_is_asked_about_once_more_in_its_newest_half() -> None:
    client = FakeClient(TOO_LONG)
    await reviewer(client)(review("old " * 500, "new " * 500))
    first, second = ("\n".join(prompt.messages) for prompt in client.asked)
    assert ("old old" in first, "new new" in first) == (True, True)
    assert ("old old" in second, "new new" in second) == (False, True)
    assert "The oldest is not shown." in second


async def test_what_does_not_fit_twice_is_an_overflow() -> None:
    client = FakeClient(TOO_LONG, TOO_LONG)
    with pytest.raises(ContextOverflowError):
        await reviewer(client)(review("x" * 5_000))
    assert len(client.asked) == 2


async def test_a_window_that_was_full_is_a_question_that_does_not_fit() -> None:
    full = Completion(text="", usage=USED, finish_reason="model_context_window_exceeded")
    client = FakeClient(full)
    await reviewer(client)(review("x" * 5_000))
    assert len(client.asked) == 2


async def test_after_an_overflow_no_larger_question_is_asked() -> None:
    # https://github.com/can1357/oh-my-pi/issues/5282: 184 overflows in one session.
    client = FakeClient(TOO_LONG)
    made = reviewer(client)
    for _ in range(3):
        await made(review("x" * 5_000))
    assert len(client.asked) == 4
    assert max(prompt.chars for prompt in client.asked[2:]) <= client.asked[1].chars


async def test_the_provider_may_say_how_much_fits() -> None:
    said = "This model's maximum context length is 3000 tokens. However, you requested 12000 tokens."
    client = FakeClient(ProviderError({"error": {"code": "context_length_exceeded", "message": said}}, 400))
    await reviewer(client)(review("x" * 40_000))
    assert client.asked[1].chars <= client.asked[0].chars / 4


async def test_where_only_the_rules_would_be_left_nothing_is_asked_again() -> None:
    client = FakeClient(TOO_LONG)
    with pytest.raises(ContextOverflowError):
        await reviewer(client)(review("short"))
    assert len(client.asked) == 1


# --- what leaves ---


async def test_no_error_holds_the_request_from_which_it_came() -> None:
    secret = ValueError(f"the whole request, {KEY}")
    with pytest.raises(ReviewerError) as caught:
        await reviewer(FakeClient(secret))(review())
    assert (caught.value.__cause__, caught.value.__context__) == (None, None)
    assert KEY not in str(caught.value)


async def test_two_reviewers_have_references_of_their_own_and_a_session_keeps_its() -> None:
    one, other = FakeClient(), FakeClient()
    first, second = reviewer(one), reviewer(other)
    for made in (first, first, second):
        await made(review())
    assert one.asked[0].messages[0] == one.asked[1].messages[0] != other.asked[0].messages[0]


async def test_errors_of_reading_pass_as_they_are() -> None:
    refused = Completion(text="", usage=USED, finish_reason="content_filter")
    nothing = Completion(text="", usage=NO_USAGE, finish_reason="stop")
    for completion, error in ((refused, RefusedError), (nothing, TransientReviewerError)):
        with pytest.raises(error):
            await reviewer(FakeClient(completion))(review())


async def test_closing_closes_the_client() -> None:
    client = FakeClient()
    await reviewer(client).aclose()
    assert client.closed == 1
