"""`recollect export` and `recollect import`: a whole workspace, without loss."""

import os
from pathlib import Path
from typing import IO

import click

from recollect.serve.cli.main import as_json, settings_of, shared
from recollect.serve.cli.printing import show


@click.command("export")
@click.argument("file", type=click.Path(path_type=Path, allow_dash=True), default="-")
@shared
@click.pass_context
def export_command(ctx: click.Context, file: Path) -> None:
    """Write everything this workspace holds, every version of it, as JSON lines."""
    from tqdm import tqdm

    from recollect.keep.whole import export_lines
    from recollect.serve.opened import Opened

    with (
        Opened(settings_of(ctx)) as opened,
        opened.memory("export").read() as view,
        click.open_file(str(file), "w", encoding="utf-8", lazy=False, atomic=str(file) != "-") as out,
    ):
        if str(file) != "-":
            _make_private(out)
        for line in tqdm(export_lines(view), desc="exporting", unit="row", disable=None):
            out.write(line)


def _make_private(out: IO[str]) -> None:
    """An export holds everything, so nobody else is to read it."""
    if hasattr(os, "fchmod"):
        os.fchmod(out.fileno(), 0o600)


@click.command("import")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@shared
@as_json
@click.pass_context
def import_command(ctx: click.Context, file: Path, as_json: bool) -> None:
    """Fill an empty workspace from an export; all of it or nothing."""
    from tqdm import tqdm

    from recollect.keep.whole import import_lines
    from recollect.serve.opened import Opened

    with (
        Opened(settings_of(ctx)) as opened,
        file.open("rb", buffering=1024 * 1024) as source,
        tqdm(total=file.stat().st_size, desc=file.name, unit="B", unit_scale=True, disable=None) as bar,
    ):
        rows = import_lines(opened.memory("import"), source, lambda done: bar.update(done - bar.n) and None)
    show({"rows": rows}, as_json)
