"""Where a running server listens for hooks: a socket of the user, named after the database."""

import hashlib
import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from recollect.settings import Settings

if TYPE_CHECKING:
    import socket

CONNECT_SECONDS = 0.05
ANSWER_SECONDS = 2.0
MOST_BYTES = 8 * 1024 * 1024


def state_folder() -> Path:
    """Sockets, session files and the log of hooks; only the user may read them."""
    given = os.environ.get("RECOLLECT_HOOK_DIR")
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    folder = Path(given) if given else cache / "recollect" / "hooks"
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    return folder


def socket_path(settings: Settings) -> Path:
    """Short, since the path of a socket has at most 104 characters on some systems."""
    database = settings.database
    place = database if "://" in database else str(Path(database).expanduser().absolute())
    return state_folder() / f"{hashlib.sha256(place.encode()).hexdigest()[:16]}.sock"


def ask_server(path: Path, request: dict[str, Any]) -> dict[str, Any] | None:
    """The answer of a running server; None if no server runs or it is busy."""
    if not path.exists():
        return None
    import socket

    try:
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as connection:
            connection.settimeout(CONNECT_SECONDS)
            connection.connect(str(path))
            connection.settimeout(ANSWER_SECONDS)
            connection.sendall(json.dumps(request).encode() + b"\n")
            answer = json.loads(read_line(connection))
    except (OSError, ValueError):
        return None
    return answer if isinstance(answer, dict) else None


def read_line(connection: "socket.socket") -> bytes:
    """One line, cut at the largest size."""
    found = bytearray()
    while not found.endswith(b"\n") and len(found) < MOST_BYTES:
        part = connection.recv(65536)
        if not part:
            break
        found += part
    return bytes(found)
