"""The targets of an erasure: the things that ids name, and everything that depends on them alone."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from recollect.errors import NotKnown, Refused
from recollect.keep.call_conflicts import Ambiguous
from recollect.keep.markdown import parse_blocks
from recollect.model.document import REMEMBERED, Document
from recollect.model.entity import Entity
from recollect.model.fact import Fact
from recollect.model.ids import (
    DOCUMENT_PREFIX,
    ENTITY_PREFIX,
    FACT_PREFIX,
    DocumentId,
    EntityId,
    FactId,
    format_document_id,
    format_entity_id,
    format_fact_id,
    format_uuid,
    parse_id,
)
from recollect.reason.fact_by_text import facts_with_text
from recollect.resolve.resolver import resolve_exact, resolved_entity
from recollect.search.verbatim import documents_saying
from recollect.store import erasure_queries as queries
from recollect.store.document_queries import bullets_of
from recollect.store.name_index import StoredNameIndex
from recollect.store.passage_index import StoredPassageIndex
from recollect.store.replication_queries import joined_with
from recollect.store.view import View
from recollect.text.fold import shorten
from recollect.text.sentences import split_sentences
from recollect.text.verbatim import normalize_for_match
from recollect.write.tombstones import document_tombstones, entity_tombstone, fact_id_tombstone

TargetKind = Literal["fact", "entity", "note", "document", "memory"]
NOTE_TYPE = "note"
ERASABLE_KINDS = ("memory", "identity", "record", "conversation", "lore_source", "encounter", "artifact")


class UnknownErasureTarget(NotKnown):
    def __init__(self, given: str) -> None:
        super().__init__(f"there is nothing with the id {shorten(given, 80)!r} here; nothing was forgotten")


class ErasureTargets(NamedTuple):
    """What the caller asked to erase."""

    documents: frozenset[DocumentId] = frozenset()
    facts: frozenset[FactId] = frozenset()
    entities: frozenset[EntityId] = frozenset()

    def union(self, other: "ErasureTargets") -> "ErasureTargets":
        return ErasureTargets(
            self.documents | other.documents, self.facts | other.facts, self.entities | other.entities
        )


class ForgetTarget(NamedTuple):
    """The one thing that a caller names: by id, or an entity by name, or a fact by its exact text."""

    kind: TargetKind
    id: str
    text: str
    thing: Fact | Entity | Document | None
    """The thing as it is now; none if it exists in earlier versions only."""


class AmbiguousTarget(Refused):
    """Several things have the name or text given."""

    code = "ambiguous"

    def __init__(self, given: str, entities: Sequence[EntityId] = (), facts: Sequence[FactId] = ()) -> None:
        super().__init__(f"{shorten(given, 80)!r} fits several; pass the id of one", field="target")
        self.entities = tuple(entities)
        self.facts = tuple(facts)


def find_forget_target(view: View, given: str) -> ForgetTarget:
    """What an id, an entity's name or the exact text of a fact stands for."""
    candidates = list(dict.fromkeys(_candidates(view, given)))
    if candidates:
        return _target_by_id(view, _find_target(view, given))
    found = resolve_exact(StoredNameIndex(view), given)
    if found.is_ambiguous:
        raise AmbiguousTarget(given, [each.entity for each in found.candidates])
    entity = resolved_entity(view, found)
    if entity is not None:
        return _entity_target(view, entity.id)
    rows = facts_with_text(view, given)
    if len(rows) > 1:
        raise AmbiguousTarget(given, facts=[row.fact.id for row in rows])
    if not rows:
        raise UnknownErasureTarget(given)
    return ForgetTarget("fact", format_fact_id(rows[0].fact.id), rows[0].text, rows[0].fact)


def _target_by_id(view: View, found: ErasureTargets) -> ForgetTarget:
    for entity in found.entities:
        return _entity_target(view, entity)
    for fact in found.facts:
        return _fact_target(view, fact)
    [document] = found.documents
    return _document_target(view, document)


def _entity_target(view: View, id_: EntityId) -> ForgetTarget:
    now = view.entity(id_)
    name = (now or view.entity_versions(id_)[-1]).name
    return ForgetTarget("entity", format_entity_id(id_), name, now)


def _fact_target(view: View, id_: FactId) -> ForgetTarget:
    rows, now = view.fact_rows([id_]), view.fact(id_)
    last = now or view.fact_versions(id_)[-1]
    text = rows[0].text if rows else last.words or last.evidence or last.predicate.replace("_", " ")
    return ForgetTarget("fact", format_fact_id(id_), text, now)


def _document_target(view: View, id_: DocumentId) -> ForgetTarget:
    now = view.document(id_)
    [(kind, key), *_] = queries.document_names(view, id_)
    is_note = now is not None and now.kind == "record" and now.type == NOTE_TYPE
    text = (now.title or view.text_of(now) or key) if now is not None else key
    shown: TargetKind = "memory" if kind == "memory" else "note" if is_note else "document"
    return ForgetTarget(shown, format_document_id(id_), shorten(text, 200), now)


