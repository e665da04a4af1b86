"""Queries of review: ambiguous facts held for it, names that several entities share, and decisions."""

import json
from collections.abc import Collection, Mapping
from typing import Any, Literal, NamedTuple

from recollect.model.entity import Entity
from recollect.model.ids import DocumentId, EntityId
from recollect.store.change import Change
from recollect.store.finding_queries import Flag, flags_on, put_flag
from recollect.store.tables import HELD_FACT
from recollect.store.view import View
from recollect.when.instant import Instant

DECISION = "decision"
"""The kind of flag that holds a decision of a review."""


class SharedName(NamedTuple):
    key: str
    entity: EntityId


class PredicateUseRow(NamedTuple):
    name: str
    facts: int


def have_names_changed(view: View, since: int) -> bool:
    """Whether a name was added or removed after a transaction."""
    return bool(view.rows("names_changed_since", since=since))


def names_shared(view: View, limit: int) -> list[SharedName]:
    """The entities whose names consist of the same words; at most so many names."""
    return view.fetch(SharedName, "names_shared", limit=limit)


def newest_entities(view: View, limit: int) -> list[Entity]:
    """The live entities created last."""
    return view.fetch_entities("entities_newest", limit=limit)


def predicate_uses(view: View, limit: int) -> list[PredicateUseRow]:
    """The predicates that facts have now, with the number of those facts."""
    return view.fetch(PredicateUseRow, "predicate_uses", limit=limit)


def decisions_on(view: View, questions: Collection[str]) -> dict[str, str]:
    """The decisions on these questions that were not undone, by question."""
    return {row.node: row.reason for row in flags_on(view, questions) if row.kind == DECISION}


def put_decision(change: Change, question: str, choice: str) -> None:
    change.recent.decided = True
    put_flag(change, Flag(question, DECISION, choice, change.actor.name, change.now))


EndRole = Literal["subject", "object"]


class HeldClaim(NamedTuple):
    """What tells the held facts of one note apart."""

    name: str
    predicate: str
    quote: str | None


class HeldFact(NamedTuple):
    """A fact that waits in review, since one of its ends is ambiguous, and all that is needed to record it then."""

    id: str
    name: str
    """The text that fits several entities."""
    role: EndRole
    candidates: tuple[EntityId, ...]
    claim: Mapping[str, Any]
    """The fact as the tool `remember` takes it; the end in `role` is the ambiguous one."""
    document: DocumentId | None
    source: str | None
    source_at: Instant
    held_at: Instant

    @property
    def claimed(self) -> HeldClaim:
        return HeldClaim(self.name, self.claim["predicate"], self.claim.get("quote"))


class _HeldFactRow(NamedTuple):
    id: str
    document: str | None
    candidates: str
    held_at: Instant
    value: str

    def to_held_fact(self) -> HeldFact:
        value = json.loads(self.value)
        return HeldFact(
            self.id,
            value["name"],
            value["role"],
            tuple(EntityId(each) for each in self.candidates.split()),
            value["claim"],
            DocumentId(self.document) if self.document else None,
            value["source"],
            Instant(value["source_at"]),
            Instant(self.held_at),
        )


def hold_fact(change: Change, held: HeldFact) -> None:
    """Hold a fact until `drop_held_fact`; undoing the transaction drops it as well."""
    kept = {
        "name": held.name,
        "role": held.role,
        "claim": dict(held.claim),
        "source": held.source,
        "source_at": held.source_at,
    }
    value = json.dumps(kept, ensure_ascii=False, sort_keys=True)
    change.begin_row(HELD_FACT, (held.id,), held.document, " ".join(held.candidates), held.held_at, value)


def held_facts(view: View, limit: int) -> list[HeldFact]:
    """The held facts, newest first."""
    return [row.to_held_fact() for row in view.fetch(_HeldFactRow, "held_facts", limit=limit)]


def claims_ever_held(view: View, document: DocumentId) -> frozenset[HeldClaim]:
    """The claims of a note that were held for review at any time, whatever was decided about them."""
    rows = view.fetch(_HeldFactRow, "held_facts_ever_of", document=document)
    return frozenset(row.to_held_fact().claimed for row in rows)


def held_fact(view: View, id_: str) -> HeldFact | None:
    found = view.fetch_one(_HeldFactRow, "held_fact_one", id=id_)
    return found.to_held_fact() if found else None


def drop_held_fact(change: Change, id_: str) -> None:
    """No longer hold a fact, because it was decided or dismissed."""
    change.end_row(HELD_FACT, (id_,))
