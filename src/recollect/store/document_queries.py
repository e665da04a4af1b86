"""Queries of documents and their passages: versions, texts, filing, mentions, and messages of conversations."""

import json
from collections.abc import Collection, Iterable, Sequence
from typing import NamedTuple

from recollect.model.document import Document
from recollect.model.ids import DocumentId, EntityId
from recollect.model.page import ResultPage
from recollect.store.change import Change
from recollect.store.passage_filter import ANY_TIME, ArtifactFilter, PassageFilter
from recollect.store.rows import EndedChunk, page_of
from recollect.store.tables import CHAT_BULLET, MESSAGE, OPEN
from recollect.store.view import View
from recollect.when.instant import Instant

MAX_TAG_COUNT = 1_000


def source_documents_of(view: View, entity: EntityId) -> list[DocumentId]:
    """Documents that the current relations of an entity come from."""
    return view.fetch_values("documents_behind", entity=entity, superseded=0)


def documents_in_folio(view: View, folio: str) -> list[DocumentId]:
    return view.fetch_values("documents_in_folio", folio=folio)


def newest_of(view: View, documents: Collection[DocumentId]) -> Instant | None:
    """The newest source time of documents."""
    [[newest]] = view.rows("newest_of_documents", ids=sorted(documents))
    return None if newest is None else Instant(newest)


class ListedDocument(NamedTuple):
    key: str
    kind: str
    type: str
    title: str | None
    source_at: Instant


def list_documents(view: View, kind: str | None, limit: int) -> list[ListedDocument]:
    """Documents, newest first; `kind` may be a kind or a type."""
    return view.fetch(ListedDocument, "documents_page", type=kind, limit=limit)


def count_documents(view: View, kind: str | None) -> int:
    return view.fetch_number("documents_counted", type=kind)


class BegunDocument(NamedTuple):
    """A record or a page of lore, and the transaction of its first version."""

    id: DocumentId
    first_tx: int


def next_documents(view: View, after: int, upto: int) -> tuple[int, list[BegunDocument]] | None:
    """The next transaction that wrote what records and pages now are, with them; none after the last one."""
    tx = view.fetch_values("documents_next_begun", after=after, upto=upto)[0]
    return None if tx is None else (tx, view.fetch(BegunDocument, "documents_begun_in", tx=tx))


def count_documents_between(view: View, after: int, upto: int) -> int:
    """How many records and pages of lore are as one of these transactions wrote them."""
    return view.fetch_number("documents_begun_counted", after=after, upto=upto)


class PassagePlace(NamedTuple):
    """A passage and its place in a document."""

    number: int
    document: DocumentId
    start: int
    stop: int


def passages_of(view: View, documents: Collection[DocumentId]) -> list[PassagePlace]:
    return view.fetch(PassagePlace, "passages_of", documents=sorted(documents)) if documents else []


def passage_lengths(view: View, documents: Collection[DocumentId]) -> dict[int, int]:
    """The lengths of the passages of documents, by number."""
    return {each.number: each.stop - each.start for each in passages_of(view, documents)}


def passage_places(view: View, numbers: Collection[int], where: PassageFilter) -> list[PassagePlace]:
    """Those of the passages that the filter allows."""
    return view.fetch(PassagePlace, "chunk_owners", numbers=sorted(numbers), **where.parameters()) if numbers else []


def filed_documents(
    view: View, where: ArtifactFilter, among: Collection[DocumentId] | None, limit: int, offset: int
) -> ResultPage[DocumentId]:
    """By the index that fits; the rest of the filter is checked on what that gives."""
    parameters = {**where.parameters(), "limit": limit, "offset": offset}
    if among is not None:
        rows = view.rows("artifacts_among", documents=sorted(among), **parameters)
    elif where.tags:
        rows = view.rows("artifacts_tagged", rarest=_rarest_tag(view, where), **parameters)
    else:
        rows = view.rows(_filed_query(where), **parameters)
    return page_of(rows, lambda row: row[0])


def _filed_query(where: ArtifactFilter) -> str:
    if where.folio is not None:
        return "artifacts_in_folio"
    if where.source is not None:
        return "artifacts_from"
    if where.recorded != ANY_TIME:
        return "artifacts_recorded"
    return "artifacts_of_kinds" if where.kinds else "artifacts_dated"


def unordered_filed_documents(view: View, where: ArtifactFilter, limit: int) -> list[DocumentId] | None:
    """Some of the documents that are wanted, in no order; none where no index tells them apart."""
    parameters = {**where.parameters(), "limit": limit}
    if where.tags:
        rows = view.rows("few_tagged", rarest=_rarest_tag(view, where), **parameters)
    elif (query := _few_query(where)) is not None:
        rows = view.rows(query, **parameters)
    else:
        return None
    return [row[0] for row in rows]


def _few_query(where: ArtifactFilter) -> str | None:
    if where.folio is not None:
        return "few_in_folio"
    if where.source is not None:
        return "few_from"
    if where.dated != ANY_TIME:
        return "few_dated"
    return "few_of_kinds" if where.kinds else None


def _rarest_tag(view: View, where: ArtifactFilter) -> str:
    return min(sorted(where.tags), key=lambda tag: _count_uses(view, tag))


def _count_uses(view: View, tag: str) -> int:
    return view.fetch_number("tag_counted", tag=tag, limit=MAX_TAG_COUNT)


def documents_naming(view: View, entities: Collection[EntityId]) -> set[DocumentId]:
    """Documents that mention one of the entities or are a source of one of its facts."""
    return set(view.fetch_values("documents_naming", entities=sorted(entities))) if entities else set()


