"""History on both clocks: when things were true in the world, and when the memory learned or changed them."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from recollect.model.document import Document
from recollect.model.fact import Fact, ends_of_facts
from recollect.model.history import is_current
from recollect.model.ids import DocumentId, EntityId, FactId
from recollect.model.sentence import claim_text
from recollect.model.trust import OWNER, Trust
from recollect.reason.closures.open_items import CLOSING_PREDICATES, DECISION, ITEM_PREDICATES
from recollect.reason.items.item_lookup import closed_items
from recollect.search.hidden_sentences import hidden_documents, hidden_facts
from recollect.store import activity_queries as queries
from recollect.store.activity_queries import ChangeWindow
from recollect.store.fact_queries import SourceTitle, source_titles
from recollect.store.fact_rows import FactRow
from recollect.store.view import Tx, View
from recollect.text.fold import collapse_spaces, shorten
from recollect.when.format import time_of_date
from recollect.when.instant import MAX, MIN, format_instant, local_date
from recollect.when.period import Time
from recollect.when.span import Span
from recollect.write.retract import NO_SOURCE
from recollect.write.tombstones import HIDDEN

Clock = Literal["world", "knowledge"]
ChangeWord = Literal[
    "began", "ended", "happened", "due",
    "learned", "confirmed", "replaced", "retracted", "closed", "hidden", "merged", "undone",
]  # fmt: skip
_HIDDEN_FACT, _HIDDEN_TEXT, _HIDDEN_ENTITY = "a hidden fact", "a hidden text", "a hidden entity"
"""Shown in place of something hidden: that it existed, but not what it says."""
_TITLE_LENGTH = 100


@dataclass(frozen=True, slots=True)
class HistoryScope:
    """What a history is about, between which times, and how many entries it keeps."""

    entities: frozenset[EntityId] | None = None
    facts: frozenset[FactId] | None = None
    since: Time | None = None
    until: Time | None = None
    limit: int = 50

    def concerns(self, row: FactRow) -> bool:
        """Whether a fact has one of the entities at an end now; it may have had it only before a change."""
        return not self.entities or not self.entities.isdisjoint((row.fact.subject, row.fact.object))


class HistoryEntry(NamedTuple):
    """One change; `position` orders the entries on their clock."""

    position: int
    when: str
    change: ChangeWord
    text: str
    fact: FactId | None = None
    source: str | None = None
    transaction: int | None = None
    trust: Trust = OWNER


@dataclass(frozen=True, slots=True)
class History:
    """Entries oldest first; `is_cut` if there are older ones."""

    entries: tuple[HistoryEntry, ...]
    is_cut: bool


def scope_of_entity(view: View, entity: EntityId) -> tuple[frozenset[EntityId], frozenset[FactId]]:
    """An entity and every fact that ever had it at an end."""
    return frozenset({entity}), frozenset(queries.all_facts_of_entity(view, entity))


def history_of(view: View, clock: Clock, scope: HistoryScope) -> History:
    """The newest entries on one clock, oldest first."""
    found = _world_entries(view, scope) if clock == "world" else _knowledge_entries(view, scope)
    ordered = sorted(found, key=_entry_order)
    return History(tuple(ordered[-scope.limit :]), len(ordered) > scope.limit)


def changes_by(view: View, tx: int, limit: int) -> list[HistoryEntry]:
    """What one transaction changed, at most so many versions of facts."""
    entries = _KnowledgeReader(view, ChangeWindow(tx - 1, tx, limit)).entries()
    return sorted({each for each in entries if each.transaction == tx}, key=_entry_order)


def count_undated(view: View, scope: HistoryScope) -> int:
    """How many facts that concern a scope are current and have no date, so that the world's clock cannot show them."""
    facts = scope.facts or frozenset()
    dated = {row.fact.id for row in queries.dated_facts_among(view, facts)}
    rows = filter(scope.concerns, view.fact_rows(facts - dated))
    return sum(is_current(row.fact, view.world.present) for row in rows)


def _entry_order(entry: HistoryEntry) -> tuple[int, int, bool, str, str]:
    """By time; what one transaction ended comes before what it learned."""
    return entry.position, entry.transaction or 0, entry.change == "learned", entry.text, entry.change


