"""Trust in what is stored: records and pages of lore are assessed again, with what was stated from them.

Earlier releases stored no levels. A level can only fall by this; what stays as it was is not written.
"""

from recollect.ingest.documents import DocumentDraft
from recollect.ingest.parties import parse_parties
from recollect.ingest.trust import assess, source_trust
from recollect.memory import Memory
from recollect.model.document import Document
from recollect.model.ids import FactId
from recollect.model.progress import Progress
from recollect.model.trust import OWNER, SOURCE_TRUST, SUSPECT, Trust, outranks, trust_in
from recollect.store import ingest_queries
from recollect.store.change import Change
from recollect.store.document_queries import BegunDocument, count_documents_between, next_documents
from recollect.store.index_progress import IndexProgress, IndexState
from recollect.store.view import View
from recollect.write.claims import note_past_address
from recollect.write.lookup import by_identifier
from recollect.write.retract import recompute_fact

STORED_TRUST = IndexProgress("trust")
"""Up to which transaction documents were assessed again; `items` is the last one to assess, `size` counts them."""
DOCUMENTS_PER_STEP = 50
_EMAILS = by_identifier("email", "person")
_ADDRESS_FIELDS = ("sender", "recipients", "cc")


def count_unassessed(view: View) -> int:
    """How many stored documents are still to be assessed again."""
    progress = STORED_TRUST.read(view)
    return count_documents_between(view, progress.upto, progress.items) if progress.upto < progress.items else 0


def assess_all_again(memory: Memory) -> int:
    """Have everything stored assessed by the present rules; how many documents that are."""
    with memory.write() as change:
        last = change.last_tx
        STORED_TRUST.save(change, 0, last)
        return count_documents_between(change, 0, last)


def assess_next(memory: Memory, limit: int = DOCUMENTS_PER_STEP) -> bool:
    """Assess some stored documents again, whole transactions of them; whether more wait."""
    with memory.read() as view:
        held = STORED_TRUST.read(view)
        if held.upto >= held.items:
            return False
        left = count_documents_between(view, held.upto, held.items)
    with memory.write() as change:
        held = _assess_some(change, held, limit)
        STORED_TRUST.save(change, *held)
        now_left = count_documents_between(change, held.upto, held.items) if held.upto < held.items else 0
    total = held.size + now_left
    memory.report_progress(Progress(held.size, total, f"trust in {held.size} of {total} stored documents assessed"))
    return left > 0 and now_left > 0


def _assess_some(change: Change, held: IndexState, limit: int) -> IndexState:
    upto, count = held.upto, 0
    while count < limit:
        found = next_documents(change, upto, held.items)
        if found is None:
            return held._replace(upto=held.items, size=held.size + count)
        upto, documents = found
        for each in documents:
            _assess_document(change, each)
        count += len(documents)
    return held._replace(upto=upto, size=held.size + count)


def _assess_document(change: Change, begun: BegunDocument) -> None:
    document = change.document(begun.id)
    text = change.text_of(document) if document is not None else None
    if document is None or (text is None and SUSPECT in document.properties):
        return  # a body that has expired cannot be looked at again
    draft = _draft_of(document, text)
    if document.type == "email":
        _note_addresses(change, draft, begun.first_tx)
    properties = assess(change, draft)
    if properties != document.properties:
        change.put_document(document._replace(properties=properties))
    if SUSPECT in properties:
        ingest_queries.note_suspect(change, document.id)
    _lower_assertions(change, document, trust_in(properties))


def _draft_of(document: Document, text: str | None) -> DocumentDraft:
    return DocumentDraft(
        document.kind, document.type, document.key, document.title, document.author, document.url, document.source_at,
        text, document.properties,
    )  # fmt: skip


def _note_addresses(change: Change, mail: DocumentDraft, first_tx: int) -> None:
    """Remember whose mail gave somebody an address: the owner's, or only a stranger's."""
    by_owner = source_trust(change, mail) == OWNER
    parties = [party for key in _ADDRESS_FIELDS for party in parse_parties(mail.properties.get(key))]
    for address in {each.address for each in parties if each.address and not each.is_disguised}:
        for entity in _EMAILS.find_all(change, address):
            note_past_address(change, entity.id, address, first_tx, by_owner=by_owner)


def _lower_assertions(change: Change, document: Document, trust: Trust) -> None:
    """Give what was stated from a document the level of the document, and settle the facts anew."""
    touched: dict[FactId, None] = {}
    for each in change.assertions_from(document.id) if trust != OWNER else ():
        if outranks(each.trust, trust):
            change.put_assertion(each._replace(attributes={**each.attributes, SOURCE_TRUST: trust}))
            touched[each.fact] = None
    for fact in touched:
        recompute_fact(change, fact)
