"""`recollect export`, `import`, `snapshot` and `forget`."""

import os
import shutil
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from io import BufferedReader, TextIOWrapper
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import IO, TYPE_CHECKING

import click

from recollect.atomic_file import atomic_write
from recollect.errors import NotKnown, Refused
from recollect.serve.cli.main import require_folder_of, shared_options, standard_options, store_of
from recollect.serve.cli.output import show, show_rows

if TYPE_CHECKING:
    from recollect.store.view import View

OWN_EXPORTS = ("recollect", "memory-jsonl")
EXPORT_NAMES = (*OWN_EXPORTS, "graphml", "json-ld", "csv", "vault", "gedcom", "gedcom7")
TRACES = {
    "sqlite": "other processes are reading the file; erased data leaves it once they have finished",
    "postgres": "the erased words stay in PostgreSQL's table files until VACUUM FULL, which forget --vacuum runs, and "
    "in its write-ahead log until that is recycled; archives of the log and backups keep them",
}
IN_LOG = "the erased words stay in PostgreSQL's write-ahead log until it is recycled, and in archives of it and backups"


@click.command("export")
@click.argument("file", type=click.Path(path_type=Path, allow_dash=True), default="-")
@click.option(
    "--as",
    "form",
    type=click.Choice(EXPORT_NAMES),
    default="recollect",
    show_default=True,
    help="recollect: everything with all versions, lossless. The others contain valid facts with their times: "
    "memory-jsonl (the reference memory server), graphml, json-ld, csv and vault (a folder or .zip), gedcom (5.5.1), "
    "gedcom7.",
)
@click.option(
    "--encrypt-with",
    "with_key",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Encrypt the file with the key in this one, which is created if it is missing; only as recollect.",
)
@shared_options
@click.pass_context
def export_command(ctx: click.Context, file: Path, form: str, with_key: Path | None) -> None:
    """Write this workspace as JSON lines, or for another program."""
    if str(file) != "-":
        require_folder_of(file)
    if with_key is not None:
        _export_encrypted(ctx, file, form, with_key)
        return
    with store_of(ctx) as opened, opened.memory("export").read() as view:
        if form in OWN_EXPORTS:
            _export_lines(view, file, form)
        else:
            _export_graph(view, file, form)
    _tell_written(file)


def _export_encrypted(ctx: click.Context, file: Path, form: str, key_file: Path) -> None:
    from recollect.keep.workspace_export import export_lines
    from recollect.serve.cli.backup import key_in
    from recollect.store.encrypted_lines import write_lines
    from recollect.store.encryption import SALT_BYTES

    if form != "recollect" or str(file) == "-":
        raise click.UsageError("--encrypt-with is for files written --as recollect; leave it out, or leave --as out")
    key, last = key_in(key_file), [""]

    def noted(lines: Iterable[str]) -> Iterator[str]:
        for last[0] in lines:
            yield last[0]

    with store_of(ctx) as opened, opened.memory("export").read() as view, TemporaryDirectory() as folder:
        made = Path(folder) / "export"
        write_lines(made, key, os.urandom(SALT_BYTES), noted(export_lines(view)))
        with atomic_write(file) as out, made.open("rb") as content:
            shutil.copyfileobj(content, out)
    _tell_left_out(last[0])
    _tell_written(file)


def _export_lines(view: "View", file: Path, form: str) -> None:
    from recollect.importers.memory_jsonl import export_memory_lines
    from recollect.keep.workspace_export import export_lines

    _tell_left_out(_write_lines(file, export_lines(view) if form == "recollect" else export_memory_lines(view)))


def _tell_written(file: Path) -> None:
    """On stderr, since the export itself may go to stdout."""
    if str(file) != "-":
        click.echo(f"recollect: wrote {file}", err=True)


def _tell_left_out(last: str) -> None:
    from recollect.keep.workspace_export import read_end

    end = read_end(last.encode())
    if end is not None and end.left_out:
        click.echo(f"recollect: secrets are not exported: {', '.join(end.left_out)}", err=True)


