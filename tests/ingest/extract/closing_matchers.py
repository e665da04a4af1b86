"""A request, a reply to it, and matchers that say the same of every pair."""

from collections.abc import Sequence
from dataclasses import dataclass

from tests.ingest.records import Json, email, everything

from recollect.memory import Memory
from recollect.text_models.closure import ClosurePair, ClosureReading, Outcome

LEE = "Lee Park <lee@harrow-bridge.example>"
MARCUS = "Marcus Webb <marcus@harrow-bridge.example>"
ASKED = email("e1", "Please mend the lower gate by Friday.", "2026-03-11T09:00:00Z", thread_id="t1")
ASK = "Marcus Webb: Please mend the lower gate by Friday."


@dataclass(frozen=True, slots=True)
class EagerMatcher:
    """Says the same of every pair."""

    outcome: Outcome = "done"
    model: str = "eager"
    is_sure_alone: bool = False

    def read(self, pairs: Sequence[ClosurePair]) -> list[ClosureReading]:
        return [ClosureReading(self.outcome, 0.99, True, self.model, self.is_sure_alone) for _ in pairs]


ANA = "Ana Ruiz <ana@harrow-bridge.example>"
ROSA = "Rosa Lind <rosa@harrow-bridge.example>"


def reply(content: str, at: str = "2026-03-12T09:00:00Z") -> Json:
    return email("e2", content, at, sender=LEE, recipients=[MARCUS], thread_id="t1")


def is_open(memory: Memory) -> bool:
    """Whether the item of `ASK` stands."""
    return next(not each.fact.stale for each in everything(memory) if each.fact.words == ASK)
