"""Stating a relation: its words, times and ends made sense of together, then recorded or confirmed."""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from recollect.ingest.lore.bounds import Times, bounds_of, stretch
from recollect.ingest.lore.draft import Named, Text
from recollect.ingest.lore.ends import end, guessed, known_end
from recollect.ingest.lore.problems import BadStatement
from recollect.ingest.lore.retcon import check_superseded, replaced_already, supersede_further
from recollect.model.certainty import how_sure
from recollect.model.entity import Entity
from recollect.model.fact import NOTHING, Assertion, Claim, Fact, Source, Statement
from recollect.model.history import choose
from recollect.model.ids import FactId
from recollect.model.labels import base_type, kind_of, say_label
from recollect.model.relations import (
    RelationKind,
    RelationName,
    is_writable,
    read_relation,
    relation_kinds,
    say_relation,
)
from recollect.model.vocabulary import built_in
from recollect.store.change import Change
from recollect.when.instant import Instant
from recollect.when.period import Bounds
from recollect.write.meaning import claim
from recollect.write.record import record

Given = Named | Entity
"""An end by name, or already known."""


class Wanted(NamedTuple):
    """A relation as somebody states it."""

    subject: Given
    relation: str
    target: Given | Text | None
    times: Times = Times()
    confidence: float = 1.0
    attributes: Mapping[str, Any] = NOTHING
    supersedes: tuple[FactId, ...] = ()
    symmetric: bool = False
    text: str | None = None
    is_event: bool = False
    confirms_ends: bool = False


class Voice(NamedTuple):
    """Who speaks, since when, and how to tell what it said already."""

    source: Source
    source_at: Instant
    said: Callable[[FactId, Statement], Assertion | None]


class Related(NamedTuple):
    """What became of a statement: its fact, and the assertion that said it already, if one did."""

    fact: Fact
    is_new: bool
    said_by: Assertion | None
    made: tuple[Entity, ...] = ()
    warnings: tuple[str, ...] = ()


class Meant(NamedTuple):
    """A statement whose relation, target and times make sense; its ends are not looked up yet."""

    name: str
    kind: RelationKind | None
    subject: Given
    target: Given | None
    literal: str | None
    bounds: Bounds
    attributes: Mapping[str, Any]
    warnings: tuple[str, ...] = ()


def meant(change: Change, wanted: Wanted) -> Meant:
    """What a statement means here; whatever is wrong with its words or times is refused."""
    relation = _relation(wanted)
    kind = relation_kinds().get(relation.name)
    target = wanted.target
    if kind is not None and kind.takes == "time":
        return _at_a_time(change, wanted, relation, kind)
    if target is None and (kind is None or kind.takes != "entity or none" or relation.swapped) and not wanted.is_event:
        raise BadStatement(f"{say_relation(relation.name)} needs an object", field="to")
    if isinstance(target, Text) and relation.swapped:
        raise BadStatement(f"{wanted.relation} begins at its object, which cannot be a literal", field="to")
    bounds = bounds_of(change.world, relation.name, wanted.times)
    literal = target.text if isinstance(target, Text) else None
    other = None if isinstance(target, Text) else target
    subject = wanted.subject
    if relation.swapped and other is not None:
        subject, other = other, subject
    attributes = {**({"role": relation.role} if relation.role else {}), **wanted.attributes}
    return Meant(relation.name, kind, subject, other, literal, bounds, attributes)


def _relation(wanted: Wanted) -> RelationName:
    found = RelationName(wanted.relation) if wanted.is_event else read_relation(wanted.relation)
    if not is_writable(found.name):
        raise BadStatement(
            f"{wanted.relation!r} cannot name a relation: a letter, then letters, digits and _, at most 64",
            field="relation",
        )
    return found


def _at_a_time(change: Change, wanted: Wanted, relation: RelationName, kind: RelationKind) -> Meant:
    target = wanted.target
    if not isinstance(target, Named | Text):
        raise BadStatement(f"{say_relation(relation.name)} needs a time as its object", field="to")
    text = target.text if isinstance(target, Text) else target.name
    literal, bounds = stretch(change.world, relation.name, text, wanted.times)
    return Meant(relation.name, kind, wanted.subject, None, literal, bounds, wanted.attributes)


class Ends(NamedTuple):
    """Who is at each end; none where somebody new is."""

    subject: Entity | None
    target: Entity | None


def ends_of(change: Change, said: Meant) -> Ends:
    """The known entities at the ends; a name that several share is refused."""
    subjects = said.kind.subjects if said.kind else frozenset[str]()
    objects = said.kind.objects if said.kind else frozenset[str]()
    subject = _known(change, said.subject, subjects, "from")
    target = None if said.target is None else _known(change, said.target, objects, "to")
    if subject is not None and target is not None and subject.id == target.id:
        raise BadStatement("a relation joins two things; both ends are the same", field="to")
    return Ends(subject, target)


def _known(change: Change, given: Given, fitting: frozenset[str], field: str) -> Entity | None:
    return given if isinstance(given, Entity) else known_end(change, given, fitting, field)


