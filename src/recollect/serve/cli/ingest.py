"""`recollect ingest`, `recollect watch` and `recollect undo`."""

import json
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from recollect.errors import Unavailable
from recollect.serve.cli.chat_options import (
    NOTHING_READ,
    chat_options,
    format_report,
    is_nothing_read,
    options_of,
    report_of,
)
from recollect.serve.cli.main import settings_of, standard_options, store_of
from recollect.serve.cli.new_workspaces import NewWorkspaces
from recollect.serve.cli.output import progress_bar, show, show_json
from recollect.settings import DEFAULT_WORKSPACE, environment_name

if TYPE_CHECKING:
    from threading import Event

    from recollect.importers.imap import ImapWatcher
    from recollect.importers.import_plan import ImportOutcome, PlannedFile
    from recollect.importers.import_run import FileReport, ImportResult
    from recollect.keep.chats.importer import ChatImportOptions
    from recollect.memory import Memory
    from recollect.serve.open_store import OpenStore

SKIPPED_SOME = 2
MOST_ALIKE = 10


class IngestCommand(click.Command):
    """Lists the formats in its help, which are loaded only for that."""

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        from recollect.importers.formats import FORMATS

        with formatter.section("Formats, detected by content (--as NAME forces one)"):
            formatter.write_dl([(each.name, each.description) for each in FORMATS])
        super().format_epilog(ctx, formatter)


@click.command("ingest", cls=IngestCommand)
@click.argument("paths", nargs=-1, required=True, type=click.Path(exists=True, path_type=Path))
@click.option("--vectors/--no-vectors", default=True, help="Embed texts now, or leave it to a running server.")
@click.option("--as", "kind", help="Read every file as this format; they are listed below.")
@click.option(
    "--change-timeline",
    is_flag=True,
    help="Let a file that defines a world change this workspace's calendar and present.",
)
@click.option("--erased", is_flag=True, help="Read again what was erased with forget.")
@chat_options
@standard_options
def ingest_command(
    ctx: click.Context,
    paths: tuple[Path, ...],
    kind: str | None,
    vectors: bool,
    change_timeline: bool,
    erased: bool,
    as_json: bool,
) -> None:
    """Import files. Safe to repeat; exit code 2 if a line was skipped."""
    from recollect.importers.import_plan import find_files, times_first
    from recollect.importers.import_run import ImportResult
    from recollect.serve.open_store import OpenStore

    options = options_of(ctx)
    settings = settings_of(ctx)
    if erased:
        settings = replace(settings, environment={**settings.environment, environment_name("ingest.erased"): "true"})
    with OpenStore(settings) as opened, NewWorkspaces(opened) as created:
        memory = _memory_for(opened, created, paths, kind)
        found, unreadable = find_files(memory, paths, kind)
        refused = [ImportResult(skipped=[each]) for each in unreadable]
        wanted = times_first([each for files in found.values() for each in files])
        if refused and not wanted:
            _report([], refused, as_json)
            ctx.exit(SKIPPED_SOME)
        if not change_timeline:
            memory = _check_timeline(ctx, created, memory, found)
        if options is not None and options.dry_run and not all(each.format.import_chats for each in wanted):
            ctx.exit(SKIPPED_SOME if _try_files(memory, wanted, refused, as_json) else 0)
        before = _count_facts(memory)
        taken = [_ingest_file(memory, each, options) for each in wanted]
        is_trial = options is not None and options.dry_run
        new_facts = None if is_trial else _count_facts(memory) - before
        _index(memory, vectors=vectors)
    if not wanted and not refused:
        click.echo("recollect: there is no file to read in the folder", err=True)
    _report(taken, refused, as_json, new_facts)
    if is_trial and not as_json:
        click.echo("Nothing was stored.")
    ctx.exit(_exit_code(taken) or (SKIPPED_SOME if refused else 0))


def _count_facts(memory: "Memory") -> int:
    """How many facts there are, as `recollect status` counts them."""
    with memory.read() as view:
        return view.counts()["facts"]


def _memory_for(opened: "OpenStore", created: NewWorkspaces, paths: Sequence[Path], kind: str | None) -> "Memory":
    """The memory of the workspace; one that is missing is created for a world."""
    from recollect.memory import UnknownWorkspace

    try:
        return opened.memory("ingest")
    except UnknownWorkspace:
        if not _defines_world(opened.workspace(DEFAULT_WORKSPACE), paths, kind):
            raise
    return created.create(opened.local.workspace).as_actor("cli", "ingest")


def _defines_world(memory: "Memory", paths: Sequence[Path], kind: str | None) -> bool:
    from recollect.importers.formats import WORLD_FORMATS
    from recollect.importers.import_plan import find_files
    from recollect.importers.timeline_guard import defines_times

    found, _ = find_files(memory, paths, kind)
    files = (each for files in found.values() for each in files)
    return any(defines_times(each.path) for each in files if each.format.name in WORLD_FORMATS)


