"""Another model than before starts over in the background, and whoever listens hears how far it is."""

from dataclasses import replace

from tests.support.facts import tell
from tests.support.hash_embedder import HashEmbedder

from recollect.indexing import embed_passages
from recollect.memory import Memory, WorkspaceCache
from recollect.model.progress import Progress


def embedded(memory: Memory, embedder: HashEmbedder) -> list[tuple[str, int, int]]:
    """What is told while all that waits is embedded, one passage at a time."""
    heard: list[Progress] = []
    working = replace(memory, cache=WorkspaceCache([embedder]), report_progress=heard.append)
    while embed_passages(working, 1):
        pass
    return [(each.rebuild.phase, each.done, each.total) for each in heard if each.rebuild]


def test_new_passages_are_no_rebuild(memory: Memory) -> None:
    tell(memory, title="a", content="Noor fired the kiln", id="a")
    assert embedded(memory, HashEmbedder()) == []
    tell(memory, title="b", content="Ilse sang", id="b")
    assert embedded(memory, HashEmbedder()) == []


def test_a_changed_model_is_told_from_its_detection_to_its_end(memory: Memory) -> None:
    for name in ("a", "b", "c"):
        tell(memory, title=name, content=f"{name} fired the kiln", id=name)
    embedded(memory, HashEmbedder())
    assert embedded(memory, HashEmbedder(32)) == [
        ("model_change_detected", 0, 3),
        ("progress", 1, 3),
        ("progress", 2, 3),
        ("done", 3, 3),
    ]
    assert embedded(memory, HashEmbedder(32)) == []
