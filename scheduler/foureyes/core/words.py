"""The closed sets of foureyes: one word per idea, and the same word in code, settings, logs and metrics.

Every value of these enums is also a metric label, so the sets are closed: adding a member is a change of the
public interface, and a dashboard may rely on there being no others.
"""

from __future__ import annotations

import re
from enum import StrEnum

__all__ = [
    "FAILURES",
    "FINISH_REASONS",
    "Answer",
    "ApiProtocol",
    "DataBoundary",
    "Disposition",
    "FinishResult",
    "Likeness",
    "MuteReason",
    "OutcomeKind",
    "OutputMode",
    "Reasoning",
    "Severity",
    "SkipReason",
    "Stop",
    "Trigger",
    "Verdict",
]


class Severity(StrEnum):
    """How much a note matters, weakest first: ``nit`` < ``concern`` < ``blocker``.

    Compare with :attr:`rank`; the members are strings and would compare by spelling.
    """

    NIT = "nit"
    CONCERN = "concern"
    BLOCKER = "blocker"

    @property
    def rank(self) -> int:
        """Return 1 for a nit, 2 for a concern and 3 for a blocker. Zero is free to mean "never raised"."""
        return _RANKS[self]

    @classmethod
    def parse(cls, word: object) -> tuple[Severity, bool]:
        """Return the severity that a reviewer's word means, and whether the word was understood.

        Case, blanks and surrounding punctuation do not matter, and common synonyms are read ("HIGH", "P0",
        "minor"). A missing or unknown word is a nit: an invented level can neither buy the agent's attention
        nor reach the rendered attribute.
        """
        if isinstance(word, Severity):
            return word, True
        if not isinstance(word, str):
            return cls.NIT, word is None
        plain = _WORD.search(word[:_LONGEST_WORD].casefold())
        if plain is None:
            return cls.NIT, word[:_LONGEST_WORD].isascii()
        found = _SYNONYMS.get(_LEVEL.sub("", _BLANKS.sub("-", plain[0])))
        return (found, True) if found else (cls.NIT, False)


_LONGEST_WORD = 64
_BLANKS = re.compile(r"[\s_-]+")
_LEVEL = re.compile(r"(?:^(?:severity|priority|level)\W*)|(?:-(?:severity|priority|level))$")
_WORD = re.compile(r"[^\W_](?:.*[^\W_])?", re.DOTALL)

_RANKS = {Severity.NIT: 1, Severity.CONCERN: 2, Severity.BLOCKER: 3}

_SYNONYMS: dict[str, Severity] = {
    word: severity
    for severity, words in {
        Severity.BLOCKER: """
            blocker blocking critical crit severe fatal high highest p0 s0 s1 sev0 sev1 urgent
            must-fix showstopper show-stopper hoch kritisch blockierend schwerwiegend critique bloquant
            élevé élevée alta alto crítico crítica bloqueante critico critica bloccante hoog kritiek
            высокий высокая критично критический блокер 严重 嚴重 致命 高 重大 심각 높음
        """,
        Severity.CONCERN: """
            concern major medium moderate warning warn p1 p2 s2 sev2 error should-fix mittel moyen
            moyenne media medio média médio middel gemiddeld средний средняя 中 中等 中程度 보통
        """,
        Severity.NIT: """
            nit nitpick minor low trivial info note suggestion p3 p4 s3 s4 sev3 sev4 lowest niedrig
            gering faible baja bajo baixa baixo bassa basso laag низкий низкая 低 轻微 輕微 軽微 낮음
        """,
    }.items()
    for word in words.split()
}


class Trigger(StrEnum):
    """Why a review happens."""

    PERIODIC = "periodic"
    FINISH = "finish"
    POST_TURN = "post_turn"
    TOOL = "tool"
    MANUAL = "manual"


class OutcomeKind(StrEnum):
    """How one review ended. Exactly one of these for every review that was started."""

    NOTED = "noted"
    """At least one note, readable or not, whatever became of it."""
    QUIET = "quiet"
    """The reviewer explicitly had nothing to say."""
    UNPARSED = "unparsed"
    """Something came back that is no reply: never an approval."""
    ERROR = "error"
    TIMEOUT = "timeout"
    RATE_LIMITED = "rate_limited"
    QUOTA_EXHAUSTED = "quota_exhausted"
    REFUSED = "refused"
    OVERFLOW = "overflow"
    CANCELLED = "cancelled"
    """The host cancelled or aborted the run: refunded, and no fault of the reviewer."""
    INTERRUPTED = "interrupted"
    """The process was killed during the review, and it could not be repeated."""
    STALE = "stale"
    """The run moved on (a new request, a rewind) while the review was under way."""

    @property
    def completed(self) -> bool:
        """Tell whether the reviewer did its work: only then can its silence count for anything."""
        return self is _QUIET or self is _NOTED


_NOTED, _QUIET = OutcomeKind.NOTED, OutcomeKind.QUIET

FAILURES = frozenset(
    {
        OutcomeKind.UNPARSED,
        OutcomeKind.ERROR,
        OutcomeKind.TIMEOUT,
        OutcomeKind.RATE_LIMITED,
        OutcomeKind.QUOTA_EXHAUSTED,
        OutcomeKind.REFUSED,
        OutcomeKind.OVERFLOW,
    }
)
"""The outcomes that are the reviewer's failure: they start the cooldown and count towards a pause."""


