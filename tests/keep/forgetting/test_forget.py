"""Forgetting: no trace in any version, index or byte of the file; and it does not come back."""

import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
from tests.llm.scripted_model import ScriptedModel
from tests.support.hash_embedder import HashEmbedder

from recollect.errors import NotKnown
from recollect.importers.bundle import import_bundle
from recollect.indexing import embed_passages, index_before_read
from recollect.keep.chats.importer import ChatImportOptions, import_chats
from recollect.keep.forgetting.erasure import forget
from recollect.keep.graph.extraction_queue import extract_next
from recollect.memory import Memory, WorkspaceCache
from recollect.model.ids import format_fact_id, read_id
from recollect.store.queries import sqlite_queries
from recollect.surfaces.dispatch import call
from recollect.surfaces.registry import find_surface
from recollect.write.tombstones import ErasedContent

SECRET = "Zarathustrian"
DAY = {"granularity": "daily", "date": "2026-05-12", "instanceId": "psy-desk"}
DAY_ID = "daily-2026-05-12_psy-desk"
ID_COLUMNS = frozenset(
    "document entity fact memory node part old hearer teller encounter one other finding part_of".split()
)


@dataclass
class World:
    memory: Memory
    folder: Path

    def ask(self, tool: str, surface: str = "entity-core", **arguments: Any) -> dict[str, Any]:
        found = find_surface(surface).find(tool)
        return call(found, lambda each: self.memory.as_actor(each.surface.name, each.name), arguments).structured

    def forget(self, *ids: str) -> Any:
        return forget(self.memory, ids)

    def bundle(self, *lines: dict[str, Any]) -> list[str]:
        path = self.folder / "b.jsonl"
        path.write_text("\n".join(json.dumps(line) for line in lines))
        _, skipped = import_bundle(self.memory, path)
        return [each.reason for each in skipped]

    def index(self) -> None:
        embed_passages(self.memory)
        index_before_read(self.memory)

    def trace(self, word: str = SECRET) -> list[str]:
        """Where a word stands: rows of any table, and for a file the bytes themselves."""
        found = _rows_with(self.memory, word)
        for path in sorted(self.folder.glob("memory.db*")):
            if word.lower().encode() in path.read_bytes().lower():
                found.append(path.name)
        return found


