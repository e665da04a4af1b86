"""Storing documents: text once, passages for search, how long a body is retained, and those that share an id."""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from recollect.errors import Refused
from recollect.ingest.drafts import DocumentDraft as DocumentDraft
from recollect.ingest.parties import parse_party
from recollect.ingest.trust import assess
from recollect.model.certainty import is_number
from recollect.model.document import (
    BODY_UNTIL,
    KEY_LIMIT,
    MESH_URI,
    RETENTION_DAYS,
    SUMMARY,
    Document,
    DocumentKind,
    content_hash,
)
from recollect.model.ids import DocumentId, format_uuid
from recollect.model.trust import REUSED_ID, SECRETS, SUSPECT, outranks, trust_in
from recollect.search.chunking import Passage, split_passages, store_passages
from recollect.store import ingest_queries as queries
from recollect.store.change import Change
from recollect.text.redaction import apply_policy, secret_policy
from recollect.when.instant import DAY, Instant
from recollect.write.tombstones import check_document

RETENTION_SETTING = "carabase.retention_days"
_KINDS_WITH_DEFAULT_RETENTION = frozenset({"record", "conversation", "artifact"})
_COMMIT = "commit"
_ACCOUNT = re.compile(r"mesh://([a-z][a-z0-9_-]*)/(?:[^/]*/)*account=([^/%]+)")


def body_expiry(
    change: Change, kind: DocumentKind, type_: str, source_at: Instant, properties: Mapping[str, Any]
) -> Instant | None:
    """The instant at which the body expires, or none."""
    days = _workspace_retention(change, kind, type_)
    if properties:
        days += [*_own_retention(properties), *_account_retention(change, properties)]
    return Instant(source_at + round(min(days) * DAY)) if days else None


def _own_retention(properties: Mapping[str, Any]) -> list[float]:
    found = properties.get(RETENTION_DAYS)
    return [found] if is_number(found) else []


def _workspace_retention(change: Change, kind: DocumentKind, type_: str) -> list[float]:
    if kind not in _KINDS_WITH_DEFAULT_RETENTION or type_ == _COMMIT or change.settings.get(RETENTION_SETTING) is None:
        return []
    return [change.settings.integer(RETENTION_SETTING, 0)]


def _account_retention(change: Change, properties: Mapping[str, Any]) -> list[float]:
    place = _ACCOUNT.match(str(properties[MESH_URI])) if properties.get(MESH_URI) else None
    if place is None:
        return []
    return queries.account_retention(change, place[1], place[2])


def with_body_expiry(properties: Mapping[str, Any], until: Instant | None) -> Mapping[str, Any]:
    """The properties with the expiry of the body, or without one."""
    plain = {key: value for key, value in properties.items() if key != BODY_UNTIL}
    return plain if until is None else {**plain, BODY_UNTIL: until}


def schedule_body_expiry(change: Change, document: str, until: Instant | None) -> None:
    """Schedule the removal of a body, or cancel it."""
    queries.set_body_expiry(change, document, until)


class KeyTooLong(Refused):
    code = "too_long"

    def __init__(self, field: str, given: int) -> None:
        super().__init__(f"{field} has at most {KEY_LIMIT} characters, not {given}", field=field)


def guard_secrets(change: Change, draft: DocumentDraft) -> DocumentDraft:
    """The draft as the policy for secrets lets it be stored, with the number of secrets that were found in it."""
    if not draft.text:
        return draft
    policy = secret_policy(change.settings.for_workspace(change.world.settings))
    found = apply_policy(draft.text, policy)
    if not found.secrets:
        return draft
    return draft._replace(text=found.text, properties={**draft.properties, SECRETS: found.secrets})


def store_document(change: Change, draft: DocumentDraft, held: Document | None = None) -> Document:
    """Store a document with its text and its passages for search."""
    properties = assess(change, draft)
    if properties is not draft.properties:
        draft = draft._replace(properties=properties)
    until = body_expiry(change, draft.kind, draft.type, draft.source_at, draft.properties)
    is_limited = until is not None or (held is not None and BODY_UNTIL in held.properties)
    if is_limited:
        draft = _apply_retention(change, draft, until)
    _check_lengths(draft)
    check_document(change, draft.kind, draft.key, draft.text, held or _deleted_document(change, draft))
    id_ = held.id if held else draft.id or DocumentId(change.new_id())
    document = _put_document(change, draft, id_, held)
    if is_limited:
        schedule_body_expiry(change, document.id, until)
    if MESH_URI in draft.properties:
        queries.put_mesh_body(change, draft.properties[MESH_URI], document.id)
    if held is None or held.deleted or _indexed_content(held) != _indexed_content(document):
        if held is not None:
            change.end_chunks(document.id)
        store_passages(change, document.id, draft.title, draft.text or draft.found_by)
    return document


