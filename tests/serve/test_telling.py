"""A long call says how far it is: to whoever gave a token, and of vectors computed anew to every client."""

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from threading import Event
from typing import Any

import anyio
import pytest
from mcp import Client
from mcp.client.sse import sse_client

from recollect.embed.port import EmbeddingFailed, Vectors
from recollect.memory import Memory, WorkspaceCache
from recollect.surfaces.registry import find_surface
from tests.serve.listening import Listener, served
from tests.support.facts import fact, tell
from tests.support.hash_embedder import HashEmbedder
from tests.support.processes import LONGEST_WAIT, http, stdio

ERAS = pytest.mark.parametrize("era", ["legacy", "2026-07-28"])
DAYS = ("2026-05-01", "2026-05-02", "2026-05-03")
Json = dict[str, Any]
Step = tuple[float, float | None]


def day(date: str) -> Json:
    return {"granularity": "daily", "date": date, "content": f"- kiln of {date}", "instanceId": "psy-desk"}


async def use(client: Client, tool: str, arguments: Json) -> tuple[Json, list[Step]]:
    """The answer of a tool after three days, and how far it said it was."""
    steps: list[Step] = []

    async def note(progress: float, total: float | None, message: str | None) -> None:
        assert message
        steps.append((progress, total))

    with anyio.fail_after(LONGEST_WAIT):
        for date in DAYS:
            await client.call_tool("memory_create", day(date))
        answer = await client.call_tool(tool, arguments, progress_callback=note)
        # What was told came before the answer, but the client hands it on in tasks of its own.
        await anyio.wait_all_tasks_blocked()
    return answer.structured_content or {}, steps


def in_process(memory: Memory, era: str, tool: str, **arguments: Any) -> tuple[Json, list[Step], list[Json]]:
    listener = Listener()

    async def run() -> tuple[Json, list[Step]]:
        async with Client(served(memory), mode=era, extensions=[listener]) as client:
            return await use(client, tool, arguments)

    answer, steps = anyio.run(run)
    return answer, steps, listener.heard


@ERAS
def test_a_rebuild_tells_its_caller_and_its_client_how_far_it_is(memory: Memory, era: str) -> None:
    seeing = replace(memory, cache=WorkspaceCache([HashEmbedder()]))
    answer, steps, heard = in_process(seeing, era, "memory_embedding_rebuild")
    assert answer["rebuilt"] == 3
    assert steps == [(0, 3), (1, 3), (2, 3), (3, 3)]
    assert [(each["phase"], each["done"]) for each in heard] == [
        ("started", 0),
        ("progress", 1),
        ("progress", 2),
        ("progress", 3),
        ("done", 3),
    ]
    assert {frozenset(each) for each in heard} == {frozenset({"phase", "scope", "done", "total", "message"})}
    assert {(each["scope"], each["total"]) for each in heard} == {("memories", 3)}


def test_a_rebuild_of_everything_counts_memories_and_nodes_as_one_work(memory: Memory) -> None:
    seeing = replace(memory, cache=WorkspaceCache([HashEmbedder()]))
    tell(memory, fact("Ada", "works_at", "Analytical Engines"))
    answer, steps, heard = in_process(seeing, "legacy", "embedding_rebuild_all")
    total = answer["memoriesTotal"] + answer["nodesTotal"]
    assert steps[-1] == (total, total)
    assert (heard[-1]["phase"], heard[-1]["scope"], heard[-1]["done"]) == ("done", "all", total)


class Cold(HashEmbedder):
    """Can embed nothing."""

    def embed(self, texts: Sequence[str]) -> Vectors:
        raise EmbeddingFailed(self.model, f"{len(texts)} texts are too cold")


def test_a_rebuild_in_vain_says_that_it_failed(memory: Memory) -> None:
    answer, _, heard = in_process(replace(memory, cache=WorkspaceCache([Cold()])), "legacy", "memory_embedding_rebuild")
    assert (answer["rebuilt"], answer["failed"]) == (0, 3)
    assert (heard[-1]["phase"], heard[-1]["done"]) == ("failed", 3)


class WaitingPassages(HashEmbedder):
    """Embeds once it may."""

    def __init__(self) -> None:
        super().__init__()
        self.has_begun, self.may_go_on = Event(), Event()

    def embed(self, texts: Sequence[str]) -> Vectors:
        self.has_begun.set()
        assert self.may_go_on.wait(LONGEST_WAIT)
        return super().embed(texts)


