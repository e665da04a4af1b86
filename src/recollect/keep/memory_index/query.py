"""A parsed memory query, the signals that score a match, the order of matches and their excerpts."""

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field
from math import log
from typing import NamedTuple, TypeVar

from recollect.keep.markdown import parse_blocks
from recollect.keep.memory_index.listing import ALL_DAYS, MemoryFilter
from recollect.keep.memory_index.mentions import NOT_LINKED
from recollect.keep.memory_index.stored_memory import StoredMemory
from recollect.model.document import Chunk
from recollect.model.ids import DocumentId, EntityId
from recollect.resolve.name_finder import find_entities
from recollect.search.dates import DayRange, find_dates
from recollect.search.passage_search import QueryVector
from recollect.store.fact_rows import FactFilter
from recollect.store.passage_index import StoredPassageIndex
from recollect.store.view import View
from recollect.text.stop_words import SEARCH_STOP_WORDS
from recollect.text.tokens import bare_index_terms, bare_terms

HALF_LIFE = 100
MIN_PREFIX_LENGTH = 4
Owner = TypeVar("Owner")


@dataclass(frozen=True, slots=True)
class MemoryQuery:
    """A parsed query, and what may be answered."""

    text: str
    instance: str
    today: int
    terms: "MemoryQueryTerms"
    vector: QueryVector | None = None
    where: MemoryFilter = field(default_factory=MemoryFilter)
    min_score: float = 0.3
    limit: int = 10


def best_cosines(
    index: StoredPassageIndex, query: QueryVector | None, find_owners: Callable[[], Mapping[int, Owner]]
) -> dict[Owner, float]:
    """By memory the cosine of its best passage, where it has any vector; `find_owners` gives the memory of passages."""
    if query is None or query.model is None:
        return {}
    owners = find_owners()
    best: dict[Owner, float] = {}
    for passage, cosine in index.cosines(query.vector, query.model, owners.keys()).items():
        best[owners[passage]] = max(best.get(owners[passage], -1.0), cosine)
    return best


class RelevanceSignals(NamedTuple):
    """What speaks for a memory, each between 0 and 1; `context` is what the memories beside it in a talk lend it."""

    vector: float
    keyword: float
    recency: float
    graph: float
    instance: float
    time: float
    context: float = 0.0

    @property
    def relevance(self) -> float:
        """Evidence adds up: each kind takes its share of what the others left open."""
        against = (1 - self.vector) * (1 - 0.8 * self.keyword) * (1 - 0.4 * self.graph) * (1 - 0.5 * self.time)
        return 1 - against * (1 - self.context)

    @property
    def score(self) -> float:
        """Recency and affinity only reorder what is relevant."""
        return self.relevance * (0.85 + 0.05 * self.recency + 0.10 * self.instance)


def recency(age: float) -> float:
    return float(2.0 ** (-age / HALF_LIFE))


def inverse_document_frequency(holding: int, memories: int) -> float:
    """The weight of a word by how many of all memories have it."""
    return log(1 + memories / max(1, holding))


def instance_affinity(caller: str, instance: str, participants: Collection[str]) -> float:
    """1 for the caller's own memory, half of that where it only took part."""
    if instance == caller:
        return 1.0
    return 0.5 if caller in participants else 0.0


def query_terms(query: str) -> tuple[str, ...]:
    """The content words of a query, each once."""
    return tuple(dict.fromkeys(word for word in bare_terms(query) if word not in SEARCH_STOP_WORDS))


def matches_term(term: str, words: frozenset[str]) -> bool:
    """Whether one of the words is the term or, if that is long enough, begins with it."""
    return term in words or (allows_prefix_match(term) and any(word.startswith(term) for word in words))


def allows_prefix_match(term: str) -> bool:
    """Whether words may be found by how they begin."""
    return len(term) >= MIN_PREFIX_LENGTH


class MemoryQueryTerms(NamedTuple):
    """The words of a query, the entities it names with their neighbours, and the days it names."""

    terms: tuple[str, ...]
    entities: Mapping[EntityId, frozenset[EntityId]]
    periods: tuple[tuple[int, int], ...]


