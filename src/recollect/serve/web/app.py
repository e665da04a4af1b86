"""The web application: routes, access, CSRF, errors, and pages as HTML or JSON."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from tempfile import TemporaryFile
from typing import TYPE_CHECKING
from urllib.parse import quote

from starlette.applications import Starlette
from starlette.datastructures import FormData
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response, StreamingResponse
from starlette.routing import BaseRoute, Route

from recollect.deadline import CallStopped
from recollect.errors import RecollectError
from recollect.model.actor import Actor
from recollect.serve.guard import Access, ListenPolicy
from recollect.serve.metrics import Metrics, Usage
from recollect.serve.open_store import ServedStore
from recollect.serve.web.framework.error_pages import Forbidden403, PageNotFound, Problem, as_problem, too_large
from recollect.serve.web.framework.events import TransactionFeed, stream_events
from recollect.serve.web.framework.page_calls import (
    HEADERS,
    PageCalls,
    SubmittedForms,
    chunks,
    crash_problem,
    favicon,
    html_page,
    must_sign_in,
    wants_json,
)
from recollect.serve.web.framework.page_layout import (
    Chrome,
    Flash,
    LatestState,
    clear_flash,
    keep_flash,
    read_flash,
    unreadable_clocks,
)
from recollect.serve.web.framework.pages import (
    CLOCK_FIELDS,
    NOW,
    SURFACE,
    Action,
    Clocks,
    Download,
    Page,
    PageModel,
    PageRequest,
    WebSection,
    page_address,
    read_clocks,
    whole_number,
)
from recollect.serve.web.framework.rendering import serve_static
from recollect.serve.web.framework.sessions import (
    CSRF_FIELD,
    CSRF_HEADER,
    LoginLimiter,
    Visitor,
    Visitors,
    anonymous,
    end_session,
    is_csrf_valid,
    is_same_origin,
    keep_csrf,
    keep_session,
)
from recollect.serve.web.site import SECTIONS
from recollect.store.access_tokens import SCOPES, Scope
from recollect.store.workspaces import all_workspaces
from recollect.surfaces.dispatch import json_bytes

if TYPE_CHECKING:
    from recollect.memory import Memory

NO_OBJECTION = 204
LARGEST_SIGN_IN = 16 * 1024
DOWNLOAD_SECONDS = 3600.0


@dataclass(frozen=True, slots=True)
class WebApp:
    """The pages and actions of one open store."""

    served: ServedStore
    reach: ListenPolicy
    visitors: Visitors
    limiter: LoginLimiter
    feed: TransactionFeed
    sections: tuple[WebSection, ...]
    metrics: Metrics
    calls: PageCalls
    sent: SubmittedForms

    def routes(self) -> list[BaseRoute]:
        own: list[BaseRoute] = [
            Route("/", self.front_page),
            Route("/login", self.show_login, methods=["GET"]),
            Route("/login", self.sign_in, methods=["POST"]),
            Route("/logout", self.sign_out, methods=["POST"]),
            Route("/static/{name:path}", serve_static),
            Route("/favicon.ico", favicon),
            Route("/w/{workspace}", lambda request: RedirectResponse(f"{request.url.path}/", 308)),
            Route("/w/{workspace}/events", self.events),
        ]
        pages = [route for section in self.sections for page in section.pages for route in self._page_routes(page)]
        actions = [self._action_route(action) for section in self.sections for action in section.actions]
        downloads = [self._download_route(each) for section in self.sections for each in section.downloads]
        return [*own, *pages, *actions, *downloads]

    def _page_routes(self, page: Page) -> list[Route]:
        async def show(request: Request) -> Response:
            return await self._answer(request, lambda visitor: self._show(request, page, visitor))

        json_path = page.path or page.name
        return [
            Route(f"/w/{{workspace}}/{json_path}.json", show, methods=["GET"]),
            Route(f"/w/{{workspace}}/{page.path}", show, methods=["GET"]),
        ]

    def _action_route(self, action: Action) -> Route:
        async def act(request: Request) -> Response:
            # Who may not send this, or sends too much, is refused before the body is read.
            checked = await self._answer(request, lambda visitor: self._check_sender(request, action, visitor))
            if checked.status_code != NO_OBJECTION:
                return checked
            async with request.form() as form:
                return await self._answer(request, lambda visitor: self._act(request, action, visitor, form))

        return Route(f"/w/{{workspace}}/{action.path}", act, methods=["POST"])

    def _download_route(self, download: Download) -> Route:
        async def send(request: Request) -> Response:
            return await self._answer(request, partial(self._send_file, request, download), DOWNLOAD_SECONDS)

        return Route(f"/w/{{workspace}}/{download.path}", send, methods=["GET"])

    def _send_file(self, request: Request, download: Download, visitor: Visitor) -> Response:
        """A file, written as a whole before it is sent: a slow client must not keep a transaction open."""
        self.calls.count(visitor.caller)
        memory = self._memory(request, visitor, download.path)
        require_scope(visitor, download.scope)
        file = TemporaryFile()  # noqa: SIM115 closed when the response is sent
        with self.calls.recorded(visitor.caller_in(memory), download.path, []):
            file.writelines(line.encode() for line in download.lines(self._request(request, visitor, memory)))
        file.seek(0)
        name = quote(download.filename.format(workspace=memory.workspace.name))
        headers = {**HEADERS, "Content-Disposition": f"attachment; filename*=UTF-8''{name}"}
        return StreamingResponse(chunks(file), media_type="application/octet-stream", headers=headers)

    def _request(
        self, request: Request, visitor: Visitor, memory: "Memory", form: FormData | None = None, clocks: Clocks = NOW
    ) -> PageRequest:
        return PageRequest(
            memory,
            visitor.caller,
            request.path_params,
            request.query_params,
            FormData() if form is None else form,
            clocks,
            str(request.base_url).rstrip("/"),
            visitor.is_local,
            self.served.release,
            self.metrics.recent,
        )

    async def _answer(
        self, request: Request, make: Callable[[Visitor], Response], seconds: float | None = None
    ) -> Response:
        return await self._run(request, partial(self._respond_to_visitor, request, make), seconds)

    async def _run(self, request: Request, make: Callable[[], Response], seconds: float | None = None) -> Response:
        def late(stopped: CallStopped) -> Response:
            return self._problem(request, None, as_problem(stopped))

        return await self.calls.run(make, late, seconds)

    def _respond_to_visitor(self, request: Request, make: Callable[[Visitor], Response]) -> Response:
        """The response of a page or action for a known visitor, or the reason why there is none."""
        try:
            visitor = self.visitors.recognise(request)
        except RecollectError as failure:
            return self._problem(request, None, as_problem(failure))
        if visitor is None:
            return must_sign_in(request)
        try:
            response = make(visitor)
        except RecollectError as failure:
            response = self._problem(request, visitor, as_problem(failure))
        except Exception as crash:
            response = self._problem(request, visitor, crash_problem(request, crash))
        self._keep_cookies(request, response, visitor)
        return response

    def _keep_cookies(self, request: Request, response: Response, visitor: Visitor) -> None:
        renewed = None if visitor.session is None else self.visitors.renew(visitor.session)
        if renewed is not None:
            keep_session(response, request, renewed)
        if visitor.is_new:
            keep_csrf(response, request, visitor)

    def _show(self, request: Request, page: Page, visitor: Visitor) -> Response:
        self.calls.count(visitor.caller)
        memory = self._memory(request, visitor, page.name)
        require_scope(visitor, page.scope)
        query = request.query_params
        with self.calls.recorded(
            visitor.caller_in(memory), page.name, [*request.path_params.values(), *query.values()]
        ) as values:
            latest = self._latest(memory, visitor)
            at, as_of = (query.get(name, "").strip() for name in ("at", "as_of"))
            clocks = read_clocks(memory, at, as_of) if page.has_clock else NOW
            asked = self._request(request, visitor, memory, clocks=clocks)
            model = page.read(asked)
            values.append(model)
        if wants_json(request):
            return Response(json_bytes(model), media_type="application/json", headers=HEADERS)
        flash = read_flash(request)
        chrome = Chrome.of(request, visitor, self.sections, page, asked, model, latest, flash)
        response = html_page(page.template or f"{page.name}.html", chrome, model, asked.href)
        if flash is not None:
            clear_flash(response, request)
        return response

    def _latest(self, memory: "Memory", visitor: Visitor) -> LatestState:
        with memory.read() as view:
            tx, timeline = view.last_tx, view.world.timeline
        if visitor.is_local:
            names = [each.name for each in all_workspaces(memory.engine)]
        else:
            names = [memory.workspace.name, *self.served.tokens.grants(visitor.caller.subject)]
        own = [] if visitor.session is None else [visitor.session.token.workspace]
        return LatestState(tx, timeline, tuple(sorted({*names, *own})))

    def _check_sender(self, request: Request, action: Action, visitor: Visitor) -> Response:
        if not is_same_origin(request, self.reach):
            raise Forbidden403("this form came from another site")
        self.calls.count(visitor.caller, whole_number(request.headers.get("content-length", "")) or 0)
        self._memory(request, visitor, action.path)
        require_scope(visitor, action.scope)
        if is_larger(request, action.largest):
            return self._problem(request, visitor, too_large(action.largest))
        return Response(status_code=NO_OBJECTION)

    def _act(self, request: Request, action: Action, visitor: Visitor, form: FormData) -> Response:
        check_form(request, visitor, form, self.reach)
        memory = self._memory(request, visitor, action.path, is_write=True)
        require_scope(visitor, action.scope)
        with self.calls.recorded(
            visitor.caller_in(memory), action.path, [*request.path_params.values(), *texts_of(form)]
        ):
            done = self.sent.run_once(action.path, self._request(request, visitor, memory, form), action.run)
        response = RedirectResponse(
            page_address(done.workspace or memory.workspace.name, done.path), 303, headers=HEADERS
        )
        if done.message:
            keep_flash(response, request, Flash(done.message, done.undo, done.copy))
        return response

    def _memory(self, request: Request, visitor: Visitor, tool: str, *, is_write: bool = False) -> "Memory":
        """The memory of the workspace in the address, bound to the visitor; a token sees its own workspace only."""
        name, caller = request.path_params["workspace"], visitor.caller
        if not visitor.is_local and caller.workspace != name:
            raise PageNotFound
        actor = Actor(SURFACE, tool, caller.actor, client=caller.client, session=caller.session)
        return self.served.open_as(replace(caller, workspace=name), actor, is_write=is_write)

    def _problem(self, request: Request, visitor: Visitor | None, problem: Problem) -> Response:
        response = self._problem_page(request, visitor, problem)
        if problem.wait_seconds:
            response.headers["Retry-After"] = str(problem.wait_seconds)
        return response

    def _problem_page(self, request: Request, visitor: Visitor | None, problem: Problem) -> Response:
        if wants_json(request):
            body = json_bytes({"error": problem.code, "message": problem.message})
            return Response(body, problem.status, HEADERS, "application/json")
        chrome = Chrome.bare(request, visitor, self.sections)
        if problem.field in CLOCK_FIELDS and request.method == "GET":
            chrome = replace(chrome, clock=unreadable_clocks(request))
        return html_page("problem.html", chrome, problem, chrome.href, problem.status)

    async def front_page(self, request: Request) -> Response:
        """To the workspace of the visitor."""
        return await self._answer(
            request, lambda visitor: RedirectResponse(page_address(visitor.caller.workspace, ""), 303, headers=HEADERS)
        )

    async def not_found(self, request: Request, _: Exception) -> Response:
        return await self._answer(request, lambda visitor: self._problem(request, visitor, as_problem(PageNotFound())))

    def show_login(self, request: Request) -> Response:
        return self._login_page(request, "")

    async def sign_in(self, request: Request) -> Response:
        if is_larger(request, LARGEST_SIGN_IN):
            return self._problem(request, None, too_large(LARGEST_SIGN_IN))
        async with request.form() as form:
            return await self._run(request, partial(self._sign_in, request, form))

    def _sign_in(self, request: Request, form: FormData) -> Response:
        """Exchange a token for a cookie. Programs may leave the CSRF token out: the token itself is the secret here."""
        address = request.client.host if request.client else ""
        wait = self.limiter.seconds_to_wait(address)
        if wait:
            response = self._login_page(request, f"Too many attempts. Try again in {wait} seconds.", 429)
            response.headers["Retry-After"] = str(wait)
            return response
        sent = form.get(CSRF_FIELD)
        is_forged = isinstance(sent, str) and not is_csrf_valid(anonymous(request), sent)
        if is_forged or not is_same_origin(request, self.reach):
            return self._problem(request, None, as_problem(Forbidden403("this form came from another site")))
        wanted = str(form.get("next", ""))
        session = self.visitors.sign_in(str(form.get("token", "")).strip())
        if session is None:
            self.limiter.note_failure(address)
            message = "This token is not valid. Create one with: recollect token create NAME"
            return self._login_page(request, message, 401, wanted)
        self.calls.record(self.visitors.caller_of(session), "login", "ok", [])
        home = page_address(session.token.workspace, "")
        response = RedirectResponse(wanted if wanted.startswith(home) else home, 303, headers=HEADERS)
        keep_session(response, request, session)
        return response

    def _login_page(self, request: Request, message: str, status: int = 200, wanted: str = "") -> Response:
        visitor = anonymous(request)
        model = LoginPage("Sign in", message, wanted or request.query_params.get("next", ""), visitor.csrf)
        response = html_page("login.html", Chrome.bare(request, None), model, None, status)
        keep_csrf(response, request, visitor)
        return response

    async def sign_out(self, request: Request) -> Response:
        if is_larger(request, LARGEST_SIGN_IN):
            return self._problem(request, None, too_large(LARGEST_SIGN_IN))
        async with request.form() as form:
            return await self._answer(request, lambda visitor: self._sign_out(request, visitor, form))

    def _sign_out(self, request: Request, visitor: Visitor, form: FormData) -> Response:
        check_form(request, visitor, form, self.reach)
        if visitor.session is not None:
            self.visitors.sign_out(visitor.session)
        response = RedirectResponse("/login", 303, headers=HEADERS)
        end_session(response, request)
        return response

    async def events(self, request: Request) -> Response:
        """The event stream of a workspace."""

        def open_stream(visitor: Visitor) -> Response:
            since = request.headers.get("last-event-id") or request.query_params.get("since", "")
            return stream_events(self.feed, self._memory(request, visitor, "events"), since)

        return await self._answer(request, open_stream)


@dataclass(frozen=True, slots=True)
class LoginPage(PageModel):
    message: str
    next: str
    csrf: str


def create_web_app(
    served: ServedStore, reach: ListenPolicy, metrics: Metrics, access: Access, usage: Usage
) -> Starlette:
    visitors = Visitors(lambda: served.tokens, served.local, reach, access)
    calls = PageCalls(usage, served.call_seconds, served.audit)
    app = WebApp(served, reach, visitors, LoginLimiter(), TransactionFeed(), SECTIONS, metrics, calls, SubmittedForms())

    return Starlette(routes=app.routes(), exception_handlers={404: app.not_found})


def is_larger(request: Request, largest: int) -> bool:
    """Whether a body is larger than so many bytes, or does not say its size."""
    size = whole_number(request.headers.get("content-length", ""))
    return size is None or size > largest


def check_form(request: Request, visitor: Visitor, form: FormData, reach: ListenPolicy) -> None:
    """Refuse a form that no page of ours sent for this visitor."""
    sent = request.headers.get(CSRF_HEADER) or form.get(CSRF_FIELD)
    if not is_same_origin(request, reach):
        raise Forbidden403("this form came from another site")
    if not isinstance(sent, str) or not is_csrf_valid(visitor, sent):
        raise Forbidden403("this form is out of date; reload the page and send it again")


def texts_of(form: FormData) -> list[str]:
    """The fields of a form that are not files."""
    return [value for _, value in form.multi_items() if isinstance(value, str)]


def require_scope(visitor: Visitor, scope: Scope) -> None:
    if SCOPES.index(visitor.caller.scope) < SCOPES.index(scope):
        raise Forbidden403(f"this needs a token with scope {scope}; yours has {visitor.caller.scope}")
