"""Writing a relation: parsing, resolving its ends, recording or confirming it, retcons."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from recollect.ingest.drafts import LiteralTarget, NameRef
from recollect.ingest.lore.lore_errors import AlreadySuperseded, BadStatement, NoSuchRelation
from recollect.ingest.lore.relation_ends import (
    TimeInput,
    find_end,
    parse_bounds,
    parse_time_object,
    resolve_end,
    with_guessed_type,
)
from recollect.model.certainty import complete_confidence
from recollect.model.entity import UNKNOWN_TYPE, Entity
from recollect.model.fact import NOTHING, Assertion, Claim, Fact, Source, Statement
from recollect.model.history import choose_confirmed_fact
from recollect.model.ids import FactId, format_fact_id
from recollect.model.labels import base_type, format_label, kind_of
from recollect.model.relations import (
    RelationKind,
    RelationName,
    format_relation,
    is_writable,
    read_relation,
    relation_from_predicate,
    relation_kinds,
)
from recollect.model.vocabulary import built_in_predicates
from recollect.store.change import Change
from recollect.when.instant import Instant
from recollect.when.period import Bounds
from recollect.write.fact_edits import supersede_more
from recollect.write.predicates import claim
from recollect.write.record_statement import record_statement
from recollect.write.source_reconciliation import repeats_statement


def check_retcon(change: Change, old: Sequence[FactId], claimed: Claim) -> None:
    """Reject a retcon of a relation that does not exist, is already replaced, or is about something else."""
    for fact in old:
        _check_superseded_fact(change, fact, claimed)


def _check_superseded_fact(change: Change, old: FactId, claimed: Claim) -> None:
    held = change.fact(old)
    if held is None:
        raise NoSuchRelation(format_fact_id(old), "supersedes")
    if held.stale and held.replaced_by is not None:
        raise AlreadySuperseded(old, current_replacement(change, held).id)
    if held.is_retracted or not _has_live_ends(change, held):
        raise BadStatement(
            f"{format_fact_id(old)} is withdrawn; only a live relation can be superseded", field="supersedes"
        )
    if relation_from_predicate(held.predicate).name != relation_from_predicate(claimed.predicate).name:
        raise BadStatement(f"{format_fact_id(old)} is another relation ({held.predicate.upper()})", field="supersedes")
    if not {held.subject, held.object} & ({claimed.subject, claimed.object} - {None}):
        raise BadStatement(f"{format_fact_id(old)} shares no end with the new relation", field="supersedes")


def _has_live_ends(change: Change, fact: Fact) -> bool:
    ends = (fact.subject, fact.object) if fact.object is not None else (fact.subject,)
    return all((found := change.entity(end)) is not None and found.is_live for end in ends)


def current_replacement(change: Change, fact: Fact) -> Fact:
    """The current fact at the end of a chain of replacements."""
    seen = {fact.id}
    while fact.replaced_by is not None and fact.replaced_by not in seen:
        following = change.fact(fact.replaced_by)
        if following is None:
            break
        seen.add(following.id)
        fact = following
    return fact


def is_replaced_by(change: Change, fact: Fact, old: Sequence[FactId]) -> bool:
    """Whether this fact replaced all of these."""
    facts = [change.fact(each) for each in old]
    return all(each is not None and each.replaced_by == fact.id for each in facts)


GivenEnd = NameRef | Entity
"""An end by name, or already known."""


class RelationInput(NamedTuple):
    """A relation as submitted."""

    subject: GivenEnd
    relation: str
    target: GivenEnd | LiteralTarget | None
    times: TimeInput = TimeInput()
    confidence: float = 1.0
    attributes: Mapping[str, Any] = NOTHING
    supersedes: tuple[FactId, ...] = ()
    symmetric: bool = False
    text: str | None = None
    is_event: bool = False
    confirms_ends: bool = False


class RelationSource(NamedTuple):
    """The source of a statement, its time, and how to find an equal earlier assertion."""

    source: Source
    source_at: Instant
    find_earlier: Callable[[FactId, Statement], Assertion | None]


class RelationResult(NamedTuple):
    """The outcome of a statement: its fact, and the equal earlier assertion, if any."""

    fact: Fact
    is_new: bool
    earlier_assertion: Assertion | None
    created_entities: tuple[Entity, ...] = ()
    warnings: tuple[str, ...] = ()


class ParsedRelation(NamedTuple):
    """A statement with valid relation, target and times; its ends are not resolved yet."""

    name: str
    kind: RelationKind | None
    subject: GivenEnd
    target: GivenEnd | None
    literal: str | None
    bounds: Bounds
    attributes: Mapping[str, Any]
    warnings: tuple[str, ...] = ()


def parse_relation(change: Change, wanted: RelationInput) -> ParsedRelation:
    """Parse a statement; an invalid relation, target or time is rejected."""
    relation = _relation_name(wanted)
    kind = relation_kinds().get(relation.name)
    target = wanted.target
    if kind is not None and kind.takes == "time":
        return _parse_time_relation(change, wanted, relation, kind)
    if target is None and (kind is None or kind.takes != "entity or none" or relation.swapped) and not wanted.is_event:
        raise BadStatement(f"{format_relation(relation.name)} needs an object", field="to")
    if isinstance(target, LiteralTarget) and relation.swapped:
        raise BadStatement(f"{wanted.relation} is stored inverted; its object must be an entity", field="to")
    bounds = parse_bounds(change.world, relation.name, wanted.times)
    literal = target.text if isinstance(target, LiteralTarget) else None
    other = None if isinstance(target, LiteralTarget) else target
    subject = wanted.subject
    if relation.swapped and other is not None:
        subject, other = other, subject
    attributes = {**({"role": relation.role} if relation.role else {}), **wanted.attributes}
    return ParsedRelation(relation.name, kind, subject, other, literal, bounds, attributes)


def _relation_name(wanted: RelationInput) -> RelationName:
    found = RelationName(wanted.relation) if wanted.is_event else read_relation(wanted.relation)
    if not is_writable(found.name):
        raise BadStatement(
            f"{wanted.relation!r} cannot name a relation: a letter, then letters, digits and _, at most 64",
            field="relation",
        )
    return found


def _parse_time_relation(
    change: Change, wanted: RelationInput, relation: RelationName, kind: RelationKind
) -> ParsedRelation:
    target = wanted.target
    if not isinstance(target, NameRef | LiteralTarget):
        raise BadStatement(f"{format_relation(relation.name)} needs a time as its object", field="to")
    text = target.text if isinstance(target, LiteralTarget) else target.name
    literal, bounds = parse_time_object(change.world, relation.name, text, wanted.times)
    return ParsedRelation(relation.name, kind, wanted.subject, None, literal, bounds, wanted.attributes)


class RelationEnds(NamedTuple):
    """The entity at each end; none for a new one."""

    subject: Entity | None
    target: Entity | None


def find_relation_ends(change: Change, said: ParsedRelation) -> RelationEnds:
    """The known entities at the ends; ambiguous names are rejected."""
    subjects = said.kind.subjects if said.kind else frozenset[str]()
    objects = said.kind.objects if said.kind else frozenset[str]()
    subject = _known_entity(change, said.subject, subjects, "from")
    target = None if said.target is None else _known_entity(change, said.target, objects, "to")
    if subject is not None and target is not None and subject.id == target.id:
        raise BadStatement("a relation joins two things; both ends are the same", field="to")
    return RelationEnds(subject, target)


def _known_entity(change: Change, given: GivenEnd, fitting: frozenset[str], field: str) -> Entity | None:
    return given if isinstance(given, Entity) else find_end(change, given, fitting, field)


def write_relation(change: Change, wanted: RelationInput, voice: RelationSource) -> RelationResult:
    """Write one statement, unless its source asserted it already."""
    said = parse_relation(change, wanted)
    known = find_relation_ends(change, said)
    made, subject, target = _resolve_or_make_ends(change, said, known, wanted.confirms_ends)
    if target is not None and target.id == subject.id:
        raise BadStatement("a relation joins two things; both ends are the same", field="to")
    warnings = _relation_warnings(change, said, wanted, subject, target)
    claimed = _make_claim(change, said, wanted, subject, target)
    statement = _make_statement(claimed, said, wanted, voice)
    for fact in change.facts_claiming(claimed, claimed.slot):
        assertion = voice.find_earlier(fact.id, statement)
        if assertion is not None and is_replaced_by(change, fact, wanted.supersedes):
            return RelationResult(fact, False, assertion, made, warnings)
    check_retcon(change, wanted.supersedes, claimed)
    recorded = record_statement(change, statement)
    fact = supersede_more(change, recorded.fact, wanted.supersedes[1:])
    return RelationResult(fact, recorded.is_new, None, made, warnings)


def _make_statement(claimed: Claim, said: ParsedRelation, wanted: RelationInput, voice: RelationSource) -> Statement:
    return Statement(
        claimed,
        voice.source_at,
        *complete_confidence(None, None, wanted.confidence),
        None,
        wanted.text,
        said.bounds.valid_from,
        said.bounds.valid_until,
        True,
        voice.source,
        said.attributes,
        wanted.supersedes[0] if wanted.supersedes else None,
    )


def find_same_fact(change: Change, wanted: RelationInput) -> Fact | None:
    """The live fact that says the same as a statement; nothing is written."""
    said = parse_relation(change, wanted)
    known = find_relation_ends(change, said)
    if known.subject is None or (said.target is not None and known.target is None):
        return None
    claimed = known_claim(change, said, known)
    if claimed is None:
        return None
    slot = [fact for fact in change.facts_in_slot(claimed.slot) if not fact.is_retracted]
    statement = _make_statement(claimed, said, wanted, RelationSource(Source(), change.now, lambda _, __: None))
    return choose_confirmed_fact(statement, slot)


def known_claim(change: Change, said: ParsedRelation, known: RelationEnds) -> Claim | None:
    """The claim between known ends; none for a relation that was never used."""
    if known.subject is None or not (said.name in built_in_predicates() or change.has_used(said.name)):
        return None
    target = known.target.id if known.target is not None else None
    return claim(change, known.subject.id, target, said.literal, predicate=said.name)


def _resolve_or_make_ends(
    change: Change, said: ParsedRelation, known: RelationEnds, confirms: bool
) -> tuple[tuple[Entity, ...], Entity, Entity | None]:
    """Resolve the ends, creating missing entities."""
    kind, subject, target = said.kind, said.subject, said.target
    subjects = kind.subjects if kind else frozenset[str]()
    objects = kind.objects if kind else frozenset[str]()
    made: list[Entity] = []
    if isinstance(subject, NameRef):
        asked = with_guessed_type(kind, subject, subjects, known.target or _given_type(target))
        found = resolve_end(change, asked, known.subject, confirmed=confirms)
        made += [found.entity] if found.is_new else []
        subject = found.entity
    if isinstance(target, NameRef):
        asked = with_guessed_type(kind, target, objects, subject)
        found = resolve_end(change, asked, known.target, confirmed=confirms)
        made += [found.entity] if found.is_new else []
        target = found.entity
    return tuple(made), subject, target


def _given_type(end_: GivenEnd | None) -> str | None:
    return base_type(end_.type) if isinstance(end_, NameRef) and end_.type else None


def _make_claim(
    change: Change, said: ParsedRelation, wanted: RelationInput, subject: Entity, target: Entity | None
) -> Claim:
    object_ = target.id if target is not None else None
    if wanted.is_event:
        if said.name not in built_in_predicates():
            change.use_predicate(said.name)
        return Claim(subject.id, said.name, "TRANSITIONED", said.name, object_, said.literal, False, "dispute")
    if said.name not in built_in_predicates():
        # The first use says whether it counts both ways and who used it, on which its policy rests.
        change.use_predicate(said.name, wanted.symmetric)
    return claim(change, subject.id, object_, said.literal, predicate=said.name)


def _relation_warnings(
    change: Change, said: ParsedRelation, wanted: RelationInput, subject: Entity, target: Entity | None
) -> tuple[str, ...]:
    found: list[str] = []
    types = _type_for_relation(subject), None if target is None else _type_for_relation(target)
    if said.kind is not None and not said.kind.fits(*types):
        ends = zip(("from", "to"), types, strict=True)
        known = " ".join(f"{side} {format_label(each)}" for side, each in ends if each not in (None, UNKNOWN_TYPE))
        found.append(f"{format_relation(said.name)} is not usual {known}")
    if wanted.symmetric and said.name not in built_in_predicates() and not _is_symmetric(change, said.name):
        found.append(f"{format_relation(said.name)} was first used one way only; symmetric has no effect")
    return tuple(found)


def _type_for_relation(entity: Entity) -> str:
    """The type that a relation sees; an encounter happens like any event."""
    type_ = kind_of(entity).type
    return "event" if type_ == "encounter" else type_


def _is_symmetric(change: Change, name: str) -> bool:
    return change.predicate_usage(name).symmetric or not change.has_used(name)


def tool_source(change: Change) -> RelationSource:
    """The source of a tool call; the same actor's equal assertions with the same tool count as repetitions."""
    who = (change.actor.surface, change.actor.tool, change.actor.name)

    def said(fact: FactId, statement: Statement) -> Assertion | None:
        known = change.fact(fact)
        if known is None or known.is_retracted or known.is_declared_obsolete:
            return None  # stated again after somebody corrected it
        for each in change.assertions(fact):
            if (
                each.document is None
                and (each.surface, each.tool, each.actor) == who
                and repeats_statement(each, statement)
            ):
                return each
        return None

    return RelationSource(Source(), change.now, said)
