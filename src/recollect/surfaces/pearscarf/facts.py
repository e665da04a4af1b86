"""`get_facts` and `get_conflicts`: facts of an entity, and pairs of facts that contradict each other."""

from collections.abc import Mapping, Sequence
from typing import Any, Literal, NamedTuple

from recollect.memory import Memory
from recollect.model.document import parse_url
from recollect.model.fact import DECIDED_BY, LABELS, MODALITY, NOTHING, POLARITY, TIME_TEXT
from recollect.model.ids import FactId, format_entity_id, format_fact_id
from recollect.model.trust import outranks
from recollect.reason.closures.open_items import Closing
from recollect.reason.entity_overview import OpenConflict, find_open_conflicts, newest_open_facts
from recollect.store.fact_rows import NO_ATTRIBUTES, FactFilter, FactSummaryRow, mark_in
from recollect.store.view import View
from recollect.surfaces.parameter_types import AsOf, AtTime, EdgeLabel, NameText
from recollect.surfaces.pearscarf.entities import entity_ref, format_type, resolve_entity
from recollect.surfaces.pearscarf.results import (
    DEFAULT_LIMIT,
    ConflictLimit,
    ConflictsResult,
    EndView,
    FactConflictView,
    FactFormat,
    FactLimit,
    FactsResult,
    FactType,
    FactView,
    FactViews,
    IncludeStale,
    IncludeUnasserted,
    Since,
    Until,
    parse_at_time,
)
from recollect.surfaces.pearscarf.surface import surface
from recollect.surfaces.views import fact_id_or_none, is_past_due, mark_trust
from recollect.when.instant import format_date, format_instant, local_day
from recollect.when.span import Span


class FactRenderer:
    """Renders facts as of one time; closed items are never overdue."""

    def __init__(self, view: View, at: Span, closed: Mapping[FactId, Closing]) -> None:
        self._zone = view.world.zone
        self._at = at
        self._closed = closed

    def facts(self, newest_first: Sequence[FactSummaryRow], form: Literal["chronological", "clustered"]) -> FactViews:
        """One list, oldest first; or newest first under each label that has facts."""
        shown = [self.fact(each) for each in newest_first]
        if form == "chronological":
            return shown[::-1]
        clusters = {label: [fact for fact in shown if fact["edge_label"] == label] for label in LABELS}
        return {label: facts for label, facts in clusters.items() if facts}

    def fact(self, fact: FactSummaryRow) -> FactView:
        # Most facts have words of their own and no marks.
        marks = NOTHING if fact.attributes == NO_ATTRIBUTES else fact.marks
        text = fact.words or fact.text
        shown = self._fact(fact, text, _read_marks(marks) if marks else _NO_MARKS)
        mark_trust(shown, marks, text)
        return shown

    def _fact(self, fact: FactSummaryRow, text: str, read: "_ReaderMarks") -> FactView:
        # Every fact that is read passes here; unpacking costs less than attributes.
        (
            id_, _, predicate, _, literal, label, fact_type, _, _, since, since_lo, until, until_hi, source_at,
            recorded_at, confidence, certainty, stale, replaced_by, disputed, count, _, subject_name, subject_type,
            object_name, object_type, source_key, source_url, given, quote, extracted_by,
        ) = fact  # fmt: skip
        is_bounded = since_lo is not None or until_hi is not None
        closing = self._closed.get(id_) if self._closed else None
        return {
            "edge_label": label,
            "fact_type": fact_type,
            "fact": text,
            "confidence": certainty,
            "source_at": format_instant(source_at),
            "recorded_at": format_instant(recorded_at),
            "valid_until": until,
            "source_record": source_key,
            "source_url": None if source_url is None and given is None else parse_url(source_url) or parse_url(given),
            "stale": stale == 1,
            "replaced_by": None if replaced_by is None else format_fact_id(replaced_by),
            "from_entity": _end(subject_name, subject_type),
            "to_entity": None if object_name is None or object_type is None else _end(object_name, object_type),
            "id": format_fact_id(id_),
            "predicate": predicate,
            "literal": literal,
            "day": self._day(fact) if object_name is None else None,
            "valid_from": since,
            "overdue": until_hi is not None and self._is_overdue(fact),
            "partial": is_bounded and label == "AFFILIATED" and self._is_partial(fact),
            "disputed": disputed == 1,
            "score": confidence,
            "quote": quote,
            "extracted_by": extracted_by,
            "source_count": count,
            "source": given,
            "modality": read.modality,
            "polarity": read.polarity,
            "time_text": read.time_text,
            "closed_by": None if closing is None else fact_id_or_none(closing.fact),
            "decided_by": read.decided_by or extracted_by,
        }

    def _day(self, fact: FactSummaryRow) -> str | None:
        """A fact without any object is anchored to the local day of its source."""
        return None if fact.literal is not None else format_date(local_day(fact.source_at, self._zone))

    def _is_overdue(self, fact: FactSummaryRow) -> bool:
        return (
            is_past_due(fact.label, fact.fact_type, fact.until_hi, self._at)
            and not fact.stale
            and fact.id not in self._closed
            and fact.certainty != "retracted"
        )

    def _is_partial(self, fact: FactSummaryRow) -> bool:
        return fact.period.overlaps(self._at) and not fact.period.covers(self._at)


