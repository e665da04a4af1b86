"""What the tools that look into the sources answer."""

from typing import Literal

from typing_extensions import TypedDict

from recollect.surfaces.lore_engine.results import Ref

Method = Literal["vector", "text"]
Support = Literal["supports", "contradicts", "related"]


class FoundPassage(TypedDict):
    """A passage that answers."""

    chunk_id: str
    document_id: str
    title: str | None
    source_type: str
    text: str
    score: float
    method: Method
    entities: list[Ref]
    world_time: str | None
    reliability: str | float


class ChunkShown(TypedDict):
    chunk_id: str
    text: str
    mentions: int


class AboutShown(TypedDict):
    """A document that tells of an entity."""

    document_id: str
    title: str | None
    source_type: str
    author: str | None
    relevance: float
    chunks: list[ChunkShown]
    reliability: str | float
    visibility: str
    world_time: str | None
    url: str | None


class CitedShown(TypedDict):
    """A passage behind a claim."""

    document_id: str | None
    title: str | None
    chunk_id: str | None
    text: str
    similarity: float | None
    support: Support
    relation_ids: list[str]
    url: str | None
    reliability: str | float
    quote: str | None
