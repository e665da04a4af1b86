"""`get_person_profile`: a person's life on one page."""

from collections.abc import Mapping
from typing import Annotated, NotRequired

from pydantic import Field
from typing_extensions import TypedDict

from recollect.memory import Memory
from recollect.model.entity import Entity
from recollect.model.ids import EntityId, say_entity
from recollect.model.relations import say_relation
from recollect.reason.lore.age import age_at
from recollect.reason.lore.context import LISTS, context_of
from recollect.reason.lore.life import Family, deeds_of, family_of, told_in_order
from recollect.reason.lore.relation import Relation
from recollect.reason.lore.telling.tell import tell
from recollect.surfaces.lore_engine.asking import Asking, asking
from recollect.surfaces.lore_engine.citations import CitationShown, say_citations
from recollect.surfaces.lore_engine.context_results import EntityShown
from recollect.surfaces.lore_engine.kinship import PERSON_LABELS
from recollect.surfaces.lore_engine.lineage import lineages_of
from recollect.surfaces.lore_engine.results import HoldingShown, LifespanShown, Ref, ResolutionShown
from recollect.surfaces.lore_engine.shapes import AsOf, EntityName, TimeText
from recollect.surfaces.lore_engine.shown import Printer, say_lifespan, say_ref, say_time, show_entity
from recollect.surfaces.lore_engine.surface import surface
from recollect.when.instant import MAX
from recollect.when.period import Time

Someone = Annotated[EntityName, Field(description="A name, alias or id of a person, creature or deity")]

_MOST_SENTENCES = 30


class RelativeShown(Ref):
    role: str | None
    valid_from: str | None
    valid_until: str | None


class DeedShown(TypedDict):
    id: str
    name: str
    at: str | None
    relation: str


class Profile(TypedDict):
    """A person's life."""

    person: EntityShown
    at_time: str
    alive: bool | None
    age: int | None
    lifespan: LifespanShown
    titles: list[HoldingShown]
    factions: list[HoldingShown]
    locations: list[HoldingShown]
    items_possessed: list[HoldingShown]
    lineage: Ref | None
    parents: list[RelativeShown]
    children: list[RelativeShown]
    siblings: list[RelativeShown]
    spouses: list[RelativeShown]
    events: list[DeedShown]
    summary: str
    citations: dict[str, CitationShown]
    resolution: NotRequired[list[ResolutionShown]]


@surface.tool(
    "read",
    example={"name": "Mira Orrin", "at_time": "second_tide.year_80"},
    older={"name": ("person", "entity")},
)
def get_person_profile(memory: Memory, name: Someone, at_time: TimeText | None = None, as_of: AsOf = None) -> Profile:
    """A person's life on one page: age, family, titles, deeds, and a summary with citations."""
    with asking(memory, as_of) as asked:
        at = asked.time(at_time)
        return asked.with_resolution(_profile(asked, asked.entity(name, "name", *PERSON_LABELS), at))


def _profile(asked: Asking, who: Entity, at: Time) -> Profile:
    lore = asked.lore
    relations = lore.relations_of([who.id])
    family = family_of(lore, who, relations)
    lineages = lineages_of(lore, who.id)
    held = _held(asked, who, at)
    told = tell(lore, told_in_order(who, relations), limit=_MOST_SENTENCES)
    existence = lore.existence(who.id)
    return {
        "person": show_entity(asked.view, who),
        "at_time": at.text,
        "alive": lore.alive(who, at),
        "age": age_at(existence, at, asked.view.world.timeline),
        "lifespan": say_lifespan(existence),
        "titles": held["titles"],
        "factions": held["factions"],
        "locations": held["locations"],
        "items_possessed": held["items_possessed"],
        "lineage": say_ref(lineages[0]) if lineages else None,
        "parents": _relatives(asked, family.parents),
        "children": _by_birth(asked, family),
        "siblings": _relatives(asked, family.siblings),
        "spouses": _relatives(asked, family.spouses),
        "events": [
            {
                "id": say_entity(deed.event.id),
                "name": deed.event.name,
                "at": say_time(deed.at),
                "relation": say_relation(deed.relation.name),
            }
            for deed in deeds_of(lore, who, relations)
        ],
        "summary": told.text,
        "citations": say_citations(told.citations),
    }


def _held(asked: Asking, who: Entity, at: Time) -> dict[str, list[HoldingShown]]:
    found = context_of(asked.lore, who, at, 0)
    printer = Printer(asked.lore, [each for held in found.lists.values() for each, _ in held])
    return {
        name: printer.holdings(
            [(each, each.object) for each, _ in found.lists[name]], {each.id: how for each, how in found.lists[name]}
        )
        for name in LISTS
    }


def _relatives(asked: Asking, kin: Mapping[EntityId, Relation | None]) -> list[RelativeShown]:
    entities = asked.lore.entities(kin)
    ordered = sorted(entities.values(), key=lambda each: (each.name, each.id))
    return [_relative(each, kin[each.id]) for each in ordered]


def _by_birth(asked: Asking, family: Family) -> list[RelativeShown]:
    entities, lives = asked.lore.entities(family.children), asked.lore.existences(family.children)

    def order(child: Entity) -> tuple[int, str, str]:
        start = lives[child.id].start
        return MAX if start is None else start.lo, child.name, child.id

    return [_relative(each, family.children[each.id]) for each in sorted(entities.values(), key=order)]


def _relative(entity: Entity, relation: Relation | None) -> RelativeShown:
    return {
        **say_ref(entity),
        "role": None if relation is None else relation.attributes.get("role"),
        "valid_from": None if relation is None else say_time(relation.fact.valid_from),
        "valid_until": None if relation is None else say_time(relation.fact.valid_until),
    }
