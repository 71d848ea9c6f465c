"""Where one reviewer fails the next of its fallbacks is asked, inside the same deadline, and every hop is told."""

from __future__ import annotations

import pytest
from prometheus_client import CollectorRegistry

from foureyes.core.config import ReviewerConfig
from foureyes.core.facts import Hop
from foureyes.core.words import OutcomeKind
from foureyes.errors import ConfigError
from foureyes.guidance import Guidance
from foureyes.scheduler import ReviewScheduler
from foureyes.telemetry.events import FellBack, QuotaExhausted, ReviewSettled
from foureyes.testing import FakeClock, RecordingSink

from .fallback_reviewers import NAME
from .shell import EVERY_TURN, outcomes, session_of, texts, transcript

pytestmark = pytest.mark.anyio


def use(name: str) -> str:
    """Return how a reviewer of the test module is named."""
    return f"{NAME}:{name}"


def chain(first: str, *others: str, **settings: object) -> ReviewerConfig:
    """Return a reviewer of every turn with fallbacks."""
    fallbacks = tuple(use(other) for other in others)
    return ReviewerConfig(name="one", use=use(first), fallbacks=fallbacks, **(EVERY_TURN | settings))


async def reviewed(config: ReviewerConfig, registry: CollectorRegistry | None = None) -> tuple[Guidance, RecordingSink]:
    """Return the guidance of one boundary, and what was told of it."""
    sink = RecordingSink()
    async with session_of(config, sinks=[sink], clock=FakeClock(), registry=registry) as session:
        return await session.boundary(transcript()), sink


async def test_a_reviewer_that_works_needs_no_fallback() -> None:
    guidance, sink = await reviewed(chain("sound", "refusing"))
    assert texts(guidance) == ["The fallback found this."]
    assert sink.of(FellBack) == []


async def test_where_one_fails_the_next_is_asked() -> None:
    guidance, sink = await reviewed(chain("refusing", "sound"))
    assert texts(guidance) == ["The fallback found this."]
    assert [event.hop for event in sink.of(FellBack)] == [
        Hop(source=use("refusing"), target=use("sound"), reason=OutcomeKind.REFUSED)
    ]


async def test_every_hop_is_told_with_its_reason_and_every_call_is_counted() -> None:
    guidance, sink = await reviewed(chain("refusing", "mumbling", "limited", "sound", max_attempts=2))
    assert outcomes(guidance) == {"one": OutcomeKind.NOTED}
    assert [(event.hop.target, event.hop.reason) for event in sink.of(FellBack)] == [
        (use("mumbling"), OutcomeKind.REFUSED),
        (use("limited"), OutcomeKind.UNPARSED),
        (use("sound"), OutcomeKind.RATE_LIMITED),
    ]
    assert [event.attempts for event in sink.of(ReviewSettled)] == [5]


async def test_where_all_fail_the_last_one_says_how() -> None:
    guidance, sink = await reviewed(chain("limited", "refusing"))
    assert outcomes(guidance) == {"one": OutcomeKind.REFUSED}
    assert [event.error for event in sink.of(ReviewSettled)] == ["not this content"]
    assert len(sink.of(FellBack)) == 1


async def test_silence_is_an_answer_and_asks_nobody_else() -> None:
    guidance, sink = await reviewed(chain("silent", "sound"))
    assert outcomes(guidance) == {"one": OutcomeKind.QUIET}
    assert [event.usage.input_tokens for event in sink.of(ReviewSettled)] == [7]
    assert sink.of(FellBack) == []


async def test_the_deadline_covers_all_of_them_and_ends_the_chain() -> None:
    guidance, sink = await reviewed(chain("refusing", "hanging", "sound", timeout_seconds=0.05))
    assert outcomes(guidance) == {"one": OutcomeKind.TIMEOUT}
    assert [event.hop.target for event in sink.of(FellBack)] == [use("hanging")]


@pytest.mark.parametrize(
    ("name", "text"), [("blocking", "The thread found this."), ("instance", "The object found this.")]
)
async def test_a_fallback_may_be_of_another_kind(name: str, text: str) -> None:
    guidance, _ = await reviewed(chain("refusing", name))
    assert texts(guidance) == [text]


async def test_a_review_with_hops_is_one_unit_of_the_allowance() -> None:
    sink = RecordingSink()
    config = chain("refusing", "limited", "sound", max_periodic_reviews=2)
    async with session_of(config, sinks=[sink], clock=FakeClock()) as session:
        await session.boundary(transcript(1))
        assert session.state.reviewer("one").periodic_used == 1
        await session.boundary(transcript(2))
    assert len(sink.of(QuotaExhausted)) == 1


async def test_hops_are_counted_by_name() -> None:
    registry = CollectorRegistry()
    await reviewed(chain("refusing", "sound"), registry)
    labels = {"reviewer": "one", "from": use("refusing"), "to": use("sound"), "reason": "refused"}
    assert registry.get_sample_value("foureyes_fallbacks_total", labels) == 1.0


@pytest.mark.parametrize(
    ("fallbacks", "problem"),
    [
        ((f"{NAME}:absent",), "absent"),
        (("no_such_module:reviewer",), "no_such_module"),
        (("no-such-entry-point",), "no-such-entry-point"),
        ((f"{NAME}:not_callable",), "not callable"),
        ((f"{NAME}:Callable_",), "a class"),
    ],
)
def test_a_fallback_that_is_not_there_is_said_before_anything_runs(fallbacks: tuple[str, ...], problem: str) -> None:
    with pytest.raises(ConfigError, match="reviewer 'one'") as raised:
        ReviewScheduler([ReviewerConfig(name="one", use=use("sound"), fallbacks=fallbacks)])
    assert problem in str(raised.value)
