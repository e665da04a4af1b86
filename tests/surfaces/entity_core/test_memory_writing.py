"""Recording, correcting and removing memories, through the dispatcher on every engine."""

from dataclasses import replace
from typing import Any

import pytest

from recollect.memory import open_memory
from recollect.model.fact import Source, Statement
from recollect.settings import Settings
from recollect.when.instant import format_millis
from recollect.write.entity_refs import NamedRef, find_or_create
from recollect.write.predicates import claim
from recollect.write.record_statement import record_statement
from tests.support.facts import fact, tell, texts
from tests.surfaces.entity_core.asking import Entity

DAY = "# Daily Memory - 2026-05-12\n\n- Noor fired the first kiln load [chat:c7] [via:psy-desk]"


def create(entity: Entity, content: str = DAY, **more: Any) -> dict[str, Any]:
    return entity.ok(
        "memory_create",
        **{"granularity": "daily", "date": "2026-05-12", "instanceId": "psy-desk", "content": content} | more,
    )


def read(entity: Entity, **address: Any) -> dict[str, Any]:
    found: dict[str, Any] = entity.ok("memory_read", **address)["memory"]
    return found


def test_a_first_memory_is_kept_as_it_was_given(entity: Entity) -> None:
    assert create(entity) == {
        "success": True,
        "message": "I recorded daily-2026-05-12_psy-desk.",
        "memoryId": "daily-2026-05-12_psy-desk",
        "created": True,
        "version": 1,
        "bulletsAdded": 1,
        "bulletsRepeated": 0,
        "extraction": "waiting_for_model",
        "tx": 1,
    }
    assert read(entity, granularity="daily", date="2026-05-12") == {
        "id": "daily-2026-05-12_psy-desk",
        "granularity": "daily",
        "date": "2026-05-12",
        "content": DAY,
        "chatIds": ["c7"],
        "sourceInstance": "psy-desk",
        "participatingInstances": ["psy-desk"],
        "version": 1,
        "createdAt": "2026-05-14T09:30:00.000Z",
        "updatedAt": "2026-05-14T09:30:00.000Z",
        "title": "Daily Memory - 2026-05-12",
        "editedBy": None,
        "tx": 1,
    }


def test_the_same_day_again_is_unchanged(entity: Entity) -> None:
    create(entity)
    said = create(entity)
    assert (said["unchanged"], said["created"], said["version"], said["tx"]) == (True, False, 1, 1)
    assert (said["bulletsAdded"], said["bulletsRepeated"], said["extraction"]) == (0, 1, "not_needed")


def test_a_new_bullet_of_a_known_chat_is_added(entity: Entity) -> None:
    create(entity)
    entity.at("2026-05-14T10:00:00Z")
    said = create(
        entity,
        "- Ilse came for tea [chat:c7]\n- Noor fired the first kiln load [chat:c7]",
        participatingInstances=["b"],
    )
    assert (said["created"], said["version"], said["bulletsAdded"], said["bulletsRepeated"]) == (False, 2, 1, 1)
    kept = read(entity, id="daily-2026-05-12_psy-desk")
    assert kept["content"] == f"{DAY}\n- Ilse came for tea [chat:c7]\n"
    assert kept["participatingInstances"] == ["psy-desk", "b"]
    assert (kept["createdAt"], kept["updatedAt"]) == ("2026-05-14T09:30:00.000Z", "2026-05-14T10:00:00.000Z")


def test_only_new_chat_ids_are_a_change_too(entity: Entity) -> None:
    create(entity)
    assert create(entity, chatIds=["c8"])["version"] == 2
    assert read(entity, id="daily-2026-05-12_psy-desk")["chatIds"] == ["c7", "c8"]


def test_two_instances_have_two_memories_of_one_day(entity: Entity) -> None:
    create(entity)
    create(entity, "- slept", instanceId="st-attic")
    said = entity.assert_fails("memory_read", "ambiguous", granularity="daily", date="2026-05-12")
    assert [choice["id"] for choice in said["choices"]] == ["daily-2026-05-12_psy-desk", "daily-2026-05-12_st-attic"]
    assert read(entity, granularity="daily", date="2026-05-12_st-attic")["content"] == "- slept"
    assert read(entity, granularity="daily", date="2026-05-12", instanceId="psy-desk")["content"] == DAY


