"""Search by name: candidate entities for a fragment, documents and passages that hold a name."""

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Literal, NamedTuple

from recollect.model.document import passage_body
from recollect.model.ids import ENTITY_PREFIX, DocumentId, EntityId, is_id, read_id
from recollect.model.names import ANY_TYPE, Name, fold
from recollect.model.spelling_variants import SHORTEST_PART, suffix_query_keys
from recollect.resolve.name_finder import SHORTEST_NAME, find_names
from recollect.resolve.port import NameIndex
from recollect.resolve.resolver import fuzzy_candidates
from recollect.resolve.suggestions import prefix_matches, suggest
from recollect.search.passage_index import PassageIndex
from recollect.store.document_queries import documents_naming, entities_in_documents
from recollect.store.entity_queries import names_like, names_of_entities, names_with_tokens, tokens_containing
from recollect.store.passage_filter import PassageFilter, PassageRow
from recollect.store.view import View
from recollect.text.stop_words import STOP_WORDS
from recollect.text.tokens import name_tokens, terms, unspaced_run

NameMatchKind = Literal["exact", "alias", "prefix", "substring", "fuzzy"]
SCORES: dict[NameMatchKind, float] = {"exact": 1.0, "alias": 0.95, "prefix": 0.8, "substring": 0.6, "fuzzy": 0.5}
MAX_ROWS = 1000


class NameHit(NamedTuple):
    """An entity, how the text meets one of its names, and that name if it is an alias."""

    entity: EntityId
    match: NameMatchKind
    alias: str | None

    @property
    def score(self) -> float:
        return SCORES[self.match]


def find_candidates(view: View, index: NameIndex, text: str) -> list[NameHit]:
    """Each entity once, by its best match; best first, then by id."""
    return _best_per_entity(_find_hits(view, index, text))


def suggest_candidates(index: NameIndex, text: str, limit: int) -> list[NameHit]:
    """What to offer for a text that names nothing: entities that share a word with it, or nearly."""
    return [_make_hit(each.name, "fuzzy") for each in suggest(index, text, limit=limit)]


def _find_hits(view: View, index: NameIndex, text: str) -> Iterator[NameHit]:
    if is_id(text, ENTITY_PREFIX):
        match = index.by_id(EntityId(read_id(text, ENTITY_PREFIX)))
        if match is not None:
            yield NameHit(match.entity, "exact", None)
    folded = fold(text)
    for name in view.names_matching(folded):
        if name.kind in ("name", "alias"):
            yield _make_hit(name, "exact" if name.kind == "name" else "alias")
    for each in prefix_matches(index, text):
        yield _make_hit(each.name, "prefix")
    yield from (_make_hit(name, "substring") for name in _names_containing(view, index, folded))
    for each in fuzzy_candidates(index, text):
        yield _make_hit(each.name, "fuzzy")


def _names_containing(view: View, index: NameIndex, folded: str) -> Iterator[Name]:
    """Names with the text anywhere inside, found by the longest of its tokens, which stands in one of theirs."""
    if len(folded) < SHORTEST_PART:
        return
    longest = max(name_tokens(folded), key=len, default="")
    found = _by_token(view, index, longest) if len(longest) >= SHORTEST_PART else names_like(view, folded, MAX_ROWS)
    yield from (name for name in found if folded in name.folded)


def _by_token(view: View, index: NameIndex, text: str) -> Iterator[Name]:
    within = {each for key in suffix_query_keys(text) for each in tokens_containing(view, text, key, MAX_ROWS)}
    yield from names_with_tokens(view, sorted(within), MAX_ROWS)
    yield from index.with_word_start(text, ANY_TYPE, MAX_ROWS)


def _make_hit(name: Name, match: NameMatchKind) -> NameHit:
    return NameHit(name.entity, match, name.spelling if name.kind == "alias" else None)


def _best_per_entity(hits: Iterable[NameHit]) -> list[NameHit]:
    best: dict[EntityId, NameHit] = {}
    for hit in hits:
        previous = best.get(hit.entity)
        if previous is None or (-hit.score, hit.alias or "") < (-previous.score, previous.alias or ""):
            best[hit.entity] = hit
    return sorted(best.values(), key=lambda hit: (-hit.score, hit.entity))


