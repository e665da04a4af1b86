"""The token endpoint of Authlib's own authorization server: clients with a secret, tokens in the form of RFC 9068."""

import json
from collections.abc import Callable, Mapping
from typing import Any

from authlib.oauth2.rfc6749 import AuthorizationServer, ClientMixin, OAuth2Request
from authlib.oauth2.rfc6749.grants import ClientCredentialsGrant
from authlib.oauth2.rfc6749.requests import BasicOAuth2Payload
from authlib.oauth2.rfc9068 import JWTBearerTokenGenerator

SCOPES = ("read", "write", "admin")


class RegisteredClient(ClientMixin):  # type: ignore[misc]
    """A client that has a secret, and asks for tokens on its own behalf."""

    def __init__(self, ident: str, secret: str) -> None:
        self.ident, self.secret = ident, secret

    def get_client_id(self) -> str:
        return self.ident

    def check_client_secret(self, given: str) -> bool:
        return given == self.secret

    def check_endpoint_auth_method(self, method: str, _: str) -> bool:
        return method == "client_secret_basic"

    def check_grant_type(self, grant: str) -> bool:
        return grant == "client_credentials"

    def get_allowed_scope(self, scope: str) -> str:
        return " ".join(each for each in scope.split() if each in SCOPES)


class TokenEndpoint(AuthorizationServer):  # type: ignore[misc]
    """Answers the requests for tokens of one client."""

    def __init__(self, issuer: str, client: tuple[str, str], key: Callable[[], Any]) -> None:
        super().__init__(scopes_supported=list(SCOPES))
        self.client = RegisteredClient(*client)
        self.resource = ""
        self.register_grant(ClientCredentialsGrant)
        self.register_token_generator("default", _Generator(self, issuer, key))

    def query_client(self, ident: str) -> RegisteredClient | None:
        return self.client if ident == self.client.ident else None

    def save_token(self, *_: object) -> None:
        """Nothing to keep: a token proves itself by its signature."""

    def send_signal(self, *_: object, **__: object) -> None:
        """Nobody listens."""

    def create_oauth2_request(self, request: OAuth2Request) -> OAuth2Request:
        return request

    def handle_response(self, status: int, body: Any, _: object) -> tuple[int, Any]:
        return status, body

    def answer(self, form: Mapping[str, str], headers: Mapping[str, str]) -> tuple[int, Any]:
        request = _Posted("POST", "https://issuer.example/token", headers=dict(headers))
        request.payload = BasicOAuth2Payload(dict(form))
        self.resource = form.get("resource", "")
        status, body = self.create_token_response(request)
        return status, body if isinstance(body, dict) else json.loads(body)


class _Posted(OAuth2Request):  # type: ignore[misc]
    @property
    def form(self) -> dict[str, str]:
        form: dict[str, str] = self.payload.data
        return form


class _Generator(JWTBearerTokenGenerator):  # type: ignore[misc]
    def __init__(self, endpoint: TokenEndpoint, issuer: str, key: Callable[[], Any]) -> None:
        super().__init__(issuer, alg="ES256")
        self._endpoint = endpoint
        self._key = key

    def get_jwks(self) -> Any:
        return self._key()

    def get_audiences(self, *_: object) -> str:
        """What the client named as `resource` (RFC 8707), which Authlib leaves to us."""
        return self._endpoint.resource
