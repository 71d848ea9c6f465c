"""Up to four more eyes on an AI agent: named reviewers, scheduled, bounded, checkpointed and metered."""