def _rows_with(memory: Memory, word: str) -> list[str]:
    if memory.engine.name != "postgres":
        return []
    import psycopg

    with memory.engine.first.pool.connect() as raw:  # type: ignore[attr-defined]
        assert isinstance(raw, psycopg.Connection)
        tables = [row[0] for row in raw.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'public'")]
        return [
            table
            for table in tables
            if raw.execute(f'SELECT 1 FROM "{table}" t WHERE t::text ILIKE %s LIMIT 1', (f"%{word}%",)).fetchone()
        ]


@pytest.fixture
def world(memory: Memory, address: str, tmp_path: Path) -> World:
    del address  # a file of its own in that folder, whose bytes are looked at
    return World(replace(memory, cache=WorkspaceCache([HashEmbedder()])), tmp_path)


def record(id_: str, content: str, *facts: dict[str, Any], **more: Any) -> dict[str, Any]:
    about = {"id": id_, "type": "note", "title": f"About {id_}", "source_at": "2026-05-01T10:00:00Z"}
    return {"record": {**about, "content": content, **more}, "facts": list(facts)}


def stated(start: str, type_: str, end: str, words: str) -> dict[str, Any]:
    ends = {"from": {"name": start, "type": "Person"}, "to": {"name": end, "type": "Person"}}
    return {**ends, "edge_label": "AFFILIATED", "fact_type": type_, "predicate": type_, "fact": words}


def test_a_memory_leaves_no_trace(world: World) -> None:
    world.ask("memory_create", **DAY, content=f"# My {SECRET} day\n\n- the {SECRET} plan [chat:c1]\n- second line")
    world.ask("memory_update", **DAY, content=f"# Day\n\n- another {SECRET.upper()} thing")
    world.ask("memory_delete", id=DAY_ID)
    world.ask("memory_create", **DAY, content=f"- once more, {SECRET}", onExisting="replace")
    world.index()
    assert world.trace()
    done = world.forget(DAY_ID)
    assert (done.documents, done.is_file_clean) == (1, world.memory.engine.name == "sqlite")
    assert world.trace() == []
    assert world.ask("memory_list")["memories"] == []
    assert world.ask("memory_search", query=SECRET, instanceId="x")["results"] == []
    assert world.ask("memory_list", as_of=1)["memories"] == []


def test_what_a_memory_alone_supported_goes_with_it(world: World) -> None:
    answer = {
        "entities": [
            {"type": "person", "label": SECRET, "confidence": 0.9, "description": f"a {SECRET}"},
            {"type": "person", "label": "Noor", "confidence": 0.9},
        ],
        "relationships": [
            {
                "fromLabel": SECRET,
                "toLabel": "Noor",
                "type": "friend_of",
                "evidence": f"{SECRET} is a friend of Noor",
                "confidence": 0.9,
            }
        ],
    }
    world.ask("graph_node_create", type="person", label="Noor")
    world.memory = replace(world.memory, choose_model=lambda _: ScriptedModel([answer]))
    world.ask("memory_create", **DAY, content=f"- {SECRET} is a friend of Noor")
    assert extract_next(world.memory)
    world.index()
    done = world.forget(DAY_ID)
    assert (done.documents, done.facts, done.entities) == (1, 1, 1)
    assert world.trace() == []
    assert [node["label"] for node in world.ask("graph_node_list")["nodes"]] == ["Noor"]


def test_a_commit_that_was_forgotten_is_no_repeat_but_refused(world: World) -> None:
    filed = {"surface": "carabase", "folioName": "Mill", "content": f"The {SECRET} wheel turns."}
    first = world.ask("commit_to_folio", **filed)
    [uri] = first["artifact_uris"]
    world.forget(uri.rpartition("/")[2])
    assert "was erased" in world.ask("commit_to_folio", **filed)["error"]["message"]
    assert world.trace(read_id(uri.rpartition("/")[2])) == []
    assert world.trace(read_id(first["commit_id"])) == []


def test_nothing_that_stays_names_what_is_gone(world: World) -> None:
    world.ask("memory_create", **DAY, content="- Walked with Ada")
    world.bundle(record("r1", "Two of them.", stated("Ada", "knows", "Bob", "Ada knows Bob")))
    with world.memory.read() as view:
        [held] = view.facts_touching(view.names_matching("ada")[0].entity)
    world.bundle(
        record(
            "r2",
            "Another.",
            {**stated("Bob", "likes", "Cleo", "Bob likes Cleo"), "supersedes": format_fact_id(held.id)},
        )
    )
    world.index()
    world.forget(held.id, held.subject)
    assert [world.trace(each) for each in (held.id, held.subject)] == [[], []]


def test_a_fact_that_another_source_supports_stays_without_the_words(world: World) -> None:
    words = "Ada knows Bob"
    world.bundle(
        record("r1", f"{SECRET}: {words}.", stated("Ada", "knows", "Bob", words) | {"quote": f"{SECRET}: {words}"}),
        record("r2", words, stated("Ada", "knows", "Bob", words)),
    )
    world.index()
    done = world.forget("r1")
    assert (done.documents, done.facts, done.entities) == (1, 0, 0)
    assert world.trace() == []
    found = world.ask("get_facts", "pearscarf", entity_name="Ada")["facts"]
    assert [each["source_record"] for each in found] == ["r2"]


def test_a_record_does_not_come_back_by_name_or_by_text(world: World) -> None:
    line = record("r1", f"The {SECRET} text", stated("Ada", "knows", SECRET, f"Ada knows {SECRET}"))
    assert world.bundle(line) == []
    world.forget("r1")
    assert world.trace() == []
    again = world.bundle(line, record("r1", "another text"), record("r9", f"The {SECRET} text"), record("r2", "fine"))
    told = "was erased and is not imported again; to import it anyway: recollect ingest --erased"
    assert again == [f"record {id_!r} {told}" for id_ in ("r1", "r1", "r9")]
    assert world.trace() == []


def test_a_day_goes_on_but_what_it_said_does_not_come_back(world: World) -> None:
    world.ask("memory_create", **DAY, content=f"# Day\n\n- the {SECRET} plan [chat:c1]\n")
    world.forget(DAY_ID)
    refused = world.ask("memory_create", **DAY, content=f"# Day\n\n- the {SECRET} plan [chat:c1]")
    assert refused["success"] is False
    world.ask("memory_create", **DAY, content=f"# Day\n\n- the {SECRET} plan [chat:c1]\n- a new thing\n")
    assert world.ask("memory_read", id=DAY_ID)["memory"]["content"] == "# Day\n\n- a new thing\n"
    assert world.trace() == []


def test_sync_does_not_bring_it_back(world: World) -> None:
    world.ask("memory_create", **DAY, content=f"- the {SECRET} plan")
    world.ask("identity_write", category="self", filename="x.md", content=f"I am {SECRET}.")
    world.forget(DAY_ID, "self/x.md")
    memory = {
        "granularity": "daily",
        "date": "2026-05-12",
        "content": f"- the {SECRET} plan",
        "sourceInstance": "psy-desk",
        "version": 1,
    }
    file = {"category": "self", "filename": "x.md", "content": f"I am {SECRET}.", "version": 1}
    said = world.ask(
        "sync_push",
        instance={"id": "st-attic", "type": "sillytavern", "version": 1},
        memoryChanges=[memory],
        identityChanges=[{**file, "lastModified": "2026-05-13T00:00:00Z", "modifiedBy": "st-attic"}],
    )
    assert said["success"], said
    assert {each["status"] for each in said["results"]} == {"kept_server"}
    assert world.trace() == []


@pytest.mark.parametrize("mode", ["merge", "overwrite"])
def test_an_archive_does_not_bring_it_back(world: World, mode: str) -> None:
    world.ask("memory_create", **DAY, content=f"- the {SECRET} plan")
    world.ask("identity_write", category="self", filename="x.md", content=f"I am {SECRET}.")
    node = world.ask("graph_node_create", type="person", label=SECRET)["node"]["id"]
    world.ask("identity_write", category="self", filename="y.md", content="I stay.")
    data = world.ask("entity_export")["data"]
    world.forget(DAY_ID, "self/x.md", node)
    said = world.ask("entity_import", data=data, mode=mode)
    assert said["success"], said
    assert world.trace() == []
    assert [each["filename"] for each in world.ask("identity_get_all")["self"]] == ["y.md"]


def test_a_snapshot_does_not_bring_it_back(world: World) -> None:
    world.ask("memory_create", **DAY, content=f"- the {SECRET} plan")
    moment = world.ask("snapshot_create")["momentId"]
    world.forget(DAY_ID)
    world.ask("snapshot_restore", snapshotId=moment)
    assert world.ask("memory_list")["memories"] == []
    assert world.trace() == []


def test_an_entity_goes_with_its_facts_and_names_and_stays_away(world: World) -> None:
    words = f"{SECRET} knows Bob"
    line = {"facts": [stated(SECRET, "knows", "Bob", words), stated("Ada", "knows", "Bob", "Ada knows Bob")]}
    assert world.bundle(line) == []
    world.ask("graph_node_create", type="person", label=SECRET, aliases=[f"{SECRET}ito"])
    world.index()
    [node] = [each for each in world.ask("graph_node_list")["nodes"] if each["label"] == SECRET]
    done = world.forget(node["id"])
    assert (done.facts, done.entities) == (1, 1)
    assert world.trace() == []
    assert world.ask("graph_node_create", type="person", label=SECRET)["success"] is False
    assert world.bundle({"facts": [stated(SECRET, "likes", "Bob", words)]}) != []
    assert world.trace() == []


def test_whoever_forgets_an_entity_is_told_which_texts_still_name_it(world: World) -> None:
    world.ask("memory_create", **DAY, content=f"- tea with {SECRET}")
    world.ask("memory_create", **{**DAY, "date": "2026-05-11"}, content="- tea alone")
    node = world.ask("graph_node_create", type="person", label=SECRET)["node"]["id"]
    world.ask("memory_create", **{**DAY, "date": "2026-05-13"}, content=f"- more tea with {SECRET}")
    world.bundle(record("note_1", "Tea.", stated(SECRET, "friend_of", "Noor", "They are friends")))
    done = world.forget(node)
    assert done.still_in == (DAY_ID, "daily-2026-05-13_psy-desk", "note_1")


def test_a_fact_goes_and_stays_away(world: World) -> None:
    fact = stated("Ada", "knows", "Bob", f"Ada knows Bob, the {SECRET}")
    world.bundle({"facts": [fact]})
    [found] = world.ask("get_facts", "pearscarf", entity_name="Ada")["facts"]
    done = world.forget(found["fact_id"] if "fact_id" in found else found["id"])
    assert (done.documents, done.facts, done.entities) == (0, 1, 0)
    assert world.trace() == []
    assert world.bundle({"facts": [fact], "entities": [{"name": "New", "type": "Person"}]}) != []
    assert world.trace() == []


def test_a_forgotten_rival_no_longer_stales_the_fact_before_it(world: World) -> None:
    def lives(place: str, at: str) -> dict[str, Any]:
        fact = stated("Ada", "committed_to", "Plan", f"Ada committed to {place}") | {"source_at": at}
        return record(place, place, fact, source_at=at)

    world.bundle(lives("London", "2026-01-01T00:00:00Z"), lives("Paris", "2026-02-01T00:00:00Z"))
    world.forget("Paris")
    [found] = world.ask("get_facts", "pearscarf", entity_name="Ada")["facts"]
    assert "London" in found["fact"]


def test_a_conversation_goes_with_the_days_that_came_from_it_alone(world: World) -> None:
    def chat(id_: str, text: str, day: int) -> dict[str, Any]:
        at = f"2026-05-{day:02}T10:00:00Z"
        message = {"uuid": f"{id_}-1", "sender": "human", "text": text, "created_at": at}
        return {"uuid": id_, "name": text, "updated_at": at, "chat_messages": [message]}

    export = [
        chat("c1", f"Tell me of the {SECRET} plan", 10),
        chat("c2", "Something else entirely here", 11),
    ]
    path = world.folder / "export.json"
    path.write_text(json.dumps(export))
    import_chats(world.memory, path, "claude", ChatImportOptions())
    world.index()
    done = world.forget("c1")
    assert done.documents == 2
    path.unlink()
    assert world.trace() == []
    path.write_text(json.dumps(export))
    report = import_chats(world.memory, path, "claude", ChatImportOptions())
    path.unlink()
    assert [each.id for each in report.skipped] == ["c1"]
    assert world.trace() == []


def test_a_summary_of_it_is_made_anew_of_what_is_left(world: World) -> None:
    world.ask("memory_create", **{**DAY, "date": "2026-05-04"}, content=f"- the {SECRET} plan")
    world.ask("memory_create", **{**DAY, "date": "2026-05-05"}, content="- a quiet day")
    world.ask("memory_consolidate", all=True)
    assert len(world.ask("memory_list")["memories"]) == 3
    done = world.forget("daily-2026-05-04_psy-desk")
    assert done.documents == 2
    assert world.trace() == []
    world.ask("memory_consolidate", all=True)
    week = world.ask("memory_read", id="weekly-2026-W19")["memory"]
    assert week["content"].endswith("\n\n- a quiet day\n")


def test_an_unknown_id_forgets_nothing(world: World) -> None:
    world.ask("memory_create", **DAY, content="- stays")
    for unknown in ("nothing", "ent_01ARZ3NDEKTSV4RRFFQ69G5FAV", "../../etc"):
        with pytest.raises(NotKnown):
            world.forget(DAY_ID, unknown)
    assert len(world.ask("memory_list")["memories"]) == 1


def test_forgetting_is_a_transaction_that_other_processes_notice(world: World) -> None:
    world.ask("memory_create", **DAY, content=f"- the {SECRET} plan")
    before = world.ask("sync_status")["serverVersion"]
    other = replace(world.memory, cache=WorkspaceCache())
    with other.write() as change:
        assert not change.forgotten
        change.put_setting("x.y", 1)
    done = world.forget(DAY_ID)
    assert done.tx == before + 2
    with other.write() as change:
        assert change.forgotten


def test_the_store_refuses_by_hash_alone(world: World) -> None:
    from recollect.write.tombstones import check_document, check_entity, check_fact

    with world.memory.write() as change:
        checks: tuple[Callable[[], object], ...] = (
            lambda: check_document(change, "record", "r", "t"),
            lambda: check_fact(change, 1),
            lambda: check_entity(change, "person", "x"),
        )
        for check in checks:
            check()
    assert ErasedContent("x").code == "forgotten"


def test_every_column_that_names_a_thing_is_erased(tmp_path: Path) -> None:
    """A table that is added with such a column needs its line in forget.sql."""
    import apsw

    from recollect.store.address import engine_for

    engine_for(str(tmp_path / "m.db")).close()
    raw = apsw.Connection(str(tmp_path / "m.db"))
    columns = raw.execute(
        "SELECT m.name, p.name FROM sqlite_schema m JOIN pragma_table_info(m.name) p"
        " WHERE m.type = 'table' AND m.name NOT LIKE 'chunk%' AND m.name NOT LIKE 'sqlite%'"
    ).fetchall()
    raw.close()
    erased = {name for name in sqlite_queries().names if name.startswith("forget_in_")}
    missing = [
        f"{table}.{column}"
        for table, column in columns
        if column in ID_COLUMNS and table != "indexed" and f"forget_in_{table}_{column}" not in erased
    ]
    assert missing == []
