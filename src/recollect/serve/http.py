"""HTTP: every surface under /mcp, the older SSE transport, health, metrics, the API and the web app."""

from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import replace
from functools import cached_property, partial
from typing import Any
from urllib.parse import urlsplit

from anyio import CapacityLimiter, to_thread
from mcp.server.context import ServerRequestContext
from mcp.server.sse import SseServerTransport
from mcp.server.streamable_http import MCP_SESSION_ID_HEADER
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.cors import CORSMiddleware
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Mount, Route
from starlette.types import ASGIApp, Receive, Scope, Send

from recollect.deadline import CallStopped
from recollect.errors import RecollectError, Unavailable
from recollect.model.progress import Progress
from recollect.serve.auth import METADATA_PATH
from recollect.serve.call_deadlines import run_in_time
from recollect.serve.callers import Caller
from recollect.serve.counted_calls import CountedCalls
from recollect.serve.external_connection_pool import ServerConnections
from recollect.serve.guard import (
    CALLER,
    HOOKS_ROOT,
    WEB_PATHS,
    WEB_PREFIXES,
    Access,
    Guard,
    ListenPolicy,
    Refusal,
)
from recollect.serve.http_fast_path import HttpFastPath, HttpSessions
from recollect.serve.lenient_json import LenientBodies
from recollect.serve.logs import RequestIds
from recollect.serve.mcp import ServerContext, create_server, initialization_options
from recollect.serve.metrics import Metrics, Usage, process_gauges
from recollect.serve.notifications import ClientRegistry, rebuild_notification
from recollect.serve.open_store import ServedStore
from recollect.serve.plain_calls import PlainCalls
from recollect.serve.problem_json import API_ROOT
from recollect.surfaces.registry import canonical_name, find_surface, surface_names

WEB_ROUTES = (*sorted(WEB_PATHS), *(f"{prefix}{{rest:path}}" for prefix in WEB_PREFIXES))
HEALTH_SECONDS = 2.0
LARGEST_REQUEST = 64 * 1024 * 1024
"""Enough for an archive of 48 MiB in base64, the largest argument of any tool."""


class SurfaceRoutes:
    """One server and one session manager for each surface; the surfaces themselves load on first use."""

    def __init__(self, served: ServedStore, metrics: Metrics, *, stateless: bool, port: int) -> None:
        self.default = served.default_surface
        self.clients = ClientRegistry()
        served.listeners.add(self.notify_clients)
        self.external = ServerConnections(served.workspace, frozenset({port}))
        self.sessions = {name: HttpSessions() for name in surface_names()}
        contexts = {name: self._context(name, served, metrics) for name in surface_names()}
        self.servers = {name: create_server(name, context) for name, context in contexts.items()}
        self.fast_paths = {name: self._fast_path(name, context) for name, context in contexts.items()}
        self.managers = {
            name: StreamableHTTPSessionManager(each, stateless=stateless, max_request_body_size=LARGEST_REQUEST)
            for name, each in self.servers.items()
        }
        self.sse = SseServerTransport("/mcp/sse/messages", max_request_body_size=LARGEST_REQUEST)

    def _context(self, name: str, served: ServedStore, metrics: Metrics) -> ServerContext:
        def caller(context: ServerRequestContext[Any, Any]) -> Caller:
            self.sessions[name].trust(context)
            return caller_of(context)

        load = partial(find_surface, name)
        return ServerContext(
            load, served.open_for, caller, metrics, self.external, self.clients, served.call_seconds, served.audit
        )

    def _fast_path(self, name: str, context: ServerContext) -> HttpFastPath:
        calls = PlainCalls(context.load, CountedCalls(context.open_for, context.metrics, context.audit))
        return HttpFastPath(calls, self.sessions[name], lambda: context.limiter, context.call_seconds)

    def notify_clients(self, workspace: str, progress: Progress) -> None:
        """Notify every client of a workspace over its open stream."""
        announced = rebuild_notification(progress)
        if announced is not None:
            self.clients.notify(workspace, announced)

    @asynccontextmanager
    async def running(self, _: Starlette) -> AsyncIterator[None]:
        async with AsyncExitStack() as stack:
            await stack.enter_async_context(self.external.running())
            for manager in self.managers.values():
                await stack.enter_async_context(manager.run())
            yield

    async def streamable(self, scope: Scope, receive: Receive, send: Send) -> None:
        name = canonical_name(scope["path_params"].get("surface", self.default))
        manager = self.managers.get(name)
        if manager is None:
            await _unknown_surface(name)(scope, receive, send)
            return
        await manager.handle_request(scope, receive, send)

    async def open_sse(self, request: Request) -> Response:
        name = canonical_name(request.query_params.get("surface", self.default))
        chosen = self.servers.get(name)
        if chosen is None:
            return _unknown_surface(name)
        async with self.sse.connect_sse(request.scope, request.receive, request._send) as (incoming, outgoing):
            await chosen.run(incoming, outgoing, initialization_options(chosen))
        return Response()


class PlainCallsFirst:
    """Answers plain calls of known sessions before any routing; passes everything else on."""

    def __init__(self, app: ASGIApp, doors: SurfaceRoutes) -> None:
        self.app = app
        self.doors = doors

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        fast_path = self._fast_path(scope) if scope["type"] == "http" else None
        rest = receive if fast_path is None else await fast_path.rest_of(scope, receive, send)
        if rest is not None:
            await self.app(scope, rest, send)

    def _fast_path(self, scope: Scope) -> HttpFastPath | None:
        root, _, name = scope["path"].removeprefix("/").partition("/")
        return self.doors.fast_paths.get(canonical_name(name or self.doors.default)) if root == "mcp" else None


