"""Requests of pages as calls: counted against the limits of their caller, ended in time, and recorded."""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeVar

from anyio import CapacityLimiter

from recollect.deadline import CallDeadline, CallStopped
from recollect.errors import RecollectError
from recollect.serve.call_deadlines import run_call
from recollect.serve.callers import Caller
from recollect.serve.usage import Usage
from recollect.serve.web.framework.pages import SURFACE
from recollect.surfaces.dispatch import json_bytes

if TYPE_CHECKING:
    from recollect.serve.audit import AuditLog
    from recollect.surfaces.declarations import Outcome

Value = TypeVar("Value")
MAX_CONCURRENT_PAGES = 24


@dataclass(frozen=True, slots=True)
class PageCalls:
    """Treats a request of a page as tool calls are treated."""

    usage: Usage
    call_seconds: float
    audit: "AuditLog | None"
    limiter: list[CapacityLimiter] = field(default_factory=list)

    async def run(
        self, job: Callable[[], Value], late: Callable[[CallStopped], Value], seconds: float | None = None
    ) -> Value:
        """The result of a job on a thread, or that of `late` if it does not end in time."""
        deadline = CallDeadline(self.call_seconds if seconds is None else seconds)
        return await run_call(deadline, job, self._threads(), lambda: late(deadline.failure()))

    def _threads(self) -> CapacityLimiter:
        """Created on first use, since it belongs to a running event loop."""
        if not self.limiter:
            self.limiter.append(CapacityLimiter(MAX_CONCURRENT_PAGES))
        return self.limiter[0]

    def count(self, caller: Caller, size: int = 0) -> None:
        """Count a request with so many bytes, or raise `LimitReached`."""
        self.usage.count_call(caller)
        self.usage.count_bytes(caller, size)

    @contextmanager
    def recorded(self, caller: Caller, name: str, asked: object) -> Iterator[list[object]]:
        """Inside, a request is answered; it is audited with the ids in it and in what is added to the list."""
        values: list[object] = [asked]
        outcome: Outcome = "crashed"
        try:
            yield values
            outcome = "ok"
        except RecollectError:
            outcome = "failed"
            raise
        finally:
            self.record(caller, name, outcome, values)

    def record(self, caller: Caller, name: str, outcome: "Outcome", values: list[Any]) -> None:
        if self.audit is not None:
            self.audit.add(caller, SURFACE, name, outcome, json.loads(json_bytes(values)))
