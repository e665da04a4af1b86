"""A call in the hands of a client: it may be told how far the tool is, and may lend its model."""

from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from recollect.errors import RecollectError
from recollect.llm.unanswered import Unanswered
from recollect.model.progress import Told, tell_nobody
from recollect.serve.sampling import ClientModel, LaterModel
from recollect.surfaces.declare import Answer, Tool
from recollect.surfaces.dispatch import OpenMemory, Remembers, call, failed

if TYPE_CHECKING:
    from recollect.memory import Memory


@dataclass(frozen=True, slots=True)
class Hands:
    """What a client gives to a call: an ear, and a model that is asked where none is set up."""

    tell: Told = tell_nobody
    model: ClientModel | LaterModel | None = None

    @property
    def answers_later(self) -> bool:
        return isinstance(self.model, LaterModel)

    def hold(self, memory: "Memory") -> "Memory":
        return replace(memory, tell=self.tell, client_model=self.model)


def called(tool: Tool, open_memory: OpenMemory, arguments: Mapping[str, Any], hands: Hands) -> Answer | Unanswered:
    """The tool's answer, or the questions that are to be answered first; then nothing is written."""
    from recollect.memory import Memory

    with_joined = tool.asks and tool.effect != "read" and hands.answers_later
    try:
        with ExitStack() as stack:

            def opened(tool: Tool) -> Remembers:
                memory = open_memory(tool)
                if not isinstance(memory, Memory):
                    return memory
                held = hands.hold(memory)
                return stack.enter_context(held.joined()) if with_joined and held.model is held.client_model else held

            return call(tool, opened, arguments)
    except Unanswered as missing:
        return missing
    except RecollectError as failure:
        return failed(tool, arguments, failure, None)