def parse_memory_query(view: View, text: str) -> MemoryQueryTerms:
    """The parts of a query that speak for memories; dates are not among its words."""
    dates = find_dates(text, view.now, view.world.zone)
    left = text
    for date in reversed(dates):
        left = f"{left[: date.start]} {left[date.stop :]}"
    return MemoryQueryTerms(
        query_terms(left),
        {entity: _neighbours(view, entity) for entity in find_entities(view, text, NOT_LINKED)},
        tuple(_day_bounds(date.days) for date in dates),
    )


def _day_bounds(days: DayRange) -> tuple[int, int]:
    first, last = days
    return ALL_DAYS[0] if first is None else first, ALL_DAYS[1] if last is None else last


def _neighbours(view: View, entity: EntityId) -> frozenset[EntityId]:
    found = view.neighbours([entity], FactFilter(view.world.present))
    return frozenset(end for each in found for end in (each.subject, each.object) if end != entity)


SCORE_DECIMALS = 6


class MemoryMatch(NamedTuple):
    """A memory with what speaks for it; `has_vector` says whether a vector of it took part."""

    document: DocumentId
    key: str
    last_day: int
    signals: RelevanceSignals
    has_vector: bool


def rank_matches(found: Iterable[MemoryMatch], asked: MemoryQuery) -> list[MemoryMatch]:
    """Those that reach the least score: by score, then the later period, then id; as many as were asked for."""
    return sorted(reaching_matches(found, asked), key=match_order)[: asked.limit]


def reaching_matches(found: Iterable[MemoryMatch], asked: MemoryQuery) -> list[MemoryMatch]:
    return [each for each in found if reaches(each, asked)]


def reaches(match: MemoryMatch, asked: MemoryQuery) -> bool:
    """Whether a memory is relevant at all and reaches the least score."""
    score = match.signals.score
    return score >= asked.min_score and score > 0


def match_order(match: MemoryMatch) -> tuple[float, int, str]:
    # Cosines of equal texts differ in their last digits, which must not decide between them.
    return -round(match.signals.score, SCORE_DECIMALS), -match.last_day, match.key


EXCERPT_LIMIT = 2_000
SIGNIFICANT_LIMIT = 10_000
ELLIPSIS = "…"


def excerpt(
    view: View, index: StoredPassageIndex, memory: StoredMemory, query: QueryVector | None, terms: tuple[str, ...]
) -> str:
    """The whole text if it is short, else its title line and the passage that answers best."""
    most = SIGNIFICANT_LIMIT if memory.draft.period.granularity == "significant" else EXCERPT_LIMIT
    if len(memory.content) <= most or most == SIGNIFICANT_LIMIT:
        return truncate_at_word(memory.content, most)
    title = next((block.text for block in parse_blocks(memory.content) if block.kind == "heading"), None)
    chunk = best_chunk(index, view.chunks(memory.document.id), query, terms)
    passage = memory.content[chunk.start : chunk.stop] if chunk else memory.content
    return truncate_at_word(passage if title is None or passage.startswith(title) else f"{title}\n\n{passage}", most)


def best_chunk(
    index: StoredPassageIndex, chunks: list[Chunk], query: QueryVector | None, terms: tuple[str, ...]
) -> Chunk | None:
    """The passage nearest in meaning, where there are vectors; else the one with most of the words."""
    cosines: dict[int, float] = {}
    if query is not None and query.model is not None:
        cosines = index.cosines(query.vector, query.model, [chunk.number for chunk in chunks])

    def worth(chunk: Chunk) -> tuple[float, int, int]:
        words = bare_index_terms(chunk.text)
        return cosines.get(chunk.number, -1.0), sum(matches_term(term, words) for term in terms), -chunk.seq

    return max(chunks, key=worth, default=None)


def truncate_at_word(text: str, most: int) -> str:
    """The text, or as much of it as fits, up to the end of a word and marked."""
    if len(text) <= most:
        return text
    kept = text[: most - 1]
    shorter = kept.rstrip() if text[most - 1].isspace() else kept.rsplit(None, 1)[0]
    return (shorter if len(shorter) > most // 2 else kept) + ELLIPSIS
