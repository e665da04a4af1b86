"""One surface as an MCP server, seen by a real client in both eras of the protocol."""

from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

import anyio
import mcp_types as types
import pytest
from mcp import Client, MCPError

from recollect.serve.callers import Caller
from recollect.serve.mcp import ServerContext, create_server
from recollect.surfaces.declarations import Surface
from tests.support.processes import LONGEST_WAIT
from tests.support.toy_surface import ToyServed

T = TypeVar("T")
ERAS = pytest.mark.parametrize("era", ["legacy", "2026-07-28"])


def with_client(
    toy: Surface, era: str, use: Callable[[Client], Awaitable[T]], *, may_write: bool = True, **options: Any
) -> T:
    served = ToyServed()
    caller = Caller("someone", "default", "write" if may_write else "read")
    door = ServerContext(lambda: toy, served.open_for, lambda _: caller)

    async def run() -> T:
        async with Client(create_server("toy", door), mode=era, **options) as client:
            with anyio.fail_after(LONGEST_WAIT):
                return await use(client)

    return anyio.run(run)


@ERAS
def test_tools_are_listed_with_schemas_and_annotations(toy: Surface, era: str) -> None:
    listed = with_client(toy, era, lambda client: client.list_tools())
    assert [tool.name for tool in listed.tools] == ["find_note", "list_notes", "write_note", "drop_note"]
    find, _, write, drop = listed.tools
    assert find.description == "One note by its name."
    assert find.meta == {"recollect/surface": "toy"}
    assert find.output_schema is not None
    annotations = [each.annotations or types.ToolAnnotations() for each in (find, write, drop)]
    hints = [(each.read_only_hint, each.destructive_hint) for each in annotations]
    assert hints == [(True, False), (False, False), (False, True)]


@ERAS
def test_a_call_gives_structured_content_text_and_meta(toy: Surface, era: str) -> None:
    result = with_client(toy, era, lambda client: client.call_tool("find_note", {"name": "first", "as_of": 3}))
    assert result.structured_content == {"note": {"name": "first", "text": "hello"}}
    assert [getattr(block, "text", None) for block in result.content] == ['{"note":{"name":"first","text":"hello"}}']
    assert (result.meta or {})["as_of"] == 3
    assert not result.is_error


@ERAS
def test_a_refused_argument_is_an_error_result_and_the_server_goes_on(toy: Surface, era: str) -> None:
    async def twice(client: Client) -> tuple[types.CallToolResult, types.CallToolResult]:
        return await client.call_tool("find_note", {"nam": 1}), await client.call_tool("find_note", {"name": "first"})

    bad, good = with_client(toy, era, twice)
    assert bad.is_error
    assert not good.is_error


@ERAS
def test_an_unknown_tool_is_a_protocol_error_and_the_server_goes_on(toy: Surface, era: str) -> None:
    async def try_both(client: Client) -> types.ListToolsResult:
        with pytest.raises(MCPError) as caught:
            await client.call_tool("no_such_tool", {})
        assert caught.value.code == types.INVALID_PARAMS
        return await client.list_tools(cache_mode="bypass")

    assert with_client(toy, era, try_both).tools


def test_a_reader_sees_only_what_reads_and_is_forbidden_the_rest(toy: Surface) -> None:
    async def look(client: Client) -> tuple[list[str], types.CallToolResult]:
        names = [tool.name for tool in (await client.list_tools()).tools]
        return names, await client.call_tool("write_note", {"name": "a", "text": "b"})

    names, forbidden = with_client(toy, "auto", look, may_write=False)
    assert names == ["find_note", "list_notes"]
    assert forbidden.structured_content["error"] == "forbidden"


@ERAS
@pytest.mark.parametrize(("action", "is_error"), [("accept", False), ("decline", True), ("cancel", True)])
def test_destroying_is_confirmed_where_the_client_can_ask(toy: Surface, era: str, action: Any, is_error: bool) -> None:
    asked: list[str] = []

    async def reply(_: object, params: types.ElicitRequestParams) -> types.ElicitResult:
        asked.append(params.message)
        return types.ElicitResult(action=action, content={} if action == "accept" else None)

    async def drop(client: Client) -> types.CallToolResult:
        return await client.call_tool("drop_note", {"name": "first"})

    assert with_client(toy, era, drop, elicitation_callback=reply).is_error is is_error
    assert ["first" in question for question in asked] == [True]


@ERAS
def test_destroying_goes_on_where_the_client_cannot_ask(toy: Surface, era: str) -> None:
    result = with_client(toy, era, lambda client: client.call_tool("drop_note", {"name": "first"}))
    assert not result.is_error
