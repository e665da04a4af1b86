"""`recollect external`: other MCP servers whose tools are shown beside ours on the surface carabase."""

import shlex
from typing import TYPE_CHECKING, Any

import click

from recollect.serve.cli.main import as_json, settings_of, shared
from recollect.serve.cli.printing import show, show_rows

if TYPE_CHECKING:
    from recollect.keep.external import ExternalServer

DEFAULT_PORT = 8377


@click.group("external")
def external_command() -> None:
    """Other MCP servers; a new one is off, and none is asked unless carabase.external_mcp is true."""


@external_command.command("add")
@click.argument("name")
@click.option("--url", help="A streamable HTTP address; with --sse, one of the older transport.")
@click.option("--sse", is_flag=True, help="The address speaks the older SSE transport.")
@click.option("--command", help="A program that speaks MCP over stdin and stdout, with its arguments.")
@click.option("--tool", "tools", multiple=True, help="Show only this tool; may be repeated.")
@click.option("--timeout", type=float, default=10.0, show_default=True, help="Seconds to wait for an answer.")
@click.option("--header", "headers", multiple=True, help="HEADER=VARIABLE: take a header from the environment.")
@click.option("--env", "environment", multiple=True, help="Hand this variable of the environment on.")
@shared
@as_json
@click.pass_context
def add(ctx: click.Context, /, name: str, as_json: bool, **given: Any) -> None:
    """Register a server. It stays off until: recollect external enable NAME."""
    from recollect.keep.external import register
    from recollect.serve.opened import Opened

    settings = settings_of(ctx)
    server = _server(name, **given)
    own = frozenset({settings.integer("serve.port", DEFAULT_PORT)})
    with Opened(settings) as opened, opened.memory("external").write() as change:
        register(change, server, own)
    show(_shown(server), as_json)


def _server(
    name: str,
    url: str | None,
    sse: bool,
    command: str | None,
    tools: tuple[str, ...],
    timeout: float,
    headers: tuple[str, ...],
    environment: tuple[str, ...],
) -> "ExternalServer":
    from recollect.keep.external import ExternalServer

    pairs = [each.partition("=") for each in headers]
    return ExternalServer(
        name,
        "sse" if sse else "http" if url else "stdio",
        tuple(shlex.split(command or "")),
        url,
        tools,
        timeout,
        {header.strip(): variable.strip() for header, _, variable in pairs},
        environment,
    )


@external_command.command("enable")
@click.argument("name")
@shared
@as_json
@click.pass_context
def enable(ctx: click.Context, name: str, as_json: bool) -> None:
    """Show the tools of a server."""
    _switch(ctx, name, as_json, on=True)


@external_command.command("disable")
@click.argument("name")
@shared
@as_json
@click.pass_context
def disable(ctx: click.Context, name: str, as_json: bool) -> None:
    """Show the tools of a server no more."""
    _switch(ctx, name, as_json, on=False)


def _switch(ctx: click.Context, name: str, as_json: bool, *, on: bool) -> None:
    from recollect.keep.external import switch
    from recollect.serve.opened import Opened

    with Opened(settings_of(ctx)) as opened, opened.memory("external").write() as change:
        switch(change, name, on=on)
    show({"name": name, "enabled": on}, as_json)


@external_command.command("remove")
@click.argument("name")
@shared
@as_json
@click.pass_context
def remove_server(ctx: click.Context, name: str, as_json: bool) -> None:
    """Forget a server."""
    from recollect.keep.external import remove
    from recollect.serve.opened import Opened

    with Opened(settings_of(ctx)) as opened, opened.memory("external").write() as change:
        remove(change, name)
    show({"removed": name}, as_json)


@external_command.command("list")
@shared
@as_json
@click.pass_context
def list_servers(ctx: click.Context, as_json: bool) -> None:
    """Every server, and how those that are enabled answer now."""
    from recollect.keep.external import servers
    from recollect.serve.external.probe import probe
    from recollect.serve.opened import Opened

    with Opened(settings_of(ctx)) as opened, opened.memory("external").read() as view:
        known = servers(view)
    states = probe([each for each in known if each.enabled])
    show_rows([_shown(each) | states.get(each.name, {"state": "off"}) for each in known], as_json, "no servers")


def _shown(server: "ExternalServer") -> dict[str, Any]:
    return {
        "name": server.name,
        "enabled": server.enabled,
        "transport": server.transport,
        "address": server.url or shlex.join(server.command),
        "tools": list(server.tools) or "all",
        "timeout": server.timeout,
    }
