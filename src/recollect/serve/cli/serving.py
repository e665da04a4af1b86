"""`recollect serve` and `recollect stdio`."""

import gc
import os
import socket
from typing import TYPE_CHECKING

import click

from recollect.errors import Unavailable
from recollect.serve.cli.main import settings_of, shared
from recollect.serve.logs import log_to_stderr
from recollect.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Callable

    from recollect.serve.guard import Reach
    from recollect.serve.metrics import Metrics
    from recollect.serve.opened import Opened
    from recollect.serve.stdio.sdk import Sdk
    from recollect.surfaces.declare import Surface


LAST_WORDS_SECONDS = 3
WAITING_CALLERS = 2048


class CannotListen(Unavailable):
    def __init__(self, host: str, port: int, why: str) -> None:
        super().__init__(f"cannot listen on {host}, port {port}: {why}")


@click.command("stdio")
@shared
@click.pass_context
def stdio_command(ctx: click.Context) -> None:
    """Serve one surface over stdin and stdout, for desktop clients."""
    # What is imported here stays for good; looking through it for garbage costs a tenth of the start.
    gc.disable()
    from functools import partial

    from recollect.serve.background import background
    from recollect.serve.metrics import Metrics
    from recollect.serve.opened import Opened
    from recollect.serve.stdio.conversation import Conversation
    from recollect.serve.stdio.ends import taken
    from recollect.serve.stdio.straight import Straight
    from recollect.surfaces.registry import find_surface

    log_to_stderr()
    settings = settings_of(ctx)
    surface = find_surface(settings.surface)
    metrics = Metrics()
    with Opened(settings, session=os.urandom(8).hex()) as opened:
        incoming, outgoing = taken()
        straight = Straight(surface, opened.open_for, opened.local, metrics)
        wake = partial(_woken, surface, opened, metrics, outgoing.say)
        conversation = Conversation(straight, outgoing.say, wake)
        opened.ears.add(conversation.hear_of)
        gc.freeze()
        gc.enable()
        with background(opened, is_server=False):
            conversation.run(incoming)


def _woken(
    surface: "Surface", opened: "Opened", metrics: "Metrics", say: "Callable[[bytes], None]", greeting: list[str]
) -> "Sdk":
    from recollect.serve.stdio.sdk import woken

    return woken(surface, opened, metrics, say, greeting)


@click.command("serve")
@click.option("--host", help="The address to listen on; beyond this machine, callers need a token.")
@click.option("--port", type=int, help="The port to listen on; 0 for any that is free.")
@click.option("--require-token", is_flag=True, help="Callers at this machine need a token too, as behind a proxy.")
@click.option("--allow-host", multiple=True, help="A further name this server answers to.")
@click.option("--allow-origin", multiple=True, help="A web origin whose pages may call, such as https://app.example.")
@shared
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
    from recollect.serve.background import background
    from recollect.serve.guard import Reach
    from recollect.serve.opened import Opened

    log_to_stderr()
    settings = settings_of(ctx)
    bound = host or settings.text("serve.host", "127.0.0.1") or "127.0.0.1"
    reach = Reach(
        bound,
        hosts=_listed(settings, "serve.hosts", allow_host),
        origins=_listed(settings, "serve.origins", allow_origin),
        needs_token=require_token or settings.flag("serve.require_token"),
    )
    with Opened(settings) as opened, background(opened, is_server=True):
        _listen(
            opened,
            reach,
            settings.integer("serve.port", 8377) if port is None else port,
            settings.flag("serve.stateless"),
        )


def _listed(settings: Settings, key: str, given: tuple[str, ...]) -> frozenset[str]:
    """What the command line names and what the setting does, separated by commas."""
    value = settings.get(key) or ()
    kept = value.split(",") if isinstance(value, str) else value
    return frozenset(word.strip() for word in (*kept, *given) if word.strip())


def _listen(opened: "Opened", reach: "Reach", port: int, stateless: bool) -> None:
    import uvicorn

    from recollect.serve.http import app

    listening = bound_socket(reach.bound, port)
    shown = f"[{reach.bound}]" if ":" in reach.bound else reach.bound
    own_port = listening.getsockname()[1]
    config = uvicorn.Config(
        app(opened, reach, stateless=stateless, port=own_port),
        log_config=None,
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=LAST_WORDS_SECONDS,
    )
    click.echo(f"Recollect at http://{shown}:{own_port}", err=True)
    uvicorn.Server(config).run([listening])


def bound_socket(host: str, port: int) -> socket.socket:
    """A socket of our own: the server's would end the process with its reason in the log only."""
    # asyncio turns Nagle's algorithm off only where the protocol is named; else each answer waits 40 ms for an ACK.
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((host, port))
        # Who reads our address may call at once; they wait until the server takes over.
        listening.listen(WAITING_CALLERS)
    except (OSError, OverflowError) as problem:
        listening.close()
        raise CannotListen(host, port, str(problem)) from problem
    listening.set_inheritable(True)
    return listening
