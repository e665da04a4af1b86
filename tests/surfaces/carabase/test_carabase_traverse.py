"""Walks among memories: ranked, by neighbours, along paths; filters, fallbacks and what is said when there is none."""

from pathlib import Path
from typing import Any

import pytest
from tests.keep.linking import Notebook, memory_line
from tests.surfaces.carabase.asking import ask, empty, found, refusal, same

from recollect.memory import Memory
from recollect.model.ids import format_uuid

TOOL = "carabase_traverse_memory_network"
NOWHERE = "01900000-0000-7000-8000-000000000000"


class Web(Notebook):
    """Memories with links that are said."""

    def uuid(self, key: str) -> str:
        return format_uuid(self.ids[key])

    def join(self, *links: tuple[str, str, str, float]) -> None:
        names = dict.fromkeys(key for one, other, _, _ in links for key in (one, other))
        lines = [memory_line(key, f"What {key} says.", title=key.upper()) for key in names]
        said = [{"from": one, "to": other, "type": kind, "confidence": sure} for one, other, kind, sure in links]
        assert self.tell(*lines, *({"memory_link": each} for each in said)) == []

    def walk(self, *anchors: str, **more: Any) -> dict[str, Any]:
        return found(self.memory, TOOL, anchor=[self.uuid(each) for each in anchors], **more)


@pytest.fixture
def web(memory: Memory, tmp_path: Path) -> Web:
    return Web(memory, tmp_path / "web.jsonl")


def scores(value: dict[str, Any]) -> list[tuple[str, float]]:
    return [(each["title"], each["score"]) for each in value["memories"]]


def test_pagerank_is_that_of_the_page(web: Web) -> None:
    web.join(("p", "q", "supports", 1.0), ("p", "r", "supports", 0.5))
    value = web.walk("p", link_types=["supports"], depth=1)
    assert scores(value) == [("Q", 0.306306), ("R", 0.153153)]
    assert value["anchors"] == [{"memory_id": web.uuid("p"), "title": "P", "score": 0.540541}]
    assert {key: value["stats"][key] for key in ("anchors", "nodes", "edges", "converged")} == {
        "anchors": 1, "nodes": 3, "edges": 2, "converged": True,
    }  # fmt: skip
    first = value["memories"][0]
    assert first["via"] == {"link_type": "supports", "confidence": 1.0, "from_id": web.uuid("p")}
    assert (first["hop"], first["kind"], first["source"], first["text"]) == (1, "memory", "memory:q", "What q says.")
    assert value["_trace"][0].startswith("traverse mode=pagerank anchors=1 nodes=3 edges=2 iter=")
    assert value["_trace"][0].endswith("converged=true")
    assert same(web.walk("p", link_types=["supports"], depth=1)) == same(value)


def test_links_among_the_outer_ones_count(web: Web) -> None:
    web.join(("p", "q", "supports", 1.0), ("p", "r", "supports", 1.0), ("q", "r", "related_to", 1.0))
    value = web.walk("p", depth=1)
    assert (value["stats"]["nodes"], value["stats"]["edges"], len(value["links"])) == (3, 3, 3)


def test_both_filters_and_the_depth_are_honoured(web: Web) -> None:
    web.join(("a", "b", "supports", 0.9), ("b", "c", "supports", 0.4), ("a", "d", "related_to", 0.9))
    assert {title for title, _ in scores(web.walk("a"))} == {"B", "C", "D"}
    assert {title for title, _ in scores(web.walk("a", depth=1))} == {"B", "D"}
    assert {title for title, _ in scores(web.walk("a", min_confidence=0.4, link_types="supports"))} == {"B", "C"}
    assert {title for title, _ in scores(web.walk("a", min_confidence=0.41))} == {"B", "D"}


def test_a_direction_counts_only_for_links_that_have_one(web: Web) -> None:
    web.join(("a", "b", "supersedes", 1.0), ("c", "a", "supersedes", 1.0), ("d", "a", "supports", 1.0))
    assert {title for title, _ in scores(web.walk("a", direction="out", mode="neighbours"))} == {"B", "D"}
    assert {title for title, _ in scores(web.walk("a", direction="in", mode="neighbours"))} == {"C", "D"}
    [older] = [each for each in web.walk("a", mode="neighbours")["memories"] if each["title"] == "B"]
    assert older["superseded_by"] == web.uuid("a")


def test_neighbours_come_by_hop_and_then_by_the_strongest_way(web: Web) -> None:
    web.join(
        ("a", "b", "supports", 0.5), ("a", "c", "supports", 0.9), ("b", "d", "supports", 1.0),
        ("c", "d", "supports", 0.5), ("c", "e", "supports", 0.6),
    )  # fmt: skip
    value = web.walk("a", mode="neighbours")
    assert [(each["title"], each["hop"], each["score"]) for each in value["memories"]] == [
        ("C", 1, 0.9), ("B", 1, 0.5), ("E", 2, 0.54), ("D", 2, 0.5),
    ]  # fmt: skip
    assert value["memories"][3]["via"]["from_id"] == web.uuid("b")
    assert (value["stats"]["iter"], value["stats"]["converged"], value["anchors"][0]["score"]) == (0, True, None)


def test_the_cheapest_path_is_shown_with_its_steps(web: Web) -> None:
    web.join(("a", "b", "supports", 1.0), ("b", "c", "related_to", 0.5), ("a", "c", "elaborates", 0.3))
    value = web.walk("a", "c", mode="shortest_path")
    assert value["paths"] == [
        {
            "from": web.uuid("a"), "to": web.uuid("c"), "found": True, "hops": 2, "cost": 3.0,
            "steps": [
                {"memory_id": web.uuid("b"), "link_type": "supports", "confidence": 1.0},
                {"memory_id": web.uuid("c"), "link_type": "related_to", "confidence": 0.5},
            ],
        }
    ]  # fmt: skip
    assert scores(value) == [("B", 0.333333)]
    assert value["depth"] == 3


