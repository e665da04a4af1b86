"""The data folder of an entity-core host, ingested as it lies on disk."""

import json
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from tests.serve.command_line import Run

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
    ".snapshots/self/my_identity_2026-05-01T07-21-27-605Z.md": (
        "# Snapshot: self/my_identity.md\n# Date: 2026-05-01\n# Reason: pre-replace\n# Source: psycheros\n\n"
        "I was Finch.\n\nOnce.\n\n"
    ),
}
KEYS = [name for name in FILES if name.partition("/")[0] in ("self", "user", "relationship", "custom")]


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


NODE = """INSERT INTO graph_nodes VALUES (?, ?, ?, 'Keeps bees.', '{"hives": 3}', 'psycheros', 0.9, ?)"""
EDGE = "INSERT INTO graph_edges VALUES (?, 'n1', 'n2', ?, ?, '{}', 0.8, 'She said so', '2026-05-01T00:00:00Z', ?, ?)"


def write_graph(path: Path) -> None:
    graph = sqlite3.connect(path)
    graph.execute("PRAGMA journal_mode = wal")
    graph.execute(
        "CREATE TABLE graph_nodes (id TEXT, type TEXT, label TEXT, description TEXT, properties TEXT, "
        "source_instance TEXT, confidence REAL, deleted INTEGER)"
    )
    graph.execute(
        "CREATE TABLE graph_edges (id TEXT, from_id TEXT, to_id TEXT, type TEXT, custom_type TEXT, properties TEXT, "
        "weight REAL, evidence TEXT, occurred_at TEXT, valid_until TEXT, deleted INTEGER)"
    )
    for node in (("n1", "person", "Noor", 0), ("n2", "place", "Leuven", 0), ("n3", "person", "Gone", 1)):
        graph.execute(NODE, node)
    graph.execute(EDGE, ("e1", "lives_in", None, None, 0))
    graph.execute(EDGE, ("e2", "custom", "sells honey in", "2026-05-10T00:00:00Z", 0))
    graph.execute(EDGE, ("e3", "knows", None, None, 1))
    # A table of vectors, of a module that is not here.
    graph.execute("PRAGMA writable_schema = ON")
    graph.execute(
        "INSERT INTO sqlite_schema VALUES ('table', 'vec_graph_nodes', 'vec_graph_nodes', 0, "
        "'CREATE VIRTUAL TABLE vec_graph_nodes USING vec0(embedding FLOAT[384])')"
    )
    graph.commit()
    graph.close()


def test_everything_of_a_data_folder_comes_in_and_is_counted(run: Run, data: Path) -> None:
    write_graph(data / "graph.db")
    result = run("ingest", data, "--json")
    assert result.exit_code == 0, result.output
    taken = json.loads(result.stdout)
    # Four identity files, four memories, one snapshot, two nodes and two edges.
    assert (taken["lines"], taken["changed"], taken["skipped"]) == (13, 13, [])
    labels = {each["label"] for each in ask(run, "graph_node_list")["nodes"]}
    assert labels >= {"Noor", "Leuven"}
    assert "Gone" not in labels
    edges = {each["type"]: each for each in ask(run, "graph_edge_get")["edges"]}
    assert set(edges) == {"lives_in", "sells_honey_in"}
    [snapshot] = ask(run, "snapshot_list", category="self")["snapshots"]
    assert (snapshot["id"], snapshot["reason"]) == ("self/my_identity_2026-05-01T07-21-27-605Z", "pre-replace")
    assert ask(run, "snapshot_get", snapshotId=snapshot["id"])["content"] == "I was Finch.\n\nOnce.\n"
    again = json.loads(run("ingest", data, "--json").stdout)
    assert (again["lines"], again["changed"], again["facts"]) == (13, 0, 0)
    assert sorted(each.name for each in data.glob("graph.db*")) == ["graph.db"]


def test_a_file_that_the_host_deleted_can_be_brought_back(run: Run, data: Path) -> None:
    name = "rituals_2026-05-02T00-00-00-000Z"
    place = data / ".snapshots" / "custom" / f"{name}.md"
    place.parent.mkdir()
    place.write_text("# Snapshot: custom/rituals.md\n# Reason: pre-delete\n# Source: entity-core\n\nTea at four.\n")
    (place.parent / "stray.md").write_text("no snapshot")
    assert "stray.md: it is not a snapshot" in run("ingest", data).stderr
    assert "custom/rituals.md" not in texts(run)
    assert ask(run, "snapshot_restore", snapshotId=f"custom/{name}")["success"]
    assert texts(run)["custom/rituals.md"] == "Tea at four."


def test_another_database_is_named_and_the_rest_comes_in(run: Run, data: Path) -> None:
    with sqlite3.connect(data / "graph.db") as graph:
        graph.execute("CREATE TABLE pictures (id TEXT)")
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
        ("memories/weekly/2026-W16.md", b"\x00\x01\x02", "binary file"),
        ("user/bees.md", b"\x00\x01\x02", "binary file"),
        ("memories/daily/some-day.md", b"- bees", "not a memory"),
        ("user/long.md", b"x" * (1 << 20) + b"y", "longer than 1 MiB"),
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
