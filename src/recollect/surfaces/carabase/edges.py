"""Facts as edges: their JSON object, the same in every tool, and their line of text."""

from collections.abc import Collection
from typing import Literal, NotRequired

from typing_extensions import TypedDict

from recollect.model.certainty import Certainty, SourceKind
from recollect.model.fact import Fact, Label
from recollect.model.history import is_current, is_partial
from recollect.model.ids import EntityId, format_entity_id, format_fact_id
from recollect.reason.closures.open_items import ITEM_PREDICATES
from recollect.reason.items.item_lookup import closed_items
from recollect.store.fact_rows import FactRow
from recollect.store.view import View
from recollect.surfaces.carabase.artifacts import artifact_uri
from recollect.surfaces.carabase.entities import type_of
from recollect.surfaces.views import TrustMarks, fact_id_or_none, is_past_due, mark_trust, marks_text, time_or_none
from recollect.text.fold import collapse_spaces
from recollect.when.instant import format_date, format_instant, local_day
from recollect.when.period import Time

EdgeDirection = Literal["out", "in"]


class EdgeSource(TypedDict):
    artifact_uri: str | None
    record_id: str | None
    quote: str | None
    url: str | None
    surface: str
    tool: str | None
    actor: str | None
    tx: int
    assertions: int
    source: NotRequired[str]


class EdgeView(TrustMarks):
    id: str
    type: str
    label: Label
    fact_type: str
    source_id: str
    source_name: str
    source_type: str
    target_id: str | None
    target_name: str | None
    target_type: str | None
    literal: str | None
    day: str | None
    text: str
    hop: int | None
    direction: EdgeDirection | None
    confidence: float
    certainty: Certainty
    source_kind: SourceKind
    valid_from: str | None
    valid_until: str | None
    partial: bool
    current: bool
    overdue: bool
    stale: bool
    replaced_by: str | None
    disputed: bool
    disputed_with: list[str]
    source_at: str
    recorded_at: str
    provenance: EdgeSource


class EdgeRenderer:
    """Renders facts as of one time; their assertions and documents are read in one batch."""

    def __init__(self, view: View, at: Time, facts: Collection[FactRow]) -> None:
        self._view = view
        self._at = at.span
        self._assertions = view.assertions_of([seen.fact.id for seen in facts])
        having_items = {seen.fact.subject for seen in facts if seen.fact.predicate in ITEM_PREDICATES}
        self._closed = closed_items(view, having_items) if having_items else {}
        self._documents = view.documents(
            {each.document for told in self._assertions.values() for each in told if each.document is not None}
        )

    def render(self, seen: FactRow, hop: int | None = None, near: EntityId | None = None) -> EdgeView:
        """One edge; `near` is the end from which a walk reached it."""
        fact = seen.fact
        has_target = seen.object_name is not None and fact.object is not None
        shown: EdgeView = {
            "id": format_fact_id(fact.id),
            "type": fact.predicate,
            "label": fact.label,
            "fact_type": fact.fact_type,
            "source_id": format_entity_id(fact.subject),
            "source_name": seen.subject_name,
            "source_type": type_of(seen.subject_type),
            "target_id": format_entity_id(fact.object) if fact.object is not None and has_target else None,
            "target_name": seen.object_name,
            "target_type": type_of(seen.object_type) if seen.object_type is not None else None,
            "literal": fact.literal,
            "day": self._day(fact),
            "text": seen.text,
            "hop": hop,
            "direction": None if near is None else "out" if fact.subject == near else "in",
            "confidence": round(fact.confidence, 4),
            "certainty": fact.certainty,
            "source_kind": fact.source_kind,
            "valid_from": time_or_none(fact.valid_from),
            "valid_until": time_or_none(fact.valid_until),
            "partial": fact.label == "AFFILIATED" and is_partial(fact, self._at),
            "current": self._is_current(fact),
            "overdue": self._is_overdue(fact),
            "stale": fact.stale,
            "replaced_by": fact_id_or_none(fact.replaced_by),
            "disputed": fact.disputed,
            "disputed_with": self._disputed_with(fact) if fact.disputed else [],
            "source_at": format_instant(fact.source_at),
            "recorded_at": format_instant(fact.recorded_at),
            "provenance": self._provenance(seen),
        }
        mark_trust(shown, fact.attributes, seen.text)
        return shown

    def _day(self, fact: Fact) -> str | None:
        """A fact without object and literal is anchored to the day of its source."""
        if fact.object is not None or fact.literal is not None:
            return None
        return format_date(local_day(fact.source_at, self._view.world.zone))

    def _is_overdue(self, fact: Fact) -> bool:
        until = None if fact.valid_until is None else fact.valid_until.hi
        return is_past_due(fact.label, fact.fact_type, until, self._at) and self._is_current(fact)

    def _is_current(self, fact: Fact) -> bool:
        return is_current(fact, self._at) and fact.id not in self._closed

    def _disputed_with(self, fact: Fact) -> list[str]:
        found = self._view.disputes_of(fact.id)
        return sorted({format_fact_id(each.other if each.one == fact.id else each.one) for each in found})

    def _provenance(self, seen: FactRow) -> EdgeSource:
        told = self._assertions.get(seen.fact.id, [])
        newest = next((each for each in told if each.id == seen.fact.newest), told[-1] if told else None)
        held = self._documents.get(newest.document) if newest and newest.document else None
        shown: EdgeSource = {
            "artifact_uri": artifact_uri(held.id) if held is not None and not held.deleted else None,
            "record_id": held.key if held is not None else None,
            "quote": seen.quote,
            "url": seen.source_url,
            "surface": seen.surface,
            "tool": seen.tool or None,
            "actor": seen.actor or None,
            "tx": newest.tx_from if newest else seen.fact.tx_from,
            "assertions": len(told),
        }
        if seen.given:
            shown["source"] = seen.given
        return shown


def format_edge(edge: EdgeView) -> str:
    """An edge as a line of text; if it was not extracted, with its confidence."""
    target = edge["target_name"] or edge["literal"] or edge["day"]
    period = (
        f" ({edge['valid_from'] or ''}..{edge['valid_until'] or ''})"
        if edge["valid_from"] or edge["valid_until"]
        else ""
    )
    past = "" if edge["current"] else " (not current)"
    hop = f"hop {edge['hop']}: " if edge["hop"] is not None else ""
    doubt = "" if edge["source_kind"] == "extracted" else f" [{edge['source_kind']} {edge['confidence']:.2f}]"
    arrow = f"{edge['source_name']} –{edge['type']}→ {target}"
    text = collapse_spaces(edge["text"])
    return f"{hop}{collapse_spaces(arrow)}{period}{past} · {text} · {edge['id']}{doubt}{marks_text(edge)}"
