"""Listing memories and finding exact words in them."""

from typing import Any

import pytest

from recollect.write.undo import undo
from tests.surfaces.entity_core.asking import Entity


def create(entity: Entity, granularity: str, date: str, content: str, instance: str = "psy-desk", **more: Any) -> str:
    made = entity.ok("memory_create", granularity=granularity, date=date, content=content, instanceId=instance, **more)
    return str(made["memoryId"])


@pytest.fixture
def year(entity: Entity) -> Entity:
    create(entity, "yearly", "2025", "# 2025")
    create(entity, "monthly", "2026-04", "# April")
    create(entity, "weekly", "2026-W18", "# Week 18")
    create(entity, "daily", "2026-04-30", "- late april")
    create(entity, "daily", "2026-05-03", "- sunday", "st-attic")
    create(entity, "significant", "2026-05-03", "# Met")
    create(entity, "daily", "2026-05-03", "- sunday")
    return entity


def ids(entity: Entity, **asked: Any) -> list[str]:
    return [row["id"] for row in entity.ok("memory_list", **asked)["memories"]]


def test_memories_are_listed_by_the_end_of_their_period(year: Entity) -> None:
    assert ids(year) == [
        "daily-2026-05-03_psy-desk",
        "daily-2026-05-03_st-attic",
        "significant-2026-05-03_met",
        "weekly-2026-W18",
        "daily-2026-04-30_psy-desk",
        "monthly-2026-04",
        "yearly-2025",
    ]
    assert ids(year, as_of=7) == ids(year) == ids(year, includeDeleted=True)


@pytest.mark.parametrize("as_of", [None, 7])
def test_a_range_of_days_takes_what_overlaps_it(year: Entity, as_of: int | None) -> None:
    def found(**asked: Any) -> list[str]:
        return ids(year, **asked, as_of=as_of)

    assert found(granularity="daily", instanceId="st-attic") == ["daily-2026-05-03_st-attic"]
    assert found(afterDate="2026-05-04") == []
    assert found(granularity="weekly", afterDate="2026-05-03") == ["weekly-2026-W18"]
    assert found(granularity="weekly", beforeDate="2026-04-26") == []
    assert found(granularity="weekly", beforeDate="2026-04-27") == ["weekly-2026-W18"]
    assert found(granularity="monthly", afterDate="2026-04-30", beforeDate="2026-04-30") == ["monthly-2026-04"]
    assert found(granularity="monthly", afterDate="2026-05-01") == []
    assert found(beforeDate="2025-01-01") == ["yearly-2025"]
    assert found(granularity="yearly", afterDate="2026-01-01") == []


def test_pages_say_how_many_there_are_in_all(year: Entity) -> None:
    page = year.ok("memory_list", limit=2, offset=5)
    assert ([row["id"] for row in page["memories"]], page["total"]) == (["monthly-2026-04", "yearly-2025"], 7)
    assert year.ok("memory_list", offset=50) == {"memories": [], "total": 7}


def test_a_row_shows_the_beginning_of_the_text(entity: Entity) -> None:
    create(entity, "daily", "2026-05-12", "# Day\n\n" + "x" * 200)
    assert entity.ok("memory_list") == {
        "memories": [
            {
                "id": "daily-2026-05-12_psy-desk",
                "granularity": "daily",
                "date": "2026-05-12",
                "preview": ("# Day\n\n" + "x" * 200)[:100],
                "sourceInstance": "psy-desk",
                "title": "Day",
                "version": 1,
                "updatedAt": "2026-05-14T09:30:00.000Z",
                "stale": False,
            }
        ],
        "total": 1,
    }


@pytest.mark.parametrize(
    "asked",
    [
        {"limit": 0},
        {"limit": 101},
        {"limit": "20"},
        {"limit": True},
        {"limit": 10.5},
        {"offset": -1},
        {"afterDate": "2026-05-02", "beforeDate": "2026-05-01"},
        {"afterDate": "2026-02-30"},
        {"afterDate": "2026-W20"},
        {"granularity": "hourly"},
        {"includeDeleted": 1},
    ],
)
def test_bad_questions_are_refused(entity: Entity, asked: dict[str, Any]) -> None:
    entity.assert_fails("memory_list", "invalid_input", **asked)


def test_a_whole_number_may_be_written_with_a_point(entity: Entity) -> None:
    assert entity.ok("memory_list", limit=10.0, offset=0.0)["total"] == 0


def test_the_list_follows_an_undone_transaction(year: Entity) -> None:
    with year.memory.write() as change:
        undo(change, 7)
    assert "daily-2026-05-03_psy-desk" not in ids(year)
    assert year.ok("memory_grep", query="sunday")["totalScanned"] == 6


def test_memories_of_a_bundle_are_not_seen_here(entity: Entity) -> None:
    from tests.support.facts import tell

    tell(entity.memory, id="m1", type="memory", content="kiln")
    assert entity.ok("memory_list")["total"] == 0
    assert entity.ok("memory_grep", query="kiln") == {"results": [], "totalScanned": 0}


