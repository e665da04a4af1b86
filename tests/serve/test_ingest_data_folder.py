"""The data folder of an entity-core host, ingested as it lies on disk."""

import json
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from recollect.serve.cli.main import main

FILES = {
    "self/my_identity.md": "I am Wren.\n",
    "user/user_life.md": "Noor keeps bees.\n",
    "relationship/relationship_notes.md": "We talk at dusk.\n",
    "custom/weather.md": "Fog.\n",
    "identity-meta.json": '{"custom/weather.md": "sky"}',
    "memories/daily/2026-05-12_psycheros.md": "- fired the kiln [chat:c7]\n",
    "memories/archive/daily/2026-04-01_psycheros.md": "- an older day\n",
    "memories/weekly/2026-W19.md": "# The week\n",
    "memories/significant/2026-05-01_first-talk.md": "# First talk\n",
    ".snapshots/self/my_identity_2026.md": "I was Wren.\n",
}
KEYS = [name for name in FILES if name.partition("/")[0] in ("self", "user", "relationship", "custom")]

Run = Callable[..., Result]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    monkeypatch.setenv("RECOLLECT_DB", str(tmp_path / "memory.db"))
    monkeypatch.setenv("RECOLLECT_NOW", "2026-05-20T10:00:00Z")
    monkeypatch.chdir(tmp_path)
    return lambda *words: CliRunner().invoke(main, [str(each) for each in words])


@pytest.fixture
def data(tmp_path: Path) -> Path:
    for name, text in FILES.items():
        path = tmp_path / "data" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return tmp_path / "data"


def ask(run: Run, tool: str, **arguments: Any) -> Any:
    return json.loads(run("call", tool, "--surface", "entity-core", "--json", json.dumps(arguments)).stdout)


def texts(run: Run) -> dict[str, str]:
    shown = ask(run, "identity_get_all")
    return {f"{category}/{each['filename']}": each["content"] for category, files in shown.items() for each in files}


def test_identity_files_and_memories_come_in_with_their_labels(run: Run, data: Path) -> None:
    result = run("ingest", data)
    assert result.exit_code == 0, result.output
    assert texts(run) == {key: FILES[key] for key in KEYS}
    assert ask(run, "identity_get_meta")["meta"]["custom/weather.md"] == "sky"
    assert {each["id"] for each in ask(run, "memory_list")["memories"]} == {
        "daily-2026-05-12_psycheros",
        "daily-2026-04-01_psycheros",
        "weekly-2026-W19",
        "significant-2026-05-01_first-talk",
    }


def test_the_same_folder_again_changes_nothing(run: Run, data: Path) -> None:
    run("ingest", data)
    again = json.loads(run("ingest", data, "--json").stdout)
    assert (again["changed"], again["skipped"]) == (0, [])


def test_identity_files_come_in_where_there_are_no_memories_yet(run: Run, tmp_path: Path) -> None:
    folder = tmp_path / "young"
    (folder / "self").mkdir(parents=True)
    (folder / "self" / "my_identity.md").write_text("I am new.")
    (folder / "identity-meta.json").write_text("{}")
    assert run("ingest", folder).exit_code == 0
    assert texts(run) == {"self/my_identity.md": "I am new."}


HOST_SCHEMA = """
CREATE TABLE graph_nodes (id TEXT PRIMARY KEY, type TEXT, label TEXT, description TEXT, properties TEXT,
    source_instance TEXT, confidence REAL, source_memory_id TEXT, created_at TEXT, updated_at TEXT,
    first_learned_at TEXT, last_confirmed_at TEXT, version INTEGER, deleted INTEGER);
CREATE TABLE graph_edges (id TEXT PRIMARY KEY, from_id TEXT, to_id TEXT, type TEXT, custom_type TEXT, properties TEXT,
    weight REAL, evidence TEXT, created_at TEXT, updated_at TEXT, occurred_at TEXT, valid_until TEXT,
    last_confirmed_at TEXT, version INTEGER, deleted INTEGER);
PRAGMA writable_schema = ON;
INSERT INTO sqlite_schema VALUES ('table', 'vec_graph_nodes', 'vec_graph_nodes', 0,
    'CREATE VIRTUAL TABLE vec_graph_nodes USING vec0(embedding FLOAT[384])');
"""
DAY = "2026-05-12T10:00:00.000Z"


def write_graph(path: Path) -> None:
    """A database as the host keeps it, a table of vectors of a module that is not here included."""
    with sqlite3.connect(path) as graph:
        graph.executescript(HOST_SCHEMA)
        for id_, type_, label, deleted in (
            ("n1", "person", "Noor", 0),
            ("n2", "place", "Kiln", 0),
            ("n3", "x", "Gone", 1),
        ):
            values = (id_, type_, label, "", "{}", "psycheros", 0.5, None, DAY, DAY, DAY, DAY, 1, deleted)
            graph.execute(f"INSERT INTO graph_nodes VALUES ({', '.join('?' * 14)})", values)
        for id_, type_, own in (("e1", "knows", None), ("e2", "custom", "tends")):
            edge = (id_, "n1", "n2", type_, own, "{}", 0.8, "she said so", DAY, DAY, None, None, DAY, 1, 0)
            graph.execute(f"INSERT INTO graph_edges VALUES ({', '.join('?' * 15)})", edge)
    graph.close()


def test_the_graph_of_the_host_comes_in_and_the_same_again_changes_nothing(run: Run, data: Path) -> None:
    write_graph(data / "graph.db")
    first = json.loads(run("ingest", data, "--json").stdout)
    assert (first["changed"], first["skipped"]) == (len(KEYS) + 4 + 2 + 2, [])
    assert {each["label"] for each in ask(run, "graph_node_list")["nodes"]} == {"Noor", "Kiln"}
    edges = ask(run, "graph_edge_get")["edges"]
    assert sorted((each["type"], each["weight"]) for each in edges) == [("knows", 0.8), ("tends", 0.8)]
    again = json.loads(run("ingest", data, "--json").stdout)
    assert (again["changed"], again["skipped"]) == (0, [])
    assert ".snapshots: 1 earlier versions of identity files are not imported" in again["warnings"]


def test_a_graph_database_of_another_form_is_refused_by_name_and_the_rest_comes_in(run: Run, data: Path) -> None:
    with sqlite3.connect(data / "graph.db") as graph:
        graph.execute("CREATE TABLE graph_nodes (id TEXT)")
    graph.close()
    result = run("ingest", data)
    assert result.exit_code == 2
    [line] = [each for each in result.stderr.splitlines() if each.startswith("graph.db: ")]
    assert "entity_export" in line
    assert len(texts(run)) == len(KEYS)


@pytest.mark.parametrize(
    ("name", "content", "reason"),
    [
        ("notes.txt", b"a stray note", "not part of an entity-core folder"),
        ("self/my wants.md", b"tea", "not an identity file"),
        ("self/photo.png", b"\x89PNG\xff", "UTF-8"),
        ("memories/weekly/2026-W18.md", b" \n", "has no text"),
        ("memories/weekly/2026-W17.md", b"\xff\xfe\xff", "UTF-8"),
    ],
)
def test_a_file_that_has_no_place_is_named_and_the_rest_comes_in(
    run: Run, data: Path, name: str, content: bytes, reason: str
) -> None:
    (data / name).write_bytes(content)
    result = run("ingest", data)
    assert result.exit_code == 2
    [line] = [each for each in result.stderr.splitlines() if each.startswith(f"{name}: ")]
    assert reason in line
    assert len(texts(run)) == len(KEYS)
