"""Who reviews, and within which bounds: declared, loaded, and compared with what the agent itself may use."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from foureyes.calling import Link
from foureyes.core.account import Account, may_see
from foureyes.core.backend import BudgetConfig
from foureyes.core.config import MAX_REVIEWERS, ReviewerConfig, in_order
from foureyes.core.guard import Limits
from foureyes.core.words import DataBoundary
from foureyes.errors import ConfigError
from foureyes.loading import built

__all__ = ["Roster", "beyond", "notices", "rostered"]

logger = logging.getLogger("foureyes")


@dataclass(frozen=True, slots=True, kw_only=True)
class Roster:
    """Who reviews, and within which bounds: the policy, as it is declared now."""

    configs: tuple[ReviewerConfig, ...]
    """In the order of consultation."""
    chains: dict[str, tuple[Link, ...]]
    """What reviews, by reviewer: itself, then its fallbacks."""
    limits: Limits
    budget: BudgetConfig = BudgetConfig()
    """What all reviewers together may use."""
    not_permitted: frozenset[str] = frozenset()
    """Reviewers that may not see the transcript."""
    by_name: dict[str, ReviewerConfig] = field(init=False)
    outgoing: frozenset[str] = field(init=False)
    """Reviewers that let what they see leave this process: it is redacted before anything is cut."""
    sight: dict[str, int] = field(init=False)
    """By reviewer, the number of its evidence bounds: who has the same number sees the same window."""

    def __post_init__(self) -> None:
        """Index the reviewers by name."""
        names = [config.name for config in self.configs]
        outgoing = frozenset(name for name in names if any(link.outgoing for link in self.chains.get(name, ())))
        sights = [(config.evidence, config.name in outgoing) for config in self.configs]
        object.__setattr__(self, "by_name", dict(zip(names, self.configs, strict=True)))
        object.__setattr__(self, "outgoing", outgoing)
        object.__setattr__(self, "sight", {name: sights.index(sights[place]) for place, name in enumerate(names)})


def rostered(
    reviewers: tuple[ReviewerConfig, ...], limits: Limits, budget: BudgetConfig, agent: Account | None
) -> Roster:
    """Return the roster of these reviewers, loaded and in order; what is not as declared is said once, in the log.

    Raises ConfigError with every problem at once.
    """
    problems = [*_problems(reviewers, limits), *_unpriced(reviewers, budget)]
    chains: dict[str, tuple[Link, ...]] = {}
    for config in reviewers:
        try:
            chains[config.name] = _chain(config)
        except ConfigError as error:
            problems += [f"reviewer {config.name!r}: {problem}" for problem in error.problems]
    if problems:
        raise ConfigError(*problems)
    outside = frozenset(config.name for config in reviewers if not _may_see(config, chains[config.name][0], agent))
    for config in reviewers:
        chains[config.name] = _inside(config, chains[config.name], agent)
    return Roster(configs=in_order(reviewers), chains=chains, limits=limits, budget=budget, not_permitted=outside)


def _may_see(config: ReviewerConfig, link: Link, agent: Account | None) -> bool:
    return may_see(config.data_boundary, link.account, agent)


def _inside(config: ReviewerConfig, chain: tuple[Link, ...], agent: Account | None) -> tuple[Link, ...]:
    """Return the chain without the fallbacks that may not see the transcript, and say once what is not as declared."""
    for notice in notices(config, chain, agent):
        logger.warning("%s", notice)
    inside = tuple(link for link in chain if _may_see(config, link, agent))
    return inside if chain[0] in inside else chain


def notices(config: ReviewerConfig, chain: Sequence[Link], agent: Account | None) -> Iterator[str]:
    """Yield what of the chain may not see the transcript, and whether there was nothing to compare with."""
    outside = [link for link in chain if not _may_see(config, link, agent)]
    if chain[0] in outside:
        yield f"{config.name} is not called: {beyond(config, chain[0])}"
        return
    for link in outside:
        yield f"{config.name} goes without its fallback {link.use}: {beyond(config, link)}"
    if notice := _undeclared(config, chain, agent):
        yield notice


def _undeclared(config: ReviewerConfig, chain: Iterable[Link], agent: Account | None) -> str:
    found = [link.account for link in chain if link.account is not None]
    providers = dict.fromkeys(account.provider or "an account that nobody named" for account in found)
    if not providers or agent is not None or config.data_boundary is DataBoundary.ANY:
        return ""
    sends = f"{config.name} sends the transcript to {' and '.join(providers)}"
    return f"{sends}, and no 'agent' is declared to compare its account with; declare it, or set data_boundary = 'any'"


def beyond(config: ReviewerConfig, link: Link) -> str:
    """Return why the transcript may not go where the link sends it."""
    provider = link.account.provider if link.account else ""
    wanted = f"as data_boundary = '{config.data_boundary}' wants it"
    if not provider:
        cure = "tell the account where the model is made, or set data_boundary = 'any'"
        return f"nobody can tell whether its account is the agent's, {wanted}; {cure}"
    return f"its account with {provider} is not the agent's, {wanted}"


def _problems(reviewers: tuple[ReviewerConfig, ...], limits: Limits) -> list[str]:
    problems = [
        f"limits: {name} must be a whole number from 1"
        for name in ("notes_per_boundary", "notes_per_request")
        if type(getattr(limits, name)) is not int or getattr(limits, name) < 1
    ]
    if len(reviewers) > MAX_REVIEWERS:
        problems.append(f"{len(reviewers)} reviewers are configured, and {MAX_REVIEWERS} are allowed: remove some")
    names = [config.name for config in reviewers]
    twice = sorted({name for name in names if names.count(name) > 1})
    return problems + [f"two reviewers are called {name!r}: rename one" for name in twice]


def _unpriced(reviewers: tuple[ReviewerConfig, ...], budget: BudgetConfig) -> Iterator[str]:
    for config in reviewers:
        if config.enabled and (problem := config.unpriced((config.use or "", *config.fallbacks), budget)):
            yield f"reviewer {config.name!r}: {problem}"


def _chain(config: ReviewerConfig) -> tuple[Link, ...]:
    return tuple(
        Link.of(name, config.reviewer if use is None and config.reviewer else built(use or "", settings))
        for name, use, settings in config.chain()
    )
