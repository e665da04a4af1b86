"""Agent files of Letta (.af): memory blocks and messages, in the form of one agent and in that of several."""

import json
from collections import Counter
from collections.abc import Iterator
from typing import Any

from recollect.ingest.api_object import ApiObject
from recollect.ingest.memory_items import LineValue, filled

_SPEAKERS = ("user", "assistant")
_NOT_SAID = "messages of the system, of tools and without text"


def is_agent_file(value: Any) -> bool:
    """Whether a value is an agent file: one agent with its memory, or a list of agents with shared blocks."""
    found = ApiObject.of(value)
    is_one = isinstance(found.get("core_memory"), list) and isinstance(found.get("messages"), list)
    return is_one or (isinstance(found.get("agents"), list) and isinstance(found.get("blocks"), list))


def read_agent_file(value: Any, left_out: Counter[str]) -> Iterator[LineValue]:
    """Each memory block and each message as a record of its agent."""
    found = ApiObject.of(value)
    shared = {str(each.get("id")): each for each in found.objects("blocks")}
    for agent in found.objects("agents") or [found]:
        name = agent.text("name", "id") or "agent"
        own = [shared[key] for key in agent.names("block_ids") if key in shared]
        for block in (*agent.objects("core_memory"), *agent.objects("memory_blocks"), *own):
            yield from _block(name, block)
        for message in agent.objects("messages"):
            yield from _message(name, message, left_out)
    for key in ("tools", "sources", "files", "mcp_servers"):
        left_out[f"{key.replace('_', ' ')} of agents"] += len(found.objects(key))


def _block(agent: str, block: ApiObject) -> Iterator[LineValue]:
    label, text = block.text("label") or "block", block.text("value")
    if text is not None:
        record = {
            "id": f"letta:{agent}:block:{label}",
            "title": f"{agent}: {label}",
            "source_at": block.text("updated_at", "created_at"),
            "content": text,
            "metadata": filled({"agent": agent, "label": label, "description": block.text("description")}),
        }
        yield {"record": filled(record)}


def _message(agent: str, message: ApiObject, left_out: Counter[str]) -> Iterator[LineValue]:
    role, text = message.text("role"), _said(message)
    if role not in _SPEAKERS or not text:
        left_out[_NOT_SAID] += 1
        return
    at = message.text("created_at")
    # Ids are made anew for each file, so a message is known by its time.
    record = {
        "id": f"letta:{agent}:message:{at or message.text('id')}:{role}",
        "source_at": at,
        "content": text,
        "author": agent if role == "assistant" else message.text("name"),
        "metadata": {"agent": agent, "role": role},
    }
    yield {"record": filled(record)}


def _said(message: ApiObject) -> str:
    """The text of a message; a user's may be wrapped with its time, and an event is nobody's words."""
    content = message.get("content")
    parts = [content] if isinstance(content, str) else message.names("content", "text")
    text = "\n".join(parts).strip() or (message.text("text") or "").strip()
    try:
        wrapped = ApiObject.of(json.loads(text)) if text.startswith("{") else ApiObject({})
    except ValueError:
        return text
    if not wrapped.has("type"):
        return text
    return wrapped.text("message") or "" if wrapped.get("type") == "user_message" else ""
