"""`event_chain`, `events_during` and `timeline`: what happened, when and why."""

from collections.abc import Sequence
from typing import Annotated, Literal, NotRequired

from pydantic import Field
from typing_extensions import TypedDict

from recollect.memory import Memory
from recollect.model.entity import Entity
from recollect.model.ids import EntityId, format_entity_id, format_fact_id
from recollect.model.labels import format_label, kind_from_stored_type
from recollect.model.relations import format_relation
from recollect.model.trust import SOURCE_TRUST
from recollect.reason.lore.entity_timeline import (
    Attribution,
    TimeBasis,
    TimelineEntry,
    attributions_of,
    find_disputed_entries,
    timeline_of,
)
from recollect.reason.lore.events import (
    CausalChain,
    ChainLink,
    ChainStrand,
    DatedEvent,
    PlaceHistory,
    events_in,
    find_event_candidates,
    follow_chain,
    places_of,
)
from recollect.reason.lore.lore_reader import LoreReader
from recollect.reason.lore.relation import Relation
from recollect.reason.lore.sources import LoreSource, source_age, source_names
from recollect.store.rows import read_json
from recollect.surfaces.declarations import Result
from recollect.surfaces.lore_engine.rendering import entity_ref, mark_relation
from recollect.surfaces.lore_engine.results import (
    AsOf,
    EntityName,
    EventName,
    FuzzyResolutionView,
    LoreEntityRef,
    PeriodText,
    RelationText,
    TimeText,
    text_validators,
)
from recollect.surfaces.lore_engine.session import LARGEST_LIMIT, ReadSession, list_result, read_session
from recollect.surfaces.lore_engine.state import ExactPlace
from recollect.surfaces.lore_engine.surface import RejectedInput, surface
from recollect.surfaces.lore_engine.walks import RelationEdgeView, render_edge
from recollect.surfaces.views import TrustMarks, mark_trust
from recollect.when.instant import MAX
from recollect.when.period import Bounds, Coverage, Time, time_text


class EventRef(LoreEntityRef):
    at: str | None
    until: str | None
    location: str | None


class ChainLinkView(LoreEntityRef):
    at: str | None
    until: str | None
    depth: int
    relation: str
    via: str
    relation_id: str


class EventChainResult(TypedDict):
    """An event, what led to it, what came of it and what went on beside it."""

    event: EventRef
    causes: list[ChainLinkView]
    effects: list[ChainLinkView]
    concurrent: list[ChainLinkView]
    depth: int
    edges: list[RelationEdgeView]
    truncated: bool
    cyclic: bool
    resolution: NotRequired[list[FuzzyResolutionView]]


class EventView(EventRef):
    coverage: Coverage
    sources: list[str]
    participants: list[str]


PlaceName = Annotated[EntityName, Field(description="Only events in this place, or in one it contained then")]
EventType = Annotated[str, *text_validators(200), Field(description="Event, Battle, any subtype, or Encounter")]
ChainDepth = Annotated[int, Field(ge=1, le=10, description="How many steps at most")]
ChainLimit = Annotated[int, Field(ge=1, le=500, description="At most this many in each list, the nearest")]
EventLimit = Annotated[int, Field(ge=1, le=LARGEST_LIMIT, description="At most this many, the earliest")]

_STRANDS: tuple[ChainStrand, ...] = ("causes", "effects", "concurrent")


@surface.tool("read", example={"event": "Breaking of the Mole", "depth": 1})
def event_chain(
    memory: Memory,
    event: EventName,
    depth: ChainDepth = 2,
    limit: ChainLimit = 100,
    as_of: AsOf = None,
) -> EventChainResult:
    """What led to an event, what came of it, and what went on at the same time."""
    with read_session(memory, as_of) as session:
        who = session.entity(event, "event", "event")
        strands = {strand: follow_chain(session.lore, who.id, strand, depth) for strand in _STRANDS}
        edges = {each.id: each for chain in strands.values() for each in chain.edges}
        said: EventChainResult = {
            "event": _event_ref(session.lore, who),
            "causes": _render_links(session.lore, strands["causes"], limit),
            "effects": _render_links(session.lore, strands["effects"], limit),
            "concurrent": _render_links(session.lore, strands["concurrent"], limit),
            "depth": depth,
            "edges": [render_edge(edges[each]) for each in sorted(edges)],
            "truncated": any(len(chain.links) > limit for chain in strands.values()),
            "cyclic": any(chain.is_cyclic for chain in strands.values()),
        }
        return session.with_resolution(said)


