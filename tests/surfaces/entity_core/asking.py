"""Calls of the surface through the real dispatcher."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from recollect.memory import Memory
from recollect.settings import Settings
from recollect.surfaces.declarations import Answer, Tool
from recollect.surfaces.dispatch import call
from recollect.surfaces.registry import find_surface
from tests.conftest import MovingClock
from tests.support.calls import last_tx


@dataclass
class Entity:
    """One memory as an embodiment uses it."""

    memory: Memory
    clock: MovingClock
    may_write: bool = True

    def answer(self, tool: str, arguments: Mapping[str, Any]) -> Answer:
        def opened(found: Tool) -> Memory:
            return self.memory.as_actor(found.surface.name, found.name, may_write=self.may_write)

        return call(find_surface("entity-core").find(tool), opened, arguments)

    def ask(self, tool: str, **arguments: Any) -> dict[str, Any]:
        """What a call says; structured content and text must agree, where a list stands bare in the text."""
        answer = self.answer(tool, arguments)
        said = json.loads(answer.texts[0])
        assert ({"result": said} if isinstance(said, list) else said) == answer.structured
        return answer.structured

    def ok(self, tool: str, **arguments: Any) -> dict[str, Any]:
        """A call that succeeds."""
        said = self.ask(tool, **arguments)
        assert said.get("success", True) is True, said
        assert "error" not in said, said
        return said

    def assert_fails(self, tool: str, code: str, *, is_error: bool | None = None, **arguments: Any) -> dict[str, Any]:
        """A call that fails with this code and writes nothing."""
        before = self.tx
        answer = self.answer(tool, arguments)
        said = answer.structured
        assert (said.get("success"), said.get("error")) == (False, code), said
        assert answer.is_error is (code in ("invalid_input", "too_large") if is_error is None else is_error)
        assert self.tx == before
        return said

    @property
    def tx(self) -> int:
        return last_tx(self.memory)

    def at(self, text: str) -> "Entity":
        self.clock.set(text)
        return self

    def set_settings(self, **values: Any) -> None:
        kept = {f"entity_core.{key}": value for key, value in values.items()}
        self.memory = replace(self.memory, settings=Settings(workspace=kept))

    def write(self, place: str, content: str, **more: Any) -> dict[str, Any]:
        category, filename = place.split("/")
        return self.ok("identity_write", category=category, filename=filename, content=content, **more)

    def content(self, place: str, **more: Any) -> str | None:
        """The text of an identity file, or none."""
        category, filename = place.split("/")
        files = self.ok("identity_get_all", **more)[category]
        return next((file["content"] for file in files if file["filename"] == filename), None)
