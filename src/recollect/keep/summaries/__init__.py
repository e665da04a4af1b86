"""Closed periods of memories summed up."""
