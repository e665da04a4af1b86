"""Speaking MCP to a server over its stdin and stdout, as little of it as timing needs."""

import json
import subprocess
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

_HELLO = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "bench", "version": "1"}}


class Server:
    """One running server."""

    def __init__(self, process: "subprocess.Popen[bytes]", said: IO[bytes], heard: IO[bytes]) -> None:
        self.process = process
        self._to, self._from = said, heard
        self._number = 0

    def ask(self, method: str, params: Mapping[str, Any]) -> dict[str, Any]:
        self._number += 1
        self._say({"jsonrpc": "2.0", "id": self._number, "method": method, "params": params})
        while line := self._from.readline():
            reply: dict[str, Any] = json.loads(line)
            if reply.get("id") == self._number:
                return reply
        raise SystemExit(f"the server ended at {method}")

    def greet(self) -> None:
        self.ask("initialize", _HELLO)
        self._say({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def tools(self) -> list[str]:
        return [tool["name"] for tool in self.ask("tools/list", {})["result"]["tools"]]

    def call(self, tool: str, **arguments: Any) -> dict[str, Any]:
        """The result of a call; one that failed ends the benchmark, since its time would mean nothing."""
        reply = self.ask("tools/call", {"name": tool, "arguments": arguments})
        if "result" not in reply or reply["result"].get("isError"):
            raise SystemExit(f"{tool} failed: {json.dumps(reply)[:500]}")
        result: dict[str, Any] = reply["result"]
        return result

    def resident(self) -> float:
        """Megabytes of memory that the server holds."""
        status = Path(f"/proc/{self.process.pid}/status").read_text("utf-8")
        return int(status.split("VmRSS:")[1].split()[0]) / 1024

    def _say(self, message: Mapping[str, Any]) -> None:
        self._to.write(json.dumps(message).encode() + b"\n")
        self._to.flush()


@contextmanager
def running(command: Sequence[str], environment: Mapping[str, str]) -> Iterator[Server]:
    process = subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=dict(environment)
    )
    if process.stdin is None or process.stdout is None:
        raise SystemExit("a server without pipes")
    try:
        yield Server(process, process.stdin, process.stdout)
    finally:
        process.stdin.close()
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        process.stdout.close()


def start(command: Sequence[str], environment: Mapping[str, str]) -> tuple[float, float]:
    """Seconds from the start to the listing, and the megabytes then held."""
    began = time.perf_counter()
    with running(command, environment) as server:
        server.greet()
        server.tools()
        return time.perf_counter() - began, server.resident()