def find_targets(view: View, ids: Sequence[str]) -> ErasureTargets:
    """Everything that the ids name, deleted or not; one unknown id refuses the whole call."""
    found = ErasureTargets()
    for given in ids:
        found = found.union(_find_target(view, given.strip()))
    return found


def find_by_tombstones(view: View, tombstones: Collection[str]) -> ErasureTargets:
    """What is here of that which has these tombstones, in any version."""
    wanted = frozenset(tombstones)
    documents = (
        each.id
        for each in queries.documents_ever(view)
        if not wanted.isdisjoint(document_tombstones(each.kind, each.key, [each.content] if each.content else []))
    )
    facts = (each for each in queries.facts_ever(view) if fact_id_tombstone(each) in wanted)
    entities = (id_ for id_, name in queries.entities_ever(view) if entity_tombstone(name.type, name.folded) in wanted)
    return ErasureTargets(frozenset(documents), frozenset(facts), frozenset(entities))


def _find_target(view: View, given: str) -> ErasureTargets:
    candidates = list(dict.fromkeys(_candidates(view, given)))
    if not candidates:
        raise UnknownErasureTarget(given)
    if len(candidates) > 1:
        choices = [format_uuid(id_) for each in candidates for id_ in each.documents]
        raise Ambiguous(f"{given!r} may be one of several documents; pass one of these ids", choices, field="id")
    return candidates[0]


def _candidates(view: View, given: str) -> Iterator[ErasureTargets]:
    entity, fact = (parse_id(given, prefix) for prefix in (ENTITY_PREFIX, FACT_PREFIX))
    # A passage is named by its document and a number: UUID#2.
    document = parse_id(given.partition("#")[0], DOCUMENT_PREFIX)
    if entity is not None and queries.entity_names(view, entity):
        yield ErasureTargets(entities=frozenset({EntityId(entity)}))
    elif fact is not None and queries.fact_exists(view, fact):
        yield ErasureTargets(facts=frozenset({FactId(fact)}))
    elif document is not None and queries.document_names(view, document):
        yield ErasureTargets(documents=frozenset({DocumentId(document)}))
    else:
        for id_ in queries.documents_with_key(view, ERASABLE_KINDS, given):
            yield ErasureTargets(documents=frozenset({id_}))


@dataclass(slots=True)
class ErasureSet:
    """Everything to erase, and what stays but depends in part on it."""

    documents: set[DocumentId]
    facts: set[FactId]
    entities: set[EntityId]
    assertions: set[str] = field(default_factory=set)
    weakened_facts: set[FactId] = field(default_factory=set)
    """Facts that another source supports; their quotes of an erased one are cleared."""
    quotes: set[str] = field(default_factory=set)
    """Texts that were quoted from erased documents."""
    rebuilt_summaries: set[DocumentId] = field(default_factory=set)
    """Summaries of erased memories; the next consolidation creates them again from what is left."""
    still_in: set[str] = field(default_factory=set)
    """Keys of documents that stay and may contain some of the erased words."""
    remaining_documents: set[DocumentId] = field(default_factory=set)
    """The same documents by id."""

    def keep_document(self, id_: DocumentId, *keys: str) -> None:
        """Record that a document stays although it may contain some of the erased words."""
        self.remaining_documents.add(id_)
        self.still_in.update(keys)


def erasure_set_of(view: View, targets: ErasureTargets) -> ErasureSet:
    """Everything that has to be erased with the targets."""
    found = ErasureSet(set(targets.documents), set(targets.facts), set(targets.entities))
    _add_daily_memories(view, found)
    _add_summaries(view, found)
    found.facts |= queries.facts_touching(view, found.entities)
    _add_joined_facts(view, found)
    _add_assertions(view, found)
    _add_notes(view, found)
    _add_entities(view, found)
    _add_remaining_mentions(view, found)
    return found


def _add_daily_memories(view: View, found: ErasureSet) -> None:
    """Add daily memories that consist of bullets from erased conversations."""
    for document in sorted(found.documents):
        for key in {place.memory for place in bullets_of(view, document)}:
            memory = view.document_named("memory", key)
            if memory is None:
                continue
            hashes = {digest for source, digest in queries.bullets_of_memory(view, key) if source in found.documents}
            if all(_has_only_bullets(text, hashes) for text in queries.document_texts(view, memory.id)):
                found.documents.add(memory.id)
            else:
                found.keep_document(memory.id, key)


def _has_only_bullets(text: str, hashes: set[str]) -> bool:
    from recollect.keep.chats.daily_bullets import is_imported_bullet

    return all(block.kind == "heading" or is_imported_bullet(block, hashes) for block in parse_blocks(text))


