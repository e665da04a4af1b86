"""The surface that the tools of this package are declared on."""

import inspect
import re
from collections.abc import Callable, Mapping
from typing import Any

from recollect.surfaces.declare import Effect, Function, Surface
from recollect.surfaces.entity_core.problems import FailureShown, say_failure

_HUMP = re.compile(r"(?<=[a-z0-9])([A-Z])")


def snake(name: str) -> str:
    """`instanceId` as `instance_id`."""
    return _HUMP.sub(r"_\1", name).lower()


def camel(name: str) -> str:
    """`as_of` as `asOf`."""
    head, *tail = name.split("_")
    return head + "".join(part.capitalize() for part in tail)


def other_spellings(name: str) -> tuple[str, ...]:
    """The name in the other of the two spellings, if it has one."""
    return tuple(spelled for spelled in (snake(name), camel(name)) if spelled != name)


class TwoSpellings(Surface):
    """A surface whose every argument is taken in camelCase and in snake_case."""

    def tool(
        self,
        effect: Effect,
        *,
        example: Mapping[str, Any],
        idempotent: bool | None = None,
        open_world: bool = False,
        listed: bool = True,
        older: Mapping[str, tuple[str, ...]] | None = None,
    ) -> Callable[[Function], Function]:
        def declare(function: Function) -> Function:
            names = list(inspect.signature(function).parameters)[1:]
            spelled = {name: (*other_spellings(name), *(older or {}).get(name, ())) for name in names}
            return Surface.tool(
                self,
                effect,
                example=example,
                idempotent=idempotent,
                open_world=open_world,
                listed=listed,
                older={name: others for name, others in spelled.items() if others},
            )(function)

        return declare


surface = TwoSpellings(
    "entity-core",
    "Who I am, what I have lived through and what I know, shared by all my embodiments.",
    say_failure,
    envelope=FailureShown,
    equal_twice=True,
    indent=2,
    brief=True,
)
