"""Scaffold of a new expert package, and the entry points of one that is not installed yet."""

import re
import sys
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.metadata import EntryPoint
from pathlib import Path

from recollect.errors import Refused
from recollect.ingest.experts.registry import ENTRY_POINT_GROUP

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
