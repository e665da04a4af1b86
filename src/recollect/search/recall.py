"""Recall: facts and passages that answer a question, in one ranking.

Both kinds are scored on one scale (cosine, share of the question's words, names). What shares neither a name nor a
salient word with the question must reach a cosine, else it is left out: an unrelated question finds nothing.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import islice
from typing import Literal

from recollect.embed.cached import PrecomputedEmbedder
from recollect.embed.port import Embedder, EmbeddingFailed
from recollect.memory import Memory
from recollect.model.fact import Fact
from recollect.model.ids import EntityId, FactId
from recollect.model.names import PEOPLE, fold
from recollect.model.sentence import claim_text
from recollect.resolve.name_finder import NameSpan
from recollect.search.dates import QuestionDates, question_dates
from recollect.search.fact_relevance import FactRelevance, is_name_of_unknown, texts_near_by_name_only
from recollect.search.fact_search import (
    MAX_WAITING,
    FactHit,
    FactQuestion,
    fact_meaning,
    find_facts,
    is_allowed,
    tokens_by_entity,
)
from recollect.search.index_terms import content_stems, index_forms, light_tokens, statement_stems
from recollect.search.name_search import NameCounter, passages_naming
from recollect.search.passage_index import RestrictedIndex
from recollect.search.passage_search import SearchRequest, search_passages
from recollect.search.ranking import PassageHit
from recollect.search.recall_results import (
    PassageKind,
    PastFacts,
    Recalled,
    RecalledFact,
    RecalledPassage,
    add_replacements,
    all_words,
    below_current_values,
    current_first,
    id_of,
    kind_of,
    mark_passages,
    past_among,
    rank_key,
    without_named_only,
    without_repeats,
    without_tail,
)
from recollect.search.relevance import RelevanceFloor, is_unsupported_by_encoder
from recollect.search.titles import has_unknown_possessor, question_names
from recollect.store.document_queries import passage_lengths
from recollect.store.entity_queries import names_with_tokens
from recollect.store.fact_index import FactIndex
from recollect.store.fact_queries import facts_stated_in
from recollect.store.passage_filter import PassageFilter
from recollect.store.passage_index import StoredPassageIndex
from recollect.store.text_index import TermAlternatives
from recollect.store.vector_codes import count_comparable_texts
from recollect.store.view import View
from recollect.text.tokens import name_tokens
from recollect.when.instant import MAX, MIN
from recollect.when.span import Span

MAX_PASSAGES = 40
FIRST_FEW = 3
MAX_ABOUT_DOCUMENTS = 1_000

RecallKind = Literal["facts", "notes", "documents", "memories"]
ALL_KINDS: frozenset[RecallKind] = frozenset({"facts", "notes", "documents", "memories"})

_PLURALS: Mapping[PassageKind, RecallKind] = {"note": "notes", "document": "documents", "memory": "memories"}


@dataclass(frozen=True, slots=True)
class RecallRequest:
    """A question; `at` is the time of the world that counts as now, `since` and `until` bound the time of sources."""

    text: str
    at: Span
    about: EntityId | None = None
    owner: EntityId | None = None
    since: int = MIN
    until: int = MAX
    kinds: frozenset[RecallKind] = ALL_KINDS
    with_near_misses: bool = True
    """Whether the next nearest stand beside an answer where few are above the floor."""
    most_waiting: int = MAX_WAITING
    """How many facts that have no vector yet are embedded for the answer."""


def no_past_facts(_: Sequence[Fact]) -> Collection[FactId]:
    return ()


def recall(memory: Memory, view: View, request: RecallRequest, past_facts: PastFacts = no_past_facts) -> list[Recalled]:
    """What answers the question, best first."""
    return _Recall(memory, view, request, past_facts).results()


def relevance_floor(view: View, question: str, embedder: Embedder | None) -> RelevanceFloor:
    """What an answer to a question must have in common with it in this workspace."""
    texts, is_foreign = count_comparable_texts(view, embedder), is_unsupported_by_encoder(question, embedder)
    return RelevanceFloor.of(question, partial(is_word_known, view), texts, is_foreign=is_foreign)


def is_passage_near(hit: PassageHit, floor: RelevanceFloor) -> bool:
    """Whether a passage is near enough by its own words, without what neighbours and leads add to its score."""
    return bool(hit.why.names) or floor.admits(content_stems(hit.chunk.text), hit.why.cosine)


@dataclass(slots=True)
class _Recall:
    memory: Memory
    view: View
    request: RecallRequest
    past_facts: PastFacts
    _embedder: Embedder | None = field(init=False)
    _floor: RelevanceFloor = field(init=False)
    _meant: tuple[EntityId, ...] = field(init=False)
    _names: tuple[NameSpan, ...] = field(init=False)
    _relevance: FactRelevance = field(init=False)
    _days: QuestionDates = field(init=False)
    _fact_hits: Sequence[FactHit] = field(init=False)
    _passage_hits: Sequence[PassageHit] = field(init=False)

    def __post_init__(self) -> None:
        owner = self.request.owner
        named = question_names(self.view, self.request.text, owner)
        self._names, self._days = named.spans, question_dates(self.view, self.request.text)
        self._meant = (owner,) if owner is not None and named.means_owner else ()
        self._embedder = _embedder_for(self.memory.embedder, self.request.text)
        self._floor = relevance_floor(self.view, self.request.text, self._embedder)
        self._relevance = self._relevance_of_facts()
        self._fact_hits, self._passage_hits = self._find_facts(), self._find_passages()

    def results(self) -> list[Recalled]:
        """What is above the floor; where that is little, the next nearest, so that a near miss is seen as well."""
        found, request = self._above(self._relevance), self.request
        if not found and request.with_near_misses:
            return self._of_named_ones()
        if not request.with_near_misses or request.about is not None or not 0 < len(found) < FIRST_FEW:
            return found
        floor = self._floor.lowered()
        nearer, ids = self._above(replace(self._relevance, floor=floor)), {*map(id_of, found)}
        best = [each for each in nearer if id_of(each) in ids]
        others = (each for each in nearer if id_of(each) not in ids)
        return [*best, *islice(others, FIRST_FEW - len(best))]

    def _of_named_ones(self) -> list[Recalled]:
        """The best few facts about whom the question names, where nothing answers it."""
        named = [hit for hit in self._relevance.named_only(self._fact_hits, ()) if hit.is_named]
        question, recalled = self._fact_question(), [self._recalled_fact(hit, (), {hit.row.fact.id}) for hit in named]
        return [each for each in recalled if is_allowed(each.row, question)]

    def _above(self, relevance: FactRelevance) -> list[Recalled]:
        facts, passages = self._facts(relevance), self._passages(relevance.floor)
        if any(each.says_more for each in facts) or any(each.says_more for each in passages):
            facts = without_named_only(facts)
        kept = without_repeats(passages, [each.row for each in facts])
        facts = current_first(self._at_better_rank(facts, [each for each in passages if each not in kept]))
        passages = self._below_named_facts(below_current_values(self.view, kept, facts), facts)
        return without_tail(sorted([*facts, *passages], key=rank_key))

    def _at_better_rank(self, facts: Sequence[RecalledFact], repeats: Sequence[RecalledPassage]) -> list[RecalledFact]:
        """The facts; one that says all of the note it comes from is as near as that note, for which it stands."""
        best: dict[FactId, float] = {}
        stated = facts_stated_in(self.view, {each.chunk.document for each in repeats})
        words = {each.row.fact.id: statement_stems(all_words(each.row)) for each in facts} if stated else {}
        for each in repeats:
            said = statement_stems(each.body)
            for fact in stated.get(each.chunk.document, ()):
                if said <= words.get(fact, frozenset()):
                    best[fact] = max(each.score, best.get(fact, 0.0))
        return [replace(each, score=max(each.score, best.get(each.row.fact.id, 0.0))) for each in facts]

    def _below_named_facts(
        self, passages: Sequence[RecalledPassage], facts: Sequence[RecalledFact]
    ) -> list[RecalledPassage]:
        """The passages; one that does not mention what the question names stays below the facts about that."""
        named = {entity for each in self._names for entity in each.entities}
        about = (each for each in facts if not each.is_named_only and not named.isdisjoint(_ends(each.row.fact)))
        best = max((each.score for each in about), default=None)
        if best is None:
            return list(passages)
        return [each if each.is_named else each.below(best) for each in passages]

    def _find_facts(self) -> list[FactHit]:
        if "facts" not in self.request.kinds:
            return []
        matrices, most = self.memory.cache.vectors, self.request.most_waiting
        meaning = fact_meaning(self.view, matrices, self._embedder, self.request.text, most)
        return find_facts(self.view, self._fact_question(), meaning)

    def _facts(self, relevance: FactRelevance) -> list[RecalledFact]:
        hits = self._fact_hits
        answers = hits if self.request.about is not None else relevance.answers(hits)
        fallback = {hit.row.fact.id for hit in relevance.named_only(hits, answers)}
        kept = fallback | {hit.row.fact.id for hit in answers}
        hits = self._without_strangers([hit for hit in hits if hit.row.fact.id in kept])
        past = past_among([hit.row.fact for hit in hits], self.request.at, self.past_facts)
        recalled = [self._recalled_fact(hit, past, fallback) for hit in hits]
        question, found = self._fact_question(), add_replacements(self.view, recalled, self.request.at)
        return current_first([each for each in found if is_allowed(each.row, question)])

    def _without_strangers(self, hits: Sequence[FactHit]) -> list[FactHit]:
        """The facts without those that only name the person whom the question asks about."""
        doubtful = {
            hit.row.fact.id: (claim_text(hit.row.fact, hit.row.subject_name, hit.row.object_name), hit.cosine)
            for hit in hits
            if hit.is_named and hit.cosine is not None and not self._shares_meaning(hit)
        }
        far = self._far({text: cosine for text, cosine in doubtful.values() if cosine is not None})
        return [hit for hit in hits if doubtful.get(hit.row.fact.id, ("", None))[0] not in far]

    def _shares_meaning(self, hit: FactHit) -> bool:
        return self._relevance.has_salient_word(hit) or self._relevance.is_related(hit)

    def _far(self, texts: Mapping[str, float]) -> set[str]:
        """Those of some texts which share with a question about a person nothing but the name."""
        if self._embedder is None or self.request.about is not None or not self._relevance.asked_for:
            return set()
        named = self.view.entities({entity for each in self._names for entity in each.entities}).values()
        people = {each.name for each in named if each.type in PEOPLE or is_name_of_unknown(each)}
        if not people:
            return set()
        names = people | {self.request.text[each.start : each.stop] for each in self._names}
        return texts_near_by_name_only(self._embedder, self.request.text, names, texts)

    def _recalled_fact(self, hit: FactHit, past: Collection[FactId], fallback: Collection[FactId]) -> RecalledFact:
        id_ = hit.row.fact.id
        says_more = id_ not in fallback and (self._relevance.says_more(hit.words) or self._relevance.is_related(hit))
        is_named = hit.is_named or hit.is_meant
        score = hit.score * self._days.fact_weight(hit.row.fact)
        return RecalledFact(hit.row, score, is_named, id_ in past, _ways_to(hit), id_ in fallback, says_more)

    def _fact_question(self) -> FactQuestion:
        request = self.request
        return FactQuestion(request.text, self._meant, request.about, request.since, request.until, self._names)

    def _relevance_of_facts(self) -> FactRelevance:
        tokens = tokens_by_entity(self.request.text, self._names)
        named = self.view.entities({entity for each in self._names for entity in each.entities})
        return FactRelevance(
            self._floor,
            self.request.at,
            frozenset[str]().union(*tokens.values()),
            any(entity.type in PEOPLE for entity in named.values())
            or has_unknown_possessor(self.request.text, self._names),
            not content_stems(self.request.text) - light_tokens(),
        )

    def _find_passages(self) -> Sequence[PassageHit]:
        view, request = self.view, self.request
        if not request.kinds - {"facts"}:
            return ()
        named = () if request.about is None else (request.about,)
        where = _passage_filter(request)
        search = SearchRequest(
            request.text, view.now, view.world.zone, where, named, limit=MAX_PASSAGES, one_per_document=False
        )
        return search_passages(self._index(where), search, self._embedder).hits

    def _passages(self, floor: RelevanceFloor) -> list[RecalledPassage]:
        found = self._passage_hits
        is_about = self.request.about is not None
        kept = [self._recalled_passage(hit) for hit in found if is_about or is_passage_near(hit, floor)]
        kept = [each for each in kept if _PLURALS[each.kind] in self.request.kinds]
        cosines = {hit.chunk.number: hit.why.cosine for hit in found}
        doubtful = {each.body: cosines.get(each.chunk.number) for each in kept if not each.says_more}
        far = self._far({body: cosine for body, cosine in doubtful.items() if cosine is not None})
        return self._mark_outdated([each for each in kept if each.says_more or each.body not in far])

    def _index(self, where: PassageFilter) -> StoredPassageIndex:
        """All passages, or those that concern one entity."""
        view, vectors = self.view, self.memory.cache.vectors
        index = StoredPassageIndex(view, vectors)
        entity = None if self.request.about is None else view.entity(self.request.about)
        if entity is None:
            return index
        naming = passages_naming(index, NameCounter([entity.name, *view.aliases(entity)]), where)
        lengths = {number: each.chunk.stop - each.chunk.start for number, each in naming.items()}
        mentioning = index.some_mentioning(entity.id, MAX_ABOUT_DOCUMENTS)
        return RestrictedIndex(view, vectors, lengths | passage_lengths(view, mentioning))

    def _recalled_passage(self, hit: PassageHit) -> RecalledPassage:
        says_more = self._relevance.says_more(content_stems(hit.chunk.text))
        named, score = bool(hit.why.names), hit.score * self._days.weight(hit.chunk.source_at)
        return RecalledPassage(
            hit.chunk, kind_of(hit.chunk), score, why=hit.why.via, says_more=says_more, is_named=named
        )

    def _mark_outdated(self, passages: Sequence[RecalledPassage]) -> list[RecalledPassage]:
        shown = mark_passages(self.view, passages, self.request.at, self.past_facts)
        return [each for each in shown if self._is_still_near(each)]

    def _is_still_near(self, passage: RecalledPassage) -> bool:
        """Whether a passage answers without what is hidden of it, too."""
        return not passage.hidden or not passage.says_more or self._relevance.says_more(content_stems(passage.body))


def _embedder_for(embedder: Embedder | None, text: str) -> Embedder | None:
    """An embedder that has the vector of the question already; none if the model does not answer."""
    try:
        return None if embedder is None else PrecomputedEmbedder(embedder, [text])
    except EmbeddingFailed:
        return None


def _passage_filter(request: RecallRequest) -> PassageFilter:
    """What a filter can express of the kinds asked for; the rest is left out afterwards."""
    kinds: frozenset[str] = frozenset()
    types: frozenset[str] = frozenset()
    match sorted(request.kinds - {"facts"}):
        case ["memories"]:
            kinds = frozenset({"memory"})
        case ["notes"]:
            kinds, types = frozenset({"record"}), frozenset({"note"})
    return PassageFilter(kinds, types, since=request.since, until=request.until)


def _ends(fact: Fact) -> set[EntityId | None]:
    return {fact.subject, fact.object}


def _ways_to(hit: FactHit) -> tuple[str, ...]:
    ways = {"text": bool(hit.words - hit.name_words), "meaning": bool(hit.cosine), "name": hit.is_named}
    return tuple(way for way, has_led in ways.items() if has_led)


MANY_FACTS = 50
"""So many facts with a word in any version are not looked at one by one."""


def is_word_known(view: View, word: str) -> bool:
    """Whether any fact, passage, author or name holds a word, or a part of it."""
    if any(names_with_tokens(view, name_tokens(fold(word)), 1)) or StoredPassageIndex(view).authors_called(word):
        return True
    return any(_is_in_facts(view, ways) or _is_in_passages(view, ways) for ways in index_forms(word).values())


def _is_in_facts(view: View, ways: TermAlternatives) -> bool:
    # The index holds what was taken back, too.
    index = FactIndex(view)
    if not index.document_frequency(ways):
        return False
    found = [*index.containing_all([ways], MANY_FACTS), *index.unindexed_containing(ways)]
    return len(found) >= MANY_FACTS or any(not row.fact.is_retracted for row in view.fact_rows(found))


def _is_in_passages(view: View, ways: TermAlternatives) -> bool:
    index = StoredPassageIndex(view)
    return bool(index.document_frequency(ways) and index.containing_all([ways], PassageFilter(), 1))
