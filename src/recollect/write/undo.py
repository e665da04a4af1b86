"""The opposite of a transaction, written as a new one."""

from collections.abc import Collection, Iterable, Sequence
from typing import Any, NamedTuple

from recollect.errors import Conflict, NotKnown, RecollectError
from recollect.model.actor import Actor
from recollect.model.ids import DocumentId, EntityId, FactId
from recollect.model.names import NameKind
from recollect.store.change import Change
from recollect.store.document_queries import turn_back_chunks
from recollect.store.tables import (
    ASSERTION,
    DEFINITION,
    DISPUTE,
    DOCUMENT,
    ENTITY,
    FACT,
    FOLIO,
    HELD_FACT,
    MEMORY_LINK,
    NAME,
    OPEN,
    PREDICATE,
    SETTING,
    Version,
    VersionedTable,
)
from recollect.store.view import View
from recollect.store.write_queries import (
    documents_mentioning,
    facts_using_predicate,
    folios_named,
    transactions_by,
    undoing_transactions,
)
from recollect.write.entity_edits import find_name_conflict
from recollect.write.slot_conflicts import resettle

ERASE = "erase"
"""The tool name of transactions that erase."""
IMPORTING_SURFACE, IMPORT = "cli", "ingest"
"""The surface and the tool name of transactions that take in files."""
_CLAIMS = (FACT, ASSERTION, DOCUMENT)


class NoSuchTransaction(NotKnown):
    def __init__(self, tx: int) -> None:
        super().__init__(f"there is no transaction {tx} in this workspace")


class LaterTransactionsDepend(Conflict):
    code = "later_ones_rest_on_it"

    def __init__(self, tx: int, table: str, transactions: Iterable[int] = ()) -> None:
        self.transactions = tuple(sorted(set(transactions)))
        later = ", ".join(map(str, self.transactions))
        named = f"transaction {later}" if len(self.transactions) == 1 else f"transactions {later}" if later else None
        super().__init__(
            f"transaction {tx} cannot be undone alone: {named or 'a later one'} changed or uses the same {table}"
        )


class ErasureIsFinal(Conflict):
    code = "erased"

    def __init__(self, tx: int, before: int | None = None) -> None:
        super().__init__(f"transaction {tx} erased something; an erasure cannot be undone")
        self.before = before
        """The caller's latest transaction before it that can be undone."""


class ImportedSince(Conflict):
    code = "imported_since"

    def __init__(self, transactions: Sequence[int], before: int | None) -> None:
        super().__init__("your latest change is an import, not a call of a tool")
        self.transactions = tuple(transactions)
        """Those of the import that are not undone, in order."""
        self.before = before
        """The caller's latest transaction before it that can be undone."""


class AlreadyUndone(Conflict):
    code = "already_undone"

    def __init__(self, tx: int, by: int) -> None:
        super().__init__(f"transaction {tx} was undone by {by} already")
        self.by = by


class KeptName(NamedTuple):
    """A name that later transactions may use."""

    entity: EntityId
    spelling: str
    kind: NameKind


class UndoResult(NamedTuple):
    """The transaction that undid another: what it changed, and what stays because later ones use it."""

    tx: int
    facts: tuple[FactId, ...] = ()
    entities: tuple[EntityId, ...] = ()
    documents: tuple[DocumentId, ...] = ()
    kept_entities: tuple[EntityId, ...] = ()
    kept_aliases: tuple[KeptName, ...] = ()
    held_facts: tuple[str, ...] = ()
    """Facts that were held for review, or are again."""
    kept_facts: tuple[FactId, ...] = ()
    """Facts told since a merge that is undone: they stay with the entity that survived it."""


def undo(change: Change, tx: int) -> int:
    """Reverse a transaction; the number of the one that does so."""
    return reverse_transaction(change, tx).tx


