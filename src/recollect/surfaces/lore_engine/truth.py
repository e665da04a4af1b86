"""`was_true_at` and `true_during`: whether and when a relation held, and who says so."""

from collections.abc import Iterator, Sequence
from typing import Annotated, Any, Literal, NotRequired

from pydantic import Field
from typing_extensions import TypedDict

from recollect.memory import Memory
from recollect.model.entity import Entity
from recollect.model.ids import EntityId, format_entity_id, format_fact_id, format_uuid
from recollect.model.relations import RelationName, relation_kinds
from recollect.reason.lore.relation import (
    Relation,
    RelationSide,
    ScoredRelation,
    best_answer,
    by_start,
    interval_side,
    nearest_relation,
    weigh_relation,
)
from recollect.reason.lore.sources import LoreSource, affirming_sources, confidence_of, source_age, source_names
from recollect.surfaces.declarations import Result
from recollect.surfaces.lore_engine.rendering import RelationRenderer, mark_relation
from recollect.surfaces.lore_engine.results import (
    TEXT_LIMIT,
    AsOf,
    EntityName,
    FuzzyResolutionView,
    LiteralText,
    PeriodText,
    RelationAssertionView,
    RelationText,
    RetconView,
    TimeText,
    text_validators,
)
from recollect.surfaces.lore_engine.session import ReadSession, list_result, read_session
from recollect.surfaces.lore_engine.surface import RejectedInput, surface
from recollect.surfaces.views import TrustMarks, entity_id_or_none, fact_id_or_none, mark_trust
from recollect.when.format import time_of
from recollect.when.instant import MAX, MIN, format_instant
from recollect.when.period import Bounds, Coverage, Time, time_text
from recollect.when.timeline import Timeline


class IntervalView(TypedDict):
    relation_id: str
    valid_from: str | None
    valid_until: str | None
    coverage: Coverage
    confidence: float | None
    sources: list[str]
    disputed: bool


class NearestIntervalView(TypedDict):
    relation_id: str
    valid_from: str | None
    valid_until: str | None
    side: Literal["earlier", "later"]
    sources: list[str]


Reason = Literal["holds", "outside_interval", "time_unread", "no_such_relation"]


class WasTrueResult(TrustMarks):
    was_true: bool
    valid_from: str | None
    valid_until: str | None
    sources: list[str]
    confidence: float | None
    reason: Reason
    coverage: Coverage
    relation_id: str | None
    intervals: list[IntervalView]
    nearest: NearestIntervalView | None
    disputed: bool
    disputed_with: list[str]
    per_source: list[RelationAssertionView]
    qualify: bool
    retconned: list[RetconView]
    at_time: str
    direction: Literal["forward", "reverse"]
    resolution: NotRequired[list[FuzzyResolutionView]]


class TrueDuringView(TrustMarks):
    """One relation that held in the period."""

    valid_from: str | None
    valid_until: str | None
    subject: str
    object: str | None
    sources: list[str]
    relation_id: str
    subject_id: str
    object_id: str | None
    coverage: Coverage
    clipped_from: str | None
    clipped_until: str | None
    confidence: float | None
    disputed: bool


_SURE_CONFIDENCE = 0.5


TargetInput = Annotated[
    Annotated[str, *text_validators(TEXT_LIMIT)] | LiteralText,
    Field(description='A name or id; a time for EXISTED_DURING and OCCURRED_DURING; or {"literal": text}'),
]


@surface.tool(
    "read",
    example={
        "relation": "ALLIED_WITH",
        "subject": "Saltguard",
        "object": "House Orrin",
        "at_time": "second_tide.year_60",
    },
)
def was_true_at(
    memory: Memory,
    relation: RelationText,
    subject: EntityName,
    object: TargetInput,  # noqa: A002 the published name
    at_time: TimeText,
    as_of: AsOf = None,
) -> WasTrueResult:
    """Whether a relation held at a time, by which sources, and what else they say.

    A dispute is shown, not settled: if one of two rivals holds, the answer is true and `disputed`. When it is false,
    `nearest` names the closest interval, and `retconned` what was declared untrue since; `time_unread` says that a
    source tells when, in words that could not be read.
    """
    with read_session(memory, as_of) as session:
        at, named = session.time(at_time), session.relation(relation)
        found = _find_triple(session, named, subject, object)
        return session.with_resolution(_Verdict(session, found, at).render)


def _find_triple(session: ReadSession, named: RelationName, subject: str, target: Any) -> "_Triple":
    """All relations of the triple, superseded ones included, and the entity given as subject."""
    kind = relation_kinds().get(named.name)
    if isinstance(target, dict) or (kind is not None and kind.takes == "time"):
        return _find_triple_with_text(session, named, subject, target, is_time=not isinstance(target, dict))
    fitting = (kind.subjects, kind.objects) if kind else (frozenset[str](), frozenset[str]())
    from_types, to_types = fitting[::-1] if named.swapped else fitting
    one, other = session.end(subject, "subject", from_types), session.end(target, "object", to_types)
    one, other = (other, one) if named.swapped else (one, other)
    return _Triple(one, session.lore.between(one.id, named.name, other.id))


