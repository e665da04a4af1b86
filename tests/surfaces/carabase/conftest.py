"""An orchard: three notes, a few people, and who supplies whom."""

import pytest
from tests.support.hash_embedder import HashEmbedder
from tests.surfaces.carabase.asking import edge, note, tell

from recollect.memory import Memory


@pytest.fixture
def memory(memory: Memory) -> Memory:
    """An empty memory with a small embedder that needs no model."""
    memory.cache._embedders[:] = [HashEmbedder(256)]
    return memory


@pytest.fixture
def orchard(memory: Memory) -> Memory:
    tell(
        memory,
        note("n-17", "Late frost took a third of the plum blossom. Brindle Foods was told.", "2026-02-03T08:00:00Z",
             title="Frost log"),
        edge("Brindle Foods", "supplies", {"name": "Copperleaf", "type": "project"}),
        entities=(
            {"name": "Brindle Foods", "type": "Company", "aliases": ["Brindle"]},
            {"name": "Copperleaf", "type": "Project"},
        ),
    )  # fmt: skip
    tell(
        memory,
        note("n-18", "Mira Olt pruned the old pear trees at Copperleaf.", "2026-05-12T08:00:00Z", title="Pruning"),
        edge({"name": "Mira Olt", "type": "person"}, "works_with", {"name": "Brindle Foods", "type": "organization"},
             source_kind="inferred"),
        edge({"name": "Mira Olt", "type": "person"}, "status", {"literal": "on leave"}),
    )  # fmt: skip
    tell(memory, note("n-19", "Bees returned to the hives.", "2026-05-18T08:00:00Z", title="Bees"))
    return memory
