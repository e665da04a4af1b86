"""Access control for HTTP: allowed hosts, allowed origins, valid tokens."""

import ipaddress
from collections import Counter
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache, partial
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import parse_qs, urlsplit

from anyio import CapacityLimiter
from anyio.to_thread import current_default_thread_limiter
from mcp.server.auth.middleware.bearer_auth import AuthenticatedUser
from mcp.server.auth.provider import AccessToken
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from recollect.errors import Forbidden, Unavailable
from recollect.serve.auth import (
    METADATA_PATH,
    PREFIX,
    Identity,
    ScopeMissing,
    Tokens,
    bearer,
    digest,
    identity_of_token,
)
from recollect.serve.call_deadlines import run_in_time
from recollect.serve.callers import UNLIMITED, Caller, CallLimits
from recollect.serve.metrics import LimitReached, Usage
from recollect.serve.problem_json import API_ROOT, problem_body, problem_response, retry_header

if TYPE_CHECKING:
    from recollect.serve.oauth import OAuthResource

CALLER = "recollect.caller"
HEADERS = "recollect.headers"
WORKSPACE_HEADER = "recollect-workspace"

OPEN_PATHS = frozenset({"/healthz", API_ROOT, f"{API_ROOT}openapi.json"})
"""What anyone may read: whether the server works, and the description of its API, which holds no data."""
WEB_PATHS = frozenset({"/", "/login", "/logout", "/favicon.ico"})
WEB_PREFIXES = ("/w/", "/static/")
"""The web app: it recognises its visitors itself, by cookie too, and sends strangers to the login page."""
HOOKS_ROOT = "/hooks/"
"""Deliveries of services: each proves by its signature who sent it."""
SINGLE_HEADERS = (
    b"host", b"content-length", b"transfer-encoding", b"authorization", b"content-type", b"origin", b"idempotency-key",
    b"recollect-workspace", b"mcp-session-id", b"mcp-protocol-version", b"x-csrf-token", b"last-event-id",
)  # fmt: skip
OUTSIDE_THREADS = 8
IDENTIFY_SECONDS = 10.0
PROXY_HEADERS = ("forwarded", "x-forwarded-for", "x-real-ip", "via")
"""Headers that a proxy adds for a remote caller."""


@dataclass(frozen=True, slots=True)
class ListenPolicy:
    """The address the server listens on, the names it answers to, and whether every caller needs a token."""

    bound: str
    hosts: Collection[str] = ()
    origins: Collection[str] = ()
    needs_token: bool = False

    @property
    def is_local(self) -> bool:
        return is_loopback(self.bound)

    def trusts(self, headers: Mapping[str, str]) -> bool:
        """Whether callers without a token are local: only loopback names lead here, no proxy forwarded the request."""
        is_ours_alone = self.is_local and not self.needs_token and all(is_loopback(name) for name in self.hosts)
        return is_ours_alone and not any(name in headers for name in PROXY_HEADERS)

    def admits_host(self, header: str | None) -> bool:
        """Names must be ours, against DNS rebinding; IP addresses cannot be rebound, so any is admitted."""
        name = _host_name(header)
        if name is None:
            return False
        return (
            is_loopback(name) or name in self.hosts or name == self.bound or (not self.is_local and _is_address(name))
        )

    def admits_origin(self, origin: str | None, host: str | None) -> bool:
        """No origin: not a browser. Otherwise the origin must be ours, local, or allowed by name."""
        if origin is None or origin in self.origins:
            return True
        name = urlsplit(origin).hostname
        if name is None:
            return False
        return name == _host_name(host) or (self.is_local and is_loopback(name))


@dataclass(frozen=True, slots=True)
class Access:
    """How callers other than ours are known, and what all may do in a time."""

    oauth: "OAuthResource | None" = None
    limits: CallLimits = UNLIMITED

    def challenge(self, error: str | None = None) -> dict[str, str]:
        """The response to a client without a valid token; the error is named as in RFC 6750."""
        parameters = [f'error="{error}"'] if error else []
        parameters += [self.oauth.challenge] if self.oauth is not None else []
        return {"WWW-Authenticate": f"Bearer {', '.join(parameters)}".rstrip()}

    def knows_from_outside(self, secret: str) -> bool:
        """Whether the authorization server would have issued a token, not we."""
        return self.oauth is not None and not secret.startswith(PREFIX)

    def identify(self, secret: str, tokens: Tokens) -> Identity | None:
        """The holder of a token of ours or of the authorization server; none if it is not valid."""
        if self.oauth is not None and self.knows_from_outside(secret):
            found = self.oauth.identify(secret)
            return None if found is None else replace(found, limits=self.limits)
        token = tokens.find(digest(secret))
        return None if token is None else identity_of_token(token, self.limits)


