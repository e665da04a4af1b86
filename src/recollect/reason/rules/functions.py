"""What the functions of the rule language give."""

from collections.abc import Callable, Mapping

from recollect.errors import Refused
from recollect.reason.rules.graph import Graph, type_of
from recollect.reason.rules.problems import Place, RuleInvalid
from recollect.reason.rules.properties import (
    bounds_of,
    event_time_of,
    existence_of,
    interval_of,
    stated_of,
    years_between,
)
from recollect.reason.rules.values import Edge, Node, Value, fitting_text, is_number, said
from recollect.when.instant import MIN
from recollect.when.period import Bounds, Time, clash

Function = Callable[[Graph, Place, list[Value]], Value]


def function(name: str) -> Function:
    """The function of this name, in any case."""
    return _FUNCTIONS[name.lower()]


def _time(graph: Graph, place: Place, given: list[Value]) -> Value:
    [text] = given
    if text is None or isinstance(text, Time):
        return text
    if not isinstance(text, str):
        raise RuleInvalid("time takes a text, such as time('1848')", place)
    try:
        return graph.lore.world.read(text)
    except Refused as problem:
        raise RuleInvalid(str(problem), place) from problem


def _start(graph: Graph, _: Place, given: list[Value]) -> Value:
    bounds = bounds_of(graph, given[0])
    return None if bounds is None else bounds.valid_from


def _end(graph: Graph, _: Place, given: list[Value]) -> Value:
    bounds = bounds_of(graph, given[0])
    return None if bounds is None else bounds.valid_until


def _between(test: Callable[[Bounds, Bounds], Value]) -> Function:
    """A function of two intervals that is null if either is."""

    def compare(graph: Graph, _: Place, given: list[Value]) -> Value:
        one, other = bounds_of(graph, given[0]), bounds_of(graph, given[1])
        return None if one is None or other is None else test(one, other)

    return compare


def overlap(one: Bounds, other: Bounds) -> bool:
    """Whether the two may share a time."""
    return one.lo <= other.hi and other.lo <= one.hi


def lies_outside(one: Bounds, other: Bounds) -> bool:
    """Whether all of one lies before the earliest start or after the latest end of the other."""
    return one.hi < other.lo or one.lo > other.hi


def goes_beyond(one: Bounds, other: Bounds) -> bool:
    """Whether a bound of one lies certainly outside the other."""
    stated = [bound for bound in (one.valid_from, one.valid_until) if bound is not None]
    return any(lies_outside(Bounds(bound, bound), other) for bound in stated)


def _exceeds(graph: Graph, _: Place, given: list[Value]) -> Value:
    # Only what was stated can exceed; the life rule never takes a bound beyond a life.
    one = stated_of(given[0]) if isinstance(given[0], Edge) else bounds_of(graph, given[0])
    other = bounds_of(graph, given[1])
    if other is None or given[0] is None:
        return None
    return one is not None and goes_beyond(one, other)


def _is_during(one: Bounds, other: Bounds) -> bool:
    return other.lo <= one.lo and one.hi <= other.hi


def _is_before(one: Bounds, other: Bounds) -> bool:
    return one.hi < other.lo


def _is_after(one: Bounds, other: Bounds) -> bool:
    return other.hi < one.lo


def _years_between(graph: Graph, place: Place, given: list[Value]) -> Value:
    one, other = _start(graph, place, given[:1]), _start(graph, place, given[1:])
    if one is None or other is None or MIN in (one.lo, other.lo):
        return None
    return years_between(graph, one, other)


def _coalesce(_: Graph, __: Place, given: list[Value]) -> Value:
    return next((each for each in given if each is not None), None)


def _size(_: Graph, __: Place, given: list[Value]) -> Value:
    return len(given[0]) if isinstance(given[0], str | list) else None


def _on_text(change: Callable[[str], str]) -> Function:
    def changed(_: Graph, __: Place, given: list[Value]) -> Value:
        return fitting_text(change(given[0])) if isinstance(given[0], str) else None

    return changed


def _to_string(_: Graph, __: Place, given: list[Value]) -> Value:
    [value] = given
    return None if value is None or isinstance(value, Node | Edge | list | dict) else said(value)


def _abs(_: Graph, __: Place, given: list[Value]) -> Value:
    return abs(given[0]) if is_number(given[0]) else None


def _labels(graph: Graph, _: Place, given: list[Value]) -> Value:
    return graph.labels(given[0]) if isinstance(given[0], Node) else None


def _type(_: Graph, __: Place, given: list[Value]) -> Value:
    return type_of(given[0].relation) if isinstance(given[0], Edge) else None


def _start_node(graph: Graph, _: Place, given: list[Value]) -> Value:
    return graph.start_node(given[0].relation) if isinstance(given[0], Edge) else None


def _end_node(graph: Graph, _: Place, given: list[Value]) -> Value:
    return graph.end_node(given[0].relation) if isinstance(given[0], Edge) else None


_FUNCTIONS: Mapping[str, Function] = {
    "time": _time,
    "now": lambda graph, _, __: graph.lore.now,
    "existence": lambda graph, _, given: existence_of(graph, given[0]),
    "event_time": lambda graph, _, given: event_time_of(graph, given[0]),
    "interval": lambda graph, _, given: interval_of(graph, given[0]),
    "stated": lambda _, __, given: stated_of(given[0]),
    "start": _start,
    "end": _end,
    "overlaps": _between(overlap),
    "clash": _between(clash),
    "outside": _between(lies_outside),
    "exceeds": _exceeds,
    "during": _between(_is_during),
    "before": _between(_is_before),
    "after": _between(_is_after),
    "years_between": _years_between,
    "coalesce": _coalesce,
    "size": _size,
    "tolower": _on_text(str.lower),
    "toupper": _on_text(str.upper),
    "tostring": _to_string,
    "abs": _abs,
    "labels": _labels,
    "type": _type,
    "startnode": _start_node,
    "endnode": _end_node,
}