def _event_ref(lore: LoreReader, event: Entity) -> EventRef:
    time = lore.event_time(event.id) or Bounds()
    return {
        **entity_ref(event),
        "at": time_text(time.valid_from),
        "until": time_text(time.valid_until),
        "location": _place_name(lore, places_of(lore, [event.id]).get(event.id, ())),
    }


def _place_name(lore: LoreReader, where: Sequence[Relation]) -> str | None:
    return next((lore.entities([each.object])[each.object].name for each in where if each.object is not None), None)


def _render_links(lore: LoreReader, chain: CausalChain, limit: int) -> list[ChainLinkView]:
    times = lore.event_times(link.entity.id for link in chain.links)

    def order(link: ChainLink) -> tuple[int, int, str, str]:
        time = times[link.entity.id]
        return link.depth, MAX if time is None else time.lo, link.entity.name, link.entity.id

    return [_render_link(link, times[link.entity.id] or Bounds()) for link in sorted(chain.links, key=order)[:limit]]


def _render_link(link: ChainLink, time: Bounds) -> ChainLinkView:
    shown: ChainLinkView = {
        **entity_ref(link.entity),
        "at": time_text(time.valid_from),
        "until": time_text(time.valid_until),
        "depth": link.depth,
        "relation": format_relation(link.relation.name),
        "via": format_entity_id(link.via),
        "relation_id": format_fact_id(link.relation.id),
    }
    mark_relation(shown, link.relation, link.entity.name)
    return shown


@surface.tool("read", example={"era": "second_tide.grey_years", "location": "Marrow Coast"})
def events_during(
    memory: Memory,
    era: PeriodText,
    location: PlaceName | None = None,
    type: EventType | None = None,  # noqa: A002 the published name
    exact: ExactPlace = False,
    limit: EventLimit = 200,
    as_of: AsOf = None,
) -> Result[list[EventView]]:
    """Events in a period, in order, each with its place and who took part.

    Undated events are left out, and so are encounters unless `type` asks for them.
    """
    with read_session(memory, as_of) as session:
        at = session.time(era, "era")
        place = None if location is None else session.entity(location, "location", "location")
        ground = None if place is None else PlaceHistory(session.lore, place.id, exact=exact)
        found = _find_events(session, at, ground, type)
        return list_result(_render_events(session, found[:limit], ground), limit, session, total=len(found))


def _find_events(session: ReadSession, at: Time, ground: PlaceHistory | None, word: str | None) -> list[DatedEvent]:
    lore = session.lore
    if ground is None:
        return events_in(lore, at, find_event_candidates(lore, at), word)
    there = lore.relations_of(ground.places, ["occurred_at"], "object")
    found = events_in(lore, at, (each.subject for each in there), word)
    where: dict[EntityId, set[EntityId]] = {}
    for each in there:
        if each.object is not None:
            where.setdefault(each.subject, set()).add(each.object)
    return [each for each in found if any(ground.holds(place, each.time) for place in where[each.entity.id])]


def _render_events(session: ReadSession, events: list[DatedEvent], ground: PlaceHistory | None) -> list[EventView]:
    lore, ids = session.lore, [each.entity.id for each in events]
    where = places_of(lore, ids)
    dated = lore.relations_of(ids, ["occurred_during"], "subject")
    attended = [
        each for each in lore.relations_of(ids, ["participated_in", "witnessed"], "object") if _is_participation(each)
    ]
    named = lore.ends_of(attended)
    relations = [*dated, *(each for held in where.values() for each in held)]
    sources = lore.sources(each.id for each in relations)

    def show(event: DatedEvent) -> EventView:
        entity = event.entity.id
        own: list[LoreSource] = [source for each in relations if each.subject == entity for source in sources[each.id]]
        places = [each for each in where.get(entity, ()) if ground is None or each.object in ground.places]
        return {
            **entity_ref(event.entity),
            "at": time_text(event.time.valid_from),
            "until": time_text(event.time.valid_until),
            "location": _place_name(lore, places),
            "coverage": event.coverage,
            "sources": source_names(sorted(own, key=source_age)),
            "participants": sorted({named[each.subject].name for each in attended if each.object == entity}),
        }

    return [show(event) for event in events]


