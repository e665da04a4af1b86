"""Anachronism checks: relations outside a lifespan, reversed lifespans, impossible parents."""

from collections.abc import Iterable, Iterator

from recollect.model.entity import Entity
from recollect.model.ids import EntityId, FactId
from recollect.model.labels import kind_of
from recollect.model.relations import is_bounded_by_lifetime
from recollect.reason.checks.check_context import CheckContext, format_bounds
from recollect.reason.checks.findings import Finding, FindingSeverity
from recollect.reason.lore.existence import EXISTENCE_RELATIONS, Existence
from recollect.reason.lore.relation import Relation, stated_bounds
from recollect.when.instant import MAX, MIN
from recollect.when.period import Bounds, Time, certainly_outside

LIFESPAN, ORDER, LIFESPAN_AGE = "anachronism-lifespan", "anachronism-order", "lifespan-age"
MAX_LIFESPAN_YEARS = 120


def find_outside_lifespan(sight: CheckContext, relations: Iterable[Relation]) -> Iterator[Finding]:
    """Relations with a stated bound certainly outside the life of who must live through them."""
    given = [each for each in relations if stated_bounds(each) != Bounds() and _requires_life(sight, each)]
    sight.lore.existences(end for each in given for end in _living_ends(each))
    for relation in given:
        found = next((out for end in _living_ends(relation) if (out := _check_relation(sight, relation, end))), None)
        if found is not None:
            yield found


def _requires_life(sight: CheckContext, relation: Relation) -> bool:
    if relation.attributes.get("posthumous") is True:
        return False
    match relation.name:
        case "worships":
            return False
        case "rules":
            return sight.type(relation.subject) != "faction"
        case "participated_in":
            return sight.type(relation.subject) != "person"
        case "witnessed":
            return True
        case name:
            return is_bounded_by_lifetime(name)


def _living_ends(relation: Relation) -> tuple[EntityId, ...]:
    return relation.ends if relation.is_symmetric else (relation.subject,)


def _check_relation(sight: CheckContext, relation: Relation, end: EntityId) -> Finding | None:
    life = sight.existence(end).bounds
    bounds = stated_bounds(relation)
    for bound in (bounds.valid_from, bounds.valid_until):
        if bound is not None and certainly_outside(bound, life):
            return lifespan_finding(sight, LIFESPAN, relation, end, bound, life)
    return None


def lifespan_finding(
    sight: CheckContext, rule: str, relation: Relation, who: EntityId, actual: Time, life: Bounds
) -> Finding:
    """The finding that a relation puts somebody outside of their time."""
    side = "EXISTED_BEFORE" if actual.hi < life.lo else "EXISTED_AFTER"
    where = "before it began" if side == "EXISTED_BEFORE" else "after it ended"
    other = relation.other_end(who)
    return Finding(
        rule,
        "anachronism",
        "error",
        tuple(dict.fromkeys((who, *relation.ends))),
        (relation.id,),
        f"{sight.claim(relation)}: {actual} lies outside the existence of {sight.name(who)} ({format_bounds(life)})",
        {
            "entity": who,
            "other": other,
            "claim": side,
            "expected": format_bounds(life),
            "actual": actual.text,
            "era": sight.era(actual),
            "why": [
                f"{sight.name(who)} existed {format_bounds(life)}",
                f"{sight.claim(relation)} states {actual}, {where}",
            ],
        },
    )


def find_reversed_lifespans(sight: CheckContext, entities: Iterable[Entity]) -> Iterator[Finding]:
    """Existences that end before they begin, and births or deaths outside a stated one."""
    given = list(entities)
    sight.lore.existences(entity.id for entity in given)
    for entity in given:
        life = sight.existence(entity.id)
        if life.start is not None and life.end is not None and life.end.hi < life.start.lo:
            yield _reversed_finding(sight, entity, life.start, life.end)
    yield from _find_outside_era(sight, given)


