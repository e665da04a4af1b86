"""Addresses of the web: kept and printed, never fetched."""

import re

_ON_THE_WEB = re.compile(r"\s*(https?://(?:\[[0-9a-f:.]+\]|[^\s/?#\[\]])\S*)\s*", re.IGNORECASE)


def web_address(text: str | None) -> str | None:
    """The text, without blanks around it, if it is an absolute address of the web."""
    found = _ON_THE_WEB.fullmatch(text) if text else None
    return found[1] if found else None


def written_address(text: str | None) -> str | None:
    """The address that stands where one was asked for: blanks inside it are a part, written as in a browser."""
    return web_address("%20".join(text.split())) if text else None
