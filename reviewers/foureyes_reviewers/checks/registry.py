"""All checks, and the reviewer that runs them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from foureyes.core.config import ReviewerConfig
from foureyes.core.facts import Note, Reply, Review
from foureyes.errors import ConfigError
from foureyes.spelling import did_you_mean
from foureyes_reviewers.checks.answered_anyway import answered_anyway
from foureyes_reviewers.checks.broken_answer import broken_answer
from foureyes_reviewers.checks.check import Check
from foureyes_reviewers.checks.circles import circles
from foureyes_reviewers.checks.claimed_action import claimed_action
from foureyes_reviewers.checks.claimed_lookup import claimed_lookup
from foureyes_reviewers.checks.contradicted_answer import contradicted_answer
from foureyes_reviewers.checks.destructive_command import destructive_command
from foureyes_reviewers.checks.from_memory import from_memory
from foureyes_reviewers.checks.handed_back import handed_back
from foureyes_reviewers.checks.made_up_data import made_up_data
from foureyes_reviewers.checks.missed_form import missed_form
from foureyes_reviewers.checks.near_repeat import near_repeat
from foureyes_reviewers.checks.needless_handoff import needless_handoff
from foureyes_reviewers.checks.passed_over import passed_over
from foureyes_reviewers.checks.placeholder_call import placeholder_call
from foureyes_reviewers.checks.plan_not_followed import plan_not_followed
from foureyes_reviewers.checks.repeated_call import repeated_call
from foureyes_reviewers.checks.repeated_error import repeated_error
from foureyes_reviewers.checks.stalled import stalled
from foureyes_reviewers.checks.unconfirmed_action import unconfirmed_action
from foureyes_reviewers.checks.unfinished_answer import unfinished_answer
from foureyes_reviewers.checks.unhandled_error import unhandled_error
from foureyes_reviewers.checks.unsupported_answer import unsupported_answer
from foureyes_reviewers.checks.unsupported_figures import unsupported_figures
from foureyes_reviewers.checks.untested_change import untested_change

__all__ = ["CHECKS", "ChecksReviewer", "reviewer"]

CHECKS: tuple[Check, ...] = (
    Check(
        name="repeated-call",
        find=repeated_call,
        description="The same tool call is made again and again with the same outcome.",
    ),
    Check(
        name="near-repeat",
        find=near_repeat,
        description="The same look is made again and again in other spellings, with the same result.",
    ),
    Check(
        name="unhandled-error",
        find=unhandled_error,
        description="The answer passes over a tool call that failed and was not made good.",
    ),
    Check(
        name="claimed-lookup",
        find=claimed_lookup,
        description="Something is said to have been looked up or verified, and no tool was used for it.",
    ),
    Check(
        name="passed-over",
        find=passed_over,
        description="A call failed, and the agent's next words treat it as a success.",
    ),
    Check(
        name="made-up-data",
        find=made_up_data,
        description="Simulated, assumed or placeholder data take the place of what was asked for.",
    ),
    Check(
        name="from-memory",
        find=from_memory,
        description="A statement rests on the agent's own knowledge, as it says itself.",
    ),
    Check(
        name="handed-back",
        find=handed_back,
        description="The agent asks somebody else to do the work by hand.",
    ),
    Check(
        name="unfinished-answer",
        find=unfinished_answer,
        description="The answer announces work that no call does.",
    ),
    Check(
        name="broken-answer",
        find=broken_answer,
        description="The answer is the report of a crash or of a limit that ended the run.",
    ),
    Check(
        name="stalled",
        find=stalled,
        description="The agent says again that it makes no progress.",
    ),
    Check(
        name="circles",
        find=circles,
        description="The same is said, or the same calls are run through, for the third time.",
    ),
    Check(
        name="placeholder-call",
        find=placeholder_call,
        description="A call was made with a placeholder where a real value belongs.",
    ),
    Check(
        name="repeated-error",
        find=repeated_error,
        description="The same error comes back however the call is varied.",
    ),
    Check(
        name="unsupported-figures",
        find=unsupported_figures,
        description="An amount in the answer occurs in no result and follows from none.",
    ),
    Check(
        name="plan-not-followed",
        find=plan_not_followed,
        description="Work is announced twice in a row, and no tool is called for it.",
    ),
    Check(
        name="contradicted-answer",
        find=contradicted_answer,
        description="The answer is another one than the agent had just come to.",
    ),
    Check(
        name="unsupported-answer",
        find=unsupported_answer,
        description="The request points to a source, and the answer came without a look at anything.",
    ),
    Check(
        name="needless-handoff",
        find=needless_handoff,
        description="The human is handed off, unasked and without a word before.",
    ),
    Check(
        name="destructive-command",
        find=destructive_command,
        description="A command destroys what the request does not speak of.",
    ),
    Check(
        name="untested-change",
        find=untested_change,
        description="Tests are said to pass, and the source was changed after their last run.",
    ),
    Check(
        name="missed-form",
        find=missed_form,
        description="The answer misses a form, a count or a file that the request names.",
    ),
    Check(
        name="claimed-action",
        find=claimed_action,
        description="Something is said to be done, and the calls of the run only looked things up.",
    ),
    Check(
        name="unconfirmed-action",
        find=unconfirmed_action,
        description="An action without the confirmation that the instructions demand.",
    ),
    Check(
        name="answered-anyway",
        find=answered_anyway,
        description="The answer follows on words that what it needs was not found.",
    ),
)
"""Every check, in the order in which their notes are given."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChecksReviewer:
    """Runs checks, one after the other."""

    checks: tuple[Check, ...] = CHECKS
    """The checks to run, in the order in which their notes are given."""

    def from_config(self, config: ReviewerConfig) -> ChecksReviewer:
        """Return the reviewer that runs what the setting ``checks`` says: the named ones, or all but those with a "-".

        Raises ConfigError for a name that no check has, and where no check would be left.
        """
        named = {name.strip().removeprefix("-").strip() for name in config.checks}
        left_out = any(name.strip().startswith("-") for name in config.checks)
        _know(named, [check.name for check in self.checks])
        chosen = tuple(check for check in self.checks if not named or (check.name in named) is not left_out)
        if not chosen:
            raise ConfigError("'checks' leaves no check to run; name fewer, or set enabled = false")
        return ChecksReviewer(checks=chosen)

    async def __call__(self, review: Review) -> Reply:
        """Return the notes of every check, in the order of :data:`CHECKS`, each key once.

        Deterministic: the same review gives the same reply. It reads no clock, does no IO, uses no tokens, never awaits
        and never raises. A full window of 32 messages and 32 calls takes a few milliseconds.
        """
        found: dict[str | None, Note] = {}
        for check in self.checks:
            for note in check.find(review):
                found.setdefault(note.key, note)
        return Reply(notes=tuple(found.values()))


def _know(named: Iterable[str], known: Sequence[str]) -> None:
    for name in sorted(named):
        if name not in known:
            raise ConfigError(f"'checks' names {name!r}, which is no check{did_you_mean(name, known)}")


reviewer = ChecksReviewer()
"""Every check: what ``use = "checks"`` means."""
