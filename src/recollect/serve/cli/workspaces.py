"""`recollect workspace`, `trust` and `shard`: workspaces, their settings, trust in sources, PostgreSQL clusters."""

import json
from typing import TYPE_CHECKING, Any

import click

from recollect.errors import Unsupported
from recollect.serve.cli.backup import StoresDiffer
from recollect.serve.cli.main import given_options, settings_of, standard_options, store_of
from recollect.serve.cli.output import progress_bar, show, show_rows
from recollect.settings import MASK, environment_name, is_secret

if TYPE_CHECKING:
    from collections.abc import Callable

    from recollect.serve.open_store import OpenStore
    from recollect.store.port import Engine
    from recollect.store.postgres_shards import ShardedPostgres


STORED_IN_CLEAR = "is stored in clear unless the store is encrypted; {} in the environment is not stored at all"


@click.group("workspace")
def workspace_command() -> None:
    """Workspaces: isolated memories in one store."""


@workspace_command.command("list")
@standard_options
def list_workspaces(ctx: click.Context, as_json: bool) -> None:
    """Every workspace of this store."""
    with store_of(ctx) as opened:
        show_rows(workspace_rows(opened), as_json, "no workspaces")


def workspace_rows(opened: "OpenStore") -> list[dict[str, Any]]:
    from recollect.store.workspaces import all_workspaces, last_tx_of
    from recollect.when.instant import format_instant

    engine = opened.engine
    return [
        {"name": each.name, "created_at": format_instant(each.created_at), "tx": last_tx_of(engine, each.ws)}
        for each in all_workspaces(engine)
    ]


@workspace_command.command("create")
@click.argument("name")
@standard_options
def create(ctx: click.Context, name: str, as_json: bool) -> None:
    """Create a workspace; an existing one is left unchanged."""
    from recollect.memory import create_workspace
    from recollect.serve.workspace_settings import check_name

    with store_of(ctx) as opened:
        made = create_workspace(opened.engine, check_name(name), opened.clock)
    show({"workspace": made.name}, as_json)


@workspace_command.command("rename")
@click.argument("name")
@click.argument("new_name")
@standard_options
def rename(ctx: click.Context, name: str, new_name: str, as_json: bool) -> None:
    """Rename a workspace; its tokens keep working. Restart running servers."""
    from recollect.store.workspaces import rename_workspace

    with store_of(ctx) as opened:
        workspace = opened.workspace(name).workspace
        rename_workspace(opened.engine, workspace, _unused_name(opened, new_name))
    show({"workspace": new_name, "before": name}, as_json)
    if name == settings_of(ctx).workspace_name:
        click.echo(
            f"recollect: commands and clients still ask for {name!r}, which is now empty; give --workspace {new_name}, "
            f'or set RECOLLECT_WORKSPACE={new_name} or workspace = "{new_name}" in recollect.toml',
            err=True,
        )


@workspace_command.command("copy")
@click.argument("name")
@click.argument("new_name")
@standard_options
def copy(ctx: click.Context, name: str, new_name: str, as_json: bool) -> None:
    """Copy a workspace with its whole history into a new one; tokens are not copied."""
    from recollect.keep.workspace_export import copy_workspace
    from recollect.memory import create_workspace

    with store_of(ctx) as opened:
        source = opened.workspace(name)
        create_workspace(opened.engine, _unused_name(opened, new_name), opened.clock)
        rows = copy_workspace(source, opened.workspace(new_name))
    show({"workspace": new_name, "copied_from": name, "rows": rows}, as_json)


@workspace_command.command("delete")
@click.argument("name")
@click.option("--yes", is_flag=True, help="Do not ask.")
@standard_options
def delete(ctx: click.Context, name: str, yes: bool, as_json: bool) -> None:
    """Delete a workspace with its history and its tokens. This cannot be undone."""
    from recollect.store.workspaces import delete_workspace

    with store_of(ctx) as opened:
        memory = opened.workspace(name)
        with memory.read() as view:
            counts = {key: count for key, count in view.counts().items() if key != "jobs"}
        if not yes:
            inside = ", ".join(f"{count} {key}" for key, count in counts.items())
            question = f"Delete the workspace {name!r} with {inside}? This cannot be undone."
            click.confirm(f"{question} (recollect export makes a copy)", abort=True, err=True)
        delete_workspace(opened.engine, memory.workspace)
    show({"deleted": name, **counts}, as_json)


