"""`carabase_query_metadata`: who, where and when, all of it before anything is ordered."""

import pytest
from tests.conftest import MovingClock
from tests.surfaces.carabase.asking import edge, empty, found, note, refusal, tell

from recollect.keep.artifacts.artifact import index_artifacts
from recollect.memory import Memory
from recollect.surfaces.dispatch import call
from recollect.surfaces.registry import find_surface
from recollect.write.retract import retract_document

TOOL = "carabase_query_metadata"


def sources(memory: Memory, **arguments: object) -> list[str]:
    return [each["source"] for each in found(memory, TOOL, **arguments)["results"]]


def remember(memory: Memory, granularity: str, date: str, content: str) -> None:
    tool = find_surface("entity-core").find("memory_create")
    arguments = {"granularity": granularity, "date": date, "content": content, "instanceId": "desk"}
    answer = call(tool, lambda each: memory.as_actor("entity-core", each.name), arguments)
    assert answer.outcome == "ok", answer.structured


@pytest.fixture
def filed(orchard: Memory) -> Memory:
    tell(
        orchard,
        note("f-1", "Grafting wax ordered.", "2026-05-19T22:30:00Z", folio="~Orchard Work", tags=["#Graft", "buy"]),
    )
    tell(orchard, note("f-2", "Wax came.", "2026-05-19T07:00:00Z", folio="orchard work", tags="graft"))
    return orchard


def test_each_filter_alone_and_all_together(filed: Memory) -> None:
    assert sources(filed, folio="ORCHARD WORK") == ["note:f-1", "note:f-2"]
    assert sources(filed, tags=["graft"]) == ["note:f-1", "note:f-2"]
    assert sources(filed, tags=["graft", "#BUY"]) == ["note:f-1"]
    assert sources(filed, source="note:N-17") == ["note:n-17"]
    assert len(sources(filed, source="Note")) == 5
    assert sources(filed, entity_name="Brindle") == ["note:n-18", "note:n-17"]
    assert sources(filed, entity_name="Copperleaf", date_from="2026-05") == ["note:n-18"]
    assert sources(
        filed, kinds=["record"], tags="graft", source="note", folio="Orchard Work", date_to="2026-05-19"
    ) == [
        "note:f-1",
        "note:f-2",
    ]


def test_the_answer_says_what_it_understood(filed: Memory) -> None:
    told = found(filed, TOOL, filters={"folio": "~ORCHARD work", "entity": None, "date_from": "2026-05"})
    assert told["filters"] == {"folio": "Orchard Work", "date_from": "2026-05"}
    folio_id = told["results"][0]["folio_id"]
    assert (told["results"][0]["folio"], told["results"][0]["tags"]) == ("Orchard Work", ["Graft", "buy"])
    assert found(filed, TOOL, folio_id=folio_id)["filters"] == {"folio_id": folio_id, "folio": "Orchard Work"}
    assert found(filed, TOOL, entity="brindle")["filters"] == {"entity_name": "Brindle Foods"}


def test_results_name_whom_they_mention(filed: Memory) -> None:
    by_source = {each["source"]: each["entities"] for each in found(filed, TOOL, kinds="record")["results"]}
    assert by_source["note:n-17"] == ["Brindle Foods", "Copperleaf"]
    assert by_source["note:n-18"] == ["Brindle Foods", "Copperleaf", "Mira Olt"]
    assert by_source["note:n-19"] == []


def test_pages_follow_each_other(filed: Memory) -> None:
    first = found(filed, TOOL, kinds="record", limit=2)
    assert (first["count"], first["total"], first["truncated"]) == (2, 5, True)
    rest = found(filed, TOOL, filters={"kinds": "record", "offset": 2, "limit": 100})
    assert (rest["count"], rest["total"], rest["truncated"]) == (3, 5, False)
    assert not {each["uri"] for each in first["results"]} & {each["uri"] for each in rest["results"]}
    beyond = empty(filed, TOOL, "metadataNoResults", kinds="record", offset=5)
    assert (beyond["total"], beyond["truncated"]) == (5, False)


def test_a_memory_counts_for_its_whole_period(memory: Memory) -> None:
    remember(memory, "weekly", "2026-W11", "# Week\n\nWhat a week.")
    remember(memory, "daily", "2026-03-14", "# Day\n\n- A bullet.")
    assert sources(memory, date_from="2026-03-15", date_to="2026-03-15") == ["memory:weekly-2026-W11"]
    assert sources(memory, date_from="2026-03-14", date_to="2026-03-14") == [
        "memory:weekly-2026-W11",
        "daily-note:2026-03-14",
    ]
    assert sources(memory, date_from="2026-W11", date_to="2026-W11", source="daily-note") == ["daily-note:2026-03-14"]
    [week] = found(memory, TOOL, source="memory")["results"]
    assert (week["kind"], week["date"], week["title"]) == ("memory", "2026-W11", "Week")


