"""Up to four more eyes on an AI agent: named reviewers, scheduled, bounded, checkpointed and metered."""

from typing import TYPE_CHECKING, Any

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
from foureyes.stores.base import Store
from foureyes.stores.memory import MemoryStore
from foureyes.telemetry.events import Event, Sink

if TYPE_CHECKING:
    from foureyes.settings import Settings
    from foureyes.stores.sqlite import SQLiteStore
    from foureyes.sync import SyncReviewScheduler, SyncSession
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

_LATER = {
    "LogSink": "foureyes.telemetry.logs",
    "PrometheusSink": "foureyes.telemetry.prometheus",
    "SQLiteStore": "foureyes.stores.sqlite",
    "Settings": "foureyes.settings",
    "SyncReviewScheduler": "foureyes.sync",
    "SyncSession": "foureyes.sync",
}
"""Public names that are imported when first asked for: they cost more than all the rest together."""


def __getattr__(name: str) -> Any:
    if name not in _LATER:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(_LATER[name]), name)


def __dir__() -> list[str]:
    return __all__
