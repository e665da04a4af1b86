"""Family trees with wrong dates in them, and how many of the impossible ones are found: precision and recall.

    python -m benchmarks.family [--people 3000] [--wrong 1000] [--seed 7]

A tree is grown that is possible throughout, then some of its dates are set at random. What is impossible then is
reckoned here in days, by its own arithmetic, and compared with the findings of a full run.
"""

# ruff: noqa: T201

import argparse
import random
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TypeVar

from recollect.change_listeners import open_memory
from recollect.memory import Memory
from recollect.model.fact import Claim, Statement
from recollect.model.ids import EntityId
from recollect.model.vocabulary import resolve_predicate
from recollect.reason.checks.check_runs import run_full_check
from recollect.settings import Settings
from recollect.store.change import Change
from recollect.write.entity_refs import NamedRef, find_or_create
from recollect.write.record_statement import record_statement

Item = TypeVar("Item")
Wrong = tuple[str, frozenset[str]]
AT_ONCE = 2_000
FIRST, LAST = date(1400, 1, 1).toordinal(), date(2020, 12, 31).toordinal()
CHECKED = frozenset(
    "anachronism-order anachronism-lifespan kinship-birth-order kinship-posthumous kinship-age lifespan-age".split()
)


@dataclass(slots=True)
class When:
    """A date as it is written, and the first and last day it may be; none is open."""

    text: str
    first: int | None
    last: int | None
    is_day: bool = False


@dataclass(slots=True)
class Person:
    name: str
    born: When | None = None
    died: When | None = None


@dataclass(slots=True)
class Family:
    father: Person
    mother: Person
    married: When | None
    children: list[Person] = field(default_factory=list)


@dataclass(slots=True)
class Tree:
    people: list[Person]
    families: list[Family]


def written(day: int, chance: random.Random) -> When:
    """A day, told more or less exactly."""
    on = date.fromordinal(day)
    year_first, year_last = date(on.year, 1, 1), date(on.year, 12, 31)
    match chance.randrange(10):
        case 0:
            return When(f"{on.year:04}~", _years(year_first, -5), _years(year_last, 5))
        case 1:
            first, last = on.year - chance.randrange(3), on.year + chance.randrange(3)
            return When(f"[{first:04}..{last:04}]", date(first, 1, 1).toordinal(), date(last, 12, 31).toordinal())
        case 2:
            return When(f"[..{on.year:04}]", None, year_last.toordinal())
        case 3:
            return When(f"[{on.year:04}..]", year_first.toordinal(), None)
        case 4 | 5:
            return When(f"{on.year:04}", year_first.toordinal(), year_last.toordinal())
        case _:
            return When(on.isoformat(), day, day, is_day=True)


def _years(day: date, years: int) -> int:
    """The same day so many years on, 28 February where there is no 29th."""
    try:
        return day.replace(year=day.year + years).toordinal()
    except ValueError:
        return day.replace(year=day.year + years, day=28).toordinal()


def _later(day: int, years: int) -> int:
    return _years(date.fromordinal(day), years)