FEW_PASSAGES = 1_000
"""So many passages are looked at sooner than another word is looked up."""
_TOKEN_GAP = r"[\s\-_./]+"


def documents_with_names(view: View, index: PassageIndex, entities: Collection[EntityId]) -> set[DocumentId]:
    named = {name.folded for name in names_of_entities(view, entities) if _can_be_spotted(name.folded)}
    return documents_naming(view, entities).union(*(_documents_holding(index, folded) for folded in named))


def _can_be_spotted(folded: str) -> bool:
    own = name_tokens(folded)
    return len(folded) >= SHORTEST_NAME and bool(own) and not all(token in STOP_WORDS for token in own)


def _documents_holding(index: PassageIndex, folded: str) -> Iterator[DocumentId]:
    """The documents in which a name stands as whole tokens."""
    numbers: set[int] | None = None
    for term in sorted(set(terms(folded)), key=lambda term: (not any(map(str.isdigit, term)), -len(term), term)):
        if numbers is None or len(numbers) > FEW_PASSAGES:
            containing = index.postings(term, PassageFilter()).numbers()
            numbers = containing if numbers is None else numbers & containing
    pattern = _whole_token_pattern(folded)
    for chunk in index.chunks(numbers or (), PassageFilter()).values():
        if pattern.search(fold(chunk.text)):
            yield chunk.document


def _whole_token_pattern(folded: str) -> re.Pattern[str]:
    """A name where it stands; where words have no spaces between them, anywhere."""
    before = "" if unspaced_run().match(folded[0]) else r"(?<![^\W_])"
    right_boundary = "" if unspaced_run().match(folded[-1]) else r"(?![^\W_])"
    return re.compile(f"{before}{_TOKEN_GAP.join(map(re.escape, name_tokens(folded)))}{right_boundary}")


def entities_in(view: View, documents: Collection[DocumentId]) -> dict[DocumentId, set[EntityId]]:
    """By document, the entities that it lists or that its facts end in."""
    found: dict[DocumentId, set[EntityId]] = {document: set() for document in documents}
    for document, entity in entities_in_documents(view, documents):
        found[document].add(entity)
    return found


def entities_named_in(view: View, texts: Sequence[str]) -> set[EntityId]:
    """The entities whose names stand in texts, all of those that share one."""
    return {entity for text in texts for each in find_names(view, text) for entity in each.entities}


class NameCounter:
    """Counts the names of one thing in texts, the longest first, so that no part of one counts again."""

    def __init__(self, names: Collection[str]) -> None:
        self.folded_names = sorted({fold(name) for name in names if fold(name)}, key=lambda name: (-len(name), name))
        words = "|".join(re.escape(name) for name in self.folded_names)
        self._pattern = re.compile(rf"(?<!\w)(?:{words})(?!\w)") if words else None

    def count(self, text: str) -> int:
        return len(self._pattern.findall(fold(text))) if self._pattern else 0


class NamedPassage(NamedTuple):
    """A passage and how often it names the thing."""

    chunk: PassageRow
    mentions: int


def passages_naming(index: PassageIndex, names: NameCounter, where: PassageFilter) -> dict[int, NamedPassage]:
    """The passages whose own words name the thing, by number."""
    numbers = {number for name in names.folded_names for number in _passages_with_stems(index, terms(name), where)}
    counted = {
        number: NamedPassage(chunk, names.count(passage_body(chunk)))
        for number, chunk in index.chunks(numbers, where).items()
    }
    return {number: each for number, each in counted.items() if each.mentions}


def _passages_with_stems(index: PassageIndex, stems: Sequence[str], where: PassageFilter) -> set[int]:
    """The passages that hold all stems of a name."""
    containing: set[int] | None = None
    for stem in dict.fromkeys(stems):
        found = index.postings(stem, where).numbers()
        containing = found if containing is None else containing & found
        if not containing:
            break
    return containing or set()
