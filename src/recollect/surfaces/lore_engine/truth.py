"""`was_true_at`: whether a relation held at a time, and who says so."""

from collections.abc import Sequence
from typing import Annotated, Any, Literal

from pydantic import Field

from recollect.memory import Memory
from recollect.model.entity import Entity
from recollect.model.ids import say_fact, say_uuid
from recollect.model.relations import RelationName, relation_kinds
from recollect.reason.lore.relation import Relation
from recollect.reason.lore.sources import confidence_of, names_of, saying_so
from recollect.reason.lore.truth import Weighed, answering, nearest, side_of, weigh
from recollect.surfaces.lore_engine.asking import Asking, asking
from recollect.surfaces.lore_engine.problems import BadInput
from recollect.surfaces.lore_engine.shapes import (
    TEXT_LIMIT,
    AsOf,
    EntityName,
    LiteralText,
    RelationText,
    TimeText,
    text,
)
from recollect.surfaces.lore_engine.shown import Printer, say_time, start_order
from recollect.surfaces.lore_engine.surface import surface
from recollect.surfaces.lore_engine.truth_results import (
    IntervalShown,
    NearestShown,
    RetconnedShown,
    SourceShown,
    WasTrue,
)
from recollect.when.instant import say_instant
from recollect.when.period import Time

_SURE = 0.5


Target = Annotated[
    Annotated[str, *text(TEXT_LIMIT)] | LiteralText,
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
    object: Target,  # noqa: A002 the published name
    at_time: TimeText,
    as_of: AsOf = None,
) -> WasTrue:
    """Whether a relation held at a time, by which sources, and what else they say.

    A dispute is shown, not settled: if one of two rivals holds, the answer is true and `disputed`. When it is false,
    `nearest` names the closest interval, and `retconned` what was declared untrue since.
    """
    with asking(memory, as_of) as asked:
        at, named = asked.time(at_time), asked.relation(relation)
        found = _found(asked, named, subject, object)
        return asked.with_resolution(_Verdict(asked, found, at).said)


def _found(asked: Asking, named: RelationName, subject: str, target: Any) -> "_Found":
    """Every relation of the triple, superseded ones too, and the entity that was asked about as subject."""
    kind = relation_kinds().get(named.name)
    if isinstance(target, dict) or (kind is not None and kind.takes == "time"):
        return _with_text(asked, named, subject, target, is_time=not isinstance(target, dict))
    fitting = (kind.subjects, kind.objects) if kind else (frozenset[str](), frozenset[str]())
    from_types, to_types = fitting[::-1] if named.swapped else fitting
    one, other = asked.end(subject, "subject", from_types), asked.end(target, "object", to_types)
    one, other = (other, one) if named.swapped else (one, other)
    return _Found(one, asked.lore.between(one.id, named.name, other.id))


def _with_text(asked: Asking, named: RelationName, subject: str, target: Any, *, is_time: bool) -> "_Found":
    if named.swapped:
        raise BadInput("only the object of a relation can be a text; turn it round", field="object")
    if not is_time:
        who = asked.entity(subject, "subject")
        return _Found(who, asked.lore.between(who.id, named.name, target["literal"], literal=True))
    first, _, last = target.partition(" .. ")
    start = asked.time(first, "object")
    end = asked.time(last, "object") if last else start
    who = asked.entity(subject, "subject")
    every = asked.lore.relations_of([who.id], [named.name], "subject", superseded=True)
    return _Found(who, [each for each in every if _is_period(asked, each, start, end)])


def _is_period(asked: Asking, relation: Relation, start: Time, end: Time) -> bool:
    time = asked.lore.read(relation.literal)
    return time is not None and (time.lo, time.hi) == (start.lo, end.hi)


class _Found:
    """The relations of one triple."""

    def __init__(self, subject: Entity, relations: Sequence[Relation]) -> None:
        self.subject = subject
        self.live = sorted((each for each in relations if not each.fact.stale), key=start_order)
        self.superseded = sorted((each for each in relations if each.fact.stale), key=start_order)


