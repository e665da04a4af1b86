"""Queries of ingest: awaited words, record identities, retention, stored times, lore documents and unread passages."""

import json
from collections.abc import Collection, Iterable, Mapping
from math import inf
from types import MappingProxyType
from typing import Any, NamedTuple

from recollect.model.document import Document
from recollect.model.fact import Assertion, Fact
from recollect.model.ids import DocumentId, EntityId, FactId
from recollect.store.change import Change
from recollect.store.port import Row
from recollect.store.rows import EndedChunk, document_of
from recollect.store.tables import ASSERTION, LINE, OPEN, VersionedTable
from recollect.store.view import View
from recollect.when.instant import Instant


class AwaitedWord(NamedTuple):
    """A word that a document or a fact waits for."""

    word: str
    waiting: str


class GivenName(NamedTuple):
    """A name or alias that an entity was given, and whether the entity existed before."""

    entity: EntityId
    kind: str
    folded: str
    type: str
    is_older_entity: bool


class StoredChunk(NamedTuple):
    number: int
    document: DocumentId


def last_chunk(view: View) -> int:
    return view.fetch_number("chunks_last")


def chunks_between(view: View, after: int, upto: int, limit: int) -> list[StoredChunk]:
    """Live chunks by number, after the first bound and up to the second."""
    return view.fetch(StoredChunk, "chunks_to_recut", behind=after, upto=upto, limit=limit)


def reread_watermark(view: View) -> int:
    """The last transaction whose names, issues and affiliations were applied to earlier records."""
    return next((int(tx) for (tx,) in view.rows("reading_to")), 0)


def set_reread_watermark(change: Change, tx: int) -> None:
    change.run("reading_put", tx=tx)


def has_awaited_words(view: View) -> bool:
    return bool(view.rows("awaited_any"))


NO_BOUNDS: Mapping[str, float] = MappingProxyType({})
_SUSPECT = "record suspect"  # no word of a text holds a space


def note_suspect(change: Change, document: DocumentId) -> None:
    """List a document among those that look like an attack."""
    await_words(change, document, [_SUSPECT])


def suspect_documents(view: View) -> set[DocumentId]:
    """The documents that looked like an attack when they were taken in."""
    return {DocumentId(each) for each in awaiting(view, [_SUSPECT])}


def await_words(change: Change, waiting: str, words: Iterable[str]) -> None:
    """Register the words that a document or a fact waits for."""
    change.run_many("awaited_add", [{"word": word, "document": waiting} for word in words])


def stop_awaiting(change: Change, waiting: str, word: str) -> None:
    change.run("awaited_drop", word=word, document=waiting)


def is_awaiting(view: View, waiting: str, word: str) -> bool:
    return bool(view.rows("awaiting_one", word=word, document=waiting))


def awaiting(view: View, words: Collection[str], latest: Mapping[str, float] = NO_BOUNDS) -> set[DocumentId]:
    """The documents that wait for one of these words and were not written after the latest transaction given for it."""
    rows = view.rows("awaiting", words=sorted(words)) if words else ()
    return {DocumentId(document) for word, document, tx in rows if tx <= latest.get(word, inf)}


def awaited_between(view: View, low: str, high: str) -> list[AwaitedWord]:
    return view.fetch(AwaitedWord, "awaited_between", low=low, high=high)


def names_begun(view: View, since: int, until: int, types: Collection[str]) -> list[GivenName]:
    """Names and aliases that entities of these types were given in these transactions."""
    return view.fetch(GivenName, "names_begun", since=since, until=until, types=list(types))


def mark_ingested(change: Change, line: str, instead_of: Document | None) -> None:
    """Record that a line was ingested; the earlier lines of its document may be ingested again."""
    earlier_lines = change.fetch_values("lines_of_document", document=instead_of.id) if instead_of is not None else ()
    for earlier in earlier_lines:
        change.end_row(LINE, (earlier,))
        change.note_line(earlier, is_known=False)
    change.mark_ingested(line)


def records_below(view: View, prefix: str) -> list[Document]:
    """The records whose keys begin so, without those that were deleted."""
    return view.fetch_documents("records_below", low=prefix, high=f"{prefix}\U0010ffff")


def replaced_lines(view: View, lines: Collection[str]) -> set[str]:
    """Those of these lines that were ingested once and have been replaced or undone since."""
    return {line for line, is_current in ingested_lines(view, lines).items() if not is_current}


