"""Walking the graph from one entity: breadth first, and no filter is passed on the way."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from recollect.model.certainty import SOURCE_KINDS
from recollect.model.ids import EntityId, FactId
from recollect.model.vocabulary import built_in
from recollect.reason.item_lookup import closed_items
from recollect.reason.open_items import ITEM_PREDICATES
from recollect.store.view import View
from recollect.when.instant import MAX, MIN
from recollect.when.span import Span

Direction = Literal["both", "out", "in"]
MOST = 10_000


class Step(NamedTuple):
    """A fact as a walk sees it."""

    id: FactId
    subject: EntityId
    object: EntityId | None
    predicate: str
    label: str
    confidence: float
    source_kind: str
    source_at: int
    stale: int
    from_lo: int | None
    until_hi: int | None

    def is_current(self, at: Span) -> bool:
        if self.stale or self.label != "AFFILIATED":
            return not self.stale
        return (self.from_lo if self.from_lo is not None else MIN) <= at.hi and (
            self.until_hi if self.until_hi is not None else MAX
        ) >= at.lo

    def other(self, end: EntityId) -> EntityId | None:
        return self.object if self.subject == end else self.subject


@dataclass(frozen=True, slots=True)
class Passable:
    """Which edges may be crossed."""

    at: Span
    every: bool = False
    floor: float = 0.0
    source_kinds: frozenset[str] = frozenset(SOURCE_KINDS)
    predicates: frozenset[str] = frozenset()
    direction: Direction = "both"


class Walked(NamedTuple):
    """An edge with its place in the walk: its hop, and the end nearer to the start."""

    step: Step
    hop: int
    near: EntityId


class Walk(NamedTuple):
    """Edges in their order and the distance of every entity reached; `found` stops counting at 10000."""

    edges: list[Walked]
    distances: dict[EntityId, int]
    found: int


def walk(view: View, start: EntityId, passable: Passable, depth: int) -> Walk:
    """Every edge that can be reached within the depth, each once, nearest and surest first."""
    distances = {start: 0}
    edges: dict[FactId, Walked] = {}
    frontier = [start]
    for hop in range(1, depth + 1):
        reached: list[EntityId] = []
        steps = steps_at(view, frontier, passable, MOST - len(edges)) if frontier else []
        for step in steps:
            near = _near(step, distances, hop - 1)
            if step.id in edges or near is None:
                continue
            edges[step.id] = Walked(step, hop, near)
            far = step.other(near)
            if far is not None and far not in distances:
                distances[far] = hop
                reached.append(far)
        frontier = reached
    return Walk(sorted(edges.values(), key=_order), distances, len(edges))


def _near(step: Step, distances: dict[EntityId, int], distance: int) -> EntityId | None:
    """The end that the walk stands at; the subject where both ends are as near."""
    if distances.get(step.subject) == distance:
        return step.subject
    return step.object if step.object is not None and distances.get(step.object) == distance else None


def _order(walked: Walked) -> tuple[int, float, int, str]:
    return walked.hop, -walked.step.confidence, -walked.step.source_at, walked.step.id


def steps_at(view: View, entities: Collection[EntityId], passable: Passable, limit: int = MOST) -> list[Step]:
    """The edges at these entities that may be crossed, surest first."""
    if limit <= 0:
        return []
    kinds = passable.source_kinds
    rows = view.rows(
        "edges_at",
        entities=sorted(entities),
        at_lo=passable.at.lo,
        at_hi=passable.at.hi,
        every=int(passable.every),
        floor=passable.floor,
        any_source_kind=int(kinds == frozenset(SOURCE_KINDS)),
        source_kinds=sorted(kinds),
        any_predicate=int(not passable.predicates),
        predicates=sorted(passable.predicates),
        leaving=int(passable.direction != "in"),
        reaching=int(passable.direction != "out"),
        both_ways=symmetric(view),
        limit=limit,
    )
    steps = list(dict.fromkeys(Step._make(row) for row in rows))
    return steps if passable.every else _still_open(view, steps)


def _still_open(view: View, steps: list[Step]) -> list[Step]:
    """The steps without commitments, blockers and other items that are closed."""
    having_items = {step.subject for step in steps if step.predicate in ITEM_PREDICATES}
    closed = closed_items(view, having_items) if having_items else ()
    return [step for step in steps if step.id not in closed]


def symmetric(view: View) -> list[str]:
    """The predicates that count both ways."""
    known = {name for name, entry in built_in().items() if entry.symmetric}
    return sorted(known | {row[0] for row in view.rows("symmetric_predicates")})


def removed_alone(view: View, start: EntityId, passable: Passable) -> tuple[dict[str, int], int]:
    """For each filter, how many edges of the start it alone keeps out; and how many edges there are at all."""
    all_ = steps_at(view, [start], Passable(passable.at, every=True))
    both_ways = frozenset(symmetric(view))
    counts = dict.fromkeys(("current", "min_confidence", "source_kinds", "edge_types", "direction"), 0)
    for step in all_:
        failed = _failed(step, start, passable, both_ways)
        if len(failed) == 1:
            counts[failed[0]] += 1
    return counts, len(all_)


def _failed(step: Step, start: EntityId, passable: Passable, both_ways: frozenset[str]) -> Sequence[str]:
    goes_out, comes_in = step.subject == start, step.object == start
    fits_direction = (
        passable.direction == "both"
        or step.predicate in both_ways
        or (goes_out if passable.direction == "out" else comes_in)
    )
    passed = {
        "current": passable.every or step.is_current(passable.at),
        "min_confidence": step.confidence >= passable.floor,
        "source_kinds": step.source_kind in passable.source_kinds,
        "edge_types": not passable.predicates or step.predicate in passable.predicates,
        "direction": fits_direction,
    }
    return [name for name, holds in passed.items() if not holds]
