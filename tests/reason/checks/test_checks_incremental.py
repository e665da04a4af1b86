"""What is found after each write is what a full run finds, whatever was written."""

import random
from contextlib import suppress
from typing import Any

import pytest
from tests.support.consistency_world import check, findings, make, tell, withdraw
from tests.support.properties import seeded

from recollect.errors import RecollectError
from recollect.memory import Memory
from recollect.reason.checks.check_runs import ensure_initial_scan
from recollect.store.port import Row
from recollect.store.view import View
from recollect.write.entity_edits import edit_entity
from recollect.write.merge import merge
from recollect.write.retract import delete_entity, retract_fact
from recollect.write.undo import undo

PEOPLE = [f"P{number}:Person" for number in range(5)]
PLACES = [f"L{number}:Location" for number in range(4)]
FACTIONS = [f"F{number}:Faction" for number in range(2)]
EVENTS = [f"E{number}:Event" for number in range(3)]
OTHERS = ["I0:Item", "D0:Deity", "M0:MagicSystem", "S0:Spell", "X0:Lineage"]
SHAPES = [
    (PEOPLE, "PARENT_OF", PEOPLE),
    (PEOPLE, "SPOUSE_OF", PEOPLE),
    (PEOPLE + FACTIONS, "RULES", PLACES),
    (PEOPLE, "MEMBER_OF", [*FACTIONS, "X0:Lineage"]),
    (PEOPLE, "LOCATED_IN", PLACES),
    (PLACES, "PART_OF", PLACES),
    (EVENTS, "PRECEDED", EVENTS),
    (EVENTS, "CAUSED", EVENTS),
    (EVENTS, "OCCURRED_AT", PLACES),
    (PEOPLE, "PARTICIPATED_IN", EVENTS),
    (PEOPLE, "WORSHIPS", ["D0:Deity"]),
    (PEOPLE, "PRACTICES", ["M0:MagicSystem"]),
    (["S0:Spell"], "PART_OF", ["M0:MagicSystem"]),
    (["I0:Item"], "INHERITED_BY", PEOPLE),
    (PEOPLE, "CREATED", ["I0:Item", "X0:Lineage"]),
    (PEOPLE, "FOUNDED", [*FACTIONS, "X0:Lineage"]),
    (PEOPLE, "POSSESSES", ["I0:Item"]),
    (PEOPLE, "BORN", [""]),
    (PEOPLE, "DIED", [""]),
    (PEOPLE, "BORN_IN", PLACES),
    (PEOPLE, "CHILD_OF", PEOPLE),
]


class Chance:
    """Random deeds in a small world."""

    def __init__(self, memory: Memory, seed: int) -> None:
        self.memory = memory
        self.random = random.Random(seed)
        self.facts: list[str] = []

    def deed(self) -> None:
        choices = [self.say] * 8 + [self.withdraw, self.edit, self.retype, self.delete, self.merge, self.undo]
        with suppress(RecollectError):
            self.random.choice(choices)()

    def say(self) -> None:
        subjects, relation, objects = self.random.choice(SHAPES)
        one, other = self.random.choice(subjects), self.random.choice(objects)
        if one == other:
            return
        start, length = self.random.randrange(1800, 1900), self.random.randrange(0, 60)
        times = self.random.choice(["", f" ({start} .. {start + length})", f" ({start})", f" ({start} .. …)"])
        self.facts += tell(self.memory, f"{one} {relation}{' ' + other if other else ''}{times}")

    def withdraw(self) -> None:
        if self.facts:
            with self.memory.write() as change:
                retract_fact(change, self.random.choice(self.facts))  # type: ignore[arg-type]

    def _somebody(self, names: list[str]) -> str:
        return self.random.choice(names).partition(":")[0].lower()

    def edit(self) -> None:
        with self.memory.write() as change:
            for kind, entity in change.entities_named(self._somebody(PEOPLE + PLACES + EVENTS)):
                if kind == "name":
                    properties = {
                        **entity.properties,
                        "root": self.random.random() < 0.5,
                        "born": str(self.random.randrange(1800, 1900)),
                    }
                    edit_entity(change, entity, entity._replace(properties=properties))

    def retype(self) -> None:
        with self.memory.write() as change:
            for kind, entity in change.entities_named(self._somebody(PEOPLE + PLACES)):
                if kind == "name":
                    type_ = self.random.choice(["person", "location", "event", "faction"])
                    edit_entity(change, entity, entity._replace(type=type_))

    def delete(self) -> None:
        with self.memory.write() as change:
            for kind, entity in change.entities_named(self._somebody(PEOPLE + PLACES + EVENTS + FACTIONS)):
                if kind == "name":
                    delete_entity(change, entity, "test")

    def merge(self) -> None:
        with self.memory.write() as change:
            one = change.entities_named(self._somebody(PEOPLE))
            other = change.entities_named(self._somebody(PEOPLE))
            if one and other and one[0][1].id != other[0][1].id and one[0][1].type == other[0][1].type:
                merge(change, one[0][1], other[0][1])

    def undo(self) -> None:
        with self.memory.read() as view:
            last = view.last_tx
        with self.memory.write() as change:
            undo(change, self.random.randrange(max(1, last - 3), max(2, last + 1)))


