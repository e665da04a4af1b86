"""`recollect mesh`: accounts from which bodies may be fetched."""

from pathlib import Path
from typing import Any

import click

from recollect.serve.cli.main import standard_options, store_of
from recollect.serve.cli.output import show, show_rows


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