@ERAS
def test_a_client_that_no_longer_waits_leaves_no_rebuild_running(memory: Memory, era: str) -> None:
    embedder = WaitingPassages()
    surface = served(replace(memory, cache=WorkspaceCache([embedder])))

    async def give_up(client: Client) -> None:
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(client.call_tool, "memory_embedding_rebuild", {})
            await anyio.to_thread.run_sync(embedder.has_begun.wait, LONGEST_WAIT)
            tasks.cancel_scope.cancel()
            embedder.may_go_on.set()

    async def run() -> Json:
        async with Client(surface, mode=era) as client:
            with anyio.fail_after(LONGEST_WAIT):
                await client.call_tool("memory_create", day(DAYS[0]))
                await give_up(client)
                while True:
                    answer = (await client.call_tool("memory_embedding_rebuild", {})).structured_content or {}
                    if not answer["running"]:
                        return answer

    assert anyio.run(run)["rebuilt"] == 1


@ERAS
def test_periods_are_told_one_by_one_and_only_to_who_asked(memory: Memory, era: str) -> None:
    answer, steps, heard = in_process(memory, era, "memory_consolidate", all=True)
    made = [each["dateStr"] for each in answer["consolidations"]]
    assert made == ["2026-W18"]
    assert (steps, heard) == ([(1, 1)], [])


def test_a_restored_state_and_an_archive_are_told_memory_by_memory(memory: Memory) -> None:
    _, steps, _ = in_process(memory, "legacy", "memory_update", id=f"daily-{DAYS[0]}_psy-desk", content="- bees")
    assert steps == []
    with memory.read() as view:
        before = view.last_tx - 1
    _, steps, _ = in_process(memory, "legacy", "snapshot_restore", target="memories", as_of=before)
    assert steps == [(1, 1)]
    data = find_surface("entity-core").tools["entity_export"].invoke(memory, {})["data"]
    _, steps, _ = in_process(memory, "legacy", "entity_import", data=data, mode="merge")
    assert steps == [(1, 3), (2, 3), (3, 3)]


@ERAS
def test_over_streamable_http_it_comes_on_the_stream_of_the_call(tmp_path: Path, era: str) -> None:
    listener = Listener()

    async def run(address: str) -> tuple[Json, list[Step]]:
        async with Client(f"{address}/mcp/entity-core", mode=era, extensions=[listener]) as client:
            return await use(client, "memory_embedding_rebuild", {})

    with http(tmp_path) as address:
        answer, steps = anyio.run(run, address)
    # A client may hand on what comes close together in any order; over stdio the order itself is looked at.
    assert (answer["rebuilt"], sorted(steps)) == (3, [(0, 3), (1, 3), (2, 3), (3, 3)])
    assert sorted(each["phase"] for each in listener.heard) == ["done", "progress", "progress", "progress", "started"]


def test_over_the_older_transport_it_comes_as_well(tmp_path: Path) -> None:
    listener = Listener()

    async def run(address: str) -> tuple[Json, list[Step]]:
        transport = sse_client(f"{address}/mcp/sse?surface=entity-core", timeout=LONGEST_WAIT)
        async with Client(transport, mode="legacy", extensions=[listener]) as client:
            return await use(client, "memory_embedding_rebuild", {})

    with http(tmp_path) as address:
        _, steps = anyio.run(run, address)
    assert sorted(steps) == [(0, 3), (1, 3), (2, 3), (3, 3)]
    assert {each["phase"] for each in listener.heard} == {"started", "progress", "done"}


def test_over_stdio_a_call_without_a_token_still_hears_of_rebuilds(tmp_path: Path) -> None:
    with stdio(tmp_path, "--surface", "entity-core") as client:
        client.greet()
        client.ask(1, "tools/call", {"name": "memory_create", "arguments": day(DAYS[0])})
        client.ask(2, "tools/call", {"name": "memory_embedding_rebuild", "arguments": {}})
        meta = {"progressToken": "mine"}
        client.ask(3, "tools/call", {"name": "memory_embedding_rebuild", "arguments": {}, "_meta": meta})
    said = [json.loads(line) for line in client.lines]
    kinds = [each["method"].removeprefix("notifications/") if "method" in each else each["id"] for each in said]
    rebuild = ["embedding-rebuild"] * 3
    assert kinds == [0, 1, *rebuild, 2, rebuild[0], "progress", rebuild[1], "progress", rebuild[2], 3]
    progress = [each["params"] for each in said if each.get("method") == "notifications/progress"]
    assert [(each["progressToken"], each["progress"], each["total"]) for each in progress] == [
        ("mine", 0, 1),
        ("mine", 1, 1),
    ]
