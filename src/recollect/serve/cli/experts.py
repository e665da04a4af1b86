"""`recollect expert`: list, check and create experts, a new one from a scaffold."""

import re
import sys
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any

import click

from recollect.errors import Refused
from recollect.ingest.experts.registry import ENTRY_POINT_GROUP
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

    for path in create_expert(name, into):
        click.echo(path)


_NAME = re.compile(r"[a-z][a-z0-9-]*")

PYPROJECT_TEMPLATE = """[build-system]
requires = ["hatchling"]
build-backend = "hatchling.build"

[project]
name = "recollect-expert-{name}"
version = "0.1.0"
description = "Reads {type} records for Recollect"
requires-python = ">=3.11"
dependencies = []

[project.entry-points."{group}"]
{name} = "{package}:EXPERT"

[tool.hatch.build.targets.wheel]
packages = ["src/{package}"]
"""

CODE_TEMPLATE = '''"""Reads `{type}` records."""

from typing import Any, ClassVar


class Expert:
    """What Recollect asks: a manifest, and what a record says."""

    manifest: ClassVar[dict[str, Any]] = {{
        "name": "{name}",
        "version": "0.1.0",
        "source_type": "{name}",
        "record_types": ["{type}"],
        "description": "Reads {type} records.",
    }}

    def extract(self, record: dict[str, Any], context: dict[str, Any]) -> dict[str, list[Any]]:
        """Entities and facts in bundle form; a quote has to stand in the record's title or content."""
        del record, context
        return {{"entities": [], "facts": []}}


EXPERT = Expert()
'''

README_TEMPLATE = """# recollect-expert-{name}

An expert that reads `{type}` records.

    recollect expert check .
    pip install -e .
    recollect expert list
"""


class BadExpertFolder(Refused):
    code = "bad_expert_folder"


def create_expert(name: str, into: Path) -> list[Path]:
    """Write the files of a new expert; existing files are not overwritten."""
    if not _NAME.fullmatch(name):
        raise BadExpertFolder("a name is lower-case letters, digits and hyphens", field="name")
    folder = into / f"expert-{name}"
    if folder.exists():
        raise BadExpertFolder(f"{folder} already exists", field="name")
    words = {"name": name, "package": f"recollect_expert_{name.replace('-', '_')}", "group": ENTRY_POINT_GROUP}
    words["type"] = name.replace("-", "_")
    files = {
        folder / "pyproject.toml": PYPROJECT_TEMPLATE,
        folder / "README.md": README_TEMPLATE,
        folder / "src" / words["package"] / "__init__.py": CODE_TEMPLATE,
    }
    for path, text in files.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text.format(**words), "utf-8")
    return list(files)


@contextmanager
def entry_points_in(folder: Path) -> Iterator[list[EntryPoint]]:
    """The entry points that a folder declares, with its code importable."""
    try:
        project = tomllib.loads((folder / "pyproject.toml").read_text("utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as problem:
        raise BadExpertFolder(f"{folder} has no pyproject.toml that can be read") from problem
    declared = project.get("project", {}).get("entry-points", {}).get(ENTRY_POINT_GROUP, {})
    if not declared:
        raise BadExpertFolder(f"{folder} declares no entry point in the group {ENTRY_POINT_GROUP}")
    ahead = [str(each) for each in (folder / "src", folder) if each.is_dir()]
    sys.path[:0] = ahead
    try:
        yield [EntryPoint(name, value, ENTRY_POINT_GROUP) for name, value in declared.items()]
    finally:
        for each in ahead:
            sys.path.remove(each)
