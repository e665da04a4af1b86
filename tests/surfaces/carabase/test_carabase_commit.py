"""`commit_to_folio`: one text is written once a day, in parts, with all that comes with it, or not at all."""

import json
from typing import Any

import pytest
from tests.conftest import MovingClock
from tests.support.calls import last_tx
from tests.surfaces.carabase.asking import ask, empty, found, refusal, same

from recollect.ingest.filing import write_folio_line
from recollect.keep.artifacts.filing import MAX_PART_LENGTH, split_into_parts
from recollect.memory import Memory
from recollect.surfaces.dispatch import call
from recollect.surfaces.registry import find_surface
from recollect.write.folios import find_folio
from recollect.write.undo import undo

TOOL = "commit_to_folio"
PLUMS = "Plum yield will fall by a third."


def test_a_text_is_filed_and_found_by_the_next_call(orchard: Memory) -> None:
    told = found(
        orchard, TOOL, folioName="~Orchard", content=f"  {PLUMS} ", extraMetadata={"tags": ["#yield"], "season": 26}
    )
    assert {key: told[key] for key in ("success", "folio", "created_folio", "deduplicated", "chunk_count")} == {
        "success": True,
        "folio": "Orchard",
        "created_folio": True,
        "deduplicated": False,
        "chunk_count": 1,
    }
    assert (told["committed_at"], told["date"], told["tx"]) == ("2026-05-20T10:00:00Z", "2026-05-20", 4)
    [hit] = found(orchard, "carabase_search_semantic", query="plum yield", k=1)["results"]
    assert [hit["uri"]] == told["artifact_uris"]
    shown = {key: hit[key] for key in ("kind", "source", "folio", "tags", "source_kind", "confidence", "title")}
    assert shown == {
        "kind": "commit",
        "source": "folio:Orchard",
        "folio": "Orchard",
        "tags": ["yield"],
        "source_kind": "inferred",
        "confidence": 0.6,
        "title": PLUMS,
    }
    assert hit["provenance"]["commit_id"] == told["commit_id"]
    with orchard.read() as view:
        [row] = view.rows("documents_of_kind", kind="artifact")
        assert '"season":26' in row[10]


def test_the_same_text_on_one_day_is_one_commit(orchard: Memory, clock: MovingClock) -> None:
    first = found(orchard, TOOL, folioName="Orchard", content=PLUMS)
    before = last_tx(orchard)
    again = found(orchard, "carabase_commit_to_folio", folio_name="ORCHARD", content=PLUMS, metadata={"tags": "new"})
    assert again == first | {"deduplicated": True, "created_folio": False}
    assert last_tx(orchard) == before
    clock.set("2026-05-21T00:00:00Z")
    later = found(orchard, TOOL, folioName="Orchard", content=PLUMS)
    assert (later["deduplicated"], later["commit_id"] == first["commit_id"]) == (False, False)
    keyed = [
        found(orchard, TOOL, folioName="Orchard", content=text, extraMetadata={"idempotencyKey": "run-7"})
        for text in ("One.", "Two.")
    ]
    assert [each["deduplicated"] for each in keyed] == [False, True]


def test_its_facts_are_readable_by_every_door(orchard: Memory) -> None:
    facts = [
        {"from": "Mira Olt", "predicate": "visits", "to": "Copperleaf"},
        {"from": "Mira Olt", "predicate": "likes", "to": {"literal": "plums"}, "source_kind": "extracted"},
    ]
    told = found(orchard, TOOL, folioName="Orchard", content=PLUMS, extraMetadata={"facts": facts})
    assert told["facts_written"] == 2
    tool = find_surface("pearscarf").find("get_facts")
    answer = call(tool, lambda each: orchard.as_actor("pearscarf", each.name), {"entity": "Mira Olt"})
    shown = {each["predicate"]: each["confidence"] for each in answer.structured["facts"]}
    assert (shown["visits"], shown["likes"]) == ("inferred", "stated")
    edges = found(orchard, "carabase_search_graph", start_entity="Mira Olt", edge_types="visits")["edges"]
    assert edges[0]["provenance"]["artifact_uri"] == told["artifact_uris"][0]
    assert (edges[0]["source_kind"], edges[0]["provenance"]["tool"]) == ("inferred", TOOL)


