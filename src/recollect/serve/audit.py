"""Entries of the audit log for calls over HTTP: names and ids, never contents."""

import json
import logging
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from recollect.deadline import without_deadline
from recollect.errors import RecollectError
from recollect.serve.callers import Caller

if TYPE_CHECKING:
    from recollect.store.audit import AuditStore
    from recollect.surfaces.declarations import Answer, Outcome, Tool
    from recollect.when.clock import Clock

log = logging.getLogger(__name__)

MAX_IDS = 100
MAX_VALUES = 10_000
ID = re.compile(r"(?:[a-z]{2,10}_)?[0-9A-HJKMNP-TV-Z]{26}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.ASCII)


@dataclass(frozen=True, slots=True)
class AuditLog:
    """Writes an entry for each call before the call is answered."""

    store: "AuditStore"
    clock: "Clock"

    def note(self, caller: Caller, tool: "Tool", arguments: Mapping[str, Any], answer: "Answer") -> None:
        self.add(caller, tool.surface.name, tool.name, answer.outcome, [arguments, answer.structured])

    def add(self, caller: Caller, surface: str, name: str, outcome: "Outcome", values: Sequence[Any]) -> None:
        """Add what was asked for by name, with the ids in the given values."""
        from recollect.store.audit import AuditEntry

        ids = list(dict.fromkeys(each for value in values for each in find_ids(value)))[:MAX_IDS]
        entry = AuditEntry(
            0,
            self.clock.now(),
            caller.workspace,
            caller.actor,
            caller.client or "",
            surface,
            name,
            outcome,
            json.dumps(ids),
        )
        try:
            with without_deadline():
                self.store.append(entry)
        except RecollectError as failure:
            log.error("a call of %s could not be added to the audit log: %s", name, failure.code)


def find_ids(value: Any) -> Iterator[str]:
    """The ids anywhere in a JSON value, found by a bounded search."""
    level, seen = [value], 0
    while level and seen < MAX_VALUES:
        each = level.pop()
        seen += 1
        if isinstance(each, str):
            if ID.fullmatch(each):
                yield each
        elif isinstance(each, Mapping):
            level.extend(each.values())
        elif isinstance(each, list | tuple):
            level.extend(each)
