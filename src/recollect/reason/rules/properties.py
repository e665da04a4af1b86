"""What nodes and edges say of themselves, and when they were."""

from recollect.model.entity import Entity
from recollect.model.ids import say_entity, say_fact
from recollect.model.labels import kind_of, say_label
from recollect.reason.lore.relation import Relation, stated
from recollect.reason.lore.sources import confidence_of, names_of
from recollect.reason.rules.graph import Graph, pseudo_label
from recollect.reason.rules.values import Edge, Node, Value
from recollect.when.calendar import split_day
from recollect.when.gregorian import ymd
from recollect.when.period import Bounds, Time


def property_of(graph: Graph, of: Value, key: str) -> Value:
    """A property of a node, an edge or a map; null for whatever has none."""
    match of:
        case Node(_, entity) if entity is not None:
            return _of_entity(graph, entity, key)
        case Node():
            return _literal(graph, of) if key == "value" else None
        case Edge(_, relation):
            return _of_relation(graph, relation, key)
        case dict():
            return of.get(key)
        case _:
            return None


def _of_entity(graph: Graph, entity: Entity, key: str) -> Value:
    match key:
        case "id":
            return say_entity(entity.id)
        case "name":
            return entity.name
        case "type":
            return say_label(kind_of(entity).type)
        case "subtype":
            return kind_of(entity).subtype
        case "aliases":
            return graph.view.aliases(entity)
        case "provisional":
            return entity.provisional
        case "confidence":
            return entity.confidence
        case _:
            return entity.properties.get(key)


def _literal(graph: Graph, node: Node) -> Value:
    relation = node.relation
    if relation is None:
        return None
    return graph.lore.read(relation.literal) if pseudo_label(relation) == "time" else relation.literal


def _of_relation(graph: Graph, relation: Relation, key: str) -> Value:
    fact = relation.fact
    match key:
        case "id":
            return say_fact(fact.id)
        case "valid_from":
            return fact.valid_from
        case "valid_until":
            return fact.valid_until
        case "confidence":
            return confidence_of(graph.lore.sources([fact.id])[fact.id])
        case "disputed":
            return fact.disputed
        case "certainty":
            return fact.certainty
        case "sources":
            return names_of(graph.lore.sources([fact.id])[fact.id])
        case _:
            return relation.attributes.get(key)


def existence_of(graph: Graph, value: Value) -> Bounds | None:
    """When a node existed; null when nothing is known."""
    if not isinstance(value, Node) or value.entity is None:
        return None
    return _known(graph.lore.existence(value.entity.id).bounds)


def event_time_of(graph: Graph, value: Value) -> Bounds | None:
    if not isinstance(value, Node) or value.entity is None:
        return None
    return graph.lore.event_time(value.entity.id)


def interval_of(graph: Graph, value: Value) -> Bounds | None:
    """When a relation held, after the life rule."""
    return graph.lore.interval(value.relation) if isinstance(value, Edge) else None


def stated_of(value: Value) -> Bounds | None:
    """When a relation is stated to have held; null when both bounds are open."""
    return _known(stated(value.relation)) if isinstance(value, Edge) else None


def _known(bounds: Bounds) -> Bounds | None:
    return None if bounds == Bounds() else bounds


def bounds_of(graph: Graph, value: Value) -> Bounds | None:
    """The interval that a time function takes something for: of a relation, a node, a time."""
    match value:
        case Edge():
            return interval_of(graph, value)
        case Node(_, None):
            return bounds_of(graph, _literal(graph, value))
        case Node():
            return existence_of(graph, value)
        case Bounds():
            return value
        case Time():
            return Bounds(value, value)
        case str():
            return bounds_of(graph, graph.lore.read(value))
        case _:
            return None


def years_between(graph: Graph, one: Time, other: Time) -> int:
    """Whole years from the start of one to the start of the other."""
    if one.lo > other.lo:
        return -years_between(graph, other, one)
    (first, *early), (second, *late) = _date(graph, one.lo), _date(graph, other.lo)
    return second - first - (late < early)


def _date(graph: Graph, position: int) -> tuple[int, int, int]:
    timeline = graph.lore.world.timeline
    day = timeline.day_at(position)
    return split_day(timeline.primary_calendar, day) if timeline.is_fictional else ymd(day)
