"""The ends of an edge that is written together with nodes: found among these first, then in the whole graph."""

from collections.abc import Collection
from typing import Literal, NamedTuple

from recollect.keep.graph.nodes import find_node
from recollect.model.entity import Entity
from recollect.model.ids import EntityId
from recollect.model.names import fold
from recollect.store.change import Change

Missing = Literal["not_found", "ambiguous"]


class EndGiven(NamedTuple):
    """An end as a caller gives it: an id, or a label that a type may narrow."""

    id: str | None
    label: str | None
    type: str | None


class EndUnclear(NamedTuple):
    """Why an end is nobody; the candidates where it may be several."""

    why: Missing
    candidates: tuple[Entity, ...] = ()


def find_end(change: Change, end: EndGiven, made: Collection[EntityId]) -> Entity | EndUnclear:
    """The live node that an end names: by label, then by alias, first among those that this call wrote."""
    if end.id is not None:
        found = find_node(change, end.id)
        return found if found is not None and found.is_live else EndUnclear("not_found")
    named = [
        (kind, entity)
        for kind, entity in change.entities_named(fold(end.label or ""))
        if entity.is_live and end.type in (None, entity.type)
    ]
    mine = [each for each in named if each[1].id in made]
    for group in (mine, named):
        for wanted in ("name", "alias"):
            fitting = {entity.id: entity for kind, entity in group if kind == wanted}
            if len(fitting) > 1:
                return EndUnclear("ambiguous", tuple(fitting.values()))
            if fitting:
                return next(iter(fitting.values()))
    return EndUnclear("not_found")
