"""Every tool's example, asked through a real client on every engine, in the example world."""

import json
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import anyio
import mcp_types as types
import pytest
from click.testing import CliRunner
from jsonschema import Draft202012Validator
from mcp import Client

from recollect.memory import Memory
from recollect.serve.callers import Caller
from recollect.serve.cli.main import main
from recollect.serve.docs.examples import NOW, Example, open_example
from recollect.serve.mcp import ServerContext, create_server
from recollect.surfaces.declarations import Tool
from recollect.surfaces.registry import find_surface, package_names
from recollect.surfaces.schema import output_schema, result_schema
from tests.conftest import ENGINES
from tests.support.databases import copy_database, new_postgres_database
from tests.support.processes import LONGEST_WAIT

TOOLS = [tool for name in package_names() for tool in find_surface(name).tools.values()]
every_tool = pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: f"{tool.surface.name}.{tool.name}")
on_one_engine = pytest.mark.parametrize("finished", ["sqlite"], indirect=True)
# Vectors, names of snapshots and known instances are bookkeeping, which makes no transaction.
BOOKKEEPING = (
    "snapshot_create",
    "sync_pull",
    "memory_embedding_purge",
    "memory_embedding_rebuild",
    "embedding_rebuild_all",
    "run_consistency_check",
)
# On entity-core the actor is the instance that a call names.
INSTANCES = ("psy-desk", "st-attic")
every_reader = pytest.mark.parametrize(
    "tool", [tool for tool in TOOLS if tool.is_for_readers], ids=lambda tool: f"{tool.surface.name}.{tool.name}"
)


@dataclass
class World:
    """The example worlds at their address."""

    address: str
    example: Example

    def memory(self, tool: Tool) -> Memory:
        return self.example.of(tool.surface.name)

    def tx(self, tool: Tool) -> int:
        with self.memory(tool).read() as view:
            return view.last_tx

    def ask(self, tool: Tool, arguments: dict[str, Any], *, may_write: bool = True) -> types.CallToolResult:
        """The answer as a client gets it, which has checked it against the published schema."""

        def open_for(caller: Caller, asked: Tool) -> Memory:
            return self.memory(tool).as_actor(asked.surface.name, asked.name, caller.actor, may_write=caller.may_write)

        caller = Caller("ann", "default", "write" if may_write else "read")
        door = ServerContext(lambda: tool.surface, open_for, lambda _: caller)

        async def run() -> types.CallToolResult:
            async with Client(create_server(tool.surface.name, door)) as client:
                with anyio.fail_after(LONGEST_WAIT):
                    await client.list_tools()
                    return await client.call_tool(tool.name, arguments)

        return anyio.run(run)


@pytest.fixture(scope="module", params=ENGINES)
def finished(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> str:
    """The example worlds in a store that others are copied from."""
    if request.param == "sqlite":
        address = str(tmp_path_factory.mktemp("finished") / "memory.db")
    else:
        address = new_postgres_database(request.getfixturevalue("postgres_server"))
    open_example(address).close()
    return address


def copy_store(finished: str, folder: Path, request: pytest.FixtureRequest) -> str:
    if finished.startswith("postgresql:"):
        return copy_database(request.getfixturevalue("postgres_server"), finished)
    return str(shutil.copy(finished, folder / "memory.db"))


@pytest.fixture
def own_world(finished: str, tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[World]:
    """A world for one tool that writes, so that none meets what another did."""
    yield from opened_world(copy_store(finished, tmp_path, request))


@pytest.fixture(scope="module")
def world(finished: str, tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest) -> Iterator[World]:
    yield from opened_world(copy_store(finished, tmp_path_factory.mktemp("world"), request))


def opened_world(address: str) -> Iterator[World]:
    example = open_example(address)
    yield World(address, example)
    example.close()


@every_reader
def test_the_example_answers_as_published_and_leaves_the_store_as_it_was(world: World, tool: Tool) -> None:
    before = world.tx(tool)
    assert_answers_as_published(world.ask(tool, dict(tool.example)), tool)
    assert world.tx(tool) == before


def assert_answers_as_published(result: types.CallToolResult, tool: Tool) -> None:
    assert not result.is_error
    Draft202012Validator(output_schema(tool)).validate(result.structured_content)
    Draft202012Validator(result_schema(tool)).validate(result.structured_content)


@on_one_engine
@pytest.mark.parametrize(
    "tool",
    [tool for tool in TOOLS if not tool.surface.ignores_unknown],
    ids=lambda tool: f"{tool.surface.name}.{tool.name}",
)
def test_an_unknown_argument_is_refused_and_nothing_is_written(world: World, tool: Tool) -> None:
    before = world.tx(tool)
    result = world.ask(tool, {**tool.example, "no_such_argument": 1})
    assert result.is_error or "error" in result.structured_content
    assert "no_such_argument" in said_of(result)
    assert world.tx(tool) == before


def said_of(failure: types.CallToolResult) -> str:
    """What a failure says; the drop-in surface says it in text alone, as the server that it stands in for."""
    texts = [each.text for each in failure.content if isinstance(each, types.TextContent)]
    return json.dumps([failure.structured_content, *texts])


@pytest.mark.parametrize(
    "tool", [tool for tool in TOOLS if not tool.is_for_readers], ids=lambda tool: f"{tool.surface.name}.{tool.name}"
)
def test_writing_says_who_did_it_and_is_forbidden_to_readers(own_world: World, tool: Tool) -> None:
    before = own_world.tx(tool)
    forbidden = own_world.ask(tool, dict(tool.example), may_write=False)
    assert "may only read" in said_of(forbidden)
    assert own_world.tx(tool) == before
    assert_answers_as_published(own_world.ask(tool, dict(tool.example)), tool)
    with own_world.memory(tool).read() as view:
        done = view.transaction(view.last_tx) if view.last_tx > before else None
    if done is None:
        assert tool.name in BOOKKEEPING
    else:
        assert (done.surface, done.tool) == (tool.surface.name, tool.name)
        assert done.actor in ("ann", *INSTANCES)


@on_one_engine
@every_reader
def test_the_command_line_gives_the_same_answer(
    world: World, tool: Tool, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("RECOLLECT_NOW", NOW)
    workspace = world.memory(tool).workspace.name
    words = ["call", tool.name, "--surface", tool.surface.name, "--db", world.address, "--workspace", workspace]
    shown = CliRunner().invoke(main, [*words, "--json", json.dumps(tool.example)])
    assert shown.exit_code == 0, shown.output
    assert _lasting(json.loads(shown.stdout)) == _lasting(world.ask(tool, dict(tool.example)).structured_content)


def _lasting(answer: dict[str, Any]) -> dict[str, Any]:
    """The answer without what every call uses up a part of."""
    return {key: value for key, value in answer.items() if key != "budget"}


def test_each_page_is_up_to_date() -> None:
    from recollect.serve.docs.__main__ import pages

    folder = Path(__file__).parents[2] / "docs" / "surfaces"
    stale = [path.name for path, text in pages(folder).items() if not path.exists() or path.read_text("utf-8") != text]
    assert stale == []
