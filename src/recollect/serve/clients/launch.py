"""How a client reaches this server: the command it starts, an address, or the plugin of Claude Code."""

import json
import re
import shlex
import shutil
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import recollect
from recollect import __version__ as version
from recollect.errors import Refused, Unavailable, Unsupported
from recollect.serve.clients.declarations import ARGUMENTS, COMMAND, SERVER_NAME, URL, Client
from recollect.settings import Settings, environment_name

PASSED_ON = ("db", "key_file", "workspace", "surface")
KEY_VARIABLE = "RECOLLECT_KEY"
PROJECT_OPTION = "--project"
_PATHS = ("db", "key_file")
_OURS = frozenset("type name command cmd args url httpUrl serverUrl uri".split())
"""Keys of an entry that say how the server is reached; what a user sets in others is kept."""
_OF_COMMANDS = frozenset("env envs cwd".split())
_OF_ADDRESSES = frozenset("headers http_headers env_http_headers bearer_token_env_var requestOptions".split())
EPHEMERAL = ("/uv/archive-v", "/uv/environments-v", "/uv/builds-v")
"""Where uvx unpacks a tool; such a path may be gone tomorrow."""


class NoSuchTransport(Unsupported):
    def __init__(self, client: Client, transport: str, other: str) -> None:
        super().__init__(f"{client.title} cannot be configured for {transport} in a file; {other}. {client.next_step}")


class BadServerAddress(Refused):
    def __init__(self, url: str) -> None:
        super().__init__(
            f"{url!r} is not the address of a server; give one such as http://memory.example:8377/mcp", field="url"
        )


class SecretInSharedFile(Refused):
    """A password or key that would go into a file that others read."""

    def __init__(self, names: Iterable[str], place: str) -> None:
        super().__init__(
            f"{' and '.join(names)} would stand in {place}; unset it here, and give the password in ~/.pgpass, the key "
            f"with --key-file, or the variable in the environment of the client",
            field="db",
        )


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
    secrets: Mapping[str, str] = field(default_factory=dict)
    """Variables that open the store and may not stand in a command, which everybody on the machine can list."""
    is_in_project: bool = False
    """Whether the server uses the workspace of the project that the client works in, as hooks do."""

    @property
    def arguments(self) -> list[str]:
        return [*self.command[1:], "stdio", *((PROJECT_OPTION,) if self.is_in_project else ()), *self.options]

    def for_client(self, client: Client) -> list[str]:
        """The arguments as a client's entry has them, with the folder by the client's own name for it."""
        named = f"{PROJECT_OPTION}={client.project_folder}" if client.project_folder else PROJECT_OPTION
        return [named if word == PROJECT_OPTION else word for word in self.arguments]

    def in_project(self) -> "Launch":
        """For the entry of a project; a workspace that was chosen for it stays the only one."""
        return self if "--workspace" in self.options else replace(self, is_in_project=True)


def entry(client: Client, launch: Launch) -> dict[str, Any]:
    """The entry that the client's configuration has for this server."""
    shape = client.stdio if launch.url is None else client.http
    if shape is None:
        chosen, other = ("HTTP", "leave --http out")
        if launch.url is None:
            chosen, other = "stdio", f"start recollect serve and run: recollect connect {client.name} --http"
        raise NoSuchTransport(client, chosen, other)
    values = {COMMAND: " ".join(launch.command[:1]), ARGUMENTS: launch.for_client(client), URL: launch.url}
    made = {name: values.get(value, value) if isinstance(value, str) else value for name, value in shape.items()}
    return {**made, variables_key(made): dict(launch.secrets)} if launch.secrets else made


def variables_key(entry: Mapping[str, Any]) -> str:
    """What the client calls the variables of a server."""
    return "envs" if "envs" in entry else "env"


def with_kept_keys(entry: dict[str, Any], known: Mapping[str, Any] | None) -> dict[str, Any]:
    """An entry with what the user added to the present one, except what does not fit how the server is now reached."""
    is_command = bool(entry.keys() & {"command", "cmd"})
    dropped = _OURS | (_OF_ADDRESSES if is_command else _OF_COMMANDS)
    kept = {**entry, **{key: value for key, value in (known or {}).items() if key not in dropped}}
    ours = environment_of(entry)
    return {**kept, variables_key(entry): environment_of(kept) | ours} if ours else kept


