"""Bearer tokens: ours, shown once and stored as a digest, and what their holders may do."""

import hashlib
import json
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from recollect.errors import Forbidden
from recollect.serve.callers import UNLIMITED, Caller, CallLimits
from recollect.settings import Settings
from recollect.store.access_tokens import SCOPES, AccessToken, Scope

PREFIX = "rcl_"
METADATA_PATH = "/.well-known/oauth-protected-resource"


class Tokens(Protocol):
    """Token storage. Revoked tokens are listed but never found."""

    def find(self, digest: str, /) -> AccessToken | None: ...
    def find_by_id(self, token_id: str, /) -> AccessToken | None: ...
    def all(self) -> Sequence[AccessToken]: ...
    def add(self, token: AccessToken, /) -> None: ...
    def revoke(self, token_id: str, at: int, /) -> bool: ...
    def end_session(self, token: AccessToken, session: str, at: int, forget_before: int, /) -> None: ...
    def has_ended(self, token: AccessToken, session: str, /) -> bool: ...
    def grants(self, subject: str, /) -> Mapping[str, Scope]: ...


class NotAMember(Forbidden):
    def __init__(self, workspace: str | None) -> None:
        where = "any workspace" if workspace is None else f"the workspace {workspace[:100]!r}"
        super().__init__(f"this token gives no access to {where}; ask its owner for: recollect member add")


class ScopeMissing(Forbidden):
    def __init__(self) -> None:
        super().__init__(f"this token has none of the scopes {', '.join(SCOPES)}; ask its issuer for one of them")


@dataclass(frozen=True, slots=True)
class Identity:
    """The holder of a token: a name, the subject in the list of members, and the scope in each workspace.

    `most` is the scope that the token itself carries; membership gives no more, and nothing unless `may_be_member`.
    """

    name: str
    subject: str
    grants: Mapping[str, Scope]
    limits: CallLimits = UNLIMITED
    most: Scope | None = "admin"
    may_be_member: bool = True

    def caller(self, workspace: str | None, tokens: Tokens) -> Caller:
        """The caller in the workspace that the request names, or in the first that the token grants."""
        if self.most is None:
            raise ScopeMissing
        wanted = workspace or next(iter(self.grants), None)
        grants = self.grants if wanted in self.grants else self._grants_with_membership(tokens, self.most)
        chosen = workspace or next(iter(grants), None)
        if chosen is None or chosen not in grants:
            raise NotAMember(workspace)
        return Caller(self.name, chosen, grants[chosen], subject=self.subject, limits=self.limits)

    def _grants_with_membership(self, tokens: Tokens, most: Scope) -> Mapping[str, Scope]:
        members = tokens.grants(self.subject) if self.may_be_member else {}
        return {**self.grants, **{name: min(scope, most, key=SCOPES.index) for name, scope in members.items()}}


def identity_of_token(token: AccessToken, defaults: CallLimits) -> Identity:
    own: Mapping[str, Any] = json.loads(token.limits)
    limits = CallLimits(**(defaults._asdict() | {key: int(value) for key, value in own.items()}))
    return Identity(token.name, token.subject, {token.workspace: token.scope}, limits)


def default_limits(settings: Settings) -> CallLimits:
    """The limits of tokens that have none of their own."""
    return CallLimits(*(settings.integer(f"limits.{name}", 0) for name in CallLimits._fields))


def make_token(
    name: str, workspace: str, scope: Scope, now: int, limits: Mapping[str, int] | None = None
) -> tuple[str, AccessToken]:
    """A new secret, to be shown once, and the record to store."""
    secret = PREFIX + secrets.token_urlsafe(32)
    kept = json.dumps(dict(limits or {}))
    return secret, AccessToken(secrets.token_hex(4), name, workspace, scope, digest(secret), now, limits=kept)


def digest(secret: str) -> str:
    """A plain hash suffices: the secret is 256 random bits, not a password."""
    return hashlib.sha256(secret.encode()).hexdigest()


def bearer(header: str | None) -> str | None:
    """The secret in an `Authorization` header."""
    scheme, _, secret = (header or "").partition(" ")
    return secret.strip() or None if scheme.lower() == "bearer" else None