@seeded(6)
def test_a_full_run_finds_nothing_that_the_writes_did_not(memory: Memory, seed: int) -> None:
    ensure_initial_scan(memory)
    world = Chance(memory, seed)
    for _ in range(40):
        world.deed()
    before = sorted((each.id, each.rule, each.message) for each in findings(memory))
    run = check(memory)
    after = sorted((each.id, each.rule, each.message) for each in findings(memory))
    assert [each for each in after if each not in before] == []
    assert [each for each in before if each not in after] == []
    assert (run["opened"], run["resolved"]) == (0, 0)


def test_no_write_pays_before_somebody_asks_for_findings(memory: Memory) -> None:
    tell(memory, "Ann:Person BORN (1800)", "Ann:Person DIED (1790)")
    with memory.read() as view:
        assert view.rows("findings_counted") == []
    assert [each.rule for each in findings(memory)] == ["anachronism-order"]


def test_the_write_that_breaks_something_opens_the_finding_and_the_fix_resolves_it(memory: Memory) -> None:
    ensure_initial_scan(memory)
    tell(memory, "Ann:Person BORN (1800)")
    [death] = tell(memory, "Ann:Person DIED (1790)")
    [found] = findings(memory, "anachronism")
    withdraw(memory, death)
    assert findings(memory, "anachronism") == []
    [resolved] = findings(memory, status="resolved")
    assert (resolved.id, resolved.rule) == (found.id, "anachronism-order")
    tell(memory, "Ann:Person DIED (1790)")
    assert [each.id for each in findings(memory, "anachronism")] == [found.id]


def test_a_deleted_place_leaves_its_events_without_one(memory: Memory) -> None:
    ensure_initial_scan(memory)
    tell(memory, "Siege:Event OCCURRED_AT Port:Location (1800)", "Port:Location PART_OF Coast:Location")
    assert "no-orphan-events" not in {each.rule for each in findings(memory)}
    with memory.write() as change:
        [(_, port)] = change.entities_named("port")
        delete_entity(change, port, "drowned")
    [found] = [each for each in findings(memory) if each.rule == "no-orphan-events"]
    assert found.details["reasons"] == ["missing_occurred_at", "missing_occurred_during"]


def test_what_was_open_then_is_still_listed_as_of_then(memory: Memory) -> None:
    from recollect.reason.checks.findings import list_findings
    from recollect.store.finding_queries import FindingQuery

    make(memory, "Ann", "Person")
    ensure_initial_scan(memory)
    tell(memory, "Ann:Person BORN (1800)")
    [death] = tell(memory, "Ann:Person DIED (1790)")
    with memory.read() as view:
        then = view.last_tx
    withdraw(memory, death)
    with memory.read(then) as view:
        assert [each.finding.rule for each in list_findings(view, FindingQuery(["anachronism"])).items] == [
            "anachronism-order"
        ]
    with memory.read(then - 1) as view:
        assert list_findings(view, FindingQuery(["anachronism"])).items == []