def ingested_lines(view: View, lines: Collection[str]) -> dict[str, bool]:
    """Those of these lines that were ever ingested, and whether they still count: not once replaced or undone."""
    rows = view.rows("lines_ever_taken", hashes=list(lines)) if lines else ()
    return {line: until >= OPEN for line, until in rows}


def awaited_link(folded: str) -> str:
    """Under what a note awaits an entity that it links to; no word of a text holds a space."""
    return f"link {folded}"


def awaiting_links(view: View, since: int) -> set[DocumentId]:
    """The notes that link to a name which an entity has only had since a transaction."""
    return set(view.fetch_values("awaiting_links", since=since))


def issues_begun(view: View, since: int) -> list[str]:
    """The keys of the issues that came after a transaction."""
    return view.fetch_values("issues_begun", since=since)


def documents_asserting(view: View, facts: Collection[FactId]) -> set[DocumentId]:
    return set(view.fetch_values("documents_asserting", facts=list(facts))) if facts else set()


def has_suggested_employers(view: View) -> bool:
    return bool(view.rows("employers_suggested"))


def affiliations_begun(view: View, since: int) -> list[tuple[EntityId, EntityId]]:
    """The ends of stated affiliations after a transaction that may replace a suggested employer."""
    return [(subject, target) for _, subject, target in view.rows("affiliations_begun", since=since)]


def stated_affiliations(view: View, entity: EntityId) -> list[Fact]:
    return view.fetch_facts("affiliations_stated", entity=entity)


def account_retention(view: View, connector: str, account: str) -> list[float]:
    """How many days the bodies of an account are kept."""
    return view.fetch_values("body_retention_of_account", connector=connector, account=account)


def set_body_expiry(change: Change, document: str, until: Instant | None) -> None:
    """Schedule the removal of a body, or cancel it."""
    if until is None:
        change.run("body_due_drop", document=document)
    else:
        change.run("body_due_put", document=document, due_at=until)


def put_mesh_body(change: Change, uri: str, document: DocumentId) -> None:
    change.run("mesh_body_put", uri=uri, document=document)


def put_record_identity(change: Change, type_: str, value: str, key: str) -> None:
    change.run("identity_add", type=type_, value=value, key=key)


def record_identity(view: View, type_: str, value: str) -> str | None:
    """The key of the record or entity that has this identifier."""
    return view.fetch_text("identity_key", type=type_, value=value)


def dated_assertions(view: View) -> list[Assertion]:
    return view.fetch_assertions("assertions_dated")


def dated_facts(view: View) -> list[Fact]:
    return view.fetch_facts("facts_dated")


def entities_with_property(view: View, key: str) -> list[tuple[EntityId, Mapping[str, Any]]]:
    rows = view.rows("entities_holding", part=f'%"{key}"%')
    return [(entity, json.loads(properties)) for entity, properties in rows]


def documents_with_property(view: View, key: str) -> list[Mapping[str, Any]]:
    """The properties of documents that have one under this key."""
    return [json.loads(properties) for _, properties in view.rows("documents_holding", part=f'%"{key}"%')]


def definition_versions(view: View, kind: str, slug: str) -> list[Mapping[str, Any]]:
    """A calendar, era or date as it was defined, oldest first."""
    return [json.loads(text) for text, *_ in view.rows("definition_versions", kind=kind, slug=slug)]


def era_paths_ever(view: View) -> list[str]:
    return view.fetch_values("eras_ever")


def record_keys(view: View) -> dict[str, str]:
    """The keys of all records, by their ids."""
    return dict(view.rows("records_all"))


def lore_sources_titled(view: View, title: str) -> list[Document]:
    """Lore documents with this title, deleted ones too."""
    return view.fetch_documents("documents_titled", title=title, kind="lore_source")


def lore_documents_with_pending_time(view: View, after: DocumentId, limit: int) -> list[DocumentId]:
    """Lore documents behind another, in the order of their ids, that have a time which could not be read."""
    return view.fetch_values("lore_documents_pending", after=after, limit=limit)


def encounters_with_content(view: View, content_hash: str) -> list[Document]:
    return view.fetch_documents("encounters_with_text", content=content_hash)


def chunks_ended_by(change: Change, tx: int, document: DocumentId) -> list[EndedChunk]:
    """The passages of a document that a transaction ended."""
    return [chunk for chunk in change.fetch(EndedChunk, "chunks_ended", tx=tx) if chunk.document == document]


