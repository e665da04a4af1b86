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
_LISTS = ("skipped", "text_only")


@click.command("ingest")
@click.argument("paths", nargs=-1, required=True, type=click.Path(exists=True, path_type=Path))
@click.option("--vectors/--no-vectors", default=True, help="Embed the texts now, or let a server do it.")
@click.option("--as", "kind", help="Take every file as this kind.")
@click.option(
    "--change-timeline",
    is_flag=True,
    help="Let a file that defines a world change this workspace's calendar and present.",
)
@chat_options
@shared
@as_json
@click.pass_context
def ingest_command(
    ctx: click.Context, paths: tuple[Path, ...], kind: str | None, vectors: bool, change_timeline: bool, as_json: bool
) -> None:
    """Bring data in. Safe to repeat; exit code 2 if a line was skipped."""
    from recollect.serve.opened import Opened

    options = options_of(ctx)
    with Opened(settings_of(ctx)) as opened:
        memory = opened.memory("ingest")
        refused: list[Taken] = []
        found = {path: list(_wanted(memory, path, kind, refused)) for path in paths}
        if any(path.is_file() and not files for path, files in found.items()):
            _report([], refused, as_json)
            ctx.exit(SKIPPED_SOME)
        if not change_timeline:
            _check_timeline(ctx, memory, found)
        wanted = [each for files in found.values() for each in files]
        if options.dry_run and not all(found.take_chats for _, found in wanted):
            raise BadOption("--dry-run", "is for chat exports only")
        taken = [_take(memory, path, found, options) for path, found in wanted]
        _index(memory, vectors=vectors)
    _report(taken, refused, as_json)
    ctx.exit(_exit_code(taken) or (SKIPPED_SOME if refused else 0))


def _check_timeline(ctx: click.Context, memory: "Memory", found: "dict[Path, list[tuple[Path, Kind]]]") -> None:
    """Stop before anything is written where a world would take over the workspace."""
    from recollect.intake.kinds import BUNDLE
    from recollect.intake.worlds import WouldChangeTimeline, check_timeline

    try:
        for given, files in found.items():
            check_timeline(memory, given, [path for path, kind in files if kind.name == BUNDLE])
    except WouldChangeTimeline as problem:
        click.echo(f"recollect: {problem}", err=True)
        ctx.exit(SKIPPED_SOME)


def _exit_code(taken: "list[Taken]") -> int:
    chats = report_of(taken)
    if chats is not None and is_nothing_read(chats):
        return NOTHING_READ
    return SKIPPED_SOME if any(each.skipped for each in taken) else 0


def _wanted(memory: "Memory", path: Path, forced: str | None, refused: "list[Taken]") -> "Iterator[tuple[Path, Kind]]":
    """The files of a path with their kinds; those that cannot be read are added to `refused`, each with its reason."""
    from recollect.ingest.taken import Skipped, Taken
    from recollect.intake.kinds import Unreadable, kind_of, sample_of
    from recollect.intake.wholes import wholes

    for each, kind in wholes(path, forced):
        try:
            yield each, kind or kind_of(sample_of(memory, each), forced)
        except Unreadable as problem:
            name = str(each.relative_to(path)) if path.is_dir() else each.name
            refused.append(Taken(skipped=[Skipped(name, 0, problem.reason)]))


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


def _report(taken: "list[Taken]", refused: "list[Taken]", as_json: bool) -> None:
    chats = report_of(taken)
    if chats is not None:
        chats["skipped"] += [
            {"file": one.file, "index": None, "id": None, "reason": one.reason}
            for each in refused
            for one in each.skipped
        ]
    taken = [*taken, *refused]
    if chats is not None and as_json:
        show_json(chats)
        return
    counts = counts_of(taken)
    if as_json:
        show_json(counts)
        return
    numbers = {key: len(value) if key in _LISTS else value for key, value in counts.items()}
    show(numbers if chats is None else in_words(chats), as_json=False)
    tell_problems(taken)


def counts_of(taken: "list[Taken]") -> dict[str, Any]:
    """What was taken in, as numbers, with what was skipped and why."""
    names = ("lines", "changed", "unchanged", "facts")
    counts: dict[str, Any] = {name: sum(getattr(each.tally, name) for each in taken) for name in names}
    skipped = [one for each in taken for one in each.skipped]
    warnings = [one for each in taken for one in each.warnings]
    counts["skipped"] = [{"file": each.file, "line": each.line, "reason": each.reason} for each in skipped]
    counts["text_only"] = [{"file": one.file, "reason": one.reason} for each in taken for one in each.text_only]
    return counts | ({"warnings": warnings} if warnings else {})


def tell_problems(taken: "list[Taken]") -> None:
    """What was skipped or is doubtful, a line for each, to stderr."""
    for each in taken:
        for one in each.skipped:
            place = f"{one.file}:{one.line}" if one.line else one.file
            click.echo(f"{place}: {one.reason}", err=True)
        for kept in each.text_only:
            click.echo(f"{kept.file}: kept as text only: {kept.reason}", err=True)
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
