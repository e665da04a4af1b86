"""`entity_context`: who or what something is, at one time."""

from recollect.memory import Memory
from recollect.model.entity import Entity
from recollect.reason.lore.context import Held, context_of
from recollect.surfaces.lore_engine.asking import Asking, asking
from recollect.surfaces.lore_engine.context_results import Context
from recollect.surfaces.lore_engine.results import HoldingShown
from recollect.surfaces.lore_engine.shapes import AsOf, EntityName, TimeText
from recollect.surfaces.lore_engine.shown import Printer, say_lifespan, say_ref
from recollect.surfaces.lore_engine.surface import surface
from recollect.when.period import Time

_MOST_OTHERS = 50


@surface.tool(
    "read",
    example={"name": "Mira Orrin", "at_time": "second_tide.year_50"},
    older={"name": ("entity", "entity_name")},
)
def entity_context(memory: Memory, name: EntityName, at_time: TimeText | None = None, as_of: AsOf = None) -> Context:
    """Who or what an entity is at one time: factions, places, titles, things; is it alive?

    Outside its lifespan `alive` is false and the lists still say what the sources say.
    """
    with asking(memory, as_of) as asked:
        at = asked.time(at_time)
        return asked.with_resolution(show_context(asked, asked.entity(name, "name"), at))


def show_context(asked: Asking, entity: Entity, at: Time) -> Context:
    """The context of an entity, printed."""
    lore = asked.lore
    found = context_of(lore, entity, at, _MOST_OTHERS)
    every = [each for held in found.lists.values() for each, _ in held]
    printer = Printer(lore, [*every, *(each for each, _ in found.others)])

    def entries(list_name: str) -> list[HoldingShown]:
        return _holdings(printer, found.lists[list_name])

    return {
        "entity": say_ref(entity),
        "provisional": entity.provisional,
        "aliases": asked.view.aliases(entity),
        "at_time": at.text,
        "factions": entries("factions"),
        "locations": entries("locations"),
        "cultures": entries("cultures"),
        "titles": entries("titles"),
        "languages": entries("languages"),
        "magic_systems": entries("magic_systems"),
        "deities": entries("deities"),
        "items_possessed": entries("items_possessed"),
        "alive": lore.alive(entity, at),
        "exists": lore.exists(entity, at),
        "lifespan": say_lifespan(lore.existence(entity.id)),
        "relations": [printer.relation(each, how) for each, how in found.others],
        "truncated": found.is_cut,
    }


def _holdings(printer: Printer, held: Held) -> list[HoldingShown]:
    return printer.holdings([(each, each.object) for each, _ in held], {each.id: how for each, how in held})
