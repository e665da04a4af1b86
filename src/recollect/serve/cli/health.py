"""`recollect status`, `doctor` and `check`: how the store, the program and the facts are."""

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from recollect.serve.cli.main import given_options, settings_of, standard_options, store_of
from recollect.serve.cli.output import progress_bar, show, show_json, show_rows

if TYPE_CHECKING:
    from collections.abc import Iterator

    from recollect.memory import Memory
    from recollect.reason.checks.findings import FindingId, FindingPage, FindingSeverity


NAME_WIDTH = 10


@click.command("status")
@standard_options
def status_command(ctx: click.Context, as_json: bool) -> None:
    """Count the contents of this workspace."""
    with store_of(ctx) as opened:
        memory = opened.memory("status")
        # A store that does not answer is told before the rest is loaded.
        from recollect.indexing import count_pending_texts
        from recollect.ingest.extract.record_reader import backlog_status
        from recollect.ingest.stored_trust import count_unassessed
        from recollect.serve.workspace_settings import describe_workspace

        with memory.read() as view:
            where = {"db": opened.address, "engine": memory.engine.name, "workspace": view.workspace.name}
            about = {key: value for key, value in describe_workspace(view).items() if key not in ("name", "settings")}
            records = backlog_status(view)
            listed = {
                "records_waiting": records.waiting,
                "texts_waiting": count_pending_texts(view, memory.embedder),
                "documents_to_assess": count_unassessed(view),
                "records_failed": records.failed,
                "records_uncertain": records.uncertain,
            }
            pending = {key: count for key, count in listed.items() if count}
            show(where | about | dict(view.counts()) | pending, as_json)


@click.command("doctor")
@click.option("--full", is_flag=True, help="Check every index of the file against its table; slow for a large store.")
@click.option(
    "--repair",
    metavar="NEW",
    type=click.Path(path_type=Path),
    help="Save all that can be read of a damaged store in a new file.",
)
@standard_options
def doctor_command(ctx: click.Context, full: bool, repair: Path | None, as_json: bool) -> None:
    """Check that everything Recollect needs is present and works. Exit code 1 if not."""
    from recollect.serve.doctor import examine

    if repair is not None:
        _repair(ctx, repair, as_json)
        return
    found: list[dict[str, Any]] = []
    for each in examine(settings_of(ctx), full=full):
        found.append({"check": each.name, "ok": each.ok, "detail": each.detail})
        if not as_json:
            # At once: a store that does not answer is told before the rest is loaded.
            click.echo(f"{each.name:<{NAME_WIDTH}}  {'ok' if each.ok else 'FAILED':<6}  {each.detail}")
    if as_json:
        show_json(found)
    ctx.exit(0 if all(each["ok"] for each in found) else 1)


def _repair(ctx: click.Context, target: Path, as_json: bool) -> None:
    from recollect.keep.store_checks import repair_store
    from recollect.serve.cli.backup import other_store, require_file
    from recollect.serve.open_store import OpenStore
    from recollect.store.file_copies import FileExists
    from recollect.store.salvage import damaged_store

    settings = settings_of(ctx)
    if target.exists():
        raise FileExists(target)
    file = require_file(OpenStore(settings), "doctor --repair")
    with damaged_store(file) as damaged, OpenStore(other_store(settings, target)) as opened:
        found = repair_store(damaged, opened.memory("doctor"))
    lost = [each for each in found if each.lost != 0]
    for each in lost:
        count = "an unknown number of" if each.lost is None else each.lost
        click.echo(f"recollect: {each.workspace}: {count} rows of {each.table} could not be read", err=True)
    tokens = "tokens are not copied; create new ones with: recollect token create"
    click.echo(f"recollect: {target} has what could be read; {tokens}", err=True)
    show_rows([each._asdict() for each in found], as_json)
    ctx.exit(1 if lost else 0)


MAX_ERRORS_PRINTED = 100
MAX_WARNINGS_PRINTED = 20


@click.command("check")
@click.argument("scope", default="all")
@standard_options
def check_command(ctx: click.Context, scope: str, as_json: bool) -> None:
    """Run the consistency rules over everything, or over SCOPE: entity:NAME or era:TIME.

    Exit code 1 if there are open errors that are not flagged.
    """
    from recollect.surfaces.lore_engine.consistency_checks import run_check

    with store_of(ctx) as opened, progress_bar("checking", "entity") as tell:
        memory = replace(opened.memory("check"), report_progress=tell)
        run = run_check(memory, scope)
        errors, warnings = (
            _findings(memory, "error", MAX_ERRORS_PRINTED),
            _findings(memory, "warn", MAX_WARNINGS_PRINTED),
        )
        lines = [] if as_json else list(_lines(memory, errors, warnings, given_options(ctx)))
    if as_json:
        show_json(run)
    else:
        click.echo("".join(f"{line}\n" for line in lines), nl=False)
        _show(run)
    ctx.exit(1 if errors.total else 0)


def _findings(memory: "Memory", severity: "FindingSeverity", limit: int) -> "FindingPage":
    """The first open findings that are not flagged, and their number."""
    from recollect.reason.checks.findings import list_findings
    from recollect.store.finding_queries import FindingQuery

    with memory.read() as view:
        wanted = FindingQuery(["contradiction", "anachronism", "ontology", "orphan"], severity=severity)
        return list_findings(view, wanted, limit)


def _lines(memory: "Memory", errors: "FindingPage", warnings: "FindingPage", options: str) -> "Iterator[str]":
    """The findings as they are printed, with the months and eras of an invented world by name."""
    from recollect.when.format import readable_times_in

    with memory.read() as view:
        timeline = view.world.timeline
    for each in errors.items:
        yield readable_times_in(f"error  {each.finding.rule}: {each.finding.message}", timeline)
        for reason in _reasons(memory, each.finding.id, options):
            yield readable_times_in(f"         {reason}", timeline)
    yield from _more_line(errors, "errors")
    for each in warnings.items:
        yield readable_times_in(f"warn   {each.finding.rule}: {each.finding.message}", timeline)
    yield from _more_line(warnings, "warnings")


def _more_line(page: "FindingPage", what: str) -> list[str]:
    more = page.total - len(page.items)
    return [f"…      and {more} more {what}"] if more > 0 else []


def _reasons(memory: "Memory", finding: "FindingId", options: str) -> list[str]:
    """What was compared, which facts may be wrong, each with its source, and what settles it."""
    from recollect.reason.checks.findings import format_finding_id
    from recollect.surfaces.lore_engine.findings import explain_violation

    explained = explain_violation(memory, format_finding_id(finding))
    edges = explained["edges"]
    role = "may be wrong" if len(edges) > 1 else "rests on"
    facts = [f"{role}: {each['text']} ({', '.join(each['sources']) or 'no source'}) [{each['id']}]" for each in edges]
    why = [each for each in explained["why"] if each not in explained["message"]]
    named = edges[0]["id"] if len(edges) == 1 else "FACT"
    return [*why, *facts, *([f"settle it: recollect correct {named} --mode wrong{options}"] if facts else [])]


def _show(run: dict[str, Any]) -> None:
    totals = ", ".join(f"{count} {name.replace('_', ' ')}" for name, count in run["totals"].items())
    looked_at = f"{run['entities_checked']} entities and {run['relations_checked']} relations"
    click.echo(f"{looked_at} by {run['rules_run']} rules: {totals}")
    click.echo(f"{run['opened']} opened, {run['resolved']} resolved, {run['unchanged']} unchanged")
    for problem in run["errors"]:
        click.echo(f"{problem['rule_id']} did not run: {problem['message']}", err=True)
