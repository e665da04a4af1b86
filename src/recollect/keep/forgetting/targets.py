"""What is to be erased: the things that ids name, and everything that rests on them alone."""

import json
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from recollect.errors import NotKnown
from recollect.keep.chats.daily_bullets import is_imported_bullet
from recollect.keep.markdown import parse_blocks
from recollect.keep.problems import Ambiguous
from recollect.model.ids import ENTITY_PREFIX, FACT_PREFIX, BadId, DocumentId, EntityId, FactId, format_uuid, read_id
from recollect.store.view import View

ERASABLE_KINDS = ("memory", "identity", "record", "conversation", "lore_source", "encounter", "artifact")


class UnknownErasureTarget(NotKnown):
    def __init__(self, given: str) -> None:
        shown = given if len(given) <= 80 else f"{given[:80]}…"
        super().__init__(f"there is nothing with the id {shown!r} here; nothing was forgotten")


class ErasureTargets(NamedTuple):
    """What is to be forgotten."""

    documents: frozenset[DocumentId] = frozenset()
    facts: frozenset[FactId] = frozenset()
    entities: frozenset[EntityId] = frozenset()

    def union(self, other: "ErasureTargets") -> "ErasureTargets":
        return ErasureTargets(
            self.documents | other.documents, self.facts | other.facts, self.entities | other.entities
        )


def find_targets(view: View, ids: Sequence[str]) -> ErasureTargets:
    """Everything that the ids name, deleted or not; refused as a whole if one of them is unknown."""
    found = ErasureTargets()
    for given in ids:
        found = found.union(_find_target(view, given.strip()))
    return found


def _find_target(view: View, given: str) -> ErasureTargets:
    candidates = list(dict.fromkeys(_candidates(view, given)))
    if not candidates:
        raise UnknownErasureTarget(given)
    if len(candidates) > 1:
        choices = [format_uuid(id_) for each in candidates for id_ in each.documents]
        raise Ambiguous(f"{given!r} may be one of several documents; pass one of these ids", choices, field="id")
    return candidates[0]


def _candidates(view: View, given: str) -> Iterator[ErasureTargets]:
    entity, fact, document = (_parse_id(given, prefix) for prefix in (ENTITY_PREFIX, FACT_PREFIX, ""))
    if entity is not None and view.rows("entity_ever", id=entity):
        yield ErasureTargets(entities=frozenset({EntityId(entity)}))
    elif fact is not None and view.rows("fact_ever", id=fact):
        yield ErasureTargets(facts=frozenset({FactId(fact)}))
    elif document is not None and view.rows("document_ever", id=document):
        yield ErasureTargets(documents=frozenset({DocumentId(document)}))
    else:
        for id_, _ in view.rows("documents_keyed", kinds=ERASABLE_KINDS, key=given):
            yield ErasureTargets(documents=frozenset({DocumentId(id_)}))


def _parse_id(text: str, prefix: str) -> str | None:
    try:
        return read_id(text, prefix)
    except BadId:
        return None


@dataclass(slots=True)
class ErasureSet:
    """All that is to be erased, and what of it is only partly supported by what goes."""

    documents: set[DocumentId]
    facts: set[FactId]
    entities: set[EntityId]
    assertions: set[str] = field(default_factory=set)
    weakened_facts: set[FactId] = field(default_factory=set)
    """Facts that another source supports; what they quote of a forgotten one goes."""
    quotes: set[str] = field(default_factory=set)
    """What was quoted of the forgotten."""
    rebuilt_summaries: set[DocumentId] = field(default_factory=set)
    """Summaries that were made of it; the next run makes them anew of what is left."""
    still_in: set[str] = field(default_factory=set)
    """Documents that stay, by their keys, in which some of its words may stand."""


def erasure_set_of(view: View, things: ErasureTargets) -> ErasureSet:
    """Everything that has to go with these things."""
    found = ErasureSet(set(things.documents), set(things.facts), set(things.entities))
    _add_daily_memories(view, found)
    _add_summaries(view, found)
    found.facts |= {FactId(row[0]) for row in _rows(view, "facts_ever_touching", found.entities)}
    _add_assertions(view, found)
    _add_entities(view, found)
    _add_texts_naming(view, found)
    return found


def _rows(view: View, query: str, ids: Collection[str]) -> list[tuple[str, ...]]:
    return view.rows(query, ids=sorted(ids)) if ids else []


