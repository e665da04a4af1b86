"""Findings of the example world, by their ids, which are always the same there."""

TWO_KNIVES = "vio_11D9Y0VRS15PYA5GT3TDXKYT1B"
"""Mira Orrin and the Saltguard both possess the Tide-Knife."""
