"""Files joined to the log card of the run that made them."""

import mimetypes
from base64 import b64encode
from dataclasses import dataclass
from hashlib import sha256

from recollect.errors import NotKnown, Refused
from recollect.ingest.documents import DocumentDraft, keep_document
from recollect.model.document import Document
from recollect.model.filing import MIME
from recollect.model.ids import DocumentId, is_id, read_id, say_uuid
from recollect.store.change import Change
from recollect.store.view import View

LARGEST = 10 * 1024 * 1024
LONGEST_NAME = 200
FILE, LOG_CARD = "file", "log_card"
_TEXT = ("text/", "application/json", "application/xml", "application/yaml", "application/toml")


class BadFile(Refused):
    def __init__(self, field: str, why: str) -> None:
        super().__init__(f"{field} {why}", field=field)


class UnknownLogCard(NotKnown):
    def __init__(self, log_card: str) -> None:
        super().__init__(f"there is no log card {log_card!r}")


@dataclass(frozen=True, slots=True)
class Attached:
    """A file as it is held; `is_repeat` if the card had it already."""

    document: Document
    log_card: DocumentId
    size: int
    sha256: str
    is_repeat: bool


def make_log_card(change: Change, title: str, text: str | None) -> Document:
    """A card that a run begins with."""
    ident = DocumentId(change.new_id())
    draft = DocumentDraft(
        "artifact", LOG_CARD, say_uuid(ident), title, change.actor.name, None, change.now, text, id=ident
    )
    return keep_document(change, draft)


def attach(change: Change, name: str, data: bytes, mime: str | None, log_card: str) -> Attached:
    """Keep a file; the same bytes on the same card are the first one again."""
    _check(name, data)
    card = _card(change, log_card)
    digest = sha256(data).hexdigest()
    key = f"{say_uuid(card.id)}/{digest}"
    held = change.document_named("artifact", key)
    if held is not None and not held.deleted:
        return Attached(held, card.id, len(data), digest, True)
    return Attached(_keep(change, name, data, mime, card.id, key), card.id, len(data), digest, False)


def _keep(change: Change, name: str, data: bytes, mime: str | None, card: DocumentId, key: str) -> Document:
    kind = mime or mimetypes.guess_type(name)[0] or "application/octet-stream"
    text = _text(data) if kind.startswith(_TEXT) else None
    properties = {MIME: kind, "log_card": say_uuid(card), "size": len(data)}
    draft = DocumentDraft("artifact", FILE, key, name, change.actor.name, None, change.now, text, properties)
    document = keep_document(change, draft)
    if text is None:
        held = {"ws": change.ws, "document": document.id, "data": b64encode(data).decode()}
        change.connection.run("attached_put", held)
    return document


def _text(data: bytes) -> str | None:
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return None
    return None if "\0" in text else text


def _card(view: View, log_card: str) -> Document:
    found = view.document(DocumentId(read_id(log_card))) if is_id(log_card) else None
    if found is None or found.deleted or (found.kind, found.type) != ("artifact", LOG_CARD):
        raise UnknownLogCard(log_card)
    return found


def _check(name: str, data: bytes) -> None:
    if not data:
        raise BadFile("data", "is empty")
    if len(data) > LARGEST:
        raise BadFile("data", f"has {len(data)} bytes; the most is {LARGEST}")
    is_bare = name.strip() == name and name not in ("", ".", "..") and not {"/", "\\"} & set(name)
    if not is_bare or not name.isprintable() or len(name) > LONGEST_NAME:
        raise BadFile("name", "is a bare file name, without separators")
