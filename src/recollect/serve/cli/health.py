"""`recollect status` and `recollect doctor`."""

from typing import Any

import click

from recollect.serve.cli.main import as_json, settings_of, shared
from recollect.serve.cli.printing import show, show_rows


@click.command("status")
@shared
@as_json
@click.pass_context
def status_command(ctx: click.Context, as_json: bool) -> None:
    """What this memory holds."""
    from recollect.ingest.extract.waiting import standing
    from recollect.serve.opened import Opened
    from recollect.serve.workspace import described
    from recollect.store.index import waiting

    with Opened(settings_of(ctx)) as opened:
        memory = opened.memory("status")
        with memory.read() as view:
            where = {"db": opened.address, "engine": memory.engine.name, "workspace": view.workspace.name}
            about = {key: value for key, value in described(view).items() if key not in ("name", "settings")}
            records = standing(view)
            listed = {
                "records_waiting": records.waiting,
                "texts_waiting": waiting(view, memory.embedder),
                "records_failed": records.failed,
                "records_uncertain": records.uncertain,
            }
            pending = {key: count for key, count in listed.items() if count}
            show(where | about | dict(view.counts()) | pending, as_json)


@click.command("doctor")
@shared
@as_json
@click.pass_context
def doctor_command(ctx: click.Context, as_json: bool) -> None:
    """Check that everything Recollect needs is there and works. Exit code 1 if something is not."""
    from recollect.serve.doctor import examine

    found: list[dict[str, Any]] = [
        {"check": each.name, "ok": each.ok, "detail": each.detail} for each in examine(settings_of(ctx))
    ]
    show_rows(found, as_json)
    ctx.exit(0 if all(each["ok"] for each in found) else 1)
