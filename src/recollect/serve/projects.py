"""The project that a folder belongs to, and the workspace that has its memory: one rule for hooks and servers.

Standard library only: a hook loads it for every prompt.
"""

import hashlib
import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

PROJECT_FILE = ".recollect.toml"
_ONE_NAME = re.compile(r'workspace = "([\w .-]*)"\n?')
"""What most such files say; loading the parser takes longer than reading a store."""
_NOT_IN_NAMES = re.compile(r"[^a-z0-9]+")


class Project(NamedTuple):
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
    try:
        text = file.read_text("utf-8")
        plain = _ONE_NAME.fullmatch(text)
        found = plain[1] if plain is not None else _parse_toml(text).get("workspace")
    except (ValueError, OSError):
        return None
    return found if isinstance(found, str) and found.strip() else None


def _parse_toml(text: str) -> dict[str, object]:
    import tomllib

    return tomllib.loads(text)


def _workspace_of(root: Path) -> str:
    """The name of the folder with a part of the hash of its path: two repositories of one name stay apart."""
    slug = _NOT_IN_NAMES.sub("-", root.name.lower()).strip("-") or "project"
    return f"{slug[:40]}-{hashlib.sha256(str(root).encode('utf-8', 'replace')).hexdigest()[:6]}"


def folder_of_session(environment: Mapping[str, str] = os.environ) -> str:
    """The folder that a client works in: what Claude Code tells the servers it starts, else the current one."""
    return environment.get("CLAUDE_PROJECT_DIR") or str(Path.cwd())
