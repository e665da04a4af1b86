"""Passages with sentences that neither the rules nor a model nor an agent has read anything from.

A list of such passages is kept by a scan over new passages; each is checked again when it is shown, since facts may
have come from it later. A passage counts as read once somebody handed back facts from it, or said that there are none.
"""

from collections.abc import Sequence
from typing import NamedTuple

from recollect.errors import Unavailable
from recollect.memory import Memory
from recollect.model.document import Document, passage_body
from recollect.model.fact import PENDING_TIME, Assertion
from recollect.model.ids import DocumentId, EntityId
from recollect.search.hidden_sentences import unshown_words, without_hidden
from recollect.search.name_search import NameCounter, passages_naming
from recollect.search.unread_sentences import READ_PASSAGES, quotes_of, unread_sentences
from recollect.store import ingest_queries
from recollect.store.change import Change
from recollect.store.index_progress import IndexProgress
from recollect.store.ingest_queries import StoredPassage, last_chunk
from recollect.store.passage_filter import PassageFilter
from recollect.store.passage_index import StoredPassageIndex
from recollect.store.port import FOREVER
from recollect.store.view import View
from recollect.text.verbatim import normalize_for_match
from recollect.write.fact_draft import RULES

KINDS = frozenset({"record", "conversation", "lore_source"})
PASSAGES_PER_STEP = 256
STEPS_PER_READ = 4
_PROGRESS = IndexProgress("unread")


class UnreadPassage(NamedTuple):
    """A passage to read, with the facts that are already known from it."""

    number: int
    document: Document
    seq: int
    text: str
    known: tuple[Assertion, ...]


class UnreadPassages(NamedTuple):
    passages: list[UnreadPassage]
    left: int


def scan_before_read(memory: Memory) -> None:
    """Scan the little that a read may, unless another is writing."""
    try:
        for _ in range(STEPS_PER_READ if memory.may_write else 0):
            if not scan_passages(memory, wait=0):
                return
    except Unavailable:
        return


def scan_passages(memory: Memory, *, wait: float = FOREVER) -> bool:
    """List the unread ones among some passages that came since the last scan; whether more wait."""
    with memory.read() as view:
        upto = _PROGRESS.read(view).upto
        if last_chunk(view) <= upto:
            return False
        passages = ingest_queries.passages_after(view, upto, KINDS, PASSAGES_PER_STEP)
        last = passages[-1].number if len(passages) == PASSAGES_PER_STEP else last_chunk(view)
        unread = [passage.number for passage, _ in _unread_among(view, passages, when_stored=True)]
    with memory.write(wait=wait) as change:
        ingest_queries.list_as_unread(change, unread)
        _PROGRESS.save(change, last)
    return len(passages) == PASSAGES_PER_STEP


def find_unread(view: View, about: EntityId | None, limit: int) -> UnreadPassages:
    """The newest unread passages, and how many more there are."""
    found: list[UnreadPassage] = []
    batch = ingest_queries.unread_passages(view, about, 2 * limit)
    while batch and len(found) < limit:
        found += [each for _, each in _unread_among(view, batch)]
        batch = ingest_queries.unread_passages(view, about, 2 * limit, batch[-1].number) if len(found) < limit else []
    older = _unread_naming(view, about) if about is not None else []
    unlisted = [*older, *_unread_since_scan(view, about)]
    newest = sorted((*found, *unlisted), key=lambda each: each.number, reverse=True)[:limit]
    shown = _without_hidden_words(view, newest)
    return UnreadPassages(shown, _count_unread(view, about) + len(unlisted) - len(newest))


def _unread_since_scan(view: View, about: EntityId | None) -> list[UnreadPassage]:
    """The unread passages that came since the last scan, which a reader leaves undone while another writes."""
    passages = ingest_queries.passages_after(view, _PROGRESS.read(view).upto, KINDS, PASSAGES_PER_STEP)
    found = [each for _, each in _unread_among(view, passages)]
    return found if about is None else [each for each in found if about in view.mentioned(each.document.id)]


def _without_hidden_words(view: View, passages: Sequence[UnreadPassage]) -> list[UnreadPassage]:
    """The passages without sentences that name a hidden entity or state what was erased; none that is left empty."""
    names = unshown_words(view, {each.document.id for each in passages})
    redacted = (each._replace(text=without_hidden(each.text, names.get(each.document.id, ()))) for each in passages)
    return [each for each in redacted if each.text]


def _unread_naming(view: View, about: EntityId) -> list[UnreadPassage]:
    """The unread passages that name an entity and came before it was known, so that no mention was stored."""
    entity = view.entity(about)
    if entity is None:
        return []
    counter = NameCounter([entity.name, *view.aliases(entity)])
    naming = passages_naming(StoredPassageIndex(view), counter, PassageFilter())
    return [each for _, each in _unread_among(view, ingest_queries.unread_not_mentioning(view, naming, about))]


def _count_unread(view: View, about: EntityId | None) -> int:
    """How many listed passages are still unread; only those of documents that changed since have to be checked."""
    changed = ingest_queries.changed_unread_passages(view, about)
    read_since = len(changed) - len(_unread_among(view, changed))
    return ingest_queries.count_unread(view, about) - read_since


def mark_passage_read(change: Change, document: Document, seq: int) -> None:
    """Note that somebody has read a passage, whatever came of it; undone with its transaction."""
    before = document.properties.get(READ_PASSAGES, ())
    if seq not in before:
        read = sorted({*before, seq})
        change.put_document(document._replace(properties={**document.properties, READ_PASSAGES: read}))


def _unread_among(
    view: View, passages: Sequence[StoredPassage], *, when_stored: bool = False
) -> list[tuple[StoredPassage, UnreadPassage]]:
    """The passages to read; or those that were when they were stored, which they are again if that is undone."""
    documents = view.documents({passage.document for passage in passages})
    assertions: dict[DocumentId, list[Assertion]] = {each: view.assertions_from(each) for each in documents}
    found = []
    for passage in passages:
        document = documents.get(passage.document)
        if document is None:
            continue
        if not when_stored and passage.seq in document.properties.get(READ_PASSAGES, ()):
            continue
        known, body = assertions[document.id], passage_body(passage)
        known = [each for each in known if each.tx_from <= passage.tx_from] if when_stored else known
        if _has_unread_sentence(document, body, known):
            found.append((passage, UnreadPassage(passage.number, document, passage.seq, body, tuple(known))))
    return found


def _has_unread_sentence(document: Document, text: str, known: Sequence[Assertion]) -> bool:
    folded = normalize_for_match(text).text
    if any(quote in folded for quote in quotes_of(each for each in known if each.extracted_by != RULES)):
        return False
    return bool(unread_sentences(document, text, [each for each in known if not each.attributes.get(PENDING_TIME)]))
