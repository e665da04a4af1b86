"""Anachronism checks: relations outside a lifespan, reversed lifespans, impossible parents."""

from collections.abc import Iterable, Iterator
from typing import Any

from recollect.model.entity import Entity
from recollect.model.ids import EntityId, FactId
from recollect.model.labels import kind_of
from recollect.model.relations import is_bounded_by_lifetime
from recollect.reason.checks.check_context import CheckContext, format_interval
from recollect.reason.checks.findings import Finding, FindingSeverity
from recollect.reason.lore.existence import EXISTENCE_RELATIONS, Existence
from recollect.reason.lore.relation import Relation, required_lives, stated_bounds
from recollect.when.instant import MAX, MIN
from recollect.when.period import Bounds, Time, certainly_outside, time_text

LIFESPAN, ORDER, LIFESPAN_AGE = "anachronism-lifespan", "anachronism-order", "lifespan-age"
MAX_LIFESPAN_YEARS = 120


def find_outside_lifespan(context: CheckContext, relations: Iterable[Relation]) -> Iterator[Finding]:
    """Relations with a stated bound that is certainly outside a lifespan they depend on."""
    given = [each for each in relations if stated_bounds(each) != Bounds() and _requires_life(context, each)]
    context.lore.existences(end for each in given for end in required_lives(each))
    for relation in given:
        found = next(
            (out for end in required_lives(relation) if (out := _check_relation(context, relation, end))), None
        )
        if found is not None:
            yield found


def _requires_life(context: CheckContext, relation: Relation) -> bool:
    if relation.attributes.get("posthumous") is True:
        return False
    match relation.name:
        case "worships":
            return False
        case "rules":
            return context.type(relation.subject) != "faction"
        case "participated_in":
            return context.type(relation.subject) != "person"
        case "witnessed":
            return True
        case name:
            return is_bounded_by_lifetime(name)


def _check_relation(context: CheckContext, relation: Relation, end: EntityId) -> Finding | None:
    life = context.existence(end).bounds
    bounds = stated_bounds(relation)
    for bound in (bounds.valid_from, bounds.valid_until):
        if bound is not None and certainly_outside(bound, life):
            return _lifespan_finding(context, relation, end, bound, life)
    return None


def _lifespan_finding(context: CheckContext, relation: Relation, who: EntityId, actual: Time, life: Bounds) -> Finding:
    """A finding that a relation places an entity outside of its lifespan."""
    side = "EXISTED_BEFORE" if actual.hi < life.lo else "EXISTED_AFTER"
    where = "before it began" if side == "EXISTED_BEFORE" else "after it ended"
    expected = format_interval(life)
    why = [f"{context.name(who)} existed {expected}", f"{context.claim(relation)} states {actual}, {where}"]
    return Finding(
        LIFESPAN,
        "anachronism",
        "error",
        tuple(dict.fromkeys((who, *relation.ends))),
        (relation.id,),
        f"{context.claim(relation)}: {actual} lies outside the existence of {context.name(who)} ({expected})",
        anachronism_details(context, who, relation.other_end(who), side, expected, actual, why),
    )


def anachronism_details(
    context: CheckContext,
    entity: EntityId,
    other: EntityId | None,
    claim: str,
    expected: str,
    actual: Time | None,
    why: list[str],
) -> dict[str, Any]:
    """What lists print of an anachronism: the misplaced entity, the expected period and the actual time."""
    return {
        "entity": entity,
        "other": other,
        "claim": claim,
        "expected": expected,
        "actual": time_text(actual),
        "era": None if actual is None else context.era(actual),
        "why": why,
    }


def find_reversed_lifespans(context: CheckContext, entities: Iterable[Entity]) -> Iterator[Finding]:
    """Lifespans that end before they begin, and births or deaths outside a stated existence."""
    given = list(entities)
    context.lore.existences(entity.id for entity in given)
    for entity in given:
        life = context.existence(entity.id)
        if life.start is not None and life.end is not None and life.end.hi < life.start.lo:
            yield _reversed_finding(context, entity, life.start, life.end)
    yield from _find_outside_era(context, given)


