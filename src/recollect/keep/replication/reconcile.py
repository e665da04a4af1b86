"""Settling what devices did apart, by rules that give the same result on each, whatever came first.

Of two versions of a row the later one stands, and the other stays in the history. Entities of one name and type, and
documents of one key, become one, as they would have in one store. Facts follow from their assertions, of which none
is dropped, and are settled as always; what rules cannot decide is a question for review.
"""

import json
from collections.abc import Collection, Iterable, Iterator
from typing import Any, Final

from recollect.keep.replication.document_join import (
    DocumentJoin,
    StampedVersion,
    StampedVersions,
    had_seen,
    move_mention,
    with_values,
)
from recollect.keep.replication.log import TransactionLog
from recollect.keep.replication.value_settlement import ValueSettlement
from recollect.model.entity import Entity
from recollect.model.fact import Assertion, Fact
from recollect.model.ids import EntityId, FactId
from recollect.store import replication_queries
from recollect.store.change import Change
from recollect.store.port import Row
from recollect.store.replication_queries import RowChange
from recollect.store.tables import (
    ASSERTION,
    CHUNK,
    DISPUTE,
    DOCUMENT,
    ENTITY,
    FACT,
    MENTION,
    NAME,
    VersionedTable,
)
from recollect.store.view import View
from recollect.store.write_queries import documents_mentioning
from recollect.write.entity_edits import find_name_conflict
from recollect.write.hearsay import repoint_person
from recollect.write.merge import join_twins, merge, move_ends
from recollect.write.record_statement import sum_assertions
from recollect.write.slot_conflicts import resettle

_SETTLED_OTHERWISE: Final = (CHUNK, DISPUTE)
_OF_ENTITIES: Final = (ENTITY, NAME)
"""Rows that stay while facts use them, so they are settled after the facts."""

_RowKey = tuple[VersionedTable, Row]


