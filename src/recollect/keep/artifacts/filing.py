"""Filing: prose committed to a folio in parts, and files attached to the log card of a run."""

import mimetypes
import re
from base64 import b64encode
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any, NamedTuple

from recollect.embed.port import Embedder, EmbeddingFailed
from recollect.errors import InvalidField, NotKnown
from recollect.ingest.documents import DocumentDraft, store_document
from recollect.ingest.line import IngestItem
from recollect.ingest.line_writer import write_facts_from
from recollect.keep.artifacts.artifact import COMMIT
from recollect.model.document import COMMIT_ID, FOLIO, FOLIO_ID, MIME, Document
from recollect.model.ids import DocumentId, format_uuid, parse_document_id
from recollect.store import artifact_queries
from recollect.store.artifact_queries import CommitRow
from recollect.store.change import Change
from recollect.store.passage_index import embed_texts
from recollect.store.view import View
from recollect.store.write_queries import Folio
from recollect.text.sentences import sentence_ends
from recollect.when.instant import Instant, format_date, local_day
from recollect.write.folios import find_or_create_folio, set_readme

MAX_PART_LENGTH = 3200
_BLANK_LINE = re.compile(r"\n[ \t]*\n\s*")


def split_into_parts(text: str) -> list[str]:
    """Paragraphs, as many in each part as fit; a longer one is cut at the end of a sentence, else at a space."""
    pieces = [cut for start, stop in _paragraphs(text) for cut in _split_paragraph(text, start, stop)]
    joined: list[tuple[int, int]] = []
    for start, stop in pieces:
        if joined and stop - joined[-1][0] <= MAX_PART_LENGTH:
            joined[-1] = joined[-1][0], stop
        else:
            joined.append((start, stop))
    return [text[start:stop].strip() for start, stop in joined]


def _paragraphs(text: str) -> Iterator[tuple[int, int]]:
    start = len(text) - len(text.lstrip())
    for gap in _BLANK_LINE.finditer(text, start):
        if gap.start() > start:
            yield start, gap.start()
        start = gap.end()
    if text[start:].strip():
        yield start, len(text.rstrip())


def _split_paragraph(text: str, start: int, stop: int) -> Iterator[tuple[int, int]]:
    while stop - start > MAX_PART_LENGTH:
        end = _cut_point(text, start, start + MAX_PART_LENGTH)
        yield start, end
        start = end + len(text[end:stop]) - len(text[end:stop].lstrip())
    if start < stop:
        yield start, stop


def _cut_point(text: str, start: int, most: int) -> int:
    sentences = list(sentence_ends(text, start, most))
    if sentences:
        return sentences[-1]
    space = max(text.rfind(" ", start + 1, most), text.rfind("\n", start + 1, most))
    return space if space > start else most


@dataclass(frozen=True, slots=True)
class NewCommit:
    """A text to commit; every part of it gets the `properties`."""

    folio: str
    content: str
    title: str | None = None
    source_at: Instant | None = None
    properties: Mapping[str, Any] = field(default_factory=dict)
    facts_line: IngestItem | None = None
    is_readme: bool = False
    extract_facts: bool = False
    key: str | None = None


class FolioCommit(NamedTuple):
    """A stored commit; `is_repeat` if the same text was committed before."""

    id: str
    folio: Folio
    is_new_folio: bool
    is_repeat: bool
    documents: Sequence[DocumentId]
    committed_at: Instant
    tx: int
    facts: int
    links: int


LinkMaker = Callable[[Sequence[DocumentId]], int]
"""Creates the links that come with a commit, given its documents; returns how many."""


def commit(change: Change, new: NewCommit, embedder: Embedder | None, join: LinkMaker) -> FolioCommit:
    """Commit a text; the same text in the same folio on the same day is stored once."""
    folio, is_new = find_or_create_folio(change, new.folio)
    identity = _commit_identity(change, new)
    known = artifact_queries.commit_with_identity(change, folio.id, identity)
    if known is not None and (not new.is_readme or new.key is not None or folio.readme == new.content):
        return _folio_commit(known, folio, is_repeat=True)
    id_ = change.new_id()
    identity = identity if known is None else f"{identity}:{id_}"
    parts = [] if new.is_readme else _store_parts(change, new, folio, id_)
    if new.is_readme:
        folio = set_readme(change, folio, new.content)
    _embed_parts(change, parts, embedder)
    facts = _record_facts(change, new, parts)
    ids = [part.id for part in parts]
    row = CommitRow(id_, change.tx, change.now, ids, facts, join(ids))
    artifact_queries.add_commit(change, row, folio.id, identity)
    return _folio_commit(row, folio, is_new_folio=is_new)


def _folio_commit(row: CommitRow, folio: Folio, *, is_new_folio: bool = False, is_repeat: bool = False) -> FolioCommit:
    return FolioCommit(
        row.id, folio, is_new_folio, is_repeat, row.documents, row.committed_at, row.tx, row.facts, row.links
    )


def _commit_identity(change: Change, new: NewCommit) -> str:
    if new.key is not None:
        return f"key:{new.key}"
    day = format_date(local_day(change.now, change.world.zone))
    kind = "readme" if new.is_readme else "text"
    return f"{day}:{kind}:{sha256(new.content.encode()).hexdigest()}"


