"""Events, and the sinks that turn them into metrics and logs."""