@pytest.fixture
def fetched(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many rows each query brought, as they come."""
    counts: list[int] = []
    rows = View.rows

    def counted(view: View, query: str, **parameters: Any) -> list[Row]:
        found = rows(view, query, **parameters)
        counts.append(len(found))
        return found

    monkeypatch.setattr(View, "rows", counted)
    return counts


@pytest.mark.parametrize(
    "line",
    [
        "New:Person LOCATED_IN Town:Location (1830 .. 1840)",
        "New:Person BORN Town:Location (1830)",
        "New:Person MEMBER_OF House:Faction (1830 .. 1840)",
        "Person N:Person SERVES New:Person (1830 .. 1840)",
        "Person N:Person SPOUSE_OF New:Person (1830 .. 1840)",
        "New:Person PARENT_OF Newer:Person",
    ],
)
def test_what_a_write_looks_at_does_not_grow_with_the_world(memory: Memory, fetched: list[int], line: str) -> None:
    ensure_initial_scan(memory)
    looked_at: list[int] = []
    for first in (10, 100):
        tell(
            memory,
            *(
                line
                for number in range(first, first * 4)
                for line in (
                    f"Person {number}:Person BORN Town:Location (1800)",
                    f"Person {number}:Person MEMBER_OF House:Faction (1820 .. 1850)",
                    f"Person {number}:Person LOCATED_IN Town:Location (1820 .. 1850)",
                )
            ),
            "Town:Location PART_OF Reach:Location",
        )
        fetched.clear()
        tell(memory, line.replace("New", f"New {first}").replace("Person N:", f"Person {first}:"))
        looked_at.append(sum(fetched))
    assert looked_at[1] <= looked_at[0]


FLO = ["Flo:Person BORN L0:Location (1803)", "Flo:Person BORN L{}:Location (1803)"]
GUS = ["Gus:Person LOCATED_IN L0:Location (1803 .. 1809)", "Gus:Person LOCATED_IN L{}:Location (1803 .. 1809)"]


def rivals(memory: Memory) -> int:
    """How many contradictions of one value are open; a full run must not change that."""
    found = sum(each.rule == "contradiction-single-valued" for each in findings(memory))
    check(memory)
    assert sum(each.rule == "contradiction-single-valued" for each in findings(memory)) == found
    return found


@pytest.mark.parametrize("claims", [FLO, GUS])
@pytest.mark.parametrize("hops", [1, 2, 3, 4])
def test_a_link_of_a_chain_of_places_decides_about_claims_at_its_ends(
    memory: Memory, claims: list[str], hops: int
) -> None:
    ensure_initial_scan(memory)
    links = tell(memory, *(f"L{at}:Location PART_OF L{at + 1}:Location" for at in range(hops)))
    tell(memory, *(line.format(hops) for line in claims))
    assert rivals(memory) == 0
    middle = hops // 2
    withdraw(memory, links[middle])
    assert rivals(memory) == 1
    tell(memory, f"L{middle}:Location PART_OF L{middle + 1}:Location")
    assert rivals(memory) == 0


def test_a_deleted_place_parts_what_was_below_it(memory: Memory) -> None:
    ensure_initial_scan(memory)
    tell(memory, "L0:Location PART_OF L1:Location", "L1:Location PART_OF L2:Location")
    tell(memory, *(line.format(2) for line in FLO))
    with memory.write() as change:
        [(_, place)] = change.entities_named("l1")
        delete_entity(change, place, "test")
    assert rivals(memory) == 1


def test_the_last_link_of_a_chain_resolves_the_dispute(memory: Memory) -> None:
    ensure_initial_scan(memory)
    tell(memory, *(line.format(3) for line in FLO))
    for at, still_open in ((0, 1), (2, 1), (1, 0)):
        tell(memory, f"L{at}:Location PART_OF L{at + 1}:Location")
        assert rivals(memory) == still_open


@pytest.mark.parametrize(("since", "until", "open_"), [(1801, 1802, 1), (1801, 1806, 0), (1820, 1830, 1)])
def test_places_are_inside_each_other_only_while_they_are(memory: Memory, since: int, until: int, open_: int) -> None:
    ensure_initial_scan(memory)
    tell(memory, f"L0:Location PART_OF L1:Location ({since} .. {until})")
    tell(memory, *(line.format(1) for line in GUS))
    assert rivals(memory) == open_
