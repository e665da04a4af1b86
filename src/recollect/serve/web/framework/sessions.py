"""Signing in: a token is exchanged for a cookie that is valid for twelve hours after its last use.

The cookie names the token and is signed with the token's digest, so only its end is stored: any server of the same
database accepts it, and signing out or revoking the token ends it.
"""

import hashlib
import hmac
import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from starlette.requests import Request
from starlette.responses import Response

from recollect.serve.auth import Identity, NotAMember, Tokens, bearer, digest, identity_of_token
from recollect.serve.callers import Caller
from recollect.serve.guard import Access, ListenPolicy

if TYPE_CHECKING:
    from recollect.memory import Memory
    from recollect.store.access_tokens import AccessToken

SESSION_SECONDS = 12 * 3600
RENEW_BELOW_SECONDS = SESSION_SECONDS - 600
MOST_SECONDS = SESSION_SECONDS + 24 * 3600
"""A cookie of a clock that was ahead by more than a day is not accepted: it might be valid for years."""
CSRF_FIELD = "csrf_token"
CSRF_HEADER = "x-csrf-token"
CLIENT = "browser"


@dataclass(frozen=True, slots=True)
class Session:
    """A cookie as read: which token it stands for, until when, and a random number that stays when it is renewed."""

    token: "AccessToken"
    nonce: str
    expires: int

    @property
    def cookie(self) -> str:
        return f"{self.token.id}.{self.nonce}.{self.expires}.{_sign(self.token, self.nonce, str(self.expires))}"


@dataclass(frozen=True, slots=True)
class Visitor:
    """Who makes a request, and the CSRF token that their forms must carry."""

    caller: Caller
    csrf: str
    session: Session | None = None
    is_new: bool = False
    """Whether the browser has no cookie for the CSRF token yet."""
    is_local: bool = False
    """Whether they sit at the machine and need no token, so that every workspace is theirs."""

    def caller_in(self, memory: "Memory") -> Caller:
        return replace(self.caller, workspace=memory.workspace.name)

    @property
    def may_sign_out(self) -> bool:
        return self.session is not None


@dataclass(frozen=True, slots=True)
class Visitors:
    """Recognises visitors by session cookie, bearer token or, on the local machine, by nothing."""

    tokens: Callable[[], Tokens]
    local: Caller
    reach: ListenPolicy
    access: Access
    now: Callable[[], float] = time.time

    def recognise(self, request: Request) -> Visitor | None:
        """The visitor; None if they must sign in first. An invalid token is never treated as a local caller."""
        secret, workspace = bearer(request.headers.get("authorization")), request.path_params.get("workspace")
        if secret is not None:
            found = self.access.identify(secret, self.tokens())
            return None if found is None else self._without_session(request, self._caller(found, workspace))
        session = self._session(request.cookies.get(session_cookie(request), ""))
        if session is not None:
            return Visitor(self.caller_of(session, workspace), _sign(session.token, "csrf", session.nonce), session)
        if self.reach.trusts(request.headers):
            return self._without_session(request, self.local.with_client(CLIENT), is_local=True)
        return None

    def _caller(self, identity: Identity, workspace: str | None) -> Caller:
        """The visitor in the workspace of the address, or in their own if they have no access to that."""
        try:
            return identity.caller(workspace, self.tokens())
        except NotAMember:
            return identity.caller(None, self.tokens())

    def caller_of(self, session: Session, workspace: str | None = None) -> Caller:
        identity = identity_of_token(session.token, self.access.limits)
        return self._caller(identity, workspace).with_client(CLIENT)

    def sign_in(self, secret: str) -> Session | None:
        token = self.tokens().find(digest(secret))
        return None if token is None else self._begin(token, secrets.token_urlsafe(12))

    def sign_out(self, session: Session) -> None:
        """End a session on every server, with all the cookies that it was renewed with."""
        now = int(self.now())
        second = 1_000_000
        self.tokens().end_session(session.token, session.nonce, now * second, (now - MOST_SECONDS) * second)

    def renew(self, session: Session) -> Session | None:
        """A cookie with a later end, if it is time for one, or with an earlier one if the clock was set back."""
        left = session.expires - self.now()
        is_due = left < RENEW_BELOW_SECONDS or left > SESSION_SECONDS + 1
        return self._begin(session.token, session.nonce) if is_due else None

    def _begin(self, token: "AccessToken", nonce: str) -> Session:
        return Session(token, nonce, int(self.now()) + SESSION_SECONDS)

    def _session(self, cookie: str) -> Session | None:
        token_id, nonce, expires, signature = (*cookie.split("."), "", "", "", "")[:4]
        if not signature or not (expires.isascii() and expires.isdigit()):
            return None
        if not 0 <= int(expires) - self.now() <= MOST_SECONDS:
            return None
        token = self.tokens().find_by_id(token_id)
        if token is None or not hmac.compare_digest(signature, _sign(token, nonce, expires)):
            return None
        return None if self.tokens().has_ended(token, nonce) else Session(token, nonce, int(expires))

    def _without_session(self, request: Request, caller: Caller, *, is_local: bool = False) -> Visitor:
        known = request.cookies.get(csrf_cookie(request))
        return Visitor(caller, known or secrets.token_urlsafe(24), is_new=not known, is_local=is_local)


