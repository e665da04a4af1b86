"""Starts a configured server as its client would, and lists its tools."""

import json
import os
import queue
import re
import subprocess
import threading
from collections.abc import Mapping
from dataclasses import dataclass
from http.client import HTTPException
from tempfile import TemporaryFile
from time import perf_counter
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.request import Request

from recollect.errors import RecollectError, Unavailable
from recollect.http_client import open_request
from recollect.serve.clients.launch import PROJECT_OPTION, environment_of

LONGEST_WAIT = 30
SERVER_ENDED = "the server ended before it answered"
VERSION = "2025-11-25"
_VARIABLE = re.compile(r"\$\{(?:env:)?(\w+)\}")
_NEEDS_TOKEN = "the entry has no token that it accepts; `recollect token create NAME` there makes one"
_CLIENT = {"name": "recollect-connect", "version": "1"}
_INITIALIZE = {"protocolVersion": VERSION, "capabilities": {}, "clientInfo": _CLIENT}


class NoAnswer(Unavailable):
    pass


@dataclass(frozen=True, slots=True)
class Probe:
    """The answer of one server: how many tools, and after how many milliseconds."""

    tools: int
    milliseconds: int
    problem: str = ""


def probe(entry: Mapping[str, Any], longest_wait: float | None = None) -> Probe:
    """Initialize and list tools over stdio or HTTP, whichever the entry describes."""
    wait = LONGEST_WAIT if longest_wait is None else longest_wait
    started = perf_counter()
    address = next((entry[key] for key in ("url", "httpUrl", "serverUrl", "uri") if key in entry), None)
    try:
        tools = _over_http(str(address), headers_of(entry), wait) if address else _over_stdio(entry, wait)
    except (OSError, HTTPException, ValueError, KeyError, TypeError, RecollectError) as problem:
        return Probe(0, _elapsed(started), str(problem) or type(problem).__name__)
    took = _elapsed(started)
    try:
        return Probe(tools, took, "" if address else check_store(entry, wait))
    except subprocess.TimeoutExpired:
        return Probe(tools, took, f"its store did not answer within {wait} s")
    except OSError as problem:
        return Probe(tools, took, str(problem))


def _elapsed(started: float) -> int:
    return round((perf_counter() - started) * 1000)


def _over_stdio(entry: Mapping[str, Any], wait: float) -> int:
    command = [str(entry.get("command") or entry["cmd"]), *map(str, entry.get("args", []))]
    environment = {**os.environ, **environment_of(entry)}
    with TemporaryFile("w+", encoding="utf-8", errors="replace") as errors:
        process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=errors,
            text=True,
            encoding="utf-8",
            env=environment,
        )
        try:
            return _listed_tools(process, wait)
        except (NoAnswer, BrokenPipeError) as problem:
            errors.seek(0)
            why = str(problem) if isinstance(problem, NoAnswer) else SERVER_ENDED
            raise NoAnswer(_last_line(errors.read()) or why) from None


def check_store(entry: Mapping[str, Any], wait: float = LONGEST_WAIT) -> str:
    """Why the server of an entry cannot open its store or workspace, which it says only when a tool is called."""
    arguments = [*map(str, entry.get("args", []))]
    if "stdio" not in arguments:
        return ""
    place = arguments.index("stdio")
    rest = [word for word in arguments[place + 1 :] if not word.startswith(PROJECT_OPTION)]
    command = [str(entry.get("command") or entry["cmd"]), *arguments[:place], "status", *rest]
    ended = subprocess.run(
        command,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        encoding="utf-8",
        errors="replace",
        timeout=wait,
        check=False,
        env={**os.environ, **environment_of(entry)},
    )
    return _last_line(ended.stderr) or f"exit code {ended.returncode}" if ended.returncode else ""


def _last_line(text: str) -> str:
    lines = [line for line in text.splitlines() if line.strip()]
    return lines[-1].removeprefix("recollect: ").strip() if lines else ""


