"""Import of an archive in one transaction: nodes, files, memories, then facts with their assertions."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from recollect.keep.archive.export import Archive
from recollect.keep.archive.file_importer import ArchiveImportCounts, ImportMode, import_files, import_memories
from recollect.keep.archive.graph_reader import ArchivedAssertion, ArchivedFact, read_facts, read_nodes
from recollect.keep.archive.node_importer import (
    SURFACE,
    GraphImport,
    GraphImportCounts,
    import_nodes,
    origin_record,
    store_origins,
    withdraw_missing,
)
from recollect.keep.graph.edges import WEIGHT, assertion_text, weight_of
from recollect.keep.graph.extraction_queue import cancel_extraction
from recollect.keep.memories.memory_store import find_memory
from recollect.keep.memory_index.stored_memory import MEMORY_KIND as MEMORY
from recollect.model.document import Document
from recollect.model.entity import Entity
from recollect.model.fact import Assertion, Claim, Fact, Source, Statement
from recollect.model.history import choose_confirmed_fact, statement_begins
from recollect.model.ids import AssertionId, DocumentId, EntityId, FactId, parse_fact_id
from recollect.model.names import fold
from recollect.model.progress import ProgressListener, ignore_progress
from recollect.store.change import Change
from recollect.when.instant import Instant, format_millis
from recollect.write.fact_edits import revise_fact, supersede_more
from recollect.write.predicates import claim
from recollect.write.record_statement import decide_timeline, sum_assertions
from recollect.write.retract import withdraw_assertions
from recollect.write.slot_conflicts import resettle
from recollect.write.tombstones import entity_tombstone


def import_facts(importing: GraphImport, facts: Sequence[ArchivedFact]) -> int:
    """Import facts, except those with a missing end; how many are current now."""
    imported = 0
    for fact in facts:
        subject = importing.nodes.get(fact.subject)
        object_ = importing.nodes.get(fact.object) if fact.object is not None else None
        if subject is None or (fact.object is not None and object_ is None):
            importing.warnings.append(f"{fact.id} ({fact.predicate}) skipped: subject or object is missing")
            continue
        existing = _import_fact(importing, fact, subject.id, object_.id if object_ is not None else None)
        importing.facts_by_archive_id[fact.id] = existing
        importing.facts.add(existing)
        imported += 1
    return imported


def apply_supersessions(importing: GraphImport, facts: Iterable[ArchivedFact]) -> None:
    """Apply the declared supersessions of an archive, except for facts that supersede others here."""
    change, known = importing.change, importing.facts_by_archive_id
    for fact in facts:
        replaced = [known[each] for each in fact.supersedes if each in known]
        existing = change.fact(known[fact.id]) if replaced and fact.id in known else None
        if existing is not None and existing.supersedes is None:
            now = resettle(change, change.put_fact(existing._replace(supersedes=replaced[0])))
            supersede_more(change, now, replaced[1:])


def _import_fact(importing: GraphImport, fact: ArchivedFact, subject: EntityId, object_: EntityId | None) -> FactId:
    """The fact here that states what the archive's states."""
    change = importing.change
    if fact.valid_from is not None or fact.valid_until is not None:
        decide_timeline(change)
    meant = claim(
        change, subject, object_, fact.literal, predicate=fact.predicate, label=fact.label, fact_type=fact.fact_type
    )
    sources = [_source_memory(importing, assertion, fact.id) for assertion in fact.assertions]
    existing = _find_fact(importing, fact, meant)
    if existing is None:
        existing = _create_fact(importing, fact, meant, sources)
    else:
        _merge_fact(importing, existing, fact, sources)
    return existing.id


def _source_memory(importing: GraphImport, assertion: ArchivedAssertion, where: str) -> Document | None:
    """The source memory of an assertion, if it exists here."""
    if assertion.memory is None:
        return None
    found = find_memory(importing.change, assertion.memory)
    if found is None:
        importing.warnings.append(f"{where} names the memory {assertion.memory!r}, which is missing")
    return found.document if found else None


def _find_fact(importing: GraphImport, fact: ArchivedFact, meant: Claim) -> Fact | None:
    """The fact here that matches the archive's: by id, by an equal assertion, or by meaning."""
    change, given = importing.change, parse_fact_id(fact.id)
    taken = frozenset() if fact.is_bare else importing.facts
    slot = [each for each in change.facts_in_slot(meant.slot) if each.id not in taken]
    same = next((each for each in slot if each.id == given), None)
    if same is not None or not slot:
        return same
    for each in slot:
        if any(_is_archived(existing, fact) for existing in change.assertions(each.id)):
            return each
    return choose_confirmed_fact(_statement(change, fact, meant, fact.assertions[-1]), slot)


