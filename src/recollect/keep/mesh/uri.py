"""Addresses of bodies elsewhere: `mesh://{connector}/{key}={value}/…`, one of the keys being the account."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import quote, unquote_to_bytes

from recollect.keep.mesh.problems import BadUri

SCHEME = "mesh://"
LIMIT = 2000
_WORD = re.compile(r"[a-z][a-z0-9_-]*")
_ENCODED = re.compile(r"(?:[A-Za-z0-9._~!$&'()*+,;:@-]|%[0-9A-Fa-f]{2})+")


@dataclass(frozen=True, slots=True)
class MeshUri:
    """One body at one account of one connector."""

    connector: str
    account: str
    keys: Mapping[str, str]

    def __str__(self) -> str:
        pairs = {"account": self.account, **self.keys}
        return f"{SCHEME}{self.connector}/" + "/".join(f"{key}={quote(value, safe='')}" for key, value in pairs.items())


def read_mesh_uri(text: str) -> MeshUri:
    """The parts of a mesh address."""
    if len(text) > LIMIT or not text.startswith(SCHEME):
        raise BadUri("that is no mesh address")
    connector, *parts = text.removeprefix(SCHEME).split("/")
    if not _WORD.fullmatch(connector):
        raise BadUri("the connector's name is missing or has other characters than a-z, 0-9, _ and -")
    keys: dict[str, str] = {}
    for part in parts:
        key, value = _pair(part)
        if key in keys:
            raise BadUri(f"{key} stands twice")
        keys[key] = value
    if "account" not in keys:
        raise BadUri("account is missing")
    return MeshUri(connector, keys.pop("account"), keys)


def _pair(part: str) -> tuple[str, str]:
    key, equals, value = part.partition("=")
    if not equals or not _WORD.fullmatch(key):
        raise BadUri(f"{part[:80]!r} is no key=value")
    if not _ENCODED.fullmatch(value):
        raise BadUri(f"the value of {key} is empty or not percent-encoded")
    try:
        plain = unquote_to_bytes(value).decode("utf-8")
    except UnicodeDecodeError:
        raise BadUri(f"the value of {key} is not UTF-8") from None
    if "\0" in plain:
        raise BadUri(f"the value of {key} holds a NUL")
    return key, plain
