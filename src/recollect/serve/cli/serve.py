"""`recollect serve` and `recollect stdio`."""

import ctypes
import gc
import os
import socket
from contextlib import suppress
from typing import TYPE_CHECKING

import click

from recollect.errors import Unavailable
from recollect.serve.cli.main import settings_of, shared_options
from recollect.serve.logs import log_to_stderr
from recollect.settings import Settings

if TYPE_CHECKING:
    from recollect.serve.callers import Caller
    from recollect.serve.guard import ListenPolicy
    from recollect.serve.open_store import OpenStore
    from recollect.serve.stdio.sdk_bridge import SdkBridge


SHUTDOWN_SECONDS = 3
LISTEN_BACKLOG = 2048
_ARENA_MAX = -8
"""The parameter `M_ARENA_MAX` of `mallopt`: how many heaps there may be."""


class CannotListen(Unavailable):
    def __init__(self, host: str, port: int, why: str) -> None:
        super().__init__(f"cannot listen on {host}, port {port}: {why}; choose another with --host and --port")


@click.command("stdio")
@click.option(
    "--project",
    is_flag=False,
    flag_value="",
    metavar="[FOLDER]",
    help="Use the workspace of the project in this or the current folder, as hooks do; the personal one is read too.",
)
@shared_options
@click.pass_context
def stdio_command(ctx: click.Context, project: str | None) -> None:
    """Serve one surface over stdin and stdout, for desktop clients."""
    # Imported modules stay for good; collecting garbage among them costs a tenth of the start-up time.
    gc.disable()
    from recollect.serve.hooks.listener import HookListener
    from recollect.serve.job_runner import start_background
    from recollect.serve.metrics import Metrics
    from recollect.serve.open_store import OpenStore
    from recollect.serve.stdio.fast_path import FastPath
    from recollect.serve.stdio.session import StdioSession, claim_stdio
    from recollect.surfaces.registry import find_surface

    settings = settings_of(ctx)
    log_to_stderr(settings)
    surface = find_surface(settings.surface)
    metrics = Metrics()
    with OpenStore(settings, session=os.urandom(8).hex()) as opened:
        opened.check_key()
        incoming, outgoing = claim_stdio()
        caller = _local_caller(opened, project)
        fast_path = FastPath(surface, opened.open_for, caller, metrics)

        def start_sdk(handshake: list[str]) -> "SdkBridge":
            from recollect.serve.stdio.sdk_bridge import start_sdk

            return start_sdk(surface, opened, caller, metrics, outgoing.write, handshake)

        session = StdioSession(fast_path, outgoing.write, start_sdk, opened.call_seconds)
        opened.listeners.add(session.report_progress)
        gc.freeze()
        gc.enable()
        with start_background(opened, is_server=False), HookListener(opened):
            session.run(incoming)


def _local_caller(opened: "OpenStore", folder: str | None) -> "Caller":
    """The local caller, at work in the project of a folder if one is given; an empty one is that of the session."""
    from recollect.serve.projects import find_project, folder_of_session

    project = None if folder is None else find_project(folder or folder_of_session())
    return opened.local if project is None else opened.local.in_project(project.workspace)


@click.command("serve")
@click.option("--host", help="The address to listen on; remote callers need a token.")
@click.option("--port", type=int, help="The port to listen on; 0 for any that is free.")
@click.option("--require-token", is_flag=True, help="Require a token from local callers too, as behind a proxy.")
@click.option("--allow-host", multiple=True, help="Another host name this server answers to.")
@click.option("--allow-origin", multiple=True, help="A web origin whose pages may call, such as https://app.example.")
@shared_options
@click.pass_context
def serve_command(
    ctx: click.Context,
    host: str | None,
    port: int | None,
    require_token: bool,
    allow_host: tuple[str, ...],
    allow_origin: tuple[str, ...],
) -> None:
    """Serve MCP over HTTP, the web pages, /healthz and /metrics."""
    from recollect.serve.guard import ListenPolicy
    from recollect.serve.hooks.listener import HookListener
    from recollect.serve.job_runner import start_background
    from recollect.serve.open_store import OpenStore
    from recollect.surfaces.registry import check_surface

    settings = settings_of(ctx)
    check_surface(settings.surface)
    log_to_stderr(settings)
    bound = host or settings.text("serve.host", "127.0.0.1") or "127.0.0.1"
    reach = ListenPolicy(
        bound,
        hosts=_comma_list(settings, "serve.hosts", allow_host),
        origins=_comma_list(settings, "serve.origins", allow_origin),
        needs_token=require_token or settings.flag("serve.require_token"),
    )
    share_memory()
    wanted_port = settings.integer("serve.port", 8377) if port is None else port
    with OpenStore(settings) as opened:
        opened.check_key()
        with start_background(opened, is_server=True), HookListener(opened):
            opened.check_file()
            _listen(opened, reach, wanted_port, settings.flag("serve.stateless"))