def reverse_transaction(change: Change, tx: int) -> UndoResult:
    """Reverse a transaction. Entities, names and predicates that later ones use stay; other dependencies refuse it."""
    _check_reversible(change, tx)
    begun = [each for each in change.begun_by(tx) if not _is_derived(each)]
    ended = [each for each in change.ended_by(tx) if not _is_derived(each)]
    kept = _KeptRows(change, tx, begun, ended)
    _check_all_untouched(change, tx, begun, kept)
    begun, ended = ([each for each in rows if each not in kept] for rows in (begun, ended))
    if kept.entities and not any(each.table in _CLAIMS for each in (*begun, *ended)):
        raise LaterTransactionsDepend(tx, ENTITY.name, kept.transactions)
    change.undoing(tx)
    number = change.tx
    for each in begun:
        change.end_version(*each)
    for each in ended:
        _check_free(change, tx, each)
        change.begin_again(*each)
    change.clear_cache()
    _check_ends(change, tx, _of_table(FACT, ended))
    for each in _of_table(ENTITY, ended):
        _check_name(change, tx, each.value("id"))
    if any(each.table in (DEFINITION, SETTING) for each in (*begun, *ended)):
        _check_world(change, tx)
    tables = (FACT, ENTITY, DOCUMENT, HELD_FACT)
    facts, entities, documents, held = (_ids_in(table, [*begun, *ended]) for table in tables)
    _resettle(change, {*facts, *_turn_back_disputes(change, tx)})
    turn_back_chunks(change, tx)
    facts_since = _facts_since_merge(change, tx, begun)
    return UndoResult(number, facts, entities, documents, tuple(sorted(kept.entities)), kept.aliases, held, facts_since)


def _facts_since_merge(change: Change, tx: int, begun: Iterable[Version]) -> tuple[FactId, ...]:
    """The facts about the survivors of merges recorded since: which of the two entities they mean is unknown."""
    survivors = {survivor for each in _of_table(ENTITY, begun) if (survivor := each.value("merged_into"))}
    then = change.at(tx)
    facts_since = (fact for each in sorted(survivors) for fact in change.facts_touching(each) if not fact.is_retracted)
    return tuple(dict.fromkeys(fact.id for fact in facts_since if fact.tx_from > tx and then.fact(fact.id) is None))


def _of_table(table: VersionedTable, versions: Iterable[Version]) -> list[Version]:
    return [each for each in versions if each.table is table]


def _ids_in(table: VersionedTable, versions: Iterable[Version]) -> tuple[Any, ...]:
    return tuple(sorted({each.value("id") for each in _of_table(table, versions)}))


def _check_reversible(change: Change, tx: int) -> None:
    done = change.transaction(tx)
    if done is None:
        raise NoSuchTransaction(tx)
    if done.tool == ERASE:
        raise ErasureIsFinal(tx)
    undone = undone_by(change, tx)
    if undone is not None:
        raise AlreadyUndone(tx, undone)


class _KeptRows:
    """The rows of a transaction that stay because later transactions use what they name."""

    def __init__(self, change: Change, tx: int, begun: Sequence[Version], ended: Sequence[Version]) -> None:
        self._change = change
        self._then = change.at(tx)
        self._tx = tx
        earlier = {each.value("id"): each for each in _of_table(ENTITY, ended)}
        own: dict[EntityId, Version] = {each.value("id"): each for each in _of_table(ENTITY, begun)}
        self.entities = {id_ for id_, each in own.items() if id_ not in earlier and self._is_used(each)}
        self._overtaken = {
            id_ for id_, each in own.items() if id_ in earlier and self._is_overtaken(each, earlier[id_])
        }
        self._names = {each.key: each for each in _of_table(NAME, begun) if self._is_name_used(each, own)}
        predicates = {each.value("name") for each in _of_table(PREDICATE, begun)}
        self._predicates = set(filter(self._is_predicate_used, predicates))

    def __contains__(self, each: Version) -> bool:
        if each.table is ENTITY:
            return each.value("id") in self.entities or each.value("id") in self._overtaken
        if each.table is NAME:
            return each.key in self._names
        return each.table is PREDICATE and each.value("name") in self._predicates

    @property
    def aliases(self) -> tuple[KeptName, ...]:
        """The aliases that stay of entities that were known before."""
        names = (
            KeptName(each.value("entity"), each.value("spelling"), each.value("kind")) for each in self._names.values()
        )
        return tuple(name for name in names if name.entity not in self.entities and name.kind == "alias")

    @property
    def transactions(self) -> set[int]:
        """The later transactions that use the entities."""
        facts = (fact for id_ in self.entities for fact in self._change.facts_touching(id_))
        return {fact.tx_from for fact in facts if fact.tx_from > self._tx}

    def _is_used(self, entity: Version) -> bool:
        id_ = entity.value("id")
        return not _stands(self._change, entity) or not self._uses_now(id_) <= self._uses_then(id_)

    def _is_overtaken(self, entity: Version, before: Version) -> bool:
        """Whether a later transaction changed the entity again, which neither of the two renamed, merged or deleted."""
        if _stands(self._change, entity):
            return False
        now = self._change.open_version(ENTITY, entity.key)
        return now is not None and _identity_of(before) == _identity_of(entity) == _identity_of(now)

    def _is_name_used(self, name: Version, own: Collection[EntityId]) -> bool:
        entity = name.value("entity")
        if entity in self.entities:
            return True
        is_alias_of_known = name.value("kind") == "alias" and entity not in own
        return is_alias_of_known and not self._uses_now(entity) <= self._uses_then(entity)

    def _is_predicate_used(self, predicate: str) -> bool:
        return bool(facts_using_predicate(self._change, predicate, self._tx))

    def _uses_now(self, entity: EntityId) -> set[object]:
        return _uses_of_entity(self._change, entity)

    def _uses_then(self, entity: EntityId) -> set[object]:
        return _uses_of_entity(self._then, entity)


