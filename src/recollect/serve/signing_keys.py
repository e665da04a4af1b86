"""The published keys of an authorization server: cached, rotated, and fetched by one thread at a time."""

import json
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any
from urllib.parse import urlsplit
from urllib.request import Request

from jwt import PyJWK, PyJWKClient, PyJWKSet, PyJWTError

from recollect.errors import Unavailable
from recollect.http_client import open_request

KEY_SECONDS = 300
UNKNOWN_KEY_SECONDS = 30
"""How long after a fetch a key id that was not in it is not looked for again."""
RETRY_SECONDS = 5
FETCH_SECONDS = 5.0
MAX_DOCUMENT_BYTES = 1024 * 1024


class NoSigningKeys(Unavailable):
    def __init__(self, issuer: str) -> None:
        super().__init__(f"the keys of {issuer} cannot be fetched now; try again in a moment")


class SigningKeys:
    """Anyone may send a token with an invented key id, so whoever names a known key never waits for a fetch."""

    def __init__(
        self, issuer: str, jwks_url: str | None = None, monotonic: Callable[[], float] = time.monotonic
    ) -> None:
        self._issuer = issuer
        self._jwks_url = jwks_url
        self._monotonic = monotonic
        self._fetching = threading.Lock()
        self._keys: Sequence[PyJWK] = ()
        self._expires = self._next_fetch = -1.0

    def find(self, key_id: str | None) -> PyJWK | None:
        """The key that a token names; the only one of the server for a token that names none, as some servers issue."""
        if not self._is_fresh:
            with self._fetching:
                self._fetch_when_due()
        found = self._match(key_id)
        if found is None and self._monotonic() >= self._next_fetch:
            if not self._fetching.acquire(blocking=False):
                raise NoSigningKeys(self._issuer)
            try:
                self._fetch_when_due()
            finally:
                self._fetching.release()
            found = self._match(key_id)
        return found

    @property
    def _is_fresh(self) -> bool:
        return self._monotonic() < self._expires

    def _match(self, key_id: str | None) -> PyJWK | None:
        keys = self._keys
        if key_id is None:
            return keys[0] if len(keys) == 1 else None
        return next((key for key in keys if key.key_id == key_id), None)

    def _fetch_when_due(self) -> None:
        """Fetch the keys unless another thread has just done so, or just tried to."""
        if self._monotonic() < self._next_fetch:
            if not self._is_fresh:
                raise NoSigningKeys(self._issuer)
            return
        try:
            self._keys = self._fetch_keys()
        except (PyJWTError, OSError, ValueError, RecursionError):
            self._next_fetch = self._monotonic() + RETRY_SECONDS
            raise NoSigningKeys(self._issuer) from None
        now = self._monotonic()
        self._expires, self._next_fetch = now + KEY_SECONDS, now + UNKNOWN_KEY_SECONDS

    def _fetch_keys(self) -> Sequence[PyJWK]:
        self._jwks_url = self._jwks_url or _discovered_jwks_url(self._issuer)
        published = PyJWKClient(self._jwks_url, cache_jwk_set=False, timeout=FETCH_SECONDS).fetch_data()
        return [key for key in PyJWKSet.from_dict(published).keys if key.public_key_use in ("sig", None)]


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
    raise ValueError(f"{issuer} publishes no metadata")


def _fetch_json(url: str) -> Mapping[str, Any] | None:
    try:
        with open_request(Request(url), FETCH_SECONDS) as reply:
            found = json.loads(reply.read(MAX_DOCUMENT_BYTES))
    except (OSError, ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None
