"""Tombstones: what was erased on purpose is known by hash and refused wherever it is written again."""

from collections.abc import Iterable, Iterator

from recollect.errors import Refused
from recollect.model.document import content_hash
from recollect.store.change import Change
from recollect.store.erasure import tombstone_hash

KINDS_WITH_OWN_KEYS = frozenset({"record", "conversation", "lore_source", "encounter", "artifact"})
"""Kinds whose key comes with the content; a day's memory and an identity file may be begun anew."""


class ErasedContent(Refused):
    """What comes in was erased on purpose."""

    code = "forgotten"

    def __init__(self, what: str) -> None:
        super().__init__(f"{what} was forgotten and does not come back", field="content")


def document_tombstones(kind: str, key: str, digests: Iterable[str]) -> Iterator[str]:
    """The tombstones of a document: its texts and, where its key is its own, its name."""
    yield from (tombstone_hash("text", digest) for digest in digests)
    if kind in KINDS_WITH_OWN_KEYS:
        yield tombstone_hash("document", kind, key)


def fact_tombstone(slot: int) -> str:
    return tombstone_hash("fact", str(slot))


def entity_tombstone(type_: str, folded: str) -> str:
    return tombstone_hash("entity", type_, folded)


def _entity_tombstones(type_: str, folded: str) -> Iterator[str]:
    """The tombstone of a name, and those of its typographic spellings, which were once names of their own."""
    spellings = {folded, folded.replace("'", "’"), folded.replace("-", "–"), folded.replace("-", "—")}
    return (entity_tombstone(type_, each) for each in sorted(spellings))


def check_document(change: Change, kind: str, key: str, text: str | None) -> None:
    """Refuse a document that was forgotten, by its name or its text."""
    if change.forgotten and change.is_forgotten(*document_tombstones(kind, key, [content_hash(text)] if text else [])):
        raise ErasedContent(f"{kind} {key!r}")


def check_fact(change: Change, slot: int) -> None:
    if change.forgotten and change.is_forgotten(fact_tombstone(slot)):
        raise ErasedContent("this fact")


def check_entity(change: Change, type_: str, folded: str) -> None:
    if change.forgotten and change.is_forgotten(*_entity_tombstones(type_, folded)):
        raise ErasedContent("an entity of this name and type")