def _find_triple_with_text(
    session: ReadSession, named: RelationName, subject: str, target: Any, *, is_time: bool
) -> "_Triple":
    if named.swapped:
        raise RejectedInput("only the object of a relation can be a text; swap subject and object", field="object")
    if not is_time:
        who = session.entity(subject, "subject")
        return _Triple(who, session.lore.between(who.id, named.name, target["literal"], literal=True))
    first, _, last = target.partition(" .. ")
    start = session.time(first, "object")
    end = session.time(last, "object") if last else start
    who = session.entity(subject, "subject")
    every = session.lore.relations_of([who.id], [named.name], "subject", superseded=True)
    return _Triple(who, [each for each in every if _names_same_period(session, each, start, end)])


def _names_same_period(session: ReadSession, relation: Relation, start: Time, end: Time) -> bool:
    time = session.lore.read(relation.literal)
    return time is not None and (time.lo, time.hi) == (start.lo, end.hi)


class _Triple:
    """The relations of one triple."""

    def __init__(self, subject: Entity, relations: Sequence[Relation]) -> None:
        self.subject = subject
        self.live = sorted((each for each in relations if not each.fact.stale), key=by_start)
        replaced = [each for each in relations if each.fact.stale and not each.fact.is_pending]
        self.superseded = sorted(replaced, key=by_start)
        self.has_unread_time = any(each.fact.is_pending for each in relations)


class _Verdict:
    """What the relations of a triple say about one time."""

    def __init__(self, session: ReadSession, found: _Triple, at: Time) -> None:
        self._lore, self._found, self._at = session.lore, found, at
        every = [*found.live, *found.superseded]
        self._printer = RelationRenderer(session.lore, every)
        intervals = session.lore.intervals(every)
        weighed = {
            each.id: weigh_relation(each, intervals[each.id], at, confidence_of(self._printer.sources(each)))
            for each in every
        }
        self._weighed = weighed
        self._live = [weighed[each.id] for each in found.live]
        self._holding = [each for each in self._live if each.holds]

    @property
    def render(self) -> WasTrueResult:
        best = best_answer(self._live)
        near = nearest_relation(self._live, self._at) if best is None else None
        judged = best or near
        disputed = judged is not None and self._printer.is_disputed(judged.relation)
        confidence = self._printer.confidence(best.relation) if best else None
        missing: Reason = "time_unread" if self._found.has_unread_time else "no_such_relation"
        shown: WasTrueResult = {
            "was_true": best is not None,
            "valid_from": time_text(best.relation.fact.valid_from) if best else None,
            "valid_until": time_text(best.relation.fact.valid_until) if best else None,
            "sources": self._all_sources(),
            "confidence": confidence,
            "reason": "holds" if best else "outside_interval" if near else missing,
            "coverage": best.coverage if best else "none",
            "relation_id": format_fact_id(best.relation.id) if best else None,
            "intervals": [self._interval(each) for each in self._live],
            "nearest": self._nearest(near) if near else None,
            "disputed": disputed,
            "disputed_with": self._printer.disputed_with(judged.relation) if judged else [],
            "per_source": [said for each in self._holding for said in self._per_source(each.relation)],
            "qualify": best is not None
            and ((confidence or 0) < _SURE_CONFIDENCE or disputed or best.coverage != "full"),
            "retconned": [self._retcon_view(each) for each in self._found.superseded],
            "at_time": self._at.text,
            "direction": self._direction(judged),
        }
        if judged is not None:
            mark_relation(shown, judged.relation)
        return shown

    def _all_sources(self) -> list[str]:
        every = [source for each in self._holding for source in self._printer.sources(each.relation)]
        return source_names(sorted(every, key=source_age))

    def _interval(self, each: ScoredRelation) -> IntervalView:
        fact = each.relation.fact
        return {
            "relation_id": format_fact_id(fact.id),
            "valid_from": time_text(fact.valid_from),
            "valid_until": time_text(fact.valid_until),
            "coverage": each.coverage,
            "confidence": self._printer.confidence(each.relation),
            "sources": self._printer.source_names(each.relation),
            "disputed": self._printer.is_disputed(each.relation),
        }

    def _nearest(self, each: ScoredRelation) -> NearestIntervalView:
        fact = each.relation.fact
        return {
            "relation_id": format_fact_id(fact.id),
            "valid_from": time_text(fact.valid_from),
            "valid_until": time_text(fact.valid_until),
            "side": interval_side(each.interval, self._at),
            "sources": self._printer.source_names(each.relation),
        }

    def _per_source(self, relation: Relation) -> list[RelationAssertionView]:
        return [_render_source(relation, each) for each in affirming_sources(self._printer.sources(relation))]

    def _retcon_view(self, relation: Relation) -> RetconView:
        fact = relation.fact
        newer = self._lore.by_id([fact.replaced_by], superseded=True) if fact.replaced_by else []
        return {
            "relation_id": format_fact_id(fact.id),
            "was_true": self._weighed[fact.id].holds,
            "valid_from": time_text(fact.valid_from),
            "valid_until": time_text(fact.valid_until),
            "sources": self._printer.source_names(relation),
            "superseded_by": fact_id_or_none(fact.replaced_by),
            "superseded_at": format_instant(newer[0].fact.recorded_at) if newer else None,
        }

    def _direction(self, judged: ScoredRelation | None) -> Literal["forward", "reverse"]:
        if judged is None or not judged.relation.is_symmetric:
            return "forward"
        return "forward" if judged.relation.subject == self._found.subject.id else "reverse"


