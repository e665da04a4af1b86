"""The workspace of a repository: named by `.recollect.toml`, else after the root of the git repository."""

import hashlib
import re
from dataclasses import dataclass
from pathlib import Path

PROJECT_FILE = ".recollect.toml"
_NOT_IN_NAMES = re.compile(r"[^a-z0-9]+")


@dataclass(frozen=True, slots=True)
class Project:
    """A repository: its name, and the workspace that has its memory."""

    name: str
    workspace: str


def find_project(folder: str) -> Project | None:
    """The project that a folder belongs to; none outside of any repository."""
    if not folder:
        return None
    place = Path(folder)
    for each in (place, *place.parents):
        named = _named_workspace(each / PROJECT_FILE)
        if named is not None:
            return Project(each.name, named)
        if (each / ".git").exists():
            return Project(each.name, _workspace_of(each))
    return None


def _named_workspace(file: Path) -> str | None:
    if not file.is_file():
        return None
    import tomllib

    try:
        found = tomllib.loads(file.read_text("utf-8")).get("workspace")
    except (ValueError, OSError):
        return None
    return found if isinstance(found, str) and found.strip() else None


def _workspace_of(root: Path) -> str:
    """The name of the folder with a part of the hash of its path: two repositories of one name stay apart."""
    slug = _NOT_IN_NAMES.sub("-", root.name.lower()).strip("-") or "project"
    return f"{slug[:40]}-{hashlib.sha256(str(root).encode('utf-8', 'replace')).hexdigest()[:6]}"