def relate(change: Change, wanted: Wanted, voice: Voice) -> Related:
    """Write one statement, unless the same voice said it already."""
    said = meant(change, wanted)
    known = ends_of(change, said)
    made, subject, target = _ends_made(change, said, known, wanted.confirms_ends)
    if target is not None and target.id == subject.id:
        raise BadStatement("a relation joins two things; both ends are the same", field="to")
    warnings = _warnings(change, said, wanted, subject, target)
    claimed = _claim(change, said, wanted, subject, target)
    statement = _statement(claimed, said, wanted, voice)
    for fact in change.facts_claiming(claimed, claimed.slot):
        assertion = voice.said(fact.id, statement)
        if assertion is not None and replaced_already(change, fact, wanted.supersedes):
            return Related(fact, False, assertion, made, warnings)
    check_superseded(change, wanted.supersedes, claimed)
    recorded = record(change, statement)
    fact = supersede_further(change, recorded.fact, wanted.supersedes[1:])
    return Related(fact, recorded.is_new, None, made, warnings)


def _statement(claimed: Claim, said: Meant, wanted: Wanted, voice: Voice) -> Statement:
    return Statement(
        claimed,
        voice.source_at,
        *how_sure(None, None, wanted.confidence),
        None,
        wanted.text,
        said.bounds.valid_from,
        said.bounds.valid_until,
        True,
        voice.source,
        said.attributes,
        wanted.supersedes[0] if wanted.supersedes else None,
    )


def same_fact(change: Change, wanted: Wanted) -> Fact | None:
    """The live fact that says the same as a statement; nothing is written."""
    said = meant(change, wanted)
    known = ends_of(change, said)
    if known.subject is None or (said.target is not None and known.target is None):
        return None
    claimed = known_claim(change, said, known)
    if claimed is None:
        return None
    slot = [fact for fact in change.facts_in_slot(claimed.slot) if not fact.is_retracted]
    statement = _statement(claimed, said, wanted, Voice(Source(), change.now, lambda _, __: None))
    return choose(statement, slot)


def known_claim(change: Change, said: Meant, known: Ends) -> Claim | None:
    """The claim between known ends; none for a relation that nobody ever used."""
    if known.subject is None or not (said.name in built_in() or change.has_used(said.name)):
        return None
    target = known.target.id if known.target is not None else None
    return claim(change, known.subject.id, target, said.literal, predicate=said.name)


def _ends_made(
    change: Change, said: Meant, known: Ends, confirms: bool
) -> tuple[tuple[Entity, ...], Entity, Entity | None]:
    """The ends, with those made for the occasion."""
    kind, subject, target = said.kind, said.subject, said.target
    subjects = kind.subjects if kind else frozenset[str]()
    objects = kind.objects if kind else frozenset[str]()
    made: list[Entity] = []
    if isinstance(subject, Named):
        asked = guessed(kind, subject, subjects, known.target or _given_type(target))
        found = end(change, asked, known.subject, confirmed=confirms)
        made += [found.entity] if found.is_new else []
        subject = found.entity
    if isinstance(target, Named):
        asked = guessed(kind, target, objects, subject)
        found = end(change, asked, known.target, confirmed=confirms)
        made += [found.entity] if found.is_new else []
        target = found.entity
    return tuple(made), subject, target


def _given_type(end_: Given | None) -> str | None:
    return base_type(end_.type) if isinstance(end_, Named) and end_.type else None


def _claim(change: Change, said: Meant, wanted: Wanted, subject: Entity, target: Entity | None) -> Claim:
    object_ = target.id if target is not None else None
    if wanted.is_event:
        if said.name not in built_in():
            change.use_predicate(said.name)
        return Claim(subject.id, said.name, "TRANSITIONED", said.name, object_, said.literal, False, "dispute")
    if said.name not in built_in():
        # The first use says whether it counts both ways and who used it, on which its policy rests.
        change.use_predicate(said.name, wanted.symmetric)
    return claim(change, subject.id, object_, said.literal, predicate=said.name)


def _warnings(change: Change, said: Meant, wanted: Wanted, subject: Entity, target: Entity | None) -> tuple[str, ...]:
    found: list[str] = []
    types = _counted_as(subject), None if target is None else _counted_as(target)
    if said.kind is not None and "unknown" not in types and not said.kind.fits(*types):
        ends = " to ".join(say_label(each) for each in types if each)
        found.append(f"{say_relation(said.name)} is not usual from {ends}")
    if wanted.symmetric and said.name not in built_in() and not _is_symmetric(change, said.name):
        found.append(f"{say_relation(said.name)} was first used one way only; symmetric has no effect")
    return tuple(found)


def _counted_as(entity: Entity) -> str:
    """The type that a relation sees; an encounter happens like any event."""
    type_ = kind_of(entity).type
    return "event" if type_ == "encounter" else type_


def _is_symmetric(change: Change, name: str) -> bool:
    return change.usage(name).symmetric or not change.has_used(name)


def says_exactly(assertion: Assertion, statement: Statement) -> bool:
    """Whether an assertion says what the statement would, as surely and with the same words."""
    return (
        assertion.valid_from == statement.valid_from
        and assertion.valid_until == statement.valid_until
        and assertion.confidence == statement.confidence
        and assertion.evidence == statement.evidence
        and assertion.quote == statement.source.quote
        and dict(assertion.attributes) == dict(statement.attributes)
    )


def by_hand(change: Change) -> Voice:
    """The voice of whoever calls a tool: what the same actor said with it before need not be said again."""
    who = (change.actor.surface, change.actor.tool, change.actor.name)

    def said(fact: FactId, statement: Statement) -> Assertion | None:
        for each in change.assertions(fact):
            if each.document is None and (each.surface, each.tool, each.actor) == who and says_exactly(each, statement):
                return each
        return None

    return Voice(Source(), change.now, said)