def _add_summaries(view: View, found: ErasureSet) -> None:
    """Add generated summaries of erased memories, and the summaries of those; what a person wrote stays."""
    names = (name for document in found.documents for name in queries.document_names(view, document))
    keys = {name.key for name in names if name.kind == "memory"}
    if not keys:
        return
    summaries = [(each, set(each.provenance.get("sources", ()))) for each in queries.summary_versions(view)]
    generated = [(each, sources) for each, sources in summaries if each.provenance.get("method") != "hand"]
    while added := {(each.id, each.key) for each, sources in generated if each.key not in keys and keys & sources}:
        keys |= {key for _, key in added}
        found.rebuilt_summaries |= {id_ for id_, _ in added}
    by_hand = {each.key for each, _ in summaries if each.provenance.get("method") == "hand"}
    for each, sources in summaries:
        if each.key in by_hand and keys & sources:
            found.keep_document(each.id, each.key)
    found.documents |= found.rebuilt_summaries


def _add_joined_facts(view: View, found: ErasureSet) -> None:
    """Add the facts that say the same and were joined with the erased ones, as after a sync."""
    waiting = set(found.facts)
    while waiting:
        waiting = {twin for fact in waiting for twin in joined_with(view, fact)} - found.facts
        found.facts |= waiting


def _add_assertions(view: View, found: ErasureSet) -> None:
    """Add the assertions of erased documents, and the facts that no other source asserts."""
    assertions = queries.assertions_from(view, found.documents)
    found.assertions |= {each.id for each in assertions}
    found.quotes |= {text for each in assertions for text in (each.quote, each.evidence, each.given) if text}
    facts = {each.fact for each in assertions}
    elsewhere = {each.fact for each in queries.assertions_of(view, facts) if each.document not in found.documents}
    found.facts |= facts - elsewhere
    found.weakened_facts |= (facts & elsewhere) - found.facts
    found.assertions |= {each.id for each in queries.assertions_of(view, found.facts)}


def _add_notes(view: View, found: ErasureSet) -> None:
    """Add remembered notes that say nothing but the erased facts."""
    sources = {each.document for each in queries.assertions_of(view, found.facts) if each.document}
    documents = view.documents(sources - found.documents)
    notes = [each.id for each in documents.values() if each.properties.get(REMEMBERED)]
    found.documents |= {note for note in notes if _states_only(view, note, found.facts)}
    _add_assertions(view, found)


def _states_only(view: View, note: DocumentId, facts: Collection[FactId]) -> bool:
    """Whether every fact of a note is among these and every sentence of it was read as one of them."""
    assertions = queries.assertions_from(view, [note])
    if any(each.fact not in facts for each in assertions):
        return False
    quotes = [normalize_for_match(text).text for each in assertions if (text := each.quote or each.evidence)]
    sentences = [each for text in queries.document_texts(view, note) for each in split_sentences(text)]
    # The only sentence of a note is what its facts come from, even if they were given without a quote.
    return len(sentences) <= 1 or all(_is_quoted(normalize_for_match(each).text, quotes) for each in sentences)


def _is_quoted(sentence: str, quotes: Sequence[str]) -> bool:
    return any(quote and (sentence in quote or quote in sentence) for quote in quotes)


def _add_entities(view: View, found: ErasureSet) -> None:
    """Add entities that were created with what is erased and that nothing else refers to."""
    txs = queries.document_txs(view, found.documents)
    txs |= {each.tx_from for each in queries.assertions_from(view, found.documents)}
    candidates = queries.ends_of(view, found.facts) | queries.entities_mentioned(view, found.documents)
    found.entities |= {entity for entity in sorted(candidates) if _depends_only_on(view, entity, found, txs)}


def _depends_only_on(view: View, entity: EntityId, found: ErasureSet, txs: set[int]) -> bool:
    created = min((name.first_tx for name in queries.entity_names(view, entity)), default=None)
    if created not in txs:
        return False
    facts, documents = queries.facts_touching(view, [entity]), queries.documents_ever_mentioning(view, entity)
    return facts <= found.facts and documents <= found.documents


def _add_remaining_mentions(view: View, found: ErasureSet) -> None:
    """Report the texts that stay although they name an erased entity, assert an erased fact or say what a note said."""
    naming = {document for entity in found.entities for document in queries.documents_ever_mentioning(view, entity)}
    asserting = {each.document for each in queries.assertions_of(view, found.facts) if each.document}
    for document in sorted((naming | asserting | _documents_saying_the_same(view, found)) - found.documents):
        found.keep_document(document, *(name.key for name in queries.document_names(view, document)))


def _documents_saying_the_same(view: View, found: ErasureSet) -> set[DocumentId]:
    """The documents that say what a sentence of an erased note said, in its words."""
    notes = [each.id for each in view.documents(found.documents).values() if each.properties.get(REMEMBERED)]
    texts = [text for note in notes for text in queries.document_texts(view, note)]
    sentences = dict.fromkeys(sentence for text in texts for sentence in split_sentences(text))
    index = StoredPassageIndex(view)
    return {document for sentence in sentences for document in documents_saying(index, sentence)}
