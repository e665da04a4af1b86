"""Mesh addresses, the accounts that may be fetched from, and the stored document of an address."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import quote, unquote_to_bytes

from recollect.errors import NotKnown, Refused
from recollect.keep.artifacts.artifact import DARK, tier_of
from recollect.keep.mesh.connectors import BundleConnector, Connector, FileConnector, MailConnector
from recollect.keep.mesh.fetch_errors import BadMeshUri, MeshPurged
from recollect.model.document import BODY_UNTIL, MESH_URI, Document
from recollect.store.change import Change
from recollect.store.mesh_queries import MeshAccount, documents_with_uri, find_account, put_account
from recollect.store.view import View

SCHEME = "mesh://"
MAX_URI_LENGTH = 2000
_WORD = re.compile(r"[a-z][a-z0-9_-]*")
_ENCODED = re.compile(r"(?:[A-Za-z0-9._~!$&'()*+,;:@-]|%[0-9A-Fa-f]{2})+")


@dataclass(frozen=True, slots=True)
class MeshUri:
    """The address of one item at one account of one connector."""

    connector: str
    account: str
    keys: Mapping[str, str]

    def __str__(self) -> str:
        pairs = {"account": self.account, **self.keys}
        return f"{SCHEME}{self.connector}/" + "/".join(f"{key}={quote(value, safe='')}" for key, value in pairs.items())


def parse_mesh_uri(text: str) -> MeshUri:
    """The parts of a mesh address."""
    if len(text) > MAX_URI_LENGTH or not text.startswith(SCHEME):
        raise BadMeshUri("that is not a mesh address")
    connector, *parts = text.removeprefix(SCHEME).split("/")
    if not _WORD.fullmatch(connector):
        raise BadMeshUri("the connector's name is missing, or contains characters other than a-z, 0-9, _ and -")
    keys: dict[str, str] = {}
    for part in parts:
        key, value = _parse_pair(part)
        if key in keys:
            raise BadMeshUri(f"{key} is given twice")
        keys[key] = value
    if "account" not in keys:
        raise BadMeshUri("account is missing")
    return MeshUri(connector, keys.pop("account"), keys)


def _parse_pair(part: str) -> tuple[str, str]:
    key, equals, value = part.partition("=")
    if not equals or not _WORD.fullmatch(key):
        raise BadMeshUri(f"{part[:80]!r} is not of the form key=value")
    if not _ENCODED.fullmatch(value):
        raise BadMeshUri(f"the value of {key} is empty or not percent-encoded")
    try:
        plain = unquote_to_bytes(value).decode("utf-8")
    except UnicodeDecodeError:
        raise BadMeshUri(f"the value of {key} is not UTF-8") from None
    if "\0" in plain:
        raise BadMeshUri(f"the value of {key} contains a NUL character")
    return key, plain


CONNECTORS: dict[str, Connector] = {"bundle": BundleConnector(), "files": FileConnector(), "mail": MailConnector()}


class UnknownConnector(Refused):
    def __init__(self, name: str) -> None:
        super().__init__(f"there is no connector {name!r}", field="connector", accepted=sorted(CONNECTORS))


class UnknownAccount(NotKnown):
    def __init__(self, connector: str, account: str) -> None:
        super().__init__(f"connector {connector} has no account {account!r}; recollect mesh list shows those it has")


def enable_mesh_account(change: Change, wanted: MeshAccount) -> None:
    """Allow fetching bodies from an account."""
    if wanted.connector not in CONNECTORS:
        raise UnknownConnector(wanted.connector)
    put_account(change, wanted)


def disable_mesh_account(change: Change, connector: str, account: str) -> None:
    known = find_account(change, connector, account)
    if known is None:
        raise UnknownAccount(connector, account)
    put_account(change, known._replace(enabled=False))


def document_with_uri(view: View, uri: str) -> Document | None:
    """The newest live document whose body is at this address."""
    found = view.documents(documents_with_uri(view, uri)).values()
    live = [each for each in found if not each.deleted and each.properties.get(MESH_URI) == uri]
    return max(live, key=lambda each: (each.source_at, each.id), default=None)


def check_fetchable(view: View, document: Document | None, uri: MeshUri) -> None:
    """Refuse dark artifacts, and those past their retention unless their account allows fetching them again."""
    if document is None:
        return
    if tier_of(document, view.now) == DARK:
        raise MeshPurged
    until = document.properties.get(BODY_UNTIL)
    if isinstance(until, int) and view.now >= until:
        account = find_account(view, uri.connector, uri.account)
        if account is None or not account.refetch:
            raise MeshPurged
