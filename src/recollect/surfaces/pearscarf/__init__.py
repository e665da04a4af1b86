"""Operational memory: who is connected to whom, what was said, what changed, and which record says so."""
