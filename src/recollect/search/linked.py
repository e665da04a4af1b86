"""Passages that the best ones lead to: those about the names they mention."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import sqrt

from recollect.model.ids import DocumentId, EntityId
from recollect.model.names import fold
from recollect.search.named import named_in_each
from recollect.search.port import Index
from recollect.store.found import FoundChunk, Mention

SEEDS = 5
FEW = 10
ENTITIES = 40


@dataclass(frozen=True, slots=True)
class Seed:
    """A passage to go on from, its score, and how good that is beside the best."""

    chunk: FoundChunk
    score: float
    strength: float


@dataclass(frozen=True, slots=True)
class Led:
    """How strongly a document is led to, from which, and how good that one is."""

    strength: float
    since: str
    most: float


def led_to(index: Index, seeds: Sequence[Seed]) -> dict[DocumentId, Led]:
    """The documents that the seeds name, each with its strongest lead: one step of a walk that starts at the seeds.

    A seed shares its strength among all it names; the root keeps a passage of many names from counting for nothing.
    """
    found: dict[DocumentId, Led] = {}
    for seed, weights in zip(seeds, _named(index, [seed.chunk for seed in seeds]), strict=True):
        total = sum(weights.values())
        for document, weight in weights.items():
            strength = seed.strength * sqrt(weight / total)
            if document not in found or found[document].strength < strength:
                found[document] = Led(strength, seed.chunk.title or seed.chunk.key, seed.score)
    return found


def _named(index: Index, chunks: Sequence[FoundChunk]) -> list[dict[DocumentId, float]]:
    """For each passage the documents it names: by their titles, else by a known entity that few mention."""
    titled = named_in_each([chunk.text for chunk in chunks], index)
    held = _mentioned(index, chunks)
    found = []
    for chunk, names in zip(chunks, titled, strict=True):
        by_title = ([each.document for each in name.titled] for name in names)
        found.append(_weighed([*by_title, *held.get(chunk.number, ())], chunk.document))
    return found


def _weighed(ways: Iterable[Sequence[DocumentId]], origin: DocumentId) -> dict[DocumentId, float]:
    weights: dict[DocumentId, float] = {}
    for documents in ways:
        others = [document for document in documents if document != origin]
        for document in others if len(others) <= FEW else ():
            weights[document] = max(weights.get(document, 0.0), 1 / len(others))
    return weights


def _mentioned(index: Index, chunks: Sequence[FoundChunk]) -> Mapping[int, list[Sequence[DocumentId]]]:
    """By passage, for each entity that its text names and that has no title of its own, who else mentions it."""
    found: dict[int, list[Sequence[DocumentId]]] = {}
    mentions = index.mentions({chunk.document for chunk in chunks})
    holders: dict[EntityId, list[DocumentId]] = {}
    for chunk in chunks:
        for entity in _entities_in(chunk, mentions)[: ENTITIES // len(chunks)]:
            if entity not in holders:
                holders[entity] = index.some_mentioning(entity, FEW + 2)
            found.setdefault(chunk.number, []).append(holders[entity])
    return found


def _entities_in(chunk: FoundChunk, mentions: Sequence[Mention]) -> list[EntityId]:
    text = fold(chunk.text)
    named = [each for each in mentions if each.document == chunk.document and each.folded in text]
    return sorted({each.entity for each in named})
