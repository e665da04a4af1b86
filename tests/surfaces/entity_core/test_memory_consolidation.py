"""Summaries: of closed periods only, the same every time, redone when late sources come."""

from typing import Any

import pytest

from tests.surfaces.entity_core.asking import Entity


def day(entity: Entity, date: str, content: str, instance: str = "psy-desk") -> dict[str, Any]:
    return entity.ok("memory_create", granularity="daily", date=date, content=content, instanceId=instance)


def items(entity: Entity, **asked: Any) -> list[tuple[str, str]]:
    """What a run did: a date and the action, or the error."""
    said = entity.ask("memory_consolidate", **asked)
    assert said["success"] is all(item["success"] for item in said["consolidations"])
    return [(item["dateStr"], item.get("action") or item["error"]) for item in said["consolidations"]]


def read(entity: Entity, id_: str, **more: Any) -> dict[str, Any]:
    found: dict[str, Any] = entity.ok("memory_read", id=id_, **more)["memory"]
    return found


def test_a_week_is_made_of_its_days_of_all_instances(entity: Entity) -> None:
    day(entity, "2026-05-04", "# Day\n\n- fired the kiln [chat:c1] [via:psy-desk]\n- slept\n")
    day(entity, "2026-05-10", "- opened it [chat:c2]\n- slept", "st-attic")
    day(entity, "2026-05-11", "- next week")
    said = entity.ok("memory_consolidate", granularity="weekly", targetDate="2026-W19")
    [item] = said["consolidations"]
    assert item == {
        "granularity": "weekly",
        "dateStr": "2026-W19",
        "success": True,
        "action": "created",
        "method": "extractive",
        "memoryId": "weekly-2026-W19",
        "version": 1,
        "sources": ["daily-2026-05-04_psy-desk", "daily-2026-05-10_st-attic"],
        "tx": 4,
    }
    made = read(entity, "weekly-2026-W19")
    assert made["content"] == ("# Weekly Memory - 2026-W19\n\n- fired the kiln [via:psy-desk]\n- slept\n- opened it\n")
    assert (made["sourceInstance"], made["participatingInstances"]) == ("entity-core", ["psy-desk", "st-attic"])
    assert made["summary"] == {"method": "extractive", "sources": item["sources"], "stale": False}


def test_an_open_period_is_never_summed_up(entity: Entity) -> None:
    day(entity, "2026-05-13", "- today is the 14th")
    assert items(entity, granularity="weekly", targetDate="2026-05-13") == [("2026-W20", "period_open")]
    assert items(entity, all=True) == []
    entity.at("2026-05-17T23:59:59Z")
    assert items(entity, all=True) == []
    entity.at("2026-05-18T00:00:00Z")
    assert items(entity, all=True) == [("2026-W20", "created")]


def test_a_period_ends_in_the_zone_of_the_workspace(entity: Entity) -> None:
    with entity.memory.write() as change:
        change.put_setting("timezone", "America/Los_Angeles")
    day(entity, "2026-05-13", "- a")
    entity.at("2026-05-18T06:59:00Z")
    assert items(entity, all=True) == []
    entity.at("2026-05-18T07:00:00Z")
    assert items(entity, all=True) == [("2026-W20", "created")]


def test_each_day_counts_in_its_own_week_month_and_year(entity: Entity) -> None:
    day(entity, "2025-12-31", "- last of the year")
    day(entity, "2026-01-01", "- first of the year")
    day(entity, "2026-01-07", "- inside a week of january")
    day(entity, "2026-01-31", "- last of january")
    day(entity, "2026-02-01", "- first of february")
    entity.at("2027-01-05T00:00:00Z")
    assert items(entity, granularity="yearly") == [
        ("2025-12", "created"),
        ("2025", "created"),
        ("2026-W02", "created"),
        ("2026-01", "created"),
        ("2026-02", "created"),
        ("2026", "created"),
    ]
    assert read(entity, "monthly-2026-01")["summary"]["sources"] == [
        "daily-2026-01-01_psy-desk",
        "weekly-2026-W02",
        "daily-2026-01-31_psy-desk",
    ]
    assert read(entity, "yearly-2026")["content"] == (
        "# Yearly Memory - 2026\n\n- first of the year\n- inside a week of january\n- last of january\n"
        "- first of february\n"
    )
    assert read(entity, "yearly-2025")["summary"]["sources"] == ["monthly-2025-12"]
    assert items(entity, all=True) == [("2026-W01", "created"), ("2026-W05", "created")]
    assert items(entity, all=True) == []


