"""Functions of the rule language, and properties and times of nodes and edges."""

from collections.abc import Callable, Mapping

from recollect.errors import Refused
from recollect.model.certainty import is_number
from recollect.model.entity import Entity
from recollect.model.ids import format_entity_id, format_fact_id
from recollect.model.labels import format_label, kind_of
from recollect.reason.lore.relation import Relation, stated_bounds
from recollect.reason.lore.sources import confidence_of, source_names
from recollect.reason.rules.graph import RuleGraph, pseudo_label_of, relation_type_of
from recollect.reason.rules.rule_errors import RuleInvalid, SourcePosition
from recollect.reason.rules.values import RuleEdge, RuleNode, Value, check_text_length, format_value
from recollect.when.calendar import split_day
from recollect.when.gregorian import ymd
from recollect.when.instant import MIN
from recollect.when.period import Bounds, Time, certainly_outside, clash
from recollect.when.timeline_lookup import primary_calendar


def property_of(graph: RuleGraph, of: Value, key: str) -> Value:
    """A property of a node, an edge or a map; null for whatever has none."""
    match of:
        case RuleNode(_, entity) if entity is not None:
            return _entity_property(graph, entity, key)
        case RuleNode():
            return _literal_value(graph, of) if key == "value" else None
        case RuleEdge(_, relation):
            return _relation_property(graph, relation, key)
        case dict():
            return of.get(key)
        case _:
            return None


def _entity_property(graph: RuleGraph, entity: Entity, key: str) -> Value:
    match key:
        case "id":
            return format_entity_id(entity.id)
        case "name":
            return entity.name
        case "type":
            return format_label(kind_of(entity).type)
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


def _literal_value(graph: RuleGraph, node: RuleNode) -> Value:
    relation = node.relation
    if relation is None:
        return None
    return graph.lore.read(relation.literal) if pseudo_label_of(relation) == "time" else relation.literal


def _relation_property(graph: RuleGraph, relation: Relation, key: str) -> Value:
    fact = relation.fact
    match key:
        case "id":
            return format_fact_id(fact.id)
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
            return source_names(graph.lore.sources([fact.id])[fact.id])
        case _:
            return relation.attributes.get(key)


def existence_of(graph: RuleGraph, value: Value) -> Bounds | None:
    """When a node existed; null when nothing is known."""
    if not isinstance(value, RuleNode) or value.entity is None:
        return None
    return _none_if_open(graph.lore.existence(value.entity.id).bounds)


def event_time_of(graph: RuleGraph, value: Value) -> Bounds | None:
    if not isinstance(value, RuleNode) or value.entity is None:
        return None
    return graph.lore.event_time(value.entity.id)


def interval_of(graph: RuleGraph, value: Value) -> Bounds | None:
    """When a relation held, after the life rule."""
    return graph.lore.interval(value.relation) if isinstance(value, RuleEdge) else None


def stated_bounds_of(value: Value) -> Bounds | None:
    """When a relation is stated to have held; null when both bounds are open."""
    return _none_if_open(stated_bounds(value.relation)) if isinstance(value, RuleEdge) else None


def _none_if_open(bounds: Bounds) -> Bounds | None:
    return None if bounds == Bounds() else bounds


def bounds_of(graph: RuleGraph, value: Value) -> Bounds | None:
    """The interval of a value in a time function: of a relation, a node or a time."""
    match value:
        case RuleEdge():
            return interval_of(graph, value)
        case RuleNode(_, None):
            return bounds_of(graph, _literal_value(graph, value))
        case RuleNode():
            return existence_of(graph, value)
        case Bounds():
            return value
        case Time():
            return Bounds(value, value)
        case str():
            return bounds_of(graph, graph.lore.read(value))
        case _:
            return None


def years_between(graph: RuleGraph, one: Time, other: Time) -> int:
    """Whole years from the start of one to the start of the other."""
    if one.lo > other.lo:
        return -years_between(graph, other, one)
    (first, *early), (second, *late) = _calendar_date(graph, one.lo), _calendar_date(graph, other.lo)
    return second - first - (late < early)


def _calendar_date(graph: RuleGraph, position: int) -> tuple[int, int, int]:
    timeline = graph.lore.world.timeline
    day = timeline.day_at(position)
    return split_day(primary_calendar(timeline), day) if timeline.is_fictional else ymd(day)


RuleFunction = Callable[[RuleGraph, SourcePosition, list[Value]], Value]


def function_named(name: str) -> RuleFunction:
    """The function of this name, in any case."""
    return _FUNCTIONS[name.lower()]


def _time(graph: RuleGraph, position: SourcePosition, given: list[Value]) -> Value:
    [text] = given
    if text is None or isinstance(text, Time):
        return text
    if not isinstance(text, str):
        raise RuleInvalid("time takes a text, such as time('1848')", position)
    try:
        return graph.lore.world.read(text)
    except Refused as problem:
        raise RuleInvalid(str(problem), position) from problem