@pytest.mark.parametrize(
    ("code", "metadata", "field"),
    [
        ("FACT_INVALID", {"facts": [{"predicate": "x", "to": "Copperleaf"}]}, "extraMetadata.facts[0].from"),
        ("FACT_INVALID", {"facts": [{"from": "A", "to": "B"}]}, "extraMetadata.facts.predicate"),
        (
            "FACT_INVALID",
            {"facts": [{"from": "A", "predicate": "x", "to": "B", "valid_from": "soon"}]},
            "extraMetadata.facts.valid_from",
        ),
        ("LINK_INVALID", {"links": [{"to": "nowhere", "type": "supports"}]}, "extraMetadata.links[0].to"),
        ("LINK_INVALID", {"links": [{"to": "nowhere", "type": "likes"}]}, "extraMetadata.links[0].type"),
        ("LINK_INVALID", {"supersedes": "019e44d3-ed00-73c4-9f84-0522384cd86c"}, "extraMetadata.supersedes[0]"),
    ],
)
def test_one_bad_fact_or_link_and_nothing_is_written(
    orchard: Memory, code: str, metadata: dict[str, Any], field: str
) -> None:
    before = last_tx(orchard)
    said = refusal(orchard, TOOL, code, folioName="Fresh", content=PLUMS, extraMetadata=metadata)
    assert said["error"]["field"] == field
    assert last_tx(orchard) == before
    empty(orchard, "carabase_query_metadata", "folioUnknown", folio="Fresh")


def test_links_lead_from_the_first_part_to_memories(orchard: Memory) -> None:
    older = found(orchard, TOOL, folioName="Orchard", content="Plums are early.")["artifact_uris"][0]
    links = [{"to": older, "type": "Elaborates", "confidence": 0.7}]
    told = found(orchard, TOOL, folioName="Orchard", content=PLUMS, extraMetadata={"links": links, "supersedes": older})
    assert told["links_written"] == 2
    anchor = told["artifact_uris"][0]
    near = found(orchard, "carabase_traverse_memory_network", anchor=anchor, link_types=["elaborates", "supersedes"])
    assert [each["uri"] for each in near["memories"]] == [older]
    again = found(orchard, TOOL, folioName="Orchard", content=PLUMS)
    assert (again["deduplicated"], again["links_written"]) == (True, 2)


def test_prose_alone_makes_no_entity_unless_it_is_to_be_read(orchard: Memory) -> None:
    found(orchard, TOOL, folioName="Orchard", content="Tobias Grave founded Ironwood Mills.")
    empty(orchard, "carabase_find_entity_candidates", "candidatesNoResults", text="Ironwood Mills")
    told = found(orchard, TOOL, folioName="Orchard", content="Mira Olt came.", extraMetadata={"extract": True})
    assert told["success"]


def test_a_readme_is_no_memory(orchard: Memory) -> None:
    told = found(orchard, TOOL, folioName="Orchard", content="All about plums.", extraMetadata={"role": "readme"})
    assert (told["chunk_count"], told["artifact_uris"], told["created_folio"]) == (0, [], True)
    empty(orchard, "carabase_query_metadata", "metadataNoResults", folio="Orchard")
    said = refusal(orchard, TOOL, folioName="Orchard", content="x", extraMetadata={"role": "readme", "facts": [{}]})
    assert said["error"]["field"] == "extraMetadata.facts"


def test_undoing_a_commit_lets_it_come_again(orchard: Memory) -> None:
    first = found(orchard, TOOL, folioName="Orchard", content=PLUMS)
    with orchard.write() as change:
        undo(change, first["tx"])
    empty(orchard, "carabase_query_metadata", "folioUnknown", folio="Orchard")
    again = found(orchard, TOOL, folioName="Orchard", content=PLUMS)
    assert (again["deduplicated"], again["created_folio"]) == (False, True)