def facts_withdrawn_by(change: Change, tx: int, document: DocumentId) -> list[FactId]:
    """The facts that a document asserted until a transaction ended its assertions."""
    fact = ASSERTION.columns.index("fact")
    return sorted({row[fact] for row in _rows_ended_by(change, ASSERTION, tx, "document", document)})


def reopen_rows(change: Change, table: VersionedTable, tx: int, column: str, value: str) -> int:
    """Begin again the rows with this value that a transaction ended; returns how many there were."""
    rows = _rows_ended_by(change, table, tx, column, value)
    for row in rows:
        change.begin_again(table, row)
    return len(rows)


def _rows_ended_by(change: Change, table: VersionedTable, tx: int, column: str, value: str) -> list[Row]:
    index = table.columns.index(column)
    return [row for row in change.connection.ended_by(table, change.ws, tx) if row[index] == value]


class MailboxMark(NamedTuple):
    """Up to which message a mailbox was read; the number counts only while the server keeps its validity."""

    validity: int
    uid: int


def mailbox_mark(view: View, mailbox: str) -> MailboxMark | None:
    return view.fetch_one(MailboxMark, "mailbox_read", mailbox=mailbox)


class KnownFolder(NamedTuple):
    """A folder whose notes are known by its name, and whether it is the first of that name."""

    name: str
    path: str
    is_first: bool


def known_folders(view: View, name: str) -> list[KnownFolder]:
    """The folders of a name that were imported on this installation."""
    prefix = _folder_key(name, "")
    rows = view.rows("mailboxes_below", prefix=prefix, length=len(prefix))
    return [KnownFolder(name, key[len(prefix) :], bool(is_first)) for key, is_first in rows]


def put_known_folder(change: Change, folder: KnownFolder) -> None:
    put_mailbox_mark(change, _folder_key(folder.name, folder.path), MailboxMark(int(folder.is_first), 0))


def _folder_key(name: str, path: str) -> str:
    """Kept beside the mailboxes that were read, which are addresses."""
    return f"folder {name}\n{path}"


def put_mailbox_mark(change: Change, mailbox: str, mark: MailboxMark) -> None:
    change.run("mailbox_read_put", mailbox=mailbox, **mark._asdict())


class StoredPassage(NamedTuple):
    """A live passage of a document, by its number in the workspace."""

    number: int
    document: DocumentId
    seq: int
    start: int
    stop: int
    text: str
    tx_from: int


def passages_after(view: View, number: int, kinds: Collection[str], limit: int) -> list[StoredPassage]:
    """The next live passages of documents of these kinds."""
    return view.fetch(StoredPassage, "passages_after", number=number, kinds=sorted(kinds), limit=limit)


def unread_passages(view: View, about: EntityId | None, limit: int, before: int = OPEN) -> list[StoredPassage]:
    """The newest passages listed as unread, of documents that mention an entity if one is given."""
    if about is None:
        return view.fetch(StoredPassage, "unread_passages", before=before, limit=limit)
    return view.fetch(StoredPassage, "unread_passages_mentioning", entity=about, before=before, limit=limit)


def unread_not_mentioning(view: View, numbers: Collection[int], entity: EntityId) -> list[StoredPassage]:
    """Those of some passages that are listed as unread, of documents that are not known to mention an entity."""
    return view.fetch(StoredPassage, "unread_named", numbers=sorted(numbers), entity=entity) if numbers else []


def count_unread(view: View, about: EntityId | None) -> int:
    if about is None:
        return view.fetch_number("unread_count")
    return view.fetch_number("unread_count_mentioning", entity=about)


def changed_unread_passages(view: View, about: EntityId | None) -> list[StoredPassage]:
    """The passages listed as unread whose document was changed, or gave facts, after they were stored."""
    if about is None:
        return view.fetch(StoredPassage, "unread_changed")
    return view.fetch(StoredPassage, "unread_changed_mentioning", entity=about)


def list_as_unread(change: Change, numbers: Iterable[int]) -> None:
    for number in numbers:
        change.run("unread_put", number=number)


def hidden_documents_with_text(view: View, kind: str, hash_: str) -> list[Document]:
    """The hidden documents of a kind with the text of this hash."""
    return [document_of(row) for row in view.rows("hidden_documents_with_text", kind=kind, hash=hash_)]
