"""The application of the HTTP API: routes, bodies, idempotency keys, and its description."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, partial

from anyio import CapacityLimiter
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from recollect.deadline import CallDeadline
from recollect.errors import Conflict, RecollectError
from recollect.keep.replication.exchange import answer_message
from recollect.memory import Memory
from recollect.serve.api.calls import NDJSON, AnswerLines, ApiAnswer, RequestBody, VerbCalls, api_verbs
from recollect.serve.api.ingest import INGEST
from recollect.serve.api.openapi import SYNC, openapi_document, render_page
from recollect.serve.call_deadlines import run_call, run_in_time, while_connected
from recollect.serve.callers import Caller
from recollect.serve.counted_calls import CountedCalls
from recollect.serve.guard import CALLER
from recollect.serve.metrics import Metrics
from recollect.serve.open_store import ServedStore
from recollect.serve.problem_json import API_ROOT, ApiProblem, problem_body, problem_response
from recollect.surfaces.call_errors import UnknownTool
from recollect.surfaces.declarations import Outcome, Tool
from recollect.surfaces.recollect.surface import code_of

MAX_CONCURRENT_CALLS = 16
CLIENT = "api"
KEY_HEADER = "idempotency-key"


@dataclass(frozen=True)
class Api:
    """Serves the verbs over POST, and describes them."""

    verbs: dict[str, Tool]
    calls: VerbCalls
    largest_body: int
    call_seconds: float
    workspace: Callable[[str], Memory]

    def routes(self) -> list[Route]:
        return [
            Route(API_ROOT, self.show_page, methods=["GET"]),
            Route(f"{API_ROOT}openapi.json", self.show_document, methods=["GET"]),
            Route(f"{API_ROOT}{SYNC}", self.sync, methods=["POST"]),
            Route(f"{API_ROOT}{{verb}}", self.call_verb, methods=["POST"]),
        ]

    async def call_verb(self, request: Request) -> Response:
        tool = self._find(request.path_params["verb"])
        caller: Caller = request.scope[CALLER].with_client(CLIENT)
        media_type = request.headers.get("content-type", "").partition(";")[0].strip().lower()
        key = request.headers.get(KEY_HEADER)
        if media_type == NDJSON and tool is not INGEST:
            return self._answer_lines(tool, caller, key)
        content = await read_content(request, self.largest_body)
        body = RequestBody(media_type, content, request.query_params.get("name"))
        found = await while_connected(request.receive, partial(self._answer, tool, caller, body, key))
        if found is None:
            raise ClientDisconnect
        return Response(found.body, found.status, found.headers, found.media_type)

    async def sync(self, request: Request) -> Response:
        """Exchange transactions with another device, which may then write anything: only for administrators."""
        caller: Caller = request.scope[CALLER]
        if not caller.may_administer:
            raise ApiProblem("forbidden", "sync needs a token with scope admin")
        content = await read_content(request, self.largest_body)
        job = partial(self._exchange, caller.with_client(CLIENT), content)
        work = partial(run_in_time, self.call_seconds, job, self.limiter)
        try:
            answer = await while_connected(request.receive, work)
        except RecollectError as problem:
            raise _sync_problem(problem) from problem
        if answer is None:
            raise ClientDisconnect
        return Response(answer, media_type=NDJSON)

    def _exchange(self, caller: Caller, content: bytes) -> str:
        outcome: Outcome = "failed"
        try:
            answer = answer_message(self.workspace(caller.workspace), content.decode())
            outcome = "ok"
        except UnicodeDecodeError as problem:
            raise ApiProblem("invalid_input", "the body is not UTF-8") from problem
        finally:
            audit = self.calls.calls.audit
            if audit is not None:
                audit.add(caller, CLIENT, SYNC, outcome, ())
        return answer

    def _find(self, name: str) -> Tool:
        tool = self.verbs.get(name)
        if tool is None:
            problem = UnknownTool(name[:100], API_ROOT, self.verbs)
            raise ApiProblem("not_found", str(problem), next_step=f"Use one of: {', '.join(self.verbs)}.")
        return tool

    async def _answer(self, tool: Tool, caller: Caller, body: RequestBody, key: str | None) -> ApiAnswer:
        deadline = CallDeadline(self.call_seconds)
        job = partial(self.calls.answer, tool, caller, body, key)
        return await run_call(deadline, job, self.limiter, partial(self.calls.late_answer, tool, deadline))

    def _answer_lines(self, tool: Tool, caller: Caller, key: str | None) -> Response:
        if key is not None:
            message = "Idempotency-Key is for requests with one call"
            raise ApiProblem("invalid_input", message, field="Idempotency-Key", next_step="Leave it out.")

        async def answer(number: int, line: bytes | None) -> bytes:
            deadline = CallDeadline(self.call_seconds)
            job = partial(self.calls.answer_line, tool, caller, number, line)
            late = partial(self.calls.late_line, tool, deadline, number)
            return await run_call(deadline, job, self.limiter, late)

        return AnswerLines(answer)

    @cached_property
    def limiter(self) -> CapacityLimiter:
        """Created on first use, since it belongs to a running event loop."""
        return CapacityLimiter(MAX_CONCURRENT_CALLS)

    def show_document(self, _: Request) -> Response:
        return JSONResponse(openapi_document(self.verbs.values()))

    def show_page(self, request: Request) -> Response:
        return render_page(request, self.verbs.values())


def _sync_problem(failure: RecollectError) -> ApiProblem:
    advice = "recollect sync new-device" if isinstance(failure, Conflict) else None
    retry_after = getattr(failure, "retry_after", None)
    return ApiProblem(code_of(failure), str(failure), next_step=advice, retry_after=retry_after)


def create_api(served: ServedStore, metrics: Metrics, largest_body: int) -> Starlette:
    calls = VerbCalls(CountedCalls(served.open_for, metrics, served.audit))
    api = Api(api_verbs(), calls, largest_body, served.call_seconds, served.workspace)
    handlers = {ApiProblem: show_problem, HTTPException: show_http_failure}
    return Starlette(routes=api.routes(), exception_handlers=handlers)


async def read_content(request: Request, largest: int) -> bytes:
    """The whole body, unless it is too large."""
    content = bytearray()
    async for chunk in request.stream():
        content += chunk
        if len(content) > largest:
            raise ApiProblem("too_large", f"the body is larger than {largest} bytes")
    return bytes(content)


def show_problem(_: Request, problem: Exception) -> Response:
    assert isinstance(problem, ApiProblem)
    return problem_response(problem.body)


def show_http_failure(request: Request, failure: Exception) -> Response:
    assert isinstance(failure, HTTPException)
    code = {404: "not_found", 405: "method_not_allowed"}.get(failure.status_code, "invalid_input")
    return problem_response(
        problem_body(code, f"{failure.detail}: {request.method} {request.url.path[:200]}"), failure.headers
    )