def test_a_long_text_becomes_parts_in_order(orchard: Memory) -> None:
    paragraphs = [f"Paragraph {n}. " + "Plums grow here. " * 60 for n in range(8)]
    told = found(orchard, TOOL, folioName="Long", content="\n\n".join(paragraphs), extraMetadata={"title": "Plums"})
    assert told["chunk_count"] == len(told["artifact_uris"]) > 1
    filed = found(orchard, "carabase_query_metadata", folio="Long")
    assert {each["uri"] for each in filed["results"]} == set(told["artifact_uris"])


@pytest.mark.parametrize("engine_name", ["sqlite"])
def test_parts_fill_up_and_are_cut_at_sentences(memory: Memory) -> None:
    assert memory
    text = "\n\n".join(["A sentence here. " * 250, "short", "b" * 7000, "end"])
    parts = split_into_parts(text)
    assert all(0 < len(part) <= MAX_PART_LENGTH for part in parts)
    assert parts[0].endswith(".")
    assert "".join("".join(parts).split()) == "".join(text.split())
    assert split_into_parts("one\n\ntwo") == ["one\n\ntwo"]


def test_a_line_makes_a_folio_and_sets_its_readme(memory: Memory) -> None:
    for given, changes in (
        ({"name": "Plums"}, True),
        ({"name": "plums"}, False),
        ({"name": "~Plums", "readme": "Stones."}, True),
        ({"name": "Plums", "readme": "Stones."}, False),
    ):
        with memory.write() as change:
            assert write_folio_line(change, given) is changes


def test_asked_twice_the_answer_is_the_same(orchard: Memory) -> None:
    found(orchard, TOOL, folioName="Orchard", content=PLUMS)
    asked = {"filters": {"folio": "Orchard"}}
    assert same(ask(orchard, "query_metadata", asked).structured) == same(
        ask(orchard, "query_metadata", asked).structured
    )


def test_a_single_fact_is_taken_as_a_list_of_one_and_a_list_also_as_json(orchard: Memory) -> None:
    fact = {"from": {"name": "Ilse Roth", "type": "person"}, "predicate": "prunes", "to": {"literal": "plums"}}
    for number, told in enumerate((fact, json.dumps([fact]))):
        filed = found(orchard, TOOL, folioName="Orchard", content=f"Pruned {number}.", extraMetadata={"facts": told})
        assert filed["facts_written"] == 1
    refused = refusal(orchard, TOOL, "FACT_INVALID", folioName="Orchard", content="x", extraMetadata={"facts": "pears"})
    assert refused["error"]["field"] == "extraMetadata.facts[0]"


def test_a_readme_goes_back_to_an_earlier_text_on_the_same_day(orchard: Memory) -> None:
    told = [
        found(orchard, TOOL, folioName="Orchard", content=text, extraMetadata={"role": "readme"})["deduplicated"]
        for text in ("A.", "A.", "B.", "A.", "A.")
    ]
    assert told == [False, True, False, False, True]
    with orchard.read() as view:
        folio = find_folio(view, "Orchard")
    assert folio is not None
    assert folio.readme == "A."


def test_a_link_given_twice_is_one_link(orchard: Memory) -> None:
    [to] = found(orchard, TOOL, folioName="Z", content="One.")["artifact_uris"]
    links = [{"to": to, "type": "supports"}, {"to": to, "type": "supports", "confidence": 0.4}]
    assert found(orchard, TOOL, folioName="Y", content="Two.", extraMetadata={"links": links})["links_written"] == 1


def test_one_leading_tilde_of_a_folio_is_dropped(orchard: Memory) -> None:
    assert found(orchard, TOOL, folioName="~~Odd", content="x")["folio"] == "~Odd"
    assert found(orchard, TOOL, folioName="~~odd", content="y")["created_folio"] is False
    assert found(orchard, "carabase_query_metadata", folio="~~Odd")["count"] == 2
    assert found(orchard, "carabase_search_semantic", query="x", folio="~~Odd")["count"] == 2
