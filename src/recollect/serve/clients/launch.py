"""How a client reaches this server: the command it starts, or an address."""

import json
import shutil
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from typing import Any

from recollect import __version__ as version
from recollect.errors import Refused, Unsupported
from recollect.serve.clients.declarations import ARGUMENTS, COMMAND, SERVER_NAME, URL, Client
from recollect.settings import Settings

PASSED_ON = ("db", "workspace", "surface")
EPHEMERAL = ("/uv/archive-v", "/uv/environments-v", "/uv/builds-v")
"""Where uvx unpacks a tool; such a path may be gone tomorrow."""


class NoSuchTransport(Unsupported):
    def __init__(self, client: Client, transport: str, other: str) -> None:
        super().__init__(f"{client.title} cannot be configured for {transport} in a file; {other}. {client.next_step}")


class WorkspaceNeedsToken(Refused):
    def __init__(self) -> None:
        super().__init__(
            "over HTTP the workspace comes from the server (recollect serve --workspace …) or from a token "
            "(recollect token create); leave --workspace out",
            field="workspace",
        )


@dataclass(frozen=True, slots=True)
class Launch:
    """The command of a stdio server with its arguments, or the address of a running one."""

    command: tuple[str, ...]
    options: tuple[str, ...] = ()
    url: str | None = None

    @property
    def arguments(self) -> list[str]:
        return [*self.command[1:], "stdio", *self.options]


def entry(client: Client, launch: Launch) -> dict[str, Any]:
    """The entry that the client's configuration has for this server."""
    shape = client.stdio if launch.url is None else client.http
    if shape is None:
        chosen, other = ("stdio", "use --http") if launch.url is None else ("HTTP", "leave --http out")
        raise NoSuchTransport(client, chosen, other)
    values = {COMMAND: " ".join(launch.command[:1]), ARGUMENTS: launch.arguments, URL: launch.url}
    return {name: values.get(value, value) if isinstance(value, str) else value for name, value in shape.items()}


def claude_arguments(launch: Launch, scope: str) -> list[str]:
    """The arguments of `claude` that add this server."""
    given = ["mcp", "add", "--scope", scope]
    if launch.url is not None:
        return [*given, "--transport", "http", SERVER_NAME, launch.url]
    return [*given, SERVER_NAME, "--", launch.command[0], *launch.arguments]


def local_launch(settings: Settings, *, workspace: str | None = None) -> Launch:
    """Starts this very installation with the database and surface that are set here, and that workspace or another."""
    given = [(name, settings.text(name)) for name in PASSED_ON]
    if workspace is not None:
        given = [(name, workspace if name == "workspace" else value) for name, value in given]
    options = [word for name, value in given if value for word in (f"--{name}", _absolute(name, value))]
    return Launch(running_command(sys.argv), tuple(options))


def remote_launch(settings: Settings, url: str | None = None) -> Launch:
    """Connects to a server that runs already."""
    if settings.text("workspace"):
        raise WorkspaceNeedsToken
    surface = settings.text("surface")
    return Launch((), url=url or server_url(settings) + (f"/{surface}" if surface else ""))


def server_url(settings: Settings) -> str:
    """Where `recollect serve` listens by default."""
    host = reachable_host(settings.text("serve.host") or "127.0.0.1")
    return f"http://{host}:{settings.integer('serve.port', 8377)}/mcp"


def reachable_host(bound: str) -> str:
    """The host of addresses at which this machine reaches a server that is bound so."""
    return {"0.0.0.0": "127.0.0.1", "::": "[::1]"}.get(bound, f"[{bound}]" if ":" in bound else bound)


def running_command(arguments: Sequence[str]) -> tuple[str, ...]:
    """The absolute path of the command that runs now, so that it works outside a virtual environment too."""
    started = Path(arguments[0])
    if started.suffix == ".py" or started.stem != SERVER_NAME:
        return (sys.executable, "-m", SERVER_NAME)
    found = str(started.absolute()) if started.exists() else shutil.which(arguments[0])
    if found is None:
        return (sys.executable, "-m", SERVER_NAME)
    if any(each in found.replace("\\", "/") for each in EPHEMERAL) and (uvx := shutil.which("uvx")):
        return (uvx, "--from", _package_source(), SERVER_NAME)
    return (found,)


def _package_source() -> str:
    """What uvx must be told to get this very package: by its name alone, an index may give it another one."""
    try:
        recorded = json.loads(distribution(SERVER_NAME).read_text("direct_url.json") or "null")
    except PackageNotFoundError:
        recorded = None
    if not recorded:
        return f"{SERVER_NAME}=={version}"
    vcs = recorded.get("vcs_info")
    return f"{vcs['vcs']}+{recorded['url']}@{vcs['commit_id']}" if vcs else str(recorded["url"])


def _absolute(name: str, value: str) -> str:
    """A database path is made absolute: the client starts the server in another folder."""
    return str(Path(value).expanduser().absolute()) if name == "db" and "://" not in value else value


def environment_of(entry: Mapping[str, Any]) -> dict[str, str]:
    """The environment variables that an entry sets, whatever the client calls them."""
    given = entry.get("env") or entry.get("envs") or {}
    return {str(name): str(value) for name, value in given.items()} if isinstance(given, Mapping) else {}
