"""`recollect status` and `recollect doctor`."""

from typing import Any

import click

from recollect.serve.cli.main import as_json, settings_of, shared_options
from recollect.serve.cli.output import show, show_rows


@click.command("status")
@shared_options
@as_json
@click.pass_context
def status_command(ctx: click.Context, as_json: bool) -> None:
    """Counts of what this memory holds."""
    from recollect.indexing import count_waiting_texts
    from recollect.ingest.extract.record_reader import backlog_status
    from recollect.serve.open_store import OpenStore
    from recollect.serve.workspace_settings import describe_workspace

    with OpenStore(settings_of(ctx)) as opened:
        memory = opened.memory("status")
        with memory.read() as view:
            where = {"db": opened.address, "engine": memory.engine.name, "workspace": view.workspace.name}
            about = {key: value for key, value in describe_workspace(view).items() if key not in ("name", "settings")}
            records = backlog_status(view)
            listed = {
                "records_waiting": records.waiting,
                "texts_waiting": count_waiting_texts(view, memory.embedder),
                "records_failed": records.failed,
                "records_uncertain": records.uncertain,
            }
            pending = {key: count for key, count in listed.items() if count}
            show(where | about | dict(view.counts()) | pending, as_json)


@click.command("doctor")
@shared_options
@as_json
@click.pass_context
def doctor_command(ctx: click.Context, as_json: bool) -> None:
    """Check that everything Recollect needs is present and works. Exit code 1 if not."""
    from recollect.serve.doctor import examine

    found: list[dict[str, Any]] = [
        {"check": each.name, "ok": each.ok, "detail": each.detail} for each in examine(settings_of(ctx))
    ]
    show_rows(found, as_json)
    ctx.exit(0 if all(each["ok"] for each in found) else 1)
