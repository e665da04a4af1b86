"""Failures of this surface."""

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from recollect.errors import RecollectError
from recollect.surfaces.recollect.views import BriefEntity, BriefFact

Code = Literal[
    "invalid_input",
    "not_found",
    "ambiguous",
    "quote_not_found",
    "conflict",
    "idempotency_conflict",
    "forbidden",
    "unavailable",
    "internal",
]
Candidates = Sequence[BriefEntity | BriefFact]
NO_EXAMPLE: Mapping[str, Any] = {}


class EverydayProblem(RecollectError):
    """A failure with the keys of the envelope. `example` is a complete call, or a change to the call that was made."""

    code: Code = "invalid_input"

    def __init__(
        self,
        message: str,
        *,
        field: str | None = None,
        next_step: str | None = None,
        example: Mapping[str, Any] | None = None,
        candidates: Candidates = (),
    ) -> None:
        super().__init__(message)
        self.field = field
        self.next_step = next_step
        self.example = example
        self.candidates = tuple(candidates)


class InvalidInput(EverydayProblem):
    code = "invalid_input"


class NotFound(EverydayProblem):
    code = "not_found"


class AmbiguousReference(EverydayProblem):
    code = "ambiguous"


class QuoteNotFound(EverydayProblem):
    code = "quote_not_found"


class LaterChanges(EverydayProblem):
    """Later transactions build on what the call would change."""

    code = "conflict"
