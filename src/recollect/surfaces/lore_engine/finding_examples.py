"""Findings of the example world, by their ids, which are always the same there."""

TWO_KNIVES = "vio_5C0MXQ47RF25ZGSGX3AAFA6N88"
"""Mira Orrin and the Saltguard both possess the Tide-Knife."""
