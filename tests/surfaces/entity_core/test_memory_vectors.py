"""Vectors of memories: in order by themselves, rebuilt when asked, one rebuild at a time."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from recollect.embed.port import EmbeddingFailed, Vectors
from recollect.keep.memories.embedding_rebuild import exclusive_rebuild
from recollect.memory import WorkspaceCache
from tests.support.facts import tell
from tests.support.hash_embedder import HashEmbedder
from tests.surfaces.entity_core.asking import Entity


class Failing(HashEmbedder):
    """Cannot embed what speaks of snow."""

    def embed(self, texts: Sequence[str]) -> Vectors:
        if any("snow" in text for text in texts):
            raise EmbeddingFailed(self.model, "too cold")
        return super().embed(texts)


@pytest.fixture
def seeing(entity: Entity) -> Entity:
    entity.memory = replace(entity.memory, cache=WorkspaceCache([HashEmbedder()]))
    return entity


def day(entity: Entity, date: str, content: str) -> None:
    entity.ok("memory_create", granularity="daily", date=date, content=content, instanceId="a")


def search(entity: Entity, query: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = entity.ok("memory_search", query=query, instanceId="a")["results"]
    return found


def test_changed_and_deleted_memories_leave_no_vectors(seeing: Entity) -> None:
    day(seeing, "2026-05-01", "- kiln")
    day(seeing, "2026-05-02", "- bees")
    search(seeing, "kiln")
    seeing.ok("memory_update", id="daily-2026-05-01_a", content="- glaze")
    seeing.ok("memory_update", id="daily-2026-05-01_a", content="- honey")
    seeing.ok("memory_delete", id="daily-2026-05-02_a")
    search(seeing, "honey")
    said = seeing.ok("memory_embedding_purge")
    assert (said["purged"], said["remaining"]) == (0, 1)
    assert search(seeing, "honey")[0]["method"] == "vector"


def test_a_vector_that_another_document_needs_stays(seeing: Entity) -> None:
    day(seeing, "2026-05-01", "- kiln")
    day(seeing, "2026-05-02", "- kiln")
    search(seeing, "kiln")
    seeing.ok("memory_delete", id="daily-2026-05-01_a")
    assert [hit["method"] for hit in search(seeing, "kiln")] == ["vector"]


def test_rebuilding_counts_every_memory_and_makes_no_transaction(seeing: Entity) -> None:
    day(seeing, "2026-05-01", "- kiln")
    day(seeing, "2026-05-02", "- snow")
    before = seeing.tx
    said = seeing.ok("memory_embedding_rebuild")
    assert (said["rebuilt"], said["failed"], said["total"]) == (2, 0, 2)
    assert (said["running"], said["vectorAvailable"], seeing.tx) == (False, True, before)
    seeing.memory = replace(seeing.memory, cache=WorkspaceCache([Failing()]))
    said = seeing.ok("memory_embedding_rebuild")
    assert (said["rebuilt"], said["failed"], said["total"]) == (1, 1, 2)


def test_rebuilding_everything_counts_nodes_too(seeing: Entity) -> None:
    day(seeing, "2026-05-01", "- kiln")
    tell(seeing.memory, entities=[{"name": "Noor", "type": "person"}, {"name": "Ilse", "type": "person"}])
    said = seeing.ok("embedding_rebuild_all")
    assert {name: said[name] for name in said if name not in ("message", "running", "vectorAvailable")} == {
        "memoriesRebuilt": 1,
        "memoriesFailed": 0,
        "memoriesTotal": 1,
        "nodesRebuilt": 2,
        "nodesFailed": 0,
        "nodesTotal": 2,
    }


@pytest.mark.parametrize("tool", ["memory_embedding_rebuild", "embedding_rebuild_all"])
def test_a_second_rebuild_waits_for_the_first(seeing: Entity, tool: str) -> None:
    day(seeing, "2026-05-01", "- kiln")
    with exclusive_rebuild(seeing.memory) as is_free:
        assert is_free
        said = seeing.ok(tool)
        assert said["running"] is True
        assert [value for name, value in said.items() if name.endswith(("otal", "ebuilt", "ailed"))].count(0) >= 3
    assert seeing.ok(tool)["running"] is False


def test_a_rebuild_that_died_gives_way_after_a_while(seeing: Entity) -> None:
    with exclusive_rebuild(seeing.memory):
        seeing.at("2026-05-14T09:41:00Z")
        assert seeing.ok("memory_embedding_rebuild")["running"] is False


def test_without_an_embedder_nothing_is_rebuilt(entity: Entity) -> None:
    entity.memory = replace(entity.memory, cache=WorkspaceCache([None]))
    day(entity, "2026-05-01", "- kiln")
    said = entity.ok("memory_embedding_rebuild")
    assert (said["rebuilt"], said["failed"], said["total"], said["vectorAvailable"]) == (0, 0, 1, False)
    assert entity.ok("embedding_rebuild_all")["memoriesTotal"] == 1
    assert entity.ok("memory_embedding_purge")["remaining"] == 0
