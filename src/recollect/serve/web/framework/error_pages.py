"""Failures as pages: a status, a title, and what to do next."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from recollect.errors import Conflict, Forbidden, NotKnown, RecollectError, Refused, Unavailable
from recollect.serve.metrics import LimitReached
from recollect.serve.web.framework.pages import CLOCK_FIELDS
from recollect.surfaces.recollect.failures import EverydayProblem

_STATUS_OF_CODE = {"not_found": 404, "conflict": 409, "forbidden": 403, "unavailable": 503, "internal": 500}
_STATUS_OF_CLASS: tuple[tuple[type[RecollectError], int], ...] = (
    (NotKnown, 404),
    (Conflict, 409),
    (LimitReached, 429),
    (Forbidden, 403),
    (Unavailable, 503),
    (Refused, 400),
)
_TITLES = {
    400: "That cannot be done",
    403: "Not allowed",
    404: "Not found",
    409: "That cannot be done now",
    429: "Too many requests",
    503: "Not available",
}


class PageNotFound(NotKnown):
    """No such page, or none that this visitor may know of."""

    def __init__(self) -> None:
        super().__init__("There is no such page here.")


class Forbidden403(Forbidden):
    """A request that this visitor may not make."""


@dataclass(frozen=True, slots=True)
class SuggestedPage:
    """The page of something that a name may have meant."""

    path: str
    text: str
    type: str = ""


@dataclass(frozen=True, slots=True)
class Problem:
    """A failure as its page shows it."""

    title: str
    status: int
    code: str
    message: str
    next_step: str = ""
    field: str = ""
    wait_seconds: int = 0
    candidates: tuple[SuggestedPage, ...] = ()


def too_large(most: int) -> Problem:
    size = f"{most // 1024**2} MiB" if most >= 1024**2 else f"{most // 1024} KiB"
    message = f"A page can send at most {size} at once. For larger files use: recollect ingest FILE"
    return Problem("Too large", 413, "too_large", message)


def as_problem(failure: RecollectError) -> Problem:
    status = _status_of(failure)
    next_step = getattr(failure, "next_step", None) or ""
    field = getattr(failure, "field", None) or ""
    title = "That time cannot be read" if field in CLOCK_FIELDS else _TITLES.get(status, "Something went wrong")
    wait = getattr(failure, "retry_after", None) or 0
    return Problem(title, status, failure.code, str(failure), next_step, field, wait, _candidates(failure))


def _candidates(failure: RecollectError) -> tuple[SuggestedPage, ...]:
    """Facts and entities that a call may have meant; only their own pages can be linked."""
    if not isinstance(failure, EverydayProblem):
        return ()
    found: list[Mapping[str, Any]] = [*failure.candidates]
    return tuple(
        SuggestedPage(f"fact/{each['id']}", each["text"])
        if "text" in each
        else SuggestedPage(f"entity/{each['id']}", each["name"], each["type"])
        for each in found
    )


def _status_of(failure: RecollectError) -> int:
    if isinstance(failure, EverydayProblem):
        return _STATUS_OF_CODE.get(failure.code, 400)
    return next((status for kind, status in _STATUS_OF_CLASS if isinstance(failure, kind)), 500)
