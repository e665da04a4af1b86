"""Messages of session files, whichever agent wrote them."""

import json
from codecs import BOM_UTF8
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from pathlib import Path

from recollect.ingest.transcripts.agent_message import (
    DAMAGED_MESSAGES,
    AgentMessage,
    Json,
    blocks_of,
    calls_of,
    paths_of,
    text_or_none,
    texts_of,
    typed_text,
)
from recollect.ingest.transcripts.gemini import is_gemini_record, read_gemini
from recollect.model.json_limits import json_object

CLAUDE_CODE, CODEX, GEMINI = "claude-code", "codex", "gemini"
_CODEX_TYPES = ("session_meta", "response_item", "event_msg", "turn_context", "compacted")


def is_transcript(path: Path, head: bytes) -> bool:
    """Whether a file that begins so is a session file of one of the agents."""
    if path.suffix == ".json":
        is_named = path.name.startswith("session-") or b'"projectHash"' in head
        return is_named and b'"sessionId"' in head and b'"messages"' in head
    return head.removeprefix(BOM_UTF8).startswith(b"{") and any(map(_agent_of_line, head.split(b"\n")[:20]))


def _agent_of_line(line: bytes) -> str | None:
    value = json_object(line)
    return _agent_of(value) if value is not None else None


def _agent_of(value: Json) -> str | None:
    if value.get("type") in _CODEX_TYPES and "payload" in value:
        return CODEX
    if isinstance(value.get("sessionId"), str) and isinstance(value.get("type"), str) and "uuid" in value:
        return CLAUDE_CODE
    return GEMINI if is_gemini_record(value) else None


def read_messages(path: Path, left_out: Counter[str]) -> tuple[str, Iterator[AgentMessage]]:
    """The agent of a session file, and its messages in their order; lines that cannot be read are counted."""
    if path.suffix == ".json":
        session = json_object(path.read_bytes())
        left_out["sessions that are not whole JSON"] += session is None
        return GEMINI, read_gemini([session or {}], path, left_out)
    lines = _lines(path, left_out)
    seen: list[Json] = []
    for line in lines:
        seen.append(line)
        agent = _agent_of(line)
        if agent is not None:
            return agent, _READERS[agent](chain(seen, lines), path, left_out)
    return CLAUDE_CODE, iter(())


def _lines(path: Path, left_out: Counter[str]) -> Iterator[Json]:
    with path.open("rb") as file:
        for line in file:
            value = json_object(line)
            left_out["lines that are not whole JSON objects"] += value is None and bool(line.strip())
            if value is not None:
                yield value


def _claude_messages(lines: Iterable[Json], path: Path, left_out: Counter[str]) -> Iterator[AgentMessage]:
    for line in lines:
        role, message = line.get("type"), line.get("message")
        if role not in ("user", "assistant") or line.get("isSidechain"):
            continue
        if not isinstance(message, dict):
            left_out[DAMAGED_MESSAGES] += 1
            continue
        blocks = blocks_of(message.get("content"))
        texts = texts_of(block for block in blocks if block.get("type") == "text")
        calls = [block for block in blocks if block.get("type") == "tool_use"]
        results = [block for block in blocks if block.get("type") == "tool_result"]
        is_own = role == "user" and not (results or line.get("isMeta") or line.get("isCompactSummary"))
        typed = typed_text(texts) if is_own else ""
        yield AgentMessage(
            text_or_none(line.get("uuid")) or text_or_none(message.get("id")) or "",
            role,
            "\n".join(texts) if role == "assistant" else typed,
            text_or_none(line.get("timestamp")),
            text_or_none(line.get("sessionId")) or path.stem,
            text_or_none(line.get("cwd")),
            *calls_of([(text_or_none(call.get("name")), call.get("input")) for call in calls]),
            sum(len(json.dumps(block.get("content"), ensure_ascii=False)) for block in results),
            bool(typed),
            paths_of(call.get("input") for call in calls),
        )


def _codex_messages(lines: Iterable[Json], path: Path, left_out: Counter[str]) -> Iterator[AgentMessage]:
    session, folder = path.stem, None
    for number, line in enumerate(lines):
        payload = line.get("payload")
        if not isinstance(payload, dict):
            left_out[DAMAGED_MESSAGES] += line.get("type") == "response_item"
            continue
        if line.get("type") == "session_meta":
            session, folder = text_or_none(payload.get("id")) or session, text_or_none(payload.get("cwd"))
            if isinstance(payload.get("source"), dict) and "subagent" in payload["source"]:
                return
        if line.get("type") != "response_item":
            continue
        message = _codex_message(payload, f"{session}:{number}", text_or_none(line.get("timestamp")), session, folder)
        if message is not None:
            yield message


def _codex_message(payload: Json, id_: str, at: str | None, session: str, folder: str | None) -> AgentMessage | None:
    match payload.get("type"):
        case "message":
            texts = texts_of(blocks_of(payload.get("content")))
            if payload.get("role") == "user":
                typed = typed_text(texts)
                return AgentMessage(id_, "user", typed, at, session, folder, is_prompt=bool(typed))
            # Instructions of the developer and of the system are nobody's conclusion.
            text = "\n".join(texts) if payload.get("role") == "assistant" else ""
            return AgentMessage(id_, "assistant", text, at, session, folder)
        case "function_call" | "custom_tool_call" | "local_shell_call":
            given = payload.get("arguments") or payload.get("input") or payload.get("action")
            arguments = (json_object(given.encode()) or {"patch": given}) if isinstance(given, str) else given
            files, commands = calls_of([(text_or_none(payload.get("name")) or "shell", arguments)])
            paths = paths_of([arguments])
            return AgentMessage(id_, "assistant", "", at, session, folder, files, commands, paths=paths)
        case "function_call_output" | "custom_tool_call_output":
            size = len(json.dumps(payload.get("output"), ensure_ascii=False))
            return AgentMessage(id_, "assistant", "", at, session, folder, output_bytes=size)
        case _:
            return None


_READERS: dict[str, Callable[[Iterable[Json], Path, Counter[str]], Iterator[AgentMessage]]] = {
    CLAUDE_CODE: _claude_messages,
    CODEX: _codex_messages,
    GEMINI: read_gemini,
}
