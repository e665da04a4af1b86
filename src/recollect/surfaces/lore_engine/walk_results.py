"""What the tools that walk the graph answer."""

from typing import NotRequired

from typing_extensions import TypedDict

from recollect.surfaces.lore_engine.results import Ref, RelationShown, ResolutionShown


class NodeShown(Ref):
    hops: int
    path: list[str]


EdgeShown = TypedDict("EdgeShown", {"id": str, "relation": str, "from": str, "to": str})


class Traversed(TypedDict):
    """Everything within some hops of an entity."""

    start: Ref
    nodes: list[NodeShown]
    relations: list[EdgeShown]
    levels: list[int]
    truncated: bool
    at_time: str | None
    resolution: NotRequired[list[ResolutionShown]]


class NearShown(Ref):
    distance: int


class PathShown(TypedDict):
    nodes: list[str]
    relations: list[str]


class Expanded(TypedDict):
    """The neighbourhood of an entity."""

    entity: Ref
    hops: int
    nodes: list[NearShown]
    relations: list[RelationShown]
    truncated: bool
    at_time: str | None
    paths: NotRequired[list[PathShown]]
    resolution: NotRequired[list[ResolutionShown]]
