"""What clients call the events after which nobody waits for an answer."""

CAPTURES = frozenset({"pre-compact", "precompact", "precompress", "stop", "afteragent", "session-end", "sessionend"})
"""The events at which a transcript is imported, by their names in clients."""
