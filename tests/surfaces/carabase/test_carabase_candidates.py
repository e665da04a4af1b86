"""`carabase_find_entity_candidates`: every match by its kind; hints reorder and never remove."""

import pytest
from tests.surfaces.carabase.asking import ask, edge, empty, found, note, tell

from recollect.memory import Memory
from recollect.search import name_search
from recollect.write.merge import merge

TOOL = "carabase_find_entity_candidates"


def world(memory: Memory) -> None:
    tell(
        memory,
        note("n-1", "Copper Kettle is open.", "2026-05-01T08:00:00Z", folio="Kitchen"),
        edge("Copperleaf", "near", "Copper Kettle"),
        entities=(
            {"name": "Copperleaf", "type": "project", "aliases": ["The Leaf"]},
            {"name": "Copper Kettle", "type": "organization"},
            {"name": "Old Copper", "type": "material"},
            {"name": "Scopperton", "type": "place"},
        ),
    )


def test_each_match_has_its_kind_and_score(memory: Memory) -> None:
    world(memory)
    told = found(memory, TOOL, text="copper", limit=20)
    shown = [(each["name"], each["match"], each["score"]) for each in told["candidates"]]
    assert shown == [
        ("Copper Kettle", "prefix", 0.8),
        ("Copperleaf", "prefix", 0.8),
        ("Old Copper", "prefix", 0.8),
        ("Scopperton", "substring", 0.6),
    ]
    assert (told["count"], told["total"], told["ignored_hints"]) == (4, 4, [])
    [exact] = found(memory, TOOL, text="the leaf")["candidates"]
    assert (exact["match"], exact["score"], exact["matched_alias"]) == ("alias", 0.95, "The Leaf")
    assert found(memory, TOOL, text="COPPERLEAF")["candidates"][0]["match"] == "exact"
    assert found(memory, TOOL, text="Coperleaf")["candidates"][0]["match"] == "fuzzy"
    assert found(memory, TOOL, text=exact["id"])["candidates"][0]["match"] == "exact"


INSIDE = {
    "Copperleaf": ("erle", "leaf", "opperlea", "af"),
    "Anne-Marie O'Neil": ("e-ma", "marie o", "'neil", "rie o'n", "ne m"),
    "東京の農園": ("京の", "農園", "の農"),
    "100%_sure\\x": ("0%", "%_", "0%_su", "re\\x"),
    "A/B Testing": ("a/b", "/b t", "b t", "b testing", "sting"),
    "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab": ("aaab", "a" * 30 + "b", "a" * 30),
}


def test_a_name_that_holds_a_text_twice_takes_no_place_of_another(
    memory: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = ("Camora", "Camora Damora", "Damora Camora")
    tell(memory, None, entities=tuple({"name": name, "type": "place"} for name in names))
    monkeypatch.setattr(name_search, "MAX_ROWS", len(names))
    assert sorted(each["name"] for each in found(memory, TOOL, text="amor")["candidates"]) == list(names)


def test_a_text_is_found_wherever_it_stands_in_a_name(memory: Memory) -> None:
    tell(memory, None, entities=tuple({"name": name, "type": "thing"} for name in INSIDE))
    for name, texts in INSIDE.items():
        for text in texts:
            if text in name.casefold():
                [hit] = found(memory, TOOL, text=text)["candidates"]
                assert (hit["name"], hit["match"] in ("prefix", "substring")) == (name, True), text
            else:
                assert not ask(memory, TOOL, {"text": text}).structured["candidates"], text


def test_hints_reorder_and_never_remove(memory: Memory) -> None:
    world(memory)
    plain = found(memory, TOOL, text="copper", limit=20)
    for hints in ({"type": "material"}, {"type": "concept"}, {"near_entity": "Copper Kettle"}, {"folio": "kitchen"}):
        told = found(memory, TOOL, text="copper", hints=hints, limit=20)
        assert {each["id"] for each in told["candidates"]} == {each["id"] for each in plain["candidates"]}
    first = found(memory, TOOL, text="copper", hints={"type": "material"})["candidates"][0]
    assert (first["name"], first["rank_score"], first["score"]) == ("Old Copper", 0.85, 0.8)
    assert (
        found(memory, TOOL, text="copper", hints={"near_entity": "Copper Kettle"})["candidates"][0]["name"]
        == "Copperleaf"
    )
    three = found(
        memory, TOOL, text="copperleaf", hints='{"type": "project", "folio": "Kitchen", "near_entity": "Copper Kettle"}'
    )
    assert three["candidates"][0]["rank_score"] == 1.15


def test_hints_that_cannot_be_used_are_named(memory: Memory) -> None:
    world(memory)
    told = found(
        memory, TOOL, text="copper", hints={"color": "red", "type": "nothing", "folio": "Nowhere", "near_entity": "Zzz"}
    )
    assert told["ignored_hints"] == ["color", "folio", "near_entity", "type"]


def test_a_type_is_no_hint_before_anything_was_of_it(memory: Memory) -> None:
    tell(memory, entities=({"name": "Copperleaf", "type": "project"},))
    tell(memory, entities=({"name": "Old Copper", "type": "siege"},))
    asked = {"text": "copper", "hints": {"type": "siege"}}
    assert found(memory, TOOL, **asked, as_of=1)["ignored_hints"] == ["type"]
    assert found(memory, TOOL, **asked)["ignored_hints"] == []


def test_what_is_known_of_a_candidate_comes_with_it(memory: Memory) -> None:
    world(memory)
    [leaf] = found(memory, TOOL, text="Copperleaf")["candidates"]
    assert (leaf["edge_count"], leaf["last_seen"], leaf["type"], leaf["kind"]) == (
        1,
        "2026-05-01",
        "project",
        "project",
    )
    assert leaf["context"] == [
        {
            "type": "near",
            "text": "Copperleaf near Copper Kettle",
            "other_name": "Copper Kettle",
            "source_kind": "extracted",
            "confidence": 0.9,
        }
    ]


def test_a_merged_entity_appears_as_its_survivor(memory: Memory) -> None:
    world(memory)
    with memory.write() as change:
        ids = {
            row.spelling: row.entity for folded in ("copperleaf", "old copper") for row in change.names_matching(folded)
        }
        merge(change, change.entity(ids["Old Copper"]), change.entity(ids["Copperleaf"]))  # type: ignore[arg-type]
    told = found(memory, TOOL, text="old copper")["candidates"]
    assert [(each["name"], each["matched_alias"]) for each in told] == [("Copperleaf", "Old Copper")]


def test_nothing_like_it_says_so(memory: Memory) -> None:
    world(memory)
    said = empty(memory, TOOL, "candidatesNoResults", text="quinoa")
    assert "quinoa" in said["_hint"]["text"]
    assert empty(memory, TOOL, "candidatesNoResults", text="copper", as_of=0)["total"] == 0


@pytest.mark.every_case
def test_a_name_in_a_text_counts_for_the_folio_and_for_when_it_was_last_seen(memory: Memory) -> None:
    mines = tuple({"name": name, "type": "concept"} for name in ("Copper Mine", "Copper Roof"))
    tell(memory, None, entities=mines)
    tell(memory, note("z", "about the copper mine", "2026-05-21T10:00:00Z", folio="Digs"))
    told = found(memory, TOOL, text="copper", hints={"folio": "~Digs"})["candidates"]
    shown = [(each["name"], each["rank_score"], each["last_seen"]) for each in told]
    assert shown == [("Copper Mine", 0.85, "2026-05-21"), ("Copper Roof", 0.8, None)]
