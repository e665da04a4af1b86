"""What is kept but never read: newsletters, automatic replies, bounces, and what bots open."""

import re
from collections.abc import Mapping
from typing import Any

from recollect.ingest.extract.party import AUTOMATIC, party_of

_SUBJECT = re.compile(
    r"\s*(?:out of office|automatic reply|auto-reply|autoreply|undeliverable|delivery status notification)",
    re.IGNORECASE,
)
_UNSUBSCRIBE = re.compile(r"\bunsubscribe\b", re.IGNORECASE)
_BROWSER = re.compile(r"view in browser|manage preferences|update your preferences", re.IGNORECASE)
_BULK = frozenset({"bulk", "list", "junk", "auto_reply"})
_BY_ACCOUNTS = frozenset({"github_issue", "github_pr", "linear_issue"})


def noise_in(type_: str, fields: Mapping[str, Any], title: str | None, text: str | None) -> str | None:
    """Why a record is noise, in a word; none if it is not."""
    if type_ in _BY_ACCOUNTS:
        author = party_of(fields.get("author") or fields.get("creator"))
        return "bot" if author is not None and author.is_bot else None
    if type_ != "email":
        return None
    return _sender(fields) or _header(headers_of(fields)) or _subject(fields, title) or _body(text)


def headers_of(fields: Mapping[str, Any]) -> dict[str, str]:
    """The headers of a mail by their folded names; given as an object, as pairs, or as text."""
    given = fields.get("headers")
    if isinstance(given, str):
        pairs = [line.partition(":")[::2] for line in given.splitlines() if ":" in line]
    elif isinstance(given, list):
        pairs = [(str(each[0]), str(each[1])) for each in given if isinstance(each, list) and len(each) == 2]
        named = (each for each in given if isinstance(each, Mapping) and "name" in each)
        pairs += [(str(each["name"]), str(each.get("value", ""))) for each in named]
    elif isinstance(given, Mapping):
        pairs = [(str(key), str(value)) for key, value in given.items() if value is not None]
    else:
        pairs = []
    return {key.strip().casefold(): value.strip() for key, value in pairs}


def _sender(fields: Mapping[str, Any]) -> str | None:
    sender = party_of(fields.get("sender"))
    if sender is None:
        return None
    return "sender" if sender.is_bot or AUTOMATIC.match(sender.local) else None


def _header(headers: Mapping[str, str]) -> str | None:
    if not headers:
        return None
    is_list = any(name in headers for name in ("list-unsubscribe", "list-id", "x-auto-response-suppress"))
    is_automatic = headers.get("auto-submitted", "no").casefold() not in ("no", "")
    is_bulk = headers.get("precedence", "").casefold() in _BULK
    return "header" if is_list or is_automatic or is_bulk else None


def _subject(fields: Mapping[str, Any], title: str | None) -> str | None:
    subject = fields.get("subject")
    given = [text for text in (subject if isinstance(subject, str) else None, title) if text]
    return "subject" if any(_SUBJECT.match(text) for text in given) else None


def _body(text: str | None) -> str | None:
    return "body" if text and _UNSUBSCRIBE.search(text) and _BROWSER.search(text) else None
