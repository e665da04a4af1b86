"""Scores of two legs and of what surrounds a passage, made one."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from recollect.search.linked import Led
from recollect.store.found import FoundChunk
from recollect.when.instant import HOUR

SAME_TALK = HOUR
JUST_BELOW = 0.999


@dataclass(frozen=True, slots=True)
class Weights:
    """What each part is worth beside one unit of cosine; docs/decisions/search.md says how they were found."""

    text: float = 0.7
    name: float = 0.15
    time: float = 0.15
    context: float = 0.4
    title: float = 0.45
    link: float = 0.9


MEASURED = Weights()


@dataclass(frozen=True, slots=True)
class Candidate:
    """A passage with what both legs say of it, and which names and times of the query it meets."""

    chunk: FoundChunk
    text: float
    cosine: float | None
    names: tuple[str, ...] = ()
    times: tuple[str, ...] = ()
    is_titled: bool = False
    lead: Led | None = None

    @property
    def likeness(self) -> float:
        """Both legs together, as far as they know the passage."""
        return self.text + max(0.0, self.cosine or 0.0)


def fused(
    candidates: Sequence[Candidate], beside: Iterable[tuple[int, int]], weights: Weights
) -> list[tuple[Candidate, float, float]]:
    """Every candidate that has any, with its score and the part of it that its neighbours lent, best first."""
    own = {each.chunk.number: max(0.0, each.cosine or 0.0) + weights.text * each.text for each in candidates}
    lent = _lent({each.chunk.number: each.chunk for each in candidates}, beside, own)
    scored = []
    for each in candidates:
        context = weights.context * lent.get(each.chunk.number, 0.0)
        if own[each.chunk.number] + context <= 0 and each.lead is None:
            continue
        name = weights.title if each.is_titled else weights.name * bool(each.names)
        total = own[each.chunk.number] + context + name + weights.time * bool(each.times)
        scored.append((each, _lifted(total, each.lead, weights), context))
    return sorted(scored, key=lambda item: (-round(item[1], 6), item[0].chunk.number))


def _lifted(total: float, lead: Led | None, weights: Weights) -> float:
    """The score with what a lead adds; a lead never puts a passage before the one that leads to it."""
    return total if lead is None else max(total, min(total + weights.link * lead.strength, JUST_BELOW * lead.most))


def _lent(
    chunks: Mapping[int, FoundChunk], beside: Iterable[tuple[int, int]], own: Mapping[int, float]
) -> dict[int, float]:
    """For each passage the better score of those said right before and after it in the same talk."""
    lent: dict[int, float] = {}
    for one, other in beside:
        if one in chunks and other in chunks and are_one_talk(chunks[one], chunks[other]):
            lent[one] = max(lent.get(one, 0.0), own[other])
            lent[other] = max(lent.get(other, 0.0), own[one])
    return lent


def are_one_talk(one: FoundChunk, other: FoundChunk) -> bool:
    """Whether two neighbouring passages are turns of one conversation."""
    if one.document == other.document:
        return one.kind == "conversation"
    is_near = abs(one.source_at - other.source_at) <= SAME_TALK
    return is_near and one.author is not None and other.author is not None and one.seq == other.seq == 0
