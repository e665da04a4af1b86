"""Parameter types of the graph tools, how their texts are parsed, and ids of the example world."""

import math
from collections.abc import Sequence
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field, WithJsonSchema

from recollect.errors import Refused
from recollect.keep.graph.node_vectors import dimensions_of
from recollect.keep.graph.nodes import RESERVED
from recollect.memory import Memory
from recollect.model.entity import TYPE_LIMIT
from recollect.model.names import clean
from recollect.model.similarity import to_snake_case
from recollect.store.world import World
from recollect.surfaces.entity_core.parameters import Properties, list_up_to, text_up_to
from recollect.surfaces.parameter_types import IntegralFloat, bad_value
from recollect.when.instant import Instant, read_date, read_instant
from recollect.when.instant import day_period as day_of
from recollect.when.period import Time
from recollect.when.time_errors import BadTime


class BadGraphTime(Refused):
    """A text that is not a time of the workspace."""

    def __init__(self, name: str, problem: Refused) -> None:
        super().__init__(f"{name} {problem}", field=name, accepted=problem.accepted)


class VectorWidthMismatch(Refused):
    def __init__(self, name: str, given: int, wanted: int) -> None:
        super().__init__(
            f"{name} should have {wanted} numbers, not {given}", field=name, accepted=(f"{wanted} numbers",)
        )


class NothingToChange(Refused):
    def __init__(self, accepted: Sequence[str]) -> None:
        super().__init__("nothing to change: give at least one of the fields", field="id", accepted=accepted)


def stored_type(text: str) -> str:
    """The type as it is stored and printed."""
    folded = to_snake_case(text)
    return "organization" if folded == "company" else folded


def _check_vector(vector: list[float]) -> list[float]:
    if not vector or not all(math.isfinite(each) for each in vector):
        raise bad_value("should be a list of finite numbers")
    if not any(vector):
        raise bad_value("should not be all zero")
    return vector


def _check_unreserved(properties: dict[str, Any]) -> dict[str, Any]:
    if RESERVED & properties.keys():
        raise bad_value(f"should not have the keys {', '.join(sorted(RESERVED))}")
    return properties


def _check_no_weight(properties: dict[str, Any]) -> dict[str, Any]:
    if "weight" in properties:
        raise bad_value("should not hold weight, which is an argument of its own")
    return properties


NodeId = Annotated[str, text_up_to(200), Field(description="Id of a node")]
EdgeId = Annotated[str, text_up_to(200), Field(description="Id of an edge")]

NodeType = Annotated[
    str,
    AfterValidator(clean),
    text_up_to(TYPE_LIMIT),
    AfterValidator(stored_type),
    Field(description="Type of node, such as person, topic or place"),
]
EdgeType = Annotated[
    str,
    AfterValidator(clean),
    text_up_to(TYPE_LIMIT),
    AfterValidator(to_snake_case),
    Field(description="Type of edge, such as friend_of or lives_in"),
]
EdgeTypes = Annotated[list[EdgeType], list_up_to(50), Field(description="Only edges of these types")]

NodeLabel = Annotated[str, AfterValidator(clean), text_up_to(200), Field(description="Name of the node")]
Aliases = Annotated[list[NodeLabel], list_up_to(100), Field(description="Other names of the node")]
Description = Annotated[str, text_up_to(4_000, blank=True), Field(description="What the node is, in words")]
"""Blank is none: the host sends an empty text for a node without a description."""
_CUSTOM_TYPE = Field(description="Used instead of type, as hosts send it beside type custom")
CustomType = Annotated[EdgeType, _CUSTOM_TYPE]
CustomNodeType = Annotated[NodeType, _CUSTOM_TYPE]
Evidence = Annotated[str, text_up_to(8_000), Field(description="The words that say so")]
GraphQueryText = Annotated[str, text_up_to(2_000), Field(description="What to look for, in words")]
Reason = Annotated[str, text_up_to(500), Field(description="Why")]
MemoryId = Annotated[str, text_up_to(300), Field(description="Id of the memory that says so")]

NodeProperties = Annotated[Properties, AfterValidator(_check_unreserved)]
EdgeProperties = Annotated[Properties, AfterValidator(_check_no_weight)]

UnitInterval = Annotated[float, Field(ge=0, le=1, allow_inf_nan=False, description="From 0 to 1")]
Embedding = Annotated[
    list[float],
    AfterValidator(_check_vector),
    WithJsonSchema({"type": "array", "items": {"type": "number"}}),
    Field(description="A vector instead of the one computed here"),
]

TimeText = Annotated[str, text_up_to(200), Field(description="A time of the workspace's timeline, such as 2024-05")]
MomentText = Annotated[str, text_up_to(100), Field(description="An instant or a date")]

Depth = Annotated[int, Field(ge=1, le=5, description="How far to walk"), IntegralFloat]
Offset = Annotated[int, Field(ge=0, description="How many to pass over"), IntegralFloat]

NodeParts = Annotated[list[Literal["description", "properties", "aliases"]], Field(description="What to empty")]
EdgeParts = Annotated[
    list[Literal["evidence", "occurredAt", "validUntil", "properties"]], Field(description="What to empty")
]


def parse_bound(world: World, text: str | None, name: str) -> Time | None:
    """The time of a bound of an edge; none if it is missing."""
    if text is None:
        return None
    try:
        return world.read(text)
    except Refused as problem:
        raise BadGraphTime(name, problem) from problem


def parse_at_time(world: World, text: str | None) -> Time:
    """The time asked about; default: the present of the workspace."""
    return parse_bound(world, text, "at_time") or world.now


def parse_moment(world: World, text: str | None, name: str) -> Instant | None:
    """The instant of a text; the start of a date."""
    if text is None:
        return None
    try:
        if "T" in text.upper() or " " in text.strip():
            return read_instant(text, world.zone)
        return day_of(read_date(text), world.zone)[0]
    except BadTime as problem:
        raise BadGraphTime(name, problem) from problem


def check_width(memory: Memory, vector: Sequence[float] | None, name: str) -> None:
    """Refuse vectors whose dimension differs from the store's."""
    wanted = dimensions_of(memory.embedder) if vector is not None else 0
    if vector is not None and len(vector) != wanted:
        raise VectorWidthMismatch(name, len(vector), wanted)


EXAMPLE_PERSON = "ent_01KS2D7V80E6DRS8F5X2MF83WZ"
EXAMPLE_OTHER_PERSON = "ent_01KS2D7V80E6DRS8F5X2MKGRFZ"
EXAMPLE_UNUSED_PERSON = "ent_01KS2D7V80E6DRS8F5X2MSXQCF"
EXAMPLE_PROJECT = "ent_01KS2D7V80E6DRS8F5X2MGA91Q"
EXAMPLE_EDGE = "fact_01KS2D7V80E6DRS8F5X2MGVBM3"
EXAMPLE_STAGE_EDGE = "fact_01KS2D7V80E6DRS8F5X2MM1V2B"
