"""Objects of other memories: mem0, Graphiti, and the agent files of Letta."""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from typing import Any, NamedTuple

from recollect.ingest.api_object import ApiObject, nodes_of
from recollect.ingest.fields import BadLine
from recollect.ingest.json_stream import JsonItem
from recollect.ingest.line import IngestItem, parse_line
from recollect.ingest.line_parts import LITERAL_LIMIT
from recollect.ingest.observation_notes import OBSERVATION
from recollect.model.entity import NAME_LIMIT
from recollect.model.similarity import to_snake_case
from recollect.model.vocabulary import PREDICATE_LIMIT

LineValue = dict[str, Any]
"""A line of a bundle before it is parsed."""
_OWNERS = (("user_id", "person"), ("agent_id", "agent"))
MEM0_FIELDS = ("user_id", "agent_id", "run_id", "actor_id", "role", "categories", "expiration_date")
_PERIOD = ("valid_from", "valid_until")
_HISTORY_FIELDS = ("actor_id", "role", "old_memory")


def drop_empty_fields(values: Mapping[str, Any]) -> dict[str, Any]:
    """The values without those that are empty."""
    return {key: value for key, value in values.items() if value not in (None, "", [], {})}


def parse_lines(values: Iterable[LineValue], left_out: Counter[str]) -> Iterator[IngestItem]:
    """The lines that are made of the items of a file; one that cannot be stored is left out and told."""
    for value in values:
        try:
            yield parse_line(value)
        except BadLine as problem:
            left_out[f"items that cannot be stored ({problem})"] += 1


def is_mem0(item: JsonItem) -> bool:
    """Whether an item is a memory of mem0, or one change of its history."""
    found = ApiObject.of(item.value)
    is_memory = found.has("id", "memory") and (found.has("created_at") or "hash" in found.value)
    return is_memory or found.has("memory_id", "event")


def read_mem0(item: JsonItem, left_out: Counter[str]) -> Iterator[IngestItem]:
    """A memory: a record, and an observation about the user or agent it belongs to."""
    found = ApiObject.of(item.value)
    if item.place[-1:] == ("relations",):
        yield from parse_lines(_mem0_relation(found, left_out), left_out)
    elif not is_mem0(item):
        left_out["items that are not memories of mem0"] += 1
    elif found.has("memory_id", "event"):
        yield from parse_lines([mem0_change(found)], left_out)
    else:
        yield from parse_lines(mem0_memory(found, left_out), left_out)


def _mem0_relation(found: ApiObject, left_out: Counter[str]) -> Iterator[LineValue]:
    """An edge of its graph memory."""
    subject, target = found.text("source"), found.text("target", "destination")
    predicate = to_snake_case(found.text("relationship", "relation") or "")[:PREDICATE_LIMIT]
    if subject and target and predicate:
        yield {"facts": [{"from": subject[:NAME_LIMIT], "to": target[:NAME_LIMIT], "predicate": predicate}]}
    else:
        left_out["relations without both ends"] += 1


def mem0_memory(found: ApiObject, left_out: Counter[str]) -> Iterator[LineValue]:
    text = found.text("memory")
    if text is None:
        left_out["memories without text"] += 1
        return
    at = found.text("updated_at", "created_at")
    metadata = drop_empty_fields({"metadata": found.get("metadata"), **{key: found.get(key) for key in MEM0_FIELDS}})
    record = {"id": f"mem0:{found.text('id')}", "source_at": at, "content": text, "metadata": metadata}
    owner = next(((name[:NAME_LIMIT], type_) for key, type_ in _OWNERS if (name := found.text(key))), None)
    line: dict[str, Any] = {"record": drop_empty_fields(record)}
    if owner is not None:
        name, type_ = owner
        line["entities"] = [{"name": name, "type": type_}]
        line["facts"] = [{"from": name, "to": {"literal": text[:LITERAL_LIMIT]}, "predicate": OBSERVATION}]
        line["facts"][0] |= drop_empty_fields({"valid_until": found.text("expiration_date"), "quote": text})
    yield line