def _start(graph: RuleGraph, _: SourcePosition, given: list[Value]) -> Value:
    bounds = bounds_of(graph, given[0])
    return None if bounds is None else bounds.valid_from


def _end(graph: RuleGraph, _: SourcePosition, given: list[Value]) -> Value:
    bounds = bounds_of(graph, given[0])
    return None if bounds is None else bounds.valid_until


def _interval_function(test: Callable[[Bounds, Bounds], Value]) -> RuleFunction:
    """A function of two intervals, null if either is null."""

    def compare(graph: RuleGraph, _: SourcePosition, given: list[Value]) -> Value:
        one, other = bounds_of(graph, given[0]), bounds_of(graph, given[1])
        return None if one is None or other is None else test(one, other)

    return compare


def is_overlapping(one: Bounds, other: Bounds) -> bool:
    """Whether the two may share a time."""
    return one.lo <= other.hi and other.lo <= one.hi


def is_exceeding(one: Bounds, other: Bounds) -> bool:
    """Whether a bound of one lies certainly outside the other."""
    stated = [bound for bound in (one.valid_from, one.valid_until) if bound is not None]
    return any(certainly_outside(bound, other) for bound in stated)


def _exceeds(graph: RuleGraph, _: SourcePosition, given: list[Value]) -> Value:
    # Only stated bounds can exceed; the life rule never extends a bound beyond a life.
    one = stated_bounds_of(given[0]) if isinstance(given[0], RuleEdge) else bounds_of(graph, given[0])
    other = bounds_of(graph, given[1])
    if other is None or given[0] is None:
        return None
    return one is not None and is_exceeding(one, other)


def _is_during(one: Bounds, other: Bounds) -> bool:
    return other.lo <= one.lo and one.hi <= other.hi


def _is_before(one: Bounds, other: Bounds) -> bool:
    return one.hi < other.lo


def _is_after(one: Bounds, other: Bounds) -> bool:
    return other.hi < one.lo


def _years_between(graph: RuleGraph, position: SourcePosition, given: list[Value]) -> Value:
    one, other = _start(graph, position, given[:1]), _start(graph, position, given[1:])
    if one is None or other is None or MIN in (one.lo, other.lo):
        return None
    return years_between(graph, one, other)


def _coalesce(_: RuleGraph, __: SourcePosition, given: list[Value]) -> Value:
    return next((each for each in given if each is not None), None)


def _size(_: RuleGraph, __: SourcePosition, given: list[Value]) -> Value:
    return len(given[0]) if isinstance(given[0], str | list) else None


def _text_function(change: Callable[[str], str]) -> RuleFunction:
    def changed(_: RuleGraph, __: SourcePosition, given: list[Value]) -> Value:
        return check_text_length(change(given[0])) if isinstance(given[0], str) else None

    return changed


def _to_string(_: RuleGraph, __: SourcePosition, given: list[Value]) -> Value:
    [value] = given
    return None if value is None or isinstance(value, RuleNode | RuleEdge | list | dict) else format_value(value)


def _abs(_: RuleGraph, __: SourcePosition, given: list[Value]) -> Value:
    return abs(given[0]) if is_number(given[0]) else None


def _labels(graph: RuleGraph, _: SourcePosition, given: list[Value]) -> Value:
    return graph.labels(given[0]) if isinstance(given[0], RuleNode) else None


def _type(_: RuleGraph, __: SourcePosition, given: list[Value]) -> Value:
    return relation_type_of(given[0].relation) if isinstance(given[0], RuleEdge) else None


def _start_node(graph: RuleGraph, _: SourcePosition, given: list[Value]) -> Value:
    return graph.start_node(given[0].relation) if isinstance(given[0], RuleEdge) else None


def _end_node(graph: RuleGraph, _: SourcePosition, given: list[Value]) -> Value:
    return graph.end_node(given[0].relation) if isinstance(given[0], RuleEdge) else None


_FUNCTIONS: Mapping[str, RuleFunction] = {
    "time": _time,
    "now": lambda graph, _, __: graph.lore.now,
    "existence": lambda graph, _, given: existence_of(graph, given[0]),
    "event_time": lambda graph, _, given: event_time_of(graph, given[0]),
    "interval": lambda graph, _, given: interval_of(graph, given[0]),
    "stated": lambda _, __, given: stated_bounds_of(given[0]),
    "start": _start,
    "end": _end,
    "overlaps": _interval_function(is_overlapping),
    "clash": _interval_function(clash),
    "outside": _interval_function(certainly_outside),
    "exceeds": _exceeds,
    "during": _interval_function(_is_during),
    "before": _interval_function(_is_before),
    "after": _interval_function(_is_after),
    "years_between": _years_between,
    "coalesce": _coalesce,
    "size": _size,
    "tolower": _text_function(str.lower),
    "toupper": _text_function(str.upper),
    "tostring": _to_string,
    "abs": _abs,
    "labels": _labels,
    "type": _type,
    "startnode": _start_node,
    "endnode": _end_node,
}