# The world's clock


def _world_entries(view: View, scope: HistoryScope) -> set[HistoryEntry]:
    span = Span(MIN if scope.since is None else scope.since.lo, MAX if scope.until is None else scope.until.hi)
    found = _dated_facts(view, span, scope.limit + 1) if scope.facts is None else _dated_among(view, span, scope)
    titles = source_titles(view, {each.row.fact.newest for each in found if each.row.given is None})
    return {each.known_at(view.world.present).entry(titles.get(each.row.fact.id)) for each in found}


def _dated_facts(view: View, span: Span, limit: int) -> "list[_DatedFact]":
    """The latest starts, ends and events of all facts in a span."""

    def facts(order: queries.WorldOrder) -> list[FactRow]:
        return queries.facts_in_world_order(view, order, span.lo, span.hi, limit)

    found = [_dated_by_start(row) for row in facts("facts_by_start")]
    found += [_dated_by_end(row) for row in facts("facts_by_end") if not _is_moment(row)]
    if not view.world.timeline.is_fictional:
        found += [_dated_by_source(view, row) for row in facts("events_by_source")]
    return found


def _dated_among(view: View, span: Span, scope: HistoryScope) -> "list[_DatedFact]":
    """The starts, ends and events in a span of the facts that concern a scope."""
    found: list[_DatedFact] = []
    for row in filter(scope.concerns, queries.dated_facts_among(view, scope.facts or ())):
        if row.fact.valid_from is not None:
            found.append(_dated_by_start(row))
        if row.fact.valid_until is not None and not _is_moment(row):
            found.append(_dated_by_end(row))
        if row.fact.valid_from is row.fact.valid_until is None and not view.world.timeline.is_fictional:
            found.append(_dated_by_source(view, row))
    return [each for each in found if each.when.span.overlaps(span)]


class _DatedFact(NamedTuple):
    """A fact at one of its bounds."""

    row: FactRow
    when: Time
    change: ChangeWord

    def known_at(self, present: Span) -> "_DatedFact":
        """An event that is still to come has not happened."""
        is_future = self.change == "happened" and self.when.lo > present.hi
        return self._replace(change="due") if is_future else self

    def entry(self, title: SourceTitle | None) -> HistoryEntry:
        fact = self.row.fact
        text = claim_text(fact, self.row.subject_name, self.row.object_name)
        source = self.row.given or (None if title is None else title.name)
        return HistoryEntry(self.when.lo, self.when.text, self.change, text, fact.id, source, trust=fact.trust)


def _is_moment(row: FactRow) -> bool:
    """Whether the fact is an event that is dated by its start."""
    return row.fact.label == "TRANSITIONED" and row.fact.valid_from is not None


def _dated_by_start(row: FactRow) -> _DatedFact:
    assert row.fact.valid_from is not None
    return _DatedFact(row, row.fact.valid_from, "happened" if row.fact.label == "TRANSITIONED" else "began")


def _dated_by_end(row: FactRow) -> _DatedFact:
    assert row.fact.valid_until is not None
    words: Mapping[str, ChangeWord] = {"AFFILIATED": "ended", "ASSERTED": "due", "TRANSITIONED": "happened"}
    return _DatedFact(row, row.fact.valid_until, words[row.fact.label])


def _dated_by_source(view: View, row: FactRow) -> _DatedFact:
    """An event without bounds happened on the day of its source."""
    zone = view.world.zone
    return _DatedFact(row, time_of_date(local_date(row.fact.source_at, zone), zone), "happened")


# The clock of knowledge


class _FactChange(NamedTuple):
    """What a transaction did to a fact."""

    tx: int
    change: ChangeWord
    fact: Fact


def _knowledge_entries(view: View, scope: HistoryScope) -> set[HistoryEntry]:
    after = 0 if scope.since is None else view.last_tx_at(scope.since.lo - 1)  # type: ignore[arg-type]
    upto = view.last_tx if scope.until is None else min(view.last_tx, view.last_tx_at(scope.until.hi))  # type: ignore[arg-type]
    # One version may be no change worth telling, such as a dispute; twice as many are enough in practice.
    window = ChangeWindow(after, upto, 2 * scope.limit + 10, scope.facts, scope.entities)
    reader = _KnowledgeReader(view, window)
    return set(reader.entries())


