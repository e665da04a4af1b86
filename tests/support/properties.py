"""How many cases a property test draws: a share of them in `make test`, all of them in `make explore`."""

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import pytest
from hypothesis import HealthCheck, settings

Value = TypeVar("Value")
Test = TypeVar("Test", bound=Callable[..., None])
EVERY_CASE = 100
SHARE = 4

# `make test` draws the same cases every time, so that a red run means a change; `make explore` draws new ones.
_ANY_SPEED: dict[str, Any] = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow]}


def register_profiles() -> None:
    """Let `--hypothesis-profile` choose; without it the steady cases are drawn."""
    settings.register_profile("steady", max_examples=EVERY_CASE // SHARE, derandomize=True, database=None, **_ANY_SPEED)
    settings.register_profile("explore", max_examples=EVERY_CASE, print_blob=True, **_ANY_SPEED)
    settings.load_profile("steady")


def examples(every: int) -> int:
    """The number of cases where a test needs more than others, or can do with fewer."""
    return every if _is_exploring() else min(every, max(every // SHARE, 3))


def a_share(values: Sequence[Value], number: int) -> Sequence[Value]:
    """The values that come to one place of many, dealt like cards; a test that asks for them is marked `dealt`."""
    return values if _is_exploring() else values[number % SHARE :: SHARE]


def seeded(every: int) -> Callable[[Test], Test]:
    """Run a test for this many seeds, or for the first of them."""

    def mark(test: Test) -> Test:
        marked: Test = pytest.mark.dealt(pytest.mark.parametrize("seed", range(examples(every)))(test))
        return marked

    return mark


def _is_exploring() -> bool:
    return settings.get_current_profile_name() == "explore"
