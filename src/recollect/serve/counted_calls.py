"""Tool calls that are carried out once per idempotency key, counted, and written to the audit log."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from time import perf_counter
from typing import TYPE_CHECKING, Any

from recollect.deadline import CallDeadline
from recollect.serve.callers import Caller, MemoryOpener
from recollect.serve.idempotency import KeyedCalls
from recollect.serve.metrics import Metrics
from recollect.surfaces.declarations import Answer, Tool
from recollect.surfaces.dispatch import OpenMemory, call, failure_answer

if TYPE_CHECKING:
    from recollect.serve.audit import AuditLog


@dataclass(frozen=True, slots=True)
class CountedCalls:
    """The calls of one transport, on the thread that asks for them."""

    open_for: MemoryOpener
    metrics: Metrics
    audit: "AuditLog | None" = None
    keyed: KeyedCalls = field(default_factory=KeyedCalls)

    def answer(self, tool: Tool, caller: Caller, arguments: Mapping[str, Any], key: Any) -> Answer:
        """The tool's answer, or the earlier one to the same call with this key."""
        began = perf_counter()

        def run(opened: OpenMemory) -> Answer:
            return call(tool, opened, arguments)

        answer = self.keyed.once(key, caller, tool, self.open_for, arguments, run)
        self.metrics.note(tool, answer, perf_counter() - began, caller)
        if self.audit is not None:
            self.audit.note(caller, tool, arguments, answer)
        return answer

    def late_answer(self, tool: Tool, deadline: CallDeadline) -> Answer:
        """The answer to a call that did not end in time."""
        answer = failure_answer(tool, {}, deadline.failure(), None)
        self.metrics.note(tool, answer, deadline.seconds)
        return answer
