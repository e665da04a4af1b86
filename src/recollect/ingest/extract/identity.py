"""One record under several ids: what identifies it within its type counts like its id."""

from recollect.ingest.extract.types import identity_of
from recollect.ingest.line import RecordPart
from recollect.model.document import KEY_LIMIT, Document, content_hash
from recollect.store.change import Change


def held_record(change: Change, part: RecordPart, field: str | None = None) -> Document | None:
    """The record as it is held, by its id or by what else identifies it; `field` names what an expert goes by."""
    held = change.document_named("record", part.id)
    value = identity_of(part.type, part.properties, field) if held is None else None
    key = identified(change, part.type, value) if value is not None else None
    return change.document_named("record", key) if key is not None else held


def note_identity(change: Change, document: Document, field: str | None = None, *, is_new: bool = False) -> None:
    """Let a record be found by what identifies it within its type."""
    value = identity_of(document.type, document.properties, field)
    if value is None or (not is_new and identified(change, document.type, value) == document.key):
        return
    note_identified(change, document.type, value, document.key)


def note_identified(change: Change, type_: str, value: str, key: str) -> None:
    """Let a value lead to a key within a type."""
    value = _short(value)
    if change.recent.batch is not None:
        change.recent.batch.identities[type_, value] = key
    change.connection.run("identity_add", {"ws": change.ws, "type": type_, "value": value, "key": key})


def identified(change: Change, type_: str, value: str) -> str | None:
    """The key that a value leads to within a type."""
    value = _short(value)
    batch = change.recent.batch
    if batch is not None and (type_, value) in batch.identities:
        return batch.identities[type_, value]
    rows = change.rows("identity_key", type=type_, value=value)
    return str(rows[0][0]) if rows else None


def _short(value: str) -> str:
    """The value as an index can hold it: a very long one by its hash."""
    return value if len(value) <= KEY_LIMIT else content_hash(value)
