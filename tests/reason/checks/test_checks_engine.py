"""What the engine itself looks for: claims at odds, circles, lives that do not fit."""

import pytest
from tests.support.consistency_world import broken, broken_rules, check, findings, make, tell, withdraw

from recollect.memory import Memory
from recollect.reason.checks.check_runs import ensure_initial_scan

BOUNDS, SINGLE, CYCLE = "contradiction-bounds", "contradiction-single-valued", "contradiction-cycle"
LIFESPAN, ORDER, OLD = "anachronism-lifespan", "anachronism-order", "lifespan-age"
BIRTHS, POSTHUMOUS, AGE = "kinship-birth-order", "kinship-posthumous", "kinship-age"

CASES: list[tuple[str, list[str], list[tuple[str, ...]]]] = [
    (
        BOUNDS,
        ["Ann:Person RULES Halden:Location (1800 .. 1850)", "Ann:Person RULES Halden:Location (1810 .. 1850)"],
        [(BOUNDS, "Ann", "Halden")],
    ),
    (
        BOUNDS,
        ["Ann:Person RULES Halden:Location (1800 .. 1810)", "Ann:Person RULES Halden:Location (1820 .. 1850)"],
        [],
    ),
    (
        BOUNDS,
        [
            "Ann:Person RULES Halden:Location (1806 .. …)",
            "Ann:Person RULES Halden:Location (1810 .. …)",
            "Ann:Person DIED (1808)",
        ],
        [],
    ),
    (
        SINGLE,
        ["Ann:Person POSSESSES Knife:Item (1844 .. …)", "Guard:Faction POSSESSES Knife:Item (1850 .. 1852)"],
        [(SINGLE, "Knife", "Ann", "Guard")],
    ),
    (
        SINGLE,
        [
            "Ann:Person DIED (1849)",
            "Ann:Person POSSESSES Knife:Item (1844 .. …)",
            "Guard:Faction POSSESSES Knife:Item (1850 .. 1852)",
        ],
        [],
    ),
    (SINGLE, ["Ann:Person BORN (1800)", "Ann:Person BORN (1802)"], [(SINGLE, "Ann")]),
    (SINGLE, ["Ann:Person BORN (1800)", "Ann:Person BORN Halden:Location (1800-03)"], []),
    (
        SINGLE,
        [
            "Halden:Location PART_OF Reach:Location",
            "Ann:Person LOCATED_IN Halden:Location (1800 .. 1810)",
            "Ann:Person LOCATED_IN Reach:Location (1800 .. 1810)",
        ],
        [],
    ),
    (
        SINGLE,
        [
            "Ann:Person LOCATED_IN Halden:Location (1800 .. 1810)",
            "Ann:Person LOCATED_IN Low Port:Location (1805 .. 1810)",
        ],
        [(SINGLE, "Ann", "Halden", "Low Port")],
    ),
    (
        CYCLE,
        ["A:Person PARENT_OF B:Person", "B:Person PARENT_OF C:Person", "C:Person PARENT_OF A:Person"],
        [(CYCLE, "A", "B", "C")],
    ),
    (CYCLE, ["A:Person PARENT_OF B:Person", "B:Person PARENT_OF C:Person", "A:Person PARENT_OF C:Person"], []),
    (CYCLE, ["A:Location PART_OF B:Location", "B:Location PART_OF A:Location"], [(CYCLE, "A", "B")]),
    (CYCLE, ["A:Event PRECEDED B:Event", "B:Event CAUSED A:Event"], [(CYCLE, "A", "B")]),
    (CYCLE, ["A:Person CHILD_OF B:Person", "A:Person PARENT_OF B:Person"], [(CYCLE, "A", "B")]),
    (LIFESPAN, ["Ann:Person DIED (1850)", "Ann:Person SERVES Bob:Person (1840 .. 1851)"], [(LIFESPAN, "Ann", "Bob")]),
    (LIFESPAN, ["Ann:Person DIED (1850)", "Ann:Person SERVES Bob:Person (1840 .. 1850)"], []),
    (LIFESPAN, ["Ann:Person DIED (1850)", "Ann:Person SERVES Bob:Person (1840 .. …)"], []),
    (
        LIFESPAN,
        ["Ann:Person DIED (1850)", "Bob:Person SPOUSE_OF Ann:Person (1860 .. …)"],
        [(LIFESPAN, "Ann", "Bob")],
    ),
    (
        LIFESPAN,
        ["Ann:Person BORN (1850)", "Ann:Person WITNESSED Siege:Event (1840)"],
        [(LIFESPAN, "Ann", "Siege")],
    ),
    (
        LIFESPAN,
        ["Sea:Deity BORN (1850)", "Sea:Deity PARTICIPATED_IN Siege:Event (1840)"],
        [(LIFESPAN, "Sea", "Siege")],
    ),
    (
        LIFESPAN,
        ["Ann:Person BORN (1850)", 'Ann:Person SERVES Bob:Person (1840 .. …) {"posthumous": true}'],
        [],
    ),
    (LIFESPAN, ["Ann:Person BORN (1850)", "Ann:Person WORSHIPS Sea:Deity (1840 .. …)"], []),
    (ORDER, ["Ann:Person BORN (1850)", "Ann:Person DIED (1849)"], [(ORDER, "Ann")]),
    (ORDER, ["Ann:Person BORN (1850)", "Ann:Person DIED (1850)"], []),
    (ORDER, ["Ann:Person BORN (1850~)", "Ann:Person DIED (1846)"], []),
    (
        ORDER,
        ["Ann:Person EXISTED_DURING '1800 .. 1850' (1800 .. 1850)", "Ann:Person BORN (1860)"],
        [(ORDER, "Ann")],
    ),
    (
        BIRTHS,
        ["Ann:Person BORN (1850)", "Bob:Person BORN (1849)", "Ann:Person PARENT_OF Bob:Person"],
        [(BIRTHS, "Ann", "Bob")],
    ),
    (
        BIRTHS,
        ["Ann:Person BORN (1850-03-01)", "Bob:Person BORN (1850-03-01)", "Bob:Person CHILD_OF Ann:Person"],
        [(BIRTHS, "Ann", "Bob")],
    ),
    (BIRTHS, ["Ann:Person BORN (1850)", "Bob:Person BORN (1850)", "Ann:Person PARENT_OF Bob:Person"], []),
    (
        BIRTHS,
        ["Ann:Person BORN (1850)", "Bob:Person BORN (1849)", 'Ann:Person PARENT_OF Bob:Person {"kind": "adopted"}'],
        [],
    ),
    (
        POSTHUMOUS,
        ["Ann:Person DIED (1850)", "Bob:Person BORN (1851)", 'Ann:Person PARENT_OF Bob:Person {"role": "mother"}'],
        [(POSTHUMOUS, "Ann", "Bob")],
    ),
    (
        POSTHUMOUS,
        ["Ann:Person DIED (1850-01-01)", "Bob:Person BORN (1850-10-01)", "Ann:Person FATHER_OF Bob:Person"],
        [],
    ),
    (
        POSTHUMOUS,
        ["Ann:Person DIED (1850-01-01)", "Bob:Person BORN (1850-11-01)", "Ann:Person FATHER_OF Bob:Person"],
        [(POSTHUMOUS, "Ann", "Bob")],
    ),
    (
        POSTHUMOUS,
        ["Ann:Person DIED (1850-01-01)", "Bob:Person BORN (1850-11-01)", "Ann:Person PARENT_OF Bob:Person"],
        [(POSTHUMOUS, "Ann", "Bob")],
    ),
    (
        AGE,
        ["Ann:Person BORN (1850)", "Bob:Person BORN (1861)", "Ann:Person PARENT_OF Bob:Person"],
        [(AGE, "Ann", "Bob")],
    ),
    (AGE, ["Ann:Person BORN (1850)", "Bob:Person BORN (1862)", "Ann:Person PARENT_OF Bob:Person"], []),
    (
        AGE,
        ["Ann:Person BORN (1850)", "Bob:Person BORN (1912)", "Ann:Person MOTHER_OF Bob:Person"],
        [(AGE, "Ann", "Bob")],
    ),
    (AGE, ["Ann:Person BORN (1850)", "Bob:Person BORN (1912)", "Ann:Person FATHER_OF Bob:Person"], []),
    (AGE, ["Ann:Person BORN (1850)", "Bob:Person BORN (1849)", "Ann:Person PARENT_OF Bob:Person"], []),
    (OLD, ["Ann:Person BORN (1700)", "Ann:Person DIED (1822)"], [(OLD, "Ann")]),
    (OLD, ["Ann:Person BORN (1700)", "Ann:Person DIED (1820)"], []),
    (OLD, ["House:Faction FOUNDED (1700)", "House:Faction DISSOLVED (1900)"], []),
]