class Reconciliation:
    """The changes of one transaction that makes a workspace what every other device will make of it."""

    def __init__(self, change: Change, log: TransactionLog) -> None:
        self._change = change
        self._versions = StampedVersions(change, log)
        self._documents = DocumentJoin(change, self._versions)
        self._values = ValueSettlement(change, self._versions)

    def settle(self, rows: Iterable[RowChange], unknown: Iterable[FactId] = ()) -> None:
        """Settle these rows, which came from others that did not know all that is here: these facts, among others."""
        touched = self._with_joined({(each.table, each.key): None for each in rows})
        for table, key in touched:
            if table not in (*_SETTLED_OTHERWISE, *_OF_ENTITIES):
                self._choose_version(table, key)
        for table, key in {**dict.fromkeys(touched), **dict.fromkeys(self._missing_ends(touched))}:
            if table in _OF_ENTITIES:
                self._choose_version(table, key)
        self._change.clear_cache()
        for document in _first_keys(DOCUMENT, touched):
            self._documents.join(document)
        for entity in sorted(
            {*_first_keys(ENTITY, touched), *_entities_in(NAME, touched), *_entities_in(MENTION, touched)}
        ):
            self._join_entities(EntityId(entity))
        self._settle_with_values([*touched], unknown)

    def _settle_with_values(self, touched: list[_RowKey], unknown: Iterable[FactId]) -> None:
        """Settle the facts, then the values that devices told apart, as all of them will."""
        for id_ in self._facts_among(touched):
            self._follow_ends(id_)
        attributes = self._values.attributes_of({*self._facts_among(touched), *unknown})
        for table, key in (row for each in attributes for row in self._values.rows_to_settle_anew(each)):
            self._choose_version(table, key)
            touched.append((table, key))
        self._change.clear_cache()
        facts = self._facts_among(touched)
        self._settle_facts(facts)
        for each in self._values.attributes_of({*facts, *unknown}):
            self._values.settle(each)

    def _with_joined(self, touched: dict[_RowKey, None]) -> list[_RowKey]:
        """The rows, and those that an earlier reconciliation joined with others on account of them.

        What it joined is taken apart first, since the rows may no longer be alike.
        """
        waiting = list(touched)
        while waiting:
            table, key = waiting.pop()
            further = dict.fromkeys(self._joined_rows(table, key))
            waiting += [each for each in further if each not in touched]
            touched |= further
        return list(touched)

    def _joined_rows(self, table: VersionedTable, key: Row) -> Iterator[_RowKey]:
        if table not in (ENTITY, FACT):
            return
        yield from self._joined_unknown(table, key)
        # The last reconciliation of the row: it may have come from another device since.
        ours = [
            each
            for each in replication_queries.versions_of_row(self._change, table, key)
            if each.value("tx_from") not in self._versions.origins
        ]
        if not ours:
            return
        version = ours[-1]
        then = self._change.at(version.value("tx_from") - 1)
        if table is FACT and version.value("replaced_by") is not None and not version.value("source_count"):
            yield FACT, (version.value("replaced_by"),)
            yield from ((ASSERTION, (each.id,)) for each in then.assertions(version.value("id")))
        if table is ENTITY and version.value("merged_into") is not None:
            yield from _rows_of_entity(then, version.value("id"), version.value("merged_into"))

    def _joined_unknown(self, table: VersionedTable, key: Row) -> Iterator[_RowKey]:
        """What was joined with a row that was then deleted by somebody who did not know it: that stays."""
        last = max(self._versions.of(table, key), default=None)
        if last is None or not self._was_deleted(table, key, last.content):
            return
        [id_] = key
        joined = (
            replication_queries.merged_into(self._change, id_)
            if table is ENTITY
            else replication_queries.joined_with(self._change, id_)
        )
        for each in joined:
            own = self._versions.of(table, (each,))
            if own and not had_seen(last.origin, min(own).origin):
                yield table, (each,)

    def _was_deleted(self, table: VersionedTable, key: Row, content: Row | None) -> bool:
        if content is None:
            return True
        row = self._versions.row(table, key, content)
        return bool(row.value("deleted") if table is ENTITY else row.value("certainty") == "retracted")

    def _choose_version(self, table: VersionedTable, key: Row) -> None:
        """Make the latest version current; what devices added to an entity's properties apart is joined."""
        made = self._versions.of(table, key)
        last = max(made, default=None)
        content = None if last is None else last.content
        if content is None and table in _OF_ENTITIES and self._is_needed(table, key):
            last = max((each for each in made if each.content is not None), default=None)
            content = None if last is None else last.content
        if table is ENTITY and last is not None and content is not None:
            content = self._joined_entity(last, made, key)
        current = self._change.open_version(table, key)
        if (None if current is None else current.content) != content:
            replication_queries.apply_row(self._change, RowChange(table, key, content))
        if table is DOCUMENT and last is not None:
            [id_] = key
            self._documents.show_passages(id_, id_, last)

    def _missing_ends(self, touched: Iterable[_RowKey]) -> Iterator[_RowKey]:
        """The entities of facts that another device undid without knowing the facts, with their names."""
        for table, key in touched:
            version = self._change.open_version(FACT, key) if table is FACT else None
            ends = () if version is None else (version.value("subject"), version.value("object"))
            for end in filter(None, ends):
                known = replication_queries.versions_of_row(self._change, ENTITY, (end,))
                if known and self._change.open_version(ENTITY, (end,)) is None:
                    ended = max(each.value("tx_to") for each in known)
                    then = self._change.at(ended - 1)
                    yield ENTITY, (end,)
                    yield from ((NAME, (name.folded, end, name.kind)) for name in then.names_of(end))

    def _is_needed(self, table: VersionedTable, key: Row) -> bool:
        """Whether facts use the entity of a row that somebody undid: not one that was deleted or merged."""
        entity = EntityId(str(key[table.key.index("entity")] if table is NAME else key[0]))
        last = max(self._versions.of(ENTITY, (entity,)), default=None)
        return last is not None and last.content is None and bool(self._change.facts_touching(entity))

    def _joined_entity(self, last: StampedVersion, made: Iterable[StampedVersion], key: Row) -> Row:
        """The last version with the properties of those it did not know, and merged if one of them was."""
        apart = [each for each in sorted(made) if each.content is not None and not had_seen(last.origin, each.origin)]
        properties: dict[str, Any] = {}
        merged = deleted = None
        for each in apart:
            row = self._versions.row(ENTITY, key, each.content or ())
            properties |= json.loads(row.value("properties"))
            merged, deleted = merged or row.value("merged_into"), deleted or row.value("deleted")
        text = json.dumps(properties, ensure_ascii=False, separators=(",", ":"), sort_keys=True)
        return with_values(ENTITY, last.content or (), properties=text, merged_into=merged, deleted=deleted)

    def _join_entities(self, id_: EntityId) -> None:
        """Merge the entity with the one that has the same name and type, and move facts from one merged before."""
        change = self._change
        found = change.entity(id_)
        while found is not None and found.is_live:
            other = find_name_conflict(change, found)
            if other is None:
                return
            survivor, loser = sorted((found, other), key=lambda each: each.id)
            found = merge(change, loser, survivor, keeps_first=True)
        if found is not None and found.merged_into is not None:
            self._follow_merge(found)

    def _follow_merge(self, merged: Entity) -> None:
        survivor = self._end_of_merges(merged)
        if survivor is None:
            return
        for name in self._change.names_of(merged.id):
            self._change.end_name(name)
        for fact in self._change.facts_touching(merged.id):
            move_ends(self._change, fact, merged.id, survivor.id, keeps_first=True)
        for document in documents_mentioning(self._change, merged.id):
            move_mention(self._change, (document, merged.id), (document, survivor.id))
        repoint_person(self._change, merged.id, survivor.id)

    def _end_of_merges(self, merged: Entity) -> Entity | None:
        """The entity that one was merged into in the end, be it deleted or not."""
        found: Entity | None = merged
        while found is not None and found.merged_into is not None:
            found = self._change.entity(found.merged_into)
        return found

    def _facts_among(self, touched: Collection[_RowKey]) -> list[FactId]:
        """The facts that came, and those whose assertions did."""
        found = {*_first_keys(FACT, touched), *(part for table, key in touched if table is DISPUTE for part in key)}
        for table, key in touched:
            if table is ASSERTION:
                found |= {each.value("fact") for each in replication_queries.versions_of_row(self._change, table, key)}
        return sorted(FactId(each) for each in found)

    def _settle_facts(self, facts: Iterable[FactId]) -> None:
        change = self._change
        for id_ in facts:
            fact = change.fact(id_)
            if fact is None:
                self._settle_without(id_)
                continue
            self._follow_ends(id_)
            self._sum(change.fact(id_) or fact)
            join_twins(change, (change.fact(id_) or fact).slot)

    def _follow_ends(self, id_: FactId) -> None:
        """Move a fact whose ends were merged with others to these."""
        fact = self._change.fact(id_)
        for end in () if fact is None else (fact.subject, fact.object):
            entity = None if end is None else self._change.entity(end)
            if entity is not None and entity.merged_into is not None:
                self._follow_merge(entity)

    def _settle_without(self, id_: FactId) -> None:
        """Settle those that stood beside a fact that is gone, or were replaced by it."""
        change, versions = self._change, replication_queries.versions_of_row(self._change, FACT, (id_,))
        for pair in change.disputes_of(id_):
            change.end_dispute(pair.one, pair.other)
        replaced = [change.fact(FactId(old)) for each in versions if (old := each.value("supersedes")) is not None]
        slots = {each.value("slot") for each in versions} | {fact.slot for fact in replaced if fact is not None}
        for slot in sorted(slots):
            for beside in change.facts_in_slot(slot):
                resettle(change, beside)

    def _is_summed(self, fact: FactId, assertions: Iterable[Assertion]) -> bool:
        """Whether whoever wrote the fact last knew all that was said on it; clocks may order it otherwise."""
        rows = [(FACT, fact), *((ASSERTION, each.id) for each in assertions)]
        made = [each for table, id_ in rows for each in self._versions.of(table, (id_,))]
        own = self._versions.of(FACT, (fact,))
        last = max(own, default=None)
        return last is not None and all(
            each.origin == last.origin or had_seen(last.origin, each.origin) for each in made
        )

    def _sum(self, fact: Fact) -> None:
        """The fact as its assertions add up to, settled among those of its slot."""
        assertions = self._change.assertions(fact.id)
        if not assertions and fact.source_count == 0:
            return  # withdrawn, or joined with another
        summed = fact if self._is_summed(fact.id, assertions) else sum_assertions(fact, assertions)
        resettle(self._change, fact if summed == fact else self._change.put_fact(summed))


def _rows_of_entity(view: View, entity: EntityId, survivor: EntityId) -> Iterator[_RowKey]:
    """The rows that merging an entity changes."""
    yield ENTITY, (survivor,)
    for name in view.names_of(entity):
        yield NAME, (name.folded, entity, name.kind)
        yield NAME, (name.folded, survivor, "alias" if name.kind == "name" else name.kind)
    for document in documents_mentioning(view, entity):
        yield MENTION, (document, entity)
        yield MENTION, (document, survivor)
    for fact in view.facts_touching(entity):
        yield FACT, (fact.id,)
        yield from ((ASSERTION, (each.id,)) for each in view.assertions(fact.id))


def _first_keys(table: VersionedTable, touched: Iterable[_RowKey]) -> set[str]:
    return {str(next(iter(key))) for each, key in touched if each is table}


def _entities_in(table: VersionedTable, touched: Iterable[_RowKey]) -> set[str]:
    """The entities that rows of names or mentions belong to."""
    place = table.key.index("entity")
    return {str(key[place]) for each, key in touched if each is table}
