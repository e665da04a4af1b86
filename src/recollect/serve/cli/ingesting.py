"""`recollect ingest` and `recollect undo`."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from recollect.serve.cli.bars import bar
from recollect.serve.cli.chats import (
    NOTHING_READ,
    BadOption,
    chat_options,
    in_words,
    is_nothing_read,
    options_of,
    report_of,
)
from recollect.serve.cli.main import as_json, settings_of, shared
from recollect.serve.cli.printing import show, show_json

if TYPE_CHECKING:
    from recollect.ingest.taken import Taken
    from recollect.intake.kinds import Kind
    from recollect.keep.chats.options import Options
    from recollect.memory import Memory

SKIPPED_SOME = 2


@click.command("ingest")
@click.argument("paths", nargs=-1, required=True, type=click.Path(exists=True, path_type=Path))
@click.option("--vectors/--no-vectors", default=True, help="Embed the texts now, or let a server do it.")
@click.option("--as", "kind", help="Take every file as this kind.")
@chat_options
@shared
@as_json
@click.pass_context
def ingest_command(ctx: click.Context, paths: tuple[Path, ...], kind: str | None, vectors: bool, as_json: bool) -> None:
    """Bring data in. Safe to repeat; exit code 2 if a line was skipped."""
    from recollect.serve.opened import Opened

    options = options_of(ctx)
    with Opened(settings_of(ctx)) as opened:
        memory = opened.memory("ingest")
        wanted = [each for path in paths for each in _wanted(memory, path, kind)]
        if options.dry_run and not all(found.take_chats for _, found in wanted):
            raise BadOption("--dry-run", "is for chat exports only")
        taken = [_take(memory, path, found, options) for path, found in wanted]
        _index(memory, vectors=vectors)
    _report(taken, as_json)
    ctx.exit(_exit_code(taken))


def _exit_code(taken: "list[Taken]") -> int:
    chats = report_of(taken)
    if chats is not None and is_nothing_read(chats):
        return NOTHING_READ
    return SKIPPED_SOME if any(each.skipped for each in taken) else 0


def _wanted(memory: "Memory", path: Path, forced: str | None) -> "Iterator[tuple[Path, Kind]]":
    """The files of a path with their kinds; in a folder, what is of no kind is named and left out."""
    from recollect.intake.kinds import UnknownKind, kind_named, kind_of, sample_of
    from recollect.intake.wholes import wholes

    for each, kind in wholes(path, forced):
        try:
            yield each, kind or (kind_named(forced) if forced else kind_of(sample_of(memory, each)))
        except UnknownKind as problem:
            if each == path:
                raise
            click.echo(f"recollect: {problem}", err=True)


def _take(memory: "Memory", path: Path, kind: "Kind", options: "Options") -> "Taken":
    with bar(path.name, "B") as tell:
        if kind.take_chats is not None:
            return kind.take_chats(memory, path, tell, options)
        return kind.take(memory, path, tell)


def _index(memory: "Memory", *, vectors: bool) -> None:
    """Complete the indexes, so that no read has to; vectors only if they are wanted."""
    from recollect.keep.indexing import index_rest

    with bar("embedding", "passage") as tell:
        problem = index_rest(memory, tell, vectors=vectors)
    if problem:
        click.echo(f"recollect: {problem}", err=True)


def _report(taken: "list[Taken]", as_json: bool) -> None:
    chats = report_of(taken)
    if chats is not None and as_json:
        show_json(chats)
        return
    counts = counts_of(taken)
    if as_json:
        show_json(counts)
        return
    show({**counts, "skipped": len(counts["skipped"])} if chats is None else in_words(chats), as_json=False)
    tell_problems(taken)


def counts_of(taken: "list[Taken]") -> dict[str, Any]:
    """What was taken in, as numbers, with what was skipped and why."""
    names = ("lines", "changed", "unchanged", "facts")
    counts: dict[str, Any] = {name: sum(getattr(each.tally, name) for each in taken) for name in names}
    skipped = [one for each in taken for one in each.skipped]
    warnings = [one for each in taken for one in each.warnings]
    counts["skipped"] = [{"file": each.file, "line": each.line, "reason": each.reason} for each in skipped]
    return counts | ({"warnings": warnings} if warnings else {})


def tell_problems(taken: "list[Taken]") -> None:
    """What was skipped or is doubtful, a line for each, to stderr."""
    for each in taken:
        for one in each.skipped:
            click.echo(f"{one.file}:{one.line}: {one.reason}", err=True)
    for warning in (one for each in taken for one in each.warnings):
        click.echo(f"recollect: {warning}", err=True)


@click.command("undo")
@click.argument("tx", type=int)
@shared
@as_json
@click.pass_context
def undo_command(ctx: click.Context, tx: int, as_json: bool) -> None:
    """Write the opposite of transaction TX; refused where later ones rest on it."""
    from recollect.ingest.lore.undoing import take_back
    from recollect.keep.reading.jobs import follow_undo
    from recollect.serve.opened import Opened

    with Opened(settings_of(ctx)) as opened:
        memory = opened.memory("undo")
        with memory.write() as change:
            number = take_back(memory, change, tx)
            follow_undo(change)
        show({"undone": tx, "tx": number}, as_json)
