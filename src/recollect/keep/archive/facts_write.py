"""Edges and statements out of an archive, with the assertions behind them."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from recollect.ingest.lore.retcon import supersede_further
from recollect.keep.archive.graph_read import ArchivedFact, Said
from recollect.keep.archive.graph_write import SURFACE, Importing, origin
from recollect.keep.graph.edges import WEIGHT, fact_id, weight_of, words_of
from recollect.keep.memories.keeping import find_memory
from recollect.model.document import Document
from recollect.model.fact import Assertion, Claim, Fact, Source, Statement
from recollect.model.history import choose, statement_begins
from recollect.model.ids import AssertionId, DocumentId, EntityId, FactId
from recollect.store.change import Change
from recollect.when.instant import Instant, say_millis
from recollect.write.meaning import claim
from recollect.write.record import fix_timeline, total
from recollect.write.retract import withdraw
from recollect.write.revise import revise
from recollect.write.settle import resettle


def take_facts(importing: Importing, facts: Sequence[ArchivedFact]) -> int:
    """How many facts of the archive are current now; those without both ends are left out."""
    taken = 0
    for fact in facts:
        subject = importing.nodes.get(fact.subject)
        object_ = importing.nodes.get(fact.object) if fact.object is not None else None
        if subject is None or (fact.object is not None and object_ is None):
            importing.warnings.append(f"{fact.id} ({fact.predicate}) has not both ends and was left out")
            continue
        held = _take_fact(importing, fact, subject.id, object_.id if object_ is not None else None)
        importing.known[fact.id] = held
        importing.facts.add(held)
        taken += 1
    return taken


def supersede(importing: Importing, facts: Iterable[ArchivedFact]) -> None:
    """Let facts replace those that they were declared to replace elsewhere, unless they replace others here."""
    change, known = importing.change, importing.known
    for fact in facts:
        replaced = [known[each] for each in fact.supersedes if each in known]
        held = change.fact(known[fact.id]) if replaced and fact.id in known else None
        if held is not None and held.supersedes is None:
            now = resettle(change, change.put_fact(held._replace(supersedes=replaced[0])))
            supersede_further(change, now, replaced[1:])


def _take_fact(importing: Importing, fact: ArchivedFact, subject: EntityId, object_: EntityId | None) -> FactId:
    """The fact here that says what the archive's says."""
    change = importing.change
    if fact.valid_from is not None or fact.valid_until is not None:
        fix_timeline(change)
    meant = claim(
        change, subject, object_, fact.literal, predicate=fact.predicate, label=fact.label, fact_type=fact.fact_type
    )
    sources = [_source(importing, said, fact.id) for said in fact.said]
    held = _held(importing, fact, meant)
    if held is None:
        held = _make_fact(importing, fact, meant, sources)
    else:
        _join(importing, held, fact, sources)
    return held.id


def _source(importing: Importing, said: Said, where: str) -> Document | None:
    """The memory that an assertion comes from, if it is here."""
    if said.memory is None:
        return None
    found = find_memory(importing.change, said.memory)
    if found is None:
        importing.warnings.append(f"{where} names the memory {said.memory!r}, which is not there")
    return found.document if found else None


def _held(importing: Importing, fact: ArchivedFact, meant: Claim) -> Fact | None:
    """The fact here that is the archive's: of its id, of an assertion of its own, or of the same meaning."""
    change, given = importing.change, fact_id(fact.id)
    taken = frozenset() if fact.is_bare else importing.facts
    slot = [each for each in change.facts_in_slot(meant.slot) if each.id not in taken]
    same = next((each for each in slot if each.id == given), None)
    if same is not None or not slot:
        return same
    for each in slot:
        if any(_is_held(said, held) for held in change.assertions(each.id) for said in fact.said):
            return each
    return choose(_statement(change, fact, meant, fact.said[-1]), slot)


def _is_held(said: Said, held: Assertion) -> bool:
    """Whether this assertion is here already, however its bounds were moved since; what it lacks may be anything."""
    words = said.quote if said.quote is not None else said.evidence
    return (
        words == words_of(held)
        and said.by in (None, held.actor)
        and (said.source or said.memory) in (None, held.source_key)
        and _is_then(said.source_at, held.source_at)
        and _is_then(said.recorded_at, held.recorded_at)
    )


def _is_then(given: Instant | None, held: Instant) -> bool:
    """An archive tells milliseconds."""
    return given is None or say_millis(given) == say_millis(held)


def _key(said: Said, change: Change) -> str:
    return said.source or said.memory or change.actor.source_key


def _at(given: Instant | None, change: Change) -> Instant:
    return change.now if given is None else given


