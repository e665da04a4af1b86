"""The list of transactions, newest first, each with what it changed; and what an undo changed and kept."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal, TypeVar

from recollect.memory import Memory
from recollect.model.document import Document
from recollect.model.entity import Entity, is_live_entity
from recollect.model.fact import ends_of_facts
from recollect.model.ids import EntityId, FactId
from recollect.model.sentence import fact_text
from recollect.reason.change_history import changes_by, document_label
from recollect.reason.comparison import FieldDifference, fact_differences
from recollect.reason.review.questions import claim_text
from recollect.settings import MASK, is_secret
from recollect.store import activity_queries
from recollect.store import activity_queries as queries
from recollect.store.activity_queries import (
    ActivityFilter,
    Author,
    counts_since,
    growth_between,
    latest_names,
    list_transactions,
)
from recollect.store.change import Change
from recollect.store.review_queries import held_fact
from recollect.store.view import Counts, Tx, View
from recollect.write.undo import ERASE, UndoResult, undone_by

MAX_LINES = 12
_RECENT = 2_000
LineKind = Literal["fact", "entity", "alias", "setting", "decision", "other"]


@dataclass(frozen=True, slots=True)
class ActivityLine:
    """One change: a word for it, what it is about, and the fields that differ."""

    change: str
    text: str
    kind: LineKind = "other"
    fact: FactId | None = None
    entity: EntityId | None = None
    differences: tuple[FieldDifference, ...] = ()
    source: str | None = None


@dataclass(frozen=True, slots=True)
class ActivityEntry:
    """A transaction with its first changes; `more` are not listed. `undone_by` is the one that took it back."""

    tx: Tx
    lines: tuple[ActivityLine, ...]
    more: int = 0
    undone_by: int | None = None

    @property
    def can_be_undone(self) -> bool:
        return self.undone_by is None and self.tx.tool != ERASE


@dataclass(frozen=True, slots=True)
class TransactionList:
    """Transactions newest first; `next_before` is the cursor of the next page, if there is one."""

    entries: tuple[ActivityEntry, ...]
    next_before: int | None = None


Id = TypeVar("Id")
Version = TypeVar("Version")


def list_activity(view: View, wanted: ActivityFilter) -> TransactionList:
    """One page of the transactions wanted."""
    found = list_transactions(view, wanted)
    entries = tuple(describe_transaction(view, tx) for tx in found)
    return TransactionList(entries, found[-1].tx if len(found) == wanted.limit else None)


def describe_transaction(view: View, tx: Tx) -> ActivityEntry:
    """A transaction and what it changed."""
    lines = [*_fact_lines(view, tx.tx), *_other_lines(view, tx.tx)]
    hidden = max(0, len(lines) - MAX_LINES) + max(0, queries.count_facts_begun(view, tx.tx) - 2 * MAX_LINES)
    return ActivityEntry(tx, tuple(lines[:MAX_LINES]), hidden, undone_by(view, tx.tx))


def last_not_undone(view: View, wanted: ActivityFilter) -> int | None:
    """The newest of the transactions wanted that still stands."""
    return next((tx.tx for tx in list_transactions(view, wanted) if undone_by(view, tx.tx) is None), None)


def known_authors(view: View) -> list[Author]:
    """Who wrote lately, and through which tools."""
    return queries.recent_authors(view, _RECENT)


NO_COUNTS = Counts(0, 0, 0, 0)


class _LatestCounts:
    """Counts as of a transaction; in a large store counting everything takes seconds."""

    def __init__(self) -> None:
        self.tx = -1
        self.counts = NO_COUNTS
        self.growth: dict[int, tuple[int, Counts]] = {}
        """By the transaction after which it was counted: up to which one, and the growth."""


def count_rows(memory: Memory, view: View) -> Counts:
    """How many live entities, facts, documents and waiting jobs there are in the latest state."""
    known = memory.cache.get_or_create(_LatestCounts)
    tx, is_current = view.last_tx, 0 <= known.tx <= view.last_tx
    # What was erased leaves no trace to subtract.
    erased = list_transactions(view, ActivityFilter(tool=ERASE, limit=1)) if is_current and known.tx < tx else []
    if is_current and not any(each.tx > known.tx for each in erased):
        known.counts = counts_since(view, known.counts, known.tx)
    else:
        known.counts = Counts(**view.counts())
        known.growth.clear()
    known.tx = tx
    return known.counts


def growth_between_moments(memory: Memory, view: View, moments: Sequence[int]) -> list[Counts]:
    """By how much the counts grew from each of some transactions to the next; call `count_rows` before."""
    known = memory.cache.get_or_create(_LatestCounts).growth
    for after, upto in pairwise(moments):
        counted, growth = known.get(after, (after, NO_COUNTS))
        if counted < upto:
            more = growth_between(view, counted, upto)
            growth = Counts(*(one + other for one, other in zip(growth, more, strict=True)))
        known[after] = max(counted, upto), growth
    return [known[after][1] if upto > after else NO_COUNTS for after, upto in pairwise(moments)]


def _fact_lines(view: View, tx: int) -> Iterator[ActivityLine]:
    differences = _differences(view, tx)
    for entry in changes_by(view, tx, 2 * MAX_LINES):
        kind: LineKind = "other" if entry.fact is None else "fact"
        changed = differences.pop(entry.fact, ()) if entry.fact is not None else ()
        yield ActivityLine(entry.change, entry.text, kind, entry.fact, None, changed, entry.source)


def _differences(view: View, tx: int) -> dict[FactId, tuple[FieldDifference, ...]]:
    """By fact that a transaction changed, what it changed."""
    versions = activity_queries.fact_versions_begun(view, activity_queries.ChangeWindow(tx - 1, tx, 2 * MAX_LINES))
    before = activity_queries.fact_versions_before(view, versions)
    pairs = [(before[now.id, tx], now) for now in versions if (now.id, tx) in before]
    names = activity_queries.latest_names(view, ends_of_facts(fact for pair in pairs for fact in pair))
    return {now.id: fact_differences(old, now, names) for old, now in pairs}


def _other_lines(view: View, tx: int) -> Iterator[ActivityLine]:
    yield from _entity_lines(view, tx)
    changed = queries.alias_changes(view, tx, MAX_LINES)
    names = activity_queries.latest_names(view, {each.entity for each in changed})
    for alias in changed:
        word = "named" if alias.is_added else "unnamed"
        yield ActivityLine(word, f"{names.get(alias.entity, '')} as “{alias.spelling}”", "alias", entity=alias.entity)
    for setting in queries.setting_changes(view, tx, MAX_LINES):
        before, after = setting.before or "—", setting.after
        if is_secret(setting.key):
            before, after = MASK if setting.before else before, MASK
        difference = FieldDifference(setting.key, before, after)
        yield ActivityLine("set", setting.key, "setting", differences=(difference,))
    for decision in queries.decisions_made(view, tx, MAX_LINES):
        yield ActivityLine("decided", f"{decision.question.partition(':')[0]}: {decision.choice}", "decision")


def _entity_lines(view: View, tx: int) -> Iterator[ActivityLine]:
    begun = queries.entities_begun(view, tx, MAX_LINES)
    before = queries.entities_ended(view, tx, {each.id for each in begun})
    for now in begun:
        line = _entity_line(before, now)
        if line is not None:
            yield line


def _entity_line(before: Mapping[EntityId, Entity], now: Entity) -> ActivityLine | None:
    old = before.get(now.id)
    if old is None:
        return ActivityLine("created", f"{now.name} ({now.type})", "entity", entity=now.id) if now.is_live else None
    changed = {"name": (old.name, now.name), "type": (old.type, now.type)}
    differences = tuple(FieldDifference(key, *pair) for key, pair in changed.items() if pair[0] != pair[1])
    return ActivityLine("changed", now.name, "entity", entity=now.id, differences=differences) if differences else None


def describe_changes(change: Change, undone: UndoResult) -> list[str]:
    """What is withdrawn, restored or changed back: facts first, also held ones, then documents and entities."""
    before = change.at(undone.tx - 1)
    facts = _versions(before, change, undone.facts, View.fact)
    held = _versions(before, change, undone.held_facts, held_fact)
    documents = _versions(before, change, undone.documents, View.document)
    entities = _versions(before, change, undone.entities, View.entity)
    names = latest_names(change, ends_of_facts(fact for pair in facts for fact in pair if fact))
    return [
        *_describe(facts, lambda fact: not fact.is_retracted, lambda fact: fact_text(fact, names)),
        *_describe(held, lambda _: True, lambda fact: f"{claim_text(fact)} (held in review)"),
        *_describe(documents, lambda each: not each.deleted, lambda each: _document_text(change, each)),
        *_describe(entities, is_live_entity, lambda each: f"{each.name} ({each.type})"),
    ]


def describe_kept(change: Change, undone: UndoResult) -> list[str]:
    """The entities and aliases that later transactions use, and what was told since of an entity that was merged."""
    aliases = [(each.entity, each.spelling) for each in undone.kept_aliases]
    names = latest_names(change, {*undone.kept_entities, *(entity for entity, _ in aliases)})
    types = {id_: entity.type for id_, entity in change.entities(undone.kept_entities).items()}
    entities = [f"{names[each]} ({types.get(each, 'unknown')})" for each in undone.kept_entities]
    told = [fact for each in undone.kept_facts if (fact := change.fact(each)) is not None]
    ends = latest_names(change, ends_of_facts(told))
    facts = [f"fact “{fact_text(fact, ends)}” of {ends[fact.subject]}, recorded after the merge" for fact in told]
    return [*entities, *(f"alias {spelling} of {names[entity]}" for entity, spelling in aliases), *facts]


def _versions(
    before: View, now: View, ids: Iterable[Id], find: Callable[[View, Id], Version | None]
) -> list[tuple[Version | None, Version | None]]:
    return [(find(before, each), find(now, each)) for each in ids]


def _describe(
    versions: Iterable[tuple[Version | None, Version | None]],
    is_live: Callable[[Version], bool],
    text: Callable[[Version], str],
) -> Iterator[str]:
    for old, new in versions:
        shown = new or old
        if shown is not None:
            was, is_now = (each is not None and is_live(each) for each in (old, new))
            word = "changed back" if was == is_now else "restored" if is_now else "withdrawn"
            yield f"{word}: {text(shown)}"


def _document_text(view: View, document: Document) -> str:
    return f"{document.type} “{document_label(view, document)}”"