def _identity_of(entity: Version) -> tuple[object, ...]:
    return entity.value("name"), entity.value("merged_into"), entity.value("deleted")


def _resettle(change: Change, facts: Iterable[FactId]) -> None:
    """Settle the restored facts against what was written since; end the disputes of removed ones."""
    for id_ in sorted(facts):
        fact = change.fact(id_)
        if fact is not None:
            resettle(change, fact)
            continue
        for pair in change.disputes_of(id_):
            change.end_dispute(pair.one, pair.other)
            left = change.fact(pair.other if pair.one == id_ else pair.one)
            if left is not None:
                resettle(change, left)


def _turn_back_disputes(change: Change, tx: int) -> set[FactId]:
    """End the disputes that a transaction began and restore those it ended, between facts that are still there.

    Settling then keeps those that still hold: some follow from the facts, others were found when one was recorded.
    """
    begun, ended = _of_table(DISPUTE, change.begun_by(tx)), _of_table(DISPUTE, change.ended_by(tx))
    for each in begun:
        if change.open_version(DISPUTE, each.key) is not None:
            change.end_dispute(*each.key)
    for each in ended:
        is_free = change.open_version(DISPUTE, each.key) is None
        if is_free and all(change.fact(fact) is not None for fact in each.key):
            one, other = each.key
            change.add_dispute(one, other, each.value("reason"))
    return {fact for each in (*begun, *ended) for fact in each.key}


def undone_by(view: View, tx: int) -> int | None:
    """The transaction that undid this one, unless it was undone in turn."""
    newest = next(iter(undoing_transactions(view, tx)), None)
    return None if newest is None or undone_by(view, newest) is not None else newest


def latest_undoable(view: View, actor: Actor) -> int | None:
    """The latest transaction of somebody on their surfaces that is neither undone nor itself an undo or an erasure."""
    before = view.last_tx + 1
    while page := transactions_by(view, actor.surfaces, actor.name, before, ERASE):
        found = next((tx for tx in page if undone_by(view, tx) is None), None)
        if found is not None:
            return found
        before = page[-1]
    return None


def latest_by_command(view: View, actor: str) -> int | None:
    """The latest transaction of somebody's commands that is not undone; none if that is an erasure or an import."""
    made = transactions_by(view, (IMPORTING_SURFACE,), actor, view.last_tx + 1, "")
    done = next((view.transaction(tx) for tx in made if undone_by(view, tx) is None), None)
    return None if done is None or done.tool in (ERASE, IMPORT) else done.tx


def check_not_erased_since(view: View, actor: Actor, tx: int | None) -> None:
    """Refuse if somebody erased something after a transaction: their latest change is the erasure."""
    before, first = view.last_tx + 1, tx or 0
    while page := [each for each in transactions_by(view, actor.surfaces, actor.name, before, "") if each > first]:
        for each in page:
            done = view.transaction(each)
            if done is not None and done.tool == ERASE:
                raise ErasureIsFinal(each, tx)
        before = page[-1]


