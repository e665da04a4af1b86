"""Memories read for entities and facts, by a durable queue."""