def _check_timeline(
    ctx: click.Context, created: NewWorkspaces, memory: "Memory", found: "dict[Path, list[PlannedFile]]"
) -> "Memory":
    """The memory to write to. A file that would change its timeline goes into a new workspace, if the user agrees."""
    from recollect.importers.formats import WORLD_FORMATS
    from recollect.importers.timeline_guard import WouldChangeTimeline, check_timeline

    try:
        for given, files in found.items():
            check_timeline(memory, given, [each.path for each in files if each.format.name in WORLD_FORMATS])
    except WouldChangeTimeline as problem:
        click.echo(f"recollect: {problem}", err=True)
        if not _agrees(f"Create the workspace {problem.proposed!r} and ingest there?"):
            ctx.exit(SKIPPED_SOME)
        return created.create(problem.proposed).as_actor("cli", "ingest")
    return memory


def _agrees(question: str) -> bool:
    """The answer of a person; without one at a terminal, no."""
    return sys.stdin.isatty() and click.confirm(question, err=True)


def _exit_code(taken: "list[ImportResult]") -> int:
    chats = report_of(taken)
    if chats is not None and is_nothing_read(chats):
        return NOTHING_READ
    return SKIPPED_SOME if any(each.skipped for each in taken) else 0


def _ingest_file(memory: "Memory", file: "PlannedFile", options: "ChatImportOptions | None") -> "ImportResult":
    from recollect.importers.import_plan import import_planned

    with progress_bar(file.path.name, "B") as tell:
        return import_planned(memory, file, tell, options)


def _try_files(memory: "Memory", wanted: "list[PlannedFile]", refused: "list[ImportResult]", as_json: bool) -> bool:
    """Report what an import would do, by one that is rolled back; whether it would skip anything."""
    from recollect.importers.import_plan import ImportPlan, try_import

    plan = ImportPlan(tuple(wanted), tuple(one for each in refused for one in each.skipped))
    outcome = try_import(memory, plan, lambda _: None)
    is_skipping = any(each.skipped for each in (*outcome.results, *refused))
    if as_json:
        show_json(_trial_counts(outcome, refused))
        return is_skipping
    for file, taken in zip(wanted, outcome.results, strict=False):
        tally = taken.tally
        click.echo(f"{file.name}: {file.format.name}, {tally.changed} new or changed, {tally.facts} facts")
    if outcome.is_partial:
        click.echo("This is the beginning only: trying all of it would keep other programs waiting.")
    for learned in outcome.sample:
        click.echo(f"  {learned.text}")
    click.echo("Nothing was stored.")
    print_problems([*outcome.results, *refused])
    return is_skipping


def _trial_counts(outcome: "ImportOutcome", refused: "list[ImportResult]") -> dict[str, Any]:
    from recollect.importers.import_counts import import_counts

    return {
        "dry_run": True,
        "is_partial": outcome.is_partial,
        "new": outcome.new,
        "sample": [each.text for each in outcome.sample],
        **import_counts([*outcome.results, *refused]),
        "facts": outcome.new["facts"],
    }


def _index(memory: "Memory", *, vectors: bool) -> None:
    """Complete the indexes, so that no read has to; vectors only on request."""
    from recollect.indexing import index_all

    with progress_bar("embedding", "passage") as tell:
        problem = index_all(memory, tell, vectors=vectors)
    if problem:
        click.echo(f"recollect: {problem}", err=True)


def _report(
    taken: "list[ImportResult]", refused: "list[ImportResult]", as_json: bool, new_facts: int | None = None
) -> None:
    from recollect.importers.import_counts import import_counts

    chats = report_of(taken)
    if chats is not None:
        chats["skipped"] += [
            {"file": one.file, "line": one.line, "index": None, "id": None, "reason": one.reason}
            for each in refused
            for one in each.skipped
        ]
    taken = [*taken, *refused]
    counts = import_counts(taken)
    counts["facts"] = counts["facts"] if new_facts is None else new_facts
    if as_json:
        # Of chats more is known: their conversations, and the memories of their days.
        show_json(dict(counts) if chats is None else {**chats, **counts, "skipped": chats["skipped"]})
        return
    numbers = {key: len(value) if isinstance(value, list) else value for key, value in counts.items()}
    show(numbers if chats is None else {**format_report(chats), "facts": counts["facts"]}, as_json=False)
    print_folders(taken)
    print_problems(taken)


def print_folders(taken: "list[ImportResult]") -> None:
    """Print one line for each of several folders, with what its files state, and for any with times that wait.

    What rules derive from all of them together is in the count of facts alone.
    """
    folders: dict[str, list[FileReport]] = {}
    for file in (one for each in taken for one in each.files):
        folders.setdefault(str(Path(file.path).parent), []).append(file)
    for folder, files in folders.items():
        stated, pending = sum(each.facts for each in files), sum(each.pending for each in files)
        waiting = f", {pending} with a time that could not be read" if pending else ""
        if len(folders) > 1 or pending:
            click.echo(f"{folder}: {len(files)} files, {stated} facts stated in them{waiting}", err=True)