def check_not_imported_since(change: Change, actor: str, tx: int | None) -> None:
    """Refuse if somebody took in files after a transaction: their latest change is the import."""
    later = transactions_by(change, (IMPORTING_SURFACE,), actor, change.last_tx + 1, "")
    done = [change.transaction(each) for each in later if each > (tx or 0) and undone_by(change, each) is None]
    imported = [each.tx for each in done if each is not None and each.tool == IMPORT]
    # What a language model reads in the background is written by this tool, too, but stores no document.
    if any(each.table is DOCUMENT for number in imported for each in change.begun_by(number)):
        raise ImportedSince(sorted(imported), tx)


def _is_derived(each: Version) -> bool:
    """Whether the row is derived from others, so that nothing depends on it."""
    return each.table is DISPUTE or (each.table is MEMORY_LINK and each.value("origin") == "derived")


def _check_all_untouched(change: Change, tx: int, begun: Sequence[Version], kept: "_KeptRows") -> None:
    """Refuse if rows of the transaction were changed since, or a document is the source of later facts."""
    blocking: dict[str, set[int]] = {}
    for each in begun:
        later = None if each in kept else _later_changes(change, tx, each)
        if later is not None:
            blocking.setdefault(each.table.name, set()).update(later)
    if blocking:
        what = FACT.name if blocking.keys() & {FACT.name, ASSERTION.name} else next(iter(blocking))
        raise LaterTransactionsDepend(tx, what, set().union(*blocking.values()))


def _later_changes(change: Change, tx: int, begun: Version) -> set[int] | None:
    """The transactions that changed a row since, or rest on it; none if it is untouched."""
    if not _stands(change, begun):
        now = change.open_version(begun.table, begun.key)
        return {begun.value("tx_to"), *(() if now is None else (now.value("tx_from"),))}
    if begun.table is DOCUMENT:
        document = begun.value("id")
        then = change.at(tx)
        known = {assertion.id for assertion in then.assertions_from(document)}
        later = {each.tx_from for each in change.assertions_from(document) if each.id not in known}
        return later or None
    return None


def _stands(change: Change, begun: Version) -> bool:
    """Whether the latest version has the same content; changes that were undone do not count."""
    latest = begun if begun.value("tx_to") == OPEN else change.open_version(begun.table, begun.key)
    return latest is not None and latest.content == begun.content


def _uses_of_entity(view: View, entity: EntityId) -> set[object]:
    """The facts about an entity, its names, and the documents that mention it."""
    named = {(name.folded, name.kind) for name in view.names_of(entity)}
    return named | set(documents_mentioning(view, entity)) | {fact.id for fact in view.facts_touching(entity)}


def _check_free(change: Change, tx: int, ended: Version) -> None:
    if change.open_version(ended.table, ended.key) is not None or _is_key_in_use(change, ended):
        raise LaterTransactionsDepend(tx, ended.table.name)


def _is_key_in_use(change: Change, ended: Version) -> bool:
    """Whether another document or folio has this key or name now."""
    if ended.table is DOCUMENT:
        return change.document_named(ended.value("kind"), ended.value("key")) is not None
    return ended.table is FOLIO and bool(folios_named(change, ended.value("folded")))


def _check_name(change: Change, tx: int, entity: EntityId) -> None:
    """Refuse to restore an entity whose name another one has now."""
    back = change.entity(entity)
    if back is not None and back.is_live and find_name_conflict(change, back) is not None:
        raise LaterTransactionsDepend(tx, "name")


def _check_ends(change: Change, tx: int, facts: Iterable[Version]) -> None:
    """Refuse to restore a fact about an entity that a later undo took away: no read could show it."""
    ends = {fact.value(end) for fact in facts for end in ("subject", "object")} - {None}
    if missing := [end for end in sorted(ends) if change.open_version(ENTITY, (end,)) is None]:
        last = [change.connection.versions(ENTITY, change.ws, (end,))[-1:] for end in missing]
        ended = [Version(ENTITY, row).value("tx_to") for rows in last for row in rows]
        raise LaterTransactionsDepend(tx, ENTITY.name, ended)


def _check_world(change: Change, tx: int) -> None:
    """Refuse to leave an era, a date or the world's now without a definition it depends on."""
    try:
        _ = change.world
    except RecollectError as problem:
        raise LaterTransactionsDepend(tx, DEFINITION.name) from problem
