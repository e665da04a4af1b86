"""`recollect workspace`: list, create and configure workspaces."""

import json
from typing import Any

import click

from recollect.serve.cli.main import as_json, settings_of, shared_options
from recollect.serve.cli.output import show, show_rows


@click.group("workspace")
def workspace_command() -> None:
    """Workspaces: isolated memories in one store."""


@workspace_command.command("list")
@shared_options
@as_json
@click.pass_context
def list_workspaces(ctx: click.Context, as_json: bool) -> None:
    """Every workspace of this store."""
    from recollect.serve.open_store import OpenStore
    from recollect.store import history_queries
    from recollect.when.instant import format_instant

    with OpenStore(settings_of(ctx)) as opened, opened.engine.reading() as connection:
        workspaces = history_queries.list_workspaces(connection)
    rows = [
        {"name": each.name, "created_at": format_instant(each.created_at), "tx": each.last_tx} for each in workspaces
    ]
    show_rows(rows, as_json, "no workspaces")


@workspace_command.command("create")
@click.argument("name")
@shared_options
@as_json
@click.pass_context
def create(ctx: click.Context, name: str, as_json: bool) -> None:
    """Create a workspace; an existing one is left unchanged."""
    from recollect.memory import create_workspace
    from recollect.serve.open_store import OpenStore
    from recollect.serve.workspace_settings import check_name

    with OpenStore(settings_of(ctx)) as opened:
        made = create_workspace(opened.engine, check_name(name), opened.clock)
    show({"workspace": made.name}, as_json)


@workspace_command.command("show")
@click.argument("name", required=False)
@shared_options
@as_json
@click.pass_context
def show_workspace(ctx: click.Context, name: str | None, as_json: bool) -> None:
    """Timeline, policies and settings of a workspace."""
    from recollect.serve.open_store import OpenStore
    from recollect.serve.workspace_settings import describe_workspace

    with OpenStore(settings_of(ctx)) as opened:
        memory = opened.workspace(name or opened.local.workspace)
        with memory.read() as view:
            show(describe_workspace(view), as_json)


@workspace_command.command("set")
@click.argument("key")
@click.argument("value")
@shared_options
@as_json
@click.pass_context
def set_setting(ctx: click.Context, key: str, value: str, as_json: bool) -> None:
    """Set `timezone`, `now`, `conflict_policy`, `timeline` or any `section.key`; an empty VALUE removes it."""
    from recollect.serve.open_store import OpenStore
    from recollect.serve.workspace_settings import put_setting

    with OpenStore(settings_of(ctx)) as opened, opened.memory("workspace").write() as change:
        kept = put_setting(change, key, _read(value))
        show({"workspace": change.workspace.name, key: kept, "tx": change.last_tx}, as_json)


def _read(value: str) -> Any:
    """JSON values as such, anything else as text."""
    try:
        return json.loads(value)
    except ValueError:
        return value or None
