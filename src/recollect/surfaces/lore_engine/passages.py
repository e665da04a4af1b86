"""How passages and what is known of their documents print on this surface."""

from hashlib import blake2b
from uuid import UUID

from recollect.model.document import Document, content_hash
from recollect.model.ids import DocumentId
from recollect.reason.lore.sources import VISIBILITIES, reliability_of
from recollect.store.found import FoundChunk


def chunk_uuid(document: DocumentId, seq: int, digest: str) -> str:
    """The id of a passage: the same as long as the document says the same there."""
    return str(UUID(bytes=blake2b(f"{document}\0{seq}\0{digest}".encode(), digest_size=16).digest(), version=5))


def found_chunk_uuid(chunk: FoundChunk) -> str:
    return chunk_uuid(chunk.document, chunk.seq, content_hash(chunk.text))


def say_reliability(document: Document) -> str | float:
    """How far a document is trusted: a word, or the number it was given."""
    given = document.properties.get("reliability")
    if isinstance(given, int | float) and not isinstance(given, bool):
        return given
    return reliability_of(document.kind, document.type, document.properties)


def say_visibility(document: Document) -> str:
    given = document.properties.get("visibility")
    return given if isinstance(given, str) and given in VISIBILITIES else VISIBILITIES[2]


def say_world_time(document: Document) -> str | None:
    given = document.properties.get("world_time")
    return given if isinstance(given, str) else None