def _export_graph(view: "View", file: Path, form: str) -> None:
    from recollect.exporters.export_formats import EXPORT_FORMATS, write_files
    from recollect.exporters.graph import ExportedGraph

    graph, wanted = ExportedGraph(view), EXPORT_FORMATS[form]
    if wanted.lines is not None:
        _write_lines(file, wanted.lines(graph))
    elif wanted.files is not None:
        write_files(file, wanted.files(graph))
    for what, count in graph.left_out.items():
        click.echo(f"recollect: {what}: {count}", err=True)


def _write_lines(file: Path, lines: Iterable[str]) -> str:
    """Write lines to a file that only its owner may read, all or none; the last of them."""
    from tqdm import tqdm

    line = ""
    with _output(file) as out:
        for line in tqdm(lines, desc="exporting", unit="row", disable=None):
            out.write(line)
    return line


@contextmanager
def _output(file: Path) -> Iterator[IO[str]]:
    """A file that takes its name once all of it is written, private to its owner; `-` is the standard output.

    Click's own atomic files take their name after a failure, too.
    """
    if str(file) == "-":
        with click.open_file("-", "w", encoding="utf-8") as out:
            yield out
        return
    with atomic_write(file) as content:
        text = TextIOWrapper(content, encoding="utf-8")
        yield text
        # Leaves the file open, which is synced before it takes its name.
        text.detach()


@click.command("import")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option(
    "--decrypt-with",
    "with_key",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="The file with the key of an encrypted export.",
)
@standard_options
def import_command(ctx: click.Context, file: Path, with_key: Path | None, as_json: bool) -> None:
    """Restore an export into an empty workspace, all or nothing."""
    from tqdm import tqdm

    from recollect.keep.workspace_export import import_lines

    with (
        store_of(ctx) as opened,
        _open_export(file, with_key) as source,
        tqdm(total=file.stat().st_size, desc=file.name, unit="B", unit_scale=True, disable=None) as bar,
    ):
        done = import_lines(opened.memory("import"), source, lambda done: bar.update(done - bar.n) and None)
    if not done.is_verified:
        click.echo(
            "recollect: an export of an earlier release, without counts: compare it with recollect status", err=True
        )
    if done.left_out:
        click.echo(f"recollect: not in the export, to be set again: {', '.join(done.left_out)}", err=True)
    show({"rows": done.rows, "verified": done.is_verified}, as_json)


class EncryptedExport(Refused):
    def __init__(self, file: Path) -> None:
        super().__init__(f"{file} is encrypted or not an export; give its key with --decrypt-with FILE")


def _open_export(file: Path, key_file: Path | None) -> IO[bytes]:
    from recollect.store.encrypted_lines import DecryptedLines, is_in_pages
    from recollect.store.encryption import read_key_file

    if key_file is None:
        if is_in_pages(file):
            raise EncryptedExport(file)
        return file.open("rb", buffering=1024 * 1024)
    return BufferedReader(DecryptedLines(file, read_key_file(key_file)), 1024 * 1024)


@click.group("snapshot")
def snapshot_command() -> None:
    """Snapshots: named moments to which identity files and memories can be restored."""


@snapshot_command.command("create")
@click.option("--label", help="A note to find it by.")
@click.option("--flag", is_flag=True, help="Never let it expire.")
@standard_options
def create(ctx: click.Context, label: str | None, flag: bool, as_json: bool) -> None:
    """Take a snapshot of the current state."""
    from recollect.keep.memories.restore import snapshot_everything
    from recollect.keep.snapshot_store import drop_expired

    with store_of(ctx) as opened:
        memory = opened.memory("snapshot")
        with memory.write() as change:
            removed = drop_expired(change, memory.settings)
            *named, whole = snapshot_everything(change, "manual", flagged=flag, label=label)
    show({"snapshot": whole.id, "parts": len(named), "tx": whole.tx, "removed": removed}, as_json)


@snapshot_command.command("list")
@standard_options
def list_snapshots(ctx: click.Context, as_json: bool) -> None:
    """Every snapshot, newest first."""
    from recollect.keep.memory_formats import CATEGORIES
    from recollect.keep.snapshot_store import EVERYTHING, MEMORIES, snapshots_in

    with store_of(ctx) as opened, opened.memory("snapshot").read() as view:
        found = snapshots_in(view, {*CATEGORIES, MEMORIES, EVERYTHING})
    rows = [
        {"id": each.id, "tx": each.tx, "reason": each.reason, "flagged": each.flagged, "label": each.label}
        for each in found
    ]
    show_rows(rows, as_json, "no snapshots")


