"""Claims that cannot both stand, by their relation's policy or since nothing decided."""

from collections.abc import Iterable, Iterator

from recollect.model.ids import EntityId
from recollect.model.relations import is_point, say_relation
from recollect.model.vocabulary import built_in
from recollect.reason.checks.finding import Finding
from recollect.reason.checks.sight import Sight
from recollect.reason.lore.disputes import are_at_odds
from recollect.reason.lore.relation import Relation

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
    if not are_at_odds(sight.lore, first, second):
        return None
    if first.fact.slot == second.fact.slot and not is_point(first.name):
        return _found(sight, BOUNDS, first, second, "bounds", "they give bounds that exclude each other")
    return _found(sight, SINGLE_VALUED, first, second, "single_valued", _mark(first, second))


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
