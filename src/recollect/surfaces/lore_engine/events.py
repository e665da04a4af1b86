"""`event_chain` and `events_during`: events, their causes, and when they fell."""

from collections.abc import Sequence
from typing import Annotated

from pydantic import Field

from recollect.memory import Memory
from recollect.model.entity import Entity
from recollect.model.ids import EntityId, say_entity, say_fact
from recollect.model.relations import say_relation
from recollect.reason.lore.chain import Chain, Link, Strand, follow
from recollect.reason.lore.events import Event, Ground, events_in, near, places_of
from recollect.reason.lore.reading import Lore
from recollect.reason.lore.relation import Relation
from recollect.reason.lore.sources import Source, names_of
from recollect.surfaces.declare import Result
from recollect.surfaces.lore_engine.answers import listed
from recollect.surfaces.lore_engine.asking import Asking, asking
from recollect.surfaces.lore_engine.events_results import EventChain, EventDuring, EventNamed, LinkShown
from recollect.surfaces.lore_engine.shapes import AsOf, EntityName, TimeText, text
from recollect.surfaces.lore_engine.shown import say_ref, say_time
from recollect.surfaces.lore_engine.state import Exact
from recollect.surfaces.lore_engine.surface import surface
from recollect.surfaces.lore_engine.walk_results import EdgeShown
from recollect.when.instant import MAX
from recollect.when.period import Bounds, Time

EventName = Annotated[EntityName, Field(description="A name, alias or id of an event")]
PlaceName = Annotated[EntityName, Field(description="Only events in this place, or in one it contained then")]
Period = Annotated[TimeText, Field(description="The period asked about: any time, not only an era")]
EventType = Annotated[str, *text(200), Field(description="Event, Battle, any subtype, or Encounter")]
ChainDepth = Annotated[int, Field(ge=1, le=10, description="How many steps at most")]
ChainLimit = Annotated[int, Field(ge=1, le=500, description="At most this many in each list, the nearest")]
EventLimit = Annotated[int, Field(ge=1, le=1000, description="At most this many, the earliest")]

_STRANDS: tuple[Strand, ...] = ("causes", "effects", "concurrent")


@surface.tool("read", example={"event": "Breaking of the Mole", "depth": 1})
def event_chain(
    memory: Memory,
    event: EventName,
    depth: ChainDepth = 2,
    limit: ChainLimit = 100,
    as_of: AsOf = None,
) -> EventChain:
    """What led to an event, what came of it, and what went on at the same time."""
    with asking(memory, as_of) as asked:
        who = asked.entity(event, "event", "event")
        strands = {strand: follow(asked.lore, who.id, strand, depth) for strand in _STRANDS}
        edges = {each.id: each for chain in strands.values() for each in chain.edges}
        said: EventChain = {
            "event": _named(asked.lore, who),
            "causes": _links(asked.lore, strands["causes"], limit),
            "effects": _links(asked.lore, strands["effects"], limit),
            "concurrent": _links(asked.lore, strands["concurrent"], limit),
            "depth": depth,
            "edges": [_edge(edges[each]) for each in sorted(edges)],
            "truncated": any(len(chain.links) > limit for chain in strands.values()),
            "cyclic": any(chain.is_cyclic for chain in strands.values()),
        }
        return asked.with_resolution(said)


def _named(lore: Lore, event: Entity) -> EventNamed:
    time = lore.event_time(event.id) or Bounds()
    return {
        **say_ref(event),
        "at": say_time(time.valid_from),
        "until": say_time(time.valid_until),
        "location": _place(lore, places_of(lore, [event.id]).get(event.id, ())),
    }


def _place(lore: Lore, where: Sequence[Relation]) -> str | None:
    return next((lore.entities([each.object])[each.object].name for each in where if each.object is not None), None)


def _links(lore: Lore, chain: Chain, limit: int) -> list[LinkShown]:
    times = lore.event_times(link.entity.id for link in chain.links)

    def order(link: Link) -> tuple[int, int, str, str]:
        time = times[link.entity.id]
        return link.depth, MAX if time is None else time.lo, link.entity.name, link.entity.id

    return [_link(link, times[link.entity.id] or Bounds()) for link in sorted(chain.links, key=order)[:limit]]


def _link(link: Link, time: Bounds) -> LinkShown:
    return {
        **say_ref(link.entity),
        "at": say_time(time.valid_from),
        "until": say_time(time.valid_until),
        "depth": link.depth,
        "relation": say_relation(link.relation.name),
        "via": say_entity(link.via),
        "relation_id": say_fact(link.relation.id),
    }


def _edge(relation: Relation) -> EdgeShown:
    return {
        "id": say_fact(relation.id),
        "relation": say_relation(relation.name),
        "from": say_entity(relation.subject),
        "to": say_entity(relation.object or relation.subject),
    }


@surface.tool("read", example={"era": "second_tide.grey_years", "location": "Marrow Coast"})
def events_during(
    memory: Memory,
    era: Period,
    location: PlaceName | None = None,
    type: EventType | None = None,  # noqa: A002 the published name
    exact: Exact = False,
    limit: EventLimit = 200,
    as_of: AsOf = None,
) -> Result[list[EventDuring]]:
    """Events in a period, in order, each with its place and who took part.

    Undated events are left out, and so are encounters unless `type` asks for them.
    """
    with asking(memory, as_of) as asked:
        at = asked.time(era, "era")
        place = None if location is None else asked.entity(location, "location", "location")
        ground = None if place is None else Ground(asked.lore, place.id, exact=exact)
        found = _found(asked, at, ground, type)
        return listed(_during(asked, found[:limit], ground), limit, asked, total=len(found))


def _found(asked: Asking, at: Time, ground: Ground | None, word: str | None) -> list[Event]:
    lore = asked.lore
    if ground is None:
        return events_in(lore, at, near(lore, at), word)
    there = lore.relations_of(ground.places, ["occurred_at"], "object")
    found = events_in(lore, at, (each.subject for each in there), word)
    where: dict[EntityId, set[EntityId]] = {}
    for each in there:
        if each.object is not None:
            where.setdefault(each.subject, set()).add(each.object)
    return [each for each in found if any(ground.holds(place, each.time) for place in where[each.entity.id])]


def _during(asked: Asking, events: list[Event], ground: Ground | None) -> list[EventDuring]:
    lore, ids = asked.lore, [each.entity.id for each in events]
    where = places_of(lore, ids)
    dated = lore.relations_of(ids, ["occurred_during"], "subject")
    attended = [each for each in lore.relations_of(ids, ["participated_in", "witnessed"], "object") if _took_part(each)]
    named = lore.entities(end for each in attended for end in each.ends)
    told = [*dated, *(each for held in where.values() for each in held)]
    sources = lore.sources(each.id for each in told)

    def show(event: Event) -> EventDuring:
        entity = event.entity.id
        own: list[Source] = [source for each in told if each.subject == entity for source in sources[each.id]]
        places = [each for each in where.get(entity, ()) if ground is None or each.object in ground.places]
        return {
            **say_ref(event.entity),
            "at": say_time(event.time.valid_from),
            "until": say_time(event.time.valid_until),
            "location": _place(lore, places),
            "coverage": event.coverage,
            "sources": names_of(sorted(own, key=lambda source: (source.source_at, source.tx, source.assertion))),
            "participants": sorted({named[each.subject].name for each in attended if each.object == entity}),
        }

    return [show(event) for event in events]


def _took_part(relation: Relation) -> bool:
    """Whether somebody was there to take part: those who met witness their encounter in that role."""
    return relation.name == "participated_in" or relation.fact.attributes.get("role") == "participant"