def test_the_day_is_the_one_of_the_workspace(memory: Memory) -> None:
    with memory.write() as change:
        change.put_setting("timezone", "Asia/Tokyo")
    tell(memory, note("late", "Late.", "2026-05-19T22:30:00Z"))
    assert sources(memory, date_from="2026-05-20", date_to="2026-05-20") == ["note:late"]
    empty(memory, TOOL, "metadataNoResults", date_from="2026-05-19", date_to="2026-05-19")
    with memory.write() as change:
        change.put_setting("timezone", "UTC")
    assert sources(memory, date_from="2026-05-19", date_to="2026-05-19") == ["note:late"]


def test_the_other_date_is_when_it_came_in(filed: Memory, clock: MovingClock) -> None:
    clock.set("2026-06-01T10:00:00Z")
    tell(filed, note("old", "An old letter.", "1999-01-01T00:00:00Z"))
    assert sources(filed, date_from="2026-06", date_field="recorded") == ["note:old"]
    assert sources(filed, date_to="1999", date_field="source") == ["note:old"]


def test_nothing_filed_so_names_the_filter_to_drop(filed: Memory) -> None:
    said = empty(filed, TOOL, "metadataNoResults", tags=["graft"], date_from="2030")
    assert "date_from" in said["_hint"]["text"]
    assert said["_hint"]["next"][0]["args"] == {"filters": {"tags": ["graft"]}}
    empty(filed, TOOL, "metadataNoResults", tags=["no-such"])
    empty(filed, TOOL, "metadataNoResults", date_from="2030")


def test_an_unknown_folio_and_an_unknown_name_say_what_is_near(filed: Memory) -> None:
    said = empty(filed, TOOL, "folioUnknown", folio="Orchard Rest", tags="graft")
    assert "Orchard Work" in said["_hint"]["text"]
    said = empty(filed, TOOL, "graphUnknownEntity", filters={"entity_name": "Copperleaf Nursery"})
    assert [each["name"] for each in said["candidates"]] == ["Copperleaf"]


def test_a_name_of_several_finds_what_mentions_any(memory: Memory) -> None:
    tell(memory, note("a", "One."), edge({"name": "Mercury", "type": "planet"}, "is", {"literal": "hot"}))
    tell(memory, note("b", "Two."), edge({"name": "Mercury", "type": "project"}, "is", {"literal": "late"}))
    told = found(memory, TOOL, entity_name="Mercury")
    assert sorted(each["source"] for each in told["results"]) == ["note:a", "note:b"]
    assert {each["kind"] for each in told["candidates"]} == {"planet", "project"}


def test_without_a_filter_or_with_a_reversed_range_it_is_refused(filed: Memory) -> None:
    assert refusal(filed, TOOL, "FILTERS_REQUIRED", limit=3)["error"]["field"] == "filters"
    assert refusal(filed, TOOL, "FILTERS_REQUIRED", filters={"date_field": "recorded"})["error"]["accepted"]
    refusal(filed, TOOL, "INVALID_RANGE", date_from="2026-06", date_to="2026-05")


def test_an_earlier_moment_does_not_know_what_came_later(filed: Memory) -> None:
    assert sources(filed, kinds="record", as_of=1) == ["note:n-17"]
    assert empty(filed, TOOL, "metadataNoResults", kinds="record", as_of=0)["total"] == 0
    with filed.write() as change:
        document = change.document_named("record", "n-17")
        assert document is not None
        retract_document(change, document, "removed")
    assert "note:n-17" not in sources(filed, kinds="record")
    assert sources(filed, kinds="record", as_of=1) == ["note:n-17"]


def test_documents_from_before_there_was_an_index_are_found(filed: Memory) -> None:
    with filed.write() as change:
        change.connection.run(
            "indexed_put", {"ws": change.ws, "part": "artifacts", "upto": 0, "chunks": 0, "characters": 0}
        )
    before = found(filed, TOOL, kinds="record")
    with filed.write() as change:
        index_artifacts(change)
    assert found(filed, TOOL, kinds="record") == before


def test_of_two_names_for_a_folio_the_one_that_none_has_is_named(orchard: Memory) -> None:
    found(orchard, "commit_to_folio", folioName="Orchard", content="Plums.")
    text = empty(orchard, TOOL, "folioUnknown", folio_id="orchard", folio="Vineyard")["_hint"]["text"]
    assert '"Vineyard"' in text
    assert "rchard" not in text


def test_an_unknown_filter_is_refused_with_those_there_are(orchard: Memory) -> None:
    refused = refusal(orchard, TOOL, "INVALID_ARGUMENT", filters={"colour": "red"})["error"]
    assert refused["field"] == "filters.colour"
    assert {"entity_name", "limit"} <= set(refused["accepted"])
    assert not {"filters", "as_of"} & set(refused["accepted"])
