"""What must not come back: erased content, known by its hash, and hidden documents, known by their deletion reason."""

from collections.abc import Iterable, Iterator

from recollect.errors import Refused
from recollect.model.document import Document, content_hash
from recollect.model.ids import DocumentId
from recollect.store.change import Change
from recollect.store.erasure_queries import drop_tombstones, tombstone_hash

KINDS_WITH_OWN_KEYS = frozenset({"record", "conversation", "lore_source", "encounter", "artifact"})
"""Kinds whose key comes with the content; a day's memory and an identity file may be begun anew."""


HIDDEN = "hidden"
"""The deletion reason of an entity or document that was hidden; undoing that transaction shows it again."""


class HiddenContent(Refused):
    """What comes in was hidden before."""

    code = "hidden"

    def __init__(self, document: Document) -> None:
        super().__init__(
            f"{document.kind} {document.key!r} was hidden; undo transaction {document.tx_from} to show it again",
            field="content",
        )


class ErasedContent(Refused):
    """What comes in was erased on purpose."""

    code = "forgotten"

    def __init__(self, what: str, advice: str = "") -> None:
        super().__init__(f"{what} was erased and is not imported again{advice}", field="content")


READ_ERASED = "ingest.erased"
"""The setting that lets what was erased be read again."""
KINDS_OF_FILES = frozenset({"record", "conversation", "lore_source"})


def document_tombstones(kind: str, key: str, digests: Iterable[str]) -> Iterator[str]:
    """The tombstones of a document: its texts and, where its key is its own, its name."""
    yield from (tombstone_hash("text", digest) for digest in digests)
    if kind in KINDS_WITH_OWN_KEYS:
        yield tombstone_hash("document", kind, key)


def fact_tombstone(slot: int) -> str:
    return tombstone_hash("fact", str(slot))


def fact_id_tombstone(id_: str) -> str:
    """What other devices know an erased fact by: others of its slot may hold at another time."""
    return tombstone_hash("fact id", id_)


def sentence_tombstone(plain: str) -> str:
    """The tombstone of a sentence that states something erased, in a document that stays."""
    return tombstone_hash("sentence", plain)


def partly_erased_tombstone(document: DocumentId) -> str:
    """The tombstone of a document with such a sentence."""
    return tombstone_hash("partly erased", document)


def entity_tombstone(type_: str, folded: str) -> str:
    return tombstone_hash("entity", type_, folded)


def _entity_tombstones(type_: str, folded: str) -> Iterator[str]:
    """The tombstone of a name, and those of its typographic spellings, which were once names of their own."""
    spellings = {folded, folded.replace("'", "’"), folded.replace("-", "–"), folded.replace("-", "—")}
    return (entity_tombstone(type_, each) for each in sorted(spellings))


def check_document(change: Change, kind: str, key: str, text: str | None) -> None:
    """Refuse a document that was erased, by its name or its text."""
    is_tombstoned(change, kind, key, text)


def is_tombstoned(change: Change, kind: str, key: str, text: str | None) -> bool:
    """Whether a document was erased and may be read again, which lifts its tombstones; refused if it may not."""
    if not change.forgotten:
        return False
    found = change.forgotten.intersection(document_tombstones(kind, key, [content_hash(text)] if text else []))
    if found and not change.settings.flag(READ_ERASED):
        allow = "; to read it all the same: recollect ingest --erased" if kind in KINDS_OF_FILES else ""
        raise ErasedContent(f"{kind} {key!r}", allow)
    drop_tombstones(change, found)
    return bool(found)


def check_fact(change: Change, slot: int) -> None:
    if change.forgotten and change.is_forgotten(fact_tombstone(slot)):
        raise ErasedContent("this fact")


def check_entity(change: Change, type_: str, folded: str) -> None:
    if change.forgotten and change.is_forgotten(*_entity_tombstones(type_, folded)):
        raise ErasedContent("an entity of this name and type")


def is_hidden_source(document: Document | None, text: str | None) -> bool:
    """Whether a text comes from a hidden document; where a key may be used anew, only the same text does."""
    if document is None or document.deleted != HIDDEN:
        return False
    return document.kind in KINDS_WITH_OWN_KEYS or (text is not None and content_hash(text) == document.content)


def check_not_hidden(document: Document | None, text: str | None) -> None:
    if document is not None and is_hidden_source(document, text):
        raise HiddenContent(document)
