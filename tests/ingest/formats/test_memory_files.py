"""Files of other memories: what comes of them, with times and sources; again changes nothing."""

import json
import pickle
import sqlite3
import sys
from contextlib import closing
from pathlib import Path
from types import ModuleType
from typing import Any

import apsw
import pytest
from tests.ingest.formats.importing import FILES, Imported, documents, facts, fields_of, text_of

from recollect.exporters.graph import ExportedFact, ExportedGraph
from recollect.ingest.observation_notes import page_facts
from recollect.memory import Memory

ADDED = "2025-03-01T00:00:00+00:00"


def stated(memory: Memory) -> dict[tuple[str, str, str | None], ExportedFact]:
    """The facts that stand, by subject, predicate and object or value."""
    with memory.read() as view:
        graph = ExportedGraph(view)
        name = {id_: each.name for id_, each in graph.entities.items()}
        return {
            (name[each.subject], each.predicate, name[each.object] if each.object else each.value): each
            for each in graph.facts
        }


def types(memory: Memory) -> dict[str, str]:
    with memory.read() as view:
        return {each.name: each.type for each in ExportedGraph(view).entities.values()}


def test_notes_of_basic_memory_become_entities_and_facts(memory: Memory) -> None:
    taken = Imported(memory, FILES / "basic-memory")
    assert (taken.kinds, taken.counts, taken.skipped) == (["basic-memory"], (2, 2, 0), [])
    facts = stated(memory)
    assert set(facts) == {
        ("Mara Quint", "role", "Head of platform"),
        ("Login Service", "links_to", "Mara Quint"),
        ("Login Service", "observation", "Tokens live fifteen minutes #security"),
        ("Login Service", "observation", "Keep sessions out of the database"),
        ("Login Service", "depends_on", "User Store"),
        ("Login Service", "led_by", "Mara Quint"),
        ("Login Service", "links_to", "Gateway"),
    }
    used = facts["Login Service", "depends_on", "User Store"]
    assert (used.valid_from, used.valid_until) == ("2025-01", "2025-06")
    decided = facts["Login Service", "observation", "Tokens live fifteen minutes #security"]
    assert (decided.attributes["category"], decided.attributes["context"]) == ("decision", "agreed in review")
    assert types(memory)["Login Service"] == "project"
    assert set(documents(memory)) == {"basic-memory:mara-quint", "basic-memory:work/login-service"}
    assert Imported(memory, FILES / "basic-memory").counts == (2, 0, 2)


LINES = """
- [[Bare]]
- some other thing [[Sentence]]
- "some type" [[Quoted]]
- works_at [[Tail]] since 2020 and [[More]]
- works_at [[Context]] (at the desk)
- [x] done
- [ ] open [[Task]]
* starred [[Star]]
1. numbered [[Number]]
- [tip] text with [[Inside]]
- plain item #tagged
- plain item
- part_of [[Whole|its name]]
- `code [[Code]]`
"""


def test_lines_of_basic_memory_are_what_its_own_parser_takes_them_for() -> None:
    """As basic-memory 0.24.1 reads them, but for names of relations and labels of links, which are normalised."""
    facts = list(page_facts("Page", LINES))
    links = [(each["predicate"], each["to"]) for each in facts if isinstance(each["to"], str)]
    assert links == [
        ("links_to", "Bare"),
        ("links_to", "Sentence"),
        ("some_type", "Quoted"),
        ("links_to", "Tail"),
        ("links_to", "More"),
        ("works_at", "Context"),
        ("links_to", "Task"),
        ("starred", "Star"),
        ("numbered", "Number"),
        ("links_to", "Inside"),
        ("part_of", "Whole"),
    ]
    observed = [(each["predicate"], each["to"]["literal"]) for each in facts if isinstance(each["to"], dict)]
    assert observed == [("tip", "text with [[Inside]]"), ("observation", "plain item #tagged")]


def write_json(folder: Path, value: Any) -> Path:
    path = folder / "export.json"
    path.write_text(json.dumps(value), encoding="utf-8")
    return path