def test_a_summary_that_exists_is_not_overwritten_by_creating_it(entity: Entity) -> None:
    create(entity, "# A week", granularity="weekly", date="2026-W19")
    assert create(entity, "# A week", granularity="weekly", date="2026-W19")["unchanged"] is True
    said = entity.assert_fails(
        "memory_create", "already_exists", granularity="weekly", date="2026-W19", instanceId="a", content="# Other"
    )
    assert "memory_update" in said["message"]
    assert said["choices"] == ["weekly-2026-W19"]


def test_replacing_keeps_creator_and_beginning(entity: Entity) -> None:
    create(entity)
    entity.at("2026-05-15T09:30:00Z")
    said = create(entity, "- only this [chat:c9]", onExisting="replace")
    assert (said["created"], said["version"]) == (False, 2)
    kept = read(entity, id="daily-2026-05-12_psy-desk")
    assert (kept["content"], kept["chatIds"]) == ("- only this [chat:c9]", ["c9"])
    assert kept["createdAt"] == "2026-05-14T09:30:00.000Z"


def test_error_refuses_a_day_that_exists(entity: Entity) -> None:
    create(entity)
    entity.assert_fails(
        "memory_create",
        "already_exists",
        granularity="daily",
        date="2026-05-12",
        instanceId="psy-desk",
        content="- other",
        onExisting="error",
    )


@pytest.mark.parametrize(
    ("content", "slug"),
    [
        ("# The First Conversation!\n\nWe met.", "the-first-conversation"),
        ("Noor said that she would like to stay here for good", "noor-said-that-she-would-like-to-stay"),
        ("# Überraschung im Café", "uberraschung-im-cafe"),
        ("# 窯を開けた", "m-e0e2d6a1"),
        ("# " + "abcdefghi " * 8, "abcdefghi-abcdefghi-abcdefghi-abcdefghi-abcdefghi"),
        ("# " + "x" * 70, "x" * 50),
    ],
)
def test_a_significant_memory_gets_a_slug_and_keeps_it(entity: Entity, content: str, slug: str) -> None:
    said = create(entity, content, granularity="significant")
    if slug.startswith("m-"):
        assert said["slug"].startswith("m-")
        assert len(said["slug"]) == 10
        return
    assert (said["slug"], said["memoryId"]) == (slug, f"significant-2026-05-12_{slug}")
    entity.ok("memory_update", id=said["memoryId"], content="# Another title")
    assert read(entity, id=said["memoryId"])["slug"] == slug


def test_two_significant_memories_of_one_day_stay_two(entity: Entity) -> None:
    texts = ["# Met\n\none", "# Met\n\ntwo", "# Met\n\nthree"]
    ids = [create(entity, text, granularity="significant")["memoryId"] for text in texts]
    assert ids == [f"significant-2026-05-12_met{tail}" for tail in ("", "-2", "-3")]
    entity.ok("memory_delete", id=ids[1])
    assert create(entity, texts[2], granularity="significant")["unchanged"] is True
    said = entity.assert_fails("memory_read", "ambiguous", granularity="significant", date="2026-05-12")
    assert [choice["slug"] for choice in said["choices"]] == ["met", "met-3"]


def test_an_explicit_slug_is_lower_cased_and_unique(entity: Entity) -> None:
    assert create(entity, "one", granularity="significant", slug="First-Talk")["slug"] == "first-talk"
    entity.assert_fails(
        "memory_create",
        "already_exists",
        granularity="significant",
        date="2026-05-12",
        instanceId="a",
        content="two",
        slug="first-talk",
    )


@pytest.mark.parametrize(
    "more",
    [
        {"slug": "no"},
        {"granularity": "weekly"},
        {"granularity": "weekly", "date": "2025-W53"},
        {"date": "2026-13-45"},
        {"date": "2026-05-12/.."},
        {"content": "  \n "},
        {"content": "a\0b"},
        {"instanceId": "../x"},
        {"instanceId": "a\n"},
        {"chatIds": ["a]b"]},
        {"chatIds": ["a,b"]},
        {"chatIds": "c7"},
        {"participatingInstances": ["a/b"]},
        {"granularity": "significant", "slug": "../etc"},
        {"granularity": "significant", "slug": "é"},
        {"granularity": "hourly"},
        {"granularity": "weekly", "date": "2026-W20", "onExisting": "merge"},
        {"unknown": 1},
    ],
)
def test_bad_input_is_refused_and_nothing_is_written(entity: Entity, more: dict[str, Any]) -> None:
    good = {"granularity": "daily", "date": "2026-05-12", "instanceId": "psy-desk", "content": DAY}
    entity.assert_fails("memory_create", "invalid_input", **good | more)


