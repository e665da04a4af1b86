"""The peers of a store: another one behind `recollect serve`, or a folder that several devices share."""

from pathlib import Path
from urllib.error import HTTPError, URLError
from urllib.parse import urlsplit
from urllib.request import Request, urlopen

from recollect.errors import Forbidden, Refused, Unavailable
from recollect.keep.replication.exchange import SyncResult, exchange
from recollect.keep.replication.shared_folder import exchange_by_folder
from recollect.memory import Memory
from recollect.settings import Settings
from recollect.store import devices
from recollect.store.devices import SyncPeer
from recollect.store.encryption import StoreKey, key_from

SYNC_PATH = "/api/v1/sync"
SECONDS = 120


class PeerUnavailable(Unavailable):
    code = "peer_unavailable"

    def __init__(self, address: str, why: object) -> None:
        super().__init__(f"{address} cannot be reached ({why}); nothing is lost, sync again later")


class PeerRefused(Forbidden):
    code = "peer_refused"

    def __init__(self, name: str, why: str) -> None:
        setting = f"RECOLLECT_SYNC_{name.upper().replace('-', '_')}_TOKEN"
        super().__init__(
            f"the peer {name} does not let this device sync ({why}); create a token there with `recollect token create "
            f"NAME --scope admin` and set it here in {setting}"
        )


class BadPeerAddress(Refused):
    code = "bad_peer"

    def __init__(self, address: str) -> None:
        super().__init__(
            f"{address!r} is neither the address of a server (https://…) nor an existing folder", field="address"
        )


def checked_address(address: str) -> str:
    """The address of a peer as it is stored: an absolute path, or that of a server."""
    if urlsplit(address).scheme in ("http", "https"):
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
        devices.put_peer(change, peer._replace(synced_at=change.now))
    return result


def folder_key(settings: Settings, name: str) -> StoreKey | None:
    """What the files in a shared folder are encrypted with: its own passphrase, or else the key of the store."""
    secret = settings.text(f"sync.{name}.key")
    return StoreKey(secret) if secret else key_from(settings)


def _post(peer: SyncPeer, token: str | None, message: str) -> str:
    headers = {"Content-Type": "application/x-ndjson"} | ({"Authorization": f"Bearer {token}"} if token else {})
    request = Request(peer.address + SYNC_PATH, message.encode(), headers, method="POST")
    try:
        with urlopen(request, timeout=SECONDS) as reply:
            return str(reply.read().decode())
    except HTTPError as failure:
        with failure:
            detail = failure.read().decode("utf-8", "replace")[:300]
        if failure.code in (401, 403):
            raise PeerRefused(peer.name, detail) from failure
        raise PeerUnavailable(peer.address, f"{failure.code}: {detail}") from failure
    except (URLError, OSError) as failure:
        raise PeerUnavailable(peer.address, getattr(failure, "reason", failure)) from failure
