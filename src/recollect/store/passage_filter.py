"""Filters and row types of the passage index."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any, NamedTuple

from recollect.model.ids import DocumentId, EntityId
from recollect.store.nearest_neighbors import VectorQueries
from recollect.when.instant import MAX, MIN, Instant
from recollect.when.span import Span

ANY_TIME = Span()
LARGE_STORE = 20_000
"""A store with more passages looks at no more of them than it must."""
PASSAGE_VECTORS = VectorQueries(int, "embedded_wanted", "embedded_allowed", "nearest")


@dataclass(frozen=True, slots=True)
class ArtifactFilter:
    """Which documents are asked for by how they are filed; a part left empty allows everything.

    `dated` and `recorded` are periods that the date of a document, or the moment it came in, must meet.
    """

    kinds: frozenset[str] = frozenset()
    folio: str | None = None
    tags: frozenset[str] = frozenset()
    source: str | None = None
    source_kinds: frozenset[str] = frozenset()
    dated: Span = ANY_TIME
    recorded: Span = ANY_TIME

    def parameters(self) -> dict[str, Any]:
        """The values that the `artifact_wanted` fragment of the queries names."""
        is_head = self.source is not None and ":" not in self.source
        low = f"{self.source}:" if is_head else self.source
        return {
            "any_label": int(not self.kinds),
            "labels": sorted(self.kinds),
            "in_folio": self.folio,
            "any_source_kind": int(not self.source_kinds),
            "source_kinds": sorted(self.source_kinds),
            "source_low": low,
            "source_high": f"{low}\U0010ffff" if is_head else low,
            "first": self.dated.lo,
            "last": self.dated.hi,
            "recorded_first": self.recorded.lo,
            "recorded_last": self.recorded.hi,
            "tags": sorted(self.tags),
            "tag_count": len(self.tags),
        }


ANY_ARTIFACT = ArtifactFilter()


@dataclass(frozen=True, slots=True)
class PassageFilter:
    """Which passages may be found at all; a part left empty allows everything."""

    kinds: frozenset[str] = frozenset()
    types: frozenset[str] = frozenset()
    authors: frozenset[str] = frozenset()
    folios: frozenset[str] = frozenset()
    since: int = MIN
    until: int = MAX
    artifacts: ArtifactFilter = ANY_ARTIFACT

    @property
    def is_open(self) -> bool:
        return self == PassageFilter()

    @property
    def queries(self) -> VectorQueries[int]:
        return PASSAGE_VECTORS

    def parameters(self) -> dict[str, Any]:
        """The values that the `wanted` fragment of the queries names."""
        lists_by_name = {"kind": self.kinds, "type": self.types, "author": self.authors, "folio": self.folios}
        flags = {f"any_{name}": int(not values) for name, values in lists_by_name.items()}
        lists = {f"{name}s": sorted(values) for name, values in lists_by_name.items()}
        filed = self.artifacts.parameters() | {"any_artifact": int(self.artifacts == ANY_ARTIFACT)}
        return {**flags, **lists, **filed, "since": self.since, "until": self.until}


class PassageRow(NamedTuple):
    """A passage with what is known of its document."""

    number: int
    document: DocumentId
    seq: int
    start: int
    stop: int
    text: str
    kind: str
    type: str
    key: str
    title: str | None
    author: str | None
    source_at: Instant

    @property
    def place(self) -> tuple[DocumentId, int]:
        """Orders passages as they were first stored; the number of one that was taken back and restored is new."""
        return self.document, self.seq


class TitleMatch(NamedTuple):
    """A document by the key of its title."""

    key: str
    document: DocumentId
    title: str


class MentionRow(NamedTuple):
    """An entity that a document mentions, by one of its folded names."""

    document: DocumentId
    folded: str
    entity: EntityId


class CorpusSize(NamedTuple):
    """How many passages there are to choose from, and their mean length in characters."""

    chunks: int
    mean_length: float


PassageNumbers = Collection[int]
