"""URLs: stored and printed, never fetched."""

import re

_ABSOLUTE_URL = re.compile(r"\s*(https?://(?:\[[0-9a-f:.]+\]|[^\s/?#\[\]])\S*)\s*", re.IGNORECASE)


def parse_url(text: str | None) -> str | None:
    """The text, without blanks around it, if it is an absolute address of the web."""
    found = _ABSOLUTE_URL.fullmatch(text) if text else None
    return found[1] if found else None


def normalize_url(text: str | None) -> str | None:
    """The address that stands where one was asked for: blanks inside it are a part, written as in a browser."""
    return parse_url("%20".join(text.split())) if text else None
