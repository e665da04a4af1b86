"""Sessions of Gemini CLI: one JSON object, or since 0.39 a log of records that replace earlier ones.

A record with a known id replaces that message, `$rewindTo` takes back a message and all after it. `$set.messages` is
what the model is shown: after a compression it no longer has what was said, so it counts only until messages are
recorded on their own.
"""

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

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

_PROJECT_ROOT = ".project_root"


def is_gemini_record(value: Json) -> bool:
    """Whether a line or a document is the head of a session."""
    return isinstance(value.get("sessionId"), str) and isinstance(value.get("projectHash"), str)


def read_gemini(records: Iterable[Json], path: Path, left_out: Counter[str]) -> Iterator[AgentMessage]:
    """The messages of a session as it stands; none of one that an agent had with another."""
    head, messages = _replay(records, left_out)
    if head.get("kind") == "subagent":
        return
    session = text_or_none(head.get("sessionId")) or path.stem
    folder = _folder(head, path)
    for number, message in enumerate(messages):
        if message.get("type") in ("user", "gemini"):
            yield _message(message, f"{session}:{number}", session, folder)


def _replay(records: Iterable[Json], left_out: Counter[str]) -> tuple[dict[str, Any], list[Json]]:
    """The properties of the session, and its messages in the order in which they began."""
    head: dict[str, Any] = {}
    messages: dict[str, Json] = {}
    has_own = False
    for record in records:
        if isinstance(record.get("$rewindTo"), str):
            _rewind(messages, record["$rewindTo"])
        elif isinstance(record.get("id"), str):
            has_own = True
            messages[record["id"]] = record
        else:
            patch = record["$set"] if isinstance(record.get("$set"), dict) else record
            listed = patch.get("messages")
            head |= {key: value for key, value in patch.items() if key != "messages"}
            for number, each in enumerate(listed if isinstance(listed, list) and not has_own else ()):
                if isinstance(each, dict):
                    messages[text_or_none(each.get("id")) or f"#{number}"] = each
                else:
                    left_out[DAMAGED_MESSAGES] += 1
    return head, list(messages.values())


def _rewind(messages: dict[str, Json], id_: str) -> None:
    """Take back a message and all after it; what is not known takes nothing back."""
    ids = list(messages)
    for each in ids[ids.index(id_) :] if id_ in messages else ():
        del messages[each]


def _folder(head: Json, path: Path) -> str | None:
    """The folder of the project, which Gemini CLI writes beside the sessions."""
    given = head.get("directories")
    if isinstance(given, list) and given and isinstance(given[0], str):
        return given[0]
    for parent in path.parents[1:3]:
        try:
            return (parent / _PROJECT_ROOT).read_text("utf-8").strip() or None
        except (OSError, UnicodeDecodeError):
            continue
    return None


def _message(message: Json, number: str, session: str, folder: str | None) -> AgentMessage:
    is_user = message["type"] == "user"
    blocks = blocks_of((message.get("displayContent") if is_user else None) or message.get("content"))
    listed = message.get("toolCalls")
    calls = [call for call in listed if isinstance(call, dict)] if isinstance(listed, list) else []
    text = typed_text(texts_of(blocks)) if is_user else "\n".join(texts_of(blocks))
    return AgentMessage(
        text_or_none(message.get("id")) or number,
        "user" if is_user else "assistant",
        text,
        text_or_none(message.get("timestamp")),
        session,
        folder,
        *calls_of([(text_or_none(call.get("name")), call.get("args")) for call in calls]),
        sum(len(json.dumps(call.get("result"), ensure_ascii=False)) for call in calls),
        is_user and bool(text),
        paths_of(call.get("args") for call in calls),
    )
