"""OAuth 2.1 resource server: access tokens of an authorization server, checked by its published keys."""

import json
import urllib.request
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from recollect.errors import PackageMissing, Unavailable
from recollect.serve.auth import METADATA_PATH, Identity
from recollect.serve.callers import UNLIMITED
from recollect.settings import BadSetting, Settings
from recollect.store.access_tokens import SCOPES, Scope

if TYPE_CHECKING:
    from jwt import PyJWK, PyJWKClient

ALGORITHMS = ("RS256", "RS384", "RS512", "PS256", "ES256", "ES384", "EdDSA")
"""Signatures with a public key only: with a shared secret, every resource server could issue tokens."""
KEY_SECONDS = 300
FETCH_SECONDS = 5.0
LEEWAY_SECONDS = 30
MAX_DOCUMENT_BYTES = 1024 * 1024


OAUTH_PACKAGES = ("pyjwt[crypto]>=2.15",)
"""The extra `oauth`."""


class NoSigningKeys(Unavailable):
    def __init__(self, issuer: str) -> None:
        super().__init__(f"the keys of {issuer} cannot be fetched now; try again in a moment")


@dataclass(frozen=True)
class OAuthResource:
    """This server as a protected resource: its identifier, its issuer, and how claims map to workspaces."""

    issuer: str
    resource: str
    jwks_url: str | None = None
    workspace_claim: str = "workspaces"
    workspace: str | None = None
    """The workspace of tokens without the claim whose subject is no member of any."""

    @property
    def metadata_url(self) -> str:
        """Where RFC 9728 puts the metadata of a resource: between its host and its path."""
        parts = urlsplit(self.resource)
        return f"{parts.scheme}://{parts.netloc}{METADATA_PATH}{parts.path.rstrip('/')}"

    @property
    def challenge(self) -> str:
        """The `WWW-Authenticate` header that leads a client to the authorization server."""
        return f'Bearer resource_metadata="{self.metadata_url}", scope="{" ".join(SCOPES)}"'

    def metadata(self) -> dict[str, Any]:
        return {
            "resource": self.resource,
            "authorization_servers": [self.issuer],
            "scopes_supported": list(SCOPES),
            "bearer_methods_supported": ["header"],
            "resource_name": "Recollect",
        }

    @cached_property
    def _keys(self) -> "PyJWKClient":
        from jwt import PyJWKClient

        address = self.jwks_url or _discovered_jwks_url(self.issuer)
        return PyJWKClient(address, cache_jwk_set=True, lifespan=KEY_SECONDS, timeout=FETCH_SECONDS)

    def identify(self, secret: str) -> Identity | None:
        """The subject of a valid token with the workspaces its claims grant; none if the token is not valid."""
        claims = self._verified_claims(secret)
        if claims is None:
            return None
        subject = f"oauth:{claims['sub']}"
        return Identity(str(claims["sub"]), subject, self._grants(claims), UNLIMITED, _highest_scope(claims))

    def _verified_claims(self, secret: str) -> Mapping[str, Any] | None:
        import jwt

        try:
            if jwt.get_unverified_header(secret).get("alg") not in ALGORITHMS:
                return None
            key = self._signing_key(secret)
            required = ["exp", "iss", "aud", "sub"]
            claims: Mapping[str, Any] = jwt.decode(
                secret,
                key.key,
                algorithms=list(ALGORITHMS),
                audience=self.resource,
                issuer=self.issuer,
                leeway=LEEWAY_SECONDS,
                options={"require": required},
            )
        except jwt.PyJWKClientConnectionError:
            raise NoSigningKeys(self.issuer) from None
        except jwt.PyJWTError:
            return None
        return claims

    def _signing_key(self, secret: str) -> "PyJWK":
        """The key that a token names; the only one of the server for a token that names none, as some servers issue."""
        import jwt

        if "kid" in jwt.get_unverified_header(secret):
            # An unknown key id makes the client fetch the keys again, at most twice a minute.
            return self._keys.get_signing_key_from_jwt(secret)
        keys = self._keys.get_signing_keys()
        if len(keys) != 1:
            raise jwt.PyJWKClientError("the token does not say which of several keys signed it")
        return keys[0]

    def _grants(self, claims: Mapping[str, Any]) -> dict[str, Scope]:
        """The claim may be one workspace, a list of them, or an object with a scope for each."""
        scope, given = _highest_scope(claims), claims.get(self.workspace_claim, self.workspace)
        if scope is None:
            return {}
        if isinstance(given, Mapping):
            wanted = {str(name): _scope_in([str(each)]) for name, each in given.items()}
            return {name: _lower(each, scope) for name, each in wanted.items() if each is not None}
        names = [given] if isinstance(given, str) else given if isinstance(given, Sequence) else ()
        return {name: scope for name in names if isinstance(name, str)}


def oauth_resource(settings: Settings) -> OAuthResource | None:
    """The resource as the settings `oauth.*` describe it; none without an issuer."""
    issuer = settings.text("oauth.issuer")
    if issuer is None:
        return None
    if find_spec("cryptography") is None:
        raise PackageMissing("the token of an authorization server", OAUTH_PACKAGES)
    resource = settings.text("oauth.resource")
    if resource is None or not urlsplit(resource).netloc:
        raise BadSetting("oauth.resource", resource, "the address of this server, such as https://memory.example/mcp")
    return OAuthResource(
        issuer,
        resource,
        settings.text("oauth.jwks_url"),
        settings.text("oauth.workspace_claim", "workspaces") or "workspaces",
        settings.text("oauth.workspace"),
    )


def _highest_scope(claims: Mapping[str, Any]) -> Scope | None:
    given = claims.get("scope", claims.get("scp", ""))
    return _scope_in(given.split() if isinstance(given, str) else [str(each) for each in given or ()])


def _scope_in(words: Sequence[str]) -> Scope | None:
    found = [scope for scope in SCOPES for word in words if word.removeprefix("recollect:") == scope]
    return max(found, key=SCOPES.index, default=None)


def _lower(one: Scope, other: Scope) -> Scope:
    return min(one, other, key=SCOPES.index)


def _discovered_jwks_url(issuer: str) -> str:
    """The address of the keys, from the metadata of the authorization server (RFC 8414, else OpenID)."""
    parts = urlsplit(issuer)
    path = parts.path.rstrip("/")
    places = (
        f"{parts.scheme}://{parts.netloc}/.well-known/oauth-authorization-server{path}",
        f"{issuer.rstrip('/')}/.well-known/openid-configuration",
    )
    for place in places:
        found = _fetch_json(place)
        if found is not None and found.get("issuer") == issuer and isinstance(found.get("jwks_uri"), str):
            return str(found["jwks_uri"])
    raise NoSigningKeys(issuer)


def _fetch_json(url: str) -> Mapping[str, Any] | None:
    try:
        with urllib.request.urlopen(url, timeout=FETCH_SECONDS) as reply:
            found = json.loads(reply.read(MAX_DOCUMENT_BYTES))
    except (OSError, ValueError):
        return None
    return found if isinstance(found, dict) else None