def _add_daily_memories(view: View, found: ErasureSet) -> None:
    """Daily memories that say nothing but what came from forgotten conversations."""
    for document in sorted(found.documents):
        for memory in {row[0] for row in view.rows("chat_bullets_of", document=document)}:
            held = view.document_named("memory", memory)
            rows = view.rows("chat_bullets_by_memory", memory=memory)
            ours = {hash_ for source, hash_ in rows if source in found.documents}
            if held is None:
                continue
            texts = [text for _, text in view.rows("document_texts_ever", document=held.id) if text]
            if all(_has_only_bullets(text, ours) for text in texts):
                found.documents.add(held.id)
            else:
                found.still_in.add(memory)


def _has_only_bullets(text: str, hashes: set[str]) -> bool:
    return all(block.kind == "heading" or is_imported_bullet(block, hashes) for block in parse_blocks(text))


def _add_summaries(view: View, found: ErasureSet) -> None:
    """Summaries of forgotten memories, and the ones above them; what a person wrote stays."""
    keys = {row[1] for id_ in found.documents for row in view.rows("document_ever", id=id_) if row[0] == "memory"}
    if not keys:
        return
    summaries = [
        (DocumentId(id_), str(key), json.loads(properties)["summary"])
        for id_, key, _, properties in view.rows("summaries_ever")
        if "summary" in json.loads(properties)
    ]
    while made := {
        (id_, key)
        for id_, key, summary in summaries
        if key not in keys and keys & set(summary.get("sources", ())) and summary.get("method") != "hand"
    }:
        keys |= {key for _, key in made}
        found.rebuilt_summaries |= {id_ for id_, _ in made}
    by_hand = {key for _, key, summary in summaries if summary.get("method") == "hand"}
    found.still_in |= {
        key for _, key, summary in summaries if key in by_hand and keys & set(summary.get("sources", ()))
    }
    found.documents |= found.rebuilt_summaries


def _add_assertions(view: View, found: ErasureSet) -> None:
    """What forgotten documents said, and the facts that nobody else said."""
    said = _rows(view, "assertions_ever_from", found.documents)
    found.assertions |= {row[0] for row in said}
    found.quotes |= {text for row in said for text in row[2:5] if text}
    facts = {FactId(row[1]) for row in said}
    elsewhere = {
        FactId(fact)
        for _, fact, document in _rows(view, "assertions_ever_of", facts)
        if document not in found.documents
    }
    found.facts |= facts - elsewhere
    found.weakened_facts |= (facts & elsewhere) - found.facts
    found.assertions |= {row[0] for row in _rows(view, "assertions_ever_of", found.facts)}


def _add_entities(view: View, found: ErasureSet) -> None:
    """Entities that came into being with what goes, and of which nothing else speaks."""
    txs = {int(row[0]) for row in _rows(view, "document_txs_ever", found.documents)}
    txs |= {int(row[5]) for row in _rows(view, "assertions_ever_from", found.documents)}
    ends = {end for row in _rows(view, "ends_ever", found.facts) for end in row if end}
    named = {row[0] for row in _rows(view, "mentioned_ever", found.documents)}
    found.entities |= {
        entity for entity in _sorted_entities(ends | named) if _depends_only_on(view, entity, found, txs)
    }


def _sorted_entities(ids: Iterable[str]) -> Iterator[EntityId]:
    yield from (EntityId(each) for each in sorted(ids))


def _depends_only_on(view: View, entity: EntityId, found: ErasureSet, txs: set[int]) -> bool:
    begun = min((int(row[2]) for row in view.rows("entity_ever", id=entity)), default=None)
    if begun not in txs:
        return False
    facts = {row[0] for row in view.rows("facts_ever_touching", ids=[entity])}
    documents = {row[0] for row in view.rows("mentions_ever_of", entity=entity)}
    return facts <= found.facts and documents <= found.documents


def _add_texts_naming(view: View, found: ErasureSet) -> None:
    """Texts that name a forgotten entity or say a forgotten fact stay; whoever forgets is told where."""
    naming = {row[0] for entity in found.entities for row in view.rows("mentions_ever_of", entity=entity)}
    saying = {row[2] for row in _rows(view, "assertions_ever_of", found.facts) if row[2]}
    for document in sorted((naming | saying) - found.documents):
        found.still_in |= {key for _, key in view.rows("document_ever", id=document)}
