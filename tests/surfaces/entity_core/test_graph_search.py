"""Searching nodes: by label, alias, words and meaning, each score by its own rule."""

from dataclasses import replace

import pytest

from recollect.keep.graph.node_vectors import index_nodes
from recollect.memory import WorkspaceCache
from recollect.settings import Settings
from tests.support.facts import fact, tell
from tests.surfaces.entity_core.asking import Entity
from tests.surfaces.entity_core.graphing import Json, labels, node

WIDTH = 384


def axis(place: int) -> list[float]:
    return [1.0 if at == place else 0.0 for at in range(WIDTH)]


def without_embedder(entity: Entity) -> Entity:
    entity.memory = replace(
        entity.memory, settings=Settings({"RECOLLECT_EMBEDDING_MODEL": "none"}), cache=WorkspaceCache()
    )
    return entity


def search(entity: Entity, query: str, **more: object) -> list[Json]:
    found: list[Json] = entity.ok("graph_node_search", query=query, **more)["results"]
    return found


def scored(found: list[Json]) -> list[tuple[str, float, str]]:
    return [(each["node"]["label"], each["score"], each["matchedBy"]) for each in found]


def test_a_label_scores_one_and_an_alias_a_little_less(entity: Entity) -> None:
    id_ = node(entity, "Ilse Brandt-Maes", description="Noor's friend", aliases=["Ilse Brandt"])
    found = entity.ok("graph_node_search", query="ilse  BRANDT-maes")
    assert found == {
        "results": [
            {
                "node": {
                    "id": id_,
                    "type": "person",
                    "label": "Ilse Brandt-Maes",
                    "description": "Noor's friend",
                    "confidence": 0.5,
                    "aliases": ["Ilse Brandt"],
                },
                "score": 1.0,
                "matchedBy": "label",
            }
        ],
        "vectorSearchUsed": True,
    }
    assert scored(search(entity, "ilse brandt")) == [("Ilse Brandt-Maes", 0.95, "alias")]


def test_what_another_surface_just_told_is_found_by_meaning_as_of_then_too(entity: Entity) -> None:
    tell(entity.memory, entities=[{"name": "Fast pottery with glowing clay", "type": "topic"}])
    now = search(entity, "ceramics", minScore=0.2)
    assert labels(now) == ["Fast pottery with glowing clay"]
    tell(entity.memory, entities=[{"name": "Ceramics of the river", "type": "topic"}])
    assert search(entity, "ceramics", minScore=0.2, as_of=1) == now


def test_words_of_label_alias_and_description_count_by_their_share(entity: Entity) -> None:
    without_embedder(entity)
    node(entity, "Raku firing", "topic", description="Fast pottery with glowing clay")
    node(entity, "Ilse Brandt", description="A potter", aliases=["the glazer"])
    asked = entity.ok("graph_node_search", query="glowing firing moon", minScore=0)
    assert asked["vectorSearchUsed"] is False
    assert scored(asked["results"]) == [("Raku firing", 0.6, "words")]
    assert scored(search(entity, "Brandt!")) == [("Ilse Brandt", 0.9, "words")]
    assert scored(search(entity, "glazer potter")) == [("Ilse Brandt", 0.9, "words")]
    assert search(entity, "glowing firing moon", minScore=0.7) == []
    assert search(entity, "zzz") == []


def test_equal_scores_come_by_label(entity: Entity) -> None:
    without_embedder(entity)
    for label in ("Moss C", "Moss A", "Moss B"):
        node(entity, label)
    assert labels(search(entity, "moss", limit=2)) == ["Moss A", "Moss B"]


def test_meaning_is_found_without_a_shared_word(entity: Entity) -> None:
    node(entity, "Raku firing", "topic", description="pottery fired in an open flame")
    node(entity, "Income tax", "topic", description="money owed to the state")
    best = search(entity, "ceramics kiln", minScore=0.2)[0]
    assert (best["node"]["label"], best["matchedBy"]) == ("Raku firing", "vector")
    assert 0.2 <= best["score"] < 0.95


def test_a_vector_given_by_the_caller_is_compared_as_it_is(entity: Entity) -> None:
    node(entity, "East", "topic", embedding=[3.0 * each for each in axis(0)])
    node(entity, "North", "topic", embedding=axis(1))
    both = [each + other for each, other in zip(axis(0), axis(1), strict=True)]
    node(entity, "Northeast", "place", embedding=both)
    asked = entity.ok("graph_node_search", queryEmbedding=axis(0))
    assert asked["vectorSearchUsed"] is True
    assert scored(asked["results"]) == [
        ("East", 1.0, "vector"),
        ("Northeast", pytest.approx(0.707107, abs=1e-5), "vector"),
    ]
    assert labels(entity.ok("graph_node_search", queryEmbedding=axis(0), type="place")["results"]) == ["Northeast"]
    assert labels(entity.ok("graph_node_search", queryEmbedding=axis(0), minScore=0.9)["results"]) == ["East"]


