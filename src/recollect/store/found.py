"""What an index of passages is asked for and what it answers."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any, NamedTuple

from recollect.model.ids import DocumentId
from recollect.when.instant import MAX, MIN, Instant


@dataclass(frozen=True, slots=True)
class Filter:
    """Which passages may be found at all; a part left empty allows everything."""

    kinds: frozenset[str] = frozenset()
    types: frozenset[str] = frozenset()
    authors: frozenset[str] = frozenset()
    folios: frozenset[str] = frozenset()
    since: int = MIN
    until: int = MAX

    @property
    def is_open(self) -> bool:
        return self == Filter()

    def parameters(self) -> dict[str, Any]:
        """The values that the `wanted` fragment of the queries names."""
        given = {"kind": self.kinds, "type": self.types, "author": self.authors, "folio": self.folios}
        flags = {f"any_{name}": int(not values) for name, values in given.items()}
        lists = {f"{name}s": sorted(values) for name, values in given.items()}
        return {**flags, **lists, "since": self.since, "until": self.until}


class Posting(NamedTuple):
    """A passage that holds a word: how often, and how long the passage is."""

    chunk: int
    times: int
    length: int


class FoundChunk(NamedTuple):
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


class Population(NamedTuple):
    """How many passages there are to choose from, and their mean length in characters."""

    chunks: int
    mean_length: float


Numbers = Collection[int]
