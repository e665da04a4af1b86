"""The neighbourhood of an entity as a small drawing: the entity in the middle, its neighbours around it."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from recollect.serve.web.framework.cards import EntityCard

WIDTH = 860
HEIGHTS = {1: 70, 2: 70, 3: 190, 4: 190}
"""Of few neighbours a low drawing is enough."""
HEIGHT = 300
LONGEST_NAME = 20


@dataclass(frozen=True, slots=True)
class EgoNeighbour:
    """A neighbour and how it is connected."""

    entity: EntityCard
    words: str
    count: int


@dataclass(frozen=True, slots=True)
class PlacedNeighbour:
    entity: EntityCard
    words: str
    count: int
    x: float
    y: float
    label: str
    anchor: str


@dataclass(frozen=True, slots=True)
class EgoGraph:
    nodes: tuple[PlacedNeighbour, ...] = ()
    width: int = WIDTH
    height: int = HEIGHT


def draw_ego_graph(neighbours: Sequence[EgoNeighbour]) -> EgoGraph:
    """Place the neighbours on an ellipse, beginning at the top."""
    count = len(neighbours)
    height = HEIGHTS.get(count, HEIGHT)
    return EgoGraph(tuple(_place(each, number, count, height) for number, each in enumerate(neighbours)), WIDTH, height)


def _place(each: EgoNeighbour, number: int, count: int, height: int) -> PlacedNeighbour:
    first = 0.0 if count < 3 else -math.pi / 2 + (math.pi / count if count % 2 == 0 else 0)
    angle = 2 * math.pi * number / count + first
    x, y = WIDTH / 2 + 210 * math.cos(angle), height / 2 + (height / 2 - 30) * math.sin(angle)
    anchor = "middle" if abs(math.cos(angle)) < 0.2 else "start" if math.cos(angle) > 0 else "end"
    name = each.entity.name
    label = name if len(name) <= LONGEST_NAME else f"{name[: LONGEST_NAME - 1]}…"
    return PlacedNeighbour(each.entity, each.words, each.count, round(x, 1), round(y, 1), label, anchor)
