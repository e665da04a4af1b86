"""Plain tool calls over HTTP, answered without the transport streams of the SDK, which cost several times the call."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import anyio
from anyio import CapacityLimiter, to_thread
from mcp.server.auth.middleware.bearer_auth import AuthenticatedUser, authorization_context
from mcp.server.context import ServerRequestContext
from mcp.server.streamable_http import MCP_SESSION_ID_HEADER
from mcp.shared.inbound import MCP_PROTOCOL_VERSION_HEADER
from starlette.datastructures import Headers
from starlette.responses import Response
from starlette.types import Message, Scope

from recollect.serve.callers import Caller
from recollect.serve.guard import CALLER
from recollect.serve.lenient_json import load_json
from recollect.serve.plain_calls import PlainCalls, is_message, is_request_id
from recollect.serve.protocol_versions import HANDSHAKE_VERSIONS, HandshakeProtocol
from recollect.surfaces.declarations import Json

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


class HttpFastPath:
    """Answers plain tool calls of known sessions."""

    def __init__(self, calls: PlainCalls, sessions: HttpSessions, limiter: Callable[[], CapacityLimiter]) -> None:
        self._calls = calls
        self._sessions = sessions
        self._limiter = limiter

    def session(self, scope: Scope) -> HttpSession | None:
        """The session of a POST that may be answered here; the SDK judges all others."""
        headers = Headers(scope=scope)
        ident = headers.get(MCP_SESSION_ID_HEADER)
        if scope["method"] == "DELETE":
            self._sessions.end(ident)
        if scope["method"] != "POST" or not _is_ordinary(headers):
            return None
        return self._sessions.find(ident, scope)

    async def answer(self, scope: Scope, session: HttpSession, received: Message) -> Response | None:
        """The response to a plain call; none for any other message."""
        message = _request(received)
        params = message.get("params") if message is not None else None
        tool = self._calls.tool(params)
        if message is None or params is None or tool is None:
            return None
        ident = Headers(scope=scope).get(MCP_SESSION_ID_HEADER, "")
        caller: Caller = replace(scope[CALLER], client=session.client, session=ident)
        job = partial(
            self._calls.answer_line, message["id"], tool, caller, params.get("arguments") or {}, HandshakeProtocol()
        )
        line = await to_thread.run_sync(job, limiter=self._limiter())
        return Response(line, media_type="application/json", headers={MCP_SESSION_ID_HEADER: ident})


def _is_ordinary(headers: Headers) -> bool:
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


def _request(received: Message) -> Json | None:
    if received["type"] != "http.request" or received.get("more_body"):
        return None
    try:
        message = load_json(received.get("body", b"").decode())
    except ValueError:
        return None
    if not is_message(message) or not message.keys() <= _MESSAGE_KEYS or message.get("method") != "tools/call":
        return None
    found: Json = message
    return found if is_request_id(message.get("id")) else None


def _owner(scope: Scope) -> object:
    user = scope.get("user")
    return authorization_context(user) if isinstance(user, AuthenticatedUser) else None
