"""Reasoning about a world in time: what was true, when, who knew it, and which source says so."""
