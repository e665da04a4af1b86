"""Conversations out of the exports of other platforms: told by their content, read as streams."""
