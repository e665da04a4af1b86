"""`recollect ingest` and `recollect undo`."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from recollect.errors import Unsupported
from recollect.serve.cli.main import as_json, settings_of, shared
from recollect.serve.cli.printing import show, show_json

if TYPE_CHECKING:
    from recollect.ingest.bundle import Skipped, Tally
    from recollect.memory import Memory

SKIPPED_SOME = 2
FIRST_LINE = 1024 * 1024
BUNDLE = "bundle"


class UnknownKind(Unsupported):
    def __init__(self, path: Path) -> None:
        super().__init__(f"{path.name} is of no kind that can be taken in; a bundle is JSON lines (*.jsonl)")


@click.command("ingest")
@click.argument("paths", nargs=-1, required=True, type=click.Path(exists=True, path_type=Path))
@click.option("--vectors/--no-vectors", default=True, help="Embed the texts now, or when first searched.")
@click.option("--as", "kind", type=click.Choice([BUNDLE]), help="Take every file as this kind.")
@shared
@as_json
@click.pass_context
def ingest_command(ctx: click.Context, paths: tuple[Path, ...], kind: str | None, vectors: bool, as_json: bool) -> None:
    """Bring data in. Safe to repeat; exit code 2 if a line was skipped."""
    from recollect.serve.opened import Opened

    files = [file for path in paths for file in _files(path)]
    for file in files:
        _check_kind(file, kind)
    with Opened(settings_of(ctx)) as opened:
        memory = opened.memory("ingest")
        taken = [_take(memory, file) for file in files]
        _index(memory, vectors)
    skipped = [each for _, some in taken for each in some]
    _report([tally for tally, _ in taken], skipped, as_json)
    ctx.exit(SKIPPED_SOME if skipped else 0)


def _files(path: Path) -> list[Path]:
    return sorted(each for each in path.rglob("*.jsonl") if each.is_file()) if path.is_dir() else [path]


def _check_kind(path: Path, kind: str | None) -> None:
    if kind is None and path.suffix.lower() not in (".jsonl", ".ndjson") and not _begins_with_an_object(path):
        raise UnknownKind(path)


def _begins_with_an_object(path: Path) -> bool:
    with path.open("rb") as file:
        first = file.readline(FIRST_LINE)
    try:
        return isinstance(json.loads(first), dict)
    except ValueError:
        return False


def _take(memory: "Memory", path: Path) -> "tuple[Tally, list[Skipped]]":
    from tqdm import tqdm

    from recollect.ingest.bundle import ingest_bundle

    size = path.stat().st_size
    with tqdm(total=size, desc=path.name, unit="B", unit_scale=True, disable=None) as bar:
        return ingest_bundle(memory, path, lambda progress: bar.update(progress.done - bar.n))


def _index(memory: "Memory", vectors: bool) -> None:
    from tqdm import tqdm

    from recollect.serve.indexing import catch_up

    with tqdm(desc="embedding", unit="passage", disable=None) as bar:

        def tell(done: int, total: int) -> None:
            bar.total = total
            bar.update(done - bar.n)

        problem = catch_up(memory, tell, meanings=vectors)
    if problem:
        click.echo(f"recollect: {problem}", err=True)


def _report(tallies: "list[Tally]", skipped: "list[Skipped]", as_json: bool) -> None:
    names = ("lines", "changed", "unchanged", "facts")
    sums: dict[str, Any] = {name: sum(getattr(each, name) for each in tallies) for name in names}
    if as_json:
        told = [{"file": each.file, "line": each.line, "reason": each.reason} for each in skipped]
        show_json(sums | {"skipped": told})
        return
    show(sums | {"skipped": len(skipped)}, as_json=False)
    for each in skipped:
        click.echo(f"{each.file}:{each.line}: {each.reason}", err=True)


@click.command("undo")
@click.argument("tx", type=int)
@shared
@as_json
@click.pass_context
def undo_command(ctx: click.Context, tx: int, as_json: bool) -> None:
    """Write the opposite of transaction TX; refused where later ones rest on it."""
    from recollect.serve.opened import Opened
    from recollect.write.undo import undo

    with Opened(settings_of(ctx)) as opened, opened.memory("undo").write() as change:
        show({"undone": tx, "tx": undo(change, tx)}, as_json)
