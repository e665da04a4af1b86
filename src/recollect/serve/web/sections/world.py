"""World: eras, the places around a place, the family of a person, and what the checks found."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import TypeVar

from recollect.errors import NotKnown, Refused
from recollect.serve.web.framework.cards import mark_changes
from recollect.serve.web.framework.pages import Action, ActionResult, Page, PageModel, PageRequest, WebSection
from recollect.serve.web.sections.timeline_layout import TimelineDrawing, lay_out
from recollect.store.entity_queries import entities_of_types
from recollect.store.view import View
from recollect.surfaces.lore_engine.consistency_checks import list_ontology_rules, run_consistency_check
from recollect.surfaces.lore_engine.findings import get_contradictions, get_ontology_violations
from recollect.surfaces.lore_engine.kinship import KinView, ancestors_of, descendants_of
from recollect.surfaces.lore_engine.npc import query_as_npc
from recollect.surfaces.lore_engine.places import PLACE_TYPES, location_hierarchy
from recollect.surfaces.lore_engine.results import HoldingView
from recollect.surfaces.recollect.failures import EverydayProblem
from recollect.surfaces.recollect.parameters import find_entity
from recollect.when.era import Era
from recollect.when.ruler import day_label, era_bands, least_span, ruler_ticks
from recollect.when.span import Span
from recollect.when.timeline import Timeline

PERSON_TYPES = ("person", "character")
GENERATIONS = 4
MARKS = 11
MOST_NAMES = 200
MOST_KIN = 200
MOST_FINDINGS = 50
COLUMN, ROW = 190, 34
Part = TypeVar("Part")


@dataclass(frozen=True, slots=True)
class EraLine:
    path: str
    name: str
    depth: int
    first: str
    last: str


@dataclass(frozen=True, slots=True)
class PlaceLine:
    id: str
    name: str
    type: str
    depth: int
    rulers: tuple[str, ...]
    change: str = ""


@dataclass(frozen=True, slots=True)
class KinNode:
    """A relative in the drawing of a family: ancestors to the left, descendants to the right."""

    id: str
    name: str
    relation: str
    generation: int = field(compare=False)
    x: int = field(compare=False)
    y: int = field(compare=False)
    change: str = ""


@dataclass(frozen=True, slots=True)
class KinDrawing:
    person: str
    nodes: tuple[KinNode, ...]
    links: tuple[tuple[int, int, int, int], ...]
    width: int
    height: int
    added: tuple[KinNode, ...] = ()
    """Relatives that became known since, on a page that shows another moment."""


@dataclass(frozen=True, slots=True)
class KnownLine:
    """Something that a character knows."""

    text: str
    change: str = ""


@dataclass(frozen=True, slots=True)
class FindingLine:
    id: str
    category: str
    severity: str
    message: str
    change: str = ""


@dataclass(frozen=True, slots=True)
class RuleLine:
    id: str
    description: str
    severity: str
    is_enabled: bool


@dataclass(frozen=True, slots=True)
class WorldPage(PageModel):
    is_fictional: bool
    now: str
    eras: tuple[EraLine, ...]
    ruler: TimelineDrawing | None
    place: str
    places: tuple[PlaceLine, ...]
    place_names: tuple[str, ...]
    person_names: tuple[str, ...]
    person: str
    family: KinDrawing | None
    knower: str
    known: tuple[KnownLine, ...]
    rules: tuple[RuleLine, ...]
    findings: tuple[FindingLine, ...]
    problem: str


def show(request: PageRequest) -> WorldPage:
    place, person, knower = (request.query.get(name, "").strip() for name in ("place", "person", "knows"))
    memory = request.memory
    problems: list[str] = []
    with request.read() as view:
        timeline = view.world.timeline
        eras = tuple(_era(timeline, each) for each in timeline.eras) if timeline.is_fictional else ()
        now = view.world.now.text
        ruler = _ruler(timeline, view.world.present.lo) if eras else None
        place_names, person_names = _names_of(view, PLACE_TYPES), _names_of(view, PERSON_TYPES)
    places = _try(problems, lambda: _places(request, place)) if place else None
    family = _try(problems, lambda: _family(request, person)) if person else None
    known = _try(problems, lambda: _known_lines(request, knower)) if knower else None
    known_as = request.clocks.known
    rules = list_ontology_rules(memory, known_as).value
    page = WorldPage(
        "World",
        timeline.is_fictional,
        now,
        eras,
        ruler,
        place,
        places or (),
        place_names,
        person_names,
        person if family is None else family.person,
        family,
        knower,
        known or (),
        tuple(RuleLine(each["id"], each["description"], each["severity"], each["enabled"]) for each in rules),
        tuple(_findings(request)),
        " ".join(problems),
    )
    return page if request.clocks.is_now else _compare_pages(page, show(request.of_now))


def _compare_pages(then: WorldPage, now: WorldPage) -> WorldPage:
    """The page of another moment, with what became of its places, kin, knowledge and findings since."""
    family = then.family
    if family is not None and now.family is not None:
        kin = {node.id: node for node in mark_changes(family.nodes, now.family.nodes, lambda node: node.id)}
        nodes = tuple(kin[node.id] for node in family.nodes)
        family = replace(family, nodes=nodes, added=tuple(node for node in kin.values() if node.change == "added"))
    return replace(
        then,
        places=mark_changes(then.places, now.places, lambda place: place.id),
        family=family,
        known=mark_changes(then.known, now.known, lambda line: line.text),
        findings=mark_changes(then.findings, now.findings, lambda finding: finding.id),
    )


def _try(problems: list[str], read: Callable[[], Part]) -> Part | None:
    """A part of the page; a name that is unknown is reported instead."""
    try:
        return read()
    except (NotKnown, Refused, EverydayProblem) as problem:
        problems.append(str(problem))
        return None


def _era(timeline: Timeline, era: Era) -> EraLine:
    def label(day: int | None) -> str:
        return "" if day is None else day_label(timeline, timeline.positions(day, day)[0])

    return EraLine(era.path, era.name, era.path.count("."), label(era.first_day), label(era.last_day))


def _ruler(timeline: Timeline, now: int) -> TimelineDrawing:
    """All eras with bounds on one axis."""
    days = [day for era in timeline.eras for day in (era.first_day, era.last_day) if day is not None]
    ends = [now, *(timeline.positions(day, day)[0] for day in days)]
    room = max(least_span(timeline), (max(ends) - min(ends)) // 20)
    span = Span(min(ends) - room, max(ends) + room)
    return lay_out((), span, ruler_ticks(timeline, span, MARKS), era_bands(timeline, span), now)


def _names_of(view: View, types: Sequence[str]) -> tuple[str, ...]:
    """The names of all entities of some types, to choose from; none if there are too many."""
    found = entities_of_types(view, types, MOST_NAMES) or []
    return tuple(sorted({each.name for each in found if each.is_live}))


def _places(request: PageRequest, place: str) -> tuple[PlaceLine, ...]:
    """The place, then what it is part of and what is part of it."""
    at = None if request.clocks.at is None else request.clocks.at.text
    found = location_hierarchy(request.memory, place, "down", at, 6, request.clocks.known)
    top = found["location"]
    rows = [PlaceLine(top["id"], top["name"], top["type"], 0, _names(top["rules"]))]
    rows += [
        PlaceLine(each["id"], each["name"], each["type"], each["depth"], _names(each["rules"]))
        for each in found["hierarchy"]
    ]
    return tuple(rows)


def _names(holdings: Sequence[HoldingView]) -> tuple[str, ...]:
    return tuple(each["name"] for each in holdings)


def _family(request: PageRequest, person: str) -> KinDrawing:
    known = request.clocks.known
    with request.read() as view:
        found = find_entity(request.memory, view, person, "person")
    up = ancestors_of(request.memory, person, GENERATIONS, MOST_KIN, known).value
    down = descendants_of(request.memory, person, GENERATIONS, MOST_KIN, known).value
    return draw_family(found.name, up, down)


def draw_family(person: str, up: Sequence[KinView], down: Sequence[KinView]) -> KinDrawing:
    """One column per generation, the oldest on the left; a line joins each relative to the next on the path."""
    columns: dict[int, list[KinView]] = {}
    for sign, kin in ((-1, up), (1, down)):
        for each in kin:
            columns.setdefault(sign * each["generation"], []).append(each)
    first = min((*columns, 0))
    height = max([len(each) for each in columns.values()] or [1]) * ROW
    nodes = [KinNode("", person, "", 0, -first * COLUMN, height // 2)]
    for generation, members in sorted(columns.items()):
        gap = height / len(members)
        for number, each in enumerate(members):
            y = int(gap * (number + 0.5))
            nodes.append(
                KinNode(each["id"], each["name"], each["relation"], generation, (generation - first) * COLUMN, y)
            )
    by_name = {node.name: node for node in nodes}
    links = []
    for each in (*up, *down):
        for one, other in pairwise(each["path"]):
            if one in by_name and other in by_name:
                links.append((by_name[one].x, by_name[one].y, by_name[other].x, by_name[other].y))
    width = (max((*columns, 0)) - first + 1) * COLUMN
    return KinDrawing(person, tuple(nodes), tuple(dict.fromkeys(links)), width, height + ROW)


def _known_lines(request: PageRequest, knower: str) -> tuple[KnownLine, ...]:
    at = None if request.clocks.at is None else request.clocks.at.text
    found = query_as_npc(request.memory, knower, "everything", at, MOST_FINDINGS, True, request.clocks.known)
    return tuple(KnownLine(each["statement"]) for each in found["known"])


def _findings(request: PageRequest) -> list[FindingLine]:
    known = request.clocks.known
    pages = (
        get_contradictions(request.memory, limit=MOST_FINDINGS, as_of=known),
        get_ontology_violations(request.memory, limit=MOST_FINDINGS, as_of=known),
    )
    return [
        FindingLine(str(each["id"]), str(each["category"]), str(each["severity"]), str(each["message"]))
        for page in pages
        for each in page.value
    ]


def run_check(request: PageRequest) -> ActionResult:
    """Check the whole world now."""
    result = run_consistency_check(request.acting("check"))
    return ActionResult(request.back("world"), f"Checked in transaction {result['tx']}")


SECTION = WebSection(
    "world",
    pages=(Page("world", "world", show, has_clock=True),),
    actions=(Action("world/check", run_check),),
    label="World",
    group="Look",
)
