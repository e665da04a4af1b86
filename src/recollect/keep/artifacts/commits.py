"""Filing prose in a folio: its parts as documents, one commit that joins them, all of it or nothing."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any, NamedTuple

from recollect.embed.port import Embedder, EmbeddingFailed
from recollect.ingest.documents import DocumentDraft, keep_document
from recollect.ingest.line import Line
from recollect.ingest.take import tell_from
from recollect.keep.artifacts.artifact import COMMIT, say_day
from recollect.keep.artifacts.parts import parts_of
from recollect.model.document import Document
from recollect.model.filing import COMMIT_ID, FOLIO, FOLIO_ID
from recollect.model.ids import DocumentId, say_uuid
from recollect.store.change import Change
from recollect.store.index import embed_texts
from recollect.store.tables import FOLIO_COMMIT, OPEN
from recollect.when.instant import Instant, local_day
from recollect.write.folio import Folio, find_or_make_folio, set_readme


@dataclass(frozen=True, slots=True)
class NewCommit:
    """What somebody files; `properties` go with every part of it."""

    folio: str
    content: str
    title: str | None = None
    source_at: Instant | None = None
    properties: Mapping[str, Any] = field(default_factory=dict)
    told: Line | None = None
    is_readme: bool = False
    is_read: bool = False
    key: str | None = None


class Committed(NamedTuple):
    """A commit as it stands; `is_repeat` if it stood so before."""

    id: str
    folio: Folio
    is_new_folio: bool
    is_repeat: bool
    documents: Sequence[DocumentId]
    committed_at: Instant
    tx: int
    facts: int
    links: int


Join = Callable[[Sequence[DocumentId]], int]
"""Makes the links that come with a commit, given its documents; how many."""


def commit(change: Change, new: NewCommit, embedder: Embedder | None, join: Join) -> Committed:
    """The commit, made now or found: the same text in the same folio on one day is one."""
    folio, is_new = find_or_make_folio(change, new.folio)
    identity = _identity(change, new)
    held = change.rows("commit_known", folio=folio.id, identity=identity)
    if held:
        id_, tx, at, documents, facts, links = held[0]
        return Committed(id_, folio, False, True, json.loads(documents), at, tx, facts, links)
    id_ = change.new_id()
    kept = [] if new.is_readme else _keep_parts(change, new, folio, id_)
    if new.is_readme:
        folio = set_readme(change, folio, new.content)
    _embed(change, kept, embedder)
    facts = _tell(change, new, kept)
    ids = [each.id for each in kept]
    made = Committed(id_, folio, is_new, False, ids, change.now, change.tx, facts, join(ids))
    change.connection.insert(FOLIO_COMMIT, [_row(change, made, identity)])
    return made


def _row(change: Change, made: Committed, identity: str) -> tuple[object, ...]:
    documents = json.dumps(list(made.documents))
    named = (change.ws, made.id, change.tx, OPEN, made.folio.id, identity, change.now)
    return (*named, documents, made.facts, made.links)


def _identity(change: Change, new: NewCommit) -> str:
    if new.key is not None:
        return f"key:{new.key}"
    day = say_day(local_day(change.now, change.world.zone))
    kind = "readme" if new.is_readme else "text"
    return f"{day}:{kind}:{sha256(new.content.encode()).hexdigest()}"


def _keep_parts(change: Change, new: NewCommit, folio: Folio, id_: str) -> list[Document]:
    parts = parts_of(new.content)
    return [_keep_part(change, new, folio, id_, number, text) for number, text in enumerate(parts)]


def _keep_part(change: Change, new: NewCommit, folio: Folio, id_: str, number: int, text: str) -> Document:
    document = DocumentId(change.new_id())
    filed = {FOLIO: folio.name, FOLIO_ID: folio.id, COMMIT_ID: id_, "part": number}
    draft = DocumentDraft(
        kind="artifact",
        type=COMMIT,
        key=say_uuid(document),
        title=new.title,
        author=None,
        url=None,
        source_at=change.now if new.source_at is None else new.source_at,
        text=text,
        properties={**new.properties, **filed},
        id=document,
    )
    return keep_document(change, draft)


def _embed(change: Change, documents: Sequence[Document], embedder: Embedder | None) -> None:
    """Give the parts their vectors at once, so that the next search finds them; else they wait their turn."""
    if embedder is None:
        return
    texts = {chunk.hash: chunk.text for each in documents for chunk in change.chunks(each.id)}
    try:
        embed_texts(change, embedder, texts)
    except EmbeddingFailed:
        return


def _tell(change: Change, new: NewCommit, documents: Sequence[Document]) -> int:
    """What the text itself tells, if it is to be read, and what comes with it, its first part as the source."""
    read = sum(_read(change, each) for each in documents) if new.is_read else 0
    return read + _told(change, new, documents)


def _read(change: Change, document: Document) -> int:
    from recollect.ingest.extract.reading import read_record

    return read_record(change, document, change.text_of(document), None).facts


def _told(change: Change, new: NewCommit, documents: Sequence[Document]) -> int:
    if new.told is None or not documents:
        return 0
    tell_from(change, documents[0], new.told)
    return len(new.told.facts)
