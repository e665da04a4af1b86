"""Each starter rule finds its case and only its case."""

import pytest
from tests.support.consistency_world import broken, broken_rules, check, make, tell

from recollect.memory import Memory
from recollect.reason.checks.check_runs import ensure_initial_scan
from recollect.reason.checks.rule_catalogue import STARTER_RULES

RULERS, SPOUSES = "no-overlapping-rulers", "no-overlapping-spouses"
PARTICIPATION, FACTION_RULES = "no-anachronism-participation", "no-anachronism-rule"
EVENTS, PLACES, LINEAGE = "no-orphan-events", "no-orphan-locations", "lineage-continuity"
MAGIC, DEITY, ITEM = "magic-system-coherence", "deity-worship-coherence", "item-lineage"

HALDEN = "Halden:Location PART_OF Reach:Location"
ROOT = "Reach:Location PART_OF Unmapped Lands:Location"
SIEGE = "Siege:Event OCCURRED_AT Halden:Location"

CASES: list[tuple[str, list[str], list[tuple[str, ...]]]] = [
    # Two rulers at once; succession in one year is none, a year of overlap is.
    (
        RULERS,
        ["Ann:Person RULES Halden:Location (1800 .. 1850)", "Bob:Person RULES Halden:Location (1850 .. 1870)"],
        [],
    ),
    (
        RULERS,
        ["Ann:Person RULES Halden:Location (1800 .. 1850)", "Bob:Person RULES Halden:Location (1849 .. 1870)"],
        [(RULERS, "Halden", "Ann", "Bob")],
    ),
    (
        RULERS,
        [
            'Ann:Person RULES Halden:Location (1800 .. 1850) {"joint": true}',
            'Bob:Person RULES Halden:Location (1820 .. 1870) {"joint": true}',
        ],
        [],
    ),
    (
        RULERS,
        [
            'Ann:Person RULES Halden:Location (1800 .. 1850) {"joint": true}',
            "Bob:Person RULES Halden:Location (1820 .. 1870)",
        ],
        [(RULERS, "Halden", "Ann", "Bob")],
    ),
    (
        RULERS,
        [
            "Ann:Person RULES Halden:Location (1800 .. 1850)",
            "House:Faction RULES Halden:Location (1790 .. 1870)",
            "Ann:Person MEMBER_OF House:Faction (1780 .. 1860)",
        ],
        [],
    ),
    (
        RULERS,
        ["Ann:Person RULES Halden:Location (1800 .. …)", "Bob:Person RULES Halden:Location (1840 .. 1850)"],
        [(RULERS, "Halden", "Ann", "Bob")],
    ),
    (
        RULERS,
        [
            "Ann:Person RULES Halden:Location (1800 .. …)",
            "Ann:Person DIED (1835)",
            "Bob:Person RULES Halden:Location (1840 .. 1850)",
        ],
        [],
    ),
    # Two spouses at once; a marriage ends with either of them.
    (
        SPOUSES,
        ["Ann:Person SPOUSE_OF Bob:Person (1820 .. …)", "Cid:Person SPOUSE_OF Ann:Person (1830 .. …)"],
        [(SPOUSES, "Ann", "Bob", "Cid")],
    ),
    (
        SPOUSES,
        [
            "Ann:Person SPOUSE_OF Bob:Person (1820 .. …)",
            "Bob:Person DIED (1829)",
            "Cid:Person SPOUSE_OF Ann:Person (1830 .. …)",
        ],
        [],
    ),
    (
        SPOUSES,
        ["Ann:Person SPOUSE_OF Bob:Person (1820 .. 1825)", "Cid:Person SPOUSE_OF Ann:Person (1830 .. …)"],
        [],
    ),
    # People take part in what happened in their time.
    (
        PARTICIPATION,
        [
            "Ann:Person DIED (1850)",
            "Siege:Event OCCURRED_DURING '1860' (1860)",
            "Ann:Person PARTICIPATED_IN Siege:Event",
        ],
        [(PARTICIPATION, "Ann", "Siege")],
    ),
    (
        PARTICIPATION,
        ["Ann:Person BORN (1850)", "Ann:Person PARTICIPATED_IN Siege:Event (1840)"],
        [(PARTICIPATION, "Ann", "Siege")],
    ),
    (
        PARTICIPATION,
        [
            "Ann:Person DIED (1850)",
            "Siege:Event OCCURRED_DURING '1860' (1860)",
            'Ann:Person PARTICIPATED_IN Siege:Event {"posthumous": true}',
        ],
        [],
    ),
    (
        PARTICIPATION,
        [
            "Ann:Person DIED (1850)",
            "Siege:Event OCCURRED_DURING '1850' (1850)",
            "Ann:Person PARTICIPATED_IN Siege:Event",
        ],
        [],
    ),
    # A faction rules while it exists.
    (
        FACTION_RULES,
        ["Ann:Person FOUNDED House:Faction (1800)", "House:Faction RULES Halden:Location (1790 .. 1820)"],
        [(FACTION_RULES, "House", "Halden")],
    ),
    (
        FACTION_RULES,
        ["Ann:Person FOUNDED House:Faction (1800)", "House:Faction RULES Halden:Location (1800 .. 1820)"],
        [],
    ),
    # Events have a place and a time.
    (EVENTS, ["Siege:Event PRECEDED Fall:Event"], [(EVENTS, "Fall"), (EVENTS, "Siege")]),
    (EVENTS, [SIEGE], [(EVENTS, "Siege")]),
    (EVENTS, [SIEGE, "Siege:Event OCCURRED_DURING '1860' (1860)"], []),
    (EVENTS, ["Siege:Event OCCURRED_AT Halden:Location (1860)"], []),
    # Places lie in another.
    (PLACES, [HALDEN], [(PLACES, "Reach")]),
    (PLACES, [HALDEN, ROOT], []),
    # Lineages have a founder and members.
    (
        LINEAGE,
        ["Blood:Lineage CADET_OF Old Blood:Lineage"],
        [(LINEAGE, "Blood"), (LINEAGE, "Old Blood")],
    ),
    (LINEAGE, ["Ann:Person FOUNDED Blood:Lineage (1800)"], [(LINEAGE, "Blood")]),
    (LINEAGE, ["Ann:Person FOUNDED Blood:Lineage (1800)", "Ann:Person MEMBER_OF Blood:Lineage"], []),
    # Somebody practises what spells belong to.
    (
        MAGIC,
        ["Spark:Spell PART_OF Fire:MagicSystem (1800 .. 1810)", "Ann:Person PRACTICES Fire:MagicSystem (1820 .. …)"],
        [(MAGIC, "Spark", "Fire")],
    ),
    (
        MAGIC,
        ["Spark:Spell PART_OF Fire:MagicSystem (1800 .. 1830)", "Ann:Person PRACTICES Fire:MagicSystem (1820 .. …)"],
        [],
    ),
    (MAGIC, ["Spark:Spell PART_OF Fire:MagicSystem"], [(MAGIC, "Spark", "Fire")]),
    # Deities are worshipped while they exist.
    (
        DEITY,
        ["Sea:Deity BORN (1800)", "Ann:Person WORSHIPS Sea:Deity (1750 .. 1780)"],
        [(DEITY, "Ann", "Sea")],
    ),
    (
        DEITY,
        ["Sea:Deity BORN (1800)", "Ann:Person BORN (1700)", "Ann:Person DIED (1780)", "Ann:Person WORSHIPS Sea:Deity"],
        [(DEITY, "Ann", "Sea")],
    ),
    (DEITY, ["Sea:Deity BORN (1800)", "Ann:Person WORSHIPS Sea:Deity (1790 .. 1810)"], []),
    # Heirlooms were made by somebody.
    (ITEM, ["Knife:Item INHERITED_BY Ann:Person (1800)"], [(ITEM, "Knife")]),
    (ITEM, ["Knife:Item INHERITED_BY Ann:Person (1800)", "Bob:Person CREATED Knife:Item (1790)"], []),
    (ITEM, ["Ann:Person POSSESSES Knife:Item"], []),
]


