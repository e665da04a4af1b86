"""What connecting or disconnecting a client would change on a machine, and making that change."""

import difflib
import os
import re
import shutil
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from recollect.atomic_file import atomic_write
from recollect.errors import Conflict, Refused
from recollect.serve.clients import configuration_files
from recollect.serve.clients.declarations import Client
from recollect.serve.clients.jsonc import UnreadableConfiguration
from recollect.serve.clients.launch import Launch, entry, with_kept_keys
from recollect.settings import MASK

_VARIABLE = re.compile(r"\$\{(\w+):-([^}]*)\}")


@dataclass(frozen=True, slots=True)
class Machine:
    """Where templates of paths are filled in."""

    home: Path
    platform: str = sys.platform
    environment: Mapping[str, str] = field(default_factory=dict)

    def path(self, template: str) -> Path:
        filled = _VARIABLE.sub(lambda found: self.environment.get(found[1]) or found[2], template)
        if filled == "~" or filled.startswith("~/"):
            return self.home / filled[2:]
        return Path(filled)

    def user_file(self, client: Client) -> Path | None:
        for each in client.elsewhere.get(self.platform, ()):
            pattern = self.path(each)
            for folder in sorted(Path(pattern.anchor).glob(str(pattern.parent.relative_to(pattern.anchor)))):
                return folder / pattern.name
        template = client.user_file.get(self.platform) or client.user_file.get("linux")
        return None if template is None else self.path(template)

    def which(self, command: str) -> str | None:
        return shutil.which(command, path=self.environment.get("PATH", os.defpath))

    def has(self, client: Client) -> bool:
        """Whether the client seems to be installed: its files, its folder, or its command."""
        file = self.user_file(client)
        if file is not None and _is_of_client(client, file, self.home):
            return True
        return any(self.path(each).exists() for each in client.traces) or any(map(self.which, client.commands))


def _is_of_client(client: Client, file: Path, home: Path) -> bool:
    """Whether a configuration file or its folder is there, and not only because we made it."""
    if not file.exists():
        return file.parent != home and file.parent.is_dir()
    if not _is_only_ours(client, file):
        return True
    return file.parent != home and any(each != file for each in file.parent.iterdir())


def _is_only_ours(client: Client, file: Path) -> bool:
    entry = read_state(client, file).entry
    try:
        return entry is not None and _content(file) == _add(client, file, None, entry)
    except UnreadableConfiguration:
        return False


def this_machine() -> Machine:
    return Machine(Path.home(), sys.platform, os.environ)


BACKUP_SUFFIX = ".recollect-backup"
State = Literal["connected", "not connected", "unreadable", "printed"]


class NoProjectFile(Refused):
    def __init__(self, client: Client) -> None:
        super().__init__(f"{client.title} has no configuration per project; leave --project out", field="project")


class ChangedMeanwhile(Conflict):
    def __init__(self, path: Path) -> None:
        super().__init__(f"{path} was changed meanwhile; nothing was written, run the command again")


@dataclass(frozen=True, slots=True)
class FileChange:
    """One file as it is and as it would be; None where there is no file."""

    path: Path
    before: bytes | None
    after: bytes | None
    on_backup: Literal["write", "keep", "drop"] = "write"
    root: Path | None = None
    """Of the user or the project: folders below it that are empty without the file are removed with it."""
    secrets: tuple[str, ...] = ()
    """What it writes that nobody else may read: it is not shown, and the file becomes its owner's alone."""

    @property
    def is_empty(self) -> bool:
        return self.before == self.after

    @property
    def restores(self) -> bool:
        """Whether the file becomes what it was before the first change."""
        return _content(self.backup) == self.after

    @property
    def backup(self) -> Path:
        return backup_of(self.path)

    def diff(self) -> str:
        lines = difflib.unified_diff(
            configuration_files.decode(self.before).splitlines(),
            configuration_files.decode(self.after).splitlines(),
            str(self.path) if self.before is not None else "/dev/null",
            str(self.path) if self.after is not None else "/dev/null",
            lineterm="",
        )
        shown = "\n".join(lines)
        for secret in self.secrets:
            shown = shown.replace(secret, MASK)
        return shown


def backup_of(path: Path) -> Path:
    return path.with_name(path.name + BACKUP_SUFFIX)


