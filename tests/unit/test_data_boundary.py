"""Who gets to see the transcript, and that whoever may not is skipped with a reason and one warning."""

from __future__ import annotations

from typing import Any

import pytest

from foureyes.core.account import Account, account
from foureyes.core.config import ReviewerConfig
from foureyes.core.facts import Review
from foureyes.core.words import FinishResult, SkipReason, Stop, Verdict
from foureyes.settings import Settings

from .shell import answering, every_turn, outcomes, reviewer, session_of, skips, transcript

AGENT = account("openai", None, "sk-agent")
ELSEWHERE = account("openai", "https://models.example/v1", "sk-other")


class Sending:
    """A reviewer that sends the transcript to an account."""

    def __init__(self, where: Any) -> None:
        self.account, self.calls = where, 0

    async def __call__(self, review: Review) -> list[object]:
        """Count."""
        self.calls += 1
        return []


instance = Sending(ELSEWHERE)


def warnings(caplog: pytest.LogCaptureFixture) -> list[str]:
    return [record.getMessage() for record in caplog.records]


@pytest.mark.anyio
async def test_a_reviewer_of_another_account_is_not_called_and_one_warning_says_so(
    caplog: pytest.LogCaptureFixture,
) -> None:
    outside, inside = Sending(ELSEWHERE), Sending(AGENT)
    configs = every_turn(outside, "outside"), every_turn(inside, "inside")
    async with session_of(*configs, agent=AGENT) as session:
        guidances = [await session.boundary(transcript(turn)) for turn in (1, 2, 3)]
    assert [skips(guidance) for guidance in guidances] == [{"outside": SkipReason.NOT_PERMITTED}] * 3
    assert (outside.calls, inside.calls) == (0, 3)
    [warning] = [warning for warning in warnings(caplog) if "outside" in warning]
    assert "models.example" in warning
    assert "data_boundary" in warning
    assert "sk-" not in warning


@pytest.mark.anyio
async def test_an_answer_that_only_such_a_reviewer_could_have_read_is_not_approved() -> None:
    async with session_of(reviewer(Sending(ELSEWHERE)), agent=AGENT) as session:
        guidance = await session.finish(answering("Done."), answer="Done.", stop=Stop.ANSWER)
    assert (guidance.result, guidance.verdict) == (FinishResult.UNAVAILABLE, Verdict.UNAVAILABLE)
    assert skips(guidance) == {"one": SkipReason.NOT_PERMITTED}


@pytest.mark.anyio
async def test_any_lets_the_transcript_go_anywhere() -> None:
    async with session_of(every_turn(Sending(ELSEWHERE), data_boundary="any"), agent=AGENT) as session:
        assert set(outcomes(await session.boundary(transcript()))) == {"one"}


@pytest.mark.anyio
async def test_a_fallback_outside_is_left_out_of_the_chain(caplog: pytest.LogCaptureFixture) -> None:
    async def fails(review: Review) -> None:
        raise ValueError("down")

    before = instance.calls
    async with session_of(every_turn(fails, fallbacks=(f"{__name__}:instance",)), agent=AGENT) as session:
        await session.boundary(transcript())
    assert instance.calls == before
    assert [warning for warning in warnings(caplog) if "goes without its fallback" in warning] != []


@pytest.mark.anyio
async def test_without_a_declared_agent_it_is_called_and_said_once(caplog: pytest.LogCaptureFixture) -> None:
    sending = Sending(ELSEWHERE)
    async with session_of(every_turn(sending)) as session:
        await session.boundary(transcript(1))
        await session.boundary(transcript(2))
    [warning] = [warning for warning in warnings(caplog) if "models.example" in warning]
    assert (sending.calls, "no 'agent' is declared" in warning) == (2, True)


@pytest.mark.anyio
@pytest.mark.parametrize("where", [None, "https://models.example", 42])
async def test_what_is_no_account_means_that_the_transcript_stays_here(
    where: Any, caplog: pytest.LogCaptureFixture
) -> None:
    async with session_of(every_turn(Sending(where)), agent=AGENT) as session:
        assert set(outcomes(await session.boundary(transcript()))) == {"one"}
    assert warnings(caplog) == []


def settings(**given: Any) -> Settings:
    return Settings(reviewers=[ReviewerConfig(name="one", use="checks")], **given)


@pytest.mark.parametrize(
    ("agent", "environ", "expected"),
    [
        ({}, {"OPENAI_API_KEY": "sk-agent"}, None),
        ({"protocol": "openai"}, {"OPENAI_API_KEY": "sk-agent"}, AGENT),
        ({"api_key": "sk-agent"}, {}, AGENT),
        (
            {"protocol": "openai"},
            {"OPENAI_API_KEY": "k", "OPENAI_BASE_URL": "http://host/v1/"},
            account("openai", "http://host/v1", "k"),
        ),
        (
            {"protocol": "openai"},
            {"OPENAI_BASE_URL": "http://host:port/v1"},
            Account(provider="", protocol="openai", endpoint=""),
        ),
        ({"protocol": "anthropic"}, {"ANTHROPIC_API_KEY": "k"}, account("anthropic", None, "k")),
        ({"base_url": "http://host/v1"}, {"OPENAI_API_KEY": "k"}, account("openai", "http://host/v1", None)),
    ],
)
def test_settings_declare_the_agents_account_and_its_key_is_only_taken_from_the_environment_for_its_own_provider(
    agent: dict[str, str], environ: dict[str, str], expected: object
) -> None:
    assert settings(agent=agent).agent.account(environ) == expected
