"""The client's own model: asked through the protocol where it is offered and nothing else is set up."""

import json
from typing import Any

import anyio
import mcp_types as types
import pytest
from mcp import Client, MCPError

from recollect.memory import Memory
from recollect.serve.callers import Caller
from recollect.serve.mcp import Door, server
from recollect.surfaces.registry import find_surface

DAY = {"granularity": "daily", "date": "2026-05-04", "content": "- Noor fired the kiln", "instanceId": "psy-desk"}
WEEK = {"granularity": "weekly", "targetDate": "2026-W19"}


def consolidated(memory: Memory, sampling: Any, era: str = "legacy") -> tuple[str, str]:
    """The method and text of a week that a client has summed up."""
    surface = find_surface("entity-core")
    caller = Caller("someone", "default", "write")
    door = Door(
        lambda: surface, lambda _, tool: memory.acting(tool.surface.name, tool.name, caller.actor), lambda _: caller
    )

    async def run() -> tuple[str, str]:
        async with Client(server("entity-core", door), mode=era, sampling_callback=sampling) as client:
            with anyio.fail_after(10):
                await client.call_tool("memory_create", DAY)
                done = await client.call_tool("memory_consolidate", WEEK)
                read = await client.call_tool("memory_read", {"id": "weekly-2026-W19"})
        [item] = (done.structured_content or {})["consolidations"]
        text: str = (read.structured_content or {})["memory"]["content"]
        return item["method"], text.splitlines()[-1]

    return anyio.run(run)


def answering(text: str, asked: list[types.CreateMessageRequestParams]) -> Any:
    async def answer(_: Any, params: types.CreateMessageRequestParams) -> types.CreateMessageResult:
        asked.append(params)
        return types.CreateMessageResult(role="assistant", content=types.TextContent(text=text), model="theirs")

    return answer


def test_a_client_that_offers_its_model_is_asked(memory: Memory) -> None:
    asked: list[types.CreateMessageRequestParams] = []
    said = json.dumps({"bullets": ["I saw Noor at the kiln."]})
    assert consolidated(memory, answering(said, asked)) == ("model", "- I saw Noor at the kiln.")
    [params] = asked
    assert "JSON schema" in (params.system_prompt or "")
    assert "Noor fired the kiln" in str(params.messages[0].content)


def test_what_is_done_while_nobody_asks_does_not_wait_for_a_client(memory: Memory) -> None:
    consolidated(memory, answering("{}", []))
    assert memory.endpoint is None


def test_a_client_that_answers_nonsense_or_refuses_leaves_the_fallback(memory: Memory) -> None:
    assert consolidated(memory, answering("no", [])) == ("extractive", "- Noor fired the kiln")


def test_a_client_that_fails_leaves_the_fallback(memory: Memory) -> None:
    async def refuse(_: Any, __: Any) -> types.CreateMessageResult:
        raise MCPError(types.INVALID_REQUEST, "the user said no")

    assert consolidated(memory, refuse) == ("extractive", "- Noor fired the kiln")


@pytest.mark.parametrize("era", ["legacy", "2026-07-28"])
def test_a_client_without_a_model_is_not_asked(memory: Memory, era: str) -> None:
    assert consolidated(memory, None, era) == ("extractive", "- Noor fired the kiln")