def configuration_file(client: Client, machine: Machine, project: Path | None = None) -> Path:
    """The file to edit; where it is a symbolic link, its target, so that the link stays."""
    if project is not None and client.project_file is None:
        raise NoProjectFile(client)
    path = machine.user_file(client) if project is None else project / str(client.project_file)
    assert path is not None, "clients that are only printed have no file"
    try:
        return path.resolve() if path.is_symlink() else path
    except (OSError, RuntimeError):
        raise UnreadableConfiguration(f"{path} is a symbolic link that leads nowhere; nothing was changed") from None


def plan(client: Client, machine: Machine, launch: Launch, project: Path | None = None) -> FileChange:
    """The change that connects a client; empty if it is connected in this very way."""
    path = configuration_file(client, machine, project)
    before = _content(path)
    known = read_state(client, path).entry
    after = _add(client, path, before, with_kept_keys(entry(client, launch), known))
    is_update = known is not None and backup_of(path).exists()
    secrets = tuple(launch.secrets.values())
    return FileChange(path, before, after, "keep" if is_update else "write", secrets=secrets)


def plan_removal(client: Client, machine: Machine, project: Path | None = None) -> FileChange:
    """The change that disconnects a client.

    A file that is still as `plan` left it becomes what it was, byte for byte; otherwise only the entry is removed.
    """
    path = configuration_file(client, machine, project)
    current, saved = _content(path), _content(backup_of(path))
    if read_state(client, backup_of(path)).entry is not None:
        saved = None  # it has our entry itself: going back to it would leave us connected
    found = read_state(client, path)
    if found.state == "unreadable":
        raise UnreadableConfiguration(f"{path}: {found.problem}; nothing was changed: mend the file and try again")
    if current is None or found.entry is None:
        return FileChange(path, current, current, "drop")
    if current == _add(client, path, saved, found.entry):
        return FileChange(path, current, saved, "drop", project or machine.home)
    with _naming(path):
        return FileChange(path, current, _without(client, configuration_files.decode(current), saved), "drop")


def _without(client: Client, text: str, saved: bytes | None) -> bytes | None:
    if configuration_files.is_same_without_entry(client, text, configuration_files.decode(saved)):
        return saved
    had_container = saved is not None and configuration_files.has_container(client, configuration_files.decode(saved))
    return configuration_files.remove_entry(client, text, with_container=not had_container).encode()


@dataclass(frozen=True, slots=True)
class ClientState:
    """Whether and how a client is connected."""

    state: State
    entry: dict[str, Any] | None = None
    problem: str = ""


def read_state(client: Client, path: Path) -> ClientState:
    try:
        found = configuration_files.read_entry(client, configuration_files.decode(_content(path)))
    except (OSError, UnreadableConfiguration) as problem:
        return ClientState("unreadable", problem=str(problem))
    return ClientState("not connected") if found is None else ClientState("connected", found)


def apply(change: FileChange) -> None:
    """Write the file atomically, with a backup of what was there before the first change."""
    if _content(change.path) != change.before:
        raise ChangedMeanwhile(change.path)
    write_backup(change)
    if change.after is None:
        change.path.unlink()
    else:
        change.path.parent.mkdir(parents=True, exist_ok=True)
        _write(change.path, change.after, None if change.secrets else change.path)
    if change.on_backup == "drop":
        change.backup.unlink(missing_ok=True)
    if change.after is None:
        _remove_empty_folders(change)


def _remove_empty_folders(change: FileChange) -> None:
    """Else a client whose folder only we had made would count as installed."""
    for folder in change.path.parents:
        if change.root is None or change.root not in folder.parents or any(folder.iterdir()):
            return
        folder.rmdir()


def write_backup(change: FileChange) -> None:
    """Save the file as it is, unless a backup from before the first change is there."""
    if change.on_backup == "write" and change.before is not None:
        _write(change.backup, change.before, change.path)


def _add(client: Client, path: Path, content: bytes | None, entry: dict[str, Any]) -> bytes:
    with _naming(path):
        return configuration_files.set_entry(client, configuration_files.decode(content), entry).encode()


@contextmanager
def _naming(path: Path) -> Iterator[None]:
    """Adds the path to the message of an unreadable file."""
    try:
        yield
    except UnreadableConfiguration as problem:
        raise UnreadableConfiguration(f"{path}: {problem}; nothing was changed") from None


def _content(path: Path) -> bytes | None:
    return path.read_bytes() if path.exists() else None


def _write(path: Path, content: bytes, like: Path | None) -> None:
    """Write a file with the mode of another; its owner's alone if there is none."""
    with atomic_write(path, like.stat().st_mode & 0o777 if like is not None and like.exists() else 0o600) as file:
        file.write(content)
