"""`recollect forget`: erasure, for privacy."""

import sys

import click

from recollect.serve.cli.main import as_json, settings_of, shared
from recollect.serve.cli.printing import show


@click.command("forget")
@click.argument("ids", nargs=-1, required=True)
@click.option("--yes", is_flag=True, help="Do not ask.")
@shared
@as_json
@click.pass_context
def forget_command(ctx: click.Context, ids: tuple[str, ...], yes: bool, as_json: bool) -> None:
    """Erase what IDS name, in every version, with what rested on it alone. It cannot be undone.

    An id is that of an entity, a fact or a document; a memory's or record's own id, or category/filename.
    """
    from recollect.keep.forgetting.forget import forget
    from recollect.serve.opened import Opened

    if not yes and sys.stdin.isatty():
        click.confirm(f"Erase {', '.join(ids)} for good?", abort=True, err=True)
    with Opened(settings_of(ctx)) as opened:
        done = forget(opened.memory("forget"), ids)
    if not done.is_file_clean:
        click.echo("recollect: others read the file now; what was erased leaves it once they have ended", err=True)
    show(
        {
            "documents": done.documents,
            "facts": done.facts,
            "entities": done.entities,
            "still_in": list(done.still_in),
            "tx": done.tx,
        },
        as_json,
    )
