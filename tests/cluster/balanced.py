"""Several `recollect serve` on one PostgreSQL behind HAProxy, as on several machines."""

import json
import os
import shutil
import socket
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from typing import Any

from tests.support.databases import wait_until

HERE = "127.0.0.1"
CALL_SECONDS = 30.0
CONFLICT = 409
HAS_BALANCER = shutil.which("haproxy") is not None
NO_BALANCER = "needs haproxy (Debian: apt-get install haproxy)"


class CallFailed(Exception):
    """A call that was refused or got no answer."""


class KeyUsed(CallFailed):
    """A call whose key another call has: one that is still running, or was carried out and whose answer is lost."""


@dataclass
class StatelessServer:
    """One server process; after a kill another takes its port."""

    address: str
    port: int
    process: "subprocess.Popen[bytes] | None" = None

    def start(self) -> None:
        environment = {
            **os.environ,
            "RECOLLECT_DB": self.address,
            "RECOLLECT_SERVE_STATELESS": "true",
            "RECOLLECT_SERVE_HOSTS": HERE,
            "RECOLLECT_EMBEDDING_MODEL": "none",
        }
        command = (sys.executable, "-m", "recollect", "serve", "--port", str(self.port))
        self.process = subprocess.Popen(command, env=environment, stderr=subprocess.DEVNULL)
        wait_until(self.is_up)

    def is_up(self) -> bool:
        return _status(self.port, "GET", "/healthz") == 200

    def kill(self) -> None:
        assert self.process is not None
        self.process.kill()
        self.process.wait()


@contextmanager
def stateless_servers(address: str, count: int) -> Iterator[list[StatelessServer]]:
    servers = [StatelessServer(address, free_port()) for _ in range(count)]
    with ExitStack() as stack:
        for each in servers:
            each.start()
            stack.callback(each.kill)
        yield servers


@contextmanager
def balancer(folder: Path, servers: Sequence[StatelessServer]) -> Iterator[int]:
    """The port of a HAProxy that gives each request to the next server that is healthy."""
    port, settings = free_port(), folder / "haproxy.cfg"
    settings.write_text(_settings(port, [each.port for each in servers]), "utf-8")
    with subprocess.Popen(["haproxy", "-db", "-q", "-f", str(settings)], stderr=subprocess.DEVNULL) as process:
        try:
            wait_until(lambda: _status(port, "GET", "/healthz") == 200)
            yield port
        finally:
            process.terminate()


def _settings(port: int, servers: Sequence[int]) -> str:
    lines = "\n".join(f"  server s{each} {HERE}:{each} check" for each in servers)
    return f"""
defaults
  mode http
  timeout connect 2s
  timeout client 60s
  timeout server 60s
  timeout check 2s
listen recollect
  bind {HERE}:{port}
  balance roundrobin
  option httpchk
  http-check send meth GET uri /healthz ver HTTP/1.1 hdr Host {HERE}
  option redispatch
  retries 2
  http-response add-header Served-By %s
  default-server inter 500ms fall 2 rise 1
{lines}
"""


def free_port() -> int:
    with socket.socket() as taken:
        taken.bind((HERE, 0))
        return int(taken.getsockname()[1])


def call_verb(port: int, verb: str, key: str | None = None, **arguments: Any) -> tuple[dict[str, Any], str]:
    """The answer of a verb over HTTP, and the name of the server that gave it."""
    connection = HTTPConnection(HERE, port, timeout=CALL_SECONDS)
    headers = {"Content-Type": "application/json", **({"Idempotency-Key": key} if key else {})}
    try:
        connection.request("POST", f"/api/v1/{verb}", json.dumps(arguments).encode(), headers)
        reply = connection.getresponse()
        told = reply.read()
    except (OSError, HTTPException) as error:
        raise CallFailed(type(error).__name__) from error
    finally:
        connection.close()
    if reply.status == CONFLICT:
        raise KeyUsed
    if reply.status != 200:
        raise CallFailed(f"{reply.status} {told[:200]!r}")
    answer: dict[str, Any] = json.loads(told)
    return answer, reply.headers.get("Served-By", "")


def _status(port: int, method: str, path: str) -> int | None:
    connection = HTTPConnection(HERE, port, timeout=2)
    try:
        connection.request(method, path)
        return connection.getresponse().status
    except (OSError, HTTPException):
        return None
    finally:
        connection.close()
