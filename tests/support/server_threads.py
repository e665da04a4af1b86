"""Web servers in threads of the test process."""

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from socket import socket
from typing import Any

import uvicorn

from tests.support.processes import LONGEST_WAIT


class _PromptServer(uvicorn.Server):
    """Stops at once: uvicorn looks ten times a second whether to stop and then pauses, which hundreds of tests feel."""

    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self._is_up = threading.Event()

    async def main_loop(self) -> None:
        self._loop, self._stop = asyncio.get_running_loop(), asyncio.Event()
        await self.on_tick(0)
        self._is_up.set()
        await self._stop.wait()

    def stop(self) -> None:
        assert self._is_up.wait(LONGEST_WAIT)
        self._loop.call_soon_threadsafe(self._stop.set)

    async def shutdown(self, sockets: list[socket] | None = None) -> None:
        if self.server_state.connections:  # a client may have closed them just now
            await asyncio.sleep(0.01)
        if self.server_state.connections or self.server_state.tasks:
            await super().shutdown(sockets)
            return
        for server in self.servers:
            server.close()
        for bound in sockets or []:
            bound.close()
        await self.lifespan.shutdown()


@contextmanager
def serve_in_thread(app: Any, bound: socket | None = None, **options: Any) -> Iterator[str]:
    """The address at which a thread serves an application."""
    config = uvicorn.Config(app, port=0, log_config=None, timeout_graceful_shutdown=1, **options)
    bound = config.bind_socket() if bound is None else bound
    bound.listen()  # requests wait until the server accepts them
    server = _PromptServer(config)
    thread = threading.Thread(target=server.run, args=([bound],))
    thread.start()
    try:
        yield f"http://127.0.0.1:{bound.getsockname()[1]}"
    finally:
        server.stop()
        thread.join(LONGEST_WAIT)
