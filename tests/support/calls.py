"""Calls of tools as a surface makes them."""

from typing import Any, Protocol

from recollect.memory import Memory
from recollect.surfaces.declarations import Answer
from recollect.surfaces.dispatch import call
from recollect.surfaces.registry import find_surface

Json = dict[str, Any]


class Ask(Protocol):
    """Calls a tool of one surface, unless another is named."""

    def __call__(self, memory: Memory, tool: str, surface: str = ..., **arguments: Any) -> Json: ...


def last_tx(memory: Memory) -> int:
    """The number of the last transaction."""
    with memory.read() as view:
        return view.last_tx


def answer_of(memory: Memory, surface: str, tool: str, **arguments: Any) -> Answer:
    """What a tool answers, be it a result or an error."""
    return call(find_surface(surface).find(tool), lambda each: memory.as_actor(surface, each.name), arguments)


def ask(memory: Memory, surface: str, tool: str, **arguments: Any) -> Json:
    """The result of a tool."""
    answer = answer_of(memory, surface, tool, **arguments)
    assert not answer.is_error, answer.structured
    return dict(answer.structured)


def asking(default: str) -> Ask:
    def ask_there(memory: Memory, tool: str, surface: str = default, **arguments: Any) -> Json:
        return ask(memory, surface, tool, **arguments)

    return ask_there