@pytest.mark.parametrize(("rule", "lines", "expected"), CASES)
def test_the_check_finds_its_case_when_the_write_returns_and_in_a_full_run(
    memory: Memory, rule: str, lines: list[str], expected: list[tuple[str, ...]]
) -> None:
    ensure_initial_scan(memory)
    for line in lines:
        tell(memory, line)
    assert broken(memory, rule) == expected
    run = check(memory)
    assert (run["opened"], run["resolved"]) == (0, 0)


def test_an_open_half_of_an_uncertain_date_proves_nothing(memory: Memory) -> None:
    tell(
        memory,
        "Ann:Person BORN ([..1840])",
        "Bob:Person BORN (1845)",
        "Ann:Person PARENT_OF Bob:Person",
        "Cid:Person DIED ([1800..])",
        "Cid:Person PARENT_OF Bob:Person",
        "Dan:Person BORN ([1900..])",
    )
    assert broken_rules(memory) == set()


def test_a_faction_without_a_start_and_a_thing_without_relations_hang_in_the_air(memory: Memory) -> None:
    make(memory, "House", "Faction")
    make(memory, "Common Tongue", "Language")
    make(memory, "Founded House", "Faction", founded="1800")
    assert broken(memory) == [
        ("gap-founding", "House"),
        ("gap-isolated", "Founded House"),
        ("gap-isolated", "House"),
    ]


