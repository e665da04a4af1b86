"""Failures of the HTTP API as `application/problem+json` (RFC 9457)."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from starlette.responses import JSONResponse

API_ROOT = "/api/v1/"
PROBLEM_JSON = "application/problem+json"


class ProblemType(NamedTuple):
    """A kind of failure: its status, its title, and what a caller can do about it."""

    status: int
    title: str
    next_step: str


PROBLEM_TYPES: Mapping[str, ProblemType] = {
    "invalid_input": ProblemType(400, "The request is not valid", "Correct the request and send it again."),
    "ambiguous": ProblemType(400, "A name fits several entities", "Send the id of the one you mean."),
    "quote_not_found": ProblemType(400, "The quote is not in the text", "Quote the words exactly as they stand."),
    "unauthorized": ProblemType(401, "A token is needed", "Send Authorization: Bearer TOKEN."),
    "forbidden": ProblemType(403, "The token may not do this", "Use a token that may; detail says what is missing."),
    "unknown_origin": ProblemType(403, "The origin is not allowed", "Start the server with --allow-origin."),
    "not_found": ProblemType(404, "Not found", "Check the name or id."),
    "method_not_allowed": ProblemType(405, "The method is not allowed", "Send a POST request."),
    "conflict": ProblemType(409, "What is stored forbids this", "Undo the later changes first."),
    "idempotency_conflict": ProblemType(
        409, "The idempotency key is in use", "Send another key with another request; repeat the same one later."
    ),
    "too_large": ProblemType(413, "The body is too large", "Send it in several requests."),
    "unsupported_media_type": ProblemType(
        415, "The media type is not supported", "Send Content-Type: application/json."
    ),
    "unknown_host": ProblemType(421, "The host is not known", "Start the server with --allow-host."),
    "too_many_requests": ProblemType(429, "A limit is reached", "Wait for the seconds in Retry-After."),
    "internal": ProblemType(500, "Something went wrong", "Try again; if it happens again, report the reference."),
    "unavailable": ProblemType(503, "Not available now", "Try again in a moment."),
}


class ProblemResponse(JSONResponse):
    media_type = PROBLEM_JSON


class ApiProblem(Exception):
    """A request that the API refuses before any verb is called."""

    def __init__(
        self,
        code: str,
        detail: str,
        *,
        field: str | None = None,
        next_step: str | None = None,
        retry_after: int | None = None,
    ) -> None:
        super().__init__(detail)
        more = {} if retry_after is None else {"retry_after": retry_after}
        self.body = problem_body(code, detail, field=field, next_step=next_step, **more)


def problem_body(
    code: str, detail: str, *, field: str | None = None, next_step: str | None = None, **more: Any
) -> dict[str, Any]:
    """The members of RFC 9457, with our code, the field at fault, and what to do next."""
    kind = PROBLEM_TYPES.get(code, PROBLEM_TYPES["internal"])
    body: dict[str, Any] = {
        "type": f"{API_ROOT}#{code}",
        "title": kind.title,
        "status": kind.status,
        "detail": detail,
        "code": code,
    }
    if field is not None:
        body["field"] = field
    return body | {"next": next_step or kind.next_step} | more


def problem_of_error(error: Mapping[str, Any]) -> dict[str, Any]:
    """The problem for the error envelope of the everyday surface."""
    more = {key: value for key, value in error.items() if key in ("candidates", "example", "retry_after")}
    code = "too_many_requests" if "retry_after" in error and error["code"] != "unavailable" else error["code"]
    return problem_body(code, error["message"], field=error.get("field"), next_step=error.get("next"), **more)


def problem_response(body: Mapping[str, Any], headers: Mapping[str, str] | None = None) -> ProblemResponse:
    return ProblemResponse(body, body["status"], {**(headers or {}), **retry_header(body.get("retry_after"))})


def retry_header(seconds: int | None) -> dict[str, str]:
    """The header that tells programs when to try again; empty if they should not."""
    return {} if seconds is None else {"Retry-After": str(seconds)}
