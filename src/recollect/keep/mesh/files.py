"""Connector `files`: text files inside one folder."""

from collections.abc import Mapping
from pathlib import Path, PurePosixPath, PureWindowsPath

from recollect.keep.mesh.connector import Body, Deadline, Stat, check_size, only_key
from recollect.keep.mesh.problems import FetchFailed, NotThere

TEXT = {
    ".md": "text/markdown",
    ".markdown": "text/markdown",
    ".txt": "text/plain",
    ".text": "text/plain",
    ".log": "text/plain",
    ".rst": "text/plain",
    ".org": "text/plain",
    ".csv": "text/csv",
    ".tsv": "text/tab-separated-values",
    ".json": "application/json",
    ".jsonl": "application/json",
    ".yaml": "application/yaml",
    ".yml": "application/yaml",
    ".toml": "application/toml",
    ".xml": "application/xml",
    ".html": "text/html",
    ".py": "text/x-python",
    ".js": "text/javascript",
    ".ts": "text/x-typescript",
    ".go": "text/x-go",
    ".rs": "text/x-rust",
    ".c": "text/x-c",
    ".h": "text/x-c",
    ".java": "text/x-java",
    ".sql": "text/x-sql",
    ".sh": "text/x-sh",
}


class Files:
    def stat(self, path: Path, keys: Mapping[str, str], _: Deadline) -> Stat:
        return Stat(_target(path, keys).stat().st_size)

    def fetch(self, path: Path, keys: Mapping[str, str], _: Deadline) -> Body:
        target = _target(path, keys)
        check_size(target.stat().st_size)
        mime = TEXT.get(target.suffix.lower())
        if mime is None:
            raise FetchFailed(f"{target.suffix or 'a file without extension'} is no text format that is read here")
        try:
            text = target.read_bytes().decode("utf-8-sig")
        except (UnicodeDecodeError, OSError) as problem:
            raise FetchFailed(f"it is unreadable ({type(problem).__name__})") from None
        if "\0" in text:
            raise FetchFailed("it is no text")
        return Body(target.name, mime, text)


def _target(folder: Path, keys: Mapping[str, str]) -> Path:
    """The file; links are followed first, and what lies outside the folder is not there."""
    given = only_key(keys, "path")
    steps = PurePosixPath(given)
    is_foreign = "\\" in given or PureWindowsPath(given).drive or steps.is_absolute() or ".." in steps.parts
    if is_foreign:
        raise NotThere("a path is relative, with / between its parts, and never leads outside the folder")
    try:
        root = folder.resolve(strict=True)
        target = (root / steps).resolve(strict=True)
    except (OSError, RuntimeError, ValueError):
        raise NotThere(given) from None
    if not target.is_relative_to(root) or not target.is_file():
        raise NotThere(given)
    return target
