"""Doors of a real server process, over stdio and over HTTP."""

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx2
import psutil

from recollect.surfaces.declarations import Tool
from tests.fuzz.campaign import Reply
from tests.support.processes import Spoken, http, stdio

_HEADERS = {"Accept": "application/json, text/event-stream", "Content-Type": "application/json"}
_HELLO = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "fuzz", "version": "1"}}


def encode(ident: int, tool: Tool, arguments: Mapping[str, Any]) -> str:
    """The request; Python writes NaN and infinity as well, which is no JSON, and servers answer that too."""
    params = {"name": tool.name, "arguments": arguments}
    return json.dumps({"jsonrpc": "2.0", "id": ident, "method": "tools/call", "params": params})


def read_reply(message: Mapping[str, Any]) -> Reply:
    result, error = message.get("result", {}), message.get("error")
    text = json.dumps(message)
    # What is refused before it is a message, as a body that is too large, has the name of the error alone.
    is_crash = "an unexpected error occurred" in text or (isinstance(error, dict) and error.get("code") == -32603)
    failed = bool(result.get("isError")) or "error" in message
    return Reply(result.get("structuredContent", message), failed, is_crash, "seconds and was stopped" in text)


class StdioDoor:
    def __init__(self, spoken: Spoken) -> None:
        self._spoken = spoken
        self._number = 0

    def send(self, tool: Tool, arguments: dict[str, Any]) -> Reply:
        self._number += 1
        self._spoken.say(encode(self._number, tool, arguments))
        reply = read_reply(self._spoken.reply_to(self._number))
        self._spoken.lines.clear()
        return reply

    def last_tx(self) -> int | None:
        return None

    def memory_bytes(self) -> int:
        return int(psutil.Process(self._spoken.process.pid).memory_info().rss)


class HttpDoor:
    def __init__(self, client: httpx2.Client, address: str) -> None:
        self._client = client
        self._address = address
        self._number = 0

    def send(self, tool: Tool, arguments: dict[str, Any]) -> Reply:
        self._number += 1
        reply = self._client.post(self._address, content=encode(self._number, tool, arguments))
        events = [line.removeprefix("data: ") for line in reply.text.splitlines() if line.startswith("data: {")]
        return read_reply(json.loads(events[-1] if events else reply.text))

    def last_tx(self) -> int | None:
        return None

    def memory_bytes(self) -> int:
        port = int(self._address.split(":")[2].partition("/")[0])
        for process in psutil.Process().children(recursive=True):
            if any(each.laddr.port == port for each in process.net_connections("tcp")):
                return int(process.memory_info().rss)
        return 0


@contextmanager
def stdio_door(folder: Path, surface: str, *options: str) -> Iterator[StdioDoor]:
    with stdio(folder, "--surface", surface, *options, is_forked=False) as spoken:
        spoken.greet()
        yield StdioDoor(spoken)


@contextmanager
def http_door(folder: Path, surface: str, *options: str) -> Iterator[HttpDoor]:
    with (
        http(folder, "--surface", surface, *options, is_forked=False) as address,
        httpx2.Client(headers=_HEADERS, timeout=60) as client,
    ):
        hello = {"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": _HELLO}
        opened = client.post(f"{address}/mcp", json=hello)
        client.headers["Mcp-Session-Id"] = opened.headers["mcp-session-id"]
        client.post(f"{address}/mcp", json={"jsonrpc": "2.0", "method": "notifications/initialized"})
        yield HttpDoor(client, f"{address}/mcp")
