"""What was erased on purpose and must not come back: known by hashes alone, refused wherever it is written."""

from collections.abc import Iterable, Iterator

from recollect.errors import Refused
from recollect.model.document import content_hash
from recollect.store.change import Change
from recollect.store.forgetting import forgotten_hash

NAMED_FOR_GOOD = frozenset({"record", "conversation", "lore_source", "encounter", "artifact"})
"""Kinds whose key comes with the content; a day's memory and an identity file may be begun anew."""


class Forgotten(Refused):
    """What comes in was erased on purpose."""

    code = "forgotten"

    def __init__(self, what: str) -> None:
        super().__init__(f"{what} was forgotten and does not come back", field="content")


def of_document(kind: str, key: str, digests: Iterable[str]) -> Iterator[str]:
    """The tombstones of a document: its texts and, where its key is its own, its name."""
    yield from (forgotten_hash("text", digest) for digest in digests)
    if kind in NAMED_FOR_GOOD:
        yield forgotten_hash("document", kind, key)


def of_fact(slot: int) -> str:
    return forgotten_hash("fact", str(slot))


def of_entity(type_: str, folded: str) -> str:
    return forgotten_hash("entity", type_, folded)


def check_document(change: Change, kind: str, key: str, text: str | None) -> None:
    """Refuse a document that was forgotten, by its name or its text."""
    if change.forgotten and change.is_forgotten(*of_document(kind, key, [content_hash(text)] if text else [])):
        raise Forgotten(f"{kind} {key!r}")


def check_fact(change: Change, slot: int) -> None:
    if change.forgotten and change.is_forgotten(of_fact(slot)):
        raise Forgotten("this fact")


def check_entity(change: Change, type_: str, folded: str) -> None:
    if change.forgotten and change.is_forgotten(of_entity(type_, folded)):
        raise Forgotten("an entity of this name and type")
