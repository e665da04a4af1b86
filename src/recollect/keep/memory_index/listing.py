"""Memories by filter, page by page, and by exact words that are read from the text itself."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date
from typing import Any

from recollect.keep.document_versions import documents_of, texts_of
from recollect.keep.memory_formats import GRANULARITIES, Granularity
from recollect.keep.memory_index.index import is_caught_up
from recollect.keep.memory_index.stored_memory import MEMORY_KIND, MemoryDraft, draft_of, is_memory
from recollect.model.document import Document
from recollect.model.ids import DocumentId
from recollect.model.page import ResultPage
from recollect.store import memory_queries
from recollect.store.view import View
from recollect.text.fold import fold_text, fold_with_offsets
from recollect.text.stop_words import SEARCH_STOP_WORDS
from recollect.text.tokens import LETTER
from recollect.when.instant import day_of_date
from recollect.write.tombstones import HIDDEN

ALL_DAYS = (day_of_date(date.min), day_of_date(date.max))


@dataclass(frozen=True, slots=True)
class MemoryFilter:
    """Which memories count; days are inclusive, and a memory is in when its period overlaps them."""

    granularities: frozenset[Granularity] = frozenset()
    after: date | None = None
    before: date | None = None
    instance: str | None = None

    def query_parameters(self) -> dict[str, Any]:
        """The values that the `entry_wanted` fragment names."""
        return {
            "any_granularity": int(not self.granularities),
            "granularities": sorted(self.granularities),
            "after": ALL_DAYS[0] if self.after is None else day_of_date(self.after),
            "before": ALL_DAYS[1] if self.before is None else day_of_date(self.before),
            "instance": self.instance,
        }

    def admits(self, draft: MemoryDraft) -> bool:
        return (
            (not self.granularities or draft.period.granularity in self.granularities)
            and draft.period.overlaps(self.after or date.min, self.before or date.max)
            and self.instance in (None, draft.instance)
        )


def list_memories(
    view: View, where: MemoryFilter, limit: int, offset: int, *, deleted: bool = False
) -> ResultPage[Document]:
    """A page of the memories that match: end of the period, then granularity, then id."""
    if deleted or not is_caught_up(view):
        found = sorted(_scan_documents(view, where, deleted=deleted), key=_listing_key)
        return ResultPage(found[offset : offset + limit], len(found))
    asked = where.query_parameters()
    ids = memory_queries.matching_documents(view, asked, limit, offset)
    documents = view.documents(ids)
    return ResultPage([documents[id_] for id_ in ids], memory_queries.count_matching(view, asked))


def _scan_documents(view: View, where: MemoryFilter, *, deleted: bool) -> list[Document]:
    stored = (each for each in documents_of(view, MEMORY_KIND) if is_memory(each))
    found = (each for each in stored if not each.deleted or (deleted and each.deleted != HIDDEN))
    return [each for each in found if where.admits(draft_of(each))]


def _listing_key(document: Document) -> tuple[int, int, str]:
    period = draft_of(document).period
    return -period.days[1], GRANULARITIES.index(period.granularity), document.key


BATCH_SIZE = 500
CONTEXT_RADIUS = 150
MIN_GREP_SCORE = 0.1
ELLIPSIS = "…"
_QUERY_PARTS = re.compile(r'"([^"]*)"|([^\s"]+)')
_WORD = re.compile(rf"(?:{LETTER}|\d)+(?:['’_-](?:{LETTER}|\d)+)*")


@dataclass(frozen=True, slots=True)
class GrepMatch:
    """A memory that holds some of the terms."""

    document: DocumentId
    key: str
    last_day: int
    score: float
    matched: tuple[str, ...]
    context: str


@dataclass(frozen=True, slots=True)
class GrepResult:
    """The best matches, and how many memories were looked at."""

    matches: list[GrepMatch]
    scanned: int


def grep_terms(query: str) -> tuple[str, ...]:
    """The words of a query without those that say nothing, and each quoted text as one term."""
    quoted: list[str] = []
    words: list[str] = []
    for text, part in _QUERY_PARTS.findall(query):
        if _WORD.search(text):
            quoted.append(fold_text(text))
        words += [fold_text(word) for word in _WORD.findall(part)]
    telling = [word for word in words if word not in SEARCH_STOP_WORDS]
    return tuple(dict.fromkeys([*quoted, *(telling if telling or quoted else words)]))


def grep(view: View, query: str, where: MemoryFilter, most: int) -> GrepResult:
    """The memories that hold most of the terms: by score, then the later period, then id."""
    terms = grep_terms(query)
    found: list[GrepMatch] = []
    scanned = 0
    for document, key, last_day, text in _read_texts(view, where):
        scanned += 1
        folded = fold_text(text)
        matched = tuple(term for term in terms if term in folded)
        if matched and len(matched) / len(terms) >= MIN_GREP_SCORE:
            found.append(GrepMatch(document, key, last_day, round(len(matched) / len(terms), 3), matched, text))
    found = sorted(found, key=lambda each: (-each.score, -each.last_day, each.key))[:most]
    shown = [replace(each, context=match_context(each.context, each.matched)) for each in found]
    return GrepResult(shown, scanned)


def _read_texts(view: View, where: MemoryFilter) -> Iterator[tuple[DocumentId, str, int, str]]:
    if is_caught_up(view):
        for entry, text in memory_queries.matching_texts(view, where.query_parameters(), BATCH_SIZE):
            yield entry.document, entry.key, entry.last_day, text
        return
    known = [each for each in documents_of(view, MEMORY_KIND) if is_memory(each) and not each.deleted]
    wanted = [each for each in known if where.admits(draft_of(each))]
    texts = texts_of(view, wanted)
    for document in wanted:
        yield document.id, document.key, draft_of(document).period.days[1], texts[document.id]


def match_context(text: str, terms: tuple[str, ...]) -> str:
    """The surroundings of the first match, as the text has them."""
    origin = fold_with_offsets(text)
    folded = origin.text
    starts = [(folded.find(term), term) for term in terms if term in folded]
    if not starts:
        return text[: 2 * CONTEXT_RADIUS] + (ELLIPSIS if len(text) > 2 * CONTEXT_RADIUS else "")
    at, term = min(starts)
    start, stop = origin.span(at, at + len(term))
    low, high = max(0, start - CONTEXT_RADIUS), min(len(text), stop + CONTEXT_RADIUS)
    return f"{ELLIPSIS if low else ''}{text[low:high]}{ELLIPSIS if high < len(text) else ''}"
