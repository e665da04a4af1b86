"""`recollect external` and `mesh`: other MCP servers, and accounts from which bodies may be fetched."""

import shlex
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import click

from recollect.serve.cli.main import settings_of, standard_options, store_of
from recollect.serve.cli.output import show, show_rows

if TYPE_CHECKING:
    from recollect.keep.external_servers import ExternalServer
from pathlib import Path

DEFAULT_PORT = 8377


@click.group("external")
def external_command() -> None:
    """Other MCP servers. New ones are disabled, and none is contacted unless carabase.external_mcp is true."""


@external_command.command("add")
@click.argument("name")
@click.option("--url", help="A streamable HTTP URL; with --sse, one of the older transport.")
@click.option("--sse", is_flag=True, help="The URL uses the older SSE transport.")
@click.option("--command", help="A program that serves MCP over stdin and stdout, with its arguments.")
@click.option("--tool", "tools", multiple=True, help="Show only this tool; may be repeated.")
@click.option("--timeout", type=float, default=10.0, show_default=True, help="Seconds to wait for an answer.")
@click.option("--header", "headers", multiple=True, help="HEADER=VARIABLE: take a header from the environment.")
@click.option("--env", "environment", multiple=True, help="Pass this environment variable on.")
@standard_options
def add(ctx: click.Context, /, name: str, as_json: bool, **given: Any) -> None:
    """Register a server. Enable it with: recollect external enable NAME."""
    from recollect.keep.external_servers import register_server
    from recollect.serve.open_store import OpenStore

    settings = settings_of(ctx)
    server = _server(name, given)
    own = frozenset({settings.integer("serve.port", DEFAULT_PORT)})
    with OpenStore(settings) as opened, opened.memory("external").write() as change:
        register_server(change, server, own)
    show(_describe_server(server), as_json)


def _server(name: str, given: Mapping[str, Any]) -> "ExternalServer":
    from recollect.keep.external_servers import ExternalServer

    pairs = [each.partition("=") for each in given["headers"]]
    return ExternalServer(
        name,
        "sse" if given["sse"] else "http" if given["url"] else "stdio",
        tuple(shlex.split(given["command"] or "")),
        given["url"],
        given["tools"],
        given["timeout"],
        {header.strip(): variable.strip() for header, _, variable in pairs},
        given["environment"],
    )


@external_command.command("enable")
@click.argument("name")
@standard_options
def enable(ctx: click.Context, name: str, as_json: bool) -> None:
    """Show the tools of a server."""
    _switch(ctx, name, as_json, on=True)


@external_command.command("disable")
@click.argument("name")
@standard_options
def disable(ctx: click.Context, name: str, as_json: bool) -> None:
    """Hide the tools of a server."""
    _switch(ctx, name, as_json, on=False)


def _switch(ctx: click.Context, name: str, as_json: bool, *, on: bool) -> None:
    from recollect.keep.external_servers import set_enabled

    with store_of(ctx) as opened, opened.memory("external").write() as change:
        set_enabled(change, name, on=on)
    show({"name": name, "enabled": on}, as_json)


@external_command.command("remove")
@click.argument("name")
@standard_options
def remove_server(ctx: click.Context, name: str, as_json: bool) -> None:
    """Remove a server."""
    from recollect.keep.external_servers import unregister_server

    with store_of(ctx) as opened, opened.memory("external").write() as change:
        unregister_server(change, name)
    show({"removed": name}, as_json)


@external_command.command("list")
@standard_options
def list_servers(ctx: click.Context, as_json: bool) -> None:
    """Every server, and the state of those that are enabled."""
    from recollect.keep.external_servers import registered_servers
    from recollect.serve.external_connection_pool import probe

    with store_of(ctx) as opened, opened.memory("external").read() as view:
        known = registered_servers(view)
    states = probe([each for each in known if each.enabled])
    show_rows(
        [_describe_server(each) | states.get(each.name, {"state": "off"}) for each in known], as_json, "no servers"
    )


def _describe_server(server: "ExternalServer") -> dict[str, Any]:
    return {
        "name": server.name,
        "enabled": server.enabled,
        "transport": server.transport,
        "address": server.url or shlex.join(server.command),
        "tools": list(server.tools) or "all",
        "timeout": server.timeout,
    }


@click.group("mesh")
def mesh_command() -> None:
    """Accounts from which bodies may be fetched; all are disabled at first."""


@mesh_command.command("enable")
@click.argument("connector")
@click.option("--account", required=True, help="Its name in mesh addresses.")
@click.option(
    "--path", required=True, type=click.Path(exists=True, path_type=Path), help="A folder, mailbox or bundle."
)
@click.option("--refetch", is_flag=True, help="Allow fetching bodies whose retention has ended.")
@click.option("--retention-days", type=click.IntRange(min=0), help="Keep bodies from here at most this long.")
@standard_options
def enable_account(
    ctx: click.Context,
    connector: str,
    account: str,
    path: Path,
    refetch: bool,
    retention_days: int | None,
    as_json: bool,
) -> None:
    """Allow fetching bodies from one account."""
    from recollect.keep.mesh.accounts import enable_mesh_account
    from recollect.store.mesh_queries import MeshAccount

    wanted = MeshAccount(connector, account, str(path.resolve()), True, refetch, retention_days)
    with store_of(ctx) as opened, opened.memory("mesh").write() as change:
        enable_mesh_account(change, wanted)
    show(wanted._asdict(), as_json)


@mesh_command.command("disable")
@click.argument("connector")
@click.option("--account", required=True, help="Its name.")
@standard_options
def disable_account(ctx: click.Context, connector: str, account: str, as_json: bool) -> None:
    """Stop fetching bodies from one account."""
    from recollect.keep.mesh.accounts import disable_mesh_account

    with store_of(ctx) as opened, opened.memory("mesh").write() as change:
        disable_mesh_account(change, connector, account)
    show({"connector": connector, "account": account, "enabled": False}, as_json)


@mesh_command.command("list")
@standard_options
def list_accounts(ctx: click.Context, as_json: bool) -> None:
    """Every account of this workspace."""
    from recollect.store.mesh_queries import list_mesh_accounts

    with store_of(ctx) as opened, opened.memory("mesh").read() as view:
        found: list[dict[str, Any]] = [each._asdict() for each in list_mesh_accounts(view)]
    show_rows(found, as_json, "no accounts")
