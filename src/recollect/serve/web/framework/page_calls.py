"""Requests of pages as calls, counted and ended in time, each form carried out once; and the responses."""

import json
import logging
import secrets
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cached_property
from hashlib import sha256
from typing import IO, TYPE_CHECKING, Any, TypeVar
from urllib.parse import quote

from anyio import CapacityLimiter
from starlette.datastructures import FormData
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from recollect.deadline import CallDeadline, CallStopped, acquire_in_time
from recollect.errors import RecollectError
from recollect.serve.call_deadlines import run_call
from recollect.serve.callers import Caller
from recollect.serve.metrics import Usage
from recollect.serve.web.framework.error_pages import Problem
from recollect.serve.web.framework.page_layout import Chrome
from recollect.serve.web.framework.pages import SURFACE, ActionResult, PageRequest
from recollect.serve.web.framework.rendering import content_of, render
from recollect.serve.web.framework.sessions import CSRF_FIELD
from recollect.store.idempotency import CallClaim, CallRepeated
from recollect.surfaces.dispatch import crash_places, json_bytes

if TYPE_CHECKING:
    from recollect.serve.audit import AuditLog
    from recollect.surfaces.declarations import Outcome


Value = TypeVar("Value")
MAX_CONCURRENT_PAGES = 24


@dataclass(frozen=True)
class PageCalls:
    """Treats a request of a page as tool calls are treated."""

    usage: Usage
    call_seconds: float
    audit: "AuditLog | None"

    async def run(
        self, job: Callable[[], Value], late: Callable[[CallStopped], Value], seconds: float | None = None
    ) -> Value:
        """The result of a job on a thread, or that of `late` if it does not end in time."""
        deadline = CallDeadline(self.call_seconds if seconds is None else seconds)
        return await run_call(deadline, job, self.limiter, lambda: late(deadline.failure()))

    @cached_property
    def limiter(self) -> CapacityLimiter:
        """Created on first use, since it belongs to a running event loop."""
        return CapacityLimiter(MAX_CONCURRENT_PAGES)

    def count(self, caller: Caller, size: int = 0) -> None:
        """Count a request and its bytes, or raise `LimitReached`."""
        self.usage.count_call(caller)
        self.usage.count_bytes(caller, size)

    @contextmanager
    def recorded(self, caller: Caller, name: str, asked: object) -> Iterator[list[object]]:
        """Inside, a request is answered; it is audited with the ids in it and in what is added to the list."""
        values: list[object] = [asked]
        outcome: Outcome = "crashed"
        try:
            yield values
            outcome = "ok"
        except RecollectError:
            outcome = "failed"
            raise
        finally:
            self.record(caller, name, outcome, values)

    def record(self, caller: Caller, name: str, outcome: "Outcome", values: list[Any]) -> None:
        if self.audit is not None:
            self.audit.add(caller, SURFACE, name, outcome, json.loads(json_bytes(values)))


log = logging.getLogger("recollect.web")
CHUNK = 1024**2
HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; "
    "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    # `no-referrer` would make browsers send `Origin: null` with our own forms.
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}


def wants_json(request: Request) -> bool:
    accepted = request.headers.get("accept", "")
    is_asked = "application/json" in accepted and "text/html" not in accepted
    return request.url.path.endswith(".json") or is_asked or "text/event-stream" in accepted


def must_sign_in(request: Request) -> Response:
    if wants_json(request):
        body = json_bytes({"error": "unauthorized", "message": "sign in at /login, or send a token"})
        return Response(body, 401, {**HEADERS, "WWW-Authenticate": "Bearer"}, "application/json")
    wanted = f"{request.url.path}?{request.url.query}" if request.url.query else request.url.path
    is_page = request.method == "GET" and wanted != "/"
    return RedirectResponse(f"/login?next={quote(wanted, safe='')}" if is_page else "/login", 303, headers=HEADERS)


def chunks(file: IO[bytes]) -> Iterator[bytes]:
    with file:
        while chunk := file.read(CHUNK):
            yield chunk


def favicon(_: Request) -> Response:
    return Response(content_of("favicon.svg"), media_type="image/svg+xml", headers={"Cache-Control": "max-age=86400"})


def html_page(
    template: str, chrome: Chrome, model: object, href: Callable[..., str] | None, status: int = 200
) -> HTMLResponse:
    html = render(template, {"chrome": chrome, "page": model, "href": href, "timeline": chrome.timeline})
    return HTMLResponse(html, status, HEADERS)


def crash_problem(request: Request, crash: Exception) -> Problem:
    """Log where it crashed, but not the text of the exception, which may quote what is stored."""
    if isinstance(crash, HTTPException):
        return Problem("Not possible", crash.status_code, "error", crash.detail)
    reference = secrets.token_hex(4)
    log.error("crash %s %s %s at %s", reference, request.method, type(crash).__name__, crash_places(crash))
    return Problem("Something went wrong", 500, "internal", f"Please report the reference {reference}.")


FORM_KEY = "form_key"
"""The field with the key that a page gives all of its forms, new each time it is shown."""
RESULTS_KEPT = 256
ALREADY_DONE = "This was sent before, and is done."


@dataclass(frozen=True)
class SubmittedForms:
    """What became of the last forms, in memory only: a result may show a secret once."""

    _results: OrderedDict[str, ActionResult] = field(default_factory=OrderedDict)
    _locks: tuple[threading.Lock, ...] = field(default_factory=lambda: tuple(threading.Lock() for _ in range(64)))

    def run_once(self, action: str, request: PageRequest, run: Callable[[PageRequest], ActionResult]) -> ActionResult:
        """The result of an action, or the earlier one if the very same form was carried out before."""
        if not request.text(FORM_KEY):
            return run(request)
        memory, key = request.memory, _form_digest(action, request)
        claim = CallClaim(memory.workspace.ws, request.caller.subject, key, key, memory.clock.now())
        lock = self._locks[int(key[:4], 16) % len(self._locks)]
        acquire_in_time(lock)
        try:
            earlier = self._results.get(key)
            # A claim is committed with what the action writes, so that other servers know of it too.
            return earlier or self._keep(key, run(replace(request, memory=memory.with_parts(claim=claim))))
        except CallRepeated:
            return ActionResult(request.back(), ALREADY_DONE)
        finally:
            lock.release()

    def _keep(self, key: str, result: ActionResult) -> ActionResult:
        self._results[key] = result
        while len(self._results) > RESULTS_KEPT:
            self._results.popitem(last=False)
        return result


def _form_digest(action: str, request: PageRequest) -> str:
    """What two forms have in common that are one: their page as it was shown, their action and all that they say."""
    sent = [action, request.workspace, request.caller.subject, dict(request.path), _fields(request.form)]
    return sha256(json_bytes(sent)).hexdigest()


def _fields(form: FormData) -> list[list[object]]:
    return [
        [name, value] if isinstance(value, str) else [name, value.filename, value.size]
        for name, value in form.multi_items()
        if name != CSRF_FIELD
    ]
