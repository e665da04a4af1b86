"""Documents that come under the id of another one: which of them restate it, and the key of those that may not."""

from collections.abc import Mapping
from typing import Any

from recollect.ingest.documents import DocumentDraft
from recollect.ingest.parties import parse_party
from recollect.ingest.trust import assess
from recollect.model.document import KEY_LIMIT, Document, content_hash
from recollect.model.trust import REUSED_ID, outranks, trust_in
from recollect.store.change import Change


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
