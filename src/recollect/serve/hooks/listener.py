"""The server's side of hooks: answers over a socket of the user, and takes transcripts in one at a time."""

import json
import logging
import socket
import threading
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from recollect.deadline import CallDeadline
from recollect.serve.hooks.endpoint import ANSWER_SECONDS, ask_server, read_line, socket_path
from recollect.serve.hooks.events import answer_event, capture
from recollect.serve.hooks.payload import HookInput, input_of

if TYPE_CHECKING:
    from recollect.serve.open_store import OpenStore

log = logging.getLogger(__name__)

THREADS = 4
BACKLOG = 16
READ_SECONDS = 5.0


class HookListener:
    """Listens while the server runs; the first server of a database does, others leave it to that one."""

    def __init__(self, opened: "OpenStore") -> None:
        self._opened = opened
        self._path: Path | None = None
        self._socket: socket.socket | None = None
        self._answers = ThreadPoolExecutor(THREADS, "recollect-hook")
        self._captures = ThreadPoolExecutor(1, "recollect-capture")
        self._is_warm = threading.Event()
        self._is_warming = threading.Event()

    def __enter__(self) -> Self:
        if self._opened.settings.flag("serve.hooks", default=True) and hasattr(socket, "AF_UNIX"):
            self._path = _socket_path(self._opened)
            self._socket = None if self._path is None else _bind(self._path)
        if self._socket is not None:
            threading.Thread(target=self._accept, args=(self._socket,), name="recollect-hooks", daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._socket is not None and self._path is not None:
            self._path.unlink(missing_ok=True)
            self._socket.close()
        self._answers.shutdown(wait=False, cancel_futures=True)
        self._captures.shutdown(wait=False, cancel_futures=True)

    def _accept(self, listening: socket.socket) -> None:
        while True:
            try:
                connection, _ = listening.accept()
                self._answers.submit(self._serve, connection)
            except (OSError, RuntimeError):
                return

    def _serve(self, connection: socket.socket) -> None:
        with connection:
            connection.settimeout(READ_SECONDS)
            try:
                answer = self._answer(json.loads(read_line(connection)))
                connection.sendall(json.dumps(answer).encode() + b"\n")
            except Exception as problem:
                log.warning("hook failed: %s", type(problem).__name__)

    def _answer(self, request: Any) -> dict[str, Any]:
        if "input" not in request:
            return {"text": ""}
        given = input_of(request["input"])
        if given.event == "capture":
            self._captures.submit(self._capture, given)
            return {"text": ""}
        if not self._is_warming.is_set():
            self._is_warming.set()
            threading.Thread(target=self.warm_up, name="recollect-warm-up", daemon=True).start()
        answer = partial(answer_event, self._opened, given, by_meaning=self._is_warm.is_set())
        # The hook waits no longer, and what runs in the background yields to a call that has a deadline.
        return {"text": CallDeadline(ANSWER_SECONDS).run(answer)}

    def warm_up(self) -> None:
        """Load the embedding model once hooks are in use; until then, prompts are answered by words."""
        try:
            embedder = self._opened.workspace(self._opened.local.workspace).embedder
            if embedder is not None:
                embedder.embed(["warm up"])
                self._is_warm.set()
        except Exception as problem:
            log.warning("prompts are answered by words: %s", type(problem).__name__)

    def _capture(self, given: HookInput) -> None:
        try:
            capture(self._opened, given)
        except Exception as problem:
            log.warning("capture failed: %s", type(problem).__name__)


def _socket_path(opened: "OpenStore") -> Path | None:
    """Where to listen; none if the folder cannot be made. Hooks then read the store themselves."""
    try:
        return socket_path(opened.settings)
    except OSError as problem:
        log.warning("hooks are not answered: %s cannot be written (%s)", problem.filename, type(problem).__name__)
        return None


def _bind(path: Path) -> socket.socket | None:
    """A socket that listens at a path; none if another server does, or the path cannot be used."""
    if path.exists() and ask_server(path, {"ping": True}) is not None:
        return None
    listening = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        path.unlink(missing_ok=True)
        listening.bind(str(path))
        path.chmod(0o600)
        listening.listen(BACKLOG)
    except OSError as problem:
        log.warning("hooks are not answered: %s", type(problem).__name__)
        listening.close()
        return None
    return listening