def test_a_name_in_the_context_of_an_observation_is_no_time(memory: Memory, tmp_path: Path) -> None:
    lines = "- [method] Water at 94 degrees #brewing (from Hoffmann)\n- requires [[Kettle]] (from 2024 until sold)\n"
    page = "---\ntitle: Pour over\ntype: note\npermalink: main/coffee/pour-over\n---\n\n# Pour over\n\n"
    (tmp_path / "Pour over.md").write_text(f"{page}{lines}- [decision] We use the V60 (from 2024-05)\n", "utf-8")
    taken = Imported(memory, tmp_path)
    assert (taken.counts, taken.skipped) == ((1, 1, 0), [])
    found = {fact.predicate: fact for fact in stated(memory).values()}
    assert found["method"].attributes["context"] == "from Hoffmann"
    assert found["requires"].attributes["context"] == "from 2024 until sold"
    assert any(fact.valid_from is not None for fact in found.values())


def test_memories_of_mem0_are_observations_about_their_user(memory: Memory, tmp_path: Path) -> None:
    at = {"created_at": "2025-03-01T08:00:00-08:00", "updated_at": None, "hash": "0f"}
    results = [
        {"id": "m1", "memory": "Likes rye bread", "user_id": "ana", "metadata": {"topic": "food"}, **at},
        {"id": "m2", "memory": "Answers in Danish", "agent_id": "helper", "metadata": None, **at},
        {"id": "m3", "memory": "The mill closes at six", "metadata": None, **at},
    ]
    path = write_json(tmp_path, {"results": results})
    taken = Imported(memory, path)
    assert (taken.kinds, taken.counts, taken.skipped, taken.warnings) == (["mem0"], (3, 3, 0), [], [])
    assert set(stated(memory)) == {
        ("ana", "observation", "Likes rye bread"),
        ("helper", "observation", "Answers in Danish"),
    }
    assert set(documents(memory)) == {"mem0:m1", "mem0:m2", "mem0:m3"}
    assert Imported(memory, path).counts == (3, 0, 3)


def test_memories_of_mem0_without_text_are_counted_and_not_stored(memory: Memory, tmp_path: Path) -> None:
    at = {"created_at": "2025-03-01T08:00:00-08:00", "user_id": "ana", "hash": "0f"}
    results = [
        {"id": "m1", "memory": "Likes rye bread", **at},
        {"id": "m2", "memory": "", **at},
        {"id": "m3", "memory": "\n ", **at},
    ]
    taken = Imported(memory, write_json(tmp_path, {"results": results}))
    assert taken.warnings == ["export.json: skipped 2 memories without text"]
    assert set(documents(memory)) == {"mem0:m1"}


def test_history_of_mem0_gives_versions_and_marks_what_was_deleted(memory: Memory, tmp_path: Path) -> None:
    def change(event: str, old: str | None, new: str | None, day: int) -> dict[str, Any]:
        at = f"2025-03-0{day}T00:00:00+00:00"
        return {"id": f"h{day}", "memory_id": "m1", "old_memory": old, "new_memory": new, "event": event,
                "created_at": "2025-03-01T00:00:00+00:00", "updated_at": at, "is_deleted": 0}  # fmt: skip

    changes = [change("ADD", None, "Likes rye", 1), change("UPDATE", "Likes rye", "Likes wheat", 2)]
    Imported(memory, write_json(tmp_path, changes))
    assert text_of(memory, "mem0-history:m1") == "Likes wheat"
    changes.append(change("DELETE", "Likes wheat", None, 3))
    taken = Imported(memory, write_json(tmp_path, changes))
    assert (taken.counts, fields_of(memory, "mem0-history:m1")["is_deleted"], stated(memory)) == ((3, 1, 2), True, {})


def write_history(path: Path, changes: list[tuple[str, str | None, str | None, str, str | None, str | None]]) -> Path:
    """A database as mem0ai 2.2 makes it: the changes, and the last messages of each session."""
    with closing(sqlite3.connect(path)) as raw, raw:
        raw.execute(
            "CREATE TABLE history (id TEXT PRIMARY KEY, memory_id TEXT, old_memory TEXT, new_memory TEXT, event TEXT,"
            " created_at DATETIME, updated_at DATETIME, is_deleted INTEGER, actor_id TEXT, role TEXT)"
        )
        raw.execute("CREATE TABLE messages (id TEXT PRIMARY KEY, session_scope TEXT, role TEXT, content TEXT)")
        rows = [(f"h{9 - number}", *each) for number, each in enumerate(changes)]
        raw.executemany("INSERT INTO history VALUES (?, ?, ?, ?, ?, ?, ?, 0, NULL, NULL)", rows)
        raw.execute("INSERT INTO messages VALUES ('s1', 'user_id=ana', 'user', 'Good morning.')")
    return path


