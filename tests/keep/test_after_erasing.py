"""What is written after something was erased is found like everything else."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.conftest import MovingClock
from tests.support.hash_embedder import HashEmbedder

from recollect.importers.bundle import import_bundle
from recollect.keep.artifacts.artifact import sweep_expired_bodies
from recollect.keep.forgetting.erasure import forget
from recollect.memory import Memory
from recollect.search.chunking import index_all_passages
from recollect.surfaces.dispatch import call
from recollect.surfaces.registry import find_surface


def _forget(memory: Memory) -> None:
    forget(memory, ["r1"])


def _sweep(memory: Memory) -> None:
    assert sweep_expired_bodies(memory) == 1


def _take(memory: Memory, folder: Path, **record: Any) -> None:
    path = folder / "b.jsonl"
    path.write_text(json.dumps({"record": {"type": "note", "source_at": "2026-05-19T10:00:00Z", **record}}) + "\n")
    _, skipped = import_bundle(memory, path)
    assert skipped == []
    with memory.write() as change:
        index_all_passages(change, memory.embedder)


def _found(memory: Memory, query: str) -> list[str]:
    tool = find_surface("carabase").find("carabase_search_semantic")
    said = call(tool, lambda each: memory.as_actor("carabase", each.name), {"query": query, "k": 1}).structured
    return [each["source"] for each in said["results"] if each["score"] > 0]


@pytest.mark.parametrize("embedder", [None, HashEmbedder(256)], ids=["words", "vectors"])
@pytest.mark.parametrize("erase", [_forget, _sweep], ids=["forgotten", "swept"])
def test_a_text_written_after_the_newest_was_erased_is_found(
    memory: Memory,
    clock: MovingClock,
    tmp_path: Path,
    embedder: HashEmbedder | None,
    erase: Callable[[Memory], None],
) -> None:
    memory.cache._embedders[:] = [embedder]
    _take(memory, tmp_path, id="r0", content="Apples and pears.")
    _take(memory, tmp_path, id="r1", content="The heron nests behind the mill.", retention_days=30)
    assert _found(memory, "heron nests") == ["note:r1"]
    clock.set("2026-06-18T10:00:00Z")
    erase(memory)
    _take(memory, tmp_path, id="r2", content="A violet giraffe.")
    assert _found(memory, "violet giraffe") == ["note:r2"]
    assert _found(memory, "apples pears") == ["note:r0"]