def test_a_new_label_embeds_the_node_anew_and_an_earlier_moment_keeps_the_old_vector(entity: Entity) -> None:
    id_ = node(entity, "East", "topic", embedding=axis(0))
    before = entity.tx
    entity.ok("graph_node_update", id=id_, label="West")
    assert entity.ok("graph_node_search", queryEmbedding=axis(0), minScore=0.5)["results"] == []
    then = entity.ok("graph_node_search", queryEmbedding=axis(0), minScore=0.5, as_of=before)
    assert labels(then["results"]) == ["East"]
    entity.ok("graph_node_update", id=id_, embedding=axis(5))
    assert entity.ok("graph_node_update", id=id_, embedding=axis(5), label="West")["unchanged"] is True
    assert labels(entity.ok("graph_node_search", queryEmbedding=axis(5))["results"]) == ["West"]


def test_nodes_of_other_surfaces_are_found_by_meaning_too(entity: Entity) -> None:
    tell(entity.memory, fact("Ilse Brandt", "contributor", {"name": "Copper Kettle", "type": "project"}))
    assert labels(search(entity, "boiler for tea", type="project", minScore=0.1)) == ["Copper Kettle"]
    assert index_nodes(entity.memory, most=100) == 2
    assert index_nodes(entity.memory, most=100) == 0
    assert labels(search(entity, "boiler for tea", type="project", minScore=0.1)) == ["Copper Kettle"]


def test_a_large_transaction_is_indexed_a_few_at_a_time(entity: Entity) -> None:
    tell(entity.memory, *(fact("Hub", "contributor", f"spoke {number}") for number in range(9)))
    tell(entity.memory, fact("Hub", "contributor", "last"))
    rounds = 0
    while index_nodes(entity.memory, most=4):
        rounds += 1
    assert rounds == 4
    assert index_nodes(entity.memory, most=100) == 0
    assert len(search(entity, "wheel", minScore=0, limit=20)) >= 9


def test_a_model_out_of_reach_costs_only_the_search_by_meaning(entity: Entity) -> None:
    nowhere = Settings({"RECOLLECT_EMBEDDING_URL": "http://127.0.0.1:9/v1"})
    entity.memory = replace(entity.memory, settings=nowhere, cache=WorkspaceCache())
    id_ = node(entity, "Ilse Brandt")
    assert entity.ok("graph_node_update", id=id_, description="a potter")["node"]["version"] == 2
    found = entity.ok("graph_node_search", query="potter")
    assert (labels(found["results"]), found["vectorSearchUsed"]) == (["Ilse Brandt"], False)


def test_deleted_nodes_are_not_found(entity: Entity) -> None:
    id_ = node(entity, "Ilse Brandt", description="a potter")
    entity.ok("graph_node_delete", id=id_)
    for query in ("ilse brandt", "potter", "person who makes pots"):
        assert search(entity, query, minScore=0) == []
    assert search(entity, "ilse", as_of=entity.tx - 1)[0]["node"]["id"] == id_


@pytest.mark.parametrize(
    ("label", "description", "query"),
    [
        ("Ольга Иванова", "гончар из Твери", "иванова"),
        ("Ольга Иванова", "гончар из Твери", "ГОНЧАР"),
        ("Ελένη Παππά", "αγγειοπλάστρια", "ΕΛΈΝΗ"),
        ("王小明医生", "住在杭州", "医生"),
        ("王小明医生", "住在杭州", "杭州"),
        ("ليلى حداد", "صانعة فخار", "حداد"),
    ],
)
def test_other_scripts_are_found_without_an_embedder(entity: Entity, label: str, description: str, query: str) -> None:
    without_embedder(entity)
    node(entity, label, description=description)
    [found] = search(entity, query)
    assert (found["node"]["label"], found["score"], found["matchedBy"]) == (label, 0.9, "words")


def test_a_question_needs_words_or_a_vector_of_the_right_width(entity: Entity) -> None:
    assert entity.assert_fails("graph_node_search", "invalid_input")["field"] == "query"
    assert entity.assert_fails("graph_node_search", "invalid_input", query=" ")["field"] == "query"
    assert entity.assert_fails("graph_node_search", "too_large", query="x" * 2001)["field"] == "query"
    assert entity.assert_fails("graph_node_search", "invalid_input", queryEmbedding=[1.0])["field"] == "queryEmbedding"
    entity.assert_fails("graph_node_search", "invalid_input", query="x", limit=101)
    entity.assert_fails("graph_node_search", "invalid_input", query="x", minScore=1.1)


def test_no_score_is_below_the_least_asked_for(entity: Entity) -> None:
    for label in ("Clay", "Kiln", "Glaze", "Tax", "Moon"):
        node(entity, label, "topic")
    for least in (0.0, 0.2, 0.4):
        found = search(entity, "pottery oven", minScore=least, limit=3)
        assert all(each["score"] >= least for each in found)
        assert len(found) <= 3
