"""Conflicts: pairs that cannot both stand and that nothing has decided."""

from typing import Any

from tests.conftest import MovingClock
from tests.surfaces.pearscarf.pearscarf_world import answer, delete, fact, facts_of, known, person, tell

from recollect.memory import Memory
from recollect.model.ids import format_entity_id

UNTIL_JUNE = "Teo Quist contracts for Harrow Bridge until June"
OPEN_ENDED = "Teo Quist contracts for Harrow Bridge, open-ended"


def contracts(text: str, whom: str = "Harrow Bridge") -> dict[str, Any]:
    return fact("Teo Quist", "AFFILIATED/contractor", whom, text)


def pairs(memory: Memory, **more: Any) -> list[tuple[str, str]]:
    return [(pair["fact_a"], pair["fact_b"]) for pair in answer(memory, "get_conflicts", **more)["conflicts"]]


def two_contracts(memory: Memory, clock: MovingClock) -> None:
    tell(memory, contracts(UNTIL_JUNE), record="a", at="2026-04-01T08:00:00Z", entities=[person("Teo Quist")])
    clock.set("2026-05-20T11:00:00Z")
    tell(memory, contracts(OPEN_ENDED), record="b", at="2026-04-01T10:00:00+02:00")


def test_equal_times_and_different_texts_are_a_conflict(memory: Memory, clock: MovingClock) -> None:
    two_contracts(memory, clock)
    ids = [shown["id"] for shown in facts_of(memory, "Teo Quist")]
    assert answer(memory, "get_conflicts", entity="Teo Quist") == {
        "conflicts": [
            {
                "entity": "Teo Quist",
                "edge_label": "AFFILIATED",
                "fact_type": "contractor",
                "fact_a": UNTIL_JUNE,
                "fact_b": OPEN_ENDED,
                "source_at_a": "2026-04-01T08:00:00Z",
                "source_at_b": "2026-04-01T08:00:00Z",
                "entity_id": format_entity_id(known(memory, "Teo Quist").id),
                "target": "Harrow Bridge",
                "fact_id_a": ids[0],
                "fact_id_b": ids[1],
                "reason": "equal_source_at",
            }
        ],
        "count": 1,
        "truncated": False,
    }
    assert pairs(memory) == pairs(memory, entity="Harrow Bridge") == [(UNTIL_JUNE, OPEN_ENDED)]
    assert [shown["stale"] for shown in facts_of(memory, "Teo Quist")] == [False, False]


def test_a_newer_fact_ends_the_conflict(memory: Memory, clock: MovingClock) -> None:
    two_contracts(memory, clock)
    clock.set("2026-05-21T10:00:00Z")
    tell(memory, contracts("Teo Quist contracts until May"), record="c", at="2026-04-02")
    assert pairs(memory) == []
    assert pairs(memory, as_of="2026-05-20") == [(UNTIL_JUNE, OPEN_ENDED)]


def test_three_rivals_give_three_pairs_and_the_limit_cuts_them(memory: Memory, clock: MovingClock) -> None:
    two_contracts(memory, clock)
    tell(memory, contracts("Teo Quist contracts by the day"), record="c", at="2026-04-01T08:00:00Z")
    found = answer(memory, "get_conflicts")
    assert (found["count"], found["truncated"], len({frozenset(pair) for pair in pairs(memory)})) == (3, False, 3)
    cut = answer(memory, "get_conflicts", limit=2)
    assert (cut["count"], cut["truncated"], cut["conflicts"]) == (3, True, found["conflicts"][:2])


def test_different_targets_are_no_conflict(memory: Memory) -> None:
    tell(memory, contracts("Teo for one"), contracts("Teo for the other", "Other Bridge"), record="a", at="2026-04-01")
    assert pairs(memory) == []


def test_assertions_conflict_only_about_the_same_thing(memory: Memory) -> None:
    said = [
        fact("Ada", "ASSERTED/opinion", "Engine", "It is fine work"),
        fact("Ada", "ASSERTED/opinion", "Engine", "I dislike the noise"),
        fact("Ada", "ASSERTED/commitment", "Engine", "Ada will send the drawings by 4 April"),
        fact("Ada", "ASSERTED/commitment", "Engine", "Ada will send the drawings by 9 April"),
        fact("Ada", "ASSERTED/commitment", "Engine", "Ada will rest"),
    ]
    for number, each in enumerate(said):
        tell(memory, each, record=f"r{number}", at="2026-04-01")
    found = answer(memory, "get_conflicts")["conflicts"]
    assert sorted(pair["fact_type"] for pair in found) == ["commitment", "opinion"]


def test_a_retracted_rival_is_no_rival(memory: Memory, clock: MovingClock) -> None:
    two_contracts(memory, clock)
    tell(memory, contracts(OPEN_ENDED) | {"confidence": "retracted"}, record="c", at="2026-04-02")
    assert pairs(memory) == []


def test_a_dispute_of_another_surface_is_listed_with_its_reason(memory: Memory) -> None:
    for number, until in enumerate(("1810", "1820")):
        said = {"predicate": "allied_with", "from": "Ada", "to": "Bob", "valid_from": "1800", "valid_until": until}
        tell(memory, said, record=f"r{number}", at=f"2026-04-0{number + 1}")
    found = answer(memory, "get_conflicts", entity="Bob")["conflicts"]
    assert found == []
    [one, other] = facts_of(memory, "Bob", at_time="1805")
    assert (one["disputed"], other["disputed"]) == (True, True)


def test_a_current_dispute_is_printed_as_disputed_earlier_said_first(memory: Memory) -> None:
    for number, since in ((2, "1810"), (1, "1820")):
        said = {"predicate": "allied_with", "from": "Ada", "to": "Bob", "valid_from": since}
        tell(memory, said, record=f"r{number}", at=f"2026-04-0{number}")
    [found] = answer(memory, "get_conflicts", entity="Bob")["conflicts"]
    assert (found["reason"], found["entity"], found["target"]) == ("disputed", "Ada", "Bob")
    assert (found["source_at_a"], found["source_at_b"]) == ("2026-04-01T00:00:00Z", "2026-04-02T00:00:00Z")


def test_the_newest_pair_comes_first(memory: Memory) -> None:
    for at in ("2026-04-02", "2026-04-03", "2026-04-01"):
        for text in ("good", "bad"):
            tell(memory, fact("Ada", "ASSERTED/opinion", f"Engine {at}", f"{text} {at}"), record=f"{at} {text}", at=at)
    found = answer(memory, "get_conflicts")["conflicts"]
    assert [pair["source_at_a"][:10] for pair in found] == ["2026-04-03", "2026-04-02", "2026-04-01"]


def test_a_pair_with_a_deleted_end_is_not_listed(memory: Memory, clock: MovingClock) -> None:
    two_contracts(memory, clock)
    delete(memory, "Harrow Bridge")
    assert pairs(memory, entity="Teo Quist") == []


def test_a_newer_fact_that_is_less_sure_disputes_the_older(memory: Memory) -> None:
    tell(memory, {**contracts(UNTIL_JUNE), "confidence": "verified"}, record="a", at="2026-04-01T08:00:00Z")
    tell(memory, contracts(OPEN_ENDED), record="b", at="2026-04-05T08:00:00Z")
    assert [pair["reason"] for pair in answer(memory, "get_conflicts")["conflicts"]] == ["disputed"]
