"""Graph: what surrounds one or several entities, drawn on a canvas and as a table, and played through time."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import TypedDict

from recollect.model.entity import Entity
from recollect.model.ids import ENTITY_PREFIX, EntityId, format_entity_id, format_fact_id, read_id
from recollect.reason.ego_graph import (
    EgoEdge,
    EgoNetwork,
    EgoRequest,
    LeftOutCounts,
    ego_graph,
)
from recollect.reason.traversal import PathHop, shortest_path
from recollect.serve.web.framework.cards import find_entities, find_or_central
from recollect.serve.web.framework.page_layout import recent_moments
from recollect.serve.web.framework.pages import Moment, Page, PageModel, PageRequest, WebSection
from recollect.serve.web.sections.timeline_layout import AxisView, axis_view
from recollect.store.view import View
from recollect.surfaces.recollect.views import BriefEntity, entity_view
from recollect.when.ruler import least_span
from recollect.when.span import Span, hull

MAX_FOCUS = 12
MAX_ROWS = 150
_AXIS_MARKS = 240


class DrawnNode(BriefEntity):
    hop: int
    rank: float
    degree: int


class DrawnEdge(TypedDict):
    """An edge between two nodes, which are numbers in the list of nodes; times are positions of the axis."""

    source: int
    target: int
    predicate: int
    periods: list[tuple[int | None, int | None]]
    facts: int
    fact: str


class DrawingView(TypedDict):
    """What the canvas needs: nodes, edges, the axis of the time slider if any edge has a date, and the time shown."""

    nodes: list[DrawnNode]
    edges: list[DrawnEdge]
    predicates: list[str]
    focus: list[str]
    path: list[str]
    axis: AxisView | None
    at: tuple[int, int]


@dataclass(frozen=True, slots=True)
class ConnectionLine:
    """One line of the table: an edge in words."""

    subject: BriefEntity
    predicate: str
    object: BriefEntity
    facts: int
    fact: str
    change: str = ""
    """How it differs from now, on a page that shows another moment."""


@dataclass(frozen=True, slots=True)
class PathLine:
    """One hop of a path; `forward` if it starts at the subject of the fact."""

    start: BriefEntity
    predicate: str
    end: BriefEntity
    fact: str
    forward: bool


@dataclass(frozen=True, slots=True)
class GraphPage(PageModel):
    focus: tuple[BriefEntity, ...]
    hops: int
    types: tuple[str, ...]
    predicates: tuple[str, ...]
    to: str
    path: tuple[PathLine, ...]
    drawing: DrawingView
    shown_nodes: int
    shown_edges: int
    left_out: LeftOutCounts
    table: tuple[ConnectionLine, ...]
    table_more: int
    moments: tuple[Moment, ...] = ()
    since_added: tuple[ConnectionLine, ...] = ()

    @property
    def packed(self) -> dict[str, object]:
        """The drawing with each edge as one list, since its names would be half of the page."""
        edges = [
            [edge["source"], edge["target"], edge["predicate"], edge["facts"], *chain.from_iterable(edge["periods"])]
            for edge in self.drawing["edges"]
        ]
        return {**self.drawing, "edges": edges}


def show(request: PageRequest) -> GraphPage:
    query = request.query
    names = [each for each in query.getlist("focus") if each.strip()][:MAX_FOCUS]
    to, hops = query.get("to", "").strip(), 2 if query.get("hops") == "2" else 1
    with request.read() as view:
        at = request.at(view)
        focus, later = find_or_central(request, view, names, "focus")
        path = _path(request, view, focus, to, at)
        hidden = frozenset(EntityId(read_id(each, ENTITY_PREFIX)) for each in query.getlist("hide") if each)
        types, predicates = (tuple(filter(None, query.getlist(name))) for name in ("type", "predicate"))
        also = tuple(each for hop in path for each in (hop.start, hop.end))
        wanted = EgoRequest(
            tuple(each.id for each in focus), at, hops, frozenset(types), frozenset(predicates), also, hidden
        )
        graph = ego_graph(view, wanted)
        drawing = _drawing(view, graph, path, at)
        edges = [edge for edge in graph.edges if edge.holds(at)]
    table, added = _rows(graph, edges), tuple[ConnectionLine, ...]()
    if not request.clocks.is_now:
        focus_now = (*wanted.focus, *(each.id for each in later))
        table, added = _compared_with_now(request, replace(wanted, focus=focus_now), table)
    return GraphPage(
        _title(focus),
        tuple(map(entity_view, focus)),
        hops,
        types,
        predicates,
        to,
        tuple(map(_path_line, path)),
        drawing,
        len({end for edge in edges for end in (edge.subject, edge.object)} | set(wanted.focus)),
        len(edges),
        graph.left_out,
        tuple(table[:MAX_ROWS]),
        max(0, len(table) - MAX_ROWS),
        _moments(request, graph),
        added,
    )


def _rows(graph: EgoNetwork, edges: Sequence[EgoEdge]) -> list[ConnectionLine]:
    entities = {node.entity.id: entity_view(node.entity) for node in graph.nodes}
    return [_row(edge, entities) for edge in edges]


def _compared_with_now(
    request: PageRequest, wanted: EgoRequest, table: list[ConnectionLine]
) -> tuple[list[ConnectionLine], tuple[ConnectionLine, ...]]:
    """The connections of another moment with those that are gone marked, and those that were added since."""
    with request.memory.read() as view:
        graph = ego_graph(view, replace(wanted, at=view.world.present))
        current = _rows(graph, [edge for edge in graph.edges if edge.holds(view.world.present)])
    then, now = ({_ends(row) for row in rows} for rows in (table, current))
    marked = [row if _ends(row) in now else replace(row, change="gone") for row in table]
    added = [replace(row, change="added") for row in current if _ends(row) not in then]
    return marked, tuple(added[:MAX_ROWS])


def _ends(row: ConnectionLine) -> tuple[str, str, str]:
    return row.subject["id"], row.predicate, row.object["id"]


def _moments(request: PageRequest, graph: EgoNetwork) -> tuple[Moment, ...]:
    """The transactions that touched the focus; those of a hub are too many to look for."""
    focus = [node for node in graph.nodes if node.hop == 0]
    if any(node.is_hub for node in focus):
        return ()
    return recent_moments(request, [node.entity.id for node in focus])


def _path(request: PageRequest, view: View, focus: list[Entity], to: str, at: Span) -> tuple[PathHop, ...]:
    if not to or not focus:
        return ()
    return shortest_path(view, focus[0].id, find_entities(request, view, [to], "to").first.id, at)


def _title(focus: list[Entity]) -> str:
    names = ", ".join(each.name for each in focus[:3])
    return f"{names[:80]}: graph" if names else "Graph"


def _drawing(view: View, graph: EgoNetwork, path: tuple[PathHop, ...], at: Span) -> DrawingView:
    place = {node.entity.id: number for number, node in enumerate(graph.nodes)}
    edges = [edge for edge in graph.edges if edge.subject in place and edge.object in place]
    predicates = sorted({edge.predicate for edge in edges})
    number = {name: index for index, name in enumerate(predicates)}
    return {
        "nodes": [
            {**entity_view(node.entity), "hop": node.hop, "rank": round(node.rank, 6), "degree": node.degree}
            for node in graph.nodes
        ],
        "edges": [
            {
                "source": place[edge.subject],
                "target": place[edge.object],
                "predicate": number[edge.predicate],
                "periods": list(edge.periods),
                "facts": len(edge.facts),
                "fact": format_fact_id(edge.facts[0]),
            }
            for edge in edges
        ],
        "predicates": predicates,
        "focus": [format_entity_id(node.entity.id) for node in graph.nodes if node.hop == 0],
        "path": [format_entity_id(each) for hop in path for each in (hop.start, hop.end)],
        "axis": _axis(view, edges, at),
        "at": (at.lo, at.hi),
    }


def _axis(view: View, edges: list[EgoEdge], at: Span) -> AxisView | None:
    """The axis of the time slider: from the first to the last bound, the present included."""
    bounds = [Span(each, each) for edge in edges for period in edge.periods for each in period if each is not None]
    span = hull(bounds)
    if span is None:
        return None
    room = least_span(view.world.timeline)
    return axis_view(view.world, Span(min(span.lo, at.lo) - room, max(span.hi, at.hi) + room), _AXIS_MARKS)


def _row(edge: EgoEdge, entities: dict[EntityId, BriefEntity]) -> ConnectionLine:
    subject, object_ = entities[edge.subject], entities[edge.object]
    return ConnectionLine(subject, edge.predicate, object_, len(edge.facts), format_fact_id(edge.facts[0]))


def _path_line(hop: PathHop) -> PathLine:
    start: BriefEntity = {"id": format_entity_id(hop.start), "name": hop.start_name, "type": ""}
    end: BriefEntity = {"id": format_entity_id(hop.end), "name": hop.end_name, "type": hop.end_type}
    return PathLine(start, hop.by.predicate, end, format_fact_id(hop.by.id), hop.is_outgoing)


SECTION = WebSection("graph", pages=(Page("graph", "graph", show, has_clock=True),), label="Graph", group="Look")
