"""ChatGPT: a tree of nodes, of which the branch that was last shown is the conversation."""

from collections.abc import Iterator, Mapping
from typing import Any

from recollect.ingest.chats.conversation import (
    BadConversation,
    ChatConversation,
    ChatMessage,
    Json,
    Role,
    clean_text,
    file_placeholder,
    image_placeholder,
    parse_epoch_or_iso,
    text_or_none,
)

CHATGPT = "chatgpt"
HIDDEN_KEY = "is_visually_hidden_from_conversation"
ROLES: Mapping[str, Role] = {"user": "user", "assistant": "assistant"}
REASONING_TYPES = frozenset({"thoughts", "reasoning_recap"})
CUSTOM_INSTRUCTIONS = "user_editable_context"


def read_chatgpt(value: Any, key: str | None = None) -> ChatConversation:
    """The conversation that an object with a `mapping` holds."""
    id_ = _conversation_id(value) or text_or_none(key)
    if not isinstance(value, dict) or not isinstance(value.get("mapping"), dict):
        raise BadConversation("it has no mapping of messages", id_)
    if id_ is None:
        raise BadConversation("it has no id")
    thread = list(_active_branch(value))
    return ChatConversation(
        CHATGPT,
        tuple(_visible_messages(thread)),
        id_,
        text_or_none(value.get("title")),
        parse_epoch_or_iso(value.get("create_time")),
        parse_epoch_or_iso(value.get("update_time")),
        tuple(dict.fromkeys(_system_prompts(thread))),
        {key: value[key] for key in ("gizmo_id", "default_model_slug") if isinstance(value.get(key), str)},
        unread=sum(map(_is_damaged, value["mapping"].values())),
    )


def _is_damaged(node: Any) -> bool:
    """Whether a node is none, or holds no message where one should be; the root has an empty one."""
    if not isinstance(node, dict):
        return True
    message = node.get("message")
    if not isinstance(message, dict):
        return message is not None
    is_said = str(_object_field(message, "author").get("role")) in ROLES
    return is_said and not isinstance(message.get("content"), dict)


def _conversation_id(value: Any) -> str | None:
    named = value if isinstance(value, dict) else {}
    return text_or_none(named.get("conversation_id")) or text_or_none(named.get("id"))


def _active_branch(value: Json) -> Iterator[Json]:
    """The messages from the root to the last shown one; a loop or a missing node ends the walk."""
    nodes = value["mapping"]
    at = value.get("current_node")
    at = at if isinstance(at, str) and at in nodes else _latest_leaf(nodes)
    branch: dict[str, Json] = {}
    while isinstance(at, str) and at in nodes and at not in branch and isinstance(nodes[at], dict):
        branch[at] = nodes[at]
        at = nodes[at].get("parent")
    for node in reversed(branch.values()):
        if isinstance(node.get("message"), dict):
            yield node["message"]


def _latest_leaf(nodes: Mapping[str, Any]) -> str | None:
    parents = {str(node.get("parent")) for node in nodes.values() if isinstance(node, dict)}
    leaves = [id_ for id_ in nodes if id_ not in parents]
    return max(leaves, key=lambda id_: (_node_time(nodes[id_]), id_), default=None)


def _node_time(node: Any) -> int:
    message = node.get("message") if isinstance(node, dict) else None
    return (parse_epoch_or_iso(message.get("create_time")) or 0) if isinstance(message, dict) else 0


def _visible_messages(thread: list[Json]) -> Iterator[ChatMessage]:
    """The messages of user and assistant; thoughts before an answer belong to it."""
    thoughts: list[str] = []
    for message in thread:
        role, about = ROLES.get(str(_object_field(message, "author").get("role"))), _object_field(message, "metadata")
        content = _object_field(message, "content")
        if role is None or about.get(HIDDEN_KEY) or _is_prompt(message):
            continue
        if role == "assistant" and message.get("recipient", "all") != "all":
            continue
        said, reasoning = _text_and_thoughts(content)
        text = "\n".join(part for part in (said, *_file_placeholders(about)) if part)
        thoughts += reasoning
        if not text:
            continue
        is_answer = role == "assistant"
        yield ChatMessage(
            role,
            text,
            text_or_none(message.get("id")),
            parse_epoch_or_iso(message.get("create_time")),
            model=text_or_none(about.get("model_slug")) if is_answer else None,
            reasoning="\n\n".join(thoughts) or None if is_answer else None,
        )
        thoughts = []


def _file_placeholders(about: Json) -> Iterator[str]:
    """A placeholder for each attached file; images are among the parts."""
    given = about.get("attachments")
    for each in given if isinstance(given, list) else ():
        if isinstance(each, dict) and each.get("name") and not str(each.get("mime_type")).startswith("image/"):
            yield file_placeholder(each["name"])


def _object_field(value: Json, key: str) -> Json:
    found = value.get(key)
    return found if isinstance(found, dict) else {}


def _is_prompt(message: Json) -> bool:
    about, content = _object_field(message, "metadata"), _object_field(message, "content")
    return bool(about.get("is_user_system_message")) or content.get("content_type") == CUSTOM_INSTRUCTIONS


def _system_prompts(thread: list[Json]) -> Iterator[str]:
    """The custom instructions of the user."""
    for message in thread:
        if _is_prompt(message):
            content = _object_field(message, "content")
            said = [clean_text(content.get(key)) for key in ("user_profile", "user_instructions")]
            text = "\n\n".join(part for part in said if part) or _text_and_thoughts(content)[0]
            if text:
                yield text


def _text_and_thoughts(content: Json) -> tuple[str, list[str]]:
    """The text of a message, and the thoughts it carries."""
    kind = str(content.get("content_type"))
    if kind in REASONING_TYPES:
        listed = content.get("thoughts")
        thoughts = listed if isinstance(listed, list) else [content]
        return "", [text for each in thoughts if isinstance(each, dict) and (text := clean_text(each.get("content")))]
    parts = content.get("parts")
    said = list(map(_part_text, parts)) if isinstance(parts, list) else [(clean_text(content.get("text")), "")]
    return "\n".join(text for text, _ in said if text), [thought for _, thought in said if thought]


def _part_text(part: Any) -> tuple[str, str]:
    """The text and the thought of one part."""
    if isinstance(part, str):
        return clean_text(part), ""
    if not isinstance(part, dict):
        return "", ""
    kind = str(part.get("content_type") or part.get("type") or "")
    if kind in ("thinking", "thoughts"):
        return "", clean_text(part.get("thinking") or part.get("text") or part.get("content"))
    if isinstance(part.get("text"), str):
        return clean_text(part["text"]), ""
    if "asset_pointer" in part or "image" in kind or kind.endswith("asset_pointer"):
        is_image = "image" in kind or not part.get("name")
        return image_placeholder() if is_image else file_placeholder(part.get("name")), ""
    return (file_placeholder(part.get("name")), "") if part.get("name") else ("", "")
