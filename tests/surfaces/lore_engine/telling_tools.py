"""The tools of the world-builder, called as an agent calls them."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from recollect.memory import Memory
from recollect.surfaces.dispatch import call
from recollect.surfaces.registry import find_surface
from tests.support.calls import last_tx

Json = dict[str, Any]


@dataclass(frozen=True)
class Builder:
    """Calls tools under one name and hands back what they say."""

    memory: Memory
    name: str = "local"

    def call(self, tool: str, arguments: Mapping[str, Any], surface: str = "lore-engine") -> Any:
        found = find_surface(surface).tools[tool]
        return call(found, lambda each: self.memory.as_actor(surface, each.name, self.name), dict(arguments))

    def do(self, tool: str, **arguments: Any) -> Any:
        """What the tool says, which must not be a failure; `from_` stands for `from`."""
        given = {name.removesuffix("_"): value for name, value in arguments.items()}
        answer = self.call(tool, given)
        assert not answer.is_error, answer.structured
        said = answer.structured
        return said["result"] if isinstance(said, dict) and set(said) == {"result"} else said

    def fail(self, tool: str, **arguments: Any) -> Json:
        """The failure of a call, which must leave no trace."""
        before = self.tx
        given = {name.removesuffix("_"): value for name, value in arguments.items()}
        answer = self.call(tool, given)
        assert answer.is_error, answer.structured
        assert self.tx == before
        said: Json = answer.structured
        return said

    @property
    def tx(self) -> int:
        return last_tx(self.memory)

    def tides(self) -> "Builder":
        """The world of the tides, in the year 80 of the second."""
        self.do("define_era", name="First Tide", start=1, end=500)
        self.do("define_era", name="Second Tide", start=501, end=None, abbreviation="ST")
        self.do(
            "define_era",
            name="Grey Years",
            parent_era="second_tide",
            start="second_tide.year_40",
            end="second_tide.year_60",
        )
        self.do("define_date", slug="current", label="Now", era="second_tide", year=80)
        return self

    def relate(self, from_: str, relation: str, to: Any = None, **more: Any) -> Json:
        said: Json = self.do("add_relation", from_=from_, relation=relation, to=to, **more)
        return said


def year(number: int) -> str:
    return f"second_tide.year_{number}"
