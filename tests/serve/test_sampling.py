"""The client's own model: asked through the protocol where it is offered and nothing else is set up."""

import json
from typing import Any

import anyio
import mcp_types as types
import pytest
from mcp import Client, MCPError

from recollect.memory import Memory
from recollect.serve.sampling import MAX_ROUNDS
from tests.serve.listening import served
from tests.support.processes import LONGEST_WAIT

DAY = {"granularity": "daily", "date": "2026-05-04", "content": "- Noor fired the kiln", "instanceId": "psy-desk"}
WEEK = {"granularity": "weekly", "targetDate": "2026-W19"}
ERAS = pytest.mark.parametrize("era", ["legacy", "2026-07-28"])


def consolidated(memory: Memory, sampling: Any, era: str = "legacy") -> tuple[str, str]:
    """The method and text of a week that a client has summed up."""

    async def run() -> tuple[str, str]:
        async with Client(served(memory), mode=era, sampling_callback=sampling) as client:
            with anyio.fail_after(LONGEST_WAIT):
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


@ERAS
def test_a_client_that_offers_its_model_is_asked(memory: Memory, era: str) -> None:
    asked: list[types.CreateMessageRequestParams] = []
    said = json.dumps({"bullets": ["I saw Noor at the kiln."]})
    assert consolidated(memory, answering(said, asked), era) == ("model", "- I saw Noor at the kiln.")
    [params] = asked
    assert "JSON schema" in (params.system_prompt or "")
    assert "Noor fired the kiln" in str(params.messages[0].content)


def test_what_is_done_while_nobody_asks_does_not_wait_for_a_client(memory: Memory) -> None:
    consolidated(memory, answering("{}", []))
    assert memory.endpoint is None


@ERAS
def test_a_client_that_answers_nonsense_leaves_the_fallback(memory: Memory, era: str) -> None:
    assert consolidated(memory, answering("no", []), era) == ("extractive", "- Noor fired the kiln")


def test_a_client_that_fails_leaves_the_fallback(memory: Memory) -> None:
    async def refuse(_: Any, __: Any) -> types.CreateMessageResult:
        raise MCPError(types.INVALID_REQUEST, "the user said no")

    assert consolidated(memory, refuse) == ("extractive", "- Noor fired the kiln")


@ERAS
def test_a_client_without_a_model_is_not_asked(memory: Memory, era: str) -> None:
    assert consolidated(memory, None, era) == ("extractive", "- Noor fired the kiln")


def told(params: types.CreateMessageRequestParams) -> str:
    """The level of the summary that is asked for."""
    return next(level for level in ("weekly", "monthly", "yearly") if f"({level}, " in (params.system_prompt or ""))


@ERAS
def test_every_level_is_asked_for_once_and_all_that_was_made_is_listed(memory: Memory, era: str) -> None:
    asked: list[types.CreateMessageRequestParams] = []
    days = [f"2025-{month:02d}-{day:02d}" for month in (1, 2) for day in (8, 15, 22)]

    async def run() -> list[dict[str, Any]]:
        sampling = answering(json.dumps({"bullets": ["I saw Noor."]}), asked)
        async with Client(served(memory), mode=era, sampling_callback=sampling) as client:
            with anyio.fail_after(LONGEST_WAIT):
                for day in days:
                    await client.call_tool("memory_create", {**DAY, "date": day})
                done = await client.call_tool("memory_consolidate", {"all": True})
        made: list[dict[str, Any]] = (done.structured_content or {})["consolidations"]
        return made

    made = anyio.run(run)
    assert [(each["granularity"], each["method"], each["action"]) for each in made] == [
        *[("weekly", "model", "created")] * 6,
        *[("monthly", "model", "created")] * 2,
        ("yearly", "model", "created"),
    ]
    assert [each["tx"] for each in made] == sorted({each["tx"] for each in made})
    assert [told(params) for params in asked] == ["weekly"] * 6 + ["monthly"] * 2 + ["yearly"]


def test_nothing_is_written_before_the_answers_are_there(memory: Memory) -> None:
    """In the newer protocol a call ends with its questions; the client makes it again with the answers."""

    month = {"granularity": "monthly", "targetDate": "2026-04"}
    retold = types.TextContent(text=json.dumps({"bullets": ["I saw Noor."]}))
    reply = types.CreateMessageResult(role="assistant", content=retold, model="theirs")

    async def run() -> list[int]:
        numbers: list[int] = []
        async with Client(served(memory), mode="2026-07-28", sampling_callback=answering("{}", [])) as client:
            await client.call_tool("memory_create", {**DAY, "date": "2026-04-08"})
            asked = await client.session.call_tool("memory_consolidate", month, allow_input_required=True)
            while isinstance(asked, types.InputRequiredResult):
                with memory.read() as view:
                    numbers.append(view.last_tx)
                asked = await client.session.call_tool(
                    "memory_consolidate",
                    month,
                    input_responses=dict.fromkeys(asked.input_requests or (), reply),
                    request_state=asked.request_state,
                    allow_input_required=True,
                )
        return [*numbers, *(each["tx"] for each in (asked.structured_content or {})["consolidations"])]

    assert anyio.run(run) == [1, 1, 2, 3]


def test_a_client_that_never_answers_gets_the_fallback_after_some_rounds(memory: Memory) -> None:
    async def run() -> tuple[int, dict[str, Any]]:
        async with Client(served(memory), mode="2026-07-28", sampling_callback=answering("{}", [])) as client:
            await client.call_tool("memory_create", DAY)
            state: str | None = None
            for rounds in range(20):
                reply = await client.session.call_tool(
                    "memory_consolidate", WEEK, request_state=state, allow_input_required=True
                )
                if isinstance(reply, types.CallToolResult):
                    return rounds, reply.structured_content or {}
                state = reply.request_state
        raise AssertionError("it goes on asking")

    rounds, answer = anyio.run(run)
    assert rounds == MAX_ROUNDS
    assert answer["consolidations"][0]["method"] == "extractive"


@pytest.mark.parametrize("state", ["", "nonsense", "[]", '{"count": "x"}', '{"answers": {"a": 3}}', "{" * 10_000])
def test_a_state_that_is_not_ours_counts_as_none(memory: Memory, state: str) -> None:
    async def run() -> Any:
        async with Client(served(memory), mode="2026-07-28", sampling_callback=answering("{}", [])) as client:
            await client.call_tool("memory_create", DAY)
            return await client.session.call_tool(
                "memory_consolidate", WEEK, request_state=state, allow_input_required=True
            )

    assert isinstance(anyio.run(run), types.InputRequiredResult)
