"""Why a model stopped, in the words of many providers."""

from __future__ import annotations

from enum import StrEnum

__all__ = ["Ending"]

_WORDS = {
    "said": "stop end end_turn stop_sequence eos eos_token complete completed finished",
    "cut": "length max_tokens max_output_tokens model_length incomplete",
    "full": "model_context_window_exceeded context_length_exceeded",
    "refused": "content_filter refusal safety recitation prohibited_content blocklist spii guardrail_intervened",
    "called": "tool_calls tool_call tool_use function_call",
}


class Ending(StrEnum):
    """Why a model stopped."""

    SAID = "said"
    """It had said what it wanted to say, or the provider gives no reason."""
    CUT = "cut"
    """The limit of output tokens was reached."""
    FULL = "full"
    """Its window was full."""
    REFUSED = "refused"
    """It, or a filter of the provider's, declined."""
    CALLED = "called"
    """It wanted to call a tool, and has none."""
    UNKNOWN = "unknown"
    """For a reason that is not known here, so that nothing may be concluded from it."""

    @classmethod
    def of(cls, finish_reason: str | None) -> Ending:
        """Return the ending that a provider's word means; None and "" say nothing, and mean that it was done."""
        word = (finish_reason or "stop").strip().casefold()
        return next((cls(ending) for ending, words in _WORDS.items() if word in words.split()), cls.UNKNOWN)
