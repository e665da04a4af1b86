"""URLs: stored and printed, never fetched."""

import re

_ABSOLUTE_URL = re.compile(r"\s*(https?://(?:\[[0-9a-f:.]+\]|[^\s/?#\[\]])\S*)\s*", re.IGNORECASE)


def parse_url(text: str | None) -> str | None:
    """The stripped text if it is an absolute http or https URL."""
    found = _ABSOLUTE_URL.fullmatch(text) if text else None
    return found[1] if found else None


def normalize_url(text: str | None) -> str | None:
    """The URL in a field that expects one; inner blanks are percent-encoded, as a browser does."""
    return parse_url("%20".join(text.split())) if text else None