def print_problems(taken: "list[ImportResult]") -> None:
    """Print skipped lines and warnings to stderr, one per line; of many that a file has for one reason, the first."""
    for each in taken:
        alike = Counter[tuple[str, str]]()
        for one in each.skipped:
            alike[one.file, one.reason] += 1
            place = f"{one.file}:{one.line}" if one.line else one.file
            if alike[one.file, one.reason] <= MOST_ALIKE:
                click.echo(f"{place}: {one.reason}", err=True)
        for (file, reason), count in alike.items():
            if count > MOST_ALIKE:
                click.echo(f"{file}: {count - MOST_ALIKE} more lines: {reason}; --json lists them all", err=True)
        for kept in each.text_only:
            click.echo(f"{kept.file}: stored as text only: {kept.reason}", err=True)
    for warning in (one for each in taken for one in each.warnings):
        click.echo(f"recollect: {warning}", err=True)


@click.command("watch")
@click.argument("paths", nargs=-1, required=True)
@click.option("--every", type=click.FloatRange(min=0.1), default=5.0, show_default=True, help="Seconds between scans.")
@click.option("--once", is_flag=True, help="Scan once and return.")
@click.option("--ca", "authority", metavar="FILE", help="Certificates that a mail server may have, too.")
@standard_options
def watch_command(
    ctx: click.Context, paths: tuple[str, ...], every: float, once: bool, authority: str | None, as_json: bool
) -> None:
    """Import new and changed files under PATHS, and new mail of imaps://USER@HOST/MAILBOX, until interrupted.

    With --json, one line per imported file. The password of a mailbox is read from RECOLLECT_IMAP_PASSWORD or the
    system keyring; its messages are not marked as read. A server whose certificate no public authority signed needs
    --ca.
    """
    from contextlib import ExitStack
    from threading import Event

    from recollect.importers.path_watcher import PathWatcher

    folders, mailboxes = _watched_paths(paths), _watched_mailboxes(ctx, paths, authority)
    pause = Event()
    with store_of(ctx) as opened, ExitStack() as connections:
        memory = opened.memory("ingest")
        watch = PathWatcher(folders)
        for mailbox in mailboxes:
            connections.callback(mailbox.close)
        while True:
            for path, taken in watch.poll(memory):
                _print_progress(str(path), taken, as_json)
            for mailbox in mailboxes:
                try:
                    for taken in mailbox.poll(memory):
                        _print_progress(mailbox.address.name, taken, as_json)
                except Unavailable as failure:
                    if once:
                        raise
                    click.echo(f"recollect: {failure}", err=True)
            if once:
                return
            _wait(pause, folders, mailboxes, every)


SECONDS_IDLE = 25 * 60
"""Servers end an IDLE after half an hour."""
SECONDS_BETWEEN_POLLS = 60


def _wait(pause: "Event", folders: Sequence[Path], mailboxes: "Sequence[ImapWatcher]", every: float) -> None:
    """Wait for the next scan; a single mailbox is not asked again before its server says that there is new mail."""
    if folders:
        pause.wait(every)
    elif len(mailboxes) != 1 or not mailboxes[0].wait(SECONDS_IDLE):
        pause.wait(max(every, SECONDS_BETWEEN_POLLS))


def _watched_paths(given: Sequence[str]) -> list[Path]:
    from recollect.importers.imap import is_mail_address

    paths = [Path(each) for each in given if not is_mail_address(each)]
    for each in paths:
        if not each.exists():
            raise click.BadParameter(f"Path {str(each)!r} does not exist.", param_hint="'PATHS...'")
    return paths


def _watched_mailboxes(ctx: click.Context, given: Sequence[str], given_authority: str | None) -> "list[ImapWatcher]":
    from functools import partial

    from recollect.importers.imap import (
        AUTHORITY_SETTING,
        ImapWatcher,
        is_mail_address,
        mail_password,
        read_mail_address,
    )

    addresses = [read_mail_address(each) for each in given if is_mail_address(each)]
    settings = settings_of(ctx)
    authority = given_authority or settings.text(AUTHORITY_SETTING)
    return [ImapWatcher(each, partial(mail_password, each, settings), authority) for each in addresses]


def _print_progress(path: str, taken: "ImportResult", as_json: bool) -> None:
    from recollect.importers.import_counts import import_counts

    if as_json:
        click.echo(json.dumps({"path": path, **import_counts([taken])}, ensure_ascii=False))
        return
    tally = taken.tally
    click.echo(f"{path}: {tally.changed} new or changed, {tally.facts} facts, {len(taken.skipped)} skipped")
    print_problems([taken])