@dataclass(frozen=True, eq=False)
class Guard:
    """Rejects requests that are not allowed, and records the caller on the others."""

    app: ASGIApp
    reach: ListenPolicy
    tokens: Callable[[], Tokens]
    local: Caller
    access: Access
    usage: Usage
    outside: CapacityLimiter = field(default_factory=lambda: CapacityLimiter(OUTSIDE_THREADS))
    """Threads of their own for tokens whose keys may have to be fetched: others never wait for these."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        refusal = await self.check(scope)
        caller: Caller | None = scope.get(CALLER)
        if refusal is None and caller is not None and caller.limits.bytes_per_day:
            receive = self.usage.counting(caller, receive)
        await (self.app if refusal is None else refusal.response(scope["path"]))(scope, receive, send)

    async def check(self, scope: Scope) -> "Refusal | None":
        headers = request_headers(scope)
        host = headers.get("host")
        if "content-length" in headers and "transfer-encoding" in headers:
            # Where the request ends is in doubt, so nothing after it can be trusted.
            message = "send Content-Length or Transfer-Encoding, not both"
            return Refusal(400, "invalid_input", message, {"Connection": "close"})
        doubled = doubled_header(scope)
        if doubled is not None:
            return Refusal(400, "invalid_input", f"send the header {doubled} once", {"Connection": "close"})
        if not self.reach.admits_host(host):
            return Refusal(421, "unknown_host", "this server does not answer to that Host; see --allow-host")
        if not self.reach.admits_origin(headers.get("origin"), host):
            return Refusal(403, "unknown_origin", "pages of that origin may not call this server; see --allow-origin")
        if recognises_callers_itself(scope["path"]):
            return None
        return await self.admit(scope, headers)

    async def admit(self, scope: Scope, headers: Mapping[str, str]) -> "Refusal | None":
        secret = bearer(headers.get("authorization"))
        try:
            caller = await self.caller(secret, headers, workspace_asked_for(scope, headers))
            self.usage.count_call(caller)
        except Unavailable as failure:
            return Refusal(503, failure.code, str(failure), retry_header(failure.retry_after))
        except ScopeMissing as failure:
            return Refusal(403, failure.code, str(failure), self.access.challenge("insufficient_scope"))
        except Forbidden as failure:
            return Refusal(403, failure.code, str(failure))
        except LimitReached as failure:
            return Refusal(429, failure.code, str(failure), retry_header(failure.retry_after))
        if caller is None:
            told = self.access.challenge("invalid_token" if secret else None)
            return Refusal(401, "unauthorized", "send a valid token: Authorization: Bearer …", told)
        scope[CALLER] = caller
        if secret is not None:
            # The SDK ties a session to the user that opened it.
            access = AccessToken(token="", client_id=caller.subject, scopes=[caller.scope])
            scope["user"] = AuthenticatedUser(access)
        return None

    async def caller(self, secret: str | None, headers: Mapping[str, str], workspace: str | None) -> Caller | None:
        """The holder of the token; without one, the local caller, who may use every workspace."""
        if secret is None:
            local = self.local if workspace is None else replace(self.local, workspace=workspace)
            return local if self.reach.trusts(headers) else None
        limiter = self.outside if self.access.knows_from_outside(secret) else current_default_thread_limiter()
        return await run_in_time(IDENTIFY_SECONDS, partial(self.identify, secret, workspace), limiter)

    def identify(self, secret: str, workspace: str | None) -> Caller | None:
        found = self.access.identify(secret, self.tokens())
        return None if found is None else found.caller(workspace, self.tokens())


def doubled_header(scope: Scope) -> str | None:
    """The name of a header that stands twice, of those of which a proxy might read another than we do."""
    names = Counter(name for name, _ in scope["headers"])
    return next((name.decode("latin-1") for name in SINGLE_HEADERS if names[name] > 1), None)


def request_headers(scope: Scope) -> Mapping[str, str]:
    """The headers of a request by name, read once; the first counts of those that stand twice."""
    headers: Mapping[str, str] | None = scope.get(HEADERS)
    if headers is None:
        pairs = reversed(scope["headers"])
        headers = scope[HEADERS] = {name.decode("latin-1"): value.decode("latin-1") for name, value in pairs}
    return headers


class Refusal(NamedTuple):
    """Why a request is not served."""

    status: int
    code: str
    message: str
    headers: Mapping[str, str] = MappingProxyType({})

    def response(self, path: str) -> JSONResponse:
        """In the form of the API for its paths."""
        headers = dict(self.headers)
        if path.startswith(API_ROOT):
            return problem_response(problem_body(self.code, self.message), headers)
        return JSONResponse({"error": self.code, "message": self.message}, self.status, headers)


def workspace_asked_for(scope: Scope, headers: Mapping[str, str]) -> str | None:
    """The workspace that a request names, by header or in its address."""
    named, query = headers.get(WORKSPACE_HEADER), scope.get("query_string", b"")
    if named or not query:
        return named or None
    return next(iter(parse_qs(query.decode("latin-1")).get("workspace", [])), None)


def recognises_callers_itself(path: str) -> bool:
    """Whether anyone may send requests to a path; what stands there looks at tokens, cookies or signatures itself."""
    return path in OPEN_PATHS or path.startswith((METADATA_PATH, HOOKS_ROOT)) or is_web_path(path)


def is_web_path(path: str) -> bool:
    return path in WEB_PATHS or path.startswith(WEB_PREFIXES)


@lru_cache(maxsize=256)
def is_loopback(host: str) -> bool:
    if host == "localhost":
        return True
    return _is_address(host) and ipaddress.ip_address(host).is_loopback


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


@lru_cache(maxsize=256)
def _host_name(header: str | None) -> str | None:
    """The name without its port, lower case."""
    try:
        return urlsplit(f"//{header}").hostname if header else None
    except ValueError:
        return None
