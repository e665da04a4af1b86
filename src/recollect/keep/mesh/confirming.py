"""Confirmation tokens: signed, for one address and one estimate, good for five minutes and one use."""

import hmac
import json
from base64 import urlsafe_b64decode, urlsafe_b64encode
from binascii import Error as NotBase64
from hashlib import sha256
from typing import NamedTuple

from recollect.when.instant import MINUTE, Instant

GOOD_FOR = 5 * MINUTE


class Confirmed(NamedTuple):
    """What a token vouches for."""

    workspace: int
    uri: str
    estimate: int
    expires_at: int
    nonce: str


def sign(secret: bytes, confirmed: Confirmed) -> str:
    payload = json.dumps(list(confirmed), separators=(",", ":")).encode()
    return f"{_say(payload)}.{_say(_seal(secret, payload))}"


def fault_of(secret: bytes, token: str, workspace: int, uri: str, estimate: int, now: Instant) -> str | None:
    """Why a token does not hold, or none if it does."""
    payload, dot, seal = token.partition(".")
    try:
        said, sealed = _read(payload), _read(seal)
    except (NotBase64, ValueError):
        return "the confirmation token is wrong"
    if not dot or not hmac.compare_digest(sealed, _seal(secret, said)):
        return "the confirmation token is wrong"
    confirmed = Confirmed(*json.loads(said))
    if (confirmed.workspace, confirmed.uri) != (workspace, uri):
        return "the confirmation token is wrong: it was given for another address"
    if confirmed.estimate < estimate:
        return "the confirmation token is wrong: the body has grown since it was given"
    return "the confirmation token has expired" if confirmed.expires_at <= now else None


def _seal(secret: bytes, payload: bytes) -> bytes:
    return hmac.new(secret, payload, sha256).digest()


def _say(raw: bytes) -> str:
    return urlsafe_b64encode(raw).decode().rstrip("=")


def _read(text: str) -> bytes:
    return urlsafe_b64decode(text.encode("ascii") + b"=" * (-len(text) % 4))
