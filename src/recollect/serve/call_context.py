"""What a client provides for a call: a progress channel and possibly its own language model."""

from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from recollect.deadline import current_deadline
from recollect.errors import RecollectError
from recollect.llm.port import DeferredAnswers
from recollect.model.progress import Progress, ProgressListener, ignore_progress
from recollect.serve.sampling import ClientModel, DeferredClientModel
from recollect.surfaces.declarations import Answer, Tool
from recollect.surfaces.dispatch import CallMemory, OpenMemory, call, failure_answer

if TYPE_CHECKING:
    from recollect.memory import Memory


@dataclass(frozen=True, slots=True)
class CallContext:
    """Progress channel and sampling model of the client; the model is used where none is configured."""

    progress: ProgressListener = ignore_progress
    model: ClientModel | DeferredClientModel | None = None
    is_confirmed: bool = False
    key: Any = None
    """The idempotency key as the client sent it."""

    @property
    def answers_later(self) -> bool:
        return isinstance(self.model, DeferredClientModel)

    def bind(self, memory: "Memory") -> "Memory":
        return replace(memory, report_progress=self._report, client_model=self.model, is_confirmed=self.is_confirmed)

    def _report(self, progress: Progress) -> None:
        deadline = current_deadline()
        if deadline is not None:
            deadline.renew()
        self.progress(progress)


def run_tool(
    tool: Tool, open_memory: OpenMemory, arguments: Mapping[str, Any], client: CallContext
) -> Answer | DeferredAnswers:
    """The tool's answer, or the questions the client must answer first; in that case nothing is written."""
    from recollect.memory import Memory

    is_nested = tool.asks_model and tool.effect != "read" and client.answers_later
    try:
        with ExitStack() as stack:

            def opened(tool: Tool) -> CallMemory:
                memory = open_memory(tool)
                if not isinstance(memory, Memory):
                    return memory
                bound = client.bind(memory)
                return stack.enter_context(bound.nested()) if is_nested and bound.model is bound.client_model else bound

            return call(tool, opened, arguments)
    except DeferredAnswers as missing:
        return missing
    except RecollectError as failure:
        return failure_answer(tool, arguments, failure, None)