class StreamableApp:
    """An ASGI application; the router does not accept a bound method."""

    def __init__(self, doors: SurfaceRoutes) -> None:
        self.doors = doors

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self.doors.streamable(scope, receive, send)


class LazyApp:
    """An application whose code loads at its first request."""

    def __init__(self, create: Callable[[], ASGIApp]) -> None:
        self._create = create

    @cached_property
    def app(self) -> ASGIApp:
        return self._create()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        app = await to_thread.run_sync(lambda: self.app)
        await app(scope, receive, send)


def _load_web_app(served: ServedStore, reach: ListenPolicy, metrics: Metrics, access: Access, usage: Usage) -> ASGIApp:
    from recollect.serve.web.app import create_web_app

    return create_web_app(served, reach, metrics, access, usage)


def _load_api(served: ServedStore, metrics: Metrics) -> ASGIApp:
    from recollect.serve.api.app import create_api

    return create_api(served, metrics, LARGEST_REQUEST)


def _load_webhooks(served: ServedStore) -> ASGIApp:
    from recollect.serve.webhooks import create_webhooks

    return create_webhooks(served)


def create_app(
    served: ServedStore,
    reach: ListenPolicy,
    *,
    stateless: bool = False,
    port: int = 0,
    access: Access | None = None,
) -> Starlette:
    """The HTTP application of one open store."""
    metrics, usage, access = Metrics(), Usage(), access or Access()
    doors = SurfaceRoutes(served, metrics, stateless=stateless, port=port)
    streamable = StreamableApp(doors)
    pages = LazyApp(partial(_load_web_app, served, reach, metrics, access, usage))
    api = LazyApp(partial(_load_api, served, metrics))
    return Starlette(
        routes=[
            Route("/healthz", partial(health, served, doors.external)),
            *_oauth_metadata(access),
            Route("/metrics", partial(exposition, served, metrics)),
            Route("/mcp/sse", doors.open_sse, methods=["GET"]),
            Mount("/mcp/sse/messages", app=doors.sse.handle_post_message),
            Route("/mcp", streamable),
            Route("/mcp/{surface}", streamable),
            Route(f"{API_ROOT}{{verb:path}}", api),
            Route(f"{HOOKS_ROOT}{{source}}", LazyApp(partial(_load_webhooks, served)), methods=["POST"]),
            *(Route(path, pages) for path in WEB_ROUTES),
        ],
        middleware=[
            Middleware(RequestIds),
            *_cross_origin(reach),
            Middleware(
                Guard, reach=reach, tokens=lambda: served.tokens, local=served.local, access=access, usage=usage
            ),
            Middleware(LenientBodies, largest=LARGEST_REQUEST),
            Middleware(PlainCallsFirst, doors=doors),
        ],
        lifespan=doors.running,
    )


def _oauth_metadata(access: Access) -> list[Route]:
    """The description of this resource, at the root as well, for clients that do not look under its path."""
    oauth = access.oauth
    if oauth is None:
        return []

    def show(_: Request) -> Response:
        return JSONResponse(oauth.metadata(), headers={"Access-Control-Allow-Origin": "*"})

    return [Route(path, show) for path in {METADATA_PATH, urlsplit(oauth.metadata_url).path}]


def _cross_origin(reach: ListenPolicy) -> list[Middleware]:
    """What lets the pages of allowed origins call: answers to preflight requests, and headers on every response."""
    if not reach.origins:
        return []
    return [
        Middleware(
            CORSMiddleware,
            allow_origins=sorted(reach.origins),
            allow_methods=["GET", "POST", "DELETE"],
            allow_headers=["*"],
            expose_headers=["Mcp-Session-Id", "WWW-Authenticate", "Retry-After", "Idempotent-Replayed"],
        )
    ]


def caller_of(context: ServerRequestContext[Any, Any]) -> Caller:
    """The caller that the guard recorded; every request passes through it."""
    request: Any = context.request
    caller: Caller = request.scope[CALLER]
    session = request.headers.get(MCP_SESSION_ID_HEADER) or request.query_params.get("session_id")
    return replace(caller, session=session)


async def health(served: ServedStore, external: ServerConnections, _: Request) -> Response:
    try:
        # A limiter of its own: calls that wait for the database must not keep this from saying so.
        await run_in_time(HEALTH_SECONDS, served.check, CapacityLimiter(1))
    except RecollectError as failure:
        silence = f"the database did not answer within {HEALTH_SECONDS:g} seconds"
        message = silence if isinstance(failure, CallStopped) else str(failure)
        return JSONResponse({"status": "unavailable", "error": Unavailable.code, "message": message}, 503)
    states = external.states()
    return JSONResponse({"status": "ok"} | ({"external": states} if states else {}))


async def exposition(served: ServedStore, metrics: Metrics, _: Request) -> Response:
    try:
        gauges = await run_in_time(HEALTH_SECONDS, served.gauges, CapacityLimiter(1))
    except RecollectError:
        gauges = {}  # the numbers of this process are of use above all when the database is silent
    return PlainTextResponse(metrics.text({**gauges, **process_gauges()}), media_type="text/plain; version=0.0.4")


def _unknown_surface(name: str) -> Response:
    message = f"no surface {name[:100]!r}; available: {', '.join(surface_names())}"
    return Refusal(404, "unknown_surface", message).response("")
