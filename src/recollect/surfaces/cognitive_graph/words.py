"""The closed vocabulary of this surface and its limits."""

from collections.abc import Mapping
from typing import Any, Literal

EntityType = Literal["person", "project", "decision", "concept", "source"]
Predicate = Literal[
    "mentioned_in", "decided_in", "reports_to", "depends_on", "resolved_by", "blocked_by", "tagged", "belongs_to"
]

TYPES: tuple[EntityType, ...] = ("person", "project", "decision", "concept", "source")
PREDICATES: tuple[Predicate, ...] = (
    "mentioned_in",
    "decided_in",
    "reports_to",
    "depends_on",
    "resolved_by",
    "blocked_by",
    "tagged",
    "belongs_to",
)
_PREDICATES: Mapping[str, Predicate] = {known: known for known in PREDICATES}
NEXT_ACTION = "next-action"

NAME_LIMIT = 200
LITERAL_LIMIT = 1000
SOURCE_LIMIT = 2000
MOST_FACTS = 500
MOST_OTHER_FACTS = 100
MOST_NEIGHBOURS = 20
MOST_DECISIONS = 200
MOST_BLOCKERS = 50
MOST_ROLLUP_DECISIONS = 50
MOST_ACTIONS = 10
ACTION_LIMIT = 500
SUMMARY_LIMIT = 4000


def known_predicate(given: Any) -> Predicate | None:
    """The predicate that was given, in any case and with spaces around it; none for anything else."""
    return _PREDICATES.get(given.strip().casefold()) if isinstance(given, str) else None


def cut(text: str, limit: int) -> str:
    """The text within the limit, ending in an ellipsis if it was longer."""
    return text if len(text) <= limit else text[: limit - 1] + "…"