def test_all_goes_from_weeks_to_years_oldest_first(entity: Entity) -> None:
    day(entity, "2025-03-12", "- a")
    day(entity, "2025-03-05", "- b")
    entity.at("2026-01-01T00:00:00Z")
    said = entity.ok("memory_consolidate", all=True)
    assert [item["memoryId"] for item in said["consolidations"]] == [
        "weekly-2025-W10",
        "weekly-2025-W11",
        "monthly-2025-03",
        "yearly-2025",
    ]
    assert entity.tx == 6


def test_a_late_source_makes_everything_above_stale_and_the_next_run_redoes_it(entity: Entity) -> None:
    day(entity, "2025-03-05", "- a")
    entity.at("2026-01-01T00:00:00Z").ok("memory_consolidate", all=True)
    day(entity, "2025-03-06", "- late")
    stale = [row["id"] for row in entity.ok("memory_list")["memories"] if row["stale"]]
    assert stale == ["yearly-2025", "monthly-2025-03", "weekly-2025-W10"]
    assert items(entity, granularity="yearly", targetDate="2025") == [
        ("2025-W10", "redone"),
        ("2025-03", "redone"),
        ("2025", "redone"),
    ]
    assert read(entity, "yearly-2025")["version"] == 2
    assert read(entity, "yearly-2025")["content"].endswith("- a\n- late\n")
    assert items(entity, granularity="yearly", targetDate="2025-07-01") == [("2025", "unchanged")]


@pytest.mark.parametrize("how", ["update", "delete", "restore"])
def test_changing_deleting_and_restoring_a_source_make_the_summary_stale(entity: Entity, how: str) -> None:
    day(entity, "2026-05-04", "- a")
    day(entity, "2026-05-05", "- b")
    snapshot = entity.ok("memory_delete", id="daily-2026-05-05_psy-desk")["snapshotId"] if how == "restore" else None
    entity.ok("memory_consolidate", all=True)
    made = entity.tx
    assert read(entity, "weekly-2026-W19")["summary"]["stale"] is False
    if how == "update":
        entity.ok("memory_update", id="daily-2026-05-05_psy-desk", content="- c")
    elif how == "delete":
        entity.ok("memory_delete", id="daily-2026-05-05_psy-desk")
    else:
        entity.ok("snapshot_restore", snapshotId=snapshot)
    assert read(entity, "weekly-2026-W19")["summary"]["stale"] is True
    assert read(entity, "weekly-2026-W19", as_of=made)["summary"]["stale"] is False
    assert items(entity, all=True) == [("2026-W19", "redone")]
    assert read(entity, "weekly-2026-W19")["summary"]["stale"] is False


def test_a_summary_whose_sources_are_gone_stays_stale(entity: Entity) -> None:
    day(entity, "2026-05-04", "- a")
    entity.ok("memory_consolidate", all=True)
    entity.ok("memory_delete", id="daily-2026-05-04_psy-desk")
    assert items(entity, all=True) == []
    assert items(entity, granularity="weekly", targetDate="2026-W19") == [("2026-W19", "no_sources")]
    assert read(entity, "weekly-2026-W19")["summary"]["stale"] is True


