"""The view of a writer: answered from its cache, and from the store where the cache has no answer.

For each kind of lookup the cache is filled key by key, for many keys at once (`prefetch_…`), and by what is
written (`note_…`), so that rows which a batch has not flushed yet are found as well.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from itertools import groupby, islice
from operator import attrgetter, itemgetter
from typing import Any

from recollect.model.document import Document
from recollect.model.entity import Entity
from recollect.model.fact import Assertion, Claim, Fact
from recollect.model.ids import EntityId, FactId
from recollect.model.names import KnownAs, Name
from recollect.model.slot import ComparisonScope
from recollect.store.fact_rows import NO_LIMIT, FactRow, newest_first
from recollect.store.port import Connection, Row
from recollect.store.rows import entity_of
from recollect.store.tables import LATEST
from recollect.store.view import Dispute, PredicateEntry, View, Workspace
from recollect.store.world import World
from recollect.store.write_cache import (
    MOST_AT_END,
    MOST_SHOWN,
    OBJECT,
    SUBJECT,
    BatchCache,
    DisputePair,
    EndKey,
    NameHolders,
    WriteCache,
    name_order,
)
from recollect.text.tokens import name_tokens
from recollect.when.instant import Instant
from recollect.when.timeline import Timeline

_BY_ID = attrgetter("id")
_FIRST = itemgetter(0)


class CachedView(View):
    """The latest state as its one writer sees it; valid while that writer holds the lock on the workspace."""

    def __init__(self, connection: Connection, workspace: Workspace, now: Instant, cache: WriteCache) -> None:
        super().__init__(connection, workspace, LATEST, now)
        self.recent = cache

    @property
    def world(self) -> World:  # not cached here: a setting may change within the transaction
        world = self.recent.world
        if world is None:
            world = self.recent.world = self.read_world()
        if world.clock != self.now:
            world = self.recent.world = world.at(self.now)
        return world

    @property
    def timeline(self) -> Timeline:
        """The timeline, which needs no present."""
        return (self.recent.world or self.world).timeline

    def entity(self, entity: EntityId) -> Entity | None:
        cached = self.recent.entities.get(entity)
        if cached is None:
            cached = super().entity(entity)
            if cached is not None:
                self.recent.entities[entity] = cached
        return cached

    def note_new_entity(self, entity: Entity) -> None:
        if self.recent.batch is not None:
            self.recent.batch.made.add(entity.id)
        self.recent.entities[entity.id] = entity

    def names(self, folded: str) -> NameHolders:
        """The live entities known by a folded text."""
        cached = self.recent.named.get(folded)
        if cached is None:
            cached = self._cache_names(folded, self.rows("entities_named", folded=folded))
        return cached

    def _cache_names(self, folded: str, rows: Sequence[Row]) -> NameHolders:
        """Cache rows of kind and entity; an entity that is in the cache may be newer than the stored one."""
        for row in rows:
            if row[1] not in self.recent.entities:
                self.recent.entities[row[1]] = entity_of(row[1:])
        return self.recent.name(folded, sorted(((row[0], row[1]) for row in rows), key=name_order))

    def entities_named(self, folded: str) -> list[tuple[KnownAs, Entity]]:
        """Live entities known by this folded text, and whether as name, alias or identifier."""
        found = ((kind, self.entity(entity)) for kind, entity in self.names(folded))
        return [(kind, entity) for kind, entity in found if entity is not None]

    def is_known_as(self, entity: EntityId, folded: str, kind: KnownAs) -> bool:
        return (kind, entity) in self.names(folded)

    def note_new_name(self, name: Name) -> None:
        names, known = self.names(name.folded), (name.known_as, name.entity)
        self.recent.name(
            name.folded, sorted({*_remove_holder(names, name), known}, key=name_order) if names else [known]
        )

    def note_ended_name(self, name: Name) -> None:
        self.recent.name(name.folded, _remove_holder(self.names(name.folded), name))

    def prefetch_names(self, names: Iterable[str]) -> None:
        """Cache the holders of these folded names and, of names that are new, which of their tokens are indexed."""
        named = self.recent.named
        missing = [name for name in names if name not in named]
        found = sorted(self._rows_for("entities_named_any", names=missing), key=_FIRST)
        for folded, rows in groupby(found, key=_FIRST):
            self._cache_names(folded, [row[1:] for row in rows])
        unknown = [name for name in missing if name not in named]
        named.update((name, []) for name in unknown)
        self._prefetch_tokens({token for name in unknown for token in name_tokens(name)})

    def _prefetch_tokens(self, words: Iterable[str]) -> None:
        known = self.recent.tokens
        missing = [word for word in words if word not in known]
        known.update(dict.fromkeys(missing, False))
        known.update((token, True) for [token] in self._rows_for("tokens_known", tokens=missing))

    def is_indexed_token(self, word: str) -> bool:
        """Whether the spelling variants of a token are stored."""
        known = self.recent.tokens.get(word)
        return bool(self.rows("token_known", token=word)) if known is None else known

    def facts_in_slot(self, slot: int) -> tuple[Fact, ...]:
        batch = self.recent.batch
        if batch is None:
            return super().facts_in_slot(slot)
        cached = batch.slots.get(slot)
        if cached is None:
            cached = batch.slots[slot] = super().facts_in_slot(slot)
        return cached

    def facts_claiming(self, claim: Claim, slot: int, limit: int = NO_LIMIT) -> tuple[Fact, ...]:
        """The facts in the slot of a claim, no more than `limit` if they have to be read for this claim alone."""
        cached = self._cached_in_slot(claim, slot)
        return self.some_in_slot(slot, limit) if cached is None else cached

    def facts_reached(self, claim: Claim, slot: int, reach: ComparisonScope) -> tuple[Fact, ...]:
        """Of the facts in the slot of a claim at least those that a statement can reach."""
        cached = self._cached_in_slot(claim, slot)
        return self.facts_in_reach(slot, reach) if cached is None else cached

    def _cached_in_slot(self, claim: Claim, slot: int) -> tuple[Fact, ...] | None:
        """All facts of a slot from the cache; the store has none about an entity that this batch created."""
        batch = self.recent.batch
        if batch is not None:
            cached = batch.slots.get(slot)
            if cached is not None:
                return cached
            is_new = claim.subject in batch.made or claim.object in batch.made
            return batch.slots.setdefault(slot, ()) if is_new else self.facts_in_slot(slot)
        # Both ends of a symmetric predicate share a slot.
        key = (SUBJECT, claim.subject, claim.predicate)
        at_end = None if claim.symmetric else self.recent.ends.get(key)
        return at_end.in_slot(slot) if at_end is not None and at_end.has_every else None

    def prefetch_slots(self, slots: Iterable[int]) -> None:
        """Cache the facts in these slots."""
        batch = self.recent.batch
        if batch is None:
            return
        missing = [slot for slot in slots if slot not in batch.slots]
        batch.slots.update(dict.fromkeys(missing, ()))
        stored = self.fetch_facts("facts_in_slots", slots=missing) if missing else ()
        for fact in sorted(stored, key=_BY_ID):
            batch.slots[fact.slot] += (fact,)

    def facts_of_subject(self, subject: EntityId, predicate: str, limit: int) -> list[Fact]:
        key, ask = (SUBJECT, subject, predicate), super().facts_of_subject
        if self.recent.batch is None and key not in self.recent.ends:
            ever = self.facts_of_subject_ever(subject, predicate, MOST_AT_END)
            if len(ever) < MOST_AT_END:
                return self.recent.load_end(key, ever, has_every=True).current(limit)
        return self._facts_at_end(key, limit, lambda: ask(subject, predicate, limit))

    def facts_of_object(self, object_: EntityId, predicate: str, limit: int) -> list[Fact]:
        ask = super().facts_of_object
        return self._facts_at_end((OBJECT, object_, predicate), limit, lambda: ask(object_, predicate, limit))

    def _facts_at_end(self, key: EndKey, limit: int, ask: Callable[[], list[Fact]]) -> list[Fact]:
        """Current facts by subject or object; the store is asked once per batch, and never about a new entity."""
        batch = self.recent.batch
        if batch is None:
            return self._facts_at_end_alone(key, limit, ask)
        if key not in batch.loaded_ends:
            batch.load_end(key, () if key[1] in batch.made else ask())
        return _current(batch.by_end[key].values(), limit)

    def _facts_at_end_alone(self, key: EndKey, limit: int, ask: Callable[[], list[Fact]]) -> list[Fact]:
        """The same outside of a batch; a list that is cut is not cached."""
        cached = self.recent.ends.get(key)
        if cached is not None:
            return cached.current(limit)
        found = ask()
        if len(found) < limit:
            self.recent.load_end(key, found, has_every=False)
        return found

    def fact_rows(self, facts: Collection[FactId]) -> list[FactRow]:
        """Facts as readers are shown them; those that were written or read just before are in the cache."""
        if self.recent.batch is not None or len(facts) > MOST_SHOWN // 2:
            return super().fact_rows(facts)
        shown = self.recent.shown
        found = [shown[fact] for fact in dict.fromkeys(facts) if fact in shown]
        read = super().fact_rows([fact for fact in facts if fact not in shown])
        for row in read:
            self.recent.show(row)
        return newest_first([*found, *read]) if found else read

    def superseders(self, facts: Collection[FactId]) -> Mapping[FactId, Sequence[Fact]]:
        if self.recent.superseding is None:
            self.recent.superseding = bool(self.rows("any_superseding"))
        is_possible = self.recent.superseding and self._may_be_superseded(facts)
        return super().superseders(facts) if is_possible else {}

    def _may_be_superseded(self, facts: Collection[FactId]) -> bool:
        """Whether any of these facts may be replaced, as far as one can tell without flushing a batch."""
        batch = self.recent.batch
        return batch is None or batch.may_be_superseded(facts, self.rows)

    def note_superseded(self, fact: FactId) -> None:
        """Note that a fact which is being written replaces this one."""
        self.recent.superseding = True
        if self.recent.batch is not None:
            self.recent.batch.superseded.add(fact)

    def has_decisions(self) -> bool:
        """Whether any question of a review was ever decided."""
        if self.recent.decided is None:
            self.recent.decided = bool(self.rows("any_decision"))
        return self.recent.decided

    def was_retracted(self, fact: FactId) -> bool:
        batch = self.recent.batch
        return (batch is not None and fact in batch.retracting) or super().was_retracted(fact)

    def note_new_fact(self, fact: Fact, assertions: Sequence[Assertion]) -> None:
        if fact.supersedes is not None:
            self.note_superseded(fact.supersedes)
        batch = self.recent.batch
        if batch is None:
            self.recent.add_at_ends(fact)
            self._show_new_fact(fact, assertions[-1])
            return
        slot = fact.slot
        beside = batch.slots.get(slot)
        batch.slots[slot] = (*(self.facts_in_slot(slot) if beside is None else beside), fact)
        batch.begun.add(fact.id)
        if fact.policy == "dispute":
            batch.index_ends(fact)
        for each in assertions:
            if each.certainty == "retracted":
                batch.retracting.add(fact.id)

    def _show_new_fact(self, fact: Fact, last: Assertion) -> None:
        """Cache how a fact is shown if its ends are in the cache and live."""
        entities, target = self.recent.entities, fact.object
        subject, object_ = entities.get(fact.subject), None if target is None else entities.get(target)
        if subject is None or subject.deleted is not None or last.id != fact.newest:
            return
        if target is not None and (object_ is None or object_.deleted is not None):
            return
        ends = (subject.name, subject.type, object_ and object_.name, object_ and object_.type)
        who = (last.surface, last.tool, last.actor)
        self.recent.show(
            FactRow(fact, *ends, last.source_key, last.source_url, last.given, last.quote, last.extracted_by, *who)
        )

    def note_fact(self, version: Fact) -> None:
        """Cache the newest version of a fact, in its slot and no other."""
        if version.supersedes is not None:
            self.note_superseded(version.supersedes)
        batch = self.recent.batch
        if batch is None:
            self.recent.put_at_ends(version)
            self.recent.show_version(version)
            return
        if version.policy == "dispute":
            batch.index_ends(version)
        slot = self.facts_in_slot(version.slot)
        if any(fact.id == version.id for fact in slot):
            batch.slots[version.slot] = tuple(version if fact.id == version.id else fact for fact in slot)
        else:
            self._leave_slot(batch, version)
            batch.slots[version.slot] = (*slot, version)

    def _leave_slot(self, batch: BatchCache, version: Fact) -> None:
        before = self.fact(version.id)
        if before is not None:
            batch.move(before, version)
            others = (fact for fact in self.facts_in_slot(before.slot) if fact.id != version.id)
            batch.slots[before.slot] = tuple(others)

    def note_assertion(self, assertion: Assertion) -> None:
        self.recent.shown.pop(assertion.fact, None)
        if assertion.certainty == "retracted" and self.recent.batch is not None:
            self.recent.batch.retracting.add(assertion.fact)

    def disputes_of(self, fact: FactId) -> list[Dispute]:
        batch = self.recent.batch
        if batch is None:
            return super().disputes_of(fact)
        return [Dispute(one, other, reason) for (one, other), reason in sorted(self._disputes(batch, fact).items())]

    def _disputes(self, batch: BatchCache, fact: FactId) -> dict[DisputePair, str]:
        cached = batch.disputes.get(fact)
        if cached is None:
            found = () if fact in batch.begun else super().disputes_of(fact)
            cached = batch.disputes[fact] = {(each.one, each.other): each.reason for each in found}
        return cached

    def note_dispute(self, one: FactId, other: FactId, reason: str | None) -> None:
        """Cache a dispute, or its end if there is no reason."""
        batch = self.recent.batch
        if batch is None:
            return
        for fact in (one, other):
            disputes = self._disputes(batch, fact)
            if reason is None:
                disputes.pop((one, other), None)
            else:
                disputes[one, other] = reason

    def document_named(self, kind: str, key: str) -> Document | None:
        batch = self.recent.batch
        if batch is not None and (kind, key) in batch.documents:
            return batch.documents[kind, key]
        return super().document_named(kind, key)

    def note_document(self, document: Document) -> None:
        if self.recent.batch is not None:
            self.recent.batch.documents[document.kind, document.key] = document

    def prefetch_documents(self, kind: str, keys: Iterable[str]) -> None:
        """Cache the documents with these keys."""
        batch = self.recent.batch
        if batch is None:
            return
        missing = [key for key in keys if (kind, key) not in batch.documents]
        batch.documents.update(((kind, key), None) for key in missing)
        found = self.fetch_documents("documents_by_keys", keys=missing, kind=kind) if missing else ()
        batch.documents.update(((kind, document.key), document) for document in found)

    def was_ingested(self, line: str) -> bool:
        batch = self.recent.batch
        known = batch.lines.get(line) if batch is not None else None
        return super().was_ingested(line) if known is None else known

    def note_line(self, line: str, *, is_known: bool = True) -> None:
        if self.recent.batch is not None:
            self.recent.batch.lines[line] = is_known

    def prefetch_lines(self, hashes: Sequence[str]) -> set[str]:
        """Those of these lines that were ingested already."""
        batch = self.recent.batch
        if batch is None:
            return {each for each in hashes if self.was_ingested(each)}
        missing = [each for each in hashes if each not in batch.lines]
        batch.lines.update(dict.fromkeys(missing, False))
        batch.lines.update((line, True) for [line] in self._rows_for("lines_taken", hashes=missing))
        return {each for each in hashes if batch.lines[each]}

    @property
    def forgotten(self) -> frozenset[str]:
        """The hashes of everything that was erased."""
        cached = self.recent.forgotten
        if cached is None:
            cached = self.recent.forgotten = frozenset(digest for [digest] in self.rows("forgotten_hashes"))
        return cached

    def predicate_entry(self, name: str) -> PredicateEntry | None:
        known = self.recent.predicates
        if name not in known:
            known[name] = super().predicate_entry(name)
        return known[name]

    def _rows_for(self, query: str, **keys: Collection[Any]) -> list[Row]:
        """The rows for some keys; no query if there are none."""
        return self.rows(query, **keys) if all(keys.values()) else []


def _current(facts: Iterable[Fact], limit: int) -> list[Fact]:
    return list(islice((fact for fact in facts if not fact.stale and not fact.is_retracted), limit))


def _remove_holder(holders: NameHolders, name: Name) -> NameHolders:
    """The holders of a text without this one, at any level of trust."""
    kinds = ("alias", "claimed") if name.kind == "alias" else (name.kind,)
    return [(kind, entity) for kind, entity in holders if entity != name.entity or kind not in kinds]
