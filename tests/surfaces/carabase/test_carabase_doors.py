"""The surface through real clients: over pipes, over HTTP and over the older SSE transport."""

import json
import subprocess
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar

import anyio
import httpx2
import pytest
from mcp import Client
from mcp.client.sse import sse_client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.exceptions import MCPError
from tests.support.processes import COMMAND, LONGEST_WAIT, environment, http, stdio

TEN = {
    "carabase_search_semantic",
    "carabase_search_graph",
    "carabase_query_metadata",
    "carabase_find_entity_candidates",
    "carabase_route_and_execute",
    "carabase_query_timeseries",
    "carabase_resolve_mesh_uri",
    "carabase_traverse_memory_network",
    "carabase_verify_hypothesis",
    "commit_to_folio",
}
UNKNOWN = "019e44d3-ed00-73c4-9f84-0522384cd86c"
NOTE = {
    "id": "n-1",
    "type": "note",
    "title": "Frost log",
    "source_at": "2026-05-01T08:00:00Z",
    "content": "Late frost.",
}
LINES = (
    {"record": NOTE, "facts": [{"from": "Brindle Foods", "predicate": "supplies", "to": "Copperleaf"}]},
    {"record": {**NOTE, "id": "n-2", "title": "Sealed", "tier": 3, "mesh_uri": "mesh://files/account=a/path=b"}},
    {"folio": {"name": "North Field", "readme": "Plums."}},
)
T = TypeVar("T")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with two notes and a folio, without a model for meanings."""
    made = tmp_path_factory.mktemp("farm")
    (made / "recollect.toml").write_text('[embedding]\nmodel = "none"\n', "utf-8")
    (made / "farm.jsonl").write_text("\n".join(map(json.dumps, LINES)), "utf-8")
    done = subprocess.run(
        [*COMMAND, "ingest", "farm.jsonl"], check=False, cwd=made, env=environment(made), capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return made


@pytest.fixture(scope="module")
def served(folder: Path) -> Iterator[str]:
    with http(folder) as running:
        yield running.rstrip("/")


def over(transport: Any, job: Callable[[Client], Awaitable[T]]) -> T:
    async def run() -> T:
        async with Client(transport, mode="legacy") as client:
            with anyio.fail_after(LONGEST_WAIT):
                return await job(client)

    return anyio.run(run)


async def whole_tour(client: Client) -> dict[str, Any]:
    """What a client sees of the surface, asked once for each kind of thing."""
    tools = {tool.name: tool.annotations for tool in (await client.list_tools()).tools}
    templates = [each.uri_template for each in (await client.list_resource_templates()).resource_templates]
    resources = (await client.list_resources()).resources
    found = await client.call_tool("search_semantic", {"query": "late frost"})
    unknown = await client.call_tool("carabase_attach_file", {})
    refused = await client.call_tool("carabase_search_graph", {"start_entity": "Copperleaf", "depth": 9})
    nobody = await client.call_tool("query_graph", {"start_entity": "Xyzzy"})
    assert found.structured_content is not None
    uri = found.structured_content["results"][0]["uri"]
    body = await client.read_resource(uri)
    readme = await client.read_resource("folio://North%20Field/readme")
    return {
        "tools": tools,
        "templates": templates,
        "resources": resources,
        "found": found,
        "unknown": unknown,
        "refused": refused,
        "nobody": nobody,
        "body": body.contents[0],
        "readme": readme.contents[0],
        "missing": await failure(client, f"carabase://artifact/{UNKNOWN}"),
        "malformed": await failure(client, "carabase://artifact/plums"),
        "elsewhere": await failure(client, "other://artifact/plums"),
    }


async def failure(client: Client, uri: str) -> tuple[int, Any]:
    with pytest.raises(MCPError) as caught:
        await client.read_resource(uri)
    return caught.value.error.code, (caught.value.error.data or {}).get("reason")


def assert_whole_tour(tour: dict[str, Any]) -> None:
    assert set(tour["tools"]) == TEN
    assert tour["templates"] == ["carabase://artifact/{id}", "folio://{id}/readme"]
    assert tour["resources"] == []
    assert (tour["found"].is_error, tour["found"].structured_content["count"]) == (False, 1)
    for answer, start in (
        (tour["unknown"], "Error UNKNOWN_TOOL: "),
        (tour["refused"], "Error INVALID_ARGUMENT: depth must be 1..3"),
    ):
        lines = answer.content[0].text.split("\n")
        assert (answer.is_error, lines[0].startswith(start)) == (True, True)
        assert [line.partition(":")[0] for line in lines[-2:]] == ["[hint", "[trace"]
    assert (tour["nobody"].is_error, tour["nobody"].structured_content["_hint"]["shape"]) == (
        False,
        "graphUnknownEntity",
    )
    assert (tour["body"].text, tour["body"].mime_type) == ("Late frost.", "text/plain")
    assert (tour["readme"].text, tour["readme"].mime_type) == ("# North Field\n\nPlums.", "text/markdown")
    assert tour["missing"] == (-32002, "not_found")
    assert tour["malformed"][0] == -32602
    assert tour["elsewhere"] == (-32002, "not_found")


def test_over_sse(served: str) -> None:
    assert_whole_tour(over(sse_client(f"{served}/mcp/sse?surface=carabase", timeout=LONGEST_WAIT), whole_tour))


def test_over_streamable_http(served: str) -> None:
    async def run() -> dict[str, Any]:
        async with (
            httpx2.AsyncClient(timeout=LONGEST_WAIT) as client,
            Client(streamable_http_client(f"{served}/mcp/carabase", http_client=client), mode="legacy") as session,
        ):
            with anyio.fail_after(LONGEST_WAIT):
                return await whole_tour(session)

    assert_whole_tour(anyio.run(run))


def test_over_stdio_with_annotations_and_only_protocol(folder: Path) -> None:
    with stdio(folder, "--surface", "carabase") as spoken:
        capabilities = spoken.greet()["result"]["capabilities"]
        assert {"tools", "resources"} <= capabilities.keys()
        tools = {tool["name"]: tool["annotations"] for tool in spoken.ask(1, "tools/list")["result"]["tools"]}
        assert set(tools) == TEN
        for name, shown in tools.items():
            is_writer = name == "commit_to_folio"
            assert (shown["readOnlyHint"], shown["destructiveHint"], shown["idempotentHint"]) == (
                not is_writer,
                False,
                True,
            )
            assert shown["openWorldHint"] == (name == "carabase_resolve_mesh_uri")
        answer = spoken.ask(2, "tools/call", {"name": "nothing", "arguments": {}})["result"]
        assert answer["structuredContent"]["error"]["code"] == "UNKNOWN_TOOL"
        filed = {"name": "commit_to_folio", "arguments": {"folioName": "North Field", "content": "Pears."}}
        written = spoken.ask(3, "tools/call", filed)["result"]["structuredContent"]
        uri = written["artifact_uris"][0]
        assert spoken.ask(4, "resources/read", {"uri": uri})["result"]["contents"][0]["text"] == "Pears."
        asked = {"name": "carabase_query_metadata", "arguments": {"folio": "north field"}}
        found = spoken.ask(5, "tools/call", asked)["result"]["structuredContent"]
        assert [each["uri"] for each in found["results"]] == [uri]


def test_other_surfaces_have_no_resources(folder: Path) -> None:
    with stdio(folder, "--surface", "pearscarf") as spoken:
        assert "resources" not in spoken.greet()["result"]["capabilities"]
        assert "error" in spoken.ask(1, "resources/templates/list")
