"""The neighbourhood of an entity as a small drawing: the entity in the middle, its neighbours around it."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from recollect.serve.web.framework.cards import EntityCard

WIDTH, HEIGHT = 720, 320
LONGEST_NAME = 22


@dataclass(frozen=True, slots=True)
class Neighbour:
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


def draw_ego_graph(neighbours: Sequence[Neighbour]) -> EgoGraph:
    """Place the neighbours on an ellipse, beginning at the top."""
    count = len(neighbours)
    return EgoGraph(tuple(_place(each, number, count) for number, each in enumerate(neighbours)))


def _place(each: Neighbour, number: int, count: int) -> PlacedNeighbour:
    angle = 2 * math.pi * number / count - math.pi / 2 + (math.pi / count if count % 2 == 0 else 0)
    x, y = WIDTH / 2 + 210 * math.cos(angle), HEIGHT / 2 + 125 * math.sin(angle)
    anchor = "middle" if abs(math.cos(angle)) < 0.2 else "start" if math.cos(angle) > 0 else "end"
    name = each.entity.name
    label = name if len(name) <= LONGEST_NAME else f"{name[: LONGEST_NAME - 1]}…"
    return PlacedNeighbour(each.entity, each.words, each.count, round(x, 1), round(y, 1), label, anchor)
