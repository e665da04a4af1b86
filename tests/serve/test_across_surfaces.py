"""What one client writes on one surface is seen by another client on another, each in its own process."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import anyio
from mcp import Client
from mcp.client.stdio import StdioServerParameters, stdio_client

from tests.support.processes import COMMAND, LONGEST_WAIT, environment

Json = dict[str, Any]


@asynccontextmanager
async def on(surface: str, folder: Path) -> AsyncIterator[Client]:
    program, *words = COMMAND
    env = environment(folder, RECOLLECT_EMBEDDING_MODEL="none")
    server = StdioServerParameters(command=program, args=[*words, "stdio", "--surface", surface], env=env, cwd=folder)
    async with Client(stdio_client(server)) as client:
        yield client


async def ask(client: Client, tool: str, **arguments: Any) -> Json:
    found: Json = (await client.call_tool(tool, arguments)).structured_content or {}
    return found


def test_a_fact_recorded_on_cognitive_graph_is_an_edge_on_entity_core_and_is_found_by_name(tmp_path: Path) -> None:
    async def run() -> None:
        async with on("cognitive-graph", tmp_path) as cognitive, on("entity-core", tmp_path) as entity:
            ada, engine = {"type": "person", "name": "Ada Lovelace"}, {"type": "project", "name": "Analytical Engine"}
            recorded = await ask(cognitive, "record_fact", subject=ada, predicate="belongs_to", object=engine)
            assert "error" not in recorded
            [hit] = (await ask(entity, "graph_node_search", query="ada  LOVELACE", minScore=1))["results"]
            start = hit["node"]["id"]
            [edge] = (await ask(entity, "graph_edge_get", fromId=start))["edges"]
            assert (edge["type"], edge["valid"]) == ("belongs_to", True)
            [reached] = (await ask(entity, "graph_traverse", startNodeId=start))["results"]
            assert (reached["node"]["label"], reached["path"]) == ("Analytical Engine", [edge["id"]])
            around = await ask(entity, "graph_subgraph", nodeId=edge["toId"], depth=1)
            assert [node["label"] for node in around["nodes"]] == ["Analytical Engine", "Ada Lovelace"]
            same = await ask(entity, "graph_node_create", type="person", label="ada lovelace")
            assert (same["created"], same["node"]["id"]) == (False, start)
            named = {"fromLabel": "Ada Lovelace", "toLabel": "analytical engine", "type": "belongs_to"}
            again = await ask(entity, "graph_write_transaction", edges=[named])
            assert (again["edgesCreated"], again["edgesConfirmed"], again["edges"][0]["id"]) == (0, 1, edge["id"])
            named = {"fromLabel": "Ada Lovelace", "toLabel": "Analytical Engine", "type": "depends_on"}
            await ask(entity, "graph_write_transaction", edges=[named])
            facts = (await ask(cognitive, "recall_entity", name_or_alias="Ada Lovelace"))["facts"]
            assert sorted(fact["predicate"] for fact in facts) == ["belongs_to", "depends_on"]

    with_patience(run)


def with_patience(run: Any) -> None:
    async def bounded() -> None:
        with anyio.fail_after(LONGEST_WAIT):
            await run()

    anyio.run(bounded)