def mem0_change(found: ApiObject) -> LineValue:
    """One change of a memory: a version of a record of its own, since a history does not say whose memory it is."""
    event = str(found.get("event")).upper()
    is_deleted = event == "DELETE" or found.get("is_deleted") in (1, True)
    at = found.text("updated_at", "created_at")
    deletion = {"is_deleted": True, "deleted_at": at} if is_deleted else {}
    record = {
        "id": f"mem0-history:{found.text('memory_id')}",
        "source_at": at,
        "content": found.text("new_memory", "old_memory"),
        "classification": "noise" if is_deleted else None,
        "metadata": drop_empty_fields(
            {"event": event.lower(), **deletion, **{key: found.text(key) for key in _HISTORY_FIELDS}}
        ),
    }
    return {"record": drop_empty_fields(record)}


class GraphitiNode(NamedTuple):
    """An entity of Graphiti: what edges point at by its uuid."""

    name: str
    type: str | None

    @property
    def end(self) -> dict[str, Any]:
        return drop_empty_fields({"name": self.name, "type": self.type})


def is_graphiti(item: JsonItem) -> bool:
    """Whether an item is an edge or an episode of Graphiti or Zep."""
    return _is_edge(item.value) or _is_episode(item.value)


def _is_edge(value: Any) -> bool:
    return ApiObject.of(value).has("uuid", "source_node_uuid", "target_node_uuid", "fact")


def _is_episode(value: Any) -> bool:
    found = ApiObject.of(value)
    return found.has("uuid", "content") and (found.has("source_description") or found.has("source", "created_at"))


def _is_node(value: Any) -> bool:
    return ApiObject.of(value).has("uuid", "name") and not _is_edge(value) and not _is_episode(value)


def read_graphiti(values: Iterable[Any], left_out: Counter[str]) -> Iterator[LineValue]:
    """Entities, then each episode with the facts that were learned from it, then the facts of no episode here."""
    found = list(values)
    nodes = {str(each["uuid"]): _node(ApiObject.of(each)) for each in found if _is_node(each)}
    episodes = {str(each["uuid"]): ApiObject.of(each) for each in found if _is_episode(each)}
    facts: dict[str, list[dict[str, Any]]] = {}
    for each in found:
        if _is_edge(each):
            fact = _edge_fact(ApiObject.of(each), nodes)
            if fact is None:
                left_out["edges whose nodes are not in this file"] += 1
                continue
            source = next((uuid for uuid in ApiObject.of(each).names("episodes") if uuid in episodes), "")
            # In a line of its own, a damaged fact is refused without the others of its episode.
            facts.setdefault(source if _can_be_stored(fact) else "", []).append(fact)
        elif not _is_node(each) and not _is_episode(each):
            left_out["items that are not nodes, edges or episodes"] += 1
    yield from (_node_line(ApiObject.of(each)) for each in found if _is_node(each))
    for uuid, episode in episodes.items():
        yield _episode_line(episode, facts.get(uuid, []))
    yield from ({"facts": [each]} for each in facts.get("", ()))


def _node(found: ApiObject) -> GraphitiNode:
    labels = [each for each in found.names("labels", "name") if each not in ("Entity", "Node")]
    return GraphitiNode((found.text("name") or "")[:NAME_LIMIT], labels[0] if labels else None)


def _node_line(found: ApiObject) -> LineValue:
    attributes = found.object("attributes").value
    properties = {**attributes, "summary": found.text("summary"), "graphiti_uuid": found.text("uuid")}
    return {"entities": [{**_node(found).end, "properties": drop_empty_fields(properties)}]}


