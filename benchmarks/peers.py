"""Other memories behind MCP, filled with the same facts: what they are called and how they are asked."""

import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks.speaking import Server
from benchmarks.world import Line, lines, probe_name, written_name

Operation = Callable[[Server, int], object]
NPM_MEMORY = "@modelcontextprotocol/server-memory"
MEMPALACE = "mempalace"
FIND = "search_nodes (ours: recall, 100 tokens)"


class Side(NamedTuple):
    """A server and how each operation is done on it."""

    name: str
    command: Sequence[str]
    environment: Mapping[str, str]
    operations: Mapping[str, Operation]


class Missing(Exception):
    """A peer that cannot be had here."""


def ours(store: Path) -> Side:
    began = time.time_ns()  # a kept store must not know these facts from an earlier run or peer
    command = (sys.executable, "-m", "recollect", "stdio")
    return Side(
        "recollect",
        command,
        {**os.environ, "RECOLLECT_DB": str(store)},
        {
            "add a fact": lambda server, number: server.call(
                "remember",
                facts=[
                    {"subject": written_name(number), "predicate": "tagged", "value": f"{_tag(number)} of {began}"},
                ],
                source="bench",
            ),
            "facts of an entity": _recall,
            "facts at a date": lambda server, number: _recall(server, number, at="2026-06-01"),
            FIND: lambda server, number: _recall(server, number, max_tokens=100),
        },
    )


def _recall(server: Server, number: int, **more: Any) -> dict[str, Any]:
    """The facts of one entity, as many as fit."""
    name = probe_name(number % 20)
    return server.call("recall", **{"query": name, "about": name, "kinds": ["facts"], "max_tokens": 20_000, **more})


def npm_memory(folder: Path, facts: int) -> Side:
    """The reference memory server; its store is one file of JSON lines."""
    home = folder / "npm"
    entry = home / "node_modules" / NPM_MEMORY / "dist" / "index.js"
    if not entry.exists():
        home.mkdir(exist_ok=True)
        _install(["npm", "install", "--no-fund", "--no-audit", "--prefix", str(home), NPM_MEMORY])
    store = folder / "npm-memory.jsonl"
    store.write_text("\n".join(map(json.dumps, _npm_lines(facts))), "utf-8")
    return Side(
        NPM_MEMORY,
        ("node", str(entry)),
        {**os.environ, "MEMORY_FILE_PATH": str(store)},
        {
            "add a fact": lambda server, number: server.call(
                "create_relations",
                relations=[{"from": written_name(number), "to": _tag(number), "relationType": "tagged"}],
            ),
            "facts of an entity": lambda server, number: server.call("open_nodes", names=[probe_name(number % 20)]),
            FIND: lambda server, number: server.call("search_nodes", query=probe_name(number % 20)),
        },
    )


def _npm_lines(facts: int) -> Iterator[Line]:
    for line in lines(facts, 0):
        for entity in line["entities"]:
            yield {"type": "entity", "name": entity["name"], "entityType": entity["type"], "observations": []}
        for fact in line["facts"]:
            yield {"type": "relation", "from": fact["from"], "to": fact["to"], "relationType": fact["fact_type"]}


def mempalace(folder: Path, facts: int) -> Side:
    """MemPalace's knowledge graph; filled through its own Python class, since its tool takes one fact a call."""
    home, palace = folder / "mempalace", folder / "palace"
    python = home / "bin" / "python"
    if not (home / "bin" / "mempalace-mcp").exists():
        _install([sys.executable, "-m", "venv", str(home)])
        _install([str(python), "-m", "pip", "install", "--quiet", MEMPALACE])
    shutil.rmtree(palace, ignore_errors=True)
    palace.mkdir()
    triples = [[each["from"], each["fact_type"], each["to"]] for line in lines(facts, 0) for each in line["facts"]]
    fill = [str(python), "-c", _FILL, str(palace / "knowledge_graph.sqlite3")]
    subprocess.run(fill, input=json.dumps(triples).encode(), check=True, env=_quiet(palace))
    return Side(
        "MemPalace",
        (str(python), "-m", "mempalace.mcp_server", "--palace", str(palace)),
        _quiet(palace),
        {
            "add a fact": lambda server, number: server.call(
                "mempalace_kg_add", subject=written_name(number), predicate="tagged", object=_tag(number)
            ),
            "facts of an entity": lambda server, number: server.call(
                "mempalace_kg_query", entity=probe_name(number % 20)
            ),
            "facts at a date": lambda server, number: server.call(
                "mempalace_kg_query", entity=probe_name(number % 20), as_of="2026-06-01"
            ),
        },
    )


_FILL = """
import json, sys
from mempalace.knowledge_graph import KnowledgeGraph
graph = KnowledgeGraph(db_path=sys.argv[1])
for subject, predicate, other in json.load(sys.stdin):
    graph.add_triple(subject, predicate, other, valid_from="2026-01-01")
"""


def _quiet(palace: Path) -> dict[str, str]:
    return {**os.environ, "MEMPALACE_PALACE_PATH": str(palace), "MEMPALACE_CONFIG_DIR": str(palace / "config")}


def _install(command: Sequence[str]) -> None:
    try:
        subprocess.run(command, check=True, capture_output=True, timeout=900)
    except (OSError, subprocess.SubprocessError) as problem:
        raise Missing(f"{command[0]} could not install it ({type(problem).__name__})") from problem


def _tag(number: int) -> str:
    return f"tag {number}"
