"""A message of a session, and what is common to the files of all agents."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

Role = Literal["user", "assistant"]
Json = Mapping[str, Any]
_EDITING_TOOLS = frozenset("edit write multiedit notebookedit apply_patch replace write_file edit_file".split())
_SHELL_TOOLS = frozenset("bash shell local_shell exec_command run_shell_command".split())
_PATH_KEYS = ("file_path", "notebook_path", "path", "absolute_path")


@dataclass(frozen=True, slots=True)
class AgentMessage:
    """One message: its text, the files and commands of its tool calls, and how much tools returned."""

    id: str
    role: Role
    text: str = ""
    at: str | None = None
    session: str = ""
    folder: str | None = None
    files: tuple[str, ...] = ()
    commands: tuple[str, ...] = ()
    output_bytes: int = 0
    is_prompt: bool = False
    """Whether a person wrote it, and so a turn begins."""
    paths: tuple[str, ...] = ()
    """All paths that its tool calls name, be it to change, to read or to search them."""


def blocks_of(content: Any) -> list[dict[str, Any]]:
    """The content of a message as blocks; plain text is one block."""
    if isinstance(content, str):
        return [{"type": "text", "text": content}]
    return [block for block in content if isinstance(block, dict)] if isinstance(content, list) else []


def texts_of(blocks: Iterable[Json]) -> list[str]:
    """The texts of blocks; an agent's thoughts are none."""
    return [each["text"] for each in blocks if isinstance(each.get("text"), str) and not each.get("thought")]


def text_or_none(value: Any) -> str | None:
    return value if isinstance(value, str) and value else None


def calls_of(calls: Iterable[tuple[str | None, Any]]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The files that tool calls change, and the commands they run."""
    files: list[str] = []
    commands: list[str] = []
    for name, given in calls:
        arguments = given if isinstance(given, dict) else {}
        if (name or "").lower() in _EDITING_TOOLS:
            files += [path for key in _PATH_KEYS if isinstance(path := arguments.get(key), str)]
            files += _patched_files(arguments.get("patch"))
        elif (name or "").lower() in _SHELL_TOOLS:
            command = arguments.get("command") or arguments.get("cmd")
            commands += [" ".join(map(str, command)) if isinstance(command, list) else str(command)] if command else []
    return tuple(files), tuple(commands)


def paths_of(given: Iterable[Any]) -> tuple[str, ...]:
    """The paths among the arguments of tool calls."""
    known = [each for each in given if isinstance(each, dict)]
    return tuple(path for each in known for key in _PATH_KEYS if isinstance(path := each.get(key), str))


def _patched_files(patch: Any) -> list[str]:
    marks = ("*** Update File: ", "*** Add File: ", "*** Delete File: ")
    lines = patch.splitlines() if isinstance(patch, str) else []
    return [line.removeprefix(mark).strip() for line in lines for mark in marks if line.startswith(mark)]
