"""`recollect expert`: list, check and create experts."""

from pathlib import Path
from typing import Any

import click

from recollect.serve.cli.main import settings_of, standard_options
from recollect.serve.cli.output import show_rows


@click.group("expert")
def expert_command() -> None:
    """Experts: Python packages that know one kind of record well."""


@expert_command.command("list")
@standard_options
def list_experts(ctx: click.Context, as_json: bool) -> None:
    """Installed experts, the record types they own, and why one is not loaded."""
    from recollect.ingest.experts.registry import load_experts

    found = load_experts(settings_of(ctx))
    rows: list[dict[str, Any]] = [
        {
            "name": each.manifest.name,
            "version": each.manifest.version,
            "record_types": ", ".join(each.manifest.record_types),
            "problem": None,
        }
        for each in found.loaded
    ]
    rows += [
        {"name": name, "version": None, "record_types": None, "problem": why} for name, why in found.problems.items()
    ]
    show_rows(rows, as_json, "no experts are installed")


@expert_command.command("check")
@click.argument("what", required=False)
@standard_options
def check(ctx: click.Context, what: str | None, as_json: bool) -> None:
    """Check the expert in the folder WHAT, or the installed one of that name; without it, all installed ones.

    Exit code 1 if one cannot be loaded.
    """
    from recollect.ingest.experts.registry import load_experts
    from recollect.ingest.experts.scaffold import entry_points_in

    settings = settings_of(ctx)
    if what is not None and Path(what).is_dir():
        with entry_points_in(Path(what)) as points:
            found = load_experts(settings, points)
    else:
        found = load_experts(settings)
    rows: list[dict[str, Any]] = [
        {"name": each.manifest.name, "ok": True, "detail": f"reads {', '.join(each.manifest.record_types)}"}
        for each in found.loaded
    ]
    rows += [{"name": name, "ok": False, "detail": why} for name, why in found.problems.items()]
    if what is not None and not Path(what).is_dir():
        rows = [row for row in rows if row["name"] == what] or [
            {"name": what, "ok": False, "detail": "no such folder, and no expert of that name is installed"}
        ]
    show_rows(rows, as_json, "no experts are installed")
    ctx.exit(0 if all(row["ok"] for row in rows) else 1)


@expert_command.command("new")
@click.argument("name")
@click.option(
    "--into", type=click.Path(file_okay=False, path_type=Path), default=Path(), help="Where to put the folder."
)
def new(name: str, into: Path) -> None:
    """Create an expert: a folder expert-NAME with an installable package."""
    from recollect.ingest.experts.scaffold import create_expert

    for path in create_expert(name, into):
        click.echo(path)