def _store_parts(change: Change, new: NewCommit, folio: Folio, id_: str) -> list[Document]:
    parts = split_into_parts(new.content)
    return [_store_part(change, new, folio, id_, number, text) for number, text in enumerate(parts)]


def _store_part(change: Change, new: NewCommit, folio: Folio, id_: str, number: int, text: str) -> Document:
    document = DocumentId(change.new_id())
    filed = {FOLIO: folio.name, FOLIO_ID: folio.id, COMMIT_ID: id_, "part": number}
    draft = DocumentDraft(
        kind="artifact",
        type=COMMIT,
        key=format_uuid(document),
        title=new.title,
        author=None,
        url=None,
        source_at=change.now if new.source_at is None else new.source_at,
        text=text,
        properties={**new.properties, **filed},
        id=document,
    )
    return store_document(change, draft)


def _embed_parts(change: Change, documents: Sequence[Document], embedder: Embedder | None) -> None:
    """Embed the parts at once, so that the next search finds them; on failure the index catches up later."""
    if embedder is None:
        return
    texts = {chunk.hash: chunk.text for each in documents for chunk in change.chunks(each.id)}
    try:
        embed_texts(change, embedder, texts)
    except EmbeddingFailed:
        return


def _record_facts(change: Change, new: NewCommit, documents: Sequence[Document]) -> int:
    """Record the facts extracted from the text, if asked for, and those given with it; how many."""
    extracted = sum(_extract_facts(change, each) for each in documents) if new.extract_facts else 0
    return extracted + _record_given_facts(change, new, documents)


def _extract_facts(change: Change, document: Document) -> int:
    from recollect.ingest.extract.rules import read_record

    return read_record(change, document, change.text_of(document), None).facts


def _record_given_facts(change: Change, new: NewCommit, documents: Sequence[Document]) -> int:
    if new.facts_line is None or not documents:
        return 0
    write_facts_from(change, documents[0], new.facts_line)
    return len(new.facts_line.facts)


MAX_FILE_BYTES = 10 * 1024 * 1024
MAX_NAME_LENGTH = 200
FILE, LOG_CARD = "file", "log_card"
_TEXT_TYPES = ("text/", "application/json", "application/xml", "application/yaml", "application/toml")


class UnknownLogCard(NotKnown):
    def __init__(self, log_card: str) -> None:
        super().__init__(f"there is no log card {log_card!r}")


@dataclass(frozen=True, slots=True)
class FileAttachment:
    """A stored file; `is_repeat` if the card had the same bytes already."""

    document: Document
    log_card: DocumentId
    size: int
    sha256: str
    is_repeat: bool


def make_log_card(change: Change, title: str, text: str | None) -> Document:
    """Create the card that collects the files of a run."""
    id_ = DocumentId(change.new_id())
    draft = DocumentDraft(
        "artifact", LOG_CARD, format_uuid(id_), title, change.actor.name, None, change.now, text, id=id_
    )
    return store_document(change, draft)


def store_attachment(change: Change, name: str, data: bytes, mime: str | None, log_card: str) -> FileAttachment:
    """Store a file; the same bytes on the same card are stored once."""
    _check_file(name, data)
    card = _find_log_card(change, log_card)
    digest = sha256(data).hexdigest()
    key = f"{format_uuid(card.id)}/{digest}"
    known = change.document_named("artifact", key)
    if known is not None and not known.deleted:
        return FileAttachment(known, card.id, len(data), digest, True)
    return FileAttachment(_store_file(change, name, data, mime, card.id, key), card.id, len(data), digest, False)


def _store_file(change: Change, name: str, data: bytes, mime: str | None, card: DocumentId, key: str) -> Document:
    kind = mime or mimetypes.guess_type(name)[0] or "application/octet-stream"
    text = _decode_text(data) if kind.startswith(_TEXT_TYPES) else None
    properties = {MIME: kind, "log_card": format_uuid(card), "size": len(data)}
    draft = DocumentDraft("artifact", FILE, key, name, change.actor.name, None, change.now, text, properties)
    document = store_document(change, draft)
    if text is None:
        artifact_queries.put_attachment(change, document.id, b64encode(data).decode())
    return document


def _decode_text(data: bytes) -> str | None:
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return None
    return None if "\0" in text else text


def _find_log_card(view: View, log_card: str) -> Document:
    found = view.document(id_) if (id_ := parse_document_id(log_card)) else None
    if found is None or found.deleted or (found.kind, found.type) != ("artifact", LOG_CARD):
        raise UnknownLogCard(log_card)
    return found


def _check_file(name: str, data: bytes) -> None:
    if not data:
        raise InvalidField("data", "is empty")
    if len(data) > MAX_FILE_BYTES:
        raise InvalidField("data", f"has {len(data)} bytes; the maximum is {MAX_FILE_BYTES}")
    is_bare = name.strip() == name and name not in ("", ".", "..") and not {"/", "\\"} & set(name)
    if not is_bare or not name.isprintable() or len(name) > MAX_NAME_LENGTH:
        raise InvalidField("name", "should be a file name without path separators")
