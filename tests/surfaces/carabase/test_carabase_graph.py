"""`carabase_search_graph`: no filter is passed on the way, and both clocks count."""

from tests.surfaces.carabase.asking import ask, edge, empty, found, note, refusal, tell, text_of

from recollect.memory import Memory

TOOL = "carabase_search_graph"


def types(memory: Memory, start: str, **arguments: object) -> list[str]:
    return [each["type"] for each in found(memory, TOOL, start_entity=start, **arguments)["edges"]]


def chain(memory: Memory) -> None:
    tell(
        memory,
        None,
        edge("A One", "likes", {"name": "B Two", "type": "person"}, source_kind="inferred"),
        edge("B Two", "likes", {"name": "C Three", "type": "person"}),
        edge("C Three", "likes", {"name": "D Four", "type": "person"}, confidence=0.8),
        edge("C Three", "weighs", {"literal": "80 kg"}),
        entities=tuple({"name": name, "type": "person"} for name in ("A One", "B Two", "C Three", "D Four")),
    )


def test_edges_carry_hops_directions_and_leaves(memory: Memory) -> None:
    chain(memory)
    told = found(memory, TOOL, start_entity="B Two", depth=2)
    shown = [(each["source_name"], each["target_name"], each["hop"], each["direction"]) for each in told["edges"]]
    assert shown == [
        ("B Two", "C Three", 1, "out"),
        ("A One", "B Two", 1, "in"),
        ("C Three", None, 2, "out"),
        ("C Three", "D Four", 2, "out"),
    ]
    assert told["edges"][2]["literal"] == "80 kg"
    assert [(node["name"], node["hop"]) for node in told["nodes"]] == [("A One", 1), ("C Three", 1), ("D Four", 2)]
    assert (told["count"], told["total_edges"], told["truncated"]) == (4, 4, False)


def test_a_filter_ends_the_walk(memory: Memory) -> None:
    chain(memory)
    said = empty(memory, TOOL, "graphFilteredOut", start_entity="A One", depth=2, source_kinds=["extracted"])
    assert "source_kinds 1" in said["_hint"]["text"]
    assert said["nodes"] == []
    assert len(found(memory, TOOL, start_entity="A One", depth=3)["edges"]) == 4
    empty(memory, TOOL, "graphFilteredOut", start_entity="A One", min_confidence=0.7)
    empty(memory, TOOL, "graphFilteredOut", start_entity="A One", direction="in")
    empty(memory, TOOL, "graphFilteredOut", start_entity="A One", edge_types=["hates"])
    empty(memory, TOOL, "graphFilteredOut", start_entity="A One", edge_types=["hates"], min_confidence=1)


def test_an_inferred_edge_says_so_in_the_text(memory: Memory) -> None:
    chain(memory)
    lines = text_of(memory, TOOL, start_entity="A One").split("\n")
    assert any(line.endswith("[inferred 0.60]") for line in lines)


def test_an_ended_edge_is_there_on_its_last_day_and_in_history(memory: Memory) -> None:
    tell(memory, None, edge("Ana Ruiz", "lives_in", "Oslo", valid_from="2020", valid_until="2026-05-19"))
    said = empty(memory, TOOL, "graphFilteredOut", start_entity="Ana Ruiz")
    assert "current 1" in said["_hint"]["text"]
    [then] = found(memory, TOOL, start_entity="Ana Ruiz", at_time="2026-05-19")["edges"]
    [ever] = found(memory, TOOL, start_entity="Ana Ruiz", include_history=True)["edges"]
    assert (then["current"], then["partial"], ever["current"]) == (True, False, False)
    [month] = found(memory, TOOL, start_entity="Ana Ruiz", at_time="2026-05")["edges"]
    assert (month["current"], month["partial"], month["valid_until"]) == (True, True, "2026-05-19")


def test_a_deadline_that_has_passed_is_overdue_and_stays(memory: Memory) -> None:
    tell(
        memory,
        None,
        {
            "edge_label": "ASSERTED",
            "fact_type": "commitment",
            "from": "Ana Ruiz",
            "to": "Ledger",
            "valid_until": "2026-05-01",
        },
        {"edge_label": "ASSERTED", "fact_type": "update", "from": "Ana Ruiz", "to": None, "fact": "Ana moved"},
    )
    told = {each["fact_type"]: each for each in found(memory, TOOL, start_entity="Ana Ruiz")["edges"]}
    assert (told["commitment"]["overdue"], told["commitment"]["current"]) == (True, True)
    assert (told["update"]["day"], told["update"]["target_id"], told["update"]["overdue"]) == (
        "2026-05-20",
        None,
        False,
    )