def _is_archived(existing: Assertion, fact: ArchivedFact) -> bool:
    return any(_is_same_assertion(assertion, existing) for assertion in fact.assertions)


def _is_same_assertion(assertion: ArchivedAssertion, existing: Assertion) -> bool:
    """Whether two assertions are the same, ignoring their bounds and what the archive does not contain."""
    words = assertion.quote if assertion.quote is not None else assertion.evidence
    return (
        words == assertion_text(existing)
        and assertion.by in (None, existing.actor)
        and (assertion.source or assertion.memory) in (None, existing.source_key)
        and _is_same_instant(assertion.source_at, existing.source_at)
        and _is_same_instant(assertion.recorded_at, existing.recorded_at)
    )


def _is_same_instant(given: Instant | None, existing: Instant) -> bool:
    """Compare in milliseconds, the precision of an archive."""
    return given is None or format_millis(given) == format_millis(existing)


def _source_key(assertion: ArchivedAssertion, change: Change) -> str:
    return assertion.source or assertion.memory or change.actor.source_key


def _instant_or_now(given: Instant | None, change: Change) -> Instant:
    return change.now if given is None else given


def _statement(change: Change, fact: ArchivedFact, meant: Claim, assertion: ArchivedAssertion) -> Statement:
    return Statement(
        meant,
        _instant_or_now(assertion.source_at, change),
        assertion.certainty,
        assertion.source_kind,
        assertion.confidence,
        evidence=assertion.evidence,
        valid_from=fact.valid_from,
        valid_until=fact.valid_until,
        is_open_start=change.world.timeline.is_fictional,
        source=Source(),
    )


def _assertion(
    change: Change, fact: FactId, assertion: ArchivedAssertion, source: Document | None, statement: Statement
) -> Assertion:
    return Assertion(
        AssertionId(change.new_id()),
        change.tx,
        fact,
        None if source is None else DocumentId(source.id),
        _source_key(assertion, change),
        assertion.url,
        assertion.given,
        assertion.quote,
        assertion.evidence,
        assertion.extracted_by,
        assertion.surface or change.actor.surface,
        assertion.tool or change.actor.tool,
        assertion.by or change.actor.name,
        _instant_or_now(assertion.source_at, change),
        _instant_or_now(assertion.recorded_at, change),
        assertion.confidence,
        assertion.certainty,
        assertion.source_kind,
        assertion.valid_from,
        assertion.valid_until,
        statement_begins(statement) if assertion.begins is None else assertion.begins,
        assertion.attributes,
    )


def _create_fact(importing: GraphImport, fact: ArchivedFact, meant: Claim, sources: Sequence[Document | None]) -> Fact:
    """Create a fact with all its assertions as they are in the archive."""
    change, given = importing.change, parse_fact_id(fact.id)
    id_ = given if given is not None and not change.fact_versions(given) else FactId(change.new_id())
    assertion = [
        _assertion(change, id_, each, source, _statement(change, fact, meant, each))
        for each, source in zip(fact.assertions, sources, strict=True)
    ]
    made = _instant_or_now(fact.created_at, change)
    blank = _empty_fact(meant, id_, assertion[0], fact.words, Instant(min(made, change.now)))
    summed = sum_assertions(blank, assertion)
    change.add_fact(
        summed._replace(
            attributes=fact.attributes,
            valid_from=fact.valid_from,
            valid_until=fact.valid_until,
            confirmed_at=summed.confirmed_at if fact.confirmed_at is None else fact.confirmed_at,
            tx_from=change.tx,
        ),
        assertion,
    )
    importing.origins[id_] = origin_record(change, fact.version, fact.updated_at)
    kept = change.fact(id_)
    return resettle(change, kept) if kept is not None else summed


def _empty_fact(meant: Claim, id_: FactId, first: Assertion, words: str | None, made: Instant) -> Fact:
    """A fact before its assertions are summed up."""
    return Fact(
        id_, first.tx_from, meant.subject, meant.predicate, meant.object, meant.literal, meant.label, meant.fact_type,
        meant.policy, meant.slot, meant.is_alias, words, None, None, None, first.begins, None, first.source_at, made,
        made, first.confidence, first.certainty, first.source_kind, False, None, False, None, {}, first.id, 0,
    )  # fmt: skip