@pytest.mark.parametrize(("rule", "lines", "expected"), CASES)
def test_the_rule_finds_its_case_when_the_write_returns_and_in_a_full_run(
    memory: Memory, rule: str, lines: list[str], expected: list[tuple[str, ...]]
) -> None:
    ensure_initial_scan(memory)
    for line in lines:
        tell(memory, line)
    assert broken(memory, rule) == expected
    run = check(memory)
    assert (run["opened"], run["resolved"]) == (0, 0)
    assert broken(memory, rule) == expected


@pytest.mark.parametrize(
    ("rule", "lines"),
    [(rule, lines) for rule, lines, expected in CASES if expected and rule in (RULERS, SPOUSES, MAGIC, DEITY)],
)
def test_only_that_rule_finds_it(memory: Memory, rule: str, lines: list[str]) -> None:
    tell(memory, *lines, HALDEN, ROOT)
    assert broken_rules(memory) == {rule}


def test_a_root_and_the_unmapped_lands_lie_in_nothing(memory: Memory) -> None:
    make(memory, "The World", "Location", root=True)
    make(memory, "UNMAPPED lands", "Location")
    make(memory, "Nowhere", "Castle")
    assert broken(memory, PLACES) == [(PLACES, "Nowhere")]


def test_a_founding_ancestor_may_be_a_property(memory: Memory) -> None:
    make(memory, "Blood", "Lineage", founding_ancestor="Ann")
    tell(memory, "Ann:Person MEMBER_OF Blood:Lineage")
    assert broken(memory, LINEAGE) == []


def test_the_reasons_of_an_orphan_are_told(memory: Memory) -> None:
    from tests.support.consistency_world import findings

    make(memory, "Siege", "Event", date="1860")
    make(memory, "Blood", "Lineage")
    found = {each.rule: each.details["reasons"] for each in findings(memory, "orphan")}
    assert found[EVENTS] == ["missing_occurred_at"]
    assert found[LINEAGE] == ["missing_founding_ancestor", "missing_members"]


def test_there_are_ten_of_them() -> None:
    assert len({each.id for each in STARTER_RULES}) == 10