def _reversed_finding(context: CheckContext, entity: Entity, start: Time, end: Time) -> Finding:
    expected = format_interval(Bounds(start, end))
    why = [f"{entity.name} begins {start}", f"{entity.name} ends {end}, which is earlier"]
    return Finding(
        ORDER,
        "anachronism",
        "error",
        (entity.id,),
        _relations_stating(context, entity.id, start, end),
        f"{entity.name} ends ({end}) before it begins ({start})",
        anachronism_details(context, entity.id, None, "EXISTED_DURING_MISMATCH", expected, end, why),
    )


def _relations_stating(context: CheckContext, entity: EntityId, *times: Time) -> tuple[FactId, ...]:
    """The relations that state one of these times of an entity."""
    dating = context.lore.relations_of([entity], EXISTENCE_RELATIONS)
    return tuple(
        sorted(
            each.id for each in dating if {stated_bounds(each).valid_from, stated_bounds(each).valid_until} & {*times}
        )
    )


def _find_outside_era(context: CheckContext, entities: Iterable[Entity]) -> Iterator[Finding]:
    dating = context.lore.relations_of(
        [entity.id for entity in entities], {"existed_during", "born", "died"}, "subject"
    )
    by_entity: dict[EntityId, list[Relation]] = {}
    for relation in dating:
        by_entity.setdefault(relation.subject, []).append(relation)
    for entity, relations in by_entity.items():
        eras = [each for each in relations if each.name == "existed_during"]
        events = [each for each in relations if each.name != "existed_during"]
        for era in eras:
            for event in events:
                actual = stated_bounds(event).valid_from
                if actual is not None and certainly_outside(actual, stated_bounds(era)):
                    yield _era_finding(context, entity, event, era, actual)


def _era_finding(context: CheckContext, entity: EntityId, event: Relation, era: Relation, actual: Time) -> Finding:
    expected = format_interval(stated_bounds(era))
    why = [context.claim(era), f"{context.claim(event)} lies outside it"]
    return Finding(
        ORDER,
        "anachronism",
        "error",
        (entity,),
        (event.id, era.id),
        f"{context.claim(event)} lies outside its stated existence {expected}",
        anachronism_details(context, entity, event.object, "EXISTED_DURING_MISMATCH", expected, actual, why),
    )


def find_excessive_lifespans(context: CheckContext, entities: Iterable[Entity]) -> Iterator[Finding]:
    """Lifespans of people that are certainly over 120 years."""
    if context.is_fictional:
        return
    people = [entity for entity in entities if kind_of(entity).type == "person"]
    context.lore.existences(entity.id for entity in people)
    for entity in people:
        life = context.existence(entity.id)
        start, end = life.start, life.end
        if start is None or end is None or start.hi == MAX or end.lo == MIN:
            continue
        if end.lo > context.later_by_years(start.hi, MAX_LIFESPAN_YEARS):
            yield _excessive_age_finding(context, entity, start, end)


def _excessive_age_finding(context: CheckContext, entity: Entity, start: Time, end: Time) -> Finding:
    expected = f"at most {MAX_LIFESPAN_YEARS} years from {start}"
    why = [f"{entity.name} was born {start}", f"and died {end}, over {MAX_LIFESPAN_YEARS} years later"]
    return Finding(
        LIFESPAN_AGE,
        "anachronism",
        "warn",
        (entity.id,),
        _relations_stating(context, entity.id, start, end),
        f"{entity.name} would have lived over {MAX_LIFESPAN_YEARS} years ({start} .. {end})",
        anachronism_details(context, entity.id, None, "EXISTED_AFTER", expected, end, why),
    )


