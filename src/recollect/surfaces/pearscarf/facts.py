"""`get_facts` and `get_conflicts`: facts of an entity, and pairs of facts that contradict each other."""

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from recollect.memory import Memory
from recollect.model.fact import DECIDED_BY, LABELS, MODALITY, POLARITY, TIME_TEXT
from recollect.model.ids import FactId, format_entity_id, format_fact_id
from recollect.model.trust import outranks
from recollect.model.urls import parse_url
from recollect.reason.entity_overview import OpenConflict, find_open_conflicts, newest_open_facts
from recollect.reason.open_items import Closing
from recollect.store.fact_rows import FactFilter, FactSummaryRow, mark_in
from recollect.store.view import View
from recollect.surfaces.parameter_types import AsOf, AtTime, EdgeLabel, NameText
from recollect.surfaces.pearscarf.entities import entity_ref, format_type, resolve_entity
from recollect.surfaces.pearscarf.parameters import (
    DEFAULT_LIMIT,
    ConflictLimit,
    FactFormat,
    FactLimit,
    FactType,
    IncludeStale,
    IncludeUnasserted,
    Since,
    Until,
    parse_at_time,
)
from recollect.surfaces.pearscarf.results import (
    ConflictsResult,
    EndView,
    FactConflictView,
    FactsResult,
    FactView,
    FactViews,
)
from recollect.surfaces.pearscarf.surface import surface
from recollect.surfaces.views import fact_id_or_none, is_past_due, mark_trust
from recollect.when.instant import format_date, format_instant, local_day
from recollect.when.span import Span

_NO_MARKS = (None, None, None, None)


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
        marks, text = fact.marks, fact.text
        # Most facts have no marks, and then nothing is looked for among them.
        modality, polarity, time_text, decided_by = _reader_marks(marks) if marks else _NO_MARKS
        shown: FactView = {
            "edge_label": fact.label,
            "fact_type": fact.fact_type,
            "fact": text,
            "confidence": fact.certainty,
            "source_at": format_instant(fact.source_at),
            "recorded_at": format_instant(fact.recorded_at),
            "valid_until": fact.valid_until,
            "source_record": fact.source_key,
            "source_url": parse_url(fact.source_url) or parse_url(fact.given),
            "stale": fact.stale == 1,
            "replaced_by": None if fact.replaced_by is None else format_fact_id(fact.replaced_by),
            "from_entity": {"name": fact.subject_name, "type": format_type(fact.subject_type)},
            "to_entity": _object_end(fact),
            "id": format_fact_id(fact.id),
            "predicate": fact.predicate,
            "literal": fact.literal,
            "day": self._day(fact) if fact.object_name is None else None,
            "valid_from": fact.valid_from,
            "overdue": fact.until_hi is not None and self._is_overdue(fact),
            "partial": fact.label == "AFFILIATED" and fact.is_bounded and self._is_partial(fact),
            "disputed": fact.disputed == 1,
            "score": fact.confidence,
            "quote": fact.quote,
            "extracted_by": fact.extracted_by,
            "source_count": fact.source_count,
            "source": fact.given,
            "modality": modality or "asserted",
            "polarity": polarity or "positive",
            "time_text": time_text,
            "closed_by": self._closed_by(fact) if self._closed else None,
            "decided_by": decided_by or fact.extracted_by,
        }
        mark_trust(shown, marks, text)
        return shown

    def _closed_by(self, fact: FactSummaryRow) -> str | None:
        closing = self._closed.get(fact.id)
        return fact_id_or_none(closing.fact if closing is not None else None)

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


def _reader_marks(marks: Mapping[str, Any]) -> Sequence[str | None]:
    return [mark_in(marks, name) for name in (MODALITY, POLARITY, TIME_TEXT, DECIDED_BY)]


def _object_end(fact: FactSummaryRow) -> EndView | None:
    if fact.object_name is None or fact.object_type is None:
        return None
    return {"name": fact.object_name, "type": format_type(fact.object_type)}


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
        "reason": "disputed" if pair.is_disputed else "equal_source_at",
    }
    weaker = one if outranks(other.fact.trust, one.fact.trust) else other
    mark_trust(shown, weaker.fact.attributes, f"{one.text}\n{other.text}")
    return shown
