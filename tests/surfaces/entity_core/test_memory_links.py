"""Links between memories and the nodes they name: which there are, since when, and what takes them away."""

import pytest

from recollect.write.undo import undo
from tests.surfaces.entity_core.asking import Entity


@pytest.fixture
def noor(entity: Entity) -> str:
    """A node, and two memories of which one names it."""
    id_: str = entity.ok("graph_node_create", type="person", label="Noor Haddad")["node"]["id"]
    remember(entity, "2026-05-01", "- rain on the market")
    remember(entity, "2026-05-02", "- tea with Noor Haddad")
    return id_


def remember(entity: Entity, date: str, content: str) -> int:
    told = entity.ok("memory_create", granularity="daily", date=date, content=content, instanceId="desk")
    return int(told["tx"])


def memories(entity: Entity, node: str, as_of: int | None = None) -> list[str]:
    found = entity.ok("graph_node_get", id=node, as_of=as_of)["node"]["memories"]
    return [each.removeprefix("daily-").removesuffix("_desk") for each in found]


def test_a_node_lists_older_memories_at_once(entity: Entity, noor: str) -> None:
    entity.ok("graph_node_update", id=noor, aliases=["market"])
    assert memories(entity, noor) == ["2026-05-02", "2026-05-01"]


def test_an_older_memory_is_linked_since_the_name_is_known(entity: Entity, noor: str) -> None:
    before = entity.tx
    learned = entity.ok("graph_node_update", id=noor, aliases=["market"])["tx"]
    remember(entity, "2026-05-03", "- nothing at all")
    assert memories(entity, noor, learned) == ["2026-05-02", "2026-05-01"]
    assert memories(entity, noor, before) == ["2026-05-02"]


def test_undoing_another_transaction_takes_no_link_away(entity: Entity, noor: str) -> None:
    entity.ok("graph_node_update", id=noor, aliases=["market"])
    other = remember(entity, "2026-05-03", "- nothing at all")
    assert memories(entity, noor) == ["2026-05-02", "2026-05-01"]
    take_back(entity, other)
    assert memories(entity, noor) == ["2026-05-02", "2026-05-01"]


def test_a_node_that_only_older_memories_name_can_be_undone(entity: Entity) -> None:
    remember(entity, "2026-05-01", "- rain on the market")
    made = entity.ok("graph_node_create", type="place", label="Market")
    remember(entity, "2026-05-03", "- nothing at all")
    assert memories(entity, made["node"]["id"]) == ["2026-05-01"]
    take_back(entity, made["tx"])
    assert entity.ask("graph_node_get", id=made["node"]["id"])["error"] == "not_found"


def test_a_memory_no_longer_belongs_to_a_node_that_lost_the_name_it_used(entity: Entity, noor: str) -> None:
    entity.ok("graph_node_update", id=noor, aliases=["market", "Noor Haddad-Lund"])
    assert memories(entity, noor) == ["2026-05-02", "2026-05-01"]
    then = entity.tx
    entity.ok("graph_node_update", id=noor, clear=["aliases"])
    assert memories(entity, noor) == ["2026-05-02"]
    assert memories(entity, noor, then) == ["2026-05-02", "2026-05-01"]


def take_back(entity: Entity, tx: int) -> None:
    with entity.memory.write() as change:
        undo(change, tx)
