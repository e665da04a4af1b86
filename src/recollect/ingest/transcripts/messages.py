"""Messages of session files, whichever agent wrote them."""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any, Literal

from recollect.model.json_limits import json_object

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


def is_transcript(path: Path, head: bytes) -> bool:
    """Whether a file that begins so is a session file of one of the agents."""
    if path.suffix == ".json":
        return path.name.startswith("session-") and b'"sessionId"' in head and b'"messages"' in head
    return path.suffix == ".jsonl" and any(map(_is_own_line, head.split(b"\n")[:20]))


def _is_own_line(line: bytes) -> bool:
    value = json_object(line)
    if value is None:
        return False
    is_claude = isinstance(value.get("sessionId"), str) and isinstance(value.get("type"), str) and "uuid" in value
    is_codex = value.get("type") in ("session_meta", "response_item", "event_msg") and "payload" in value
    return is_claude or is_codex


def read_messages(path: Path) -> Iterator[AgentMessage]:
    """The messages of a session file, in their order; lines that cannot be read are skipped."""
    if path.suffix == ".json":
        yield from _gemini_messages(json_object(path.read_bytes()) or {})
        return
    lines = _lines(path)
    first = next(lines, None)
    if first is None:
        return
    read: Callable[[Iterable[Json], Path], Iterator[AgentMessage]]
    read = _codex_messages if "payload" in first else _claude_messages
    yield from read(chain([first], lines), path)


def _lines(path: Path) -> Iterator[Json]:
    with path.open("rb") as file:
        for line in file:
            value = json_object(line)
            if value is not None:
                yield value


def _claude_messages(lines: Iterable[Json], path: Path) -> Iterator[AgentMessage]:
    for line in lines:
        role, message = line.get("type"), line.get("message")
        if role not in ("user", "assistant") or not isinstance(message, dict) or line.get("isSidechain"):
            continue
        blocks = _blocks(message.get("content"))
        texts = [str(block.get("text", "")) for block in blocks if block.get("type") == "text"]
        calls = [block for block in blocks if block.get("type") == "tool_use"]
        results = [block for block in blocks if block.get("type") == "tool_result"]
        text = "\n".join(texts)
        is_prompt = role == "user" and not results and not line.get("isMeta") and _is_typed(text)
        yield AgentMessage(
            _text(line.get("uuid")) or _text(message.get("id")) or "",
            role,
            text if role == "assistant" or is_prompt else "",
            _text(line.get("timestamp")),
            _text(line.get("sessionId")) or path.stem,
            _text(line.get("cwd")),
            *_calls([(_text(call.get("name")), call.get("input")) for call in calls]),
            sum(len(json.dumps(block.get("content"), ensure_ascii=False)) for block in results),
            is_prompt,
            _paths(call.get("input") for call in calls),
        )


def _codex_messages(lines: Iterable[Json], path: Path) -> Iterator[AgentMessage]:
    session, folder = path.stem, None
    for number, line in enumerate(lines):
        payload = line.get("payload")
        if not isinstance(payload, dict):
            continue
        if line.get("type") == "session_meta":
            session, folder = _text(payload.get("id")) or session, _text(payload.get("cwd"))
        if line.get("type") != "response_item":
            continue
        message = _codex_message(payload, f"{session}:{number}", _text(line.get("timestamp")), session, folder)
        if message is not None:
            yield message


def _codex_message(payload: Json, id_: str, at: str | None, session: str, folder: str | None) -> AgentMessage | None:
    match payload.get("type"):
        case "message":
            text = "\n".join(str(block.get("text", "")) for block in _blocks(payload.get("content")))
            role: Role = "user" if payload.get("role") == "user" else "assistant"
            is_prompt = role == "user" and _is_typed(text)
            shown = text if role == "assistant" or is_prompt else ""
            return AgentMessage(id_, role, shown, at, session, folder, is_prompt=is_prompt)
        case "function_call" | "custom_tool_call" | "local_shell_call":
            given = payload.get("arguments") or payload.get("input") or payload.get("action")
            arguments = (json_object(given.encode()) or {"patch": given}) if isinstance(given, str) else given
            files, commands = _calls([(_text(payload.get("name")) or "shell", arguments)])
            paths = _paths([arguments])
            return AgentMessage(id_, "assistant", "", at, session, folder, files, commands, paths=paths)
        case "function_call_output" | "custom_tool_call_output":
            size = len(json.dumps(payload.get("output"), ensure_ascii=False))
            return AgentMessage(id_, "assistant", "", at, session, folder, output_bytes=size)
        case _:
            return None


def _gemini_messages(document: Json) -> Iterator[AgentMessage]:
    session, messages = _text(document.get("sessionId")) or "", document.get("messages")
    for number, message in enumerate(messages if isinstance(messages, list) else ()):
        if not isinstance(message, dict) or message.get("type") not in ("user", "gemini"):
            continue
        text = "\n".join(str(block.get("text", "")) for block in _blocks(message.get("content")))
        calls = [call for call in message.get("toolCalls") or () if isinstance(call, dict)]
        is_user = message["type"] == "user"
        yield AgentMessage(
            _text(message.get("id")) or f"{session}:{number}",
            "user" if is_user else "assistant",
            text,
            _text(message.get("timestamp")),
            session,
            None,
            *_calls([(_text(call.get("name")), call.get("args")) for call in calls]),
            sum(len(json.dumps(call.get("result"), ensure_ascii=False)) for call in calls),
            is_user and _is_typed(text),
            _paths(call.get("args") for call in calls),
        )


def _blocks(content: Any) -> list[dict[str, Any]]:
    """The content of a message as blocks; plain text is one block."""
    if isinstance(content, str):
        return [{"type": "text", "text": content}]
    return [block for block in content if isinstance(block, dict)] if isinstance(content, list) else []


def _is_typed(text: str) -> bool:
    """Whether a person typed it: agents put context of their own, in tags, into messages of the user."""
    shown = text.lstrip()
    return bool(shown) and not shown.startswith(
        ("<command-", "<local-command", "<environment_", "<user_instr", "Caveat:")
    )


def _calls(calls: Iterable[tuple[str | None, Any]]) -> tuple[tuple[str, ...], tuple[str, ...]]:
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


def _paths(given: Iterable[Any]) -> tuple[str, ...]:
    """The paths among the arguments of tool calls."""
    known = [each for each in given if isinstance(each, dict)]
    return tuple(path for each in known for key in _PATH_KEYS if isinstance(path := each.get(key), str))


def _patched_files(patch: Any) -> list[str]:
    marks = ("*** Update File: ", "*** Add File: ", "*** Delete File: ")
    lines = patch.splitlines() if isinstance(patch, str) else []
    return [line.removeprefix(mark).strip() for line in lines for mark in marks if line.startswith(mark)]


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) and value else None
