"""What a memory said goes and comes with it."""

import pytest

from tests.surfaces.entity_core.asking import Entity

TEXT = "- Noor met Ilse Brandt at the kiln [chat:c7]\n- Noor is a neighbour of Ilse Brandt"


@pytest.fixture
def told(entity: Entity) -> str:
    """The id of an edge that a memory of the day says."""
    entity.ok("memory_create", granularity="daily", date="2026-05-12", instanceId="psy-desk", content=TEXT)
    return state(entity, "friend_of", "Noor met Ilse Brandt", sourceMemoryId="daily-2026-05-12_psy-desk")


def state(entity: Entity, type_: str, evidence: str, **more: str) -> str:
    noor, ilse = (
        entity.ok("graph_node_create", type="person", label=name, instanceId="psy-desk")["node"]["id"]
        for name in ("Noor", "Ilse Brandt")
    )
    said = entity.ok("graph_edge_create", fromId=noor, toId=ilse, type=type_, evidence=evidence, **more)
    return str(said["edge"]["id"])


def edges(entity: Entity) -> set[str]:
    return {edge["id"] for edge in entity.ok("graph_edge_get")["edges"]}


def test_an_edge_goes_and_comes_back_with_its_memory(entity: Entity, told: str) -> None:
    assert edges(entity) == {told}
    name = entity.ok("memory_delete", id="daily-2026-05-12_psy-desk")["snapshotId"]
    assert edges(entity) == set()
    entity.ok("snapshot_restore", snapshotId=name)
    assert edges(entity) == {told}
    assert entity.ok("memory_read", id="daily-2026-05-12_psy-desk")["memory"]["content"] == TEXT


def test_restoring_an_earlier_text_brings_back_what_it_said(entity: Entity, told: str) -> None:
    before = entity.tx
    entity.ok("memory_update", id="daily-2026-05-12_psy-desk", content="- Noor stayed at home")
    assert edges(entity) == set()
    home = state(entity, "avoids", "stayed at home", sourceMemoryId="daily-2026-05-12_psy-desk")
    entity.ok("snapshot_restore", target="daily-2026-05-12_psy-desk", as_of=before)
    assert edges(entity) == {told}
    entity.ok("snapshot_restore", target="memories", as_of=entity.tx - 1)
    assert edges(entity) == {home}


def test_an_edge_that_another_source_supports_stays(entity: Entity, told: str) -> None:
    assert state(entity, "friend_of", "they told me") == told
    name = entity.ok("memory_delete", id="daily-2026-05-12_psy-desk")["snapshotId"]
    assert edges(entity) == {told}
    entity.ok("snapshot_restore", snapshotId=name)
    [edge] = entity.ok("graph_edge_get")["edges"]
    assert edge["id"] == told


@pytest.mark.usefixtures("told")
def test_a_restored_memory_is_found_again(entity: Entity) -> None:
    name = entity.ok("memory_delete", id="daily-2026-05-12_psy-desk")["snapshotId"]
    assert entity.ok("memory_grep", query="kiln")["results"] == []
    entity.ok("snapshot_restore", snapshotId=name)
    assert len(entity.ok("memory_grep", query="kiln")["results"]) == 1
    assert entity.ok("memory_list")["total"] == 1
