"""Ranking of passages: hits, leads along names, fusion of scores, and newer before older."""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import NamedTuple

from recollect.model.ids import DocumentId, EntityId
from recollect.model.names import fold
from recollect.search.bm25 import Bm25Scores
from recollect.search.fusion_weights import FusionWeights
from recollect.search.passage_index import PassageIndex
from recollect.search.titles import find_titles_in_each
from recollect.store.passage_filter import MentionRow, PassageRow
from recollect.when.instant import DAY, HOUR, Instant


class HitExplanation(NamedTuple):
    """What each part contributed: `text` and `cosine` are the raw scores, the rest says what matched.

    `led_from` is the document whose text names this one; `score` is the sum before newer was put before older.
    `signals` are those that moved the hit most, where the learned ranker decided the order.
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
    signals: tuple[str, ...] = ()

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


class PassageHit(NamedTuple):
    """A passage that answers, best first by `score`; the score orders hits of one query, no more."""

    chunk: PassageRow
    score: float
    why: HitExplanation

    @property
    def document(self) -> DocumentId:
        return self.chunk.document


@dataclass(frozen=True, slots=True)
class PassageResults:
    """The hits of a query; `by_meaning` is false when there was no embedder to ask, and `note` says so.

    `common` are stems too frequent in a large store to scan; they are scored only for candidates found otherwise.
    """

    hits: tuple[PassageHit, ...]
    by_meaning: bool
    note: str | None = None
    common: tuple[str, ...] = ()


MAX_SEEDS = 5
MAX_HOLDERS = 10
MAX_ENTITIES = 40


@dataclass(frozen=True, slots=True)
class ExpansionSeed:
    """A passage to go on from, the score that nothing it leads to exceeds, and how good it is beside the best."""

    chunk: PassageRow
    ceiling: float
    strength: float


@dataclass(frozen=True, slots=True)
class ExpansionScore:
    """How strongly a document is led to, from which, and the score that it cannot exceed by that."""

    strength: float
    source: str
    ceiling: float


def follow_names(index: PassageIndex, seeds: Sequence[ExpansionSeed]) -> dict[DocumentId, ExpansionScore]:
    """The documents that the seeds name, each with its strongest lead: one step of a walk that starts at the seeds.

    A seed shares its strength among all it names; the root keeps a passage of many names from counting for nothing.
    """
    found: dict[DocumentId, ExpansionScore] = {}
    for seed, weights in zip(seeds, _documents_named(index, [seed.chunk for seed in seeds]), strict=True):
        total = sum(weights.values())
        for document, weight in weights.items():
            strength = seed.strength * sqrt(weight / total)
            if document not in found or found[document].strength < strength:
                found[document] = ExpansionScore(strength, seed.chunk.title or seed.chunk.key, seed.ceiling)
    return found


def _documents_named(index: PassageIndex, chunks: Sequence[PassageRow]) -> list[dict[DocumentId, float]]:
    """For each passage the documents it names: by their titles, else by a known entity that few mention."""
    titled = find_titles_in_each([chunk.text for chunk in chunks], index)
    by_entity = _documents_sharing_entities(index, chunks)
    found = []
    for chunk, names in zip(chunks, titled, strict=True):
        by_title = ([each.document for each in name.titled] for name in names)
        found.append(_weigh_documents([*by_title, *by_entity.get(chunk.number, ())], chunk.document))
    return found


def _weigh_documents(ways: Iterable[Sequence[DocumentId]], origin: DocumentId) -> dict[DocumentId, float]:
    weights: dict[DocumentId, float] = {}
    for documents in ways:
        others = [document for document in documents if document != origin]
        for document in others if len(others) <= MAX_HOLDERS else ():
            weights[document] = max(weights.get(document, 0.0), 1 / len(others))
    return weights


def _documents_sharing_entities(
    index: PassageIndex, chunks: Sequence[PassageRow]
) -> Mapping[int, list[Sequence[DocumentId]]]:
    """By passage, for each entity that its text names and that has no title of its own, who else mentions it."""
    found: dict[int, list[Sequence[DocumentId]]] = {}
    mentions = index.mentions({chunk.document for chunk in chunks})
    holders: dict[EntityId, list[DocumentId]] = {}
    for chunk in chunks:
        for entity in _entities_in(chunk, mentions)[: MAX_ENTITIES // len(chunks)]:
            if entity not in holders:
                holders[entity] = index.some_mentioning(entity, MAX_HOLDERS + 2)
            found.setdefault(chunk.number, []).append(holders[entity])
    return found


def _entities_in(chunk: PassageRow, mentions: Sequence[MentionRow]) -> list[EntityId]:
    text = fold(chunk.text)
    named = [each for each in mentions if each.document == chunk.document and each.folded in text]
    return sorted({each.entity for each in named})


CONVERSATION_GAP = HOUR
LEAD_CEILING = 0.999
LEAST_SHARE = 0.1
"""What is left at least of the score of a document that is dated after the day asked about."""
_ASKER = re.compile(r"(?:user|human|me):[ \t]", re.IGNORECASE)


class PassageCandidate(NamedTuple):
    """A passage with what text and vector search say of it, and which names and times of the query it meets.

    `is_later`: dated after the day asked about. `is_by_asker`: the query asks about the asker, who says this.
    """

    chunk: PassageRow
    text: float
    cosine: float | None
    names: tuple[str, ...] = ()
    times: tuple[str, ...] = ()
    has_title_match: bool = False
    lead: ExpansionScore | None = None
    is_later: bool = False
    is_by_asker: bool = False

    @property
    def likeness(self) -> float:
        """The scores of both searches together; zero for one that does not know the passage."""
        return self.text + max(0.0, self.cosine or 0.0)


def fuse_scores(
    candidates: Sequence[PassageCandidate], beside: Iterable[tuple[int, int]], weights: FusionWeights
) -> list[tuple[PassageCandidate, float, float]]:
    """Every candidate with a score above zero, with that score and the part that its neighbours add, best first."""
    own = {each.chunk.number: max(0.0, each.cosine or 0.0) + weights.text * each.text for each in candidates}
    lent = _context_scores({each.chunk.number: each.chunk for each in candidates}, beside, own)
    asker_scores = best_asker_scores(candidates, own)
    scored = []
    for each in candidates:
        context = weights.context * lent.get(each.chunk.number, 0.0)
        likeness = own[each.chunk.number] + context
        if likeness <= 0 and each.lead is None:
            continue
        total = score_without_lead(each, likeness, asker_scores.get(each.chunk.document, 0.0), weights)
        scored.append((each, _add_lead(total, each.lead, weights), context))
    return sorted(scored, key=lambda item: (-round(item[1], 6), item[0].chunk.place))


def score_without_lead(each: PassageCandidate, likeness: float, asker_score: float, weights: FusionWeights) -> float:
    """The score by words, meaning, names and times; `asker_score`: how well the asker's own words fit."""
    name = weights.title if each.has_title_match else weights.name * bool(each.names)
    total = likeness + name + weights.time * bool(each.times) + weights.asker * asker_score
    return max(total - weights.later, LEAST_SHARE * total) if each.is_later else total


