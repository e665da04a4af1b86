"""Links between memories: their types and directions."""

from typing import Final, Literal, NamedTuple, get_args

from recollect.model.ids import DocumentId

LinkType = Literal[
    "same_entity",
    "same_session",
    "precedes",
    "supersedes",
    "contradicts",
    "derived_from",
    "related_to",
    "elaborates",
    "supports",
]
LINK_TYPES: Final[tuple[LinkType, ...]] = get_args(LinkType)
DIRECTED: Final[frozenset[str]] = frozenset({"precedes", "supersedes", "derived_from"})
Origin = Literal["derived", "explicit"]
DEFAULT_CONFIDENCE: Final = 0.9


class MemoryLink(NamedTuple):
    """A link between two memories; in an undirected link, `one` was written first."""

    one: DocumentId
    other: DocumentId
    type: LinkType
    origin: Origin
    confidence: float

    @property
    def key(self) -> tuple[DocumentId, DocumentId, LinkType]:
        return self.one, self.other, self.type


def make_link(one: DocumentId, other: DocumentId, type_: LinkType, origin: Origin, confidence: float) -> MemoryLink:
    """A link; the ends of an undirected one are in order of time, since ids grow with time."""
    ends = (one, other) if type_ in DIRECTED else (min(one, other), max(one, other))
    return MemoryLink(*ends, type_, origin, confidence)