def test_a_path_without_inner_memories_is_a_result(web: Web) -> None:
    web.join(("a", "b", "supports", 1.0))
    value = web.walk("a", "b", mode="shortest_path")
    assert (value["memories"], value["paths"][0]["hops"]) == ([], 1)


def test_anchors_that_nothing_joins_have_no_path(web: Web) -> None:
    web.join(("a", "b", "supports", 1.0), ("c", "d", "supports", 1.0))
    value = empty(web.memory, TOOL, "memoryNoPath", anchor=[web.uuid("a"), web.uuid("c")], mode="shortest_path")
    assert [(each["found"], each["hops"], each["cost"]) for each in value["paths"]] == [(False, None, None)]


def test_too_many_memories_fall_back_to_the_strongest_around(web: Web) -> None:
    web.join(*(("hub", f"m{number}", "supports", (number + 1) / 10) for number in range(8)))
    value = web.walk("hub", max_nodes=5)
    assert (value["stats"]["fallback"], value["stats"]["nodes"]) == ("bfs", 5)
    assert scores(value) == [("M7", 0.8), ("M6", 0.7), ("M5", 0.6), ("M4", 0.5)]
    assert "fallback=bfs" in value["_trace"][0]
    assert "fallback" not in web.walk("hub", max_nodes=9)["stats"]


def test_more_anchors_than_nodes_say_that_more_nodes_are_needed(web: Web) -> None:
    web.join(*((f"a{number}", f"b{number}", "supports", 1.0) for number in range(7)))
    anchor = [web.uuid(f"a{number}") for number in range(7)]
    value = empty(web.memory, TOOL, "memoryNoNeighbours", anchor=anchor, max_nodes=5)
    assert (value["stats"]["nodes"], value["stats"]["fallback"]) == (7, "bfs")
    assert "7 anchors fill the 5 nodes" in str(value["_hint"])
    assert value["_hint"]["next"][0]["args"]["max_nodes"] == 2000


def test_unknown_anchors_are_named_and_skipped(web: Web) -> None:
    web.join(("a", "b", "supports", 1.0))
    web.tell({"record": {"id": "n-1", "type": "note", "content": "No memory."}})
    with web.memory.read() as view:
        note = view.document_named("record", "n-1")
    assert note is not None
    value = found(web.memory, TOOL, anchors=[f"memory:{web.uuid('a')}", NOWHERE, format_uuid(note.id)])
    assert value["unknown_anchors"] == [
        {"id": NOWHERE, "reason": "not_found"},
        {"id": format_uuid(note.id), "reason": "not_a_memory"},
    ]
    assert [title for title, _ in scores(value)] == ["B"]


def test_nothing_to_start_from_and_nothing_around_are_hinted(web: Web) -> None:
    assert empty(web.memory, TOOL, "memoryUnknownAnchor", anchor=[NOWHERE])["memories"] == []
    web.join(("a", "b", "supports", 1.0))
    around = empty(web.memory, TOOL, "memoryNoNeighbours", anchor=web.uuid("a"), link_types=["precedes"])
    assert around["memories"] == []


def test_before_a_link_was_known_it_is_not_walked(web: Web) -> None:
    web.tell(memory_line("a", "One.", title="A"), memory_line("b", "Two.", title="B"))
    with web.memory.read() as view:
        before = view.last_tx
    web.tell({"memory_link": {"from": "a", "to": "b", "type": "supports"}})
    assert scores(web.walk("a")) != []
    assert ask(web.memory, TOOL, {"anchor": [web.uuid("a")], "as_of": before}).structured["memories"] == []


def test_memories_whose_sources_are_all_gone_say_so(web: Web) -> None:
    web.tell(
        {"record": {"id": "mail", "type": "email", "title": "The mail", "tier": 2}},
        memory_line("a", "One.", title="A"),
        memory_line("b", "Two.", title="B", derived_from=["mail"]),
        {"memory_link": {"from": "a", "to": "b", "type": "supports"}},
    )
    value = web.walk("a")
    assert value["all_sources_purged"] is True
    assert value["memories"][0]["source_artifact"]["purged"] is True
    assert "[mesh-tier: " in ask(web.memory, TOOL, {"anchor": [web.uuid("a")]}).texts[0]
    assert web.walk("b")["all_sources_purged"] is False


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        ({"anchor": ["the trip to Naples"]}, "ANCHOR_INVALID"),
        ({"anchor": [NOWHERE], "link_types": ["likes"]}, "LINK_TYPE_UNKNOWN"),
        ({"anchor": [NOWHERE], "mode": "shortest_path"}, "ANCHORS_TOO_FEW"),
        ({"anchor": [NOWHERE], "depth": 4}, "INVALID_ARGUMENT"),
        ({"anchor": [NOWHERE], "max_nodes": 4}, "INVALID_ARGUMENT"),
        ({"anchor": [NOWHERE], "link_types": []}, "INVALID_ARGUMENT"),
        ({}, "INVALID_ARGUMENT"),
    ],
)
def test_what_cannot_be_walked_is_refused(memory: Memory, arguments: dict[str, Any], code: str) -> None:
    refused = refusal(memory, TOOL, code, **arguments)
    if code == "LINK_TYPE_UNKNOWN":
        assert len(refused["error"]["accepted"]) == 9
