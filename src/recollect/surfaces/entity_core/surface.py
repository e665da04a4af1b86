"""The surface that the tools of this package are declared on."""

import re

from recollect.surfaces.declare import Surface
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


surface = Surface(
    "entity-core",
    "Who I am, what I have lived through and what I know, shared by all my embodiments.",
    say_failure,
    envelope=FailureShown,
    equal_twice=True,
    indent=2,
    brief=True,
    spellings=other_spellings,
)