class _KnowledgeReader:
    """Reads the changes of one window, which is narrowed to the transactions of the newest versions of facts."""

    def __init__(self, view: View, window: ChangeWindow) -> None:
        self._view = view
        self._versions = queries.fact_versions_begun(view, window)
        is_full = len(self._versions) == window.limit
        self._window = window._replace(after=self._versions[-1].tx_from - 1) if is_full else window
        self._undos = {each.tx: each for each in self._find_undos()}

    def _find_undos(self) -> Iterable[Tx]:
        """The undos of the window; of some facts, those that began a version of them."""
        if self._window.facts is None:
            return queries.undos(self._view, self._window)
        written = queries.transactions(self._view, {each.tx_from for each in self._versions})
        return [each for each in written.values() if each.undoes is not None]

    def entries(self) -> Iterator[HistoryEntry]:
        changes = list(self._fact_changes())
        changes += self._closed_by_words(changes)
        others = [*self._entity_changes(), *self._document_changes({each.tx for each in changes})]
        told = {each.tx for each in changes} | {tx for tx, _, _ in others}
        others += self._bare_undos(told)
        instants = queries.transactions(self._view, {each.tx for each in changes} | {tx for tx, _, _ in others})
        yield from self._render_facts(changes, instants)
        for tx, change, text in others:
            yield _entry_at(instants[tx], change, text)

    def _fact_changes(self) -> Iterator[_FactChange]:
        before = queries.fact_versions_before(self._view, self._versions)
        closers = self._closers_of(self._versions)
        for now in self._versions:
            change = self._change_of(before.get((now.id, now.tx_from)), now, closers)
            if change is not None:
                yield _FactChange(now.tx_from, change, now)
        for removed in queries.facts_removed(self._view, self._window, self._undos):
            yield _FactChange(removed.tx, "undone", removed.fact)

    def _closers_of(self, versions: Sequence[Fact]) -> set[FactId]:
        """Those of the facts that replace others which report that an item is done or cancelled."""
        replacing = {each.replaced_by for each in versions if each.replaced_by and each.predicate in ITEM_PREDICATES}
        found = (self._view.fact(each) for each in sorted(replacing))
        return {each.id for each in found if each is not None and each.predicate in {*CLOSING_PREDICATES, DECISION}}

    def _change_of(self, before: Fact | None, now: Fact, closers: Collection[FactId]) -> ChangeWord | None:
        if self._is_undo(now.tx_from):
            return None if before is not None and _visible_state(before) == _visible_state(now) else "undone"
        if before is None:
            return "retracted" if now.is_retracted else "learned"
        if now.is_hidden != before.is_hidden and now.is_hidden:
            return "hidden"
        if now.is_retracted != before.is_retracted:
            return "retracted" if now.is_retracted else "learned"
        if now.stale and not before.stale:
            return "closed" if now.replaced_by in closers else "replaced" if now.replaced_by else "ended"
        if _has_new_end(before, now):
            has_successor = queries.has_recorded(self._view, now.tx_from, now.subject, now.predicate)
            return "replaced" if has_successor else "ended"
        return "confirmed" if now.source_count > before.source_count and self._is_claimed_again(now) else None

    def _is_claimed_again(self, now: Fact) -> bool:
        """Whether a transaction brought a source that claims a fact, and not just a bound of it."""
        return any(each.is_claim and each.tx_from == now.tx_from for each in self._view.assertions(now.id))

    def _is_undo(self, tx: int) -> bool:
        """Whether a transaction undoes another that is not itself an undo: redoing shows the changes again."""
        found = self._undos.get(tx)
        undone = None if found is None or found.undoes is None else self._view.transaction(found.undoes)
        return undone is not None and undone.undoes is None

    def _closed_by_words(self, changes: Sequence[_FactChange]) -> Iterator[_FactChange]:
        """Items that a newly learned report closes by what it says."""
        reports = {each.fact.id: each.tx for each in changes if each.change == "learned" and _may_close(each.fact)}
        told = {each.fact.id for each in changes if each.change == "closed"}
        if not reports:
            return
        closed = closed_items(self._view, ends_of_facts(each.fact for each in changes if each.fact.id in reports))
        for item, closing in closed.items():
            if closing.fact is None or closing.fact not in reports or item in told:
                continue
            fact = self._view.fact(item)
            if fact is not None and (self._window.facts is None or fact.id in self._window.facts):
                yield _FactChange(reports[closing.fact], "closed", fact)

    def _entity_changes(self) -> Iterator[tuple[int, ChangeWord, str]]:
        found = queries.entities_merged_or_deleted(self._view, self._window)
        names = queries.latest_names(self._view, {each.merged_into for each in found if each.merged_into})
        for each in found:
            if each.merged_into is not None:
                yield each.tx_from, "merged", f"{each.name} into {names[each.merged_into]}"
            elif each.deleted != NO_SOURCE:
                yield each.tx_from, "hidden", _HIDDEN_ENTITY if each.deleted == HIDDEN else f"{each.name} ({each.type})"

    def _document_changes(self, told: Collection[int]) -> Iterator[tuple[int, ChangeWord, str]]:
        """Documents that were hidden, or from which nothing was learned but their text."""
        if self._window.facts is not None:
            return
        found = queries.documents_first_or_hidden(self._view, self._window)
        hidden = hidden_documents(self._view, {each.id for each in found})
        for each in found:
            text = _HIDDEN_TEXT if each.id in hidden else document_label(self._view, each)
            if each.deleted == HIDDEN:
                yield each.tx_from, "hidden", text
            elif not each.deleted and each.tx_from not in told:
                yield each.tx_from, "learned", text

    def _bare_undos(self, told: Collection[int]) -> Iterator[tuple[int, ChangeWord, str]]:
        """Undos that changed no fact."""
        if self._window.facts is not None:
            return
        for each in self._undos.values():
            if each.tx not in told and self._is_undo(each.tx):
                yield each.tx, "undone", f"transaction {each.undoes}"

    def _render_facts(self, changes: Sequence[_FactChange], instants: Mapping[int, Tx]) -> Iterator[HistoryEntry]:
        facts = {each.fact.id for each in changes}
        hidden = hidden_facts(self._view, facts)
        sources = _sources(self._view, facts - hidden)
        names = queries.latest_names(self._view, ends_of_facts(each.fact for each in changes))
        for each in changes:
            object_ = None if each.fact.object is None else names.get(each.fact.object, "")
            text = claim_text(each.fact, names.get(each.fact.subject, ""), object_)
            text = _HIDDEN_FACT if each.fact.id in hidden else text
            source = sources.get((each.fact.id, each.tx))
            yield _entry_at(instants[each.tx], each.change, text, each.fact.id, source)._replace(trust=each.fact.trust)


