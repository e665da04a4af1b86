"""HTTP connections with limits: their number, and the time a client may take to send a request."""

import asyncio
import logging
from typing import Any, Protocol

from uvicorn.protocols.http.auto import AutoHTTPProtocol

log = logging.getLogger(__name__)

MAX_CONNECTIONS = 1_000
HEADER_SECONDS = 10.0
MAX_HEAD_BYTES = 256 * 1024
"""The longest request line with headers; the parser itself has no limit."""
BODY_SECONDS = 20.0
"""Seconds without any further part of a body; the whole may take longer."""
SLOWEST_BODY = 4_096
"""Bytes a second that a long body must have on average."""

_TOO_MANY = "503 Service Unavailable", "too many connections; try again in a moment", "retry-after: 5\r\n"
_TOO_LONG = "431 Request Header Fields Too Large", "the headers are too long", ""
_TOO_SLOW = "408 Request Timeout", "the request did not arrive in time", ""


class RequestCycle(Protocol):
    """One request and its response, as uvicorn keeps them."""

    more_body: bool
    response_complete: bool
    response_started: bool


class CoalescingTransport:
    """A transport that sends what is written in one go of the event loop together: head and body in one packet."""

    def __init__(self, transport: asyncio.Transport, loop: asyncio.AbstractEventLoop) -> None:
        self._transport = transport
        self._loop = loop
        self._waiting: list[bytes] = []

    def __getattr__(self, name: str) -> Any:
        return getattr(self._transport, name)

    def is_closing(self) -> bool:
        return self._transport.is_closing()

    def write(self, data: bytes) -> None:
        if not self._waiting:
            self._loop.call_soon(self._flush)
        self._waiting.append(data)

    def close(self) -> None:
        self._flush()
        self._transport.close()

    def _flush(self) -> None:
        if self._waiting:
            joined = b"".join(self._waiting)
            self._waiting.clear()
            self._transport.write(joined)


class LimitedConnection(AutoHTTPProtocol):  # type: ignore[misc,valid-type]
    """One connection, closed if its client is too slow or there are too many others."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._timer: asyncio.TimerHandle | None = None
        self._is_in_head = False
        self._head_bytes = 0
        self._is_in_body = False
        self._body_until = 0.0

    def connection_made(self, transport: asyncio.Transport) -> None:
        super().connection_made(CoalescingTransport(transport, self.loop))
        if len(self.connections) > MAX_CONNECTIONS:
            self._refuse(_TOO_MANY)
        else:
            self._start_timer(HEADER_SECONDS)

    def connection_lost(self, failure: Exception | None) -> None:
        self._stop_timer()
        super().connection_lost(failure)

    def on_message_begin(self) -> None:
        self._is_in_head = True
        self._head_bytes = 0
        super().on_message_begin()

    def on_header(self, name: bytes, value: bytes) -> None:
        if self._is_in_head:  # nobody reads those behind a body, of which there may be any number
            super().on_header(name, value)

    def on_headers_complete(self) -> None:
        self._is_in_head = False
        super().on_headers_complete()

    def data_received(self, data: bytes) -> None:
        if self.transport.is_closing():
            return
        super().data_received(data)
        if self._is_in_head:
            self._head_bytes += len(data)
            if self._head_bytes > MAX_HEAD_BYTES and not self.transport.is_closing():
                self._stop_timer()
                self._refuse(_TOO_LONG)
                return
        cycle: RequestCycle | None = self.cycle
        if cycle is None or cycle.response_complete:
            self._is_in_body = False
            if self._timer is None and not self.transport.is_closing():
                self._start_timer(HEADER_SECONDS)
        else:
            self._stop_timer()
            if not self._is_in_body:
                self._body_until = self.loop.time() + BODY_SECONDS
            self._body_until += len(data) / SLOWEST_BODY
            self._is_in_body = cycle.more_body
            if cycle.more_body:
                self._start_timer(self._body_seconds(cycle))

    def _body_seconds(self, cycle: RequestCycle) -> float:
        """How long the next part of a body may take; where each line is answered, the whole may take any time."""
        if cycle.response_started:
            return BODY_SECONDS
        left: float = self._body_until - self.loop.time()
        return max(0.0, min(BODY_SECONDS, left))

    def _start_timer(self, seconds: float) -> None:
        self._timer = self.loop.call_later(seconds, self._time_out)

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _time_out(self) -> None:
        self._timer = None
        cycle: RequestCycle | None = self.cycle
        if self._is_in_body and cycle is not None:
            if self.flow.read_paused:
                # The server itself is not reading: it answers a bulk request line by line.
                self._start_timer(BODY_SECONDS)
                return
            if cycle.response_complete or not cycle.more_body:
                return
            if cycle.response_started:
                self.transport.close()
                return
        self._refuse(_TOO_SLOW)

    def _refuse(self, response: tuple[str, str, str]) -> None:
        status, text, more = response
        log.warning("connection refused: %s", text)
        head = f"HTTP/1.1 {status}\r\ncontent-type: text/plain\r\ncontent-length: {len(text)}\r\n"
        self.transport.write(f"{head}{more}connection: close\r\n\r\n{text}".encode())
        self.transport.close()
