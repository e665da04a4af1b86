"""Claims that cannot both stand, by their relation's policy or since nothing decided."""

from collections.abc import Iterable, Iterator

from recollect.model.ids import EntityId
from recollect.model.relations import is_point, say_relation
from recollect.model.vocabulary import built_in
from recollect.reason.checks.finding import Finding
from recollect.reason.checks.sight import Sight
from recollect.reason.lore.relation import Relation
from recollect.when.period import clash

BOUNDS, SINGLE_VALUED, CONFLICT = "contradiction-bounds", "contradiction-single-valued", "contradiction-conflict"
_EQUAL_TIME = "equal_source_at"


def contradictions(sight: Sight, relations: Iterable[Relation]) -> Iterator[Finding]:
    """The open pairs that these relations are part of."""
    given = {each.id: each for each in relations}
    pairs = {(one, other): reason for one, other, reason in sight.view.rows("check_disputes", facts=sorted(given))}
    missing = {fact for pair in pairs for fact in pair} - given.keys()
    known = given | {each.id: each for each in sight.lore.by_id(sorted(missing))}
    for (one, other), reason in sorted(pairs.items()):
        if one in known and other in known:
            found = _pair(sight, known[one], known[other], reason)
            if found is not None:
                yield found


def _pair(sight: Sight, one: Relation, other: Relation, reason: str) -> Finding | None:
    first, second = sorted((one, other), key=lambda each: (each.fact.recorded_at, each.id))
    if reason == _EQUAL_TIME:
        return _found(sight, CONFLICT, first, second, "conflict", "said at one time, and nothing has decided")
    if first.fact.slot == second.fact.slot and not is_point(first.name):
        return _found(sight, BOUNDS, first, second, "bounds", "they give bounds that exclude each other")
    if not _is_broken(sight, first, second):
        return None
    return _found(sight, SINGLE_VALUED, first, second, "single_valued", _mark(first, second))


def _is_broken(sight: Sight, one: Relation, other: Relation) -> bool:
    """Whether a single-valued mark is truly broken, by the life rule and by what contains what."""
    if one.object is not None and other.object is not None and one.object != other.object:
        if _contains(sight, one.object, other.object) or _contains(sight, other.object, one.object):
            return is_point(one.name) and _apart(one, other)
        if one.name == "occurred_during":
            return _apart(one, other)
    if is_point(one.name):
        return True
    intervals = sight.lore.intervals([one, other])
    return clash(intervals[one.id], intervals[other.id])


def _apart(one: Relation, other: Relation) -> bool:
    start, end = one.fact.valid_from, other.fact.valid_from
    return start is not None and end is not None and (start.hi < end.lo or end.hi < start.lo)


def _contains(sight: Sight, inner: EntityId, outer: EntityId, deepest: int = 20) -> bool:
    """Whether a place lies inside another, through however many between."""
    seen: set[EntityId] = set()
    level = {inner}
    for _ in range(deepest):
        level -= seen
        if not level:
            return False
        seen |= level
        up = sight.lore.relations_of(level, {"part_of"}, "subject")
        level = {each.object for each in up if each.object is not None}
        if outer in level:
            return True
    return False


def _mark(one: Relation, other: Relation) -> str:
    known = built_in().get(one.name)
    if known is not None and known.one_subject is not None and one.object == other.object:
        return f"at one time only one can stand in {say_relation(one.name)} to it"
    return f"{say_relation(one.name)} has one object at a time"


def _found(sight: Sight, rule: str, one: Relation, other: Relation, kind: str, why: str) -> Finding:
    nodes = tuple(dict.fromkeys((*_shared_first(one, other), *one.ends, *other.ends)))
    claims = sight.claim(one), sight.claim(other)
    return Finding(
        rule,
        "contradiction",
        "error" if rule == SINGLE_VALUED else "warn",
        nodes,
        (one.id, other.id),
        f"{claims[0]} against {claims[1]}: {why}",
        {
            "kind": kind,
            "predicate": say_relation(one.name),
            "claim_a": claims[0],
            "claim_b": claims[1],
            "why": [claims[0], claims[1], why],
        },
    )


def _shared_first(one: Relation, other: Relation) -> tuple[EntityId, ...]:
    """The entity that both claims are about: the subject, or the object that can have only one."""
    shared = [end for end in one.ends if end in other.ends]
    if one.subject in shared:
        return (one.subject,)
    return tuple(shared)