def document_label(view: View, document: Document) -> str:
    """The title of a document, or its first words."""
    text = document.title or collapse_spaces(view.text_of(document) or document.key)
    return shorten(text, _TITLE_LENGTH)


def _entry_at(
    tx: Tx, change: ChangeWord, text: str, fact: FactId | None = None, source: str | None = None
) -> HistoryEntry:
    return HistoryEntry(tx.at, format_instant(tx.at), change, text, fact, source, tx.tx)


def _visible_state(fact: Fact) -> tuple[object, ...]:
    state = fact.is_retracted, fact.stale, fact.source_count
    return fact.subject, fact.object, fact.valid_from, fact.valid_until, *state


def _has_new_end(before: Fact, now: Fact) -> bool:
    return now.label == "AFFILIATED" and now.valid_until is not None and now.valid_until != before.valid_until


def _may_close(fact: Fact) -> bool:
    return fact.predicate in CLOSING_PREDICATES or fact.predicate == DECISION


def _sources(view: View, facts: Iterable[FactId]) -> dict[tuple[FactId, int], str]:
    """By fact and transaction, the source that was added: as given, else the name of its document."""
    rows = queries.all_sources_of_facts(view, set(facts))
    documents = view.documents({DocumentId(row.document) for row in rows if row.document is not None})
    found: dict[tuple[FactId, int], str] = {}
    for row in rows:
        document = None if row.document is None else documents.get(DocumentId(row.document))
        named = None if document is None else document.title or document.key
        source = row.given or named
        if source:
            found.setdefault((row.fact, row.tx), source)
    return found
