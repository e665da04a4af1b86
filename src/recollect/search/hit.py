"""What search answers, and why."""

from dataclasses import dataclass

from recollect.model.ids import DocumentId
from recollect.store.found import FoundChunk


@dataclass(frozen=True, slots=True)
class Why:
    """What each part contributed: `text` and `cosine` are the raw scores, the rest says what matched.

    `led_from` is the document whose text names this one; `score` is the sum before newer was put before older.
    """

    text: float
    text_rank: int | None
    cosine: float | None
    cosine_rank: int | None
    words: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    times: tuple[str, ...] = ()
    context: float = 0.0
    led_from: str | None = None
    score: float = 0.0

    @property
    def via(self) -> tuple[str, ...]:
        """The ways that led here: text, meaning, name, time, context, link."""
        ways = {
            "text": self.text > 0,
            "meaning": self.cosine_rank is not None,
            "name": bool(self.names),
            "time": bool(self.times),
            "context": self.context > 0,
            "link": self.led_from is not None,
        }
        return tuple(way for way, holds in ways.items() if holds)


@dataclass(frozen=True, slots=True)
class Hit:
    """A passage that answers, best first by `score`; the score orders hits of one query, no more."""

    chunk: FoundChunk
    score: float
    why: Why

    @property
    def document(self) -> DocumentId:
        return self.chunk.document


@dataclass(frozen=True, slots=True)
class Found:
    """The hits of a query; `by_meaning` is false when there was no embedder to ask, and `note` says so.

    `common` are stems that too many passages of a large store hold to look at all of these: they were counted in what
    rarer words, meaning or newness brought up.
    """

    hits: tuple[Hit, ...]
    by_meaning: bool
    note: str | None = None
    common: tuple[str, ...] = ()