@pytest.mark.every_case
@pytest.mark.parametrize("times", [(None, None), (ADDED, "2025-03-04T00:00:00+00:00"), (None, "2025-03-04T00:00:00")])
def test_the_last_change_in_a_history_of_mem0_is_the_one_made_last(
    memory: Memory, tmp_path: Path, times: tuple[str | None, str | None]
) -> None:
    """Every change names the creation of its memory, or no time at all: only their place in the table orders them."""
    changes = [
        ("m1", None, "Likes rye", "ADD", ADDED, None),
        ("m1", "Likes rye", "Likes wheat", "UPDATE", ADDED, "2025-03-02T00:00:00+00:00"),
        ("m1", "Likes wheat", None, "DELETE", *times),
    ]
    taken = Imported(memory, write_history(tmp_path / "history.db", changes))
    assert taken.kinds == ["mem0-history"]
    assert fields_of(memory, "mem0-history:m1")["is_deleted"] is True
    assert text_of(memory, "mem0-history:m1") == "Likes wheat"
    assert taken.warnings == ["history.db: skipped 1 last messages of sessions"]


class PointStruct:
    """A point as a client of Qdrant pickles it."""

    def __init__(self, id_: str, payload: dict[str, Any]) -> None:
        self.state = {"__dict__": {"id": id_, "vector": [0.1], "payload": payload}, "__pydantic_extra__": None}

    def __getstate__(self) -> dict[str, Any]:
        return self.state


class Attack:
    def __reduce__(self) -> tuple[Any, ...]:
        return Path.touch, (Path("attacked"),)


