"""Arguments that work, made from those that did not: what was right is kept, the rest is put right."""

from collections.abc import Mapping
from typing import Any

from recollect.model.ids import ENTITY_PREFIX, EntityId, is_id, read_id, say_entity
from recollect.model.names import fold
from recollect.model.storable import is_storable
from recollect.store.view import View
from recollect.surfaces.cognitive_graph.ends import LiteralEnd, decoded_object, identify, read_object, read_subject
from recollect.surfaces.cognitive_graph.problems import FactRefused, SeveralFit
from recollect.surfaces.cognitive_graph.projection import Projection
from recollect.surfaces.cognitive_graph.surface import EXAMPLE

_UNSURE = "concept"


class Mender:
    """Makes ends that would be taken, in this view of the graph, for facts with this predicate."""

    def __init__(self, view: View, projection: Projection, predicate: str) -> None:
        self._view = view
        self._projection = projection
        self._predicate = predicate

    def arguments(self, subject: Any, object_: Any) -> dict[str, Any]:
        """Complete arguments, as near to what was given as can be."""
        return {
            "subject": self._end("subject", subject),
            "predicate": self._predicate,
            "object": self._end("object", object_),
        }

    def _end(self, side: str, given: Any) -> Any:
        for end in self._tries(side, decoded_object(given)):
            try:
                self._check(side, end)
            except SeveralFit as problem:
                return {"type": end["type"], "id": problem.ids[0]}
            except FactRefused:
                continue
            return end
        return EXAMPLE[side]

    def _check(self, side: str, end: Any) -> None:
        found = read_subject(end) if side == "subject" else read_object(end, self._predicate)
        if not isinstance(found, LiteralEnd):
            identify(self._view, self._projection, found)

    def _tries(self, side: str, value: Any) -> list[Any]:
        """What may have been meant, most likely first."""
        if not isinstance(value, Mapping):
            return [{"literal": value} if side == "object" else self._typed({"name": value})]
        kept = {key: value[key] for key in ("type", "id", "name") if value.get(key) is not None}
        by_name = {key: each for key, each in kept.items() if key != "id"}
        literal = [{"literal": value["literal"]}] if side == "object" and "literal" in value else []
        return [value, *literal, kept, *self._as_known(value.get("id")), by_name, self._typed(by_name)]

    def _typed(self, end: dict[str, Any]) -> dict[str, Any]:
        """The end under the type that its name is known by, or the one for the unsure."""
        name = end.get("name")
        rows = self._view.named(fold(name)) if isinstance(name, str) and is_storable(name) else []
        return {"type": self._projection.type_of(rows[0].type) if rows else _UNSURE, **_without_type(end)}

    def _as_known(self, given: Any) -> list[Any]:
        """The entity of an id under the type it has."""
        if not isinstance(given, str) or not is_id(given, ENTITY_PREFIX):
            return []
        entity = self._view.survivor(EntityId(read_id(given, ENTITY_PREFIX)))
        return [{"type": self._projection.type_of(entity.type), "id": say_entity(entity.id)}] if entity else []


def _without_type(end: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in end.items() if key != "type"}
