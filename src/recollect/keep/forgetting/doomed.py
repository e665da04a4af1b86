"""What goes with a thing: everything that rested on it alone."""

import json
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field

from recollect.keep.chats.bullets import is_ours
from recollect.keep.forgetting.things import Things
from recollect.keep.identity.blocks import blocks
from recollect.model.ids import DocumentId, EntityId, FactId
from recollect.store.view import View


@dataclass(slots=True)
class Doomed:
    """All that is to be erased, and what of it is only partly supported by what goes."""

    documents: set[DocumentId]
    facts: set[FactId]
    entities: set[EntityId]
    assertions: set[str] = field(default_factory=set)
    weakened: set[FactId] = field(default_factory=set)
    """Facts that another source supports; what they quote of a forgotten one goes."""
    words: set[str] = field(default_factory=set)
    """What was quoted of the forgotten."""
    remade: set[DocumentId] = field(default_factory=set)
    """Summaries that were made of it; the next run makes them anew of what is left."""
    still_in: set[str] = field(default_factory=set)
    """Documents that stay, by their keys, in which some of its words may stand."""


def doomed_by(view: View, things: Things) -> Doomed:
    """Everything that has to go with these things."""
    found = Doomed(set(things.documents), set(things.facts), set(things.entities))
    _add_days(view, found)
    _add_summaries(view, found)
    found.facts |= {FactId(row[0]) for row in _rows(view, "facts_ever_touching", found.entities)}
    _add_assertions(view, found)
    _add_entities(view, found)
    _add_texts_naming(view, found)
    return found


def _rows(view: View, query: str, ids: Collection[str]) -> list[tuple[str, ...]]:
    return view.rows(query, ids=sorted(ids)) if ids else []


def _add_days(view: View, found: Doomed) -> None:
    """Daily memories that say nothing but what came from forgotten conversations."""
    for document in sorted(found.documents):
        for memory in {row[0] for row in view.rows("chat_bullets_of", document=document)}:
            held = view.document_named("memory", memory)
            rows = view.rows("chat_bullets_by_memory", memory=memory)
            ours = {hash_ for source, hash_ in rows if source in found.documents}
            if held is None:
                continue
            texts = [text for _, text in view.rows("document_texts_ever", document=held.id) if text]
            if all(_is_only(text, ours) for text in texts):
                found.documents.add(held.id)
            else:
                found.still_in.add(memory)


def _is_only(text: str, hashes: set[str]) -> bool:
    return all(block.kind == "heading" or is_ours(block, hashes) for block in blocks(text))


def _add_summaries(view: View, found: Doomed) -> None:
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
        found.remade |= {id_ for id_, _ in made}
    by_hand = {key for _, key, summary in summaries if summary.get("method") == "hand"}
    found.still_in |= {
        key for _, key, summary in summaries if key in by_hand and keys & set(summary.get("sources", ()))
    }
    found.documents |= found.remade


def _add_assertions(view: View, found: Doomed) -> None:
    """What forgotten documents said, and the facts that nobody else said."""
    said = _rows(view, "assertions_ever_from", found.documents)
    found.assertions |= {row[0] for row in said}
    found.words |= {text for row in said for text in row[2:5] if text}
    facts = {FactId(row[1]) for row in said}
    elsewhere = {
        FactId(fact)
        for _, fact, document in _rows(view, "assertions_ever_of", facts)
        if document not in found.documents
    }
    found.facts |= facts - elsewhere
    found.weakened |= (facts & elsewhere) - found.facts
    found.assertions |= {row[0] for row in _rows(view, "assertions_ever_of", found.facts)}


def _add_entities(view: View, found: Doomed) -> None:
    """Entities that came into being with what goes, and of which nothing else speaks."""
    txs = {int(row[0]) for row in _rows(view, "document_txs_ever", found.documents)}
    txs |= {int(row[5]) for row in _rows(view, "assertions_ever_from", found.documents)}
    ends = {end for row in _rows(view, "ends_ever", found.facts) for end in row if end}
    named = {row[0] for row in _rows(view, "mentioned_ever", found.documents)}
    found.entities |= {entity for entity in _entities(ends | named) if _rests_on(view, entity, found, txs)}


def _entities(ids: Iterable[str]) -> Iterator[EntityId]:
    yield from (EntityId(each) for each in sorted(ids))


def _rests_on(view: View, entity: EntityId, found: Doomed, txs: set[int]) -> bool:
    begun = min((int(row[2]) for row in view.rows("entity_ever", id=entity)), default=None)
    if begun not in txs:
        return False
    facts = {row[0] for row in view.rows("facts_ever_touching", ids=[entity])}
    documents = {row[0] for row in view.rows("mentions_ever_of", entity=entity)}
    return facts <= found.facts and documents <= found.documents


def _add_texts_naming(view: View, found: Doomed) -> None:
    """Texts that name a forgotten entity or say a forgotten fact stay; whoever forgets is told where."""
    naming = {row[0] for entity in found.entities for row in view.rows("mentions_ever_of", entity=entity)}
    saying = {row[2] for row in _rows(view, "assertions_ever_of", found.facts) if row[2]}
    for document in sorted((naming | saying) - found.documents):
        found.still_in |= {key for _, key in view.rows("document_ever", id=document)}
