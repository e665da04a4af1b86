"""`recollect watch`: keep a folder or mailbox taken in as it grows."""

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from recollect.serve.cli.ingesting import counts_of, tell_problems
from recollect.serve.cli.main import as_json, settings_of, shared

if TYPE_CHECKING:
    from recollect.ingest.taken import Taken


@click.command("watch")
@click.argument("paths", nargs=-1, required=True, type=click.Path(exists=True, path_type=Path))
@click.option("--every", type=click.FloatRange(min=0.1), default=5.0, show_default=True, help="Seconds between looks.")
@click.option("--once", is_flag=True, help="Look once and return.")
@shared
@as_json
@click.pass_context
def watch_command(ctx: click.Context, paths: tuple[Path, ...], every: float, once: bool, as_json: bool) -> None:
    """Take in what is new or changed under PATHS, again and again, until interrupted.

    With --json each file that was taken in is one line.
    """
    from threading import Event

    from recollect.intake.watching import Watch
    from recollect.serve.opened import Opened

    pause = Event()
    with Opened(settings_of(ctx)) as opened:
        memory = opened.memory("ingest")
        watch = Watch(paths)
        while True:
            for path, taken in watch.look(memory):
                _tell(path, taken, as_json)
            if once or pause.wait(every):
                return


def _tell(path: Path, taken: "Taken", as_json: bool) -> None:
    if as_json:
        click.echo(json.dumps({"path": str(path), **counts_of([taken])}, ensure_ascii=False))
        return
    tally = taken.tally
    click.echo(f"{path}: {tally.changed} new or changed, {tally.facts} facts, {len(taken.skipped)} skipped")
    tell_problems([taken])
