"""What a client tells a hook, and what it expects back. Standard library only: this loads for every prompt."""

import json
import sys
from collections.abc import Mapping
from typing import Any, Literal, NamedTuple

from recollect.serve.hooks.event_names import CAPTURES

Event = Literal["session-start", "user-prompt", "capture"]
MAX_INPUT = 4 * 1024 * 1024

EVENTS: Mapping[str, Event] = {
    "session-start": "session-start",
    "sessionstart": "session-start",
    "user-prompt": "user-prompt",
    "userpromptsubmit": "user-prompt",
    "beforeagent": "user-prompt",
    "beforesubmitprompt": "user-prompt",
    **dict.fromkeys(CAPTURES, "capture"),
}
"""The events of Claude Code, Codex, Gemini CLI and Cursor by their names in lower case."""


class HookInput(NamedTuple):
    """What every client says in one way or another."""

    event: Event
    name: str
    """The event as the client calls it."""
    session: str = ""
    folder: str = ""
    prompt: str = ""
    transcript: str = ""
    is_last: bool = False
    """Whether the session ends or is compacted, so that nothing may be put off."""


def read_input(event: str, stdin: bytes) -> HookInput | None:
    """The input of a hook; none if the event is unknown or the input unreadable."""
    known = EVENTS.get(event.lower())
    if known is None or len(stdin) > MAX_INPUT:
        return None
    given = json.loads(stdin.decode("utf-8", "replace")) if stdin.strip() else {}
    if not isinstance(given, dict):
        return None
    roots = given.get("workspace_roots")
    folder = _text(given.get("cwd")) or (_text(roots[0]) if isinstance(roots, list) and roots else "")
    name = _text(given.get("hook_event_name")) or event
    return HookInput(
        known,
        name,
        _text(given.get("session_id")) or _text(given.get("conversation_id")),
        folder,
        _text(given.get("prompt")),
        _text(given.get("transcript_path")),
        name.lower() not in ("stop", "afteragent"),
    )


def input_of(value: Mapping[str, Any]) -> HookInput:
    """The input that another process sent; `_asdict` is its inverse."""
    return HookInput(**{key: value[key] for key in HookInput._fields})


def output(given: HookInput, text: str) -> str:
    """What the client reads: nothing, or context for the model in its own form."""
    if not text:
        return ""
    if given.name[:1].islower() and "-" not in given.name:
        return json.dumps({"additional_context": text}, ensure_ascii=False) + "\n"
    name = given.name if "-" not in given.name else _CLAUDE_NAMES[given.event]
    answer = {"hookSpecificOutput": {"hookEventName": name, "additionalContext": text}}
    return json.dumps(answer, ensure_ascii=False) + "\n"


_CLAUDE_NAMES: Mapping[Event, str] = {
    "session-start": "SessionStart",
    "user-prompt": "UserPromptSubmit",
    "capture": "Stop",
}


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""


def write_output(text: str) -> None:
    sys.stdout.buffer.write(text.encode("utf-8", "replace"))
    sys.stdout.buffer.flush()