def _listed_tools(process: "subprocess.Popen[str]", wait: float) -> int:
    try:
        return _converse(process, wait)
    finally:
        process.kill()
        process.wait()
        for pipe in (process.stdin, process.stdout):
            if pipe is not None:
                pipe.close()


def _converse(process: "subprocess.Popen[str]", wait: float) -> int:
    assert process.stdin is not None
    assert process.stdout is not None
    lines: queue.SimpleQueue[str] = queue.SimpleQueue()
    reader = threading.Thread(target=_read_lines, args=(process, lines), daemon=True)
    reader.start()
    process.stdin.write(_request(1, "initialize", _INITIALIZE) + "\n")
    process.stdin.flush()
    _reply(lines, 1, wait)
    process.stdin.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n')
    process.stdin.write(_request(2, "tools/list", {}) + "\n")
    process.stdin.flush()
    tools = len(_reply(lines, 2, wait)["result"]["tools"])
    process.stdin.close()
    reader.join(wait)
    return tools


def _read_lines(process: "subprocess.Popen[str]", lines: "queue.SimpleQueue[str]") -> None:
    assert process.stdout is not None
    for line in process.stdout:
        lines.put(line)
    lines.put("")


def _reply(lines: "queue.SimpleQueue[str]", ident: int, wait: float) -> dict[str, Any]:
    while True:
        try:
            line = lines.get(timeout=wait)
        except queue.Empty:
            raise NoAnswer(f"no answer within {wait} s") from None
        if not line:
            raise NoAnswer(SERVER_ENDED)
        message: dict[str, Any] = json.loads(line)
        if message.get("id") == ident:
            return message


def headers_of(entry: Mapping[str, Any]) -> dict[str, str]:
    """What a client would send with each request, with the values of the variables that are named in it."""
    given = {**(entry.get("http_headers") or {}), **(entry.get("headers") or {})}
    token = os.environ.get(str(entry.get("bearer_token_env_var")))
    found = {"Authorization": f"Bearer {token}"} if token else {}
    return found | {
        str(name): _VARIABLE.sub(lambda each: os.environ.get(each[1], ""), str(value)) for name, value in given.items()
    }


def _over_http(url: str, own: Mapping[str, str], wait: float) -> int:
    hello, session = _post(url, _request(1, "initialize", _INITIALIZE), own, wait)
    if "result" not in hello:
        raise NoAnswer(f"initialize was refused: {hello.get('error')}")
    in_session = {**own, "Mcp-Protocol-Version": VERSION} | ({"Mcp-Session-Id": session} if session else {})
    _post(url, '{"jsonrpc":"2.0","method":"notifications/initialized"}', in_session, wait)
    listed, _ = _post(url, _request(2, "tools/list", {}), in_session, wait)
    return len(listed["result"]["tools"])


def _post(url: str, body: str, own: Mapping[str, str], wait: float) -> tuple[dict[str, Any], str | None]:
    headers = {**own, "Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
    try:
        with open_request(Request(url, body.encode(), headers), wait) as reply:
            return _message(reply.read().decode()), reply.headers.get("Mcp-Session-Id")
    except HTTPError as refusal:
        with refusal:
            hint = f": {_NEEDS_TOKEN}" if refusal.code == 401 else ""
            raise NoAnswer(f"{url} answered {refusal.code}{hint}") from None
    except URLError as problem:
        why = getattr(problem.reason, "strerror", None) or problem.reason
        raise NoAnswer(f"{url} does not answer ({why}); is recollect serve running?") from None


def _message(body: str) -> dict[str, Any]:
    """The message of a plain reply, or of the first event of a stream."""
    data = [line[5:].strip() for line in body.splitlines() if line.startswith("data:")]
    text = next(filter(None, data), "") or body
    found: dict[str, Any] = json.loads(text) if text.strip() else {}
    return found


def _request(ident: int, method: str, params: Mapping[str, Any]) -> str:
    return json.dumps({"jsonrpc": "2.0", "id": ident, "method": method, "params": params})
