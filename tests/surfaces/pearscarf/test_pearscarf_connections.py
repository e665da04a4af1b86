"""Connections: one row for each neighbour, label and type."""

from tests.conftest import MovingClock
from tests.surfaces.pearscarf.pearscarf_world import answer, delete, fact, harrow_bridge, known, links, person, tell

from recollect.memory import Memory
from recollect.model.ids import format_entity_id


def rows(memory: Memory, entity: str, **more: object) -> list[tuple[str, str, str, int]]:
    found = answer(memory, "get_connections", entity=entity, **more)["connections"]
    return [(row["entity_name"], row["fact_type"], row["direction"], row["fact_count"]) for row in found]


def test_a_row_has_all_its_fields(memory: Memory) -> None:
    harrow_bridge(memory)
    answered = answer(memory, "get_connections", entity="harrow bridge")
    assert answered == {
        "connections": [
            {
                "entity_name": "Odile Ferrant",
                "entity_type": "Person",
                "edge_label": "AFFILIATED",
                "fact_type": "employee",
                "entity_id": format_entity_id(known(memory, "Odile Ferrant").id),
                "direction": "incoming",
                "fact_count": 1,
                "last_source_at": "2026-04-02T09:15:00Z",
            }
        ],
        "entity": {
            "id": format_entity_id(known(memory, "Harrow Bridge").id),
            "name": "Harrow Bridge",
            "type": "Company",
        },
        "count": 1,
        "truncated": False,
    }


def test_many_facts_of_one_kind_are_one_row_in_either_direction(memory: Memory) -> None:
    for number, (one, other) in enumerate([("Ada", "Bob"), ("Ada", "Bob"), ("Bob", "Ada")]):
        tell(
            memory,
            fact(one, "ASSERTED/promise", other, f"a promise of kind {number}"),
            record=f"p{number}",
            at=f"2026-04-0{number + 1}",
        )
    tell(memory, fact("Ada", "ASSERTED/request", "Bob", "a request"), record="r", at="2026-04-09")
    assert rows(memory, "Ada") == [("Bob", "request", "outgoing", 1), ("Bob", "promise", "both", 3)]
    assert rows(memory, "Bob") == [("Ada", "request", "incoming", 1), ("Ada", "promise", "both", 3)]
    [_, promise] = answer(memory, "get_connections", entity="Ada")["connections"]
    assert promise["last_source_at"] == "2026-04-03T00:00:00Z"


def test_the_last_said_comes_first_and_then_the_name(memory: Memory) -> None:
    links(memory, ("Hub", "Cee"), ("Hub", "Aye"), at="2026-04-01")
    links(memory, ("Bee", "Hub"), at="2026-04-02")
    assert [name for name, *_ in rows(memory, "Hub")] == ["Bee", "Aye", "Cee"]
    answered = answer(memory, "get_connections", entity="Hub", limit=2)
    assert [row["entity_name"] for row in answered["connections"]] == ["Bee", "Aye"]
    assert (answered["count"], answered["truncated"]) == (3, True)


def test_literals_days_and_the_entity_itself_are_no_neighbours(memory: Memory) -> None:
    tell(
        memory,
        fact("Ada", "ASSERTED/goal", None, "more"),
        fact("Ada", "ASSERTED/goal", {"literal": "steam"}, "steam"),
        fact("Ada", "ASSERTED/opinion", "Ada", "Ada likes Ada"),
    )
    answered = answer(memory, "get_connections", entity="Ada")
    assert (answered["connections"], answered["count"], answered["truncated"]) == ([], 0, False)


def test_only_current_facts_connect_unless_the_stale_are_wanted(memory: Memory) -> None:
    ended = fact("Ada", "AFFILIATED/employee", "Acme", "Ada was there", valid_until="2026-04-30")
    tell(memory, ended, record="r", at="2026-01-01")
    tell(
        memory, fact("Ada", "ASSERTED/goal", "Engine", "an engine", confidence="retracted"), record="s", at="2026-01-02"
    )
    assert rows(memory, "Ada") == []
    assert rows(memory, "Ada", at_time="2026-02") == [("Acme", "employee", "outgoing", 1)]
    assert [name for name, *_ in rows(memory, "Ada", include_stale=True)] == ["Engine", "Acme"]
    assert rows(memory, "Ada", include_stale=True, edge_label="asserted") == [("Engine", "goal", "outgoing", 1)]


def test_a_deleted_neighbour_is_shown_only_as_of_before(memory: Memory, clock: MovingClock) -> None:
    harrow_bridge(memory)
    clock.set("2026-05-21T10:00:00Z")
    delete(memory, "Odile Ferrant")
    assert [name for name, *_ in rows(memory, "Lumen Audit")] == ["Teo Quist"]
    assert [name for name, *_ in rows(memory, "Lumen Audit", as_of="2026-05-20")] == ["Teo Quist", "Odile Ferrant"]


def test_an_entity_without_facts_has_no_connections(memory: Memory) -> None:
    tell(memory, entities=[person("Ada")])
    assert rows(memory, "Ada") == []