@snapshot_command.command("flag")
@click.argument("id_", metavar="ID")
@click.option("--off", is_flag=True, help="Let it expire again.")
@standard_options
def flag(ctx: click.Context, id_: str, off: bool, as_json: bool) -> None:
    """Keep a snapshot from expiring."""
    from recollect.keep.call_conflicts import ItemNotFound
    from recollect.keep.snapshot_store import find_snapshot, flag_snapshot

    with store_of(ctx) as opened, opened.memory("snapshot").write() as change:
        found = find_snapshot(change, id_)
        if found is None or found.id != id_:
            raise ItemNotFound(f"there is no snapshot {id_}")
        flag_snapshot(change, found, not off)
    show({"snapshot": id_, "flagged": not off}, as_json)


@snapshot_command.command("restore")
@click.argument("id_", metavar="ID")
@standard_options
def restore_snapshot(ctx: click.Context, id_: str, as_json: bool) -> None:
    """Restore a snapshot as new versions; the state before gets a snapshot too."""
    from recollect.keep.call_conflicts import ItemNotFound
    from recollect.keep.memories.restore import restore, snapshot_states
    from recollect.keep.snapshot_store import find_snapshot

    with store_of(ctx) as opened, opened.memory("snapshot").write() as change:
        found = find_snapshot(change, id_)
        if found is None:
            raise ItemNotFound(f"there is no snapshot {id_}")
        done = restore(change, found.subject, snapshot_states(change, found), found.tx, exact=False)
        before = done.before.id if done.before else None
        counts = {"identity": done.identity, "memories": done.memories, "unchanged": done.unchanged}
        show({"snapshot": id_, **counts, "before": before, "tx": change.last_tx}, as_json)


class NothingToErase(NotKnown):
    def __init__(self, what: str) -> None:
        super().__init__(f"{what}. `recollect list entities` shows ids; with --hide a name will do")


@click.command("forget")
@click.argument("ids", nargs=-1, required=True)
@click.option("--yes", is_flag=True, help="Do not ask.")
@click.option("--vacuum", is_flag=True, help="PostgreSQL: rewrite every table, which locks each for a while.")
@click.option("--hide", is_flag=True, help="Hide instead: reversible with undo. Takes a name or a fact's text as well.")
@standard_options
def forget_command(
    ctx: click.Context, ids: tuple[str, ...], yes: bool, vacuum: bool, hide: bool, as_json: bool
) -> None:
    """Erase IDS in every version, and what depends on them alone. This cannot be undone.

    An id is that of an entity, fact or document, of a memory or record, or category/filename.
    """
    if hide:
        _hide(ctx, ids, as_json)
        return
    from recollect.keep.forgetting.erasure import forget
    from recollect.keep.forgetting.targets import UnknownErasureTarget
    from recollect.model.ids import format_document_id
    from recollect.store.file_copies import copies_beside

    if not yes and sys.stdin.isatty():
        click.confirm(f"Erase {', '.join(ids)} for good?", abort=True, err=True)
    with store_of(ctx) as opened:
        try:
            done = forget(opened.memory("forget"), ids, rewrite_tables=vacuum)
        except UnknownErasureTarget as problem:
            raise NothingToErase(str(problem)) from None
        engine, path = opened.engine.name, opened.settings.database_file
    for copy in copies_beside(path) if path is not None else ():
        click.echo(f"recollect: {copy} is an older copy of the store and may still contain it; delete it", err=True)
    traces = IN_LOG if done.is_file_clean else TRACES[engine]
    if not done.is_file_clean or engine == "postgres":
        click.echo(f"recollect: {traces}", err=True)
    if done.remaining_documents:
        left = " ".join(map(format_document_id, done.remaining_documents))
        click.echo(f"recollect: other documents state it too. To erase them: recollect forget {left}", err=True)
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


def _hide(ctx: click.Context, targets: tuple[str, ...], as_json: bool) -> None:
    from recollect.serve.cli.everyday import call_tool, show_answer
    from recollect.surfaces.registry import DEFAULT, find_surface

    tool = find_surface(DEFAULT).find("forget")
    for target in targets:
        show_answer(ctx, call_tool(ctx, tool, {"target": target}), as_json)
