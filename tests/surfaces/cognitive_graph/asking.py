"""Calls of the surface through the real dispatcher, and facts that came through others."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import pytest
from tests.conftest import MovingClock
from tests.support.calls import last_tx

from recollect.ingest.line import parse_line
from recollect.ingest.line_writer import write_line
from recollect.memory import Memory
from recollect.model.entity import Entity
from recollect.model.ids import FACT_PREFIX, FactId, read_id
from recollect.settings import Settings
from recollect.surfaces.declarations import Answer
from recollect.surfaces.dispatch import call
from recollect.surfaces.registry import find_surface
from recollect.write.retract import delete_entity, retract_fact

SURFACE = "cognitive-graph"


@pytest.fixture
def graph(memory: Memory, clock: MovingClock) -> "Asking":
    return Asking(memory, clock)


def entity(type_: str, name: str) -> dict[str, str]:
    return {"type": type_, "name": name}


def literal(text: str) -> dict[str, str]:
    return {"literal": text}


@dataclass
class Asking:
    """One memory as a client of this surface uses it."""

    memory: Memory
    clock: MovingClock
    may_write: bool = True

    def answer(self, tool: str, arguments: Mapping[str, Any]) -> Answer:
        def opened(found: Any) -> Memory:
            return self.memory.as_actor(found.surface.name, found.name, may_write=self.may_write)

        return call(find_surface(SURFACE).find(tool), opened, arguments)

    def ask(self, tool: str, **arguments: Any) -> dict[str, Any]:
        return self.answer(tool, arguments).structured

    def record(self, subject: Any, predicate: Any, object_: Any, at: str | None = None, **more: Any) -> dict[str, Any]:
        """A fact as recorded, at an instant if one is given."""
        if at is not None:
            self.clock.set(at)
        said = self.ask("record_fact", subject=subject, predicate=predicate, object=object_, **more)
        assert "error" not in said, said
        return said

    def refusal(self, subject: Any, predicate: Any, object_: Any, **more: Any) -> dict[str, Any]:
        said = self.ask("record_fact", subject=subject, predicate=predicate, object=object_, **more)
        assert "error" in said, said
        return said

    def recall(self, name: str, **more: Any) -> dict[str, Any]:
        return self.ask("recall_entity", name_or_alias=name, **more)

    def decisions(self, project: str, **more: Any) -> dict[str, Any]:
        return self.ask("recall_decisions", project=project, **more)

    def rollup(self, **more: Any) -> dict[str, Any]:
        return self.ask("weekly_rollup", **more)

    def blockers(self, **more: Any) -> list[str]:
        """The open blockers by their objects."""
        return [fact["object"].get("literal") or fact["object"]["name"] for fact in self.rollup(**more)["blockers"]]

    @property
    def tx(self) -> int:
        return last_tx(self.memory)

    def set_settings(self, **values: Any) -> None:
        """Settings of this surface, as `recollect.toml` has them."""
        kept = {f"cognitive_graph.{key}": value for key, value in values.items()}
        self.memory = replace(self.memory, settings=Settings(file=kept))

    def ingest(self, *facts: Mapping[str, Any], at: str = "2026-05-20T09:00:00Z", **line: Any) -> None:
        """One bundle line; the record `mail` says its facts unless another is given."""
        mail = {"id": f"mail {self.tx}", "type": "email", "source_at": at, "content": "…"}
        with self.memory.as_actor("cli", "ingest").write() as change:
            assert write_line(change, parse_line({"record": mail, **line, "facts": list(facts)}))

    def define(self, kind: str, **fields: Any) -> None:
        """A calendar, era or date of the workspace's timeline."""
        with self.memory.as_actor("cli", "ingest").write() as change:
            assert write_line(change, parse_line({kind: fields}))

    def known(self, name: str) -> Entity:
        with self.memory.read() as view:
            [found] = view.entities(
                {row.entity for row in view.names_matching(name.casefold()) if row.kind == "name"}
            ).values()
        return found

    def delete(self, name: str) -> None:
        found = self.known(name)
        with self.memory.write() as change:
            delete_entity(change, found, "a mistake")

    def retract(self, fact: str) -> None:
        with self.memory.write() as change:
            retract_fact(change, FactId(read_id(fact, FACT_PREFIX)))

    def set_workspace(self, key: str, value: Any) -> None:
        with self.memory.write() as change:
            change.put_setting(key, value)


def link(who: str | dict[str, str], predicate: str, whom: Any, **more: Any) -> dict[str, Any]:
    """A fact of a bundle line."""
    return {"from": who, "to": whom, "predicate": predicate, **more}