BIRTH_ORDER, POSTHUMOUS, KINSHIP_AGE = "kinship-birth-order", "kinship-posthumous", "kinship-age"
NOT_BY_BIRTH = frozenset({"adopted", "foster", "step", "sealing"})
MAX_DAYS_AFTER_DEATH = 300
MIN_PARENT_AGE, MAX_MOTHER_AGE, MAX_FATHER_AGE = 12, 60, 90


def find_impossible_parents(context: CheckContext, relations: Iterable[Relation]) -> Iterator[Finding]:
    """Parents and children of these relations whose lifespans do not fit."""
    given = [each for each in relations if each.name == "parent_of" and each.object is not None and _is_by_birth(each)]
    context.lore.existences(end for each in given for end in each.ends)
    for relation in given:
        yield from _check_parent(context, relation)


def _is_by_birth(relation: Relation) -> bool:
    return str(relation.attributes.get("kind", "")).strip().lower() not in NOT_BY_BIRTH


def _check_parent(context: CheckContext, relation: Relation) -> Iterator[Finding]:
    assert relation.object is not None
    parent, child = context.existence(relation.subject), context.existence(relation.object)
    if child.start is None:
        return
    wrong_order = parent.start is not None and _is_born_too_early(child.start, parent.start)
    if wrong_order:
        yield _kinship_finding(
            context, BIRTH_ORDER, relation, parent, child.start, "EXISTED_BEFORE", "born before its parent"
        )
    if parent.end is not None and _is_born_too_late(context, relation, child.start, parent.end):
        what = (
            "born after its mother's death" if relation.has_role("mother") else "born too long after its parent's death"
        )
        yield _kinship_finding(context, POSTHUMOUS, relation, parent, child.start, "EXISTED_AFTER", what)
    if not wrong_order and parent.start is not None and not context.is_fictional:
        what_age = _describe_impossible_age(context, relation, child.start, parent.start)
        if what_age is not None:
            side = "EXISTED_BEFORE" if "under" in what_age else "EXISTED_AFTER"
            yield _kinship_finding(context, KINSHIP_AGE, relation, parent, child.start, side, what_age, "warn")


def _is_born_too_early(child: Time, parent: Time) -> bool:
    same_day = child.grain == "day" and not child.uncertain and (child.lo, child.hi) == (parent.lo, parent.hi)
    return child.hi < parent.lo or (same_day and not parent.uncertain)


def _is_born_too_late(context: CheckContext, relation: Relation, child: Time, death: Time) -> bool:
    if death.hi == MAX:
        return False
    allowed = 0 if relation.has_role("mother") else MAX_DAYS_AFTER_DEATH * context.day
    return child.lo > death.hi + allowed


def _describe_impossible_age(context: CheckContext, relation: Relation, child: Time, parent: Time) -> str | None:
    if parent.lo != MIN and child.hi < context.later_by_years(parent.lo, MIN_PARENT_AGE):
        return f"born when its parent was under {MIN_PARENT_AGE}"
    oldest = MAX_MOTHER_AGE if relation.has_role("mother") else MAX_FATHER_AGE
    if parent.hi != MAX and child.lo > context.later_by_years(parent.hi, oldest):
        return f"born when its parent was over {oldest}"
    return None


def _kinship_finding(
    context: CheckContext,
    rule: str,
    relation: Relation,
    parent: Existence,
    born: Time,
    claim: str,
    what: str,
    severity: FindingSeverity = "error",
) -> Finding:
    life = format_interval(Bounds(parent.start, parent.end))
    names = context.name(relation.subject), context.name(relation.object)
    why = [f"{names[0]} lived {life}", f"{names[1]}, a child, was born {born}: {what}"]
    return Finding(
        rule,
        "anachronism",
        severity,
        relation.ends,
        (relation.id,),
        f"{names[1]} ({born}) was {what}, {names[0]} ({life})",
        anachronism_details(context, relation.subject, relation.object, claim, life, born, why),
    )
