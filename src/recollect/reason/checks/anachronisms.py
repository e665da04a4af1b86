"""Things out of their time: relations beyond a life, lives that end before they begin."""

from collections.abc import Iterable, Iterator

from recollect.model.entity import Entity
from recollect.model.ids import EntityId, FactId
from recollect.model.labels import kind_of
from recollect.model.relations import is_life
from recollect.reason.checks.finding import Finding
from recollect.reason.checks.sight import Sight, say_bounds
from recollect.reason.lore.existence import EXISTENCE
from recollect.reason.lore.relation import Relation, stated
from recollect.when.instant import MAX, MIN
from recollect.when.period import Bounds, Time, certainly_outside

LIFESPAN, ORDER, AGE = "anachronism-lifespan", "anachronism-order", "lifespan-age"
OLDEST = 120


def beyond_life(sight: Sight, relations: Iterable[Relation]) -> Iterator[Finding]:
    """Relations with a stated bound certainly outside the life of who must live through them."""
    given = [each for each in relations if stated(each) != Bounds() and _must_live(sight, each)]
    sight.lore.existences(end for each in given for end in _living(each))
    for relation in given:
        found = next((out for end in _living(relation) if (out := _outside(sight, relation, end))), None)
        if found is not None:
            yield found


def _must_live(sight: Sight, relation: Relation) -> bool:
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
            return is_life(name)


def _living(relation: Relation) -> tuple[EntityId, ...]:
    return relation.ends if relation.is_symmetric else (relation.subject,)


def _outside(sight: Sight, relation: Relation, end: EntityId) -> Finding | None:
    life = sight.existence(end).bounds
    bounds = stated(relation)
    for bound in (bounds.valid_from, bounds.valid_until):
        if bound is not None and certainly_outside(bound, life):
            return misplaced(sight, LIFESPAN, relation, end, bound, life)
    return None


def misplaced(sight: Sight, rule: str, relation: Relation, who: EntityId, actual: Time, life: Bounds) -> Finding:
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
        f"{sight.claim(relation)}: {actual} lies outside the existence of {sight.name(who)} ({say_bounds(life)})",
        {
            "entity": who,
            "other": other,
            "claim": side,
            "expected": say_bounds(life),
            "actual": actual.text,
            "era": sight.era(actual),
            "why": [
                f"{sight.name(who)} existed {say_bounds(life)}",
                f"{sight.claim(relation)} states {actual}, {where}",
            ],
        },
    )


def out_of_order(sight: Sight, entities: Iterable[Entity]) -> Iterator[Finding]:
    """Existences that end before they begin, and births or deaths outside a stated one."""
    given = list(entities)
    sight.lore.existences(entity.id for entity in given)
    for entity in given:
        life = sight.existence(entity.id)
        if life.start is not None and life.end is not None and life.end.hi < life.start.lo:
            yield _backwards(sight, entity, life.start, life.end)
    yield from _outside_their_era(sight, given)


def _backwards(sight: Sight, entity: Entity, start: Time, end: Time) -> Finding:
    bounds = say_bounds(Bounds(start, end))
    return Finding(
        ORDER,
        "anachronism",
        "error",
        (entity.id,),
        _telling(sight, entity.id, start, end),
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


def _telling(sight: Sight, entity: EntityId, *times: Time) -> tuple[FactId, ...]:
    """The relations that say one of these times of an entity."""
    told = sight.lore.relations_of([entity], EXISTENCE)
    return tuple(sorted(each.id for each in told if {stated(each).valid_from, stated(each).valid_until} & {*times}))


def _outside_their_era(sight: Sight, entities: Iterable[Entity]) -> Iterator[Finding]:
    told = sight.lore.relations_of([entity.id for entity in entities], {"existed_during", "born", "died"}, "subject")
    by_entity: dict[EntityId, list[Relation]] = {}
    for relation in told:
        by_entity.setdefault(relation.subject, []).append(relation)
    for entity, relations in by_entity.items():
        eras = [each for each in relations if each.name == "existed_during"]
        events = [each for each in relations if each.name != "existed_during"]
        for era in eras:
            for event in events:
                actual = stated(event).valid_from
                if actual is not None and certainly_outside(actual, stated(era)):
                    yield _mismatch(sight, entity, event, era, actual)


def _mismatch(sight: Sight, entity: EntityId, event: Relation, era: Relation, actual: Time) -> Finding:
    expected = say_bounds(stated(era))
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


def too_old(sight: Sight, entities: Iterable[Entity]) -> Iterator[Finding]:
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
        if end.lo > sight.later_by_years(start.hi, OLDEST):
            yield _old(sight, entity, start, end)


def _old(sight: Sight, entity: Entity, start: Time, end: Time) -> Finding:
    return Finding(
        AGE,
        "anachronism",
        "warn",
        (entity.id,),
        _telling(sight, entity.id, start, end),
        f"{entity.name} would have lived over {OLDEST} years ({start} .. {end})",
        {
            "entity": entity.id,
            "other": None,
            "claim": "EXISTED_AFTER",
            "expected": f"at most {OLDEST} years from {start}",
            "actual": end.text,
            "era": sight.era(end),
            "why": [f"{entity.name} was born {start}", f"and died {end}, over {OLDEST} years later"],
        },
    )
