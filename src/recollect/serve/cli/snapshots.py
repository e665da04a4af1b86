"""`recollect snapshot`: names for moments of identity and memories."""

import click

from recollect.serve.cli.main import as_json, settings_of, shared
from recollect.serve.cli.printing import show, show_rows


@click.group("snapshot")
def snapshot_command() -> None:
    """Names for moments: identity files and memories can be brought back to them."""


@snapshot_command.command("create")
@click.option("--label", help="A note to find it by.")
@click.option("--flag", is_flag=True, help="Keep this name for good.")
@shared
@as_json
@click.pass_context
def create(ctx: click.Context, label: str | None, flag: bool, as_json: bool) -> None:
    """Name the present state."""
    from recollect.keep.snapshots.naming import drop_expired
    from recollect.keep.snapshots.state import name_whole_state
    from recollect.serve.opened import Opened

    with Opened(settings_of(ctx)) as opened:
        memory = opened.memory("snapshot")
        with memory.write() as change:
            removed = drop_expired(change, memory.settings)
            *named, whole = name_whole_state(change, "manual", flagged=flag, label=label)
    show({"snapshot": whole.id, "parts": len(named), "tx": whole.tx, "removed": removed}, as_json)


@snapshot_command.command("list")
@shared
@as_json
@click.pass_context
def list_snapshots(ctx: click.Context, as_json: bool) -> None:
    """Every snapshot, newest first."""
    from recollect.keep.forms import CATEGORIES
    from recollect.keep.snapshots.naming import EVERYTHING, MEMORIES, snapshots_in
    from recollect.serve.opened import Opened

    with Opened(settings_of(ctx)) as opened, opened.memory("snapshot").read() as view:
        found = snapshots_in(view, {*CATEGORIES, MEMORIES, EVERYTHING})
    rows = [
        {"id": each.id, "tx": each.tx, "reason": each.reason, "flagged": each.flagged, "label": each.label}
        for each in found
    ]
    show_rows(rows, as_json, "no snapshots")


@snapshot_command.command("flag")
@click.argument("id_", metavar="ID")
@click.option("--off", is_flag=True, help="Let it expire again.")
@shared
@as_json
@click.pass_context
def flag(ctx: click.Context, id_: str, off: bool, as_json: bool) -> None:
    """Keep a snapshot's name for good."""
    from recollect.keep.problems import NotFound
    from recollect.keep.snapshots.naming import find_snapshot, flag_snapshot
    from recollect.serve.opened import Opened

    with Opened(settings_of(ctx)) as opened, opened.memory("snapshot").write() as change:
        found = find_snapshot(change, id_)
        if found is None or found.id != id_:
            raise NotFound(f"there is no snapshot {id_}")
        flag_snapshot(change, found, not off)
    show({"snapshot": id_, "flagged": not off}, as_json)


@snapshot_command.command("restore")
@click.argument("id_", metavar="ID")
@shared
@as_json
@click.pass_context
def restore_snapshot(ctx: click.Context, id_: str, as_json: bool) -> None:
    """Make what a snapshot holds current again, as new versions; the state before is named too."""
    from recollect.keep.problems import NotFound
    from recollect.keep.snapshots.naming import find_snapshot
    from recollect.keep.snapshots.restore import held_by, restore
    from recollect.serve.opened import Opened

    with Opened(settings_of(ctx)) as opened, opened.memory("snapshot").write() as change:
        found = find_snapshot(change, id_)
        if found is None:
            raise NotFound(f"there is no snapshot {id_}")
        done = restore(change, found.subject, held_by(change, found), found.tx, exact=False)
        before = done.before.id if done.before else None
        counts = {"identity": done.identity, "memories": done.memories, "unchanged": done.unchanged}
        show({"snapshot": id_, **counts, "before": before, "tx": change.last_tx}, as_json)