def _is_participation(relation: Relation) -> bool:
    """Whether a relation is participation; people who met are recorded as witnesses of their encounter."""
    return relation.name == "participated_in" or relation.fact.attributes.get("role") == "participant"


FromTime = Annotated[TimeText, Field(description="Only what reaches this time or a later one")]
ToTime = Annotated[TimeText, Field(description="Only what began at this time or earlier")]


class TimelineEntryView(TrustMarks):
    """One thing that happened."""

    at: str | None
    until: str | None
    kind: Literal["event", "relation"]
    relation: str
    other: LoreEntityRef | None
    text: str
    sources: list[str]
    source: str | None
    role: Literal["subject", "object"]
    literal: str | None
    relation_id: str
    at_basis: TimeBasis | None
    confidence: float | None
    disputed: bool


@surface.tool(
    "read",
    example={"entity": "Mira Orrin", "from": "second_tide.year_44", "to": "second_tide.year_45"},
    older={"relation_type": ("relation",), "from": ("start",), "to": ("end",)},
)
def timeline(
    memory: Memory,
    entity: EntityName,
    relation_type: RelationText | None = None,
    from_: FromTime | None = None,
    to: ToTime | None = None,
    limit: EventLimit = 200,
    as_of: AsOf = None,
) -> Result[list[TimelineEntryView]]:
    """What happened to or by an entity, in order of time, each with its source.

    What has no time comes last, and is left out when a beginning or an end is given.
    """
    with read_session(memory, as_of) as session:
        first = None if from_ is None else session.time(from_, "from")
        last = None if to is None else session.time(to, "to")
        _check_order(first, last)
        named = None if relation_type is None else session.relation(relation_type, "relation_type")
        who = session.entity(entity, "entity")
        course = timeline_of(session.lore, who, limit, None if named is None else named.name, first, last)
        return list_result(_render_entries(session, who, course.items), limit, session, total=course.total)


def _check_order(first: Time | None, last: Time | None) -> None:
    if first is not None and last is not None and first.lo > last.hi:
        raise RejectedInput(f"from {first} lies after to {last}; swap them", field="from")


def _render_entries(session: ReadSession, who: Entity, entries: list[TimelineEntry]) -> list[TimelineEntryView]:
    sources = attributions_of(session.lore, entries)
    disputed = find_disputed_entries(session.lore, entries)
    return [_render_entry(each, who, sources[each.row.fact], each.row.fact in disputed) for each in entries]


def _render_entry(entry: TimelineEntry, who: Entity, sources: Attribution, is_disputed: bool) -> TimelineEntryView:
    row = entry.row
    is_subject = entry.has_subject(who.id)
    shown: TimelineEntryView = {
        "at": entry.at,
        "until": entry.until,
        "kind": "event" if entry.is_event else "relation",
        "relation": format_relation(entry.name),
        "other": _other_end(entry, who),
        "text": entry.text(who, is_subject=is_subject),
        "sources": sources.names,
        "source": sources.names[0] if sources.names else None,
        "role": "subject" if is_subject else "object",
        "literal": row.literal,
        "relation_id": format_fact_id(row.fact),
        "at_basis": entry.basis,
        "confidence": sources.confidence,
        "disputed": is_disputed,
    }
    marks = read_json(row.attributes) if SOURCE_TRUST in row.attributes else {}
    mark_trust(shown, marks, f"{shown['text']}\n{row.other_name or ''}")
    return shown


def _other_end(entry: TimelineEntry, who: Entity) -> LoreEntityRef | None:
    row, other = entry.row, entry.other(who.id)
    if other is None or row.other_type is None:
        return None
    properties = row.other_properties
    kind = kind_from_stored_type(row.other_type, None if properties == "{}" else read_json(properties or "{}"))
    said: LoreEntityRef = {
        "id": format_entity_id(other),
        "name": row.other_name or "",
        "type": format_label(kind.type),
    }
    mark_trust(said, {} if properties in (None, "{}") else read_json(properties), said["name"])
    if kind.subtype is not None:
        said["subtype"] = kind.subtype
    return said