def test_a_name_of_two_types_is_ambiguous_until_a_type_settles_it(memory: Memory) -> None:
    for type_ in ("person", "project"):
        tell(memory, None, edge({"name": "Mercury", "type": type_}, "near", {"name": f"Sun {type_}", "type": "place"}))
    said = empty(memory, TOOL, "graphAmbiguousEntity", start_entity="mercury")
    assert said["resolution"] == {"method": "ambiguous", "score": 1.0}
    assert {each["type"] for each in said["candidates"]} == {"person", "project"}
    assert all(f"({each})" in said["_hint"]["text"] for each in ("person", "project"))
    told = found(memory, TOOL, start_entity="Mercury", start_type="project")
    assert (told["entity"]["kind"], told["edges"][0]["target_name"], told["candidates"]) == (
        "project",
        "Sun project",
        [],
    )
    other = empty(memory, TOOL, "graphUnknownEntity", start_entity="Mercury", start_type="event")
    assert other["_hint"]["text"].startswith('No entity named "Mercury" is of that type. ')


def test_an_unknown_name_gives_candidates_or_says_there_are_none(orchard: Memory) -> None:
    said = empty(orchard, TOOL, "graphUnknownEntity", start_entity="Brindle Meats and Cheese")
    assert said["entity"] is None
    assert [each["name"] for each in said["candidates"]] == ["Brindle Foods"]
    assert "Brindle Foods" in said["_hint"]["text"]
    assert "no candidates" in empty(orchard, TOOL, "graphUnknownEntity", start_entity="Xyzzy")["_hint"]["text"]


def test_an_entity_without_edges_says_so(memory: Memory) -> None:
    tell(memory, None, entities=({"name": "Lone Pine", "type": "place", "metadata": {"description": "a tree"}},))
    said = empty(memory, TOOL, "graphNoEdges", start_entity="Lone Pine")
    assert (said["entity"]["type"], said["entity"]["kind"], said["entity"]["summary"]) == ("concept", "place", "a tree")
    assert "Lone Pine" in said["_hint"]["text"]


def test_what_is_cut_is_counted_in_a_trace(memory: Memory) -> None:
    tell(memory, None, *(edge("Hub Node", f"p{n}", {"literal": str(n)}, confidence=n / 10) for n in range(1, 8)))
    answer = ask(memory, TOOL, {"start_entity": "Hub Node", "limit": 3})
    told = answer.structured
    assert (told["count"], told["total_edges"], told["truncated"], told["_hint"]) == (3, 7, True, None)
    assert [each["confidence"] for each in told["edges"]] == [0.7, 0.6, 0.5]
    assert "4 left out" in told["_trace"][0]


def test_a_symmetric_fact_is_one_edge_and_goes_both_ways(memory: Memory) -> None:
    tell(memory, None, edge({"name": "Ada", "type": "person"}, "sibling_of", {"name": "Ben", "type": "person"}))
    for name in ("Ada", "Ben"):
        for way in ("both", "out", "in"):
            assert types(memory, name, direction=way) == ["sibling_of"]


def test_an_earlier_moment_does_not_know_what_came_later(orchard: Memory) -> None:
    assert types(orchard, "Brindle Foods", as_of=1) == ["supplies"]
    assert sorted(types(orchard, "Brindle Foods")) == ["supplies", "works_with"]
    said = empty(orchard, TOOL, "graphUnknownEntity", start_entity="Mira Olt", as_of="2020-01-01")
    assert said["candidates"] == []


def test_i_and_we_mean_those_who_have_the_role(memory: Memory) -> None:
    tell(
        memory,
        None,
        edge("Ana Ruiz", "works_at", "Hillside"),
        entities=(
            {"name": "Ana Ruiz", "type": "person", "metadata": {"concept_role": "self"}},
            {"name": "Hillside", "type": "organization", "metadata": {"concept_role": "primary_org"}},
        ),
    )
    assert found(memory, TOOL, start_entity="I")["entity"]["name"] == "Ana Ruiz"
    told = found(memory, TOOL, start_entity="us")["entity"]
    assert (told["name"], told["concept_role"]) == ("Hillside", "primary_org")


def test_an_edge_leads_to_its_source(memory: Memory) -> None:
    tell(memory, note("n-1", "Ana knows Ben."), edge("Ana", "knows", "Ben", quote="Ana knows Ben"))
    [shown] = found(memory, TOOL, start_entity="Ana")["edges"]
    origin = shown["provenance"]
    assert (origin["record_id"], origin["quote"], origin["assertions"], origin["tx"]) == ("n-1", "Ana knows Ben", 1, 1)
    assert origin["artifact_uri"].startswith("carabase://artifact/")


def test_a_depth_out_of_range_lists_what_is_accepted(orchard: Memory) -> None:
    said = refusal(orchard, TOOL, start_entity="Copperleaf", depth=9)
    assert said["error"] == {
        "code": "INVALID_ARGUMENT",
        "message": "depth must be 1..3",
        "field": "depth",
        "accepted": [1, 2, 3],
    }
    assert said["_trace"] == ["validate depth=9 → refused"]
    kinds = refusal(orchard, TOOL, start_entity="Copperleaf", source_kinds=["x"])["error"]["accepted"]
    assert kinds == ["extracted", "inferred", "ambiguous"]
