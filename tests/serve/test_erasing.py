"""`forget` through a real client: hiding asks nobody, erasing asks whoever can be asked."""

from typing import Any

import anyio
import mcp_types as types
import pytest
from mcp import Client

from recollect.memory import Memory
from recollect.serve.callers import Caller
from recollect.serve.mcp import ServerContext, create_server
from recollect.surfaces.declarations import Tool
from recollect.surfaces.registry import find_surface
from tests.support.facts import tell
from tests.support.processes import LONGEST_WAIT

ERAS = pytest.mark.parametrize("era", ["legacy", "2026-07-28"])


class Person:
    """Somebody who answers questions of the server, and remembers how many there were."""

    def __init__(self, action: Any = None) -> None:
        self.action = action
        self.questions: list[str] = []

    async def reply(self, _: object, params: types.ElicitRequestParams) -> types.ElicitResult:
        self.questions.append(params.message)
        return types.ElicitResult(action=self.action, content={} if self.action == "accept" else None)

    @property
    def options(self) -> dict[str, Any]:
        return {} if self.action is None else {"elicitation_callback": self.reply}


def forget(memory: Memory, era: str, person: Person, **arguments: Any) -> types.CallToolResult:
    def open_for(caller: Caller, tool: Tool) -> Memory:
        return memory.as_actor(tool.surface.name, tool.name, caller.actor, may_write=caller.may_write)

    door = ServerContext(lambda: find_surface("recollect"), open_for, lambda _: Caller("ann", "default", "write"))

    async def run() -> types.CallToolResult:
        async with Client(create_server("recollect", door), mode=era, **person.options) as client:
            with anyio.fail_after(LONGEST_WAIT):
                return await client.call_tool("forget", arguments)

    return anyio.run(run)


def is_stored(memory: Memory) -> bool:
    with memory.read() as view:
        return view.document_named("record", "a") is not None


@ERAS
def test_a_client_that_can_ask_erases_in_one_call(memory: Memory, era: str) -> None:
    tell(memory, id="a", content="Ada owns the boat.")
    person = Person("accept")
    said = forget(memory, era, person, target="a", erase=True).structured_content
    assert said is not None
    assert (said["status"], len(person.questions), is_stored(memory)) == ("erased", 1, False)
    assert "Ada owns the boat" in person.questions[0]


@ERAS
def test_nobody_is_asked_about_a_target_that_is_not_there(memory: Memory, era: str) -> None:
    person = Person("accept")
    said = forget(memory, era, person, target="a", erase=True).structured_content
    assert said is not None
    assert (said["error"]["code"], person.questions) == ("not_found", [])


@ERAS
def test_a_person_who_declines_keeps_everything(memory: Memory, era: str) -> None:
    tell(memory, id="a", content="Ada owns the boat.")
    refused = forget(memory, era, Person("decline"), target="a", erase=True)
    assert refused.is_error
    assert refused.structured_content is not None
    assert refused.structured_content["error"]["code"] == "forbidden"
    assert "token" not in refused.structured_content["error"]["next"]
    assert is_stored(memory)


@ERAS
def test_hiding_asks_nobody(memory: Memory, era: str) -> None:
    tell(memory, id="a", content="Ada owns the boat.")
    person = Person("accept")
    said = forget(memory, era, person, target="a").structured_content
    assert said is not None
    assert (said["status"], person.questions) == ("hidden", [])


@ERAS
def test_a_client_that_cannot_ask_needs_the_token(memory: Memory, era: str) -> None:
    tell(memory, id="a", content="Ada owns the boat.")
    first = forget(memory, era, Person(), target="a", erase=True).structured_content
    assert first is not None
    assert (first["status"], is_stored(memory)) == ("needs_confirmation", True)
    second = forget(memory, era, Person(), target="a", erase=True, confirm=first["confirm"]).structured_content
    assert second is not None
    assert (second["status"], is_stored(memory)) == ("erased", False)
