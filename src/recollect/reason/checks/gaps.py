"""What hangs in the air: things with no beginning, things that nothing is said of."""

from collections.abc import Iterable, Iterator

from recollect.model.entity import Entity
from recollect.model.labels import kind_of
from recollect.reason.checks.finding import Finding
from recollect.reason.checks.sight import Sight

FOUNDING, ISOLATED = "gap-founding", "gap-isolated"
MAY_STAND_ALONE = frozenset({"title", "language", "material"})


def without_founding(sight: Sight, entities: Iterable[Entity]) -> Iterator[Finding]:
    """Factions that nobody says the beginning of."""
    factions = [entity for entity in entities if kind_of(entity).type == "faction"]
    sight.lore.existences(entity.id for entity in factions)
    for entity in factions:
        if sight.existence(entity.id).start is None:
            yield gap(FOUNDING, entity, ["missing_founding"], f"nothing says when {entity.name} began")


def isolated(sight: Sight, entities: Iterable[Entity]) -> Iterator[Finding]:
    """Entities that no live relation touches."""
    given = [entity for entity in entities if kind_of(entity).type not in MAY_STAND_ALONE]
    rows = sight.view.rows("check_related", ids=[entity.id for entity in given]) if given else []
    related = {row[0] for row in rows}
    for entity in given:
        if entity.id not in related:
            yield gap(ISOLATED, entity, ["isolated"], f"no relation touches {entity.name}")


def gap(rule: str, entity: Entity, reasons: list[str], message: str) -> Finding:
    """The finding that something is missing about an entity."""
    details = {"entity": entity.id, "reasons": reasons, "why": [message]}
    return Finding(rule, "orphan", "warn", (entity.id,), (), message, details)