def test_too_large_a_content_is_refused_also_as_the_result_of_a_merge(entity: Entity) -> None:
    good: dict[str, Any] = {"granularity": "daily", "date": "2026-05-12", "instanceId": "psy-desk"}
    entity.assert_fails("memory_create", "too_large", **good, content="x" * (1 << 20) + "y")
    create(entity, "- " + "x" * 700_000)
    entity.assert_fails("memory_create", "too_large", **good, content="- " + "y" * 700_000)


def test_line_breaks_become_plain_and_snake_case_is_taken(entity: Entity) -> None:
    entity.ok(
        "memory_create", granularity="daily", date="2026-05-12", instance_id="a", content="- a\r\n- b\r", chat_ids=["1"]
    )
    assert read(entity, granularity="daily", date="2026-05-12")["content"] == "- a\n- b\n"


def test_correcting_replaces_the_text_and_nothing_else(entity: Entity) -> None:
    create(entity, participatingInstances=["psy-desk", "st-attic"])
    entity.at("2026-05-15T10:00:00Z")
    said = entity.ok(
        "memory_update", granularity="daily", date="2026-05-12", content="- Second load [chat:x]", editedBy="human"
    )
    assert said == {
        "success": True,
        "message": "I corrected daily-2026-05-12_psy-desk.",
        "memoryId": "daily-2026-05-12_psy-desk",
        "version": 2,
        "extraction": "waiting_for_model",
        "tx": 2,
    }
    kept = read(entity, id="daily-2026-05-12_psy-desk")
    assert (kept["content"], kept["chatIds"], kept["editedBy"]) == ("- Second load [chat:x]", ["c7"], "human")
    assert kept["participatingInstances"] == ["psy-desk", "st-attic"]
    assert (kept["createdAt"], kept["updatedAt"]) == ("2026-05-14T09:30:00.000Z", "2026-05-15T10:00:00.000Z")


def test_correcting_with_the_same_text_moves_nothing(entity: Entity) -> None:
    create(entity)
    said = entity.ok("memory_update", id="daily-2026-05-12_psy-desk", content=DAY, editedBy="human")
    assert (said["unchanged"], said["version"], said["extraction"]) == (True, 1, "not_needed")
    assert read(entity, id="daily-2026-05-12_psy-desk")["editedBy"] is None


def test_correcting_what_is_not_there_does_not_invent_it(entity: Entity) -> None:
    entity.assert_fails("memory_update", "not_found", granularity="daily", date="2026-05-12", content="- a")
    assert entity.ok("memory_list")["total"] == 0


def test_an_expected_version_must_be_the_current_one(entity: Entity) -> None:
    create(entity)
    address: dict[str, Any] = {"id": "daily-2026-05-12_psy-desk"}
    entity.assert_fails("memory_update", "version_conflict", **address, content="- a", expectedVersion=2)
    assert entity.ok("memory_update", **address, content="- a", expectedVersion=1)["version"] == 2


def test_earlier_versions_can_be_read_by_number_and_by_moment(entity: Entity) -> None:
    create(entity)
    entity.at("2026-05-15T10:00:00Z").ok("memory_update", id="daily-2026-05-12_psy-desk", content="- two")
    assert read(entity, id="daily-2026-05-12_psy-desk", version=1)["content"] == DAY
    assert read(entity, id="daily-2026-05-12_psy-desk", as_of=1)["version"] == 1
    assert read(entity, id="daily-2026-05-12_psy-desk", asOf="2026-05-14")["content"] == DAY
    entity.assert_fails("memory_read", "not_found", id="daily-2026-05-12_psy-desk", version=3)
    entity.assert_fails("memory_read", "invalid_input", id="daily-2026-05-12_psy-desk", version=1, as_of=1)
    entity.assert_fails("memory_read", "not_found", id="daily-2026-05-12_psy-desk", as_of=0)


def test_an_id_must_agree_with_what_else_is_given(entity: Entity) -> None:
    create(entity)
    address: dict[str, Any] = {"id": "daily-2026-05-12_psy-desk", "granularity": "daily"}
    assert read(entity, **address, date="2026-05-12")["version"] == 1
    entity.assert_fails("memory_read", "not_found", **address, date="2026-05-13")
    entity.assert_fails("memory_read", "invalid_input", id="daily-2026-05-12")
    entity.assert_fails("memory_read", "invalid_input", granularity="daily")
    entity.assert_fails("memory_read", "invalid_input", granularity="weekly", date="2026-W20", slug="a")


