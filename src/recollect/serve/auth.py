"""Bearer tokens: shown once, stored as a digest, valid for one workspace and one scope."""

import hashlib
import secrets
from collections.abc import Sequence
from typing import Protocol

from recollect.store.access_tokens import AccessToken, Scope

PREFIX = "rcl_"


class Tokens(Protocol):
    """Token storage. Revoked tokens are listed but never found."""

    def find(self, digest: str, /) -> AccessToken | None: ...
    def find_by_id(self, token_id: str, /) -> AccessToken | None: ...
    def all(self) -> Sequence[AccessToken]: ...
    def add(self, token: AccessToken, /) -> None: ...
    def revoke(self, token_id: str, at: int, /) -> bool: ...


def make_token(name: str, workspace: str, scope: Scope, now: int) -> tuple[str, AccessToken]:
    """A new secret, to be shown once, and the record to store."""
    secret = PREFIX + secrets.token_urlsafe(32)
    return secret, AccessToken(secrets.token_hex(4), name, workspace, scope, digest(secret), now)


def digest(secret: str) -> str:
    """A plain hash suffices: the secret is 256 random bits, not a password."""
    return hashlib.sha256(secret.encode()).hexdigest()


def bearer(header: str | None) -> str | None:
    """The secret in an `Authorization` header."""
    scheme, _, secret = (header or "").partition(" ")
    return secret.strip() or None if scheme.lower() == "bearer" else None
