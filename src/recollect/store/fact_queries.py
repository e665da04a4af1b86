"""Queries of facts: by id, end, slot and predicate, their counts, and what states or hides them."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from recollect.model.fact import Fact
from recollect.model.ids import AssertionId, DocumentId, EntityId, FactId
from recollect.store.view import Dispute, View
from recollect.when.instant import MAX, MIN
from recollect.when.period import Time


class SourceTitle(NamedTuple):
    """The document behind an assertion."""

    fact: FactId
    title: str | None
    key: str

    @property
    def name(self) -> str:
        return self.title or self.key


def source_titles(view: View, assertions: Collection[AssertionId]) -> dict[FactId, SourceTitle]:
    """By fact, the document that one of these assertions comes from; hand-written facts are missing."""
    found = view.fetch(SourceTitle, "source_titles", assertions=sorted(assertions)) if assertions else ()
    return {each.fact: each for each in found}


class ListedPredicate(NamedTuple):
    predicate: str
    facts: int


def list_predicates(view: View) -> list[ListedPredicate]:
    """Predicates with the number of their facts, most used first."""
    return view.fetch(ListedPredicate, "predicates_page")


def facts_of_any_state(view: View, ids: Collection[FactId]) -> list[Fact]:
    """These facts, stale and retracted ones included."""
    return view.fetch_facts("check_facts", ids=sorted(ids)) if ids else []


def facts_at(view: View, entities: Collection[EntityId]) -> list[Fact]:
    """The facts with one of these entities at an end, stale and retracted ones included."""
    return view.fetch_facts("check_facts_of", entities=sorted(entities)) if entities else []


def disputed_facts_at(view: View, entities: Collection[EntityId]) -> list[Fact]:
    """The disputed facts with one of these entities at an end."""
    return view.fetch_facts("check_disputed_of", entities=sorted(entities)) if entities else []


def live_facts_of_subjects(view: View, entities: Collection[EntityId]) -> list[Fact]:
    return view.fetch_facts("check_facts_of_subjects", entities=entities)


def live_links_of(
    view: View, entities: Collection[EntityId], predicates: Collection[str]
) -> Iterator[tuple[EntityId, EntityId, str]]:
    """Subject, object and predicate of the live facts from one of these entities to another."""
    yield from view.rows("check_links", entities=entities, predicates=predicates)


def count_facts_of_subjects(view: View, entities: Collection[EntityId]) -> dict[EntityId, int]:
    """How many facts start at each of these entities."""
    return dict(view.rows("check_sizes", entities=entities))


def entities_with_relations(view: View, entities: Collection[EntityId]) -> set[EntityId]:
    """The entities among these that have a live relation."""
    return set(view.fetch_values("check_related", ids=sorted(entities))) if entities else set()


def facts_of_predicates(view: View, predicates: Iterable[str], most: int) -> list[Fact] | None:
    """Live facts with these predicates, in no order; none if there are more than `most`."""
    found = view.fetch_facts("rule_facts_few", predicates=sorted(predicates), limit=most + 1)
    return found if len(found) <= most else None


def facts_after(view: View, after: str, limit: int) -> list[Fact]:
    """The next live facts by id."""
    return view.fetch_facts("rule_facts_after", after=after, limit=limit)


def count_facts(view: View, predicates: Iterable[str], limit: int) -> int:
    """How many live facts with these predicates there are, counted up to the limit."""
    return len(view.rows("rule_predicates_counted", predicates=sorted(predicates), limit=limit))


def facts_at_ends(
    view: View, entities: Collection[EntityId], *, at: Time | None = None, superseded: bool = False
) -> list[Fact]:
    """Live facts with one of these entities at an end, each once; with a time, those that may hold then."""
    asked = _end_parameters(entities, at, superseded)
    return _distinct(
        view.fetch_facts("relations_of_subjects", **asked), view.fetch_facts("relations_of_objects", **asked)
    )


def facts_at_ends_by_predicate(
    view: View,
    entities: Collection[EntityId],
    *,
    as_subject: Collection[str],
    as_object: Collection[str],
    at: Time | None = None,
    superseded: bool = False,
) -> list[Fact]:
    """The same with an entity as the subject of one of these predicates, or as the object of one of those."""
    asked, subjects, objects = _end_parameters(entities, at, superseded), sorted(as_subject), sorted(as_object)
    return _distinct(
        view.fetch_facts("relations_of_subjects_named", predicates=subjects, **asked) if subjects else [],
        view.fetch_facts("relations_of_objects_named", predicates=objects, **asked) if objects else [],
    )


def facts_among(view: View, entities: Collection[EntityId], *, at: Time | None = None) -> list[Fact]:
    """Live facts between two of these entities."""
    return view.fetch_facts("relations_among", **_end_parameters(entities, at, superseded=False))


def facts_in_slots(view: View, slots: Collection[int]) -> list[Fact]:
    """The facts in these slots, superseded ones included."""
    return view.fetch_facts("relations_in_slots", slots=sorted(slots), superseded=1)


def facts_by_id(view: View, ids: Collection[FactId], *, superseded: bool = False) -> list[Fact]:
    """The live facts with these ids."""
    return view.fetch_facts("relations_by_id", ids=sorted(ids), superseded=int(superseded)) if ids else []


def _end_parameters(entities: Collection[EntityId], at: Time | None, superseded: bool) -> dict[str, Any]:
    lo, hi = (MIN, MAX) if at is None else (at.lo, at.hi)
    return {"entities": sorted(entities), "superseded": int(superseded), "at_lo": lo, "at_hi": hi}


def _distinct(*results: Sequence[Fact]) -> list[Fact]:
    """The facts of several results, one between two of the entities only once."""
    return list({fact.id: fact for facts in results for fact in facts}.values())


def first_fact_ids(view: View, entity: EntityId, limit: int, *, superseded: bool = False) -> list[FactId]:
    """The first live facts of an entity by their start, undated ones last."""
    return view.fetch_values("relations_in_order", entity=entity, superseded=int(superseded), limit=limit)


def first_fact_of_each(view: View, entities: Collection[EntityId]) -> dict[EntityId, FactId]:
    """For each entity that has live facts, the least fact id."""
    first: dict[EntityId, FactId] = {}
    for entity, fact in view.rows("relation_first", entities=sorted(entities), superseded=0) if entities else ():
        first[entity] = min(fact, first.get(entity, fact))
    return first


def count_facts_of_each(view: View, entities: Collection[EntityId]) -> dict[EntityId, int]:
    """How many live facts each of these entities has."""
    counts = dict.fromkeys(sorted(entities), 0)
    for entity, count in view.rows("relation_counts", entities=list(counts), superseded=0) if counts else ():
        counts[entity] += count
    return counts


def is_predicate_used(view: View, predicate: str) -> bool:
    """Whether any fact was ever stored with this predicate."""
    return bool(view.rows("relation_used", predicate=predicate))


def used_predicates(view: View) -> list[str]:
    return view.fetch_values("relations_used")


def disputes_among(view: View, facts: Collection[FactId]) -> list[Dispute]:
    """The open disputes that one of these facts is part of."""
    return view.fetch(Dispute, "relation_disputes", facts=sorted(facts)) if facts else []


def count_facts_at(view: View, entities: Collection[EntityId], limit: int) -> int:
    """How many facts have one of these entities at an end, counted up to a limit."""
    return view.fetch_number("facts_at_ends", entities=entities, limit=limit)


def current_facts(view: View, ids: Collection[EntityId] | None = None) -> list[Fact]:
    """The facts that hold now, of these entities or of all; aliases and retracted facts are left out."""
    now = view.world.present
    moment = {"at_lo": now.lo, "at_hi": now.hi}
    if ids is None:
        return view.fetch_facts("named_facts", **moment)
    return view.fetch_facts("named_facts_touching", ids=sorted(ids), **moment) if ids else []


def unretracted_facts(view: View) -> list[Fact]:
    """Every fact that nobody retracted, ended and superseded ones included; aliases are left out."""
    return view.fetch_facts("unretracted_facts")


def symmetric_predicates(view: View) -> frozenset[str]:
    """The predicates that this workspace has marked as symmetric."""
    return frozenset(row[0] for row in view.rows("predicates_symmetric"))


def facts_stated_in(view: View, documents: Collection[DocumentId]) -> dict[DocumentId, set[FactId]]:
    """By document, the facts that it has ever stated as far as the view knows, those since retracted included."""
    found: dict[DocumentId, set[FactId]] = {}
    for document, fact in view.rows("facts_stated_in", documents=sorted(documents)) if documents else ():
        found.setdefault(document, set()).add(fact)
    return found


def facts_hidden(view: View, facts: Collection[FactId]) -> set[FactId]:
    """Those of some facts that are hidden."""
    return set(view.fetch_values("facts_hidden", ids=sorted(facts))) if facts else set()


def facts_of_hidden_entities(view: View, facts: Collection[FactId], reason: str) -> set[FactId]:
    """Those of some facts that have an entity deleted for this reason as subject or object."""
    return set(view.fetch_values("facts_of_hidden_entities", ids=sorted(facts), reason=reason)) if facts else set()


class VersionSpan(NamedTuple):
    """The transactions from which and before which a version of a fact was known."""

    tx_from: int
    tx_to: int


def fact_version_spans(view: View, fact: FactId) -> list[VersionSpan]:
    """When each version of a fact was known, the first one first."""
    return view.fetch(VersionSpan, "fact_version_spans", id=fact)