def best_asker_scores(candidates: Iterable[PassageCandidate], own: Mapping[int, float]) -> dict[DocumentId, float]:
    """For each document the best score of what the asker says in it."""
    best: dict[DocumentId, float] = {}
    for each in candidates:
        if each.is_by_asker:
            best[each.chunk.document] = max(best.get(each.chunk.document, 0.0), own[each.chunk.number])
    return best


def is_later(chunk: PassageRow, at: Instant) -> bool:
    """Whether a passage is dated after the day asked about."""
    return chunk.source_at > at + DAY


def is_said_by_user(chunk: PassageRow) -> bool:
    """Whether a passage of a talk with an assistant begins with what the user says."""
    return bool(_ASKER.match(chunk.text.removeprefix(f"{chunk.title}\n")))


def _add_lead(total: float, lead: ExpansionScore | None, weights: FusionWeights) -> float:
    """The score with what a lead adds; it never puts a passage before the one that leads to it or one that is named."""
    return total if lead is None else max(total, min(total + weights.link * lead.strength, LEAD_CEILING * lead.ceiling))


def _context_scores(
    chunks: Mapping[int, PassageRow], beside: Iterable[tuple[int, int]], own: Mapping[int, float]
) -> dict[int, float]:
    """For each passage the better score of those said right before and after it in the same talk."""
    lent: dict[int, float] = {}
    for one, other in beside:
        if one in chunks and other in chunks and are_same_conversation(chunks[one], chunks[other]):
            lent[one] = max(lent.get(one, 0.0), own[other])
            lent[other] = max(lent.get(other, 0.0), own[one])
    return lent