def test_points_of_mem0_are_read_without_running_what_they_name(
    memory: Memory, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    models = ModuleType("qdrant_client.http.models.models")
    models.PointStruct = PointStruct  # type: ignore[attr-defined]
    for name in ("qdrant_client", "qdrant_client.http", "qdrant_client.http.models"):
        monkeypatch.setitem(sys.modules, name, ModuleType(name))
    monkeypatch.setitem(sys.modules, models.__name__, models)
    monkeypatch.setattr(PointStruct, "__module__", models.__name__)
    point = PointStruct("m1", {"data": "Likes rye bread", "user_id": "ana", "created_at": "2025-03-01T00:00:00+00:00"})
    database = apsw.Connection(str(tmp_path / "storage.sqlite"))
    database.execute("CREATE TABLE points (id TEXT PRIMARY KEY, point BLOB)")
    for number, each in enumerate((point, Attack(), "no point")):
        database.execute("INSERT INTO points VALUES (?, ?)", (str(number), pickle.dumps(each)))
    database.close()
    taken = Imported(memory, tmp_path / "storage.sqlite")
    assert (taken.kinds, taken.counts) == (["mem0-qdrant"], (1, 1, 0))
    assert taken.warnings == ["storage.sqlite: skipped 2 points that are not memories of mem0"]
    assert set(stated(memory)) == {("ana", "observation", "Likes rye bread")}
    assert set(documents(memory)) == {"mem0:m1"}
    assert not (tmp_path / "attacked").exists()


def test_a_graph_of_graphiti_keeps_times_and_episodes(memory: Memory, tmp_path: Path) -> None:
    at = {"group_id": "g", "created_at": "2025-04-02T10:00:00Z"}
    nodes = [
        {"uuid": "n1", "name": "Ana Lima", "labels": ["Entity", "Person"], "summary": "Baker", "attributes": {}, **at},
        {"uuid": "n2", "name": "Rye & Co", "labels": ["Entity"], "summary": "", "attributes": {}, **at},
    ]
    edge = {"source_node_uuid": "n1", "target_node_uuid": "n2", "attributes": {}, **at}
    edges = [
        {"uuid": "e1", "name": "WORKS_AT", "fact": "Ana works at Rye & Co", "episodes": ["p1"], "expired_at": None,
         "valid_at": "2024-01-01T00:00:00Z", "invalid_at": "2025-03-31T00:00:00Z", **edge},
        {"uuid": "e2", "name": "SUPPLIES", "fact": "Ana supplies Rye & Co", "episodes": [], "expired_at": None,
         "valid_at": "2025-04-01T00:00:00Z", "invalid_at": None, **edge},
        {"uuid": "e3", "name": "KNOWS", "fact": "?", "episodes": [], **edge, "target_node_uuid": "gone"},
    ]  # fmt: skip
    episode = {"uuid": "p1", "name": "Chat", "source": "message", "source_description": "chat", "labels": [],
               "content": "Ana: I left Rye & Co.", "valid_at": "2025-04-01T09:00:00Z", **at}  # fmt: skip
    path = write_json(tmp_path, {"edges": edges, "nodes": nodes, "episodes": [episode]})
    taken = Imported(memory, path)
    assert (taken.kinds, taken.counts, taken.skipped) == (["graphiti"], (4, 4, 0), [])
    assert taken.warnings == ["export.json: skipped 1 edges whose nodes are not in this file"]
    facts = stated(memory)
    worked = facts["Ana Lima", "works_at", "Rye & Co"]
    assert (worked.valid_from, worked.valid_until) == ("2024-01-01T00:00:00Z", "2025-03-31T00:00:00Z")
    assert worked.source.endswith("graphiti:p1")
    assert facts["Ana Lima", "supplies", "Rye & Co"].valid_until is None
    assert types(memory)["Ana Lima"] == "person"
    assert Imported(memory, path).counts == (4, 0, 4)


def test_a_damaged_edge_of_graphiti_is_refused_alone(memory: Memory, tmp_path: Path) -> None:
    at = {"group_id": "g", "created_at": "2025-04-02T10:00:00Z"}
    nodes = [{"uuid": key, "name": name, "labels": [], **at} for key, name in (("n1", "Ana Lima"), ("n2", "Rye & Co"))]
    edge = {"source_node_uuid": "n1", "target_node_uuid": "n2", "episodes": ["p1"], **at}
    edges = [
        {"uuid": "e1", "name": "WORKS_AT", "fact": "Ana works at Rye & Co", "valid_at": "2024-01-01T00:00:00Z", **edge},
        {"uuid": "e2", "name": "SUPPLIES", "fact": "Ana supplies Rye & Co", "valid_at": "some day", **edge},
        {"uuid": "e3", "name": "OWNS", "fact": "Ana owns Rye & Co", "valid_at": "2025-01-01T00:00:00Z",
         "invalid_at": "2024-01-01T00:00:00Z", **edge},
    ]  # fmt: skip
    episode = {"uuid": "p1", "source": "message", "source_description": "chat", "content": "Ana works there.", **at}
    taken = Imported(memory, write_json(tmp_path, {"edges": edges, "nodes": nodes, "episodes": [episode]}))
    assert set(documents(memory)) == {"graphiti:p1"}
    facts = stated(memory)
    assert facts["Ana Lima", "works_at", "Rye & Co"].source.endswith("graphiti:p1")
    assert ("Ana Lima", "supplies", "Rye & Co") not in facts
    assert len(facts) + len(taken.skipped) == len(edges)


def write_database(path: Path, *statements: str) -> Path:
    """A database as another program would have left it, readable only."""
    raw = apsw.Connection(str(path))
    for each in statements:
        raw.execute(each)
    raw.close()
    path.chmod(0o400)
    return path


def test_observations_and_summaries_of_claude_mem_are_records(memory: Memory, tmp_path: Path) -> None:
    path = write_database(
        tmp_path / "claude-mem.db",
        "CREATE TABLE observations (id INTEGER, project TEXT, text TEXT, type TEXT, title TEXT, subtitle TEXT, "
        "facts TEXT, narrative TEXT, concepts TEXT, files_read TEXT, files_modified TEXT, created_at TEXT)",
        "CREATE TABLE session_summaries (id INTEGER, project TEXT, request TEXT, learned TEXT, created_at TEXT)",
        "CREATE TABLE user_prompts (id INTEGER, prompt_text TEXT)",
        "INSERT INTO observations VALUES (1, 'mill', NULL, 'bugfix', 'Ovens restart', 'After a cut', "
        """'["The relay is reset"]', 'The relay kept its state.', '["relay"]', '[]', '["oven.py"]', """
        "'2025-12-10T21:00:00.000Z')",
        "INSERT INTO session_summaries VALUES (4, 'mill', 'Mend the ovens', 'Relays keep state', '2025-12-10')",
        "INSERT INTO user_prompts VALUES (1, 'mend the ovens')",
    )
    taken = Imported(memory, path)
    assert (taken.kinds, taken.counts, taken.skipped) == (["claude-mem"], (2, 2, 0), [])
    assert ["skipped 1 prompts" in each for each in taken.warnings] == [True]
    text = text_of(memory, "claude-mem:observation:1")
    assert text == "After a cut\n\nThe relay kept its state.\n\n- The relay is reset"
    fields = fields_of(memory, "claude-mem:observation:1")
    assert (fields["project"], fields["kind"], fields["files_modified"]) == ("mill", "bugfix", ["oven.py"])
    assert text_of(memory, "claude-mem:summary:4").endswith("## Learned\nRelays keep state")
    assert set(stated(memory)) == {("mill", "observation", "The relay is reset")}
    assert facts(memory) == {"mill: The relay is reset"}
    assert Imported(memory, path).counts == (2, 0, 2)


def test_a_database_of_claude_mem_without_observations_says_so(memory: Memory, tmp_path: Path) -> None:
    path = write_database(
        tmp_path / "claude-mem.db",
        "CREATE TABLE observations (id INTEGER, project TEXT, type TEXT, created_at TEXT)",
        "CREATE TABLE session_summaries (id INTEGER, project TEXT, learned TEXT, created_at TEXT)",
        "CREATE TABLE user_prompts (id INTEGER, prompt_text TEXT)",
    )
    [skipped] = Imported(memory, path).skipped
    assert "nothing to import" in str(skipped)


def test_a_table_of_claude_mem_with_a_renamed_id_is_named_and_the_others_are_read(
    memory: Memory, tmp_path: Path
) -> None:
    path = write_database(
        tmp_path / "claude-mem.db",
        "CREATE TABLE observations (observation_id INTEGER, project TEXT, type TEXT, title TEXT, created_at TEXT)",
        "CREATE TABLE session_summaries (id INTEGER, project TEXT, request TEXT, learned TEXT, created_at TEXT)",
        "CREATE TABLE user_prompts (id INTEGER, prompt_text TEXT)",
        "INSERT INTO observations VALUES (1, 'mill', 'bugfix', 'Ovens restart', '2025-12-10T21:00:00.000Z')",
        "INSERT INTO session_summaries VALUES (4, 'mill', 'Mend the ovens', 'Relays keep state', '2025-12-10')",
    )
    taken = Imported(memory, path)
    assert taken.counts == (1, 1, 0)
    [warning] = [each for each in taken.warnings if "observations" in each]
    assert "the table 'observations': it has no column 'id'" in warning
    assert "update recollect" in warning


def test_the_graph_of_mempalace_keeps_its_times(memory: Memory, tmp_path: Path) -> None:
    path = write_database(
        tmp_path / "knowledge_graph.sqlite3",
        "CREATE TABLE entities (id TEXT, name TEXT, type TEXT, properties TEXT, created_at TEXT)",
        "CREATE TABLE triples (id TEXT, subject TEXT, predicate TEXT, object TEXT, valid_from TEXT, valid_to TEXT, "
        "confidence REAL, source_file TEXT, extracted_at TEXT)",
        """INSERT INTO entities VALUES ('max', 'Max', 'person', '{"age": 9}', '')""",
        "INSERT INTO entities VALUES ('chess', 'chess', 'unknown', '{}', '')",
        "INSERT INTO triples VALUES"
        " ('t1', 'max', 'loves', 'chess', '2025-10-01', NULL, 1.0, 'a.md', '2025-10-02 08:00:00'),"
        " ('t2', 'max', 'plays', 'chess', '2024-01-01', '2024-12-31', 0.8, NULL, '2025-10-02 08:00:00'),"
        " ('t3', 'max', 'plays', 'gone', NULL, NULL, 1.0, NULL, NULL)",
    )
    taken = Imported(memory, path)
    assert (taken.kinds, taken.counts, taken.skipped) == (["mempalace"], (4, 4, 0), [])
    assert ["skipped 1 triples" in each for each in taken.warnings] == [True]
    facts = stated(memory)
    assert (facts["Max", "loves", "chess"].valid_from, facts["Max", "loves", "chess"].valid_until) == (
        "2025-10-01",
        None,
    )
    assert facts["Max", "plays", "chess"].valid_until == "2024-12-31"
    assert facts["Max", "loves", "chess"].attributes["source_file"] == "a.md"
    assert Imported(memory, path).counts == (4, 0, 4)


def test_drawers_of_mempalace_are_records(memory: Memory, tmp_path: Path) -> None:
    path = write_database(
        tmp_path / "chroma.sqlite3",
        "CREATE TABLE embeddings (id INTEGER, segment_id TEXT, embedding_id TEXT)",
        "CREATE TABLE embedding_metadata (id INTEGER, key TEXT, string_value TEXT, int_value, float_value)",
        "INSERT INTO embeddings VALUES (1, 's', 'drawer_mill_1'), (2, 's', 'other')",
        "INSERT INTO embedding_metadata VALUES (1, 'chroma:document', 'The mill closes at six.', NULL, NULL),"
        " (1, 'wing', 'work', NULL, NULL), (1, 'source_file', '/home/a/hours.md', NULL, NULL),"
        " (1, 'chunk_index', NULL, 0, NULL), (2, 'name', 'x', NULL, NULL)",
    )
    taken = Imported(memory, path)
    assert (taken.kinds, taken.counts) == (["mempalace-drawers"], (1, 1, 0))
    assert ["skipped 1 entries" in each for each in taken.warnings] == [True]
    assert fields_of(memory, "mempalace:drawer_mill_1")["wing"] == "work"
    assert documents(memory)["mempalace:drawer_mill_1"].title == "hours.md"
    assert Imported(memory, path).counts == (1, 0, 1)


def test_blocks_and_messages_of_a_letta_agent_are_records(memory: Memory, tmp_path: Path) -> None:
    def message(number: int, role: str, text: str) -> dict[str, Any]:
        at = f"2025-07-0{number}T10:00:00Z"
        return {"id": f"message-{number}", "role": role, "content": [{"type": "text", "text": text}], "created_at": at}

    said = [
        message(1, "system", "You are Sam."),
        message(2, "user", json.dumps({"type": "user_message", "message": "I moved to Oslo.", "time": "now"})),
        message(3, "user", json.dumps({"type": "heartbeat", "reason": "tick"})),
        message(4, "assistant", "Noted."),
    ]
    block = {"id": "block-0", "label": "human", "value": "Lives in Oslo."}
    empty, unused = {"id": "block-1", "label": "notes"}, {"id": "block-2", "label": "old", "value": "Lives in Bergen."}
    several = {"agents": [{"id": "agent-0", "name": "Sam", "block_ids": ["block-0", "block-1"], "messages": said}],
               "blocks": [block, empty, unused], "tools": [{"name": "search"}]}  # fmt: skip
    one = {"name": "Sam", "agent_type": "memgpt_agent", "core_memory": [block], "messages": said, "tools": []}
    path = tmp_path / "sam.af"
    path.write_text(json.dumps(several), encoding="utf-8")
    taken = Imported(memory, path)
    assert (taken.kinds, taken.counts, taken.skipped) == (["letta-agent"], (3, 3, 0), [])
    assert sorted(taken.warnings) == [
        "sam.af: skipped 1 memory blocks of no agent",
        "sam.af: skipped 1 memory blocks without text",
        "sam.af: skipped 1 tools of agents",
        "sam.af: skipped 2 messages of the system, of tools and without text",
    ]
    assert text_of(memory, "letta:Sam:block:human") == "Lives in Oslo."
    assert text_of(memory, "letta:Sam:message:2025-07-02T10:00:00Z:user") == "I moved to Oslo."
    path.write_text(json.dumps(one), encoding="utf-8")
    assert Imported(memory, path).counts == (3, 0, 3)
