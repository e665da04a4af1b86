"""Speaking MCP to `recollect serve` over one HTTP connection that is kept open, as clients keep theirs."""

import json
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.client import HTTPConnection, HTTPResponse
from typing import Any
from urllib.parse import urlsplit

_HELLO = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "bench", "version": "1"}}
_HEADERS = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}


class HttpServer:
    """One running server and the session with it."""

    def __init__(self, address: str, pid: int) -> None:
        self.address = address
        self.pid = pid
        self._connection = HTTPConnection(urlsplit(address).netloc)
        self._headers = dict(_HEADERS)
        self._number = 0

    def another(self) -> "HttpServer":
        """The same server over a connection and a session of its own."""
        return HttpServer(self.address, self.pid)

    def greet(self) -> None:
        self.ask("initialize", _HELLO)
        self._post({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def ask(self, method: str, params: Mapping[str, Any]) -> dict[str, Any]:
        self._number += 1
        text = self._post({"jsonrpc": "2.0", "id": self._number, "method": method, "params": params})
        events = [line.removeprefix("data: ") for line in text.splitlines() if line.startswith("data: {")]
        reply: dict[str, Any] = json.loads(events[-1] if events else text)
        return reply

    def call(self, tool: str, **arguments: Any) -> dict[str, Any]:
        """The result of a call; one that failed ends the benchmark, since its time would mean nothing."""
        reply = self.ask("tools/call", {"name": tool, "arguments": arguments})
        if "result" not in reply or reply["result"].get("isError"):
            raise SystemExit(f"{tool} failed: {json.dumps(reply)[:500]}")
        result: dict[str, Any] = reply["result"]
        return result

    def health(self) -> None:
        self._connection.request("GET", "/healthz")
        self._connection.getresponse().read()

    def _respond(self, message: Mapping[str, Any]) -> HTTPResponse:
        self._connection.request("POST", "/mcp", json.dumps(message).encode(), self._headers)
        return self._connection.getresponse()

    def _post(self, message: Mapping[str, Any]) -> str:
        try:
            response = self._respond(message)
        except (BrokenPipeError, ConnectionResetError):
            # The server closes connections that were idle for some seconds.
            self._connection.close()
            response = self._respond(message)
        session = response.headers.get("Mcp-Session-Id")
        if session is not None:
            self._headers["Mcp-Session-Id"] = session
        return response.read().decode()


@contextmanager
def serving(environment: Mapping[str, str], surface: str = "pearscarf") -> Iterator[HttpServer]:
    command = (sys.executable, "-m", "recollect", "serve", "--port", "0", "--surface", surface)
    process = subprocess.Popen(command, stderr=subprocess.PIPE, env=dict(environment), text=True)
    if process.stderr is None:
        raise SystemExit("a server without stderr")
    try:
        yield HttpServer(process.stderr.readline().split()[-1], process.pid)
    finally:
        process.terminate()
        process.wait(10)
        process.stderr.close()