def test_cycles_that_share_an_edge_are_one_finding_each(memory: Memory) -> None:
    ensure_initial_scan(memory)
    tell(memory, "A:Person PARENT_OF B:Person", "B:Person PARENT_OF A:Person", "B:Person PARENT_OF C:Person")
    [closing] = tell(memory, "C:Person PARENT_OF A:Person")
    assert broken(memory, CYCLE) == [(CYCLE, "A", "B"), (CYCLE, "A", "B", "C")]
    withdraw(memory, closing)
    assert broken(memory, CYCLE) == [(CYCLE, "A", "B")]


def test_two_facts_of_another_surface_that_nothing_decides_between_are_a_conflict(memory: Memory) -> None:
    from tests.support.facts import fact
    from tests.support.facts import tell as say

    ensure_initial_scan(memory)
    say(
        memory,
        fact("Ann", "employee", "Acme", "Ann works at Acme as a smith", source_at="2026-01-01"),
        fact("Ann", "employee", "Acme", "Ann keeps the books of Acme", source_at="2026-01-01"),
    )
    [found] = findings(memory, "contradiction")
    assert (found.rule, found.details["kind"]) == ("contradiction-conflict", "conflict")


def test_an_invented_calendar_knows_no_probabilities(memory: Memory) -> None:
    with memory.write() as change:
        change.put_setting("timeline", "fictional")
        change.put_definition("era", "tide", {"name": "Tide", "start": 1, "end": None})
    tell(
        memory,
        "Ann:Person BORN (tide.year_10)",
        "Ann:Person DIED (tide.year_200)",
        "Bob:Person BORN (tide.year_12)",
        "Ann:Person PARENT_OF Bob:Person",
        "Cid:Person BORN (tide.year_5)",
        "Ann:Person PARENT_OF Cid:Person",
    )
    assert broken_rules(memory) == {BIRTHS}


def test_ids_are_a_fixed_function_of_what_was_found() -> None:
    from recollect.reason.checks.findings import finding_id

    assert finding_id("rule", ["b", "a"]) == finding_id("rule", ["a", "b"])
    assert finding_id("rule", ["a", "b"]) != finding_id("other", ["a", "b"])
    assert finding_id("gap-isolated", ["01KS2D7V80E7BT0VYVZNK0F5AT"]) == "03NPWK9DZJHWC4HB7JGM73M13D"


def test_an_existence_within_one_time_is_told_with_both_ends(memory: Memory) -> None:
    tell(memory, "Ann:Person EXISTED_DURING '1800' (1800)", "Ann:Person BORN (1860)")
    check(memory)
    [found] = [each for each in findings(memory) if each.details.get("actual") == "1860"]
    assert found.details["expected"] == "1800 .. 1800"
