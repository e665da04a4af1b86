"""Plain tool calls over HTTP, answered without the transport streams of the SDK, which cost several times the call."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, NamedTuple

import anyio
from anyio import CapacityLimiter, to_thread
from mcp.server.auth.middleware.bearer_auth import AuthenticatedUser, authorization_context
from mcp.server.context import ServerRequestContext
from mcp.server.streamable_http import MCP_SESSION_ID_HEADER
from mcp.shared.inbound import MCP_PROTOCOL_VERSION_HEADER
from starlette.types import Message, Receive, Scope, Send

from recollect.deadline import CallDeadline
from recollect.serve.call_deadlines import run_call
from recollect.serve.callers import Caller
from recollect.serve.guard import CALLER, request_headers
from recollect.serve.lenient_json import load_json, replay_body
from recollect.serve.plain_calls import PlainCalls, cancelled_id, is_message, is_request_id
from recollect.serve.protocol_versions import HANDSHAKE_VERSIONS, HandshakeProtocol, Id
from recollect.surfaces.declarations import Json, Tool

TRUSTED_SECONDS = 600
"""How long calls may bypass the SDK after a request it handled; it ends sessions that it has not seen for 1,800."""
MAX_SESSIONS = 1_000
LARGEST_BODY = 1024 * 1024
"""Larger bodies take long to parse, which the event loop must not do."""
_MESSAGE_KEYS = frozenset({"jsonrpc", "id", "method", "params"})


@dataclass(frozen=True, slots=True)
class HttpSession:
    """A session the SDK has accepted: its client, its owner, and until when plain calls may bypass the SDK."""

    client: str
    owner: object
    trusted_until: float


class HttpSessions:
    """The sessions of one surface in which plain calls bypass the SDK."""

    def __init__(self) -> None:
        self._sessions: dict[str, HttpSession] = {}

    def trust(self, context: ServerRequestContext[Any, Any]) -> None:
        """Remember the session of a request that the SDK is handling, unless its calls need the SDK."""
        request: Any = context.request
        ident, greeting = request.headers.get(MCP_SESSION_ID_HEADER), context.session.client_params
        if ident is None or greeting is None or context.protocol_version not in HANDSHAKE_VERSIONS:
            return
        if greeting.capabilities.sampling is not None:
            return
        self._sessions.pop(ident, None)
        while len(self._sessions) >= MAX_SESSIONS:
            del self._sessions[next(iter(self._sessions))]
        until = anyio.current_time() + TRUSTED_SECONDS
        self._sessions[ident] = HttpSession(greeting.client_info.name, _owner(request.scope), until)

    def find(self, ident: str | None, scope: Scope) -> HttpSession | None:
        session = self._sessions.get(ident) if ident is not None else None
        if session is None or session.trusted_until < anyio.current_time() or session.owner != _owner(scope):
            return None
        return session

    def end(self, ident: str | None) -> None:
        if ident is not None:
            self._sessions.pop(ident, None)


class PlainResponse(NamedTuple):
    """The response to a message of a session."""

    status: int
    session: str
    body: bytes = b""

    async def send(self, send: Send) -> None:
        headers = [
            (b"content-length", b"%d" % len(self.body)),
            (b"content-type", b"application/json"),
            (MCP_SESSION_ID_HEADER.encode(), self.session.encode("latin-1")),
        ]
        await send({"type": "http.response.start", "status": self.status, "headers": headers})
        await send({"type": "http.response.body", "body": self.body})


@dataclass(frozen=True, eq=False)
class HttpFastPath:
    """Answers plain tool calls of known sessions."""

    calls: PlainCalls
    sessions: HttpSessions
    limiter: Callable[[], CapacityLimiter]
    call_seconds: float = math.inf
    running: dict[tuple[str, Id], CallDeadline] = field(default_factory=dict)

    async def rest_of(self, scope: Scope, receive: Receive, send: Send) -> Receive | None:
        """None if the request was a plain call that has been answered, else the channel on which to receive it."""
        session = self.session(scope)
        if session is None:
            return receive
        received = await receive()
        response = await self.answer(scope, session, received)
        if response is None:
            return replay_body([received], receive)
        await response.send(send)
        return None

    def session(self, scope: Scope) -> HttpSession | None:
        """The session of a POST that may be answered here; the SDK judges all others."""
        headers = request_headers(scope)
        ident = headers.get(MCP_SESSION_ID_HEADER)
        if scope["method"] == "DELETE":
            self.sessions.end(ident)
        if scope["method"] != "POST" or not _is_ordinary(headers):
            return None
        return self.sessions.find(ident, scope)

    async def answer(self, scope: Scope, session: HttpSession, received: Message) -> "PlainResponse | None":
        """The response to a plain call or to its cancellation; none for any other message."""
        message = _message(received)
        ident = request_headers(scope).get(MCP_SESSION_ID_HEADER, "")
        if message is None or await self._has_cancelled(ident, message):
            return None if message is None else PlainResponse(202, ident)
        params = message.get("params")
        tool = self.calls.tool(params) if _is_call(message) else None
        if params is None or tool is None:
            return None
        caller: Caller = replace(scope[CALLER], client=session.client, session=ident)
        line = await self._answer_line(message["id"], tool, caller, params)
        return PlainResponse(200, ident, line)

    async def _answer_line(self, ident: Id, tool: Tool, caller: Caller, params: Json) -> bytes:
        deadline, era = CallDeadline(self.call_seconds), HandshakeProtocol()
        key = caller.session or "", ident
        self.running[key] = deadline
        try:
            return await run_call(
                deadline,
                partial(self.calls.answer_line, ident, tool, caller, params, era),
                self.limiter(),
                partial(self.calls.late_line, ident, tool, deadline, era),
            )
        finally:
            self.running.pop(key, None)

    async def _has_cancelled(self, session: str, message: Json) -> bool:
        """Whether a message cancels a call that runs here, which is answered with the failure."""
        ident = cancelled_id(message)
        deadline = self.running.get((session, ident)) if ident is not None else None
        if deadline is not None:
            await to_thread.run_sync(deadline.cancel)
        return deadline is not None


def _is_ordinary(headers: Mapping[str, str]) -> bool:
    accept, version = headers.get("accept", ""), headers.get(MCP_PROTOCOL_VERSION_HEADER)
    return (
        "application/json" in accept
        and "text/event-stream" in accept
        and headers.get("content-type", "").partition(";")[0].strip() == "application/json"
        and (version is None or version in HANDSHAKE_VERSIONS)
        and _is_short(headers.get("content-length", ""))
    )


def _is_short(length: str) -> bool:
    return length.isascii() and length.isdigit() and int(length) <= LARGEST_BODY


def _message(received: Message) -> Json | None:
    if received["type"] != "http.request" or received.get("more_body"):
        return None
    try:
        message = load_json(received.get("body", b"").decode())
    except ValueError:
        return None
    return message if is_message(message) and message.keys() <= _MESSAGE_KEYS else None


def _is_call(message: Json) -> bool:
    return message.get("method") == "tools/call" and is_request_id(message.get("id"))


def _owner(scope: Scope) -> object:
    user = scope.get("user")
    return authorization_context(user) if isinstance(user, AuthenticatedUser) else None