def test_deleting_asks_for_the_instance_even_if_only_one_fits(entity: Entity) -> None:
    create(entity)
    said = entity.assert_fails("memory_delete", "ambiguous", granularity="daily", date="2026-05-12")
    assert [choice["id"] for choice in said["choices"]] == ["daily-2026-05-12_psy-desk"]
    create(entity, "# Met", granularity="significant")
    entity.assert_fails(
        "memory_delete", "ambiguous", granularity="significant", date="2026-05-12", instanceId="psy-desk"
    )
    entity.assert_fails("memory_delete", "not_found", granularity="daily", date="2026-05-13")
    assert entity.ok("memory_delete", granularity="significant", date="2026-05-12", slug="met")["success"]


def test_a_deleted_memory_is_gone_from_every_read_and_leaves_a_snapshot(entity: Entity) -> None:
    create(entity)
    create(entity, "- slept", instanceId="st-attic")
    said = entity.ok("memory_delete", granularity="daily", date="2026-05-12", instanceId="psy-desk")
    assert said["snapshotId"] == "memories/daily-2026-05-12_psy-desk_2026-05-14T09-30-00-000Z"
    assert [row["id"] for row in entity.ok("memory_list")["memories"]] == ["daily-2026-05-12_st-attic"]
    assert entity.ok("memory_grep", query="kiln")["results"] == []
    assert entity.ok("memory_search", query="kiln load", instanceId="a", minScore=0.5)["results"] == []
    entity.assert_fails("memory_read", "not_found", id="daily-2026-05-12_psy-desk")
    entity.assert_fails("memory_delete", "not_found", id="daily-2026-05-12_psy-desk")
    gone = [row for row in entity.ok("memory_list", includeDeleted=True)["memories"] if row["deleted"]]
    assert [(row["id"], row["version"]) for row in gone] == [("daily-2026-05-12_psy-desk", 2)]
    assert read(entity, id="daily-2026-05-12_psy-desk", as_of=2)["content"] == DAY


def test_a_deleted_memory_is_not_merged_and_its_number_goes_on(entity: Entity) -> None:
    create(entity)
    entity.ok("memory_delete", id="daily-2026-05-12_psy-desk")
    said = create(entity, "- anew [chat:n]")
    assert (said["created"], said["version"]) == (True, 3)
    kept = read(entity, id="daily-2026-05-12_psy-desk")
    assert (kept["content"], kept["chatIds"]) == ("- anew [chat:n]", ["n"])


def test_a_deleted_memory_comes_back_whole_by_its_snapshot(entity: Entity) -> None:
    create(entity, participatingInstances=["psy-desk", "b"])
    before = read(entity, id="daily-2026-05-12_psy-desk")
    snapshot = entity.ok("memory_delete", id="daily-2026-05-12_psy-desk")["snapshotId"]
    entity.ok("snapshot_restore", snapshotId=snapshot)
    after = read(entity, id="daily-2026-05-12_psy-desk")
    assert after == before | {"version": 3, "tx": 3}
    assert entity.ok("memory_grep", query="kiln")["totalScanned"] == 1


def test_the_instance_is_the_actor_of_the_transaction(entity: Entity) -> None:
    create(entity)
    with entity.memory.read() as view:
        done = view.transaction(1)
    assert done is not None
    assert (done.surface, done.tool, done.actor) == ("entity-core", "memory_create", "psy-desk")


def test_a_text_too_short_to_read_waits_for_no_model(entity: Entity) -> None:
    assert create(entity, "- slept")["extraction"] == "not_needed"
    assert create(entity, "- Noor showed me the glaze she mixed")["extraction"] == "waiting_for_model"
    entity.ok("memory_delete", id="daily-2026-05-12_psy-desk")
    with entity.memory.read() as view:
        assert view.counts()["jobs"] == 0


def _say(entity: Entity, subject: str, target: str, quote: str) -> None:
    """A fact whose source is the memory, by these words of it."""
    with entity.memory.write() as change:
        document = change.document_named("memory", "daily-2026-05-12_psy-desk")
        assert document is not None
        ends = [find_or_create(change, NamedRef(name, "person")).entity for name in (subject, target)]
        meant = claim(change, ends[0].id, ends[1].id, None, predicate="friend_of", label=None, fact_type=None)
        source = Source(document.id, document.key, None, None, quote)
        record_statement(change, Statement(meant, document.source_at, "stated", "extracted", 0.9, source=source))