def _unused_name(opened: "OpenStore", name: str) -> str:
    from recollect.memory import find_workspace
    from recollect.serve.workspace_settings import WorkspaceExists, check_name

    if find_workspace(opened.engine, check_name(name)) is not None:
        raise WorkspaceExists(name)
    return name


@workspace_command.command("show")
@click.argument("name", required=False)
@standard_options
def show_workspace(ctx: click.Context, name: str | None, as_json: bool) -> None:
    """Timeline, policies and settings of a workspace."""
    from recollect.serve.workspace_settings import describe_workspace

    with store_of(ctx) as opened:
        memory = opened.workspace(name or opened.local.workspace)
        with memory.read() as view:
            show(describe_workspace(view), as_json)


@workspace_command.command("set")
@click.argument("key")
@click.argument("value")
@standard_options
def set_setting(ctx: click.Context, key: str, value: str, as_json: bool) -> None:
    """Set `timezone`, `now`, `conflict_policy`, `timeline` or any `section.key`; an empty VALUE removes it."""
    from recollect.serve.workspace_settings import put_setting
    from recollect.when.format import readable_text

    with store_of(ctx) as opened, opened.memory("workspace").write() as change:
        before = change.last_tx
        kept = put_setting(change, key, _read(value))
        kept = readable_text(kept, change.world.timeline) if key == "now" and isinstance(kept, str) else kept
        is_hidden = kept is not None and is_secret(key)
        show({"workspace": change.workspace.name, key: MASK if is_hidden else kept, "tx": change.last_tx}, as_json)
        if is_hidden:
            click.echo(f"recollect: {key} {STORED_IN_CLEAR.format(environment_name(key))}", err=True)
        if change.last_tx > before:
            click.echo(f"To undo it: recollect undo {change.last_tx}{given_options(ctx)}", err=True)


def _read(value: str) -> Any:
    """JSON values as such, anything else as text."""
    try:
        return json.loads(value)
    except ValueError:
        return value or None


_KINDS = ("sender", "domain", "folder", "tool")
_LEVELS = ("owner", "known", "unknown", "untrusted")


@click.group("trust")
def trust_command() -> None:
    """How far sources are trusted. A less trusted source never replaces what a more trusted one said."""


@trust_command.command("list")
@standard_options
def list_rules(ctx: click.Context, as_json: bool) -> None:
    """The rules of this workspace."""
    from recollect.write.trust_rules import RULE_SETTINGS, trust_rules

    with store_of(ctx) as opened:
        memory = opened.memory("trust")
        with memory.read() as view:
            settings = memory.settings_in(view)
    rows = [
        {"kind": kind, "name": name, "trust": level}
        for kind in RULE_SETTINGS
        for name, level in sorted(trust_rules(settings, kind).items())
    ]
    show_rows(rows, as_json, "no rules; senders are known by the owner's contacts, downloads and web pages untrusted")


@trust_command.command("set")
@click.argument("kind", type=click.Choice(_KINDS))
@click.argument("name")
@click.argument("level", type=click.Choice((*_LEVELS, "default")))
@standard_options
def set_rule(ctx: click.Context, kind: str, name: str, level: str, as_json: bool) -> None:
    """Trust a sender, mail domain, folder or tool at a LEVEL; `default` removes the rule.

    It applies to what is taken in from now on; `recollect trust apply` lowers what is stored. A tool is named SURFACE
    or SURFACE.TOOL.
    """
    from recollect.serve.workspace_settings import put_setting
    from recollect.write.trust_rules import changed_rules, rule_kind

    with store_of(ctx) as opened, opened.memory("trust").write() as change:
        key, rules = changed_rules(change, rule_kind(kind), name, level)
        put_setting(change, key, rules or None)
        show({"kind": kind, "name": name, "trust": level, "tx": change.last_tx}, as_json)


@trust_command.command("apply")
@standard_options
def apply_rules(ctx: click.Context, as_json: bool) -> None:
    """Assess all stored records and pages by the present rules.

    Levels are lowered where the rules say so and never raised, facts are settled anew, and attacks are marked. What
    releases before 0.2 stored is assessed by running servers too.
    """
    from dataclasses import replace

    from recollect.ingest.stored_trust import assess_all_again, assess_next

    with store_of(ctx) as opened, progress_bar("assessing", "document") as tell:
        memory = replace(opened.memory("trust"), report_progress=tell)
        count = assess_all_again(memory)
        while assess_next(memory):
            pass
    show({"documents": count}, as_json)


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
