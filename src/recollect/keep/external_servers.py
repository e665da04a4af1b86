"""External MCP servers registered in a workspace: how each is reached, off until it is enabled."""

import json
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any, Literal
from urllib.parse import urlsplit

from recollect.errors import InvalidField, NotKnown
from recollect.store import mesh_queries
from recollect.store.change import Change
from recollect.store.mesh_queries import ExternalServerRow
from recollect.store.view import View

Transport = Literal["stdio", "http", "sse"]
NAME_PATTERN = re.compile(r"[a-z][a-z0-9-]{0,30}")
VARIABLE_PATTERN = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
DEFAULT_TIMEOUT = 10.0
MAX_TIMEOUT = 300.0
_LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1", "0.0.0.0"})


class UnknownExternalServer(NotKnown):
    def __init__(self, name: str) -> None:
        super().__init__(f"no external server {name!r} is registered; recollect external list shows those that are")


@dataclass(frozen=True, slots=True)
class ExternalServer:
    """One server. Headers and environment hold the *names* of environment variables, never their values."""

    name: str
    transport: Transport
    command: tuple[str, ...] = ()
    url: str | None = None
    tools: tuple[str, ...] = ()
    timeout: float = DEFAULT_TIMEOUT
    headers: Mapping[str, str] = field(default_factory=dict)
    environment: tuple[str, ...] = ()
    enabled: bool = False

    def allows(self, tool: str) -> bool:
        return not self.tools or tool in self.tools


def registered_servers(view: View) -> list[ExternalServer]:
    """Every registered server, by name."""
    return [_server_of_row(row) for row in mesh_queries.external_servers(view)]


def _server_of_row(row: ExternalServerRow) -> ExternalServer:
    value: dict[str, Any] = json.loads(row.value)
    value |= {key: tuple(value[key]) for key in ("command", "tools", "environment")}
    return ExternalServer(name=row.name, enabled=row.enabled, **value)


def register_server(change: Change, server: ExternalServer, own_ports: frozenset[int]) -> None:
    """Register a server, disabled."""
    _check_server(server, own_ports)
    _put_server(change, replace(server, enabled=False))


def set_enabled(change: Change, name: str, *, on: bool) -> None:
    _put_server(change, replace(_require_server(change, name), enabled=on))


def unregister_server(change: Change, name: str) -> None:
    _require_server(change, name)
    mesh_queries.drop_external_server(change, name)


def _require_server(change: Change, name: str) -> ExternalServer:
    found = [each for each in registered_servers(change) if each.name == name]
    if not found:
        raise UnknownExternalServer(name)
    return found[0]


def _put_server(change: Change, server: ExternalServer) -> None:
    value = {key: part for key, part in asdict(server).items() if key not in ("name", "enabled")}
    row = ExternalServerRow(server.name, server.enabled, json.dumps(value))
    mesh_queries.put_external_server(change, row)


def _check_server(server: ExternalServer, own_ports: frozenset[int]) -> None:
    if not NAME_PATTERN.fullmatch(server.name):
        raise InvalidField("name", "should begin with a letter and have at most 31 characters of a-z, 0-9 and -")
    if (server.url is None) == (not server.command):
        raise InvalidField("url", "or a command is needed, not both")
    if not 0 < server.timeout <= MAX_TIMEOUT:
        raise InvalidField("timeout", f"should be more than 0 and at most {MAX_TIMEOUT:g} seconds")
    for variable in (*server.headers.values(), *server.environment):
        if not VARIABLE_PATTERN.fullmatch(variable):
            raise InvalidField("environment", f"takes names of variables, not values; {variable[:40]!r} is none")
    if server.url is not None:
        _check_url(server.url, own_ports)


def _check_url(url: str, own_ports: frozenset[int]) -> None:
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise InvalidField("url", "should be an http or https address")
    if is_own_address(url, own_ports):
        raise InvalidField("url", "is the address of this server, which cannot connect to itself")


def is_own_address(url: str | None, own_ports: frozenset[int]) -> bool:
    """Whether a URL is one of our own ports on this machine."""
    if url is None:
        return False
    parts = urlsplit(url)
    return parts.hostname in _LOOPBACK and (parts.port or (443 if parts.scheme == "https" else 80)) in own_ports