def grow(people: int, seed: int) -> Tree:
    """A tree in which everything is possible."""
    chance = random.Random(seed)
    tree = Tree([], [])

    def born(day: int) -> Person:
        person = Person(f"Person {len(tree.people)}", written(day, chance))
        tree.people.append(person)
        return person

    first = [chance.randrange(FIRST, FIRST + 20_000) for _ in range(max(20, people // 50))]
    couples = deque((day, born(day), born(day)) for day in first)
    while couples and len(tree.people) < people:
        day, father, mother = couples.popleft()
        wedding = day + 365 * 21
        family = Family(father, mother, written(wedding, chance))
        tree.families.append(family)
        for number in range(chance.randrange(1, 5)):
            birth = wedding + 500 + 700 * number
            child, spouse = born(birth), born(birth)
            family.children.append(child)
            if birth + 365 * 90 < LAST:
                couples.append((birth, child, spouse))
        for parent in (father, mother):
            parent.died = written(wedding + 365 * chance.randrange(20, 40), chance)
    return tree


def spoil(tree: Tree, count: int, seed: int) -> None:
    """Set so many dates at random."""
    chance = random.Random(seed)
    for _ in range(count):
        when = written(chance.randrange(FIRST, LAST), chance)
        if chance.random() < 0.2:
            chance.choice(tree.families).married = when
        elif chance.random() < 0.5:
            chance.choice(tree.people).born = when
        else:
            chance.choice(tree.people).died = when


def impossible(tree: Tree) -> set[Wrong]:
    """Everything that no choice of days inside the dates can make possible."""
    found: set[Wrong] = set()
    for person in tree.people:
        if _before(person.died, person.born):
            found.add(("anachronism-order", frozenset({person.name})))
        if _after_years(person.died, person.born, 120):
            found.add(("lifespan-age", frozenset({person.name})))
    for family in tree.families:
        pair = (family.father, family.mother)
        if any(_before(family.married, one.born) or _before(one.died, family.married) for one in pair):
            found.add(("anachronism-lifespan", frozenset(one.name for one in pair)))
        for child in family.children:
            found |= _between(family.father, child, 300, 90) | _between(family.mother, child, 0, 60)
    return found


def _between(parent: Person, child: Person, days_after: int, oldest: int) -> set[Wrong]:
    names = frozenset({parent.name, child.name})
    found: set[Wrong] = set()
    too_early = _before(child.born, parent.born) or _same_day(child.born, parent.born)
    if too_early:
        found.add(("kinship-birth-order", names))
    if _before(parent.died, child.born, days_after):
        found.add(("kinship-posthumous", names))
    under = (
        child.born is not None
        and parent.born is not None
        and child.born.last is not None
        and parent.born.first is not None
        and child.born.last < _later(parent.born.first, 12)
    )
    if not too_early and (under or _after_years(child.born, parent.born, oldest)):
        found.add(("kinship-age", names))
    return found


def _before(one: When | None, other: When | None, by: int = 0) -> bool:
    """Whether one lies certainly more than so many days before the other."""
    if one is None or other is None or one.last is None or other.first is None:
        return False
    return one.last + by < other.first


def _same_day(one: When | None, other: When | None) -> bool:
    return one is not None and other is not None and one.is_day and other.is_day and one.first == other.first


def _after_years(one: When | None, other: When | None, years: int) -> bool:
    """Whether one lies certainly more than so many years after the other."""
    if one is None or other is None or one.first is None or other.last is None:
        return False
    return one.first > _later(other.last, years)


def load(memory: Memory, tree: Tree) -> None:
    """Write the tree into an empty memory."""
    ids: dict[str, EntityId] = {}
    for people in _lots(tree.people):
        with memory.batch() as batch:
            for person in people:
                with batch.change() as change:
                    ids[person.name] = find_or_create(change, NamedRef(person.name, "person")).entity.id
                    for relation, when in (("born", person.born), ("died", person.died)):
                        if when is not None:
                            _relate(change, ids[person.name], relation, None, when, when)
    for families in _lots(tree.families):
        with memory.batch() as batch:
            for family in families:
                with batch.change() as change:
                    _marry(change, family, ids)


def _marry(change: Change, family: Family, ids: dict[str, EntityId]) -> None:
    father, mother = ids[family.father.name], ids[family.mother.name]
    _relate(change, father, "spouse_of", mother, family.married, None)
    for child in family.children:
        for parent, role in ((father, "father"), (mother, "mother")):
            _relate(change, parent, "parent_of", ids[child.name], None, None, role)


def _lots(items: list[Item]) -> Iterator[list[Item]]:
    return (items[at : at + AT_ONCE] for at in range(0, len(items), AT_ONCE))


def _relate(
    change: Change,
    subject: EntityId,
    relation: str,
    object_: EntityId | None,
    since: When | None,
    until: When | None,
    role: str | None = None,
) -> None:
    means = resolve_predicate(relation, None, None, "entity" if object_ else "none", change.predicate_usage(relation))
    claim = Claim(subject, means.name, means.label, means.fact_type, object_, None, means.symmetric, means.policy)
    read = change.world.read
    statement = Statement(
        claim,
        change.now,
        "stated",
        "extracted",
        1.0,
        valid_from=None if since is None else read(since.text),
        valid_until=None if until is None else read(until.text),
        is_open_start=True,
        attributes={} if role is None else {"role": role},
    )
    record_statement(change, statement)


def found_in(memory: Memory) -> set[Wrong]:
    """What a full run finds of the kinds that are reckoned here."""
    run_full_check(memory)
    with memory.read() as view:
        rows = [(rule, view.rows("findings_of_rule", rule=rule)) for rule in sorted(CHECKED)]
        named: list[tuple[str, list[EntityId]]] = []
        for rule, found in rows:
            named += [(rule, _ids(row[6])) for row in found]
        names = view.entities({node for _, nodes in named for node in nodes})
    return {(rule, frozenset(names[node].name for node in nodes)) for rule, nodes in named}


def _ids(text: str) -> list[EntityId]:
    return [EntityId(each) for each in text.strip("[]").replace('"', "").split(", ") if each]


def main() -> None:
    parser = argparse.ArgumentParser(description="Precision and recall on family trees with wrong dates.")
    parser.add_argument("--people", type=int, default=3000)
    parser.add_argument("--wrong", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=7)
    asked = parser.parse_args()
    tree = grow(asked.people, asked.seed)
    untouched = impossible(tree)
    spoil(tree, asked.wrong, asked.seed + 1)
    wanted = impossible(tree)
    with TemporaryDirectory(prefix="recollect-family-") as folder:
        memory = open_memory(str(Path(folder) / "memory.db"), settings=Settings())
        load(memory, tree)
        found = found_in(memory)
        memory.close()
    right = len(wanted & found)
    print(
        f"{len(tree.people)} people, {len(untouched)} impossible before, {len(wanted)} after {asked.wrong} wrong dates"
    )
    print(f"precision {right / max(1, len(found)):.4f}, recall {right / max(1, len(wanted)):.4f}")
    for what, these in (("missed", wanted - found), ("invented", found - wanted)):
        for rule, names in sorted(these, key=str)[:5]:
            print(f"{what}: {rule} {sorted(names)}")


if __name__ == "__main__":
    main()