def share_memory() -> None:
    """Let all threads allocate from two heaps and all connections share one page cache.

    With a heap for each thread, memory that is free but kept grows for hours.
    """
    from recollect.store.sqlite_file import share_page_caches

    share_page_caches()
    if "MALLOC_ARENA_MAX" not in os.environ:
        # Only the C library of GNU has heaps for threads, and this function.
        with suppress(AttributeError, OSError, TypeError):
            ctypes.CDLL(None).mallopt(_ARENA_MAX, 2)


def _comma_list(settings: Settings, key: str, given: tuple[str, ...]) -> frozenset[str]:
    """Values of the option and of the comma-separated setting."""
    value = settings.get(key) or ()
    kept = value.split(",") if isinstance(value, str) else value
    return frozenset(word.strip() for word in (*kept, *given) if word.strip())


def _listen(opened: "OpenStore", reach: "ListenPolicy", port: int, stateless: bool) -> None:
    import uvicorn

    from recollect.serve.auth import default_limits
    from recollect.serve.clients.launch import reachable_host
    from recollect.serve.connections import LimitedConnection
    from recollect.serve.guard import Access
    from recollect.serve.http import create_app
    from recollect.serve.oauth import oauth_resource

    access = Access(oauth_resource(opened.settings), default_limits(opened.settings))
    listening = bound_socket(reach.bound, port)
    own_port = listening.getsockname()[1]
    config = uvicorn.Config(
        create_app(opened, reach, stateless=stateless, port=own_port, access=access),
        log_config=None,
        access_log=False,
        http=LimitedConnection,
        server_header=False,
        timeout_graceful_shutdown=SHUTDOWN_SECONDS,
    )
    # Modules and the application stay for good; the garbage collector need not visit them again.
    gc.freeze()
    address = f"http://{reachable_host(reach.bound)}:{own_port}"
    click.echo(greeting(address, opened.address, opened.local.workspace, needs_token=not reach.trusts({})), err=True)
    uvicorn.Server(config).run([listening])


def greeting(address: str, database: str, workspace: str, *, needs_token: bool = False) -> str:
    """What the server says when it listens: what it serves, and how two common clients reach it."""
    header = ' --header "Authorization: Bearer TOKEN"' if needs_token else ""
    lines = [
        f"Recollect at {address}",
        f"  database     {database}",
        f"  workspace    {workspace}",
        f"  web page     {address}/",
        f"  Claude Code  claude mcp add --scope user --transport http recollect {address}/mcp{header}",
        f"  Cursor       recollect connect cursor --url {address}/mcp",
    ]
    token = "  token        needed: recollect token create NAME --scope write; where it belongs: docs/connect.md"
    return "\n".join([*lines, *([token] if needs_token else [])])


def bound_socket(host: str, port: int) -> socket.socket:
    """Bind before starting: uvicorn would exit with the reason only in its log."""
    # asyncio sets TCP_NODELAY only if the protocol is named; otherwise each answer waits 40 ms for an ACK.
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((host, port))
        # Clients may connect as soon as the address is printed; they queue until the server accepts.
        listening.listen(LISTEN_BACKLOG)
    except (OSError, OverflowError) as problem:
        listening.close()
        raise CannotListen(host, port, str(problem)) from problem
    listening.set_inheritable(True)
    return listening
