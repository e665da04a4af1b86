"""Writing down what a document states: its entities, then its relations; what it no longer says is withdrawn."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import partial

from recollect.errors import Conflict, NotKnown, Refused
from recollect.ingest.lore.bounds import Times, bounds_of
from recollect.ingest.lore.draft import End as DraftEnd
from recollect.ingest.lore.draft import (
    EntityDraft,
    Extraction,
    Keyed,
    Reading,
    RelationDraft,
    Retold,
    Target,
    Text,
    Unread,
)
from recollect.ingest.lore.entity import EntityWanted, check_size, describe, other_holders
from recollect.ingest.lore.foreseeing import foresee
from recollect.ingest.lore.front import BadItem
from recollect.ingest.lore.outline import names_in, visibility_of
from recollect.ingest.lore.relate import (
    Given,
    Related,
    Voice,
    Wanted,
    ends_of,
    known_claim,
    meant,
    relate,
    says_exactly,
)
from recollect.ingest.lore.tree_person import keep_person
from recollect.model.document import Document
from recollect.model.entity import NAME_LIMIT, Entity
from recollect.model.fact import Assertion, Fact, Source, Statement
from recollect.model.ids import FACT_PREFIX, AssertionId, EntityId, FactId, is_id, read_id
from recollect.model.labels import kind_of, read_label
from recollect.model.names import fold
from recollect.store.change import Change
from recollect.write.ends import AmbiguousName, End, add_alias, find_or_make
from recollect.write.retract import withdraw


@dataclass(slots=True)
class Counts:
    """What became of the items of a document."""

    entities_created: int = 0
    relations_created: int = 0
    assertions_added: int = 0
    assertions_withdrawn: int = 0


Tell = Callable[[int, int], None]
"""Hears how many of how many items are written."""
_TOLD_EVERY = 500


@dataclass(slots=True)
class Writer:
    """One document in the course of being written."""

    change: Change
    document: Document
    tell: Tell | None = None
    before: dict[FactId, list[Assertion]] = field(default_factory=dict)
    counts: Counts = field(default_factory=Counts)
    problems: list[Unread] = field(default_factory=list)
    dropped: list[Unread] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    touched: dict[EntityId, bool] = field(default_factory=dict)
    kept: set[AssertionId] = field(default_factory=set)
    _by_key: dict[str, Entity] = field(default_factory=dict)
    _by_name: dict[str, Entity] = field(default_factory=dict)
    _said: set[str] = field(default_factory=set)

    def write(self, reading: Reading) -> None:
        """Write all that can be written; what cannot is among the problems."""
        foresee(self.change, reading)
        self.problems += reading.unread
        self.dropped += reading.dropped
        self.warnings += reading.warnings
        for entity in reading.entities:
            self._try(entity.line, entity.name, partial(self.entity, entity))
        for name, line in reading.links:
            self._try(line, f"[[{name}]]", partial(self.link, name))
        total = len(reading.entities) + len(reading.relations)
        for number, relation in enumerate(reading.relations):
            if self.tell is not None and number % _TOLD_EVERY == 0:
                self.tell(len(reading.entities) + number, total)
            self._try(relation.line, relation.item, partial(self.relation, relation))

    def heard(self, relations: Iterable[RelationDraft]) -> None:
        """Write what a model read; what makes no sense here is its mistake and not the document's."""
        for relation in relations:
            self._try(relation.line, relation.item, partial(self.relation, relation), self.dropped)

    def _try(self, line: int, item: str, act: Callable[[], object], unread: list[Unread] | None = None) -> None:
        try:
            act()
        except (Refused, NotKnown, Conflict) as problem:
            (self.problems if unread is None else unread).append(Unread(line, item, str(problem)))

    def entity(self, draft: EntityDraft) -> Entity:
        """Write one entity that the document describes."""
        if "gedcom_id" in draft.properties:
            found = keep_person(self.change, draft)
        else:
            found = describe(self.change, EntityWanted(draft.label, draft.name, draft.properties))
            self._aliases(found.entity, draft.aliases)
        self.touch(found.entity, found.is_new)
        if draft.key is not None:
            self._by_key[draft.key] = found.entity
        else:
            for name in (draft.name, *draft.aliases):
                self._by_name[fold(name)] = found.entity
        return found.entity

    def _aliases(self, entity: Entity, aliases: Iterable[str]) -> None:
        for alias in aliases:
            others = other_holders(self.change, entity, alias)
            if others and add_alias(self.change, entity, alias):
                self.warnings.append(f"{alias!r} now names {entity.name!r} and {others[0].name!r}")
            else:
                add_alias(self.change, entity, alias)

    def link(self, name: str) -> None:
        """Let the document mention a name; one that nobody knows becomes a provisional entity."""
        if len(name) > NAME_LIMIT:
            raise BadItem(f"a name has at most {NAME_LIMIT} characters")
        try:
            found = find_or_make(self.change, End(name, reason="link"))
        except AmbiguousName:
            self.warnings.append(f"[[{name}]] may be several entities; it links to none of them")
            return
        self.touch(found.entity, found.is_new)

    def relation(self, draft: RelationDraft) -> Related | None:
        """Write one relation; what the document says twice in the same way counts once."""
        said = repr(draft._replace(line=0))
        if said in self._said:
            return None
        self._said.add(said)
        check_size(dict(draft.attributes), "attributes")
        visibility_of(draft.attributes.get("visibility"))
        names_in(draft.attributes.get("known_to"), "known_to")
        wanted = Wanted(
            self._end(draft.subject),
            draft.relation,
            self._target(draft.target),
            Times(draft.valid_from, draft.valid_until),
            draft.confidence,
            draft.attributes,
            self._superseded(draft),
            is_event=draft.is_event,
            confirms_ends=draft.extraction == "gedcom",
        )
        return self.state(wanted, draft.quote, extraction=draft.extraction)

    def state(self, wanted: Wanted, quote: str | None = None, *, extraction: Extraction) -> Related:
        """Write one statement of the document."""
        document = self.document
        source = Source(document.id, document.key, document.url, None, quote, extraction)
        related = relate(self.change, wanted, Voice(source, document.source_at, self._already))
        self._count(related)
        return related

    def _count(self, related: Related) -> None:
        for entity in related.made:
            self.touch(entity, True)
        for end in (related.fact.subject, related.fact.object):
            if end is not None:
                self.touched.setdefault(end, False)
        self.warnings += related.warnings
        if related.said_by is not None:
            self.kept.add(related.said_by.id)
        elif related.is_new:
            self.counts.relations_created += 1
        else:
            self.counts.assertions_added += 1

    def _already(self, fact: FactId, statement: Statement) -> Assertion | None:
        """What the document's earlier version said in the same way."""
        for each in self.before.get(fact, ()):
            if says_exactly(each, statement) and each.extracted_by == statement.source.extracted_by:
                return each
        return None

    def touch(self, entity: Entity, is_new: bool) -> None:
        """Let the document mention an entity."""
        if is_new:
            self.counts.entities_created += 1
        self.touched[entity.id] = self.touched.get(entity.id, False) or is_new

    def _end(self, end: DraftEnd) -> Given:
        if isinstance(end, Keyed):
            held = self._by_key.get(end.key)
            if held is None:
                raise BadItem(f"{end.key} could not be read")
            return held
        own = self._by_name.get(fold(end.name))
        if own is not None and (end.type is None or read_label(end.type).type == kind_of(own).type):
            return own
        return end

    def _target(self, target: Target) -> Given | Text | None:
        return target if target is None or isinstance(target, Text) else self._end(target)

    def _superseded(self, draft: RelationDraft) -> tuple[FactId, ...]:
        old = draft.supersedes
        if old is None:
            return ()
        if isinstance(old, str):
            if not is_id(old, FACT_PREFIX):
                raise BadItem(f"supersedes should be the id of a relation, not {old!r}")
            return (FactId(read_id(old, FACT_PREFIX)),)
        found = list(self._retold(old))
        if len(found) != 1:
            raise BadItem(f"supersedes matches {len(found)} live relations; it should match one")
        return (found[0].id,)

    def _retold(self, old: Retold) -> Iterable[Fact]:
        """The relations that a retcon by ends may mean: live ones, or those that this document replaced before."""
        wanted = Wanted(self._end(old.subject), old.relation, self._end(old.target))
        said = meant(self.change, wanted)
        claimed = known_claim(self.change, said, ends_of(self.change, said))
        if claimed is None:
            return []
        facts = [fact for fact in self.change.facts_in_slot(claimed.slot) if not fact.is_retracted]
        if old.valid_from is not None:
            start = bounds_of(self.change.world, said.name, Times(old.valid_from)).valid_from
            facts = [fact for fact in facts if fact.valid_from == start]
        own = [fact for fact in facts if fact.stale and fact.replaced_by in self.before]
        return own or [fact for fact in facts if not fact.stale]

    def finish(self, earlier: Iterable[Assertion]) -> None:
        """Withdraw what the document no longer says, and let it mention what it now does."""
        gone = [each for each in earlier if each.id not in self.kept]
        withdraw(self.change, gone)
        self.counts.assertions_withdrawn = len(gone)
        held = set(self.change.mentioned(self.document.id))
        self.change.add_mentions(self.document.id, sorted(self.touched.keys() - held))
        for entity in sorted(held - self.touched.keys()):
            self.change.end_mention(self.document.id, entity)