def _reversed_finding(sight: CheckContext, entity: Entity, start: Time, end: Time) -> Finding:
    bounds = format_bounds(Bounds(start, end))
    return Finding(
        ORDER,
        "anachronism",
        "error",
        (entity.id,),
        _relations_stating(sight, entity.id, start, end),
        f"{entity.name} ends ({end}) before it begins ({start})",
        {
            "entity": entity.id,
            "other": None,
            "claim": "EXISTED_DURING_MISMATCH",
            "expected": bounds,
            "actual": end.text,
            "era": sight.era(end),
            "why": [f"{entity.name} begins {start}", f"{entity.name} ends {end}, which is earlier"],
        },
    )


def _relations_stating(sight: CheckContext, entity: EntityId, *times: Time) -> tuple[FactId, ...]:
    """The relations that say one of these times of an entity."""
    told = sight.lore.relations_of([entity], EXISTENCE_RELATIONS)
    return tuple(
        sorted(each.id for each in told if {stated_bounds(each).valid_from, stated_bounds(each).valid_until} & {*times})
    )


def _find_outside_era(sight: CheckContext, entities: Iterable[Entity]) -> Iterator[Finding]:
    told = sight.lore.relations_of([entity.id for entity in entities], {"existed_during", "born", "died"}, "subject")
    by_entity: dict[EntityId, list[Relation]] = {}
    for relation in told:
        by_entity.setdefault(relation.subject, []).append(relation)
    for entity, relations in by_entity.items():
        eras = [each for each in relations if each.name == "existed_during"]
        events = [each for each in relations if each.name != "existed_during"]
        for era in eras:
            for event in events:
                actual = stated_bounds(event).valid_from
                if actual is not None and certainly_outside(actual, stated_bounds(era)):
                    yield _era_finding(sight, entity, event, era, actual)


def _era_finding(sight: CheckContext, entity: EntityId, event: Relation, era: Relation, actual: Time) -> Finding:
    expected = format_bounds(stated_bounds(era))
    return Finding(
        ORDER,
        "anachronism",
        "error",
        (entity,),
        (event.id, era.id),
        f"{sight.claim(event)} lies outside its stated existence {expected}",
        {
            "entity": entity,
            "other": event.object,
            "claim": "EXISTED_DURING_MISMATCH",
            "expected": expected,
            "actual": actual.text,
            "era": sight.era(actual),
            "why": [sight.claim(era), f"{sight.claim(event)} lies outside it"],
        },
    )


def find_excessive_lifespans(sight: CheckContext, entities: Iterable[Entity]) -> Iterator[Finding]:
    """Lifespans of people that are certainly over 120 years."""
    if sight.is_fictional:
        return
    people = [entity for entity in entities if kind_of(entity).type == "person"]
    sight.lore.existences(entity.id for entity in people)
    for entity in people:
        life = sight.existence(entity.id)
        start, end = life.start, life.end
        if start is None or end is None or start.hi == MAX or end.lo == MIN:
            continue
        if end.lo > sight.later_by_years(start.hi, MAX_LIFESPAN_YEARS):
            yield _excessive_age_finding(sight, entity, start, end)


def _excessive_age_finding(sight: CheckContext, entity: Entity, start: Time, end: Time) -> Finding:
    return Finding(
        LIFESPAN_AGE,
        "anachronism",
        "warn",
        (entity.id,),
        _relations_stating(sight, entity.id, start, end),
        f"{entity.name} would have lived over {MAX_LIFESPAN_YEARS} years ({start} .. {end})",
        {
            "entity": entity.id,
            "other": None,
            "claim": "EXISTED_AFTER",
            "expected": f"at most {MAX_LIFESPAN_YEARS} years from {start}",
            "actual": end.text,
            "era": sight.era(end),
            "why": [f"{entity.name} was born {start}", f"and died {end}, over {MAX_LIFESPAN_YEARS} years later"],
        },
    )


