"""Search: one box for entities, facts, passages and memories, each hit with why it came."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import NamedTuple

from recollect.indexing import index_before_read
from recollect.model.entity import Entity
from recollect.model.ids import format_fact_id
from recollect.search.fact_search import MAX_BY_WORDS
from recollect.search.index_terms import content_stems
from recollect.search.recall import ALL_KINDS, MAX_PASSAGES, RecallKind, RecallRequest, recall
from recollect.search.recall_results import Recalled, RecalledFact, RecalledPassage
from recollect.serve.web.framework.cards import FactCard, compared_with_now, fact_cards
from recollect.serve.web.framework.marked_text import TextRun, highlight
from recollect.serve.web.framework.pages import PRESENT, Page, PageModel, PageRequest, WebSection, whole_number
from recollect.serve.web.sections.document_views import DocumentCard, document_card
from recollect.serve.web.sections.palette import EntityHitCard, entity_hits, named_alike
from recollect.store.view import View
from recollect.surfaces.recollect.parameters import read_when
from recollect.surfaces.recollect.recall import closed_among
from recollect.when.instant import MAX, MIN
from recollect.write.owner import find_owner

PAGE_SIZE = 20
MOST_SHOWN = 500
LEAST_SHOWN = 5
"""How many hits of each section are shown, however low they rank."""
ENTITIES_SHOWN = 8
MOST_ENTITIES = 200
SNIPPET = 420
MEMORY = "memory"
SECTIONS = ("facts", "passages", "memories")
WORDS = {"text": "words", "meaning": "meaning", "name": "name", "time": "time", "context": "context", "link": "link"}
KINDS: tuple[tuple[str, str], ...] = (
    ("", "Everything"),
    ("entities", "Entities"),
    ("facts", "Facts"),
    ("notes", "Notes"),
    ("documents", "Documents"),
    ("memories", "Memories"),
)


@dataclass(frozen=True, slots=True)
class FactHitCard:
    fact: FactCard
    why: tuple[str, ...]
    runs: tuple[TextRun, ...]


@dataclass(frozen=True, slots=True)
class PassageHitCard:
    kind: str
    document: DocumentCard
    start: int
    why: tuple[str, ...]
    runs: tuple[TextRun, ...]
    is_outdated: bool


@dataclass(frozen=True, slots=True)
class SearchFilters:
    """What is searched for, and where: each is a parameter of the address."""

    q: str
    kind: str
    type: str
    source: str
    since: str
    until: str


@dataclass(frozen=True, slots=True)
class SearchPage(PageModel):
    asked: SearchFilters
    entities: tuple[EntityHitCard, ...]
    types: tuple[str, ...]
    facts: tuple[FactHitCard, ...]
    passages: tuple[PassageHitCard, ...]
    memories: tuple[PassageHitCard, ...]
    counts: dict[str, int]
    more: int | None
    since_added: tuple[FactCard, ...] = ()
    kinds: tuple[tuple[str, str], ...] = KINDS
    at_least: tuple[str, ...] = ()
    """The sections with more hits than were counted."""


def show(request: PageRequest) -> SearchPage:
    query = request.query
    values = [query.get(name, "").strip()[:2000] for name in ("q", "kind", "type", "source", "since", "until")]
    asked = SearchFilters(*values)
    if not asked.q:
        return SearchPage("Search", asked, (), (), (), (), (), {}, None)
    limit = min(MOST_SHOWN, whole_number(query.get("limit", "")) or PAGE_SIZE)
    named = _find_entities(request, asked, limit)
    hits = _Hits() if asked.kind == "entities" else _find(request, asked, limit, named.shown)
    is_cut = hits.is_cut or (asked.kind == "entities" and len(named.shown) < named.total)
    return SearchPage(
        f"{asked.q[:60]} – search",
        asked,
        named.shown,
        named.types,
        hits.facts,
        hits.passages,
        hits.memories,
        {"entities": named.total, **hits.counts},
        min(MOST_SHOWN, limit + 2 * PAGE_SIZE) if is_cut and limit < MOST_SHOWN else None,
        () if request.clocks.is_now else _added_since(request, hits.facts),
        at_least=tuple(sorted(hits.at_least | ({"entities"} if named.total >= MOST_ENTITIES else set()))),
    )


class _Named(NamedTuple):
    """The entities that a text may name: those shown, how many there are, and of which types."""

    shown: tuple[EntityHitCard, ...] = ()
    total: int = 0
    types: tuple[str, ...] = ()


def _find_entities(request: PageRequest, asked: SearchFilters, limit: int) -> _Named:
    if asked.kind not in ("", "entities"):
        return _Named()
    with request.memory.read() as view:
        found = named_alike(request, view, MOST_ENTITIES)
        fitting = [each for each in found if asked.type in ("", each.type)]
        shown = fitting[: limit if asked.kind else ENTITIES_SHOWN]
        types = tuple(sorted({each.type for each in found}))
        hits = entity_hits(request, view, shown)
        return _Named(hits if request.clocks.is_now else _marked_added(request, shown, hits), len(fitting), types)


def _marked_added(
    request: PageRequest, entities: Sequence[Entity], hits: Sequence[EntityHitCard]
) -> tuple[EntityHitCard, ...]:
    """The entities with a mark on those that were not known at the moment that the page shows."""
    with request.read() as view:
        known = view.entities([each.id for each in entities])
    pairs = zip(entities, hits, strict=True)
    return tuple(hit if entity.id in known else replace(hit, change="added") for entity, hit in pairs)


def _added_since(request: PageRequest, known: Sequence[FactHitCard]) -> tuple[FactCard, ...]:
    """What the same search finds now and did not at the moment that the page shows."""
    ids = {hit.fact.id for hit in known}
    current = [hit.fact for hit in show(request.of_now).facts]
    return tuple(replace(card, change="added") for card in current if card.id not in ids)


@dataclass(frozen=True, slots=True)
class _Hits:
    facts: tuple[FactHitCard, ...] = ()
    passages: tuple[PassageHitCard, ...] = ()
    memories: tuple[PassageHitCard, ...] = ()
    counts: dict[str, int] = field(default_factory=lambda: dict.fromkeys(SECTIONS, 0))
    is_cut: bool = False
    at_least: frozenset[str] = frozenset()


def _find(request: PageRequest, asked: SearchFilters, limit: int, entities: Sequence[EntityHitCard]) -> _Hits:
    memory = request.memory
    index_before_read(memory, newest_facts=True)
    with request.read() as view:
        owner = find_owner(view)
        question = RecallRequest(
            asked.q,
            request.at(view),
            owner=None if owner is None else owner.id,
            since=read_when(view.world, asked.since, "since").lo if asked.since else MIN,
            until=read_when(view.world, asked.until, "until").hi
            if asked.until.casefold() not in ("", PRESENT)
            else MAX,
            kinds=_kinds(asked.kind),
        )
        found = recall(memory, view, question, partial(closed_among, view))
        if not asked.kind and not any(isinstance(each, RecalledFact) for each in found):
            # Beside texts that say more, facts that only name what was asked for are no answer, but they are hits.
            named = replace(question, kinds=frozenset({"facts"}), with_near_misses=False)
            found = [*found, *recall(memory, view, named, partial(closed_among, view))]
        found = _from_source(found, asked.source) if asked.source else found
        # A mistyped name is marked where it is spelt right.
        stems = content_stems(" ".join((asked.q, *(entity.name for entity in entities[:1]))))
        return _hits(request, view, stems, found, _first_of_each(found, limit))


def _first_of_each(found: Sequence[Recalled], limit: int) -> list[Recalled]:
    """The best hits, and the best few of each section."""
    places: Counter[str] = Counter()
    shown = []
    for rank, hit in enumerate(found):
        places[_section(hit)] += 1
        if rank < limit or places[_section(hit)] <= LEAST_SHOWN:
            shown.append(hit)
    return shown


def _kinds(kind: str) -> frozenset[RecallKind]:
    chosen = next((each for each in ALL_KINDS if each == kind), None)
    return ALL_KINDS if chosen is None else frozenset({chosen})


def _from_source(found: Sequence[Recalled], source: str) -> list[Recalled]:
    """The hits whose source, title, key or author holds a text."""
    wanted = source.casefold()
    return [each for each in found if wanted in _source_text(each).casefold()]


def _source_text(hit: Recalled) -> str:
    if isinstance(hit, RecalledFact):
        return f"{hit.row.given or ''} {hit.row.source_key}"
    return f"{hit.chunk.title or ''} {hit.chunk.key} {hit.chunk.author or ''}"


def _hits(
    request: PageRequest, view: View, stems: Collection[str], found: Sequence[Recalled], shown: Sequence[Recalled]
) -> _Hits:
    facts = [each for each in shown if isinstance(each, RecalledFact)]
    passages = [each for each in shown if isinstance(each, RecalledPassage)]
    listed = fact_cards(view, [each.row for each in facts], request.at(view))
    listed = listed if request.clocks.is_now else compared_with_now(request.memory, listed)
    cards = {card.id: card for card in listed}
    documents = view.documents({each.chunk.document for each in passages})
    fact_hits = [
        FactHitCard(card, _why(each), tuple(highlight(card.text, stems, SNIPPET)))
        for each in facts
        if (card := cards.get(format_fact_id(each.row.fact.id))) is not None
    ]
    passage_hits = [
        PassageHitCard(
            each.kind,
            document_card(view, documents[each.chunk.document]),
            each.chunk.start,
            _why(each),
            tuple(highlight(each.body, stems, SNIPPET)),
            each.is_outdated,
        )
        for each in passages
        if each.chunk.document in documents
    ]
    memories = tuple(each for each in passage_hits if each.kind == MEMORY)
    others = tuple(each for each in passage_hits if each.kind != MEMORY)
    sections = Counter(map(_section, found))
    counts = {name: sections[name] for name in SECTIONS}
    return _Hits(tuple(fact_hits), others, memories, counts, len(shown) < len(found), _at_least(counts))


def _at_least(counts: Mapping[str, int]) -> frozenset[str]:
    """The sections of which recall looks at no more than it has found."""
    texts = {"passages", "memories"} if counts["passages"] + counts["memories"] >= MAX_PASSAGES else set()
    return frozenset(texts | ({"facts"} if counts["facts"] >= MAX_BY_WORDS else set()))


def _section(hit: Recalled) -> str:
    if isinstance(hit, RecalledFact):
        return "facts"
    return "memories" if hit.kind == MEMORY else "passages"


def _why(hit: Recalled) -> tuple[str, ...]:
    return tuple(WORDS.get(way, way) for way in hit.why)


PAGES = (Page("search", "search", show, has_clock=True),)
SECTION = WebSection("search", PAGES)
