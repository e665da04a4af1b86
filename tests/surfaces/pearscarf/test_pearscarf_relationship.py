"""How two entities hang together."""

from typing import Any

from tests.conftest import MovingClock
from tests.surfaces.pearscarf.pearscarf_world import (
    AUDITOR,
    LEDGER,
    answer,
    delete,
    fact,
    harrow_bridge,
    known,
    links,
    tell,
)

from recollect.memory import Memory
from recollect.model.ids import format_entity_id


def between(memory: Memory, one: str, other: str, **more: Any) -> dict[str, Any]:
    return answer(memory, "get_relationship", entity_a=one, entity_b=other, **more)


def way(memory: Memory, one: str, other: str, **more: Any) -> list[tuple[str, str, str]]:
    return [(step["from"], step["direction"], step["entity"]) for step in between(memory, one, other, **more)["path"]]


def test_a_path_leads_from_a_to_b_step_by_step(memory: Memory) -> None:
    harrow_bridge(memory)
    answered = between(memory, "harrow bridge", "Lumen Audit")
    assert [{**step, "fact_id": step["fact_id"][:5]} for step in answered["path"]] == [
        {
            "entity": "Odile Ferrant",
            "edge_label": "AFFILIATED",
            "fact_type": "employee",
            "fact": AUDITOR,
            "direction": "incoming",
            "from": "Harrow Bridge",
            "entity_type": "Person",
            "fact_id": "fact_",
            "source_at": "2026-04-02T09:15:00Z",
        },
        {
            "entity": "Lumen Audit",
            "edge_label": "ASSERTED",
            "fact_type": "commitment",
            "fact": LEDGER,
            "direction": "outgoing",
            "from": "Odile Ferrant",
            "entity_type": "Project",
            "fact_id": "fact_",
            "source_at": "2026-04-02T09:15:00Z",
        },
    ]
    assert {key: answered[key] for key in ("direct_facts", "entity_a", "entity_b", "hops")} == {
        "direct_facts": [],
        "entity_a": {
            "id": format_entity_id(known(memory, "Harrow Bridge").id),
            "name": "Harrow Bridge",
            "type": "Company",
        },
        "entity_b": {"id": format_entity_id(known(memory, "Lumen Audit").id), "name": "Lumen Audit", "type": "Project"},
        "hops": 2,
    }


def test_neighbours_get_one_step_by_the_newest_fact_and_all_facts_in_order(memory: Memory) -> None:
    for number, (one, other) in enumerate([("Ada", "Bob"), ("Bob", "Ada"), ("Ada", "Bob")]):
        said = fact(one, "ASSERTED/promise", other, f"a promise of kind {number}")
        tell(memory, said, record=f"p{number}", at=f"2026-04-0{(number * 2) % 3 + 1}")
    answered = between(memory, "Bob", "Ada")
    assert [each["fact"] for each in answered["direct_facts"]] == [f"a promise of kind {n}" for n in (0, 2, 1)]
    assert (answered["hops"], answered["path"][0]["fact"]) == (1, "a promise of kind 1")
    assert (answered["path"][0]["direction"], answered["path"][0]["entity"]) == ("outgoing", "Ada")


def test_the_path_is_a_shortest_one_in_either_direction(memory: Memory) -> None:
    links(memory, ("A1", "B1"), ("C1", "B1"), ("C1", "D1"), ("A1", "X1"), ("X1", "Y1"), ("Y1", "Z1"), ("Z1", "D1"))
    there = [("A1", "outgoing", "B1"), ("B1", "incoming", "C1"), ("C1", "outgoing", "D1")]
    assert way(memory, "A1", "D1") == there
    assert way(memory, "D1", "A1") == [("D1", "incoming", "C1"), ("C1", "outgoing", "B1"), ("B1", "incoming", "A1")]
    assert between(memory, "A1", "D1")["direct_facts"] == []


def test_four_hops_are_found_and_five_are_not(memory: Memory) -> None:
    links(memory, *[(f"N{n}", f"N{n + 1}") for n in range(5)])
    assert between(memory, "N0", "N4")["hops"] == 4
    too_far = between(memory, "N0", "N5")
    assert (too_far["path"], too_far["direct_facts"], too_far["hops"]) == ([], [], None)
    assert between(memory, "N0", "N4", max_hops=3)["hops"] is None
    assert between(memory, "N0", "N3", max_hops=3)["hops"] == 3
    assert between(memory, "N0", "N1", max_hops=1)["hops"] == 1


def test_the_same_entity_twice_is_no_hop(memory: Memory) -> None:
    tell(memory, fact("Ada", "ASSERTED/opinion", "Ada", "Ada likes Ada"))
    answered = between(memory, "Ada", "ada")
    assert (answered["path"], answered["direct_facts"], answered["hops"]) == ([], [], 0)


def test_days_literals_and_records_are_no_stations(memory: Memory) -> None:
    for name in ("Ada", "Bob"):
        tell(
            memory,
            fact(name, "ASSERTED/goal", None, f"{name} wants more"),
            fact(name, "ASSERTED/goal", {"literal": "steam"}, f"{name} wants steam"),
            record=f"{name}'s mail",
            at="2026-04-01",
        )
    assert between(memory, "Ada", "Bob")["hops"] is None


def test_only_current_facts_are_walked(memory: Memory) -> None:
    ended = fact("Ada", "AFFILIATED/employee", "Acme", "Ada was there", valid_until="2026-04-30")
    tell(memory, ended, fact("Bob", "AFFILIATED/employee", "Acme", "Bob is there"), record="r", at="2026-01-01")
    assert between(memory, "Ada", "Bob")["hops"] is None
    assert between(memory, "Ada", "Acme")["direct_facts"] == []
    assert between(memory, "Ada", "Bob", at_time="2026-03")["hops"] == 2
    assert len(between(memory, "Ada", "Acme", at_time="2026-03")["direct_facts"]) == 1


def test_a_deleted_station_is_passed_only_as_of_before(memory: Memory, clock: MovingClock) -> None:
    links(memory, ("Ada", "Mid"), ("Mid", "Bob"))
    clock.set("2026-05-21T10:00:00Z")
    delete(memory, "Mid")
    assert between(memory, "Ada", "Bob")["hops"] is None
    assert between(memory, "Ada", "Bob", as_of="2026-05-20")["hops"] == 2


def test_several_shortest_paths_always_give_the_same_one(memory: Memory) -> None:
    links(memory, *[(one, mid) for mid in ("M1", "M2", "M3") for one in ("Ada", "Bob")])
    first = between(memory, "Ada", "Bob")
    assert first["hops"] == 2
    assert between(memory, "Ada", "Bob") == first
