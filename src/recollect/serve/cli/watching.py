"""`recollect watch`: keep a folder or mailbox taken in as it grows."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from recollect.serve.cli.main import settings_of, shared

if TYPE_CHECKING:
    from recollect.ingest.taken import Taken


@click.command("watch")
@click.argument("paths", nargs=-1, required=True, type=click.Path(exists=True, path_type=Path))
@click.option("--every", type=click.FloatRange(min=0.1), default=5.0, show_default=True, help="Seconds between looks.")
@click.option("--once", is_flag=True, help="Look once and return.")
@shared
@click.pass_context
def watch_command(ctx: click.Context, paths: tuple[Path, ...], every: float, once: bool) -> None:
    """Take in what is new or changed under PATHS, again and again, until interrupted."""
    from threading import Event

    from recollect.intake.watching import Watch
    from recollect.serve.opened import Opened

    pause = Event()
    with Opened(settings_of(ctx)) as opened:
        memory = opened.memory("ingest")
        watch = Watch(paths)
        while True:
            for path, taken in watch.look(memory):
                _tell(path, taken)
            if once or pause.wait(every):
                return


def _tell(path: Path, taken: "Taken") -> None:
    tally = taken.tally
    click.echo(f"{path}: {tally.changed} new or changed, {tally.facts} facts, {len(taken.skipped)} skipped")
    for each in taken.skipped:
        click.echo(f"{each.file}:{each.line}: {each.reason}", err=True)
    for warning in taken.warnings:
        click.echo(f"recollect: {warning}", err=True)
