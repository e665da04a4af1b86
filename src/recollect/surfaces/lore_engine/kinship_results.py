"""What the tools of kinship answer."""

from typing import NotRequired

from typing_extensions import TypedDict

from recollect.surfaces.lore_engine.results import LifespanShown, Ref, ResolutionShown


class LineageShown(TypedDict):
    name: str
    founding_ancestor: str | None
    id: str
    all: list[str]


class MemberShown(TypedDict):
    name: str
    relation: str
    id: str
    in_lineage: bool
    hops: int | None


class BranchShown(TypedDict):
    name: str
    founding_ancestor: str | None
    id: str


class Bloodline(TypedDict):
    """The bloodline a person belongs to, and the kin around them."""

    lineage: LineageShown | None
    members: list[MemberShown]
    cadet_branches: list[BranchShown]
    depth_covered: int
    resolution: NotRequired[list[ResolutionShown]]


class ChildShown(Ref):
    lifespan: LifespanShown
    other_parents: list[Ref]
    role: str | None
    relation_id: str
    confidence: float | None
    sources: list[str]
    disputed: bool


class KinShown(Ref):
    generation: int
    relation: str
    path: list[str]
    lifespan: LifespanShown
    relation_ids: list[str]
    confidence: float | None
    disputed: bool