def _episode_line(found: ApiObject, facts: list[dict[str, Any]]) -> LineValue:
    record = {
        "id": f"graphiti:{found.text('uuid')}",
        "title": found.text("name"),
        "source_at": found.text("valid_at", "created_at"),
        "content": found.text("content"),
        "metadata": drop_empty_fields(
            {key: found.text(key) for key in ("source", "source_description", "group_id", "role")}
        ),
    }
    return {"record": drop_empty_fields(record), **({"facts": facts} if facts else {})}


def _edge_fact(found: ApiObject, nodes: Mapping[str, GraphitiNode]) -> dict[str, Any] | None:
    """A fact that holds from `valid_at` until `invalid_at`; one that only expired ends when it did."""
    subject, target = (nodes.get(found.text(key) or "") for key in ("source_node_uuid", "target_node_uuid"))
    if subject is None or target is None:
        return None
    fact = {
        "from": subject.end,
        "to": target.end,
        "predicate": to_snake_case(found.text("name") or "")[:PREDICATE_LIMIT] or "relates_to",
        "fact": found.text("fact"),
        "valid_from": found.text("valid_at"),
        "valid_until": found.text("invalid_at", "expired_at"),
        "source_at": found.text("created_at"),
        "attributes": {**found.object("attributes").value, "graphiti_uuid": found.text("uuid")},
    }
    return drop_empty_fields(fact)


def _can_be_stored(fact: LineValue) -> bool:
    """Whether a fact is complete, its times are instants, and it does not end before it begins."""
    try:
        parse_line({"facts": [fact]})
        told = {key: datetime.fromisoformat(fact[key]) for key in ("source_at", *_PERIOD) if key in fact}
        period = [told[key] for key in _PERIOD if key in told]
        return period == sorted(period)
    except (BadLine, TypeError, ValueError):
        return False


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
            yield from _block(name, block, left_out)
        for message in agent.objects("messages"):
            yield from _message(name, message, left_out)
        _count_others(agent, ("core_memory", "memory_blocks", "messages"), left_out)
    used = {key for agent in found.objects("agents") for key in agent.names("block_ids")}
    left_out["memory blocks of no agent"] += len(shared.keys() - used)
    _count_others(found, ("agents", "blocks"), left_out)
    for key in ("tools", "sources", "files", "mcp_servers"):
        left_out[f"{key.replace('_', ' ')} of agents"] += len(found.objects(key))


def _count_others(holder: ApiObject, keys: tuple[str, ...], left_out: Counter[str]) -> None:
    """Count the members of object lists that are not objects."""
    for key in keys:
        left_out[f"entries of {key} that are no objects"] += len(nodes_of(holder.get(key))) - len(holder.objects(key))


def _block(agent: str, block: ApiObject, left_out: Counter[str]) -> Iterator[LineValue]:
    label, text = block.text("label") or "block", block.text("value")
    if text is None:
        left_out["memory blocks without text"] += 1
    else:
        record = {
            "id": f"letta:{agent}:block:{label}",
            "title": f"{agent}: {label}",
            "source_at": block.text("updated_at", "created_at"),
            "content": text,
            "metadata": drop_empty_fields({"agent": agent, "label": label, "description": block.text("description")}),
        }
        yield {"record": drop_empty_fields(record)}


def _message(agent: str, message: ApiObject, left_out: Counter[str]) -> Iterator[LineValue]:
    role, text = message.text("role"), _message_text(message)
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
    yield {"record": drop_empty_fields(record)}


def _message_text(message: ApiObject) -> str:
    """The text of a message; a user's may be wrapped with its time, and an event is nobody's words."""
    content = message.get("content")
    parts = [content] if isinstance(content, str) else message.names("content", "text")
    text = "\n".join(parts).strip() or (message.text("text") or "").strip()
    try:
        wrapped = ApiObject.of(json.loads(text)) if text.startswith("{") else ApiObject({})
    except (ValueError, RecursionError):
        return text
    if not wrapped.has("type"):
        return text
    return wrapped.text("message") or "" if wrapped.get("type") == "user_message" else ""