def anonymous(request: Request) -> Visitor:
    """Somebody who has yet to sign in: they may see the login page only, whose form carries a CSRF token too."""
    known = request.cookies.get(csrf_cookie(request))
    return Visitor(Caller("", "", "read"), known or secrets.token_urlsafe(24), is_new=not known)


def is_csrf_valid(visitor: Visitor, sent: str) -> bool:
    """Whether a form carries the visitor's CSRF token; one that has never been handed out is refused."""
    return not visitor.is_new and hmac.compare_digest(sent.encode(), visitor.csrf.encode())


def is_same_origin(request: Request, reach: ListenPolicy) -> bool:
    """Whether a form was sent by a page of this server; programs send no origin."""
    origin = request.headers.get("origin")
    if origin is None:
        return request.headers.get("sec-fetch-site", "same-origin") in ("same-origin", "none")
    return origin in reach.origins or origin.partition("://")[2] == request.headers.get("host")


def keep_session(response: Response, request: Request, session: Session) -> None:
    set_cookie(response, request, session_cookie(request), session.cookie, SESSION_SECONDS)


def end_session(response: Response, request: Request) -> None:
    response.delete_cookie(session_cookie(request), path="/")


def keep_csrf(response: Response, request: Request, visitor: Visitor) -> None:
    set_cookie(response, request, csrf_cookie(request), visitor.csrf, None)


def session_cookie(request: Request) -> str:
    """The name of the cookie; servers on other ports of a host have their own, since cookies know no ports."""
    return f"recollect_session_{request.url.port or 0}"


def csrf_cookie(request: Request) -> str:
    return f"recollect_csrf_{request.url.port or 0}"


def set_cookie(response: Response, request: Request, name: str, value: str, max_age: int | None) -> None:
    """Set a cookie for this server that no script and no other site can use."""
    is_tls = request.url.scheme == "https"
    response.set_cookie(name, value, max_age=max_age, path="/", secure=is_tls, httponly=True, samesite="strict")


def _sign(token: "AccessToken", *parts: str) -> str:
    text = ":".join(("recollect-session", token.id, *parts))
    return hmac.new(token.digest.encode(), text.encode(), hashlib.sha256).hexdigest()


class LoginLimiter:
    """Refuses an address after too many failed attempts within a minute."""

    def __init__(self, most: int = 5, seconds: float = 60.0, now: Callable[[], float] = time.monotonic) -> None:
        self._most = most
        self._seconds = seconds
        self._now = now
        self._failures: dict[str, list[float]] = {}

    def seconds_to_wait(self, address: str) -> int:
        """How long an address must wait before it may try again; 0 if it may now."""
        recent = self._recent(address)
        return 0 if len(recent) < self._most else max(1, round(self._seconds - (self._now() - recent[0])))

    def note_failure(self, address: str) -> None:
        self._failures[address] = [*self._recent(address), self._now()]
        self._drop_old()

    def _recent(self, address: str) -> list[float]:
        begun = self._now() - self._seconds
        return [each for each in self._failures.get(address, ()) if each > begun]

    def _drop_old(self) -> None:
        if len(self._failures) > 10_000:
            self._failures = {address: self._failures[address] for address in self._failures if self._recent(address)}
