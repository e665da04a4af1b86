"""What differs between two versions of a fact, and between two moments of knowledge: added, changed or gone."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal, NamedTuple, get_args

from recollect.model.entity import Entity, is_live_entity
from recollect.model.fact import Fact, ends_of_facts
from recollect.model.ids import EntityId, FactId
from recollect.model.sentence import claim_text
from recollect.store import activity_queries as queries
from recollect.store.activity_queries import latest_names
from recollect.store.fact_queries import facts_of_any_state
from recollect.store.view import View
from recollect.when.period import Time

NONE = "—"


class FieldDifference(NamedTuple):
    """A field with its value before and after."""

    field: str
    before: str
    after: str


def fact_differences(before: Fact, after: Fact, names: Mapping[EntityId, str]) -> tuple[FieldDifference, ...]:
    """The fields that differ; `names` are those of the subjects and objects."""
    one, other = _fields(before, names), _fields(after, names)
    return tuple(FieldDifference(field, one[field], other[field]) for field in one if one[field] != other[field])


def _fields(fact: Fact, names: Mapping[EntityId, str]) -> dict[str, str]:
    target = fact.literal if fact.object is None else names.get(fact.object, fact.object)
    return {
        "subject": names.get(fact.subject, fact.subject),
        "predicate": fact.predicate.replace("_", " "),
        "value": target or NONE,
        "since": _text(fact.valid_from),
        "until": _text(fact.valid_until),
        "state": _state(fact),
        "confidence": f"{fact.confidence:.2f}",
        "sources": str(fact.source_count),
    }


def _text(time: Time | None) -> str:
    return NONE if time is None else time.text


def _state(fact: Fact) -> str:
    if fact.is_retracted:
        return "hidden" if fact.is_hidden else "retracted"
    if fact.stale:
        return "stale"
    return "disputed" if fact.disputed else "current"


MAX_COMPARED = 2_000
Outcome = Literal["added", "changed", "gone"]
OUTCOMES: tuple[Outcome, ...] = get_args(Outcome)


@dataclass(frozen=True, slots=True)
class ComparedFact:
    outcome: Outcome
    fact: FactId
    text: str
    differences: tuple[FieldDifference, ...] = ()


@dataclass(frozen=True, slots=True)
class ComparedEntity:
    outcome: Outcome
    entity: EntityId
    name: str
    type: str


@dataclass(frozen=True, slots=True)
class KnowledgeDifference:
    """The differences, newest change first; `is_cut` if there are more than were compared."""

    facts: tuple[ComparedFact, ...]
    entities: tuple[ComparedEntity, ...]
    is_cut: bool

    def count(self, outcome: Outcome) -> int:
        """How many facts have this outcome."""
        return sum(each.outcome == outcome for each in self.facts)


def compare_moments(before: View, after: View) -> KnowledgeDifference:
    """What was known at the first moment against what was known at the second, which is not earlier."""
    first, last = before.last_tx, after.last_tx
    facts = queries.facts_touched(after, first, last, MAX_COMPARED + 1)
    entities = queries.entities_touched(after, first, last, MAX_COMPARED + 1)
    return KnowledgeDifference(
        tuple(_compare_facts(before, after, facts[:MAX_COMPARED])),
        tuple(_compare_entities(before, after, entities[:MAX_COMPARED])),
        len(facts) > MAX_COMPARED or len(entities) > MAX_COMPARED,
    )


def _compare_facts(before: View, after: View, ids: list[FactId]) -> Iterable[ComparedFact]:
    old, new = ({fact.id: fact for fact in facts_of_any_state(view, ids)} for view in (before, after))
    names = latest_names(after, ends_of_facts((*old.values(), *new.values())))
    for each in ids:
        one, other = old.get(each), new.get(each)
        outcome = _outcome(_is_shown(one), _is_shown(other))
        shown = other or one
        if outcome is None or shown is None:
            continue
        differences = fact_differences(one, other, names) if outcome == "changed" and one and other else ()
        if outcome == "changed" and not differences:
            continue
        object_ = None if shown.object is None else names.get(shown.object, "")
        yield ComparedFact(outcome, each, claim_text(shown, names.get(shown.subject, ""), object_), differences)


def _is_shown(fact: Fact | None) -> bool:
    return fact is not None and not fact.is_retracted and not fact.stale and not fact.is_alias


def _outcome(was: bool, is_now: bool) -> Outcome | None:
    if not was and not is_now:
        return None
    return "changed" if was and is_now else "added" if is_now else "gone"


def _compare_entities(before: View, after: View, ids: list[EntityId]) -> Iterable[ComparedEntity]:
    old, new = before.entities(ids), after.entities(ids)
    for each in ids:
        one, other = old.get(each), new.get(each)
        shown = other or one
        outcome = _outcome(is_live_entity(one), is_live_entity(other))
        if shown is None or outcome is None or (outcome == "changed" and _looks_same(one, other)):
            continue
        yield ComparedEntity(outcome, each, shown.name, shown.type)


def _looks_same(one: Entity | None, other: Entity | None) -> bool:
    return one is not None and other is not None and (one.name, one.type) == (other.name, other.type)
