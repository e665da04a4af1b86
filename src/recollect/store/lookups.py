"""Lookups of a writer: answered from its cache, and from the store where the cache has no answer.

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
from recollect.model.names import KnownAs, Name, tokens
from recollect.model.slot_reach import ComparisonScope
from recollect.store.fact_rows import NO_LIMIT, FactRow, newest_first
from recollect.store.port import Row
from recollect.store.rows import entity_of
from recollect.store.view import Dispute, PredicateEntry, View
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
from recollect.when.instant import Instant

_BY_ID = attrgetter("id")
_FIRST = itemgetter(0)


class Lookups:
    """The latest state as its one writer sees it; valid while that writer holds the lock on the workspace."""

    __slots__ = ("cache", "stored")

    def __init__(self, stored: View, cache: WriteCache) -> None:
        self.stored = stored
        self.cache = cache

    def world(self, now: Instant) -> World:
        cached = self.cache.world
        if cached is None:
            cached = self.cache.world = self.stored.read_world()
        if cached.clock != now:
            cached = self.cache.world = cached.at(now)
        return cached

    def entity(self, entity: EntityId) -> Entity | None:
        cached = self.cache.entities.get(entity)
        if cached is None:
            cached = self.stored.entity(entity)
            if cached is not None:
                self.cache.entities[entity] = cached
        return cached

    def note_new_entity(self, entity: Entity) -> None:
        if self.cache.batch is not None:
            self.cache.batch.made.add(entity.id)
        self.cache.entities[entity.id] = entity

    def names(self, folded: str) -> NameHolders:
        """The live entities known by a folded text."""
        cached = self.cache.named.get(folded)
        if cached is None:
            cached = self._cache_names(folded, self.stored.rows("entities_named", folded=folded))
        return cached

    def _cache_names(self, folded: str, rows: Sequence[Row]) -> NameHolders:
        """Cache rows of kind and entity; an entity that is in the cache may be newer than the stored one."""
        for row in rows:
            if row[1] not in self.cache.entities:
                self.cache.entities[row[1]] = entity_of(row[1:])
        return self.cache.name(folded, sorted(((row[0], row[1]) for row in rows), key=name_order))

    def entities_named(self, folded: str) -> list[tuple[KnownAs, Entity]]:
        found = ((kind, self.entity(entity)) for kind, entity in self.names(folded))
        return [(kind, entity) for kind, entity in found if entity is not None]

    def note_new_name(self, name: Name) -> None:
        cached, known = self.names(name.folded), (name.known_as, name.entity)
        self.cache.name(
            name.folded, sorted({*_remove_holder(cached, name), known}, key=name_order) if cached else [known]
        )

    def note_ended_name(self, name: Name) -> None:
        self.cache.name(name.folded, _remove_holder(self.names(name.folded), name))

    def prefetch_names(self, names: Iterable[str]) -> None:
        """Cache the holders of these folded names and, of names that are new, which of their tokens are indexed."""
        named = self.cache.named
        missing = [name for name in names if name not in named]
        found = sorted(self._rows("entities_named_any", names=missing), key=_FIRST)
        for folded, rows in groupby(found, key=_FIRST):
            self._cache_names(folded, [row[1:] for row in rows])
        unknown = [name for name in missing if name not in named]
        named.update((name, []) for name in unknown)
        self._prefetch_tokens({token for name in unknown for token in tokens(name)})

    def _prefetch_tokens(self, words: Iterable[str]) -> None:
        known = self.cache.tokens
        missing = [word for word in words if word not in known]
        known.update(dict.fromkeys(missing, False))
        known.update((token, True) for [token] in self._rows("tokens_known", tokens=missing))

    def is_indexed_token(self, word: str) -> bool:
        """Whether the spelling variants of a token are stored."""
        known = self.cache.tokens.get(word)
        return bool(self.stored.rows("token_known", token=word)) if known is None else known

    def facts_in_slot(self, slot: int) -> tuple[Fact, ...]:
        batch = self.cache.batch
        if batch is None:
            return self.stored.facts_in_slot(slot)
        cached = batch.slots.get(slot)
        if cached is None:
            cached = batch.slots[slot] = self.stored.facts_in_slot(slot)
        return cached

    def facts_claiming(self, claim: Claim, slot: int, limit: int = NO_LIMIT) -> tuple[Fact, ...]:
        """The facts in the slot of a claim, no more than `limit` if they have to be read for this claim alone."""
        cached = self._cached_in_slot(claim, slot)
        return self.stored.some_in_slot(slot, limit) if cached is None else cached

    def facts_in_reach(self, claim: Claim, slot: int, reach: ComparisonScope) -> tuple[Fact, ...]:
        """Of the facts in the slot of a claim at least those that a statement can reach."""
        cached = self._cached_in_slot(claim, slot)
        return self.stored.facts_in_reach(slot, reach) if cached is None else cached

    def _cached_in_slot(self, claim: Claim, slot: int) -> tuple[Fact, ...] | None:
        """All facts of a slot from the cache; the store has none about an entity that this batch created."""
        batch = self.cache.batch
        if batch is not None:
            cached = batch.slots.get(slot)
            if cached is not None:
                return cached
            is_new = claim.subject in batch.made or claim.object in batch.made
            return batch.slots.setdefault(slot, ()) if is_new else self.facts_in_slot(slot)
        # Both ends of a symmetric predicate share a slot.
        key = (SUBJECT, claim.subject, claim.predicate)
        at_end = None if claim.symmetric else self.cache.ends.get(key)
        return at_end.in_slot(slot) if at_end is not None and at_end.has_every else None

    def prefetch_slots(self, slots: Iterable[int]) -> None:
        """Cache the facts in these slots."""
        batch = self.cache.batch
        if batch is None:
            return
        missing = [slot for slot in slots if slot not in batch.slots]
        batch.slots.update(dict.fromkeys(missing, ()))
        stored = self.stored.fetch_facts("facts_in_slots", slots=missing) if missing else ()
        for fact in sorted(stored, key=_BY_ID):
            batch.slots[fact.slot] += (fact,)

    def facts_of_subject(self, subject: EntityId, predicate: str, limit: int) -> list[Fact]:
        key, ask = (SUBJECT, subject, predicate), self.stored.facts_of_subject
        if self.cache.batch is None and key not in self.cache.ends:
            ever = self.stored.facts_of_subject_ever(subject, predicate, MOST_AT_END)
            if len(ever) < MOST_AT_END:
                return self.cache.load_end(key, ever, has_every=True).current(limit)
        return self._facts_at_end(key, limit, lambda: ask(subject, predicate, limit))

    def facts_of_object(self, object_: EntityId, predicate: str, limit: int) -> list[Fact]:
        ask = self.stored.facts_of_object
        return self._facts_at_end((OBJECT, object_, predicate), limit, lambda: ask(object_, predicate, limit))

    def _facts_at_end(self, key: EndKey, limit: int, ask: Callable[[], list[Fact]]) -> list[Fact]:
        """Current facts by subject or object; the store is asked once per batch, and never about a new entity."""
        batch = self.cache.batch
        if batch is None:
            return self._facts_at_end_alone(key, limit, ask)
        if key not in batch.loaded_ends:
            batch.load_end(key, () if key[1] in batch.made else ask())
        return _current(batch.by_end[key].values(), limit)

    def _facts_at_end_alone(self, key: EndKey, limit: int, ask: Callable[[], list[Fact]]) -> list[Fact]:
        """The same outside of a batch; a list that is cut is not cached."""
        cached = self.cache.ends.get(key)
        if cached is not None:
            return cached.current(limit)
        found = ask()
        if len(found) < limit:
            self.cache.load_end(key, found, has_every=False)
        return found

    def fact_rows(self, facts: Collection[FactId]) -> list[FactRow]:
        """Facts as readers are shown them; those that were written or read just before are in the cache."""
        if self.cache.batch is not None or len(facts) > MOST_SHOWN // 2:
            return self.stored.fact_rows(facts)
        shown = self.cache.shown
        found = [shown[fact] for fact in dict.fromkeys(facts) if fact in shown]
        read = self.stored.fact_rows([fact for fact in facts if fact not in shown])
        for row in read:
            self.cache.show(row)
        return newest_first([*found, *read]) if found else read

    def superseders(self, facts: Collection[FactId]) -> Mapping[FactId, Sequence[Fact]]:
        if self.cache.superseding is None:
            self.cache.superseding = bool(self.stored.rows("any_superseding"))
        is_possible = self.cache.superseding and self._may_be_superseded(facts)
        return self.stored.superseders(facts) if is_possible else {}

    def _may_be_superseded(self, facts: Collection[FactId]) -> bool:
        """Whether any of these facts may be replaced, as far as one can tell without flushing a batch."""
        batch = self.cache.batch
        if batch is None or not batch.superseded.isdisjoint(facts):
            return True
        unread = [fact for fact in facts if fact not in batch.begun and fact not in batch.unsuperseded]
        if unread and self.stored.rows("any_superseded", ids=sorted(unread)):
            return True
        batch.unsuperseded.update(unread)
        return False

    def note_superseded(self, fact: FactId) -> None:
        """Note that a fact which is being written replaces this one."""
        self.cache.superseding = True
        if self.cache.batch is not None:
            self.cache.batch.superseded.add(fact)

    def has_decisions(self) -> bool:
        """Whether any question of a review was ever decided."""
        if self.cache.decided is None:
            self.cache.decided = bool(self.stored.rows("any_decision"))
        return self.cache.decided

    def was_retracted(self, fact: FactId) -> bool:
        batch = self.cache.batch
        return (batch is not None and fact in batch.retracting) or self.stored.was_retracted(fact)

    def note_new_fact(self, fact: Fact, assertions: Sequence[Assertion]) -> None:
        if fact.supersedes is not None:
            self.note_superseded(fact.supersedes)
        batch = self.cache.batch
        if batch is None:
            self.cache.add_at_ends(fact)
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

    def _show_new_fact(self, fact: Fact, assertion: Assertion) -> None:
        """Cache how a fact is shown if its ends are in the cache and live."""
        entities, target = self.cache.entities, fact.object
        subject, object_ = entities.get(fact.subject), None if target is None else entities.get(target)
        if subject is None or subject.deleted is not None or assertion.id != fact.newest:
            return
        if target is not None and (object_ is None or object_.deleted is not None):
            return
        ends = (subject.name, subject.type, object_ and object_.name, object_ and object_.type)
        who = (assertion.surface, assertion.tool, assertion.actor)
        self.cache.show(
            FactRow(
                fact,
                *ends,
                assertion.source_key,
                assertion.source_url,
                assertion.given,
                assertion.quote,
                assertion.extracted_by,
                *who,
            )
        )

    def note_fact(self, version: Fact) -> None:
        """Cache the newest version of a fact, in its slot and no other."""
        if version.supersedes is not None:
            self.note_superseded(version.supersedes)
        batch = self.cache.batch
        if batch is None:
            self.cache.put_at_ends(version)
            self.cache.show_version(version)
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
        before = self.stored.fact(version.id)
        if before is not None:
            batch.move(before, version)
            others = (fact for fact in self.facts_in_slot(before.slot) if fact.id != version.id)
            batch.slots[before.slot] = tuple(others)

    def note_assertion(self, assertion: Assertion) -> None:
        self.cache.shown.pop(assertion.fact, None)
        if assertion.certainty == "retracted" and self.cache.batch is not None:
            self.cache.batch.retracting.add(assertion.fact)

    def disputes_of(self, fact: FactId) -> list[Dispute]:
        batch = self.cache.batch
        if batch is None:
            return self.stored.disputes_of(fact)
        return [Dispute(one, other, reason) for (one, other), reason in sorted(self._disputes(batch, fact).items())]

    def _disputes(self, batch: BatchCache, fact: FactId) -> dict[DisputePair, str]:
        cached = batch.disputes.get(fact)
        if cached is None:
            found = () if fact in batch.begun else self.stored.disputes_of(fact)
            cached = batch.disputes[fact] = {(each.one, each.other): each.reason for each in found}
        return cached

    def note_dispute(self, one: FactId, other: FactId, reason: str | None) -> None:
        """Cache a dispute, or its end if there is no reason."""
        batch = self.cache.batch
        if batch is None:
            return
        for fact in (one, other):
            disputes = self._disputes(batch, fact)
            if reason is None:
                disputes.pop((one, other), None)
            else:
                disputes[one, other] = reason

    def document_named(self, kind: str, key: str) -> Document | None:
        batch = self.cache.batch
        if batch is not None and (kind, key) in batch.documents:
            return batch.documents[kind, key]
        return self.stored.document_named(kind, key)

    def note_document(self, document: Document) -> None:
        if self.cache.batch is not None:
            self.cache.batch.documents[document.kind, document.key] = document

    def prefetch_documents(self, kind: str, keys: Iterable[str]) -> None:
        """Cache the documents with these keys."""
        batch = self.cache.batch
        if batch is None:
            return
        missing = [key for key in keys if (kind, key) not in batch.documents]
        batch.documents.update(((kind, key), None) for key in missing)
        found = self.stored.fetch_documents("documents_by_keys", keys=missing, kind=kind) if missing else ()
        batch.documents.update(((kind, document.key), document) for document in found)

    def has_line(self, line: str) -> bool:
        batch = self.cache.batch
        known = batch.lines.get(line) if batch is not None else None
        return self.stored.was_ingested(line) if known is None else known

    def note_line(self, line: str, *, is_known: bool = True) -> None:
        if self.cache.batch is not None:
            self.cache.batch.lines[line] = is_known

    def prefetch_lines(self, hashes: Sequence[str]) -> set[str]:
        """Those of these lines that were ingested already."""
        batch = self.cache.batch
        if batch is None:
            return {each for each in hashes if self.has_line(each)}
        missing = [each for each in hashes if each not in batch.lines]
        batch.lines.update(dict.fromkeys(missing, False))
        batch.lines.update((line, True) for [line] in self._rows("lines_taken", hashes=missing))
        return {each for each in hashes if batch.lines[each]}

    def forgotten(self) -> frozenset[str]:
        """The hashes of everything that was erased."""
        cached = self.cache.forgotten
        if cached is None:
            cached = self.cache.forgotten = frozenset(digest for [digest] in self.stored.rows("forgotten_hashes"))
        return cached

    def predicate_entry(self, name: str) -> PredicateEntry | None:
        known = self.cache.predicates
        if name not in known:
            known[name] = self.stored.predicate_entry(name)
        return known[name]

    def _rows(self, query: str, **keys: Collection[Any]) -> list[Row]:
        """The rows for some keys; no query if there are none."""
        return self.stored.rows(query, **keys) if all(keys.values()) else []


def _current(facts: Iterable[Fact], limit: int) -> list[Fact]:
    return list(islice((fact for fact in facts if not fact.stale and not fact.is_retracted), limit))


def _remove_holder(holders: NameHolders, name: Name) -> NameHolders:
    """The holders of a text without this one, at any level of trust."""
    kinds = ("alias", "claimed") if name.kind == "alias" else (name.kind,)
    return [(kind, entity) for kind, entity in holders if entity != name.entity or kind not in kinds]