def entities_in_documents(view: View, documents: Collection[DocumentId]) -> list[tuple[DocumentId, EntityId]]:
    rows = view.rows("entities_in_documents", documents=sorted(documents)) if documents else ()
    return [(document, entity) for document, entity in rows]


def hashes_ended_between(view: View, low: int, high: int) -> list[str]:
    """The hashes of passages in a range of numbers that have ended."""
    return view.fetch_values("hashes_ended_between", low=low, high=high)


def hidden_names_mentioned(
    view: View, documents: Collection[DocumentId], reason: str
) -> dict[DocumentId, tuple[str, ...]]:
    """By document, the names that entities deleted for this reason had and that it mentions."""
    found: dict[DocumentId, tuple[str, ...]] = {}
    parameters = {"documents": sorted(documents), "reason": reason}
    for document, name in view.rows("hidden_names_mentioned", **parameters) if documents else ():
        found[document] = (*found.get(document, ()), name)
    return found


def version_counts(view: View, documents: Collection[DocumentId]) -> dict[DocumentId, int]:
    """By document, how many versions it had so far."""
    return dict(view.rows("document_version_counts", ids=sorted(documents))) if documents else {}


def versions_of(view: View, document: DocumentId) -> list[Document]:
    """Every version of a document, the first one first."""
    found = view.fetch_documents("document_versions", id=document)
    return sorted(found, key=lambda version: version.tx_from)


def turn_back_chunks(change: Change, tx: int) -> None:
    """End the chunks that a transaction began and restore those it ended.

    Those of a document that the transaction deleted are reopened under their numbers, which decide between equal
    ranks in a search; while it was deleted, nobody sees them.
    """
    ended = change.fetch(EndedChunk, "chunks_ended", tx=tx)
    lacking = set(change.fetch_values("chunks_lacking_vectors", tx=tx))
    then = change.at(tx)
    deleted = {id_ for id_, each in then.documents({each.document for each in ended}).items() if each.deleted}
    for document in change.fetch_values("chunks_begun", tx=tx):
        change.end_chunks(document)
    for chunk in ended:
        if chunk.document not in deleted - lacking:
            change.add_chunk(*chunk)
    for document in sorted(deleted - lacking):
        change.run("chunks_reopen", document=document, tx=tx)
    # A deletion that is done again ends the chunks that its undo reopened.
    live = {id_ for id_, each in change.documents(change.touched.documents).items() if not each.deleted}
    for document in sorted(change.touched.documents - live):
        change.end_chunks(document)


def documents_of_kind(view: View, kind: str) -> list[Document]:
    """All documents of a kind, deleted ones included."""
    return view.fetch_documents("documents_of_kind", kind=kind)


def memories_between(view: View, low: str, high: str) -> list[Document]:
    """The memories with ids from one to before another, by id."""
    found = view.fetch_documents("memories_between", low=low, high=high)
    return sorted(found, key=lambda document: document.key)


def artifacts_between(view: View, low: str, high: str) -> list[Document]:
    """The artifacts with keys from one to before another, by key; no deleted ones."""
    found = view.fetch_documents("artifacts_between", low=low, high=high)
    return sorted(found, key=lambda document: document.key)


def memories_changed_between(view: View, low: str, high: str, since: int) -> set[str]:
    """The ids from one to before another of memories that changed after a transaction."""
    return set(view.fetch_values("memories_touched_between", low=low, high=high, since=since))


def texts_by_hash(view: View, hashes: Collection[str]) -> dict[str, str]:
    return dict(view.rows("texts", hashes=sorted(hashes))) if hashes else {}


class MessageRow(NamedTuple):
    """A message by its position; `start` and `stop` are its span in the transcript, `more` is JSON."""

    seq: int
    key: str
    role: str
    at: Instant | None
    estimated: int
    start: int
    stop: int
    more: str


class BulletPlace(NamedTuple):
    """The memory that holds a bullet, and the hash of the bullet's line."""

    memory: str
    hash: str


def messages_of(view: View, document: DocumentId) -> list[MessageRow]:
    return view.fetch(MessageRow, "messages_of", document=document)


def has_answer_within(view: View, document: DocumentId, since: int, until: int) -> bool:
    """Whether an assistant said some of what stands between two places of a transcript."""
    return bool(view.rows("answered_within", document=document, since=since, until=until))


def write_messages(change: Change, document: DocumentId, messages: Iterable[MessageRow], ended: Iterable[int]) -> None:
    """End the messages at some positions and begin new ones."""
    for seq in ended:
        change.end_row(MESSAGE, (document, seq))
    rows = [(change.ws, document, row.seq, change.tx, OPEN, *row[1:]) for row in messages]
    if rows:
        change.connection.insert(MESSAGE, rows)


def bullets_of(view: View, document: DocumentId) -> dict[BulletPlace, tuple[str, ...]]:
    """The bullets that came from a conversation, each with the keys of its messages."""
    rows = view.rows("chat_bullets_of", document=document)
    return {BulletPlace(memory, digest): tuple(json.loads(messages)) for memory, digest, messages in rows}


def put_bullet(change: Change, document: DocumentId, place: BulletPlace, messages: Sequence[str]) -> None:
    """Record the messages that a bullet came from; without any, the record ends."""
    key = (document, *place)
    change.end_row(CHAT_BULLET, key)
    if messages:
        change.begin_row(CHAT_BULLET, key, json.dumps(list(messages)))
