"""Lore of every written form: read into drafts first, then written down as one document."""