BIRTH_ORDER, POSTHUMOUS, KINSHIP_AGE = "kinship-birth-order", "kinship-posthumous", "kinship-age"
NOT_BY_BIRTH = frozenset({"adopted", "foster", "step", "sealing"})
MAX_DAYS_AFTER_DEATH = 300
MIN_PARENT_AGE, MAX_MOTHER_AGE, MAX_FATHER_AGE = 12, 60, 90


def find_impossible_parents(sight: CheckContext, relations: Iterable[Relation]) -> Iterator[Finding]:
    """What is wrong between the parents and children of these relations."""
    given = [each for each in relations if each.name == "parent_of" and each.object is not None and _is_by_birth(each)]
    sight.lore.existences(end for each in given for end in each.ends)
    for relation in given:
        yield from _check_parent(sight, relation)


def _is_by_birth(relation: Relation) -> bool:
    return str(relation.attributes.get("kind", "")).strip().lower() not in NOT_BY_BIRTH


def _check_parent(sight: CheckContext, relation: Relation) -> Iterator[Finding]:
    assert relation.object is not None
    parent, child = sight.existence(relation.subject), sight.existence(relation.object)
    if child.start is None:
        return
    wrong_order = parent.start is not None and _is_born_too_early(child.start, parent.start)
    if wrong_order:
        yield _kinship_finding(
            sight, BIRTH_ORDER, relation, parent, child.start, "EXISTED_BEFORE", "born before its parent"
        )
    if parent.end is not None and _is_born_too_late(sight, relation, child.start, parent.end):
        what = (
            "born after its mother's death" if relation.has_role("mother") else "born too long after its parent's death"
        )
        yield _kinship_finding(sight, POSTHUMOUS, relation, parent, child.start, "EXISTED_AFTER", what)
    if not wrong_order and parent.start is not None and not sight.is_fictional:
        what_age = _describe_impossible_age(sight, relation, child.start, parent.start)
        if what_age is not None:
            side = "EXISTED_BEFORE" if "under" in what_age else "EXISTED_AFTER"
            yield _kinship_finding(sight, KINSHIP_AGE, relation, parent, child.start, side, what_age, "warn")


def _is_born_too_early(child: Time, parent: Time) -> bool:
    same_day = child.grain == "day" and not child.uncertain and (child.lo, child.hi) == (parent.lo, parent.hi)
    return child.hi < parent.lo or (same_day and not parent.uncertain)


def _is_born_too_late(sight: CheckContext, relation: Relation, child: Time, death: Time) -> bool:
    if death.hi == MAX:
        return False
    allowed = 0 if relation.has_role("mother") else MAX_DAYS_AFTER_DEATH * sight.day
    return child.lo > death.hi + allowed


def _describe_impossible_age(sight: CheckContext, relation: Relation, child: Time, parent: Time) -> str | None:
    if parent.lo != MIN and child.hi < sight.later_by_years(parent.lo, MIN_PARENT_AGE):
        return f"born when its parent was under {MIN_PARENT_AGE}"
    oldest = MAX_MOTHER_AGE if relation.has_role("mother") else MAX_FATHER_AGE
    if parent.hi != MAX and child.lo > sight.later_by_years(parent.hi, oldest):
        return f"born when its parent was over {oldest}"
    return None


def _kinship_finding(
    sight: CheckContext,
    rule: str,
    relation: Relation,
    parent: Existence,
    born: Time,
    claim: str,
    what: str,
    severity: FindingSeverity = "error",
) -> Finding:
    life = format_bounds(Bounds(parent.start, parent.end))
    names = sight.name(relation.subject), sight.name(relation.object)
    return Finding(
        rule,
        "anachronism",
        severity,
        relation.ends,
        (relation.id,),
        f"{names[1]} ({born}) was {what}, {names[0]} ({life})",
        {
            "entity": relation.subject,
            "other": relation.object,
            "claim": claim,
            "expected": life,
            "actual": born.text,
            "era": sight.era(born),
            "why": [f"{names[0]} lived {life}", f"{names[1]}, a child, was born {born}: {what}"],
        },
    )
