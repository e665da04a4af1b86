"""Items: JSON values under a path of names, kept as artifacts, so that search, undo and retention reach them."""

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

from recollect.errors import Refused
from recollect.ingest.documents import DocumentDraft, store_document
from recollect.keep.artifacts.filing import FILE
from recollect.keep.document_versions import texts_of
from recollect.model.document import BODY_UNTIL, MIME, RETENTION_DAYS, Document, content_hash
from recollect.model.json_limits import is_storable, replace_unstorable
from recollect.search.chunking import split_passages
from recollect.store.change import Change
from recollect.store.document_queries import artifacts_between
from recollect.store.view import View
from recollect.text.redaction import SecretPolicy, apply_policy, secret_policy
from recollect.when.instant import Instant
from recollect.write.retract import retract_document

Namespace = tuple[str, ...]

_PREFIX: Final = "item:"
_CREATED: Final = "created_at"
_MINUTES_PER_DAY: Final = 24 * 60


class BadItem(Refused):
    code = "bad_item"

    def __init__(self, why: str) -> None:
        super().__init__(f"an item's value {why}; give JSON: objects, lists, text, numbers, true, false, null")


class ItemPath(NamedTuple):
    """The names above an item, and its own."""

    namespace: Namespace
    key: str


class ItemDraft(NamedTuple):
    """A value to be stored; `found_by` are the texts that search finds it by, all of its own unless given."""

    path: ItemPath
    value: Any
    minutes: float | None = None
    found_by: Sequence[str] | None = None


class StoredItem(NamedTuple):
    """A value with its path and times; `minutes` is how long it lives after it was written or refreshed."""

    path: ItemPath
    value: Any
    created_at: Instant
    updated_at: Instant
    minutes: float | None
    document: Document


def find_item(view: View, path: ItemPath) -> StoredItem | None:
    document = view.document_named("artifact", _document_key(path))
    if document is None or document.deleted or _is_expired(view, document):
        return None
    text = view.text_of(document)
    return None if text is None else _read_item(document, text)


def items_below(view: View, prefix: Namespace) -> list[StoredItem]:
    """The items whose namespace begins with these names, by path."""
    documents = [each for each in _documents_below(view, prefix) if not _is_expired(view, each)]
    texts = texts_of(view, documents)
    return [_read_item(each, texts[each.id]) for each in documents if texts[each.id]]


def namespaces(view: View) -> list[Namespace]:
    """Every namespace that holds an item, in order."""
    live = (each for each in _documents_below(view, ()) if not _is_expired(view, each))
    return sorted({_path_of(each).namespace for each in live})


def put_item(change: Change, draft: ItemDraft) -> Document:
    """Store a value under its path; an earlier one stays in the history."""
    value = _without_secrets(draft.value, secret_policy(change.settings.for_workspace(change.world.settings)))
    text = _to_json(value)
    held = change.document_named("artifact", _document_key(draft.path))
    is_known = held is not None and not held.deleted and not _is_expired(change, held)
    created = held.properties.get(_CREATED, change.now) if is_known and held else change.now
    properties: dict[str, Any] = {
        MIME: "application/json",
        "source": replace_unstorable("/".join((*draft.path.namespace, draft.path.key))),
        _CREATED: created,
    }
    if draft.minutes is not None:
        properties[RETENTION_DAYS] = draft.minutes / _MINUTES_PER_DAY
    key = _document_key(draft.path)
    stored = store_document(
        change, DocumentDraft("artifact", FILE, key, None, None, None, change.now, text, properties), held
    )
    _index(change, stored, len(text), texts_in(value) if draft.found_by is None else draft.found_by)
    return stored


def refresh_item(change: Change, item: StoredItem) -> None:
    """Begin the lifetime of an item anew, with the same passages."""
    found_by = [each.text for each in change.chunks(item.document.id)]
    put_item(change, ItemDraft(item.path, item.value, item.minutes, found_by))


def remove_item(change: Change, path: ItemPath) -> None:
    """Delete an item if there is one; undoing the transaction brings it back."""
    found = change.document_named("artifact", _document_key(path))
    if found is not None and not found.deleted:
        retract_document(change, found, "removed")


def remove_expired(change: Change) -> int:
    """Delete the items whose lifetime is over; how many there were."""
    due = [each for each in _documents_below(change, ()) if _is_expired(change, each)]
    for each in due:
        retract_document(change, each, "expired")
    return len(due)


def texts_in(value: Any) -> list[str]:
    """Every text of a value, in its order."""
    return list(_texts(value))


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for each in value.values():
            yield from _texts(each)
    elif isinstance(value, list | tuple):
        for each in value:
            yield from _texts(each)


def _index(change: Change, document: Document, length: int, texts: Collection[str]) -> None:
    """Find the item by its texts instead of by the signs of JSON; each passage stands for the whole value."""
    change.end_chunks(document.id)
    passages = split_passages(None, replace_unstorable("\n".join(texts)))
    for seq, each in enumerate(passages):
        change.add_chunk(document.id, seq, 0, length, content_hash(each.text), each.text)


def _document_key(path: ItemPath) -> str:
    return _PREFIX + json.dumps([*path.namespace, path.key], separators=(",", ":"))


def _path_of(document: Document) -> ItemPath:
    *namespace, key = json.loads(document.key.removeprefix(_PREFIX))
    return ItemPath(tuple(namespace), key)


def _documents_below(view: View, prefix: Namespace) -> list[Document]:
    """Keys are ASCII, so that those that begin alike stand together on every engine."""
    low = _PREFIX + json.dumps(list(prefix), separators=(",", ":"))[:-1] + ("," if prefix else "")
    return artifacts_between(view, low, low[:-1] + chr(ord(low[-1]) + 1))


def _is_expired(view: View, document: Document) -> bool:
    until = document.properties.get(BODY_UNTIL)
    return until is not None and view.now >= until


def _read_item(document: Document, text: str) -> StoredItem:
    days = document.properties.get(RETENTION_DAYS)
    minutes = None if days is None else days * _MINUTES_PER_DAY
    created = Instant(document.properties.get(_CREATED, document.source_at))
    return StoredItem(_path_of(document), json.loads(text), created, document.source_at, minutes, document)


def _to_json(value: Any) -> str:
    try:
        text = json.dumps(value, ensure_ascii=False)
    except (TypeError, ValueError) as problem:
        raise BadItem(f"cannot be written as JSON ({problem})") from problem
    return text if is_storable(text) else json.dumps(value)


def _without_secrets(value: Any, policy: SecretPolicy, name: str = "") -> Any:
    """The value as the policy lets it be stored; a text is judged together with the name it stands under."""
    if policy == "keep":
        return value
    if isinstance(value, str):
        return apply_policy(f"{name}: {value}", policy).text.removeprefix(f"{name}: ")
    if isinstance(value, Mapping):
        return {each: _without_secrets(part, policy, str(each)) for each, part in value.items()}
    if isinstance(value, list | tuple):
        return [_without_secrets(each, policy, name) for each in value]
    return value