def are_same_conversation(one: PassageRow, other: PassageRow) -> bool:
    """Whether two neighbouring passages are turns of one conversation."""
    if one.document == other.document:
        return one.kind == "conversation"
    is_near = abs(one.source_at - other.source_at) <= CONVERSATION_GAP
    return is_near and one.author is not None and other.author is not None and one.seq == other.seq == 0


def may_be_turn(chunk: PassageRow) -> bool:
    """Whether a passage can be of one conversation with any other; no period of days is a turn of one."""
    if chunk.kind == "memory":
        return chunk.type == "significant"
    return chunk.kind == "conversation" or (chunk.author is not None and chunk.seq == 0)


REORDER_DEPTH = 6
MIN_SHARED_WEIGHT = 0.35
CURRENT_REORDER_DEPTH = 10
CURRENT_SHARED_WEIGHT = 0.15
"""A question for what holds now looks further down, and needs fewer words in common."""
MIN_RELATIVE_SCORE = 0.5
PASSES = 2


@dataclass(frozen=True, slots=True)
class RecencyRule:
    """What decides whether a newer hit goes before an older one: words, the time asked at, turns, and what is asked."""

    text: Bm25Scores
    at: Instant
    turns: Collection[int] = ()
    asks_for_current: bool = False

    def is_news(self, hit: PassageHit) -> bool:
        """What comes after the day asked about is no news, and turns of a talk keep their order."""
        return not is_later(hit.chunk, self.at) and hit.chunk.number not in self.turns

    @property
    def depth(self) -> int:
        return CURRENT_REORDER_DEPTH if self.asks_for_current else REORDER_DEPTH

    @property
    def shared_weight(self) -> float:
        """The weight of the words that a hit must share with the older one."""
        return CURRENT_SHARED_WEIGHT if self.asks_for_current else MIN_SHARED_WEIGHT

    def replaces(self, hit: PassageHit, other: PassageHit) -> bool:
        is_newer = hit.chunk.source_at > other.chunk.source_at
        is_near = hit.why.score >= MIN_RELATIVE_SCORE * other.why.score
        shared = self.text.shared_weight(hit.chunk.number, other.chunk.number)
        return is_newer and is_near and shared >= self.shared_weight


def put_newest_first(hits: Sequence[PassageHit], rule: RecencyRule) -> list[PassageHit]:
    """The hits, a newer one moved before the first older one of the same thing.

    Two say something of the same thing when both hold words that make up a third of the query's weight, or a seventh
    where it asks for what holds now, and the newer is at least half as good.
    """
    order = list(hits[: rule.depth])
    for _ in range(PASSES):
        order = _reorder_once(order, rule)
    return [*order, *hits[rule.depth :]]


def _reorder_once(hits: Sequence[PassageHit], rule: RecencyRule) -> list[PassageHit]:
    order: list[PassageHit] = []
    for hit in hits:
        older = (at for at, other in enumerate(order) if rule.is_news(hit) and rule.replaces(hit, other))
        place = next(older, len(order))
        best = order[place].score if place < len(order) else hit.score
        order.insert(place, hit._replace(score=max(best, hit.score)))
    return order


def conversation_turns(candidates: Iterable[PassageCandidate], beside: Iterable[tuple[int, int]]) -> set[int]:
    """Passages that are turns, each a document of its own, of a talk that goes on before or after them."""
    chunks = {each.chunk.number: each.chunk for each in candidates}
    found: set[int] = set()
    for one, other in beside:
        if one in chunks and other in chunks and chunks[one].document != chunks[other].document:
            found |= {one, other} if are_same_conversation(chunks[one], chunks[other]) else set()
    return found
