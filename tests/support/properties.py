"""How many cases a property test draws: a share of them in `make test`, all of them in `make explore`."""

from typing import Any

from hypothesis import HealthCheck, settings

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
    return every if settings.get_current_profile_name() == "explore" else max(every // SHARE, 3)