def claude_arguments(launch: Launch, scope: str, known: Mapping[str, Any] | None = None) -> list[str]:
    """The arguments of `claude` that add this server, with the variables and headers of the entry that is there."""
    kept = with_kept_keys({} if launch.url is not None else {"command": ""}, known)
    given = ["mcp", "add"]
    given += [word for name, value in environment_of(kept).items() for word in ("--env", f"{name}={value}")]
    headers = kept.get("headers")
    if isinstance(headers, Mapping):
        given += [word for name, value in headers.items() for word in ("--header", f"{name}: {value}")]
    given += ["--scope", scope]
    if launch.url is not None:
        return [*given, "--transport", "http", SERVER_NAME, launch.url]
    return [*given, SERVER_NAME, "--", launch.command[0], *launch.arguments]


def local_launch(settings: Settings, *, workspace: str | None = None) -> Launch:
    """Starts this very installation with the database and surface that are set here, and that workspace or another."""
    given = [(name, settings.text(name)) for name in PASSED_ON]
    if workspace is not None:
        given = [(name, workspace if name == "workspace" else value) for name, value in given]
    secrets = _secrets(settings)
    passed = ((name, value) for name, value in given if value and environment_name(name) not in secrets)
    options = [word for name, value in passed for word in (f"--{name.replace('_', '-')}", _absolute(name, value))]
    return Launch(running_command(sys.argv), tuple(options), secrets=secrets)


def _secrets(settings: Settings) -> dict[str, str]:
    """The key of the store, and its address if a password stands in it."""
    given = {KEY_VARIABLE: settings.environment.get(KEY_VARIABLE, "")}
    address = settings.text("db") or ""
    if has_password(address):
        given[environment_name("db")] = address
    return {name: value for name, value in given.items() if value}


def has_password(address: str) -> bool:
    """Whether the address of a database has a password, also among its parameters."""
    return "://" in address and re.search(r"://[^/@]*:[^/@]+@|[?&]password=", address) is not None


def remote_launch(settings: Settings, url: str | None = None) -> Launch:
    """Connects to a server that runs already."""
    if settings.text("workspace"):
        raise WorkspaceNeedsToken
    surface = settings.text("surface")
    if url is not None and not is_http_address(url):
        raise BadServerAddress(url)
    return Launch((), url=url or server_url(settings) + (f"/{surface}" if surface else ""))


def is_http_address(url: str) -> bool:
    """Whether a text is the address of a server."""
    try:
        parts = urlsplit(url)
        return parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        return False


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
    """A path is made absolute: the client starts the server in another folder."""
    return str(Path(value).expanduser().absolute()) if name in _PATHS and "://" not in value else value


def environment_of(entry: Mapping[str, Any]) -> dict[str, str]:
    """The environment variables that an entry sets, whatever the client calls them."""
    given = entry.get("env") or entry.get("envs") or {}
    return {str(name): str(value) for name, value in given.items()} if isinstance(given, Mapping) else {}


PLUGIN = f"{SERVER_NAME}@{SERVER_NAME}"
HOOKS, SERVERS = Path("hooks/hooks.json"), Path(".mcp.json")


class PluginMissing(Unavailable):
    def __init__(self) -> None:
        super().__init__("this installation has no plugin for Claude Code; install the wheel or a complete checkout")


def plugin_source() -> Path:
    """The plugin as it is shipped: in the package, or beside it in a checkout."""
    package = Path(recollect.__file__).parent
    for folder in (package / "integrations", package.parents[1] / "integrations"):
        if (folder / "claude-code" / ".claude-plugin").is_dir():
            return folder / "claude-code"
    raise PluginMissing


def write_plugin(target: Path, launch: Launch) -> None:
    """A copy of the plugin whose hooks and server are this very installation, with the settings of this call."""
    shutil.rmtree(target, ignore_errors=True)
    shutil.copytree(plugin_source(), target)
    hooks = json.loads((target / HOOKS).read_text("utf-8"))
    for groups in hooks["hooks"].values():
        for group in groups:
            group["hooks"] = [_with_command(each, launch) for each in group["hooks"]]
    servers = json.loads((target / SERVERS).read_text("utf-8"))
    servers["mcpServers"][SERVER_NAME] = {
        "command": launch.command[0],
        "args": replace(launch, is_in_project=True).arguments,
    }
    for path, content in ((HOOKS, hooks), (SERVERS, servers)):
        (target / path).write_text(json.dumps(content, indent=2) + "\n", "utf-8")


def _with_command(hook: dict[str, Any], launch: Launch) -> dict[str, Any]:
    words = shlex.split(hook["command"])
    return {**hook, "command": shlex.join([*launch.command, *words[1:], *launch.options])}


def install_commands(target: Path) -> list[list[str]]:
    """The arguments of `claude` that install the plugin from a folder."""
    return [["plugin", "marketplace", "add", str(target)], ["plugin", "install", PLUGIN]]


def removal_commands() -> list[list[str]]:
    return [["plugin", "uninstall", PLUGIN], ["plugin", "marketplace", "remove", SERVER_NAME]]
