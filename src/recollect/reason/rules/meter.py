"""How long a rule may run and how much it may hold."""

import time
from collections.abc import Callable
from dataclasses import dataclass

from recollect.reason.rules.problems import RuleTimeout

SECONDS = 2.0
HELD = 2_000_000
_OFTEN = 32


@dataclass(frozen=True, slots=True)
class Limits:
    """What one run of one rule may use."""

    seconds: float = SECONDS
    held: int = HELD


class Meter:
    """Counts what a run does and stops it at its limits."""

    def __init__(self, limits: Limits | None = None, clock: Callable[[], float] = time.monotonic) -> None:
        self._limits = limits or Limits()
        self._clock = clock
        self._deadline = clock() + self._limits.seconds
        self._steps = 0
        self._held = 0

    def step(self) -> None:
        """One more thing was looked at."""
        self._steps += 1
        if self._steps % _OFTEN == 0:
            self.look()

    def look(self) -> None:
        if self._clock() > self._deadline:
            raise RuleTimeout(f"{self._limits.seconds:g} seconds")

    def hold(self, count: int = 1) -> None:
        """So many more rows wait for others."""
        self._held += count
        if self._held > self._limits.held:
            raise RuleTimeout(f"holding {self._limits.held} rows")
