"""Documents, their chunks, and the keys of their properties."""

import re
from collections.abc import Mapping
from hashlib import blake2b
from typing import Any, Final, Literal, NamedTuple, Protocol

from recollect.model.ids import DocumentId
from recollect.when.instant import Instant

DocumentKind = Literal["record", "memory", "identity", "lore_source", "encounter", "artifact", "conversation"]
KEY_LIMIT = 500
"""The longest key, author or other text that a document can be looked up by."""


class Document(NamedTuple):
    """One version of a document; `content` is the hash of its text."""

    id: DocumentId
    tx_from: int
    kind: DocumentKind
    type: str
    key: str
    title: str | None
    author: str | None
    url: str | None
    source_at: Instant
    content: str | None
    properties: Mapping[str, Any]
    deleted: str | None


class Chunk(NamedTuple):
    """A passage of a document, with its offsets in the text."""

    number: int
    document: DocumentId
    seq: int
    start: int
    stop: int
    hash: str
    text: str


CONVERSATION: Final = "conversation"


class AnyPassage(Protocol):
    """Anything that carries the text of a passage and its offsets in the document."""

    @property
    def start(self) -> int: ...
    @property
    def stop(self) -> int: ...
    @property
    def text(self) -> str: ...


def passage_body(passage: AnyPassage) -> str:
    """The words of a passage without the title and heading that stand before them for the indexes."""
    length = passage.stop - passage.start
    return passage.text[-length:] if 0 < length < len(passage.text) else passage.text


def content_hash(text: str) -> str:
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()


FOLIO = "folio"
FOLIO_ID = "folio_id"
TAGS = "tags"
TIER = "tier"
SUMMARY = "summary"
MIME = "mime"
SESSION = "session"
STREAM = "stream"
MESH_URI = "mesh_uri"
RETENTION_DAYS = "retention_days"
SOURCE_KIND = "source_kind"
CONFIDENCE = "confidence"
DERIVED_FROM = "derived_from"
WORLD_TIME = "world_time"
COMMIT_ID = "commit_id"
BODY_UNTIL = "body_until"
"""The instant from which no reader sees the body."""
REMEMBERED = "remembered"
"""Set on notes that an agent remembered; these are read once, when they are written."""


_ABSOLUTE_URL = re.compile(r"\s*(https?://(?:\[[0-9a-f:.]+\]|[^\s/?#\[\]])\S*)\s*", re.IGNORECASE)


def parse_url(text: str | None) -> str | None:
    """The stripped text if it is an absolute http or https URL."""
    found = _ABSOLUTE_URL.fullmatch(text) if text else None
    return found[1] if found else None


def normalize_url(text: str | None) -> str | None:
    """The URL in a field that expects one; inner blanks are percent-encoded, as a browser does."""
    return parse_url("%20".join(text.split())) if text else None
