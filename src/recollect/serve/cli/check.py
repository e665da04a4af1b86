"""`recollect check`: run the consistency rules."""

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from recollect.serve.cli.main import as_json, settings_of, shared_options
from recollect.serve.cli.output import progress_bar, show_json

if TYPE_CHECKING:
    from recollect.memory import Memory
    from recollect.reason.checks.findings import FindingPage

MAX_ERRORS_PRINTED = 500


@click.command("check")
@click.argument("scope", default="all")
@shared_options
@as_json
@click.pass_context
def check_command(ctx: click.Context, scope: str, as_json: bool) -> None:
    """Run the consistency rules over everything, or over SCOPE: entity:NAME or era:TIME.

    Exit code 1 if there are open errors that are not flagged.
    """
    from recollect.serve.open_store import OpenStore
    from recollect.surfaces.lore_engine.consistency_checks import run_check

    with OpenStore(settings_of(ctx)) as opened, progress_bar("checking", "entity") as tell:
        memory = replace(opened.memory("check"), report_progress=tell)
        run = run_check(memory, scope)
        errors = _errors(memory)
    if as_json:
        show_json(run)
    else:
        _show(run, errors)
    ctx.exit(1 if errors.total else 0)


def _errors(memory: "Memory") -> "FindingPage":
    """The first open errors that are not flagged, and their number."""
    from recollect.reason.checks.findings import FindingQuery, list_findings

    with memory.read() as view:
        wanted = FindingQuery(["contradiction", "anachronism", "ontology", "orphan"], severity="error")
        return list_findings(view, wanted, MAX_ERRORS_PRINTED)


def _show(run: dict[str, Any], errors: "FindingPage") -> None:
    for each in errors.listed:
        click.echo(f"error  {each.finding.rule}: {each.finding.message}")
    if errors.total > len(errors.listed):
        click.echo(f"…      and {errors.total - len(errors.listed)} more errors")
    totals = ", ".join(f"{count} {name.replace('_', ' ')}" for name, count in run["totals"].items())
    looked_at = f"{run['entities_checked']} entities and {run['relations_checked']} relations"
    click.echo(f"{looked_at} by {run['rules_run']} rules: {totals}")
    click.echo(f"{run['opened']} opened, {run['resolved']} resolved, {run['unchanged']} unchanged")
    for problem in run["errors"]:
        click.echo(f"{problem['rule_id']} did not run: {problem['message']}", err=True)