class _ReaderMarks(NamedTuple):
    """What the reader noted of a fact."""

    modality: str
    polarity: str
    time_text: str | None
    decided_by: str | None


_NO_MARKS = _ReaderMarks("asserted", "positive", None, None)


def _read_marks(marks: Mapping[str, Any]) -> _ReaderMarks:
    return _ReaderMarks(
        mark_in(marks, MODALITY) or _NO_MARKS.modality,
        mark_in(marks, POLARITY) or _NO_MARKS.polarity,
        mark_in(marks, TIME_TEXT),
        mark_in(marks, DECIDED_BY),
    )


def _end(name: str, type_: str) -> EndView:
    return {"name": name, "type": format_type(type_)}


@surface.tool("read", example={"entity": "Lumen Audit", "edge_label": "ASSERTED"}, older={"entity": ("entity_name",)})
def get_facts(
    memory: Memory,
    entity: NameText,
    edge_label: EdgeLabel | None = None,
    fact_type: FactType | None = None,
    since: Since | None = None,
    include_stale: IncludeStale = False,
    format: FactFormat = "chronological",  # noqa: A002 the published name
    until: Until | None = None,
    as_of: AsOf = None,
    at_time: AtTime = None,
    limit: FactLimit = DEFAULT_LIMIT,
    include_unasserted: IncludeUnasserted = False,
) -> FactsResult:
    """Facts about one entity, as their subject or object, each with the record that says so.

    Only what is current, unless `include_stale`. Oldest first, or `clustered` by edge label, newest first.
    """
    with memory.read(as_of) as view:
        at, zone = parse_at_time(view.world, at_time), view.world.zone
        who = resolve_entity(memory, view, entity)
        wanted = FactFilter(
            at,
            every=include_stale,
            label=edge_label,
            fact_type=fact_type,
            since=None if since is None else since.bounds(zone)[0],
            until=None if until is None else until.bounds(zone)[1],
            limit=limit,
            unasserted=include_unasserted,
        )
        found, closed = newest_open_facts(view, who.id, wanted)
        return {
            "facts": FactRenderer(view, at, closed).facts(found.facts, format),
            "entity": entity_ref(who),
            "count": found.count,
            "truncated": found.is_cut,
        }


@surface.tool("read", example={"entity": "Teo Quist"}, older={"entity": ("entity_name",)})
def get_conflicts(
    memory: Memory, entity: NameText | None = None, as_of: AsOf = None, limit: ConflictLimit = 200
) -> ConflictsResult:
    """Pairs of current facts that contradict each other, unresolved, newest pair first.

    Without `entity`, those of the whole graph.
    """
    with memory.read(as_of) as view:
        who = None if entity is None else resolve_entity(memory, view, entity)
        found = find_open_conflicts(view, None if who is None else who.id)
        return {
            "conflicts": [_render_conflict(pair) for pair in found[:limit]],
            "count": len(found),
            "truncated": len(found) > limit,
        }


def _render_conflict(pair: OpenConflict) -> FactConflictView:
    one, other = pair.one, pair.other
    shown: FactConflictView = {
        "entity": one.subject_name,
        "edge_label": one.fact.label,
        "fact_type": one.fact.fact_type,
        "fact_a": one.text,
        "fact_b": other.text,
        "source_at_a": format_instant(one.fact.source_at),
        "source_at_b": format_instant(other.fact.source_at),
        "entity_id": format_entity_id(one.fact.subject),
        "target": one.fact.literal if one.object_name is None else one.object_name,
        "fact_id_a": format_fact_id(one.fact.id),
        "fact_id_b": format_fact_id(other.fact.id),
        "reason": "disputed" if pair.is_disputed or one.fact.source_at != other.fact.source_at else "equal_source_at",
    }
    weaker = one if outranks(other.fact.trust, one.fact.trust) else other
    mark_trust(shown, weaker.fact.attributes, f"{one.text}\n{other.text}")
    return shown
