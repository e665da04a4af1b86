"""An authorization server on loopback: metadata, keys that rotate, and tokens for registered clients."""

import base64
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

CLIENT = ("agent", "agent-secret")


@dataclass
class AuthorizationServer:
    """Issues tokens for the client credentials grant; tests may also ask for tokens with any claims."""

    issuer: str = ""
    keys: list[ECKey] = field(default_factory=list)
    claims: dict[str, Any] = field(default_factory=dict)
    fetched_keys: int = 0

    def rotate(self) -> None:
        """Sign with a new key; the old one is no longer published."""
        self.keys = [ECKey.generate_key("P-256", {"kid": f"k{time.monotonic_ns()}"})]

    def token(self, resource: str, **claims: Any) -> str:
        now = int(time.time())
        usual = {"iss": self.issuer, "sub": "ann", "aud": resource, "iat": now, "exp": now + 300, "scope": "write"}
        key = self.keys[0]
        return jwt.encode({"alg": "ES256", "kid": key.kid}, {**usual, **self.claims, **claims}, key)

    def answer(self, path: str, form: dict[str, str], secret: str | None) -> tuple[int, Any]:
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
            return 200, {"keys": [key.as_dict(private=False) for key in self.keys]}
        if path == "/token" and secret == ":".join(CLIENT) and form.get("grant_type") == "client_credentials":
            token = self.token(form.get("resource", ""), scope=form.get("scope", "read"))
            return 200, {"access_token": token, "token_type": "Bearer", "expires_in": 300}
        return 404 if path != "/token" else 401, {"error": "invalid_client"}


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
            scheme, _, coded = self.headers.get("authorization", "").partition(" ")
            secret = base64.b64decode(coded).decode() if scheme == "Basic" else None
            status, value = issuing.answer(self.path.partition("?")[0], form, secret)
            self.send_response(status)
            self.send_header("content-type", "application/json")
            self.end_headers()
            self.wfile.write(json.dumps(value).encode())

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as listening:
        issuing.issuer = f"http://127.0.0.1:{listening.server_port}"
        thread = threading.Thread(target=listening.serve_forever)
        thread.start()
        yield issuing
        listening.shutdown()
        thread.join()
