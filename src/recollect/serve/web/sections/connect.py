"""Connect: for each client the exact entry with the real command, and the last calls and changes of clients."""

import shlex
from dataclasses import dataclass
from zoneinfo import ZoneInfo

from recollect.serve.auth import make_token
from recollect.serve.clients import configuration_files
from recollect.serve.clients.declarations import CLIENTS, SERVER_NAME, Client
from recollect.serve.clients.launch import Launch, NoSuchTransport, entry, local_launch
from recollect.serve.clients.plan import this_machine
from recollect.serve.metrics import RecentCall
from recollect.serve.web.framework.pages import (
    SURFACE,
    Action,
    ActionResult,
    Page,
    PageModel,
    PageRequest,
    WebSection,
    required_field,
)
from recollect.serve.web.framework.rendering import local_instant
from recollect.serve.web.sections.administration import DEFAULT
from recollect.store.access_tokens import SCOPES, TokenStore
from recollect.surfaces.recollect.failures import InvalidInput
from recollect.when.instant import Instant

LATEST = 12


@dataclass(frozen=True, slots=True)
class ClientCard:
    """One client: its command on this machine, and what to put where."""

    name: str
    title: str
    command: str
    file: str
    format: str
    stdio: str | None
    http: str | None
    next_step: str
    is_installed: bool


@dataclass(frozen=True, slots=True)
class ClientCall:
    """A call that this server answered."""

    at: str
    actor: str
    surface: str
    tool: str
    milliseconds: float
    is_ok: bool


@dataclass(frozen=True, slots=True)
class ClientChange:
    """A transaction of a client, through whichever process."""

    at: str
    actor: str
    surface: str
    tool: str
    tx: int


@dataclass(frozen=True, slots=True)
class ConnectPage(PageModel):
    clients: tuple[ClientCard, ...]
    command: str
    url: str
    calls: tuple[ClientCall, ...]
    changes: tuple[ClientChange, ...]
    scopes: tuple[str, ...]


def show(request: PageRequest) -> ConnectPage:
    local = _local_launch(request)
    remote = Launch((), url=f"{request.origin}/mcp")
    with request.memory.read() as view:
        latest, zone = view.latest_txs(LATEST * 4), view.world.zone
        changes = [
            ClientChange(local_instant(each.at, zone), each.actor, each.surface, each.tool, each.tx)
            for each in latest
            if each.surface not in (SURFACE, "cli")
        ]
    calls = tuple(_call(each, zone) for each in request.recent_calls(request.workspace, LATEST))
    cards = tuple(_card(each, local, remote) for each in CLIENTS)
    command = shlex.join((*local.command, "stdio", *local.options))
    return ConnectPage("Connect", cards, command, remote.url or "", calls, tuple(changes[:LATEST]), SCOPES)


def _local_launch(request: PageRequest) -> Launch:
    """This installation with its store, for somebody at the machine: the address of a store may hold a password."""
    if not request.is_local:
        return Launch((SERVER_NAME,))
    settings = request.memory.settings
    is_set_here = request.workspace == (settings.text("workspace") or DEFAULT)
    return local_launch(settings, workspace=None if is_set_here else request.workspace)


def _call(call: RecentCall, zone: ZoneInfo) -> ClientCall:
    at = local_instant(Instant(int(call.at * 1_000_000)), zone)
    return ClientCall(at, call.actor, call.surface, call.tool, call.milliseconds, call.outcome == "ok")


def _card(client: Client, local: Launch, remote: Launch) -> ClientCard:
    machine = this_machine()
    path = machine.user_file(client)
    return ClientCard(
        client.name,
        client.title,
        shlex.join((*local.command, "connect", client.name, *local.options)),
        "" if path is None else str(path),
        client.format,
        _snippet(client, local),
        _snippet(client, remote),
        client.next_step,
        machine.has(client),
    )


def _snippet(client: Client, launch: Launch) -> str | None:
    try:
        return configuration_files.snippet(client, entry(client, launch))
    except NoSuchTransport:
        return None


def create_token(request: PageRequest) -> ActionResult:
    """A token for a client of this workspace; it is shown once."""
    name, scope = required_field(request, "name", 100), request.text("scope")
    if scope not in SCOPES:
        raise InvalidInput(f"scope is {scope[:50]!r}; use read, write or admin", field="scope")
    memory = request.memory
    secret, token = make_token(name, memory.workspace.name, scope, memory.clock.now())
    TokenStore(memory.engine).add(token)
    return ActionResult(
        request.back("connect"),
        f"Token for {name}, shown only now. Its client sends it over HTTP as `Authorization: Bearer TOKEN`:",
        copy=secret,
    )


SECTION = WebSection(
    "connect",
    pages=(Page("connect", "connect", show, updates_itself=True),),
    actions=(Action("connect/token", create_token, scope="admin"),),
    label="Connect",
    group="Set up",
)
