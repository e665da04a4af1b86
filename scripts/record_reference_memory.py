"""Records what the reference memory server publishes and answers to a list of calls, for tests that compare us with it.

    python scripts/record_reference_memory.py tests/surfaces/memory/reference_calls.json

The schemas of its tools go beside the calls, into reference_schemas.json, without the texts that describe them.

Needs node and npm: the package @modelcontextprotocol/server-memory is installed into a temporary folder.
"""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

PACKAGE = "@modelcontextprotocol/server-memory"
HANDSHAKE: dict[str, Any] = {
    "protocolVersion": "2025-06-18",
    "capabilities": {},
    "clientInfo": {"name": "recorder", "version": "1"},
}


class ReferenceServer:
    """The reference server as a child process that speaks JSON lines."""

    def __init__(self, folder: Path) -> None:
        subprocess.run(["npm", "install", "--silent", "--prefix", str(folder), PACKAGE], check=True)
        program = folder / "node_modules" / PACKAGE / "dist" / "index.js"
        environment = {**os.environ, "MEMORY_FILE_PATH": str(folder / "memory.jsonl")}
        self._process = subprocess.Popen(
            ["node", str(program)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=environment,
            text=True,
        )
        self._count = 0
        self.request("initialize", HANDSHAKE)
        self._send({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def request(self, method: str, parameters: dict[str, Any]) -> dict[str, Any]:
        self._count += 1
        self._send({"jsonrpc": "2.0", "id": self._count, "method": method, "params": parameters})
        while True:
            assert self._process.stdout is not None
            message = json.loads(self._process.stdout.readline())
            if message.get("id") == self._count:
                return message["result"]

    def close(self) -> None:
        self._process.terminate()
        self._process.wait(10)

    def _send(self, message: dict[str, Any]) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(message) + "\n")
        self._process.stdin.flush()


def schemas(server: ReferenceServer) -> dict[str, Any]:
    """What a client can check a tool by: its arguments, its result and its hints."""
    kept = ("inputSchema", "outputSchema", "annotations")
    tools = server.request("tools/list", {})["tools"]
    return {each["name"]: {key: without_texts(each[key]) for key in kept} for each in tools}


def without_texts(schema: Any) -> Any:
    if isinstance(schema, list):
        return [without_texts(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    return {key: without_texts(value) for key, value in schema.items() if key not in ("description", "$schema")}


def main(path: Path) -> None:
    calls = json.loads(path.read_text(encoding="utf-8"))
    with tempfile.TemporaryDirectory() as folder:
        server = ReferenceServer(Path(folder))
        lines = ",\n".join(f"{json.dumps(name)}: {json.dumps(each)}" for name, each in schemas(server).items())
        path.with_name("reference_schemas.json").write_text(f"{{\n{lines}\n}}\n", encoding="utf-8")
        for call in calls:
            answer = server.request("tools/call", {"name": call["tool"], "arguments": call["arguments"]})
            call["text"] = answer["content"][0]["text"]
            call["structured"] = answer.get("structuredContent")
            call["is_error"] = answer.get("isError", False)
        server.close()
    lines = ",\n".join(json.dumps(call, ensure_ascii=False) for call in calls)
    path.write_text(f"[\n{lines}\n]\n", encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
