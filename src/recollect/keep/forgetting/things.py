"""What an id stands for: an entity, a fact, or a document by its id or its key."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from recollect.errors import NotKnown
from recollect.keep.problems import Ambiguous
from recollect.model.ids import ENTITY_PREFIX, FACT_PREFIX, BadId, DocumentId, EntityId, FactId, read_id, say_uuid
from recollect.store.view import View

KINDS = ("memory", "identity", "record", "conversation", "lore_source", "encounter", "artifact")


class UnknownThing(NotKnown):
    def __init__(self, given: str) -> None:
        shown = given if len(given) <= 80 else f"{given[:80]}…"
        super().__init__(f"there is nothing with the id {shown!r} here; nothing was forgotten")


class Things(NamedTuple):
    """What is to be forgotten."""

    documents: frozenset[DocumentId] = frozenset()
    facts: frozenset[FactId] = frozenset()
    entities: frozenset[EntityId] = frozenset()

    def joined(self, other: "Things") -> "Things":
        return Things(self.documents | other.documents, self.facts | other.facts, self.entities | other.entities)


def find_things(view: View, ids: Sequence[str]) -> Things:
    """Everything that the ids name, deleted or not; refused as a whole if one of them is unknown."""
    found = Things()
    for given in ids:
        found = found.joined(_thing(view, given.strip()))
    return found


def _thing(view: View, given: str) -> Things:
    candidates = list(dict.fromkeys(_candidates(view, given)))
    if not candidates:
        raise UnknownThing(given)
    if len(candidates) > 1:
        choices = [say_uuid(id_) for each in candidates for id_ in each.documents]
        raise Ambiguous(f"{given!r} may be one of several documents; pass one of these ids", choices, field="id")
    return candidates[0]


def _candidates(view: View, given: str) -> Iterator[Things]:
    entity, fact, document = (_digits(given, prefix) for prefix in (ENTITY_PREFIX, FACT_PREFIX, ""))
    if entity is not None and view.rows("entity_ever", id=entity):
        yield Things(entities=frozenset({EntityId(entity)}))
    elif fact is not None and view.rows("fact_ever", id=fact):
        yield Things(facts=frozenset({FactId(fact)}))
    elif document is not None and view.rows("document_ever", id=document):
        yield Things(documents=frozenset({DocumentId(document)}))
    else:
        for id_, _ in view.rows("documents_keyed", kinds=KINDS, key=given):
            yield Things(documents=frozenset({DocumentId(id_)}))


def _digits(text: str, prefix: str) -> str | None:
    try:
        return read_id(text, prefix)
    except BadId:
        return None
