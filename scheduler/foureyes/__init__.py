"""Up to four more eyes on an AI agent: named reviewers, scheduled, bounded, checkpointed and metered."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from foureyes.budget import SharedUsage
    from foureyes.charging import charge, expect
    from foureyes.core.account import Account
    from foureyes.core.backend import BudgetConfig
    from foureyes.core.config import EvidenceConfig, GuardConfig, ReviewerConfig
    from foureyes.core.facts import Anchor, EarlierNote, Message, Note, Reply, Review, ToolCall, ToolTrace, Usage
    from foureyes.core.guard import Judged, Limits
    from foureyes.core.render import Advisory
    from foureyes.core.state import Called, NoteRecord, Skipped
    from foureyes.core.words import (
        Disposition,
        FinishResult,
        OutcomeKind,
        Severity,
        SkipReason,
        Stop,
        Trigger,
        Verdict,
    )
    from foureyes.errors import (
        BudgetError,
        ConfigError,
        ContextOverflowError,
        FoureyesError,
        HostError,
        MisconfiguredError,
        QuotaExhaustedError,
        RateLimitedError,
        RefusedError,
        ReviewerError,
        RevisionConflictError,
        StateVersionError,
        StoreError,
        TransientReviewerError,
        UnparsedReplyError,
    )
    from foureyes.guidance import Guidance
    from foureyes.scheduler import ReviewScheduler
    from foureyes.session import Session
    from foureyes.settings import Settings
    from foureyes.stores.base import Store
    from foureyes.stores.memory import MemoryStore
    from foureyes.stores.sqlite import SQLiteStore
    from foureyes.sync import SyncReviewScheduler, SyncSession
    from foureyes.telemetry.events import Event, Sink
    from foureyes.telemetry.logs import LogSink
    from foureyes.telemetry.prometheus import PrometheusSink

__all__ = [
    "Account",
    "Advisory",
    "Anchor",
    "BudgetConfig",
    "BudgetError",
    "Called",
    "ConfigError",
    "ContextOverflowError",
    "Disposition",
    "EarlierNote",
    "Event",
    "EvidenceConfig",
    "FinishResult",
    "FoureyesError",
    "GuardConfig",
    "Guidance",
    "HostError",
    "Judged",
    "Limits",
    "LogSink",
    "MemoryStore",
    "Message",
    "MisconfiguredError",
    "Note",
    "NoteRecord",
    "OutcomeKind",
    "PrometheusSink",
    "QuotaExhaustedError",
    "RateLimitedError",
    "RefusedError",
    "Reply",
    "Review",
    "ReviewScheduler",
    "ReviewerConfig",
    "ReviewerError",
    "RevisionConflictError",
    "SQLiteStore",
    "Session",
    "Settings",
    "Severity",
    "SharedUsage",
    "Sink",
    "SkipReason",
    "Skipped",
    "StateVersionError",
    "Stop",
    "Store",
    "StoreError",
    "SyncReviewScheduler",
    "SyncSession",
    "ToolCall",
    "ToolTrace",
    "TransientReviewerError",
    "Trigger",
    "UnparsedReplyError",
    "Usage",
    "Verdict",
    "charge",
    "expect",
]

_HOMES = {
    "Account": "foureyes.core.account",
    "Advisory": "foureyes.core.render",
    "Anchor": "foureyes.core.facts",
    "BudgetConfig": "foureyes.core.backend",
    "BudgetError": "foureyes.errors",
    "Called": "foureyes.core.state",
    "ConfigError": "foureyes.errors",
    "ContextOverflowError": "foureyes.errors",
    "Disposition": "foureyes.core.words",
    "EarlierNote": "foureyes.core.facts",
    "Event": "foureyes.telemetry.events",
    "EvidenceConfig": "foureyes.core.config",
    "FinishResult": "foureyes.core.words",
    "FoureyesError": "foureyes.errors",
    "GuardConfig": "foureyes.core.config",
    "Guidance": "foureyes.guidance",
    "HostError": "foureyes.errors",
    "Judged": "foureyes.core.guard",
    "Limits": "foureyes.core.guard",
    "LogSink": "foureyes.telemetry.logs",
    "MemoryStore": "foureyes.stores.memory",
    "Message": "foureyes.core.facts",
    "MisconfiguredError": "foureyes.errors",
    "Note": "foureyes.core.facts",
    "NoteRecord": "foureyes.core.state",
    "OutcomeKind": "foureyes.core.words",
    "PrometheusSink": "foureyes.telemetry.prometheus",
    "QuotaExhaustedError": "foureyes.errors",
    "RateLimitedError": "foureyes.errors",
    "RefusedError": "foureyes.errors",
    "Reply": "foureyes.core.facts",
    "Review": "foureyes.core.facts",
    "ReviewScheduler": "foureyes.scheduler",
    "ReviewerConfig": "foureyes.core.config",
    "ReviewerError": "foureyes.errors",
    "RevisionConflictError": "foureyes.errors",
    "SQLiteStore": "foureyes.stores.sqlite",
    "Session": "foureyes.session",
    "Settings": "foureyes.settings",
    "Severity": "foureyes.core.words",
    "SharedUsage": "foureyes.budget",
    "Sink": "foureyes.telemetry.events",
    "SkipReason": "foureyes.core.words",
    "Skipped": "foureyes.core.state",
    "StateVersionError": "foureyes.errors",
    "Stop": "foureyes.core.words",
    "Store": "foureyes.stores.base",
    "StoreError": "foureyes.errors",
    "SyncReviewScheduler": "foureyes.sync",
    "SyncSession": "foureyes.sync",
    "ToolCall": "foureyes.core.facts",
    "ToolTrace": "foureyes.core.facts",
    "TransientReviewerError": "foureyes.errors",
    "Trigger": "foureyes.core.words",
    "UnparsedReplyError": "foureyes.errors",
    "Usage": "foureyes.core.facts",
    "Verdict": "foureyes.core.words",
    "charge": "foureyes.charging",
    "expect": "foureyes.charging",
}
"""Where each public name is. It is imported when it is first asked for: settings, metrics and SQLite cost more than all
the rest, and the command must be able to say "interrupted" before anything is loaded."""


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    value = globals()[name] = getattr(import_module(_HOMES[name]), name)
    return value


def __dir__() -> list[str]:
    return __all__
