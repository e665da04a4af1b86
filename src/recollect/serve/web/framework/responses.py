"""Responses of pages: headers, HTML or JSON, files, and what is said of a crash."""

import logging
import secrets
from collections.abc import Callable, Iterator
from typing import IO
from urllib.parse import quote

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from recollect.serve.web.framework.chrome import Chrome
from recollect.serve.web.framework.problems import Problem
from recollect.serve.web.framework.rendering import render
from recollect.serve.web.framework.statics import content_of
from recollect.surfaces.dispatch import json_bytes

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
    trace = crash.__traceback__
    places = []
    while trace is not None:
        places.append(f"{trace.tb_frame.f_code.co_filename}:{trace.tb_lineno}")
        trace = trace.tb_next
    log.error("crash %s %s %s at %s", reference, request.method, type(crash).__name__, " < ".join(places[-6:][::-1]))
    return Problem("Something went wrong", 500, "internal", f"Please report the reference {reference}.")
