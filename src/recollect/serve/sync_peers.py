"""The peers of a store: another one behind `recollect serve`, or a folder that several devices share."""

import json
from http.client import HTTPException, IncompleteRead
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import Request

from recollect.errors import Conflict, Forbidden, RecollectError, Refused, Unavailable
from recollect.http_client import open_request
from recollect.keep.replication.exchange import SyncResult, exchange, exchange_by_folder
from recollect.memory import Memory
from recollect.serve.clients.launch import is_http_address
from recollect.settings import Settings
from recollect.store import replication_queries
from recollect.store.encryption import StoreKey, key_from
from recollect.store.replication_queries import SyncPeer

SYNC_PATH = "/api/v1/sync"
SYNC_TYPE = "application/x-ndjson"
SECONDS = 120
MOST_OF_REFUSAL = 10_000


class PeerUnavailable(Unavailable):
    code = "peer_unavailable"

    def __init__(self, address: str, why: object) -> None:
        super().__init__(f"{address} cannot be reached ({why}); nothing is lost, sync again later")


class NotAPeer(Refused):
    code = "not_a_peer"

    def __init__(self, address: str, why: str) -> None:
        super().__init__(
            f"there is no `recollect serve` at {address} ({why}); check the address: recollect sync list",
            field="address",
        )


class PeerRefused(Forbidden):
    code = "peer_refused"

    def __init__(self, name: str, why: str) -> None:
        setting = f"RECOLLECT_SYNC_{name.upper().replace('-', '_')}_TOKEN"
        super().__init__(
            f"the peer {name} does not let this device sync ({why}); create a token there with `recollect token create "
            f"NAME --scope admin` and set it here in {setting}"
        )


class PeerConflict(Conflict):
    code = "peer_conflict"

    def __init__(self, name: str, why: str) -> None:
        super().__init__(f"the peer {name} refused what was sent: {why}")


class BadPeerAddress(Refused):
    code = "bad_peer"

    def __init__(self, address: str) -> None:
        super().__init__(
            f"{address!r} is neither the address of a server (https://…) nor an existing folder", field="address"
        )


def checked_address(address: str) -> str:
    """The address of a peer as it is stored: an absolute path, or that of a server."""
    if is_http_address(address):
        return address.rstrip("/").removesuffix(SYNC_PATH)
    path = Path(address).expanduser()
    if not path.is_dir():
        raise BadPeerAddress(address)
    return str(path.resolve())


def sync_with(memory: Memory, peer: SyncPeer) -> SyncResult:
    """Exchange transactions with a peer, and note when."""
    if peer.is_server:
        token = memory.settings.text(f"sync.{peer.name}.token")
        result = exchange(memory, lambda message: _post(peer, token, message))
    else:
        if not Path(peer.address).is_dir():
            raise PeerUnavailable(peer.address, "the folder is not there")
        result = exchange_by_folder(memory, Path(peer.address), folder_key(memory.settings, peer.name))
    with memory.write() as change:
        replication_queries.put_peer(change, peer._replace(synced_at=change.now))
    return result


def folder_key(settings: Settings, name: str) -> StoreKey | None:
    """What the files in a shared folder are encrypted with: its own passphrase, or else the key of the store."""
    secret = settings.text(f"sync.{name}.key")
    return StoreKey(secret) if secret else key_from(settings)


def _post(peer: SyncPeer, token: str | None, message: str) -> str:
    headers = {"Content-Type": SYNC_TYPE} | ({"Authorization": f"Bearer {token}"} if token else {})
    try:
        request = Request(peer.address + SYNC_PATH, message.encode(), headers, method="POST")
        with open_request(request, SECONDS) as reply:
            if reply.headers.get_content_type() != SYNC_TYPE:
                raise NotAPeer(peer.address, "its answer is not a sync log")
            return reply.read().decode()
    except HTTPError as failure:
        raise _refusal(peer, failure) from failure
    except (OSError, HTTPException) as failure:
        raise PeerUnavailable(peer.address, _words(failure)) from failure
    except ValueError as failure:
        # A token or an address that cannot be sent at all.
        raise NotAPeer(peer.address, "the address or the token has characters that cannot be sent") from failure


def _refusal(peer: SyncPeer, failure: HTTPError) -> RecollectError:
    with failure:
        why = _failure_text(failure)
    if failure.code in (401, 403):
        return PeerRefused(peer.name, why)
    if failure.code in (404, 405):
        return NotAPeer(peer.address, why)
    if failure.code == 409:
        return PeerConflict(peer.name, why)
    return PeerUnavailable(peer.address, why)


def _failure_text(failure: HTTPError) -> str:
    """What a server says of a failure in words: the detail of its JSON, else the words of its status."""
    try:
        told = json.loads(failure.read(MOST_OF_REFUSAL))
    except (ValueError, OSError, HTTPException):
        told = None
    detail = told.get("detail") if isinstance(told, dict) else None
    return detail if isinstance(detail, str) else f"{failure.code} {failure.reason}".strip()


def _words(failure: Exception) -> str:
    """Why there is no answer, without the numbers of the system."""
    if isinstance(failure, IncompleteRead):
        return "the connection broke off"
    reason = getattr(failure, "reason", failure)
    return str(getattr(reason, "strerror", None) or reason or type(failure).__name__).strip()
