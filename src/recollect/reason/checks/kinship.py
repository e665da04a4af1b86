"""Children and parents whose lives cannot fit together."""

from collections.abc import Iterable, Iterator

from recollect.reason.checks.finding import Finding, Severity
from recollect.reason.checks.sight import Sight, say_bounds
from recollect.reason.lore.existence import Existence
from recollect.reason.lore.relation import Relation
from recollect.when.instant import MAX, MIN
from recollect.when.period import Bounds, Time

BIRTH_ORDER, POSTHUMOUS, AGE = "kinship-birth-order", "kinship-posthumous", "kinship-age"
NOT_BY_BIRTH = frozenset({"adopted", "foster", "step", "sealing"})
LONGEST_AFTER_DEATH = 300
YOUNGEST, OLDEST_MOTHER, OLDEST_FATHER = 12, 60, 90


def misfits(sight: Sight, relations: Iterable[Relation]) -> Iterator[Finding]:
    """What is wrong between the parents and children of these relations."""
    given = [each for each in relations if each.name == "parent_of" and each.object is not None and _by_birth(each)]
    sight.lore.existences(end for each in given for end in each.ends)
    for relation in given:
        yield from _misfit(sight, relation)


def _by_birth(relation: Relation) -> bool:
    return str(relation.attributes.get("kind", "")).strip().lower() not in NOT_BY_BIRTH


def _misfit(sight: Sight, relation: Relation) -> Iterator[Finding]:
    assert relation.object is not None
    parent, child = sight.existence(relation.subject), sight.existence(relation.object)
    if child.start is None:
        return
    wrong_order = parent.start is not None and _born_too_early(child.start, parent.start)
    if wrong_order:
        yield _found(sight, BIRTH_ORDER, relation, parent, child.start, "EXISTED_BEFORE", "born before its parent")
    if parent.end is not None and _born_too_late(sight, relation, child.start, parent.end):
        what = (
            "born after its mother's death" if relation.has_role("mother") else "born too long after its parent's death"
        )
        yield _found(sight, POSTHUMOUS, relation, parent, child.start, "EXISTED_AFTER", what)
    if not wrong_order and parent.start is not None and not sight.is_fictional:
        what_age = _impossible_age(sight, relation, child.start, parent.start)
        if what_age is not None:
            side = "EXISTED_BEFORE" if "under" in what_age else "EXISTED_AFTER"
            yield _found(sight, AGE, relation, parent, child.start, side, what_age, "warn")


def _born_too_early(child: Time, parent: Time) -> bool:
    same_day = child.grain == "day" and not child.uncertain and (child.lo, child.hi) == (parent.lo, parent.hi)
    return child.hi < parent.lo or (same_day and not parent.uncertain)


def _born_too_late(sight: Sight, relation: Relation, child: Time, death: Time) -> bool:
    if death.hi == MAX:
        return False
    allowed = 0 if relation.has_role("mother") else LONGEST_AFTER_DEATH * sight.day
    return child.lo > death.hi + allowed


def _impossible_age(sight: Sight, relation: Relation, child: Time, parent: Time) -> str | None:
    if parent.lo != MIN and child.hi < sight.later_by_years(parent.lo, YOUNGEST):
        return f"born when its parent was under {YOUNGEST}"
    oldest = OLDEST_MOTHER if relation.has_role("mother") else OLDEST_FATHER
    if parent.hi != MAX and child.lo > sight.later_by_years(parent.hi, oldest):
        return f"born when its parent was over {oldest}"
    return None


def _found(
    sight: Sight,
    rule: str,
    relation: Relation,
    parent: Existence,
    born: Time,
    claim: str,
    what: str,
    severity: Severity = "error",
) -> Finding:
    life = say_bounds(Bounds(parent.start, parent.end))
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