class SkipReason(StrEnum):
    """Why a reviewer that was due was not called."""

    DISABLED = "disabled"
    PAUSED = "paused"
    MUTED = "muted"
    BUSY = "busy"
    CAP = "cap"
    COOLDOWN = "cooldown"
    BUDGET = "budget"
    NOTHING_NEW = "nothing_new"
    NOT_PERMITTED = "not_permitted"
    STOP_REASON = "stop_reason"
    ABORTED = "aborted"
    STORE_UNAVAILABLE = "store_unavailable"


class Disposition(StrEnum):
    """What became of one note, as the emission guard decided."""

    ADMITTED = "admitted"
    """Queued for the agent."""
    RECORDED = "recorded"
    """Below the reviewer's floor: kept for the host, not for the agent."""
    EMPTY = "empty"
    NOISE = "noise"
    """A content-free phrase and nothing else."""
    ABOUT_REVIEWER = "about_reviewer"
    """Its declared subject is the review itself."""
    DUPLICATE = "duplicate"
    MERGED = "merged"
    """The same finding as another reviewer's at this boundary; that note carries both names."""
    HELD_SIMILAR = "held_similar"
    """It resembles what the agent has been told, and so did another in this request: for the host, at the finish."""
    OVER_REVIEW = "over_review"
    """Beyond the reviewer's notes per review: not admitted, and free to be raised again."""
    OVER_BOUNDARY = "over_boundary"
    """Admitted, but beyond the notes of one boundary: it waits in the queue."""
    OVER_REQUEST = "over_request"
    """Admitted, but beyond the notes of one request: listed to the host at the finish."""
    MALFORMED = "malformed"
    """Not readable as a note; its siblings are not lost with it."""
    LATE = "late"
    """Its review had already been given up."""


class Likeness(StrEnum):
    """By what a note is like an earlier one. No metric label: it explains a disposition."""

    KEY = "key"
    """The same declared key."""
    TEXT = "text"
    """The same text, once folded."""
    COUNTER = "counter"
    """The same text, but for what only counts the note, such as "third reminder"."""
    MOVED = "moved"
    """The same text, about a line of the same file a little further up or down."""
    CUT = "cut"
    """The beginning of the earlier text, broken off."""
    PLACE = "place"
    """The same declared anchor, in words that share their gist."""
    WORDS = "words"
    """Much the same words, and nothing that tells the two apart: flagged, never dropped for it."""


class Answer(StrEnum):
    """What a judge says of two notes that resemble each other. No metric label: it is kept beside the disposition."""

    SAME = "same"
    """They tell one finding."""
    DIFFERENT = "different"
    """They tell two."""


class MuteReason(StrEnum):
    """Why a flood has silenced a reviewer for the rest of a request."""

    SIMILAR = "similar"
    """Too many notes in a row that were held as similar."""
    BLOCKERS = "blockers"
    """Too many suppressed blockers in a row."""


class FinishResult(StrEnum):
    """How a finish ended for the run."""

    CLEAN = "clean"
    REOPENED = "reopened"
    CAPPED = "capped"
    UNAVAILABLE = "unavailable"
    INCOMPLETE = "incomplete"
    ABORTED = "aborted"


class Verdict(StrEnum):
    """What the reviews say about the answer. Only a completed review can make it ``approved``."""

    APPROVED = "approved"
    CHANGES_REQUESTED = "changes_requested"
    UNAVAILABLE = "unavailable"
    DECIDED = "decided"
    PENDING = "pending"
    UNREVIEWED = "unreviewed"


class Stop(StrEnum):
    """Why the agent stopped, as the host says at a finish. Only an ``answer`` is reviewed."""

    ANSWER = "answer"
    BUDGET = "budget"
    MAX_TURNS = "max_turns"
    TOOL_BUDGET = "tool_budget"
    TERMINAL_TOOL = "terminal_tool"
    ERROR = "error"
    ABORTED = "aborted"
    PAUSED_FOR_HUMAN = "paused_for_human"


FINISH_REASONS = frozenset({SkipReason.CAP, SkipReason.DISABLED, SkipReason.STOP_REASON})
"""Skips at a finish that leave an answer merely unreviewed; any other makes the review unavailable."""


class ApiProtocol(StrEnum):
    """Which API a model's endpoint speaks."""

    OPENAI = "openai"
    """Chat completions, which nearly every server and proxy offers."""
    ANTHROPIC = "anthropic"
    """Messages."""


class OutputMode(StrEnum):
    """How a model is held to our JSON."""

    AUTO = "auto"
    """The strictest that the endpoint turns out to take, found once and remembered."""
    JSON_SCHEMA = "json_schema"
    JSON_OBJECT = "json_object"
    PROMPTED = "prompted"
    """By words alone, which every model takes."""


class Reasoning(StrEnum):
    """How long a model may think before it answers."""

    OFF = "off"
    """Nothing is asked for, so the model does what it does by default."""
    MINIMAL = "minimal"
    LOW = "low"
    MEDIUM = "medium"
    HIGH = "high"


class DataBoundary(StrEnum):
    """To whom the transcript may go, compared with the agent's own account."""

    SAME_ACCOUNT = "same_account"
    """Provider, protocol, endpoint and credential are the agent's."""
    SAME_PROVIDER = "same_provider"
    """The provider is the agent's; protocol, path and credential may be others."""
    ANY = "any"