def _merge_fact(importing: GraphImport, existing: Fact, fact: ArchivedFact, sources: Sequence[Document | None]) -> None:
    """Add the archive's assertions to a fact; in mode overwrite, withdraw the others of this surface."""
    change = importing.change
    known = change.assertions(existing.id)
    new = [
        _assertion(change, existing.id, each, source, _statement(change, fact, existing.claim, each))
        for each, source in zip(fact.assertions, sources, strict=True)
        if not any(_is_same_assertion(each, other) for other in known)
    ]
    for each in new:
        change.add_assertion(each)
    now = existing
    if new:
        summed = sum_assertions(existing, change.assertions(existing.id))
        now = resettle(change, change.put_fact(_merge_attributes(existing, summed, fact)))
    if importing.mode == "overwrite":
        ours = [each for each in known if each.surface == SURFACE]
        extra = [each for each in ours if not _is_archived(each, fact)]
        now = withdraw_assertions(change, extra)[0] if extra else now
        bounds = now._replace(
            attributes=_archived_attributes(now, fact), valid_from=fact.valid_from, valid_until=fact.valid_until
        )
        revise_fact(change, now, bounds)


def _merge_attributes(existing: Fact, summed: Fact, fact: ArchivedFact) -> Fact:
    """The fact with the properties that it lacks, and the greater weight."""
    before = {} if existing.is_retracted else existing.attributes
    attributes = {**fact.attributes, **before}
    weights = [each[WEIGHT] for each in (fact.attributes, before) if WEIGHT in each]
    return summed._replace(attributes={**attributes, WEIGHT: max(weights)} if weights else attributes)


def _archived_attributes(existing: Fact, fact: ArchivedFact) -> Mapping[str, Any]:
    """The archive's attributes, with the fact's own weight where that equals its confidence."""
    own = {**fact.attributes}
    if WEIGHT in existing.attributes and WEIGHT not in own and weight_of(existing) == existing.confidence:
        own[WEIGHT] = existing.attributes[WEIGHT]
    return own


@dataclass(frozen=True, slots=True)
class ArchiveImport:
    """The result for each part; none for a graph that the archive lacks."""

    files: ArchiveImportCounts
    memories: ArchiveImportCounts
    graph: GraphImportCounts | None
    nodes: tuple[Entity, ...]
    warnings: tuple[str, ...]


def import_archive(
    change: Change, archive: Archive, mode: ImportMode, tell: ProgressListener = ignore_progress
) -> ArchiveImport:
    """Import every part of an archive: nodes before the memories that mention them, facts last."""
    ids = frozenset(memory.id for memory in archive.memories or ())
    is_whole = archive.memories is not None and mode == "overwrite"

    def has_memory(id_: str) -> bool:
        return id_ in ids or (not is_whole and find_memory(change, id_) is not None)

    importing = GraphImport(change, mode, list(archive.warnings), has_memory)
    graph = archive.graph
    nodes = [] if graph is None else read_nodes(graph, change.world, importing.warnings)
    edges = [] if graph is None else read_facts(graph, "edges", change.world, importing.warnings)
    statements = [] if graph is None else read_facts(graph, "statements", change.world, importing.warnings)
    import_nodes(
        importing, [each for each in nodes if not change.is_forgotten(entity_tombstone(each.type, fold(each.label)))]
    )
    files = ArchiveImportCounts() if archive.files is None else import_files(change, archive.files, mode)
    memories = (
        ArchiveImportCounts() if archive.memories is None else import_memories(change, archive.memories, mode, tell)
    )
    edge_count = import_facts(importing, edges)
    import_facts(importing, statements)
    apply_supersessions(importing, (*edges, *statements))
    removed = withdraw_missing(importing) if graph is not None and mode == "overwrite" else 0
    store_origins(importing)
    _skip_extraction_of_asserted(change, archive)
    written = tuple({entity.id: entity for entity in importing.nodes.values()}.values())
    counts = None if graph is None else GraphImportCounts(len(nodes), edge_count, removed)
    return ArchiveImport(files, memories, counts, written, tuple(importing.warnings))


def _skip_extraction_of_asserted(change: Change, archive: Archive) -> None:
    """Cancel the extraction of memories that the archive brought assertions of."""
    for memory in archive.memories or ():
        document = change.document_named(MEMORY, memory.id)
        if document is not None and change.assertions_from(document.id):
            cancel_extraction(change, document)