def _render_source(relation: Relation, source: LoreSource) -> RelationAssertionView:
    shown: RelationAssertionView = {
        "source": source.name,
        "document_id": None if source.document is None else format_uuid(source.document),
        "relation_id": format_fact_id(relation.id),
        "extraction": source.extraction,
        "reliability": source.reliability,
        "confidence": source.confidence,
        "valid_from": source.valid_from,
        "valid_until": source.valid_until,
        "quote": source.quote,
    }
    mark_trust(shown, source.properties, f"{source.name}\n{source.quote or ''}")
    return shown


AsObject = Annotated[bool, Field(description="Look for relations whose object is `subject`")]


@surface.tool(
    "read",
    example={"relation": "AT_WAR_WITH", "subject": "House Orrin", "era": "second_tide.grey_years"},
)
def true_during(
    memory: Memory,
    relation: RelationText,
    subject: EntityName,
    era: PeriodText,
    object: EntityName | None = None,  # noqa: A002 the published name
    as_object: AsObject = False,
    as_of: AsOf = None,
) -> Result[list[TrueDuringView]]:
    """Every interval, in a period, in which a relation of one entity held, in order.

    Without `object`, those with all objects. Bounds are not cut to the period; `clipped_from` and `clipped_until` are.
    """
    with read_session(memory, as_of) as session:
        at, named = session.time(era, "era"), session.relation(relation)
        who, other = _resolve_ends(session, named, subject, object, as_object)
        side: RelationSide = "object" if named.swapped is not as_object else "subject"
        found = session.lore.relations_of([who.id], [named.name], side, at=at)
        wanted = [each for each in found if other is None or each.other_end(who.id) == other.id]
        said = list(_intervals_during(session, who.id, wanted, at))
        return list_result(said, len(said), session)


def _resolve_ends(
    session: ReadSession, named: RelationName, subject: str, target: str | None, as_object: bool
) -> tuple[Entity, Entity | None]:
    kind = relation_kinds().get(named.name)
    fitting = (kind.subjects, kind.objects) if kind else (frozenset[str](), frozenset[str]())
    near, far = fitting[::-1] if named.swapped is not as_object else fitting
    return session.end(subject, "subject", near), None if target is None else session.end(target, "object", far)


def _intervals_during(
    session: ReadSession, who: EntityId, relations: list[Relation], at: Time
) -> Iterator[TrueDuringView]:
    intervals = session.lore.intervals(relations)
    holding = {each.id: how for each, how in session.lore.holding(relations, at)}
    shown = sorted((each for each in relations if each.id in holding), key=by_start)
    printer = RelationRenderer(session.lore, shown)
    for each in shown:
        yield _render_interval(session, printer, who, each, (intervals[each.id], holding[each.id]), at)


def _render_interval(
    session: ReadSession,
    printer: RelationRenderer,
    who: EntityId,
    relation: Relation,
    held: tuple[Bounds, Coverage],
    at: Time,
) -> TrueDuringView:
    interval, how = held
    fact, timeline = relation.fact, session.view.world.timeline
    turned = relation.is_symmetric and relation.subject != who
    one, other = (who, relation.subject) if turned else (relation.subject, relation.object)
    names = session.lore.entities(relation.ends)
    shown: TrueDuringView = {
        "valid_from": time_text(fact.valid_from),
        "valid_until": time_text(fact.valid_until),
        "subject": names[one].name,
        "object": fact.literal if other is None else names[other].name,
        "sources": printer.source_names(relation),
        "relation_id": format_fact_id(fact.id),
        "subject_id": format_entity_id(one),
        "object_id": entity_id_or_none(other),
        "coverage": how,
        "clipped_from": _format_day(max(interval.lo, at.lo), timeline),
        "clipped_until": _format_day(min(interval.hi, at.hi), timeline),
        "confidence": printer.confidence(relation),
        "disputed": printer.is_disputed(relation),
    }
    mark_relation(shown, relation, *(each.name for each in names.values()))
    return shown


def _format_day(position: int, timeline: Timeline) -> str | None:
    """The day at a position; none for an open end."""
    return None if position in (MIN, MAX) else time_text(time_of(position, timeline))
