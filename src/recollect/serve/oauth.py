"""OAuth 2.1 resource server: access tokens of an authorization server, checked by its published keys."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from recollect.errors import PackageMissing
from recollect.serve.auth import METADATA_PATH, Identity
from recollect.serve.callers import UNLIMITED
from recollect.settings import BadSetting, Settings
from recollect.store.access_tokens import SCOPES, Scope

if TYPE_CHECKING:
    from recollect.serve.signing_keys import SigningKeys

ALGORITHMS: Mapping[str, tuple[str, ...]] = {
    "RSA": ("RS256", "RS384", "RS512", "PS256"),
    "EC": ("ES256", "ES384"),
    "OKP": ("EdDSA",),
}
"""By type of key, signatures with a public key only: with a shared secret, every resource server could issue tokens."""
LEEWAY_SECONDS = 30

OAUTH_PACKAGES = ("pyjwt[crypto]>=2.15",)
"""The extra `oauth`."""


@dataclass(frozen=True)
class OAuthResource:
    """This server as a protected resource: its identifier, its issuer, and how claims map to workspaces."""

    issuer: str
    resource: str
    jwks_url: str | None = None
    workspace_claim: str = "workspaces"
    workspace: str | None = None
    """The workspace of tokens without the claim whose subject is not a member of any."""

    @property
    def metadata_url(self) -> str:
        """Where RFC 9728 puts the metadata of a resource: between its host and its path."""
        parts = urlsplit(self.resource)
        return f"{parts.scheme}://{parts.netloc}{METADATA_PATH}{parts.path.rstrip('/')}"

    @property
    def challenge(self) -> str:
        """The parameters of a `WWW-Authenticate` header that leads a client to the authorization server."""
        return f'resource_metadata="{self.metadata_url}", scope="{" ".join(SCOPES)}"'

    def metadata(self) -> dict[str, Any]:
        return {
            "resource": self.resource,
            "authorization_servers": [self.issuer],
            "scopes_supported": list(SCOPES),
            "bearer_methods_supported": ["header"],
            "resource_name": "Recollect",
        }

    @cached_property
    def _keys(self) -> "SigningKeys":
        from recollect.serve.signing_keys import SigningKeys

        return SigningKeys(self.issuer, self.jwks_url)

    def identify(self, secret: str) -> Identity | None:
        """The subject of a valid token with the workspaces its claims grant; none if the token is not valid."""
        claims = self._verified_claims(secret)
        if claims is None:
            return None
        subject, grants = f"oauth:{claims['sub']}", self._grants(claims)
        # Membership adds to what a claim names; a claim that names no workspace grants none.
        is_barred = claims.get(self.workspace_claim) in ([], {}, "")
        return Identity(str(claims["sub"]), subject, grants, UNLIMITED, _highest_scope(claims), not is_barred)

    def _verified_claims(self, secret: str) -> Mapping[str, Any] | None:
        import jwt

        try:
            header = jwt.get_unverified_header(secret)
            is_signed = any(header.get("alg") in each for each in ALGORITHMS.values())
            key = self._keys.find(header.get("kid")) if is_signed else None
            # Whoever sends a token chooses its algorithm; with a key of another type PyJWT would crash.
            if key is None or header["alg"] not in ALGORITHMS.get(key.key_type or "", ()):
                return None
            claims: Mapping[str, Any] = jwt.decode(
                secret,
                key.key,
                algorithms=[header["alg"]],
                audience=self.resource,
                issuer=self.issuer,
                leeway=LEEWAY_SECONDS,
                options={"require": ["exp", "iss", "aud", "sub"]},
            )
        except jwt.PyJWTError:
            return None
        return claims if claims["sub"] else None

    def _grants(self, claims: Mapping[str, Any]) -> dict[str, Scope]:
        """The claim may be one workspace, a list of them, or an object with a scope for each."""
        scope, given = _highest_scope(claims), claims.get(self.workspace_claim, self.workspace)
        if scope is None:
            return {}
        if isinstance(given, Mapping):
            wanted = {str(name): _scope_in([str(each)]) for name, each in given.items()}
            return {name: min(each, scope, key=SCOPES.index) for name, each in wanted.items() if each is not None}
        names = [given] if isinstance(given, str) else given if isinstance(given, Sequence) else ()
        return {name: scope for name in names if name and isinstance(name, str)}


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
    words = given.split() if isinstance(given, str) else given if isinstance(given, Sequence) else ()
    return _scope_in([str(each) for each in words])


def _scope_in(words: Sequence[str]) -> Scope | None:
    found = [scope for scope in SCOPES for word in words if word.removeprefix("recollect:") == scope]
    return max(found, key=SCOPES.index, default=None)
