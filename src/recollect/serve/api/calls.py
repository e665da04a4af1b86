"""Calls of verbs: one per request, or one per line of a bulk request; answers as JSON or as problems."""

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from recollect.deadline import CallDeadline
from recollect.serve.api.ingest import INGEST
from recollect.serve.callers import Caller
from recollect.serve.counted_calls import CountedCalls
from recollect.serve.idempotency import REPLAYED
from recollect.serve.lenient_json import has_too_many_values, load_json
from recollect.serve.problem_json import PROBLEM_JSON, ApiProblem, problem_of_error, retry_header
from recollect.surfaces.declarations import Answer, Json, Tool
from recollect.surfaces.dispatch import json_bytes
from recollect.surfaces.registry import DEFAULT, find_surface

JSON = "application/json"
NDJSON = "application/x-ndjson"
TEXT_TYPES = frozenset({"text/plain", "text/markdown"})


class ApiAnswer(NamedTuple):
    """The status, media type and body of a response."""

    status: int
    media_type: str
    body: bytes
    is_replayed: bool = False
    retry_after: int | None = None

    @property
    def headers(self) -> dict[str, str]:
        return retry_header(self.retry_after) | ({"Idempotent-Replayed": "true"} if self.is_replayed else {})

    @property
    def is_problem(self) -> bool:
        return self.media_type == PROBLEM_JSON


class RequestBody(NamedTuple):
    """The body of a request, its media type, and the name given to a text."""

    media_type: str
    content: bytes
    name: str | None = None


def api_verbs() -> dict[str, Tool]:
    """The verbs by name: those of the everyday surface, and `ingest`."""
    everyday = find_surface(DEFAULT).listed_tools(may_write=True)
    return {tool.name: tool for tool in (*everyday, INGEST)}


@dataclass(frozen=True, slots=True)
class VerbCalls:
    """Calls verbs on behalf of callers."""

    calls: CountedCalls

    def answer(self, tool: Tool, caller: Caller, body: RequestBody, key: str | None = None) -> ApiAnswer:
        """The answer to one request; a key makes sure that it is carried out once."""
        try:
            return self.call(tool, caller, read_body(tool, body), key)
        except ApiProblem as problem:
            return problem_answer(problem.body)

    def call(self, tool: Tool, caller: Caller, arguments: Mapping[str, Any], key: str | None = None) -> ApiAnswer:
        return _as_response(self.calls.answer(tool, caller, arguments, key))

    def answer_line(self, tool: Tool, caller: Caller, number: int, line: bytes | None) -> bytes:
        """The answer to one line of a bulk request; the line is None if it was too long."""
        if line is None:
            answer = problem_answer(ApiProblem("too_large", f"line {number} is too long").body)
        else:
            answer = self.answer(tool, caller, RequestBody(JSON, line))
        return _answer_line(number, answer)

    def late_answer(self, tool: Tool, deadline: CallDeadline) -> ApiAnswer:
        """The answer to a request whose call did not end in time."""
        return _as_response(self.calls.late_answer(tool, deadline))

    def late_line(self, tool: Tool, deadline: CallDeadline, number: int) -> bytes:
        return _answer_line(number, self.late_answer(tool, deadline))


def _answer_line(number: int, answer: ApiAnswer) -> bytes:
    member = b"problem" if answer.is_problem else b"result"
    return b'{"line":%d,"%b":%b}\n' % (number, member, answer.body)


def read_body(tool: Tool, body: RequestBody) -> Json:
    """The arguments in a body: a JSON object, or for `ingest` also a text or a bundle as it is."""
    if tool is INGEST and (body.media_type in TEXT_TYPES or body.media_type == NDJSON):
        field = "bundle" if body.media_type == NDJSON else "text"
        named = {"name": body.name} if body.name and field == "text" else {}
        return {field: _decode(body.content), **named}
    if body.media_type not in (JSON, ""):
        raise ApiProblem("unsupported_media_type", f"{tool.name} does not accept {body.media_type[:100]}")
    if tool is not INGEST and has_too_many_values(body.content):
        raise ApiProblem("too_large", "the body has too many values", next_step="Send them in several calls.")
    try:
        arguments = load_json(_decode(body.content)) if body.content.strip() else {}
    except ValueError as problem:
        raise ApiProblem("invalid_input", f"the body is not JSON: {problem}") from None
    if not isinstance(arguments, dict):
        raise ApiProblem("invalid_input", "the body is not a JSON object", next_step="Send the arguments by name.")
    return arguments


def _decode(content: bytes) -> str:
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise ApiProblem("invalid_input", "the body is not UTF-8", next_step="Encode it as UTF-8.") from None


def problem_answer(body: Mapping[str, Any]) -> ApiAnswer:
    return ApiAnswer(body["status"], PROBLEM_JSON, json_bytes(body), retry_after=body.get("retry_after"))


def _as_response(answer: Answer) -> ApiAnswer:
    if answer.is_error:
        return problem_answer(problem_of_error(answer.structured["error"]))
    body = answer.texts[0].encode() if answer.has_json else json_bytes(answer.structured)
    return ApiAnswer(200, JSON, body, REPLAYED in answer.meta)


LONGEST_LINE = 1024 * 1024
AnswerLine = Callable[[int, bytes | None], Awaitable[bytes]]


async def split_lines(chunks: AsyncIterator[bytes]) -> AsyncIterator[bytes | None]:
    """The lines of a body; None in place of one that is too long."""
    rest, is_too_long = b"", False
    async for chunk in chunks:
        *lines, rest = (rest + chunk).split(b"\n")
        for line in lines:
            yield None if is_too_long or len(line) > LONGEST_LINE else line
            is_too_long = False
        if len(rest) > LONGEST_LINE:
            rest, is_too_long = b"", True
    if rest or is_too_long:
        yield None if is_too_long else rest


class AnswerLines(Response):
    """Answers each line as it arrives. Starlette's own streaming response would read the request body away."""

    media_type = NDJSON

    def __init__(self, answer: AnswerLine) -> None:
        super().__init__()
        del self.headers["content-length"]
        self._answer = answer

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": self.status_code, "headers": self.raw_headers})
        number = 0
        try:
            async for line in split_lines(Request(scope, receive).stream()):
                number += 1
                if line is None or line.strip():
                    answer = await self._answer(number, line)
                    await send({"type": "http.response.body", "body": answer, "more_body": True})
        except ClientDisconnect:
            return
        await send({"type": "http.response.body", "body": b"", "more_body": False})