def test_a_summary_written_by_hand_is_redone_only_when_forced(entity: Entity) -> None:
    entity.ok("memory_create", granularity="weekly", date="2026-W19", content="# Mine", instanceId="a")
    assert read(entity, "weekly-2026-W19")["summary"] == {"method": "hand", "sources": [], "stale": False}
    assert items(entity, granularity="weekly", targetDate="2026-W19") == [("2026-W19", "unchanged")]
    day(entity, "2026-05-04", "- a")
    assert read(entity, "weekly-2026-W19")["summary"]["stale"] is True
    assert items(entity, granularity="weekly", targetDate="2026-W19") == [("2026-W19", "written_by_hand")]
    assert read(entity, "weekly-2026-W19")["content"] == "# Mine"
    assert items(entity, granularity="weekly", targetDate="2026-W19", force=True) == [("2026-W19", "redone")]
    assert read(entity, "weekly-2026-W19")["summary"]["method"] == "extractive"
    entity.ok("memory_update", id="weekly-2026-W19", content="# Mine again")
    assert read(entity, "weekly-2026-W19")["summary"]["method"] == "hand"


def test_a_stale_lower_summary_by_hand_is_used_as_it_is(entity: Entity) -> None:
    entity.ok("memory_create", granularity="weekly", date="2026-W16", content="- my week", instanceId="a")
    day(entity, "2026-04-15", "- a day")
    assert items(entity, granularity="monthly", targetDate="2026-04") == [("2026-04", "created")]
    assert read(entity, "monthly-2026-04")["content"] == "# Monthly Memory - 2026-04\n\n- my week\n"
    assert read(entity, "monthly-2026-04")["summary"]["stale"] is False


def test_redoing_by_force_what_comes_out_the_same_changes_nothing(entity: Entity) -> None:
    day(entity, "2026-05-04", "- a")
    entity.ok("memory_consolidate", all=True)
    before = entity.tx
    assert items(entity, granularity="weekly", force=True) == [("2026-W19", "unchanged")]
    assert entity.tx == before


def test_of_many_bullets_the_most_telling_stay_and_one_of_each_source(entity: Entity) -> None:
    day(entity, "2026-05-04", "".join(f"- kiln load number {count}\n" for count in range(30)))
    day(entity, "2026-05-05", "- something else entirely")
    day(entity, "2026-05-06", "A quiet day. We read.")
    entity.ok("memory_consolidate", all=True)
    text = read(entity, "weekly-2026-W19")["content"]
    bullets = text.splitlines()[2:]
    assert len(bullets) == 12
    assert "- something else entirely" in bullets
    assert sum(line in ("- A quiet day.", "- We read.") for line in bullets) >= 1
    entity.ok("memory_delete", id="weekly-2026-W19")
    entity.ok("memory_consolidate", all=True)
    assert read(entity, "weekly-2026-W19")["content"] == text


def test_significant_memories_take_no_part(entity: Entity) -> None:
    entity.ok("memory_create", granularity="significant", date="2026-05-04", content="# Met", instanceId="a")
    assert items(entity, all=True) == []
    assert items(entity, granularity="weekly", targetDate="2026-W19") == [("2026-W19", "no_sources")]


@pytest.mark.parametrize(
    "asked",
    [
        {},
        {"targetDate": "2026-W19"},
        {"all": True, "granularity": "weekly"},
        {"granularity": "daily"},
        {"granularity": "weekly", "targetDate": "2025-W53"},
        {"granularity": "monthly", "targetDate": "2026-W19"},
        {"all": "true"},
    ],
)
def test_a_scope_that_makes_no_sense_is_refused(entity: Entity, asked: dict[str, Any]) -> None:
    entity.assert_fails("memory_consolidate", "invalid_input", **asked)


def test_a_summary_is_not_queued_for_reading(entity: Entity) -> None:
    day(entity, "2026-05-04", "- a")
    entity.ok("memory_consolidate", all=True)
    with entity.memory.read() as view:
        assert view.counts()["jobs"] == 0