def _deleted_document(change: Change, draft: DocumentDraft) -> Document | None:
    """A deleted document of this key; readers of these kinds do not look for one."""
    return change.document_named(draft.kind, draft.key) if draft.kind in ("conversation", "artifact") else None


def _put_document(change: Change, draft: DocumentDraft, id_: DocumentId, held: Document | None) -> Document:
    """Store the text and the row of a document, without its passages."""
    digest = content_hash(draft.text) if draft.text else None
    document = Document(
        id_,
        change.tx,
        draft.kind,
        draft.type,
        draft.key,
        draft.title,
        draft.author,
        draft.url,
        draft.source_at,
        digest,
        draft.properties,
        None,
    )
    if draft.text and digest:
        change.keep_text(digest, draft.text)
    if held is None:
        change.add_document(document)
    else:
        change.put_document(document)
    if SUSPECT in document.properties:
        queries.note_suspect(change, id_)
    return document


def _check_lengths(draft: DocumentDraft) -> None:
    if len(draft.key) > KEY_LIMIT:
        raise KeyTooLong("id", len(draft.key))
    if draft.author is not None and len(draft.author) > KEY_LIMIT:
        raise KeyTooLong("author", len(draft.author))


def _apply_retention(change: Change, draft: DocumentDraft, until: Instant | None) -> DocumentDraft:
    """The draft with the expiry of its body; an expired body is not stored."""
    summary = draft.properties.get(SUMMARY)
    if until is not None and until <= change.now:
        draft = draft._replace(text=None, found_by=summary if isinstance(summary, str) else None)
    return draft._replace(properties=with_body_expiry(draft.properties, until))


def _indexed_content(document: Document) -> tuple[str | None, ...]:
    """The parts of a document that its passages are built from."""
    return document.content, document.title, searchable_summary(document)


def searchable_summary(document: Document) -> str | None:
    """What is indexed of a document whose text is not stored."""
    summary = document.properties.get(SUMMARY) if document.content is None else None
    return summary if isinstance(summary, str) else None


def store_lore_document(
    change: Change, draft: DocumentDraft, found: Iterable[Passage], held: Document | None
) -> Document:
    """Store a document under its id as its key."""
    draft = draft._replace(properties=assess(change, draft))
    id_ = held.id if held else DocumentId(change.new_id())
    check_document(change, draft.kind, format_uuid(id_), draft.text, held)
    document = _put_document(change, draft._replace(key=format_uuid(id_)), id_, held)
    if held is not None:
        change.end_chunks(id_)
    for seq, passage in enumerate(found):
        change.add_chunk(id_, seq, passage.start, passage.stop, content_hash(passage.text), passage.text)
    return document


def offset_passages(title: str | None, text: str, offset: int = 0) -> Iterator[Passage]:
    """The passages of a part of a text, with offsets into the full text."""
    for passage in split_passages(title, text):
        yield Passage(passage.start + offset, passage.stop + offset, passage.text)


def place_draft(change: Change, draft: DocumentDraft, held: Document | None) -> tuple[DocumentDraft, Document | None]:
    """A draft under the key that it is stored by, and the document that it restates.

    Anybody can write down the id of another's document. What is less trusted, or a mail of another sender, is stored
    beside the first under a key of its own and marked for review.
    """
    first = draft.key
    while held is not None and not _may_restate(change, draft, held):
        draft = _with_own_key(change, draft, first)
        held = change.document_named(draft.kind, draft.key)
    return draft, held


def is_lesser_copy(change: Change, draft: DocumentDraft, held: Document) -> bool:
    """Whether a mail only repeats a more trusted one, as one does that its sender received too."""
    if not draft.text or draft.type != "email" or held.content != content_hash(draft.text):
        return False
    return _is_same_sender(draft, held) and not _may_restate(change, draft, held)


def _may_restate(change: Change, draft: DocumentDraft, held: Document) -> bool:
    """Whether a document is by the sender of the stored one, and from a source that is trusted as much."""
    if held.deleted is not None:
        return True
    return _is_same_sender(draft, held) and not outranks(trust_in(held.properties), trust_in(assess(change, draft)))


def _is_same_sender(draft: DocumentDraft, held: Document) -> bool:
    """Whether two mails have one sender; of other records the trust alone decides."""
    return "email" not in (draft.type, held.type) or _sender(draft.properties) == _sender(held.properties)


def _sender(properties: Mapping[str, Any]) -> str | None:
    party = parse_party(properties.get("sender"))
    return None if party is None else party.address or party.name


def _with_own_key(change: Change, draft: DocumentDraft, first: str) -> DocumentDraft:
    """The draft under a key that names its source too, and which is the same when it comes again."""
    sender, trust = _sender(draft.properties), trust_in(assess(change, draft))
    key = f"{draft.key} ({sender}, {trust})" if sender else f"{draft.key} ({trust})"
    key = key if len(key) <= KEY_LIMIT else content_hash(key)
    return draft._replace(key=key, properties={**draft.properties, REUSED_ID: first})