class _Verdict:
    """What the relations of a triple say about one time."""

    def __init__(self, asked: Asking, found: _Found, at: Time) -> None:
        self._lore, self._found, self._at = asked.lore, found, at
        every = [*found.live, *found.superseded]
        self._printer = Printer(asked.lore, every)
        intervals = asked.lore.intervals(every)
        weighed = {
            each.id: weigh(each, intervals[each.id], at, confidence_of(self._printer.sources(each))) for each in every
        }
        self._weighed = weighed
        self._live = [weighed[each.id] for each in found.live]
        self._holding = [each for each in self._live if each.holds]

    @property
    def said(self) -> WasTrue:
        best = answering(self._live)
        near = nearest(self._live, self._at) if best is None else None
        judged = best or near
        disputed = judged is not None and self._printer.is_disputed(judged.relation)
        confidence = self._printer.confidence(best.relation) if best else None
        return {
            "was_true": best is not None,
            "valid_from": say_time(best.relation.fact.valid_from) if best else None,
            "valid_until": say_time(best.relation.fact.valid_until) if best else None,
            "sources": self._all_sources(),
            "confidence": confidence,
            "reason": "holds" if best else "outside_interval" if near else "no_such_relation",
            "coverage": best.coverage if best else "none",
            "relation_id": say_fact(best.relation.id) if best else None,
            "intervals": [self._interval(each) for each in self._live],
            "nearest": self._nearest(near) if near else None,
            "disputed": disputed,
            "disputed_with": self._printer.disputed_with(judged.relation) if judged else [],
            "per_source": [said for each in self._holding for said in self._per_source(each.relation)],
            "qualify": best is not None and ((confidence or 0) < _SURE or disputed or best.coverage != "full"),
            "retconned": [self._retconned(each) for each in self._found.superseded],
            "at_time": self._at.text,
            "direction": self._direction(judged),
        }

    def _all_sources(self) -> list[str]:
        every = [source for each in self._holding for source in self._printer.sources(each.relation)]
        return names_of(sorted(every, key=lambda source: (source.source_at, source.tx, source.assertion)))

    def _interval(self, each: Weighed) -> IntervalShown:
        fact = each.relation.fact
        return {
            "relation_id": say_fact(fact.id),
            "valid_from": say_time(fact.valid_from),
            "valid_until": say_time(fact.valid_until),
            "coverage": each.coverage,
            "confidence": self._printer.confidence(each.relation),
            "sources": self._printer.source_names(each.relation),
            "disputed": self._printer.is_disputed(each.relation),
        }

    def _nearest(self, each: Weighed) -> NearestShown:
        fact = each.relation.fact
        return {
            "relation_id": say_fact(fact.id),
            "valid_from": say_time(fact.valid_from),
            "valid_until": say_time(fact.valid_until),
            "side": side_of(each.interval, self._at),
            "sources": self._printer.source_names(each.relation),
        }

    def _per_source(self, relation: Relation) -> list[SourceShown]:
        return [
            {
                "source": source.name,
                "document_id": None if source.document is None else say_uuid(source.document),
                "relation_id": say_fact(relation.id),
                "extraction": source.extraction,
                "reliability": source.reliability,
                "confidence": source.confidence,
                "valid_from": source.valid_from,
                "valid_until": source.valid_until,
                "quote": source.quote,
            }
            for source in saying_so(self._printer.sources(relation))
        ]

    def _retconned(self, relation: Relation) -> RetconnedShown:
        fact = relation.fact
        newer = self._lore.by_id([fact.replaced_by], superseded=True) if fact.replaced_by else []
        return {
            "relation_id": say_fact(fact.id),
            "was_true": self._weighed[fact.id].holds,
            "valid_from": say_time(fact.valid_from),
            "valid_until": say_time(fact.valid_until),
            "sources": self._printer.source_names(relation),
            "superseded_by": say_fact(fact.replaced_by) if fact.replaced_by else None,
            "superseded_at": say_instant(newer[0].fact.recorded_at) if newer else None,
        }

    def _direction(self, judged: Weighed | None) -> Literal["forward", "reverse"]:
        if judged is None or not judged.relation.is_symmetric:
            return "forward"
        return "forward" if judged.relation.subject == self._found.subject.id else "reverse"