def _statement(change: Change, fact: ArchivedFact, meant: Claim, said: Said) -> Statement:
    return Statement(
        meant,
        _at(said.source_at, change),
        said.certainty,
        said.source_kind,
        said.confidence,
        evidence=said.evidence,
        valid_from=fact.valid_from,
        valid_until=fact.valid_until,
        is_open_start=change.world.timeline.is_fictional,
        source=Source(),
    )


def _assertion(change: Change, fact: FactId, said: Said, source: Document | None, statement: Statement) -> Assertion:
    return Assertion(
        AssertionId(change.new_id()),
        change.tx,
        fact,
        None if source is None else DocumentId(source.id),
        _key(said, change),
        said.url,
        said.given,
        said.quote,
        said.evidence,
        said.extracted_by,
        said.surface or change.actor.surface,
        said.tool or change.actor.tool,
        said.by or change.actor.name,
        _at(said.source_at, change),
        _at(said.recorded_at, change),
        said.confidence,
        said.certainty,
        said.source_kind,
        said.valid_from,
        said.valid_until,
        statement_begins(statement) if said.begins is None else said.begins,
        said.attributes,
    )


def _make_fact(importing: Importing, fact: ArchivedFact, meant: Claim, sources: Sequence[Document | None]) -> Fact:
    """A fact with all its assertions, as it was elsewhere."""
    change, given = importing.change, fact_id(fact.id)
    id_ = given if given is not None and not change.fact_versions(given) else FactId(change.new_id())
    said = [
        _assertion(change, id_, each, source, _statement(change, fact, meant, each))
        for each, source in zip(fact.said, sources, strict=True)
    ]
    made = _at(fact.created_at, change)
    blank = _blank(meant, id_, said[0], fact.words, Instant(min(made, change.now)))
    summed = total(blank, said)
    change.add_fact(
        summed._replace(
            attributes=fact.attributes,
            valid_from=fact.valid_from,
            valid_until=fact.valid_until,
            confirmed_at=summed.confirmed_at if fact.confirmed_at is None else fact.confirmed_at,
            tx_from=change.tx,
        ),
        said,
    )
    importing.origins[id_] = origin(change, fact.version, fact.updated_at)
    kept = change.fact(id_)
    return resettle(change, kept) if kept is not None else summed


def _blank(meant: Claim, id_: FactId, first: Assertion, words: str | None, made: Instant) -> Fact:
    """A fact before its assertions are added up."""
    return Fact(
        id_, first.tx_from, meant.subject, meant.predicate, meant.object, meant.literal, meant.label, meant.fact_type,
        meant.policy, meant.slot, meant.is_alias, words, None, None, None, first.begins, None, first.source_at, made,
        made, first.confidence, first.certainty, first.source_kind, False, None, False, None, {}, first.id, 0,
    )  # fmt: skip


def _join(importing: Importing, held: Fact, fact: ArchivedFact, sources: Sequence[Document | None]) -> None:
    """Let the fact here say what the archive's says too; in mode overwrite, nothing else of this surface."""
    change = importing.change
    known = change.assertions(held.id)
    meant = Claim(held.subject, held.predicate, held.label, held.fact_type, held.object, held.literal)
    new = [
        _assertion(change, held.id, each, source, _statement(change, fact, meant, each))
        for each, source in zip(fact.said, sources, strict=True)
        if not any(_is_held(each, other) for other in known)
    ]
    for each in new:
        change.add_assertion(each)
    now = held
    if new:
        summed = total(held, change.assertions(held.id))
        now = resettle(change, change.put_fact(_richer(held, summed, fact)))
    if importing.mode == "overwrite":
        ours = [each for each in known if each.surface == SURFACE]
        extra = [each for each in ours if not any(_is_held(said, each) for said in fact.said)]
        now = withdraw(change, extra)[0] if extra else now
        bounds = now._replace(
            attributes=_same_attributes(now, fact), valid_from=fact.valid_from, valid_until=fact.valid_until
        )
        revise(change, now, bounds)


def _richer(held: Fact, summed: Fact, fact: ArchivedFact) -> Fact:
    """The fact with the properties that it lacked, and the greater weight."""
    before = {} if held.is_retracted else held.attributes
    attributes = {**fact.attributes, **before}
    weights = [each[WEIGHT] for each in (fact.attributes, before) if WEIGHT in each]
    return summed._replace(attributes={**attributes, WEIGHT: max(weights)} if weights else attributes)


def _same_attributes(held: Fact, fact: ArchivedFact) -> Mapping[str, Any]:
    """The archive's attributes; a weight that the fact has anyway need not be said."""
    own = {**fact.attributes}
    if WEIGHT in held.attributes and WEIGHT not in own and weight_of(held) == held.confidence:
        own[WEIGHT] = held.attributes[WEIGHT]
    return own