def test_another_workspace_sees_nothing(year: Entity) -> None:
    from recollect.memory import create_workspace

    other = create_workspace(year.memory.engine, "other", year.clock)
    assert ids(Entity(year.memory.for_workspace(other), year.clock)) == []


KILN = "# Daily Memory - 2026-05-12\n\n- Noor fired the first kiln load [chat:c7] [via:psy-desk]"


def test_exact_words_are_found_with_their_surroundings(entity: Entity) -> None:
    create(entity, "daily", "2026-05-12", KILN)
    assert entity.ok("memory_grep", query='"kiln load" glaze') == {
        "results": [
            {
                "id": "daily-2026-05-12_psy-desk",
                "granularity": "daily",
                "date": "2026-05-12",
                "title": "Daily Memory - 2026-05-12",
                "score": 0.5,
                "context": KILN,
                "sourceInstance": "psy-desk",
                "matched": ["kiln load"],
            }
        ],
        "totalScanned": 1,
    }


@pytest.mark.parametrize("as_of", [None, 5])
def test_any_script_is_found(entity: Entity, as_of: int | None) -> None:
    create(entity, "daily", "2026-05-01", "- Обжиг печи, the end", "a")
    create(entity, "daily", "2026-05-02", "- κεραμική τέχνη", "a")
    create(entity, "daily", "2026-05-03", "- 今日は窯を開けた", "a")
    create(entity, "daily", "2026-05-04", "- أطلقنا الفرن اليوم", "a")
    create(entity, "significant", "2026-05-05", "# Straße\n\nline one\nline two", "a", slug="road")
    expected = {
        "обжиг": ["daily-2026-05-01_a"],
        "ΚΕΡΑΜΙΚΉ": ["daily-2026-05-02_a"],
        "窯を": ["daily-2026-05-03_a"],
        "الفرن": ["daily-2026-05-04_a"],
        "STRASSE": ["significant-2026-05-05_road"],
        '"line one line"': ["significant-2026-05-05_road"],
        "the": ["daily-2026-05-01_a"],
        "?!": [],
        '""': [],
    }
    answers = {query: entity.ok("memory_grep", query=query, as_of=as_of) for query in expected}
    assert {query: [hit["id"] for hit in said["results"]] for query, said in answers.items()} == expected
    assert {said["totalScanned"] for said in answers.values()} == {5}


def test_a_word_is_one_term_with_its_vowel_signs(entity: Entity) -> None:
    create(entity, "daily", "2026-05-01", "- ฉันไปซื้อผักที่ตลาด", "a")
    create(entity, "daily", "2026-05-02", "- ผมอยากนอน", "a")
    [hit] = entity.ok("memory_grep", query="ผัก")["results"]
    assert (hit["date"], hit["matched"]) == ("2026-05-01", ["ผัก"])


def test_matches_are_ordered_by_share_then_by_period(entity: Entity) -> None:
    create(entity, "daily", "2026-05-01", "- kiln glaze", "a")
    create(entity, "daily", "2026-05-03", "- kiln", "a")
    create(entity, "daily", "2026-05-02", "- kiln", "a")
    said = entity.ok("memory_grep", query="kiln glaze", maxResults=2)
    assert [(hit["date"], hit["score"]) for hit in said["results"]] == [("2026-05-01", 1.0), ("2026-05-03", 0.5)]
    assert entity.ok("memory_grep", query="kiln", afterDate="2026-05-02", granularity=["daily"])["totalScanned"] == 2


def test_the_context_is_cut_on_both_sides(entity: Entity) -> None:
    create(entity, "daily", "2026-05-01", "a" * 300 + " Kiln\n" + "b" * 300, "a")
    [hit] = entity.ok("memory_grep", query="kiln")["results"]
    assert hit["context"] == "…" + "a" * 149 + " Kiln\n" + "b" * 149 + "…"
    assert hit["title"] == "2026-05-01"


ATTIC_DAY = "daily-2026-05-12_st-attic"


@pytest.mark.parametrize(
    "other",
    [{"granularity": "yearly"}, {"date": "2026-05-11"}, {"granularity": "weekly", "date": "2026-W20"}, {"slug": "s"}],
)
def test_an_id_that_disagrees_with_what_is_also_given_finds_nothing(entity: Entity, other: dict[str, Any]) -> None:
    create(entity, "daily", "2026-05-12", "- b", "st-attic")
    edit: dict[str, Any] = {"content": "- other"}
    for tool, more in (("memory_read", {}), ("memory_update", edit), ("memory_delete", {})):
        entity.assert_fails(tool, "not_found", id=ATTIC_DAY, **other, **more)
    assert entity.ok("memory_read", id=ATTIC_DAY)["memory"]["content"] == "- b"


@pytest.mark.parametrize(
    "agreeing", [{"date": "2026-05-12"}, {"date": "2026-05-12_st-attic"}, {"granularity": "daily"}]
)
def test_an_id_may_come_with_what_agrees(entity: Entity, agreeing: dict[str, str]) -> None:
    create(entity, "daily", "2026-05-12", "- b", "st-attic")
    assert entity.ok("memory_read", id=ATTIC_DAY, **agreeing)["memory"]["id"] == ATTIC_DAY
