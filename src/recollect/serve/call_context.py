"""What a client lends to a call: a progress channel and, perhaps, its own language model."""

from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from recollect.errors import RecollectError
from recollect.llm.deferred import DeferredAnswers
from recollect.model.progress import ProgressListener, ignore_progress
from recollect.serve.sampling import ClientModel, DeferredClientModel
from recollect.surfaces.declarations import Answer, Tool
from recollect.surfaces.dispatch import CallMemory, OpenMemory, call, failure_answer

if TYPE_CHECKING:
    from recollect.memory import Memory


@dataclass(frozen=True, slots=True)
class CallContext:
    """What a client gives to a call: an ear, and a model that is asked where none is set up."""

    progress: ProgressListener = ignore_progress
    model: ClientModel | DeferredClientModel | None = None

    @property
    def answers_later(self) -> bool:
        return isinstance(self.model, DeferredClientModel)

    def bind(self, memory: "Memory") -> "Memory":
        return replace(memory, report_progress=self.progress, client_model=self.model)


def run_tool(
    tool: Tool, open_memory: OpenMemory, arguments: Mapping[str, Any], hands: CallContext
) -> Answer | DeferredAnswers:
    """The tool's answer, or the questions that are to be answered first; then nothing is written."""
    from recollect.memory import Memory

    with_joined = tool.asks_model and tool.effect != "read" and hands.answers_later
    try:
        with ExitStack() as stack:

            def opened(tool: Tool) -> CallMemory:
                memory = open_memory(tool)
                if not isinstance(memory, Memory):
                    return memory
                held = hands.bind(memory)
                return stack.enter_context(held.nested()) if with_joined and held.model is held.client_model else held

            return call(tool, opened, arguments)
    except DeferredAnswers as missing:
        return missing
    except RecollectError as failure:
        return failure_answer(tool, arguments, failure, None)
