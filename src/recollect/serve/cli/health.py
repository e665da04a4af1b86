"""`recollect status` and `recollect doctor`."""

from pathlib import Path
from typing import Any

import click

from recollect.serve.cli.main import settings_of, standard_options, store_of
from recollect.serve.cli.output import show, show_json, show_rows

NAME_WIDTH = 10


@click.command("status")
@standard_options
def status_command(ctx: click.Context, as_json: bool) -> None:
    """Counts of what this memory holds."""
    with store_of(ctx) as opened:
        memory = opened.memory("status")
        # A store that does not answer is told before the rest is loaded.
        from recollect.indexing import count_pending_texts
        from recollect.ingest.extract.record_reader import backlog_status
        from recollect.serve.workspace_settings import describe_workspace

        with memory.read() as view:
            where = {"db": opened.address, "engine": memory.engine.name, "workspace": view.workspace.name}
            about = {key: value for key, value in describe_workspace(view).items() if key not in ("name", "settings")}
            records = backlog_status(view)
            listed = {
                "records_waiting": records.waiting,
                "texts_waiting": count_pending_texts(view, memory.embedder),
                "records_failed": records.failed,
                "records_uncertain": records.uncertain,
            }
            pending = {key: count for key, count in listed.items() if count}
            show(where | about | dict(view.counts()) | pending, as_json)


@click.command("doctor")
@click.option("--full", is_flag=True, help="Check every index of the file against its table; slow for a large store.")
@click.option(
    "--repair",
    metavar="NEW",
    type=click.Path(path_type=Path),
    help="Save all that can be read of a damaged store in a new file.",
)
@standard_options
def doctor_command(ctx: click.Context, full: bool, repair: Path | None, as_json: bool) -> None:
    """Check that everything Recollect needs is present and works. Exit code 1 if not."""
    from recollect.serve.doctor import examine

    if repair is not None:
        _repair(ctx, repair, as_json)
        return
    found: list[dict[str, Any]] = []
    for each in examine(settings_of(ctx), full=full):
        found.append({"check": each.name, "ok": each.ok, "detail": each.detail})
        if not as_json:
            # At once: a store that does not answer is told before the rest is loaded.
            click.echo(f"{each.name:<{NAME_WIDTH}}  {'ok' if each.ok else 'FAILED':<6}  {each.detail}")
    if as_json:
        show_json(found)
    ctx.exit(0 if all(each["ok"] for each in found) else 1)


def _repair(ctx: click.Context, target: Path, as_json: bool) -> None:
    from recollect.keep.store_checks import repair_store
    from recollect.serve.cli.backup import other_store, require_file
    from recollect.serve.open_store import OpenStore
    from recollect.store.file_copies import FileExists
    from recollect.store.salvage import damaged_store

    settings = settings_of(ctx)
    if target.exists():
        raise FileExists(target)
    file = require_file(OpenStore(settings), "doctor --repair")
    with damaged_store(file) as damaged, OpenStore(other_store(settings, target)) as opened:
        found = repair_store(damaged, opened.memory("doctor"))
    lost = [each for each in found if each.lost != 0]
    for each in lost:
        count = "an unknown number of" if each.lost is None else each.lost
        click.echo(f"recollect: {each.workspace}: {count} rows of {each.table} could not be read", err=True)
    tokens = "tokens are not taken along; create new ones with: recollect token create"
    click.echo(f"recollect: {target} has what could be read; {tokens}", err=True)
    show_rows([each._asdict() for each in found], as_json)
    ctx.exit(1 if lost else 0)
