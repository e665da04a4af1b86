"""An authorization server on loopback: metadata and keys that rotate; its token endpoint is Authlib's."""

import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs

from joserfc import jwt
from joserfc.jwk import ECKey

from tests.serve.authlib_tokens import TokenEndpoint

CLIENT = ("agent", "agent-secret")


@dataclass
class AuthorizationServer:
    """Issues tokens for the client credentials grant; tests may also sign tokens with any claims."""

    issuer: str = ""
    keys: list[ECKey] = field(default_factory=list)
    claims: dict[str, Any] = field(default_factory=dict)
    fetched_keys: int = 0
    published: int = 0
    was_asked: threading.Event = field(default_factory=threading.Event)
    may_answer: threading.Event = field(default_factory=threading.Event)
    _instead: bytes | None = None

    def __post_init__(self) -> None:
        self.may_answer.set()

    @contextmanager
    def silent(self) -> Iterator[None]:
        """Inside, requests for the keys are answered only once `may_answer` is set."""
        self.was_asked.clear()
        self.may_answer.clear()
        try:
            yield
        finally:
            self.may_answer.set()

    @contextmanager
    def publishing(self, reply: bytes) -> Iterator[None]:
        """Inside, something else is published in place of the keys."""
        self._instead, self.published = reply, 0
        try:
            yield
        finally:
            self._instead = None

    def rotate(self) -> None:
        """Sign with a new key; the old one is no longer published."""
        self.keys = [ECKey.generate_key("P-256", {"kid": f"k{time.monotonic_ns()}"})]

    def token(self, resource: str, **claims: Any) -> str:
        now = int(time.time())
        usual = {"iss": self.issuer, "sub": "ann", "aud": resource, "iat": now, "exp": now + 300, "scope": "write"}
        key = self.keys[0]
        return jwt.encode({"alg": "ES256", "kid": key.kid}, {**usual, **self.claims, **claims}, key)

    def answer(self, path: str, form: dict[str, str], headers: dict[str, str]) -> tuple[int, Any]:
        if path == "/.well-known/oauth-authorization-server":
            return 200, {
                "issuer": self.issuer,
                "authorization_endpoint": f"{self.issuer}/authorize",
                "token_endpoint": f"{self.issuer}/token",
                "jwks_uri": f"{self.issuer}/keys",
                "response_types_supported": ["code"],
                "grant_types_supported": ["client_credentials"],
                "token_endpoint_auth_methods_supported": ["client_secret_basic"],
                "scopes_supported": ["read", "write", "admin"],
            }
        if path == "/keys":
            self.fetched_keys += 1
            self.was_asked.set()
            self.may_answer.wait()
            if self._instead is not None:
                self.published += 1
                return 200, self._instead
            return 200, {"keys": [key.as_dict(private=False) for key in self.keys]}
        if path == "/token":
            return TokenEndpoint(self.issuer, CLIENT, lambda: self.keys[0]).answer(form, headers)
        return 404, {"error": "not_found"}


@contextmanager
def authorization_server() -> Iterator[AuthorizationServer]:
    issuing = AuthorizationServer()
    issuing.rotate()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self._reply({})

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers.get("content-length", 0))).decode()
            self._reply({key: values[0] for key, values in parse_qs(body).items()})

        def _reply(self, form: dict[str, str]) -> None:
            headers = {name.title(): value for name, value in self.headers.items()}
            status, value = issuing.answer(self.path.partition("?")[0], form, headers)
            self.send_response(status)
            self.send_header("content-type", "application/json")
            self.end_headers()
            self.wfile.write(value if isinstance(value, bytes) else json.dumps(value).encode())

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as listening:
        issuing.issuer = f"http://127.0.0.1:{listening.server_port}"
        thread = threading.Thread(target=listening.serve_forever)
        thread.start()
        yield issuing
        listening.shutdown()
        thread.join()
