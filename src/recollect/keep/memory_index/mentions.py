"""Links from memories to the entities they name, extended in the background when a name is learned."""

from collections.abc import Sequence

from recollect.keep.memory_index.index import count_entries
from recollect.model.ids import DocumentId, EntityId
from recollect.resolve.name_finder import find_entities
from recollect.store import memory_queries
from recollect.store.change import Change
from recollect.store.document_queries import texts_by_hash
from recollect.store.index_progress import IndexProgress
from recollect.store.tables import MENTION, OPEN
from recollect.store.view import View
from recollect.store.write_queries import documents_mentioning
from recollect.text.tokens import bare_terms

LINKS = IndexProgress("links")
"""Its state: the last transaction whose names are linked, and in `size` the memory reached for the next one."""
NOT_LINKED = frozenset({"self"})
NAMES_AT_ONCE = 500
MEMORIES_AT_ONCE = 200


def link_memory(change: Change, document: DocumentId, text: str) -> None:
    """Let a memory mention exactly the entities that its text names."""
    linked = set(change.mentioned(document))
    named = set(find_entities(change, text, NOT_LINKED))
    change.add_mentions(document, sorted(named - linked))
    for entity in sorted(linked - named):
        change.end_mention(document, entity)


def initialize_links(change: Change) -> None:
    """Before the first memory there is nothing to link, whatever names are known."""
    if LINKS.find(change) is None:
        LINKS.save(change, change.last_tx)


def link_new_names(change: Change, names: int | None = None) -> int:
    """Link older memories to the names learned since; how many were looked at, 0 when nothing is left to do.

    At most `names` names are looked at, where that is given; a transaction with more of them is left for later.
    Kept are the last transaction whose names are all linked, and the memory reached for those of the next one.
    """
    upto, _, reached = LINKS.read(change)
    looked = 0
    for tx, learned in _new_names_by_tx(change, upto, names).items():
        waiting = [
            number for number in _memories_holding(change, [folded for folded, _ in learned]) if number > reached
        ]
        looking = waiting[: MEMORIES_AT_ONCE - looked]
        _link_batch(change, looking, {entity for _, entity in learned}, tx)
        looked += len(looking)
        if len(looking) < len(waiting):
            LINKS.save(change, upto, size=looking[-1] if looking else reached)
            return looked
        upto, reached = tx, 0
        LINKS.save(change, upto)
    return looked


def _new_names_by_tx(view: View, upto: int, most: int | None) -> dict[int, list[tuple[str, EntityId]]]:
    """The names of the next transactions, each of them whole; none if the first has more than may be read."""
    limit = NAMES_AT_ONCE if most is None else most + 1
    while True:
        rows = memory_queries.names_to_link(view, upto, limit)
        by_tx: dict[int, list[tuple[str, EntityId]]] = {}
        for tx, folded, entity in rows:
            by_tx.setdefault(tx, []).append((folded, entity))
        if len(rows) < limit:
            return by_tx
        if len(by_tx) > 1:
            by_tx.popitem()
            return by_tx
        if most is not None:
            return {}
        limit *= 10


def _memories_holding(view: View, names: Sequence[str]) -> list[int]:
    """The memories that have all words of one of the names."""
    found: set[int] = set()
    for name in names:
        by_word = [set(memory_queries.numbers_with_word(view, word).tolist()) for word in sorted(set(bare_terms(name)))]
        found |= set.intersection(*by_word) if by_word else set()
    return sorted(found)


def _link_batch(change: Change, numbers: Sequence[int], entities: set[EntityId], learned: int) -> None:
    """Links count as known since both name and text were: linking is not a transaction, and no undo removes it."""
    texts = _texts(change, numbers)
    for document, version in change.documents(texts).items():
        spotted = entities.intersection(find_entities(change, texts[document], NOT_LINKED))
        named, since = spotted - set(change.mentioned(document)), max(learned, version.tx_from)
        if named:
            change.connection.insert(MENTION, [(change.ws, document, entity, since, OPEN) for entity in sorted(named)])


def unlink_names(change: Change, entity: EntityId, names: Sequence[str]) -> None:
    """End the links to an entity of memories that named it by these names alone, which it no longer has."""
    mentioning = documents_mentioning(change, entity)
    for document, text in _texts(change, _memories_holding(change, names)).items():
        if document in mentioning and entity not in find_entities(change, text, NOT_LINKED):
            change.end_mention(document, entity)


def _texts(view: View, numbers: Sequence[int]) -> dict[DocumentId, str]:
    """What the memories of these numbers say."""
    entries = memory_queries.entries_numbered(view, numbers)
    texts = texts_by_hash(view, {entry.content for entry in entries})
    return {entry.document: texts[entry.content] for entry in entries}


def has_pending_links(view: View) -> bool:
    """Whether names were learned whose older memories, if there are any, are not linked yet."""
    return bool(count_entries(view)) and bool(memory_queries.names_to_link(view, LINKS.read(view).upto, 1))
