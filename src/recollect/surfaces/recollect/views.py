"""Entities and facts as this surface prints them: structured, and as lines of text."""

from collections.abc import Mapping, Sequence
from typing import NotRequired

from recollect.model.entity import Entity
from recollect.model.ids import FactId, format_entity_id, format_fact_id, is_id
from recollect.model.sentence import claim_text
from recollect.reason.cited_sources import better_sources
from recollect.reason.items.fact_state import State, fact_state, is_item, item_state
from recollect.reason.items.item_lookup import closings_of
from recollect.reason.lore.sources import LoreSource
from recollect.store.fact_queries import SourceTitle, source_titles
from recollect.store.fact_rows import FactRow
from recollect.store.view import View
from recollect.surfaces.views import TrustMarks, mark_entity, mark_trust, trust_details
from recollect.text.fold import one_line
from recollect.when.format import readable_text, readable_times_in
from recollect.when.instant import format_date, local_day
from recollect.when.span import Span
from recollect.when.timeline import Timeline


class BriefEntity(TrustMarks):
    id: str
    name: str
    type: str


class BriefFact(TrustMarks):
    id: str
    text: str
    state: State
    since: NotRequired[str]
    until: NotRequired[str]
    source: NotRequired[str]
    date: NotRequired[str]
    sources: NotRequired[int]
    """How many say so, if not only the one that is shown."""


class FactViews:
    """Prints facts as of one time of the world; a batch takes a fixed number of queries."""

    def __init__(self, view: View, at: Span | None = None) -> None:
        self._view = view
        self._zone = view.world.zone
        self._at = view.world.present if at is None else at

    def of(self, ids: Sequence[FactId], closings: Mapping[FactId, str] | None = None) -> dict[FactId, BriefFact]:
        """By id; facts whose subject or object was deleted are missing.

        `closings` are the predicates of the facts that close items, if the caller knows them already.
        """
        return self.of_rows(self._view.fact_rows(ids), closings)

    def of_rows(self, rows: Sequence[FactRow], closings: Mapping[FactId, str] | None = None) -> dict[FactId, BriefFact]:
        closings = self._closing_predicates(rows) if closings is None else closings
        titles = source_titles(self._view, [row.fact.newest for row in rows if row.given is None])
        better = better_sources(self._view, [row.fact for row in rows])
        return {
            row.fact.id: self._fact_view(row, closings, titles.get(row.fact.id), better.get(row.fact.id))
            for row in rows
        }

    def _closing_predicates(self, rows: Sequence[FactRow]) -> Mapping[FactId, str]:
        """By closed item, the predicate of the fact that closes it."""
        items = [row.fact for row in rows if is_item(row.fact)]
        if not items:
            return {}
        return {item: closing.predicate for item, closing in closings_of(self._view, items).items()}

    def _fact_view(
        self, row: FactRow, closings: Mapping[FactId, str], title: SourceTitle | None, better: LoreSource | None
    ) -> BriefFact:
        fact = row.fact
        state = item_state(fact, self._at, closings.get(fact.id)) if is_item(fact) else fact_state(fact, self._at)
        text = claim_text(fact, row.subject_name, row.object_name)
        shown: BriefFact = {"id": format_fact_id(fact.id), "text": text, "state": state}
        if fact.valid_from is not None:
            shown["since"] = fact.valid_from.text
        if fact.valid_until is not None:
            shown["until"] = fact.valid_until.text
        source = source_of(row, title) if better is None else better.name
        if source is not None:
            shown["source"] = source
        told_at = fact.source_at if better is None else better.source_at
        shown["date"] = format_date(local_day(told_at, self._zone))
        if fact.source_count > 1:
            shown["sources"] = fact.source_count
        mark_trust(shown, fact.attributes, text)
        return shown


def source_of(row: FactRow, title: SourceTitle | None) -> str | None:
    """The string the writer gave, else the title or key of the document; the key of a note is its id."""
    if row.given is not None and row.given.strip():
        return row.given
    return None if title is None else title.name


def entity_view(entity: Entity) -> BriefEntity:
    shown: BriefEntity = {"id": format_entity_id(entity.id), "name": entity.name, "type": entity.type}
    mark_entity(shown, entity)
    return shown


def with_readable_times(fact: BriefFact, timeline: Timeline) -> BriefFact:
    """The fact with the months and eras of an invented world by name, for a line of text."""
    if not timeline.is_fictional:
        return fact
    spoken = fact.copy()
    spoken["text"] = readable_times_in(fact["text"], timeline)
    if "since" in fact:
        spoken["since"] = readable_text(fact["since"], timeline)
    if "until" in fact:
        spoken["until"] = readable_text(fact["until"], timeline)
    return spoken


def fact_line(fact: BriefFact) -> str:
    """One line of Markdown: the claim, what is known about it in parentheses, and its id."""
    known = "; ".join(_details(fact))
    return one_line(f"- {fact['text']}{f' ({known})' if known else ''} [{fact['id']}]")


def _details(fact: BriefFact) -> list[str]:
    details: list[str] = []
    if "since" in fact or "until" in fact:
        bounds = [f"{key} {fact[key]}" for key in ("since", "until") if key in fact]
        # What begins and ends in one is when it happened.
        details += [fact["since"]] if "since" in fact and fact["since"] == fact.get("until") else bounds
    if fact["state"] not in ("current", "open"):
        details.append(fact["state"])
    if "trust" in fact or "suspect" in fact:
        details += trust_details(fact)
    origin = [each for each in (named_source(fact.get("source")), fact.get("date")) if each]
    if "sources" in fact:
        origin.append(f"{fact['sources']} sources")
    return [*details, ", ".join(origin)] if origin else details


def named_source(source: str | None) -> str | None:
    """The source as a line of text shows it: the id of a note without one tells a reader nothing."""
    return None if source is None or is_id(source) else source
