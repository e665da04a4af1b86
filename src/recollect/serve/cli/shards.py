"""`recollect shard`: spread workspaces over several PostgreSQL clusters."""

from typing import TYPE_CHECKING

import click

from recollect.errors import Unsupported
from recollect.serve.cli.backup import StoresDiffer
from recollect.serve.cli.main import standard_options, store_of
from recollect.serve.cli.output import show, show_rows

if TYPE_CHECKING:
    from collections.abc import Callable

    from recollect.serve.open_store import OpenStore
    from recollect.store.port import Engine
    from recollect.store.postgres_shards import ShardedPostgres


class NeedsPostgres(Unsupported):
    def __init__(self) -> None:
        super().__init__(
            "shards are databases of PostgreSQL, and this store is a SQLite file; pass --db postgresql://…"
        )


def sharded_engine(opened: "OpenStore") -> "ShardedPostgres":
    if opened.engine.name != "postgres":
        raise NeedsPostgres
    from recollect.store.postgres_shards import ShardedPostgres

    assert isinstance(opened.engine, ShardedPostgres)
    return opened.engine


@click.group("shard")
def shard_command() -> None:
    """Spread workspaces over several PostgreSQL clusters."""


@shard_command.command("add")
@click.argument("name")
@click.argument("address")
@standard_options
def add(ctx: click.Context, name: str, address: str, as_json: bool) -> None:
    """Add an empty database for workspaces; repeat with a new ADDRESS to correct it."""
    from recollect.serve.workspace_settings import check_name

    with store_of(ctx) as opened:
        engine = sharded_engine(opened)
        from recollect.store.postgres_shards import Shard, add_shard

        shard = Shard(check_name(name), address, opened.clock.now())
        add_shard(engine, shard)
    show({"shard": shard.name, "at": shard.where}, as_json)


@shard_command.command("list")
@standard_options
def list_shards(ctx: click.Context, as_json: bool) -> None:
    """The shards, their workspaces, and unfinished moves."""
    from recollect.store.workspaces import all_workspaces

    with store_of(ctx) as opened:
        engine = sharded_engine(opened)
        from recollect.store.postgres_shards import FIRST

        where = {FIRST: engine.first.pool.where} | {each.name: each.where for each in engine.shards()}
        homes = {each.ws: each for each in engine.homes()}
        names = {each.ws: each.name for each in all_workspaces(engine)}
    living = {ws: homes[ws].shard if ws in homes else FIRST for ws in names}
    moving = {names[ws]: each.moving_to for ws, each in homes.items() if each.moving_to and ws in names}
    rows = [
        {"shard": shard, "at": at, "workspaces": ", ".join(names[ws] for ws in names if living[ws] == shard)}
        for shard, at in where.items()
    ]
    show_rows(rows, as_json, "no shards")
    for name, shard in moving.items():
        click.echo(f"unfinished: recollect shard move {name} {shard}", err=True)


@shard_command.command("move")
@click.argument("workspace_name", metavar="WORKSPACE")
@click.argument("shard")
@click.option("--verify", is_flag=True, help="Compare exports and answers too, as `recollect verify`; a longer pause.")
@click.option("--drop", is_flag=True, help="Delete the old copies that moves left behind.")
@standard_options
def move(ctx: click.Context, workspace_name: str, shard: str, verify: bool, drop: bool, as_json: bool) -> None:
    """Move a workspace while it is in use; writers wait briefly. Repeat the command if it was interrupted."""
    with store_of(ctx) as opened:
        engine = sharded_engine(opened)
        from recollect.store.workspace_move import drop_copies, move_workspace

        ws = opened.workspace(workspace_name).workspace.ws
        check = _comparison(opened, workspace_name) if verify else None
        done = move_workspace(engine, ws, shard, check)
        dropped = drop_copies(engine, ws) if drop else {}
    result = {"workspace": workspace_name, "before": done.before, "shard": shard, "rows": done.rows}
    show({**result, "pause_seconds": round(done.pause, 3), **({"dropped": dropped} if drop else {})}, as_json)


def _comparison(opened: "OpenStore", name: str) -> "Callable[[Engine, Engine], None]":
    from recollect.keep.store_checks import digest_workspace

    memory = opened.workspace(name)

    def compare(source: "Engine", target: "Engine") -> None:
        one, other = (digest_workspace(memory.with_parts(engine=each)) for each in (source, target))
        if one != other:
            raise StoresDiffer([name])

    return compare
