"""Calls as entity-core's own host makes them: optional arguments it always sends, and answers as it reads them."""

import json
from typing import Any

import pytest

from tests.surfaces.entity_core.asking import Entity

HOST = "psycheros"
VECTOR = [0.05] * 384


def _host(entity: Entity, tool: str, **arguments: Any) -> Any:
    """What the host reads of an answer: the JSON of its first text."""
    answer = entity.answer(tool, arguments)
    assert not answer.is_error, answer.texts[0]
    return json.loads(answer.texts[0])


def _node(entity: Entity, label: str, type_: str = "person", **more: Any) -> str:
    made = _host(
        entity, "graph_node_create", type=type_, label=label, properties={}, confidence=0.5, embedding=VECTOR,
        sourceMemoryId=None, instanceId=HOST, **more,
    )  # fmt: skip
    assert made["success"], made
    return str(made["node"]["id"])


def test_a_push_of_every_file_with_version_1_lands_and_the_last_write_wins(entity: Entity) -> None:
    for hour, text in (("09", "I am Wren.\n"), ("10", "I am Wren, older.\n")):
        change = {
            "category": "self", "filename": "my_identity.md", "content": text, "version": 1,
            "lastModified": f"2026-05-14T{hour}:40:00.000Z", "modifiedBy": HOST,
        }  # fmt: skip
        pushed = _host(
            entity, "sync_push", instance={"id": HOST, "type": "psycheros", "version": 1}, identityChanges=[change]
        )
        assert pushed["success"], pushed
    [file] = _host(entity, "sync_pull", instanceId=HOST)["identityFiles"]["self"]
    assert file["content"] == "I am Wren, older.\n"


def test_a_memory_of_another_instance_is_updated_although_the_host_sends_its_own_id(entity: Entity) -> None:
    entity.ok("memory_create", granularity="daily", date="2026-05-12", content="- a kiln load", instanceId="attic")
    done = _host(
        entity, "memory_update", granularity="daily", date="2026-05-12", content="- two kiln loads", editedBy=HOST,
        instanceId=HOST,
    )  # fmt: skip
    assert done["success"], done
    assert "two kiln loads" in _host(entity, "memory_read", granularity="daily", date="2026-05-12")["memory"]["content"]


def test_an_update_prefers_the_memory_of_the_instance_that_sends_it(entity: Entity) -> None:
    for instance in ("attic", HOST):
        entity.ok("memory_create", granularity="daily", date="2026-05-12", content="- a load", instanceId=instance)
    done = _host(
        entity,
        "memory_update",
        granularity="daily",
        date="2026-05-12",
        content="- mine",
        editedBy=HOST,
        instanceId=HOST,
    )
    assert done["memoryId"].endswith(HOST)


@pytest.mark.large
def test_all_edges_come_at_once_to_a_host_that_does_not_page(entity: Entity) -> None:
    hub = _node(entity, "Noor")
    nodes = [{"type": "person", "label": f"Guest {number}", "embedding": None} for number in range(600)]
    edges = [{"fromLabel": "Noor", "toLabel": f"Guest {number}", "type": "friend_of"} for number in range(600)]
    for start in range(0, 600, 200):
        done = _host(
            entity, "graph_write_transaction", nodes=nodes[start : start + 200], edges=edges[start : start + 200],
            instanceId=HOST,
        )  # fmt: skip
        assert done["success"], done
    found = _host(entity, "graph_edge_get", fromId=hub, toId=None, type=None, onlyValid=True)
    assert len(found["edges"]) == 600


def test_an_empty_description_and_a_custom_type_are_taken(entity: Entity) -> None:
    noor = _node(entity, "Noor", description="")
    wren = _node(entity, "Wren", type_="self", description="")
    made = _host(
        entity, "graph_edge_create", fromId=noor, toId=wren, type="custom", customType="keeps company with",
        weight=0.5, evidence=None, instanceId=HOST,
    )  # fmt: skip
    assert made["success"], made
    [edge] = _host(entity, "graph_edge_get", fromId=noor, toId=None, type=None, onlyValid=True)["edges"]
    assert edge["type"] == "keeps_company_with"
    changed = _host(entity, "graph_edge_update", id=edge["id"], customType="confides in", weight=0.9, instanceId=HOST)
    assert changed["success"], changed
    emptied = _host(entity, "graph_node_update", id=noor, description="", embedding=VECTOR, instanceId=HOST)
    assert emptied["success"], emptied


def test_a_custom_type_in_a_transaction_is_taken(entity: Entity) -> None:
    done = _host(
        entity, "graph_write_transaction",
        nodes=[{"type": "person", "label": "Noor", "description": ""}, {"type": "place", "label": "Kiln"}],
        edges=[{"fromLabel": "Noor", "toLabel": "Kiln", "type": "custom", "customType": "tends", "weight": 0.5}],
        instanceId=HOST,
    )  # fmt: skip
    assert (done["success"], done["edgesCreated"]) == (True, 1), done


def test_a_custom_type_of_a_node_is_taken(entity: Entity) -> None:
    made = _host(entity, "graph_node_create", type="custom", customType="Sea Bird", label="Tern", instanceId=HOST)
    assert made["node"]["type"] == "sea_bird"
    changed = _host(entity, "graph_node_update", id=made["node"]["id"], customType="gull", instanceId=HOST)
    assert changed["node"]["type"] == "gull"
    done = _host(
        entity, "graph_write_transaction",
        nodes=[{"type": "custom", "customType": "gull", "label": "Tern"}], edges=[], instanceId=HOST,
    )  # fmt: skip
    assert done["nodes"][0] == {"id": made["node"]["id"], "type": "gull", "label": "Tern", "created": False}


def test_the_plugins_are_an_array(entity: Entity) -> None:
    assert isinstance(_host(entity, "plugin_status"), list)


def test_optional_arguments_that_the_host_leaves_undefined_are_absent(entity: Entity) -> None:
    assert _host(entity, "identity_get_meta", category=None)["success"]
    assert _host(entity, "snapshot_list", category=None, filename=None)["success"]
    assert (
        _host(entity, "memory_search", query="kiln", instanceId=HOST, minScore=None, maxResults=None)["results"] == []
    )
    assert _host(entity, "graph_node_list", type=None, limit=500)["nodes"] == []
    assert _host(entity, "graph_node_search", query="kiln", queryEmbedding=VECTOR, type=None, limit=10, minScore=0.3)
    assert _host(entity, "memory_consolidate", granularity=None, targetDate=None, all=True)["success"]
    assert "extraction" in _host(entity, "sync_status")