def test_what_a_memory_no_longer_says_is_withdrawn(entity: Entity) -> None:
    create(entity, "- Noor met   Ilse\n- Ilse met Mette")
    _say(entity, "Noor", "Ilse", "noor met ilse")
    _say(entity, "Ilse", "Mette", "Ilse met Mette")
    _say(entity, "Noor", "Mette", "words that were never there")
    entity.ok("memory_update", id="daily-2026-05-12_psy-desk", content="- Ilse met\nMette")
    assert texts(entity.memory, "Noor") == ["Noor friend of Mette"]
    assert texts(entity.memory, "Mette") == ["Ilse friend of Mette", "Noor friend of Mette"]
    assert texts(entity.memory, "Noor", as_of=4) == ["Noor friend of Ilse", "Noor friend of Mette"]


def test_deleting_withdraws_everything_and_restoring_brings_it_back(entity: Entity) -> None:
    create(entity, "- Noor met Ilse")
    _say(entity, "Noor", "Ilse", "Noor met Ilse")
    _say(entity, "Ilse", "Mette", "Noor met Ilse")
    tell(entity.memory, fact("Ilse", "friend_of", "Mette"))
    before = entity.tx
    snapshot = entity.ok("memory_delete", id="daily-2026-05-12_psy-desk")["snapshotId"]
    assert texts(entity.memory, "Noor") == []
    assert texts(entity.memory, "Mette") == ["Ilse friend of Mette"]
    assert texts(entity.memory, "Noor", as_of=before) == ["Noor friend of Ilse"]
    entity.ok("snapshot_restore", snapshotId=snapshot)
    assert texts(entity.memory, "Noor") == ["Noor friend of Ilse"]


@pytest.mark.parametrize(
    ("date", "at"), [("2026-05-12", "2026-05-12T23:59:59.999Z"), ("2026-06-01", "2026-05-14T09:30:00.000Z")]
)
def test_a_memory_speaks_no_later_than_the_end_of_its_period(entity: Entity, date: str, at: str) -> None:
    create(entity, date=date)
    with entity.memory.read() as view:
        document = view.document_named("memory", f"daily-{date}_psy-desk")
    assert document is not None
    assert format_millis(document.source_at) == at


def test_with_a_model_the_reading_is_queued(entity: Entity) -> None:
    entity.memory = replace(entity.memory, settings=Settings(workspace={"llm.url": "http://127.0.0.1:9/v1"}))
    assert create(entity)["extraction"] == "queued"


def test_memories_survive_a_restart(entity: Entity, address: str) -> None:
    create(entity)
    entity.ok("memory_update", id="daily-2026-05-12_psy-desk", content="- two", editedBy="human")
    before = read(entity, id="daily-2026-05-12_psy-desk")
    again = open_memory(address, settings=Settings(), clock=entity.clock)
    try:
        assert read(Entity(again, entity.clock), id="daily-2026-05-12_psy-desk") == before
    finally:
        again.close()


HOSTILE = [
    "../x",
    "..",
    "/etc/passwd",
    "C:\\x",
    "a\\b",
    "a/b",
    "a\0b",
    "a\n",
    "a\r\n",
    "",
    " ",
    " a",
    "a ",
    "ａ",
    "а",
    "a\u202eb",
    "a\u2028",
    ".hidden",
    "-",
    "a..b",
    "con.",
    "x" * 300,
    "%2e%2e",
    "a*b",
    "a:b",
    "a|b",
    "~root",
    "$HOME",
    "é",
    "٢",
]


def test_no_path_gets_through_any_name(entity: Entity) -> None:
    create(entity)
    before = entity.tx
    good: dict[str, Any] = {"granularity": "significant", "date": "2026-05-12", "instanceId": "a", "content": "# A"}
    tools = {"memory_create": good, "memory_update": good, "memory_read": {**good}, "memory_delete": {**good}}
    for tool in ("memory_read", "memory_delete"):
        del tools[tool]["content"]
    allowed = {("instanceId", "con.")}
    for tool, arguments in tools.items():
        for field in ("date", "slug", "instanceId", "id"):
            for value in HOSTILE:
                if (field == "id" and tool == "memory_create") or (field, value) in allowed:
                    continue
                said = entity.answer(tool, {**arguments, field: value}).structured
                assert said["success"] is False, (tool, field, value)
                assert said["error"] == "invalid_input", (tool, field, value, said)
    assert entity.tx == before
