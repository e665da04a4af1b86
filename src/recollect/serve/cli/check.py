"""`recollect check`: run the consistency rules."""

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from recollect.serve.cli.main import given_options, standard_options, store_of
from recollect.serve.cli.output import progress_bar, show_json

if TYPE_CHECKING:
    from collections.abc import Iterator

    from recollect.memory import Memory
    from recollect.reason.checks.findings import FindingId, FindingPage, FindingSeverity

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
    from recollect.reason.checks.findings import FindingQuery, list_findings

    with memory.read() as view:
        wanted = FindingQuery(["contradiction", "anachronism", "ontology", "orphan"], severity=severity)
        return list_findings(view, wanted, limit)


def _lines(memory: "Memory", errors: "FindingPage", warnings: "FindingPage", options: str) -> "Iterator[str]":
    """The findings as they are printed, with the months and eras of an invented world by name."""
    from recollect.when.format import readable_times_in

    with memory.read() as view:
        timeline = view.world.timeline
    for each in errors.listed:
        yield readable_times_in(f"error  {each.finding.rule}: {each.finding.message}", timeline)
        for reason in _reasons(memory, each.finding.id, options):
            yield readable_times_in(f"         {reason}", timeline)
    yield from _more_line(errors, "errors")
    for each in warnings.listed:
        yield readable_times_in(f"warn   {each.finding.rule}: {each.finding.message}", timeline)
    yield from _more_line(warnings, "warnings")


def _more_line(page: "FindingPage", what: str) -> list[str]:
    more = page.total - len(page.listed)
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
