"""Errors of rules with their position, and the meter that stops a rule at its limits."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

from recollect.errors import Refused


class SourcePosition(NamedTuple):
    """A position in a rule's text, both counted from 1."""

    line: int
    column: int


class RuleError(Refused):
    """A rejected rule, with the position of the problem."""

    def __init__(self, why: str, position: SourcePosition) -> None:
        super().__init__(f"line {position.line}, column {position.column}: {why}", field="cypher")
        self.line = position.line
        self.column = position.column
        self.more = {"line": position.line, "column": position.column}


class RuleParseError(RuleError):
    """The text does not follow the grammar; the position is that of the first token that cannot continue it."""

    code = "RULE_PARSE_ERROR"


class RuleNotReadOnly(RuleError):
    code = "RULE_NOT_READ_ONLY"

    def __init__(self, word: str, position: SourcePosition) -> None:
        super().__init__(f"{word.upper()} would write; a rule only reads (MATCH, WITH, RETURN)", position)


class RuleUnsupported(RuleError):
    code = "RULE_UNSUPPORTED"

    def __init__(self, word: str, position: SourcePosition) -> None:
        super().__init__(f"{word} is not part of the rule language", position)


class RuleInvalid(RuleError):
    """Well formed but meaningless."""

    code = "RULE_INVALID"


class RuleTimeout(Refused):
    """A rule reached a limit before it finished."""

    code = "RULE_TIMEOUT"

    def __init__(self, limit: str) -> None:
        super().__init__(
            f"the rule was stopped after {limit}; name labels and relation types to narrow it down",
            field="cypher",
        )


DEFAULT_SECONDS = 2.0
DEFAULT_HELD_ROWS = 2_000_000
_CHECK_INTERVAL = 32


@dataclass(frozen=True, slots=True)
class RuleLimits:
    """Limits of one run of a rule."""

    seconds: float = DEFAULT_SECONDS
    held: int = DEFAULT_HELD_ROWS


class RuleMeter:
    """Counts the work of a run and stops it at its limits."""

    def __init__(self, limits: RuleLimits | None = None, clock: Callable[[], float] = time.monotonic) -> None:
        self._limits = limits or RuleLimits()
        self._clock = clock
        self._deadline = clock() + self._limits.seconds
        self._steps = 0
        self._held = 0

    def step(self) -> None:
        """Count one step; check the deadline now and then."""
        self._steps += 1
        if self._steps % _CHECK_INTERVAL == 0:
            self.check_deadline()

    def check_deadline(self) -> None:
        if self._clock() > self._deadline:
            raise RuleTimeout(f"{self._limits.seconds:g} seconds")

    def hold_row(self) -> None:
        """Count a row kept in memory."""
        self._held += 1
        if self._held > self._limits.held:
            raise RuleTimeout(f"holding {self._limits.held} rows")
