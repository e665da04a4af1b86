"""The closed vocabulary of this surface and its limits."""

from typing import Literal

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
NEXT_ACTION = "next-action"

NAME_LIMIT = 200
LITERAL_LIMIT = 1000
SOURCE_LIMIT = 2000
MOST_FACTS = 500
MOST_NEIGHBOURS = 20
MOST_DECISIONS = 200
MOST_BLOCKERS = 50
MOST_ROLLUP_DECISIONS = 50
MOST_ACTIONS = 10
ACTION_LIMIT = 500
SUMMARY_LIMIT = 4000


def cut(text: str, limit: int) -> str:
    """The text within the limit, ending in an ellipsis if it was longer."""
    return text if len(text) <= limit else text[: limit - 1] + "…"
