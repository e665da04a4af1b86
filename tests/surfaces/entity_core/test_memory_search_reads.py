"""`memory_search` asks the store for nothing twice."""

from dataclasses import replace
from typing import Any

import pytest

from recollect.keep.memory_index import indexed_scorer as searching
from recollect.memory import WorkspaceCache
from recollect.store.view import View
from tests.support.hash_embedder import HashEmbedder
from tests.surfaces.entity_core.asking import Entity
from tests.surfaces.entity_core.test_memory_search import dates, day


def test_a_search_looks_once_for_the_nearest_and_counts_only_what_is_new(
    entity: Entity, monkeypatch: pytest.MonkeyPatch
) -> None:
    entity.memory = replace(entity.memory, cache=WorkspaceCache([HashEmbedder(64)]))
    day(entity, "2026-05-01", "- the kiln cracked")
    asked: list[str] = []
    rows = View.rows
    monkeypatch.setattr(searching, "SMALL_SET", 0)

    def counting(view: View, query: str, /, **parameters: Any) -> list[Any]:
        asked.append(query)
        return rows(view, query, **parameters)

    monkeypatch.setattr(View, "rows", counting)
    assert dates(entity, "kiln") == ["2026-05-01"]
    assert asked.count("embeddings_last") + asked.count("nearest") == 1
    counted, looked_up = asked.count("chunks_wanted"), asked.count("word_places")
    assert looked_up == 1
    assert asked.count("vectors_of") + asked.count("cosines") == 0
    assert asked.count("chunks_beside") == 0, "a day is no turn of a talk"
    assert asked.count("chunks_of_entries") == 0, "the nearest passages tell their cosines"
    assert asked.count("entries_numbered") == 1, "the passages found tell the keys of their memories"
    assert dates(entity, "kiln") == ["2026-05-01"]
    assert asked.count("chunks_wanted") == counted
    assert asked.count("word_places") == looked_up
    day(entity, "2026-05-02", "- another kiln")
    assert sorted(dates(entity, "kiln")) == ["2026-05-01", "2026-05-02"]
    assert asked.count("chunks_wanted") > counted
    assert asked.count("word_places") > looked_up
