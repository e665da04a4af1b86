"""Slack: answers of `conversations.history` and `conversations.replies`, and whole exports."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from html import unescape
from typing import Any

from recollect.ingest.api_object import ApiObject
from recollect.ingest.chats.export_file import BrokenPart, ExportTree
from recollect.ingest.chats.person_messages import PersonMessage, message_line, utc_text
from recollect.ingest.json_stream import BrokenJson, JsonItem, iter_elements
from recollect.ingest.line import IngestItem
from recollect.ingest.parties import Party

SLACK = "slack"
_TIME = re.compile(r"\d{9,}\.\d+")
_REFERENCE = re.compile(r"<([@#!]?)([^<>|]+)(?:\|([^<>]*))?>")
_WORDS = frozenset({"thread_broadcast", "file_share", "me_message", "bot_message", "file_comment", "reminder_add"})
"""Subtypes that somebody wrote; the others report joins, renames and pins."""
_DEEPEST_BLOCK = 10
_USER_FILES = ("users.json", "org_users.json")
_CHANNEL_FILES = ("channels.json", "groups.json", "mpims.json", "dms.json")
_DAY_FILE = re.compile(r"([^/]+)/\d{4}-\d\d-\d\d\.json")


@dataclass(slots=True)
class SlackNames:
    """Who is behind the ids of users, what channels are called, and who is in a conversation of two."""

    users: dict[str, Party] = field(default_factory=dict)
    bots: set[str] = field(default_factory=set)
    channels: dict[str, str] = field(default_factory=dict)
    pairs: dict[str, list[str]] = field(default_factory=dict)
    unknown: set[str] = field(default_factory=set)
    """Ids of authors that nothing names."""

    def add_user(self, given: ApiObject) -> None:
        profile, id_ = given.object("profile"), given.text("id")
        name = (
            profile.text("real_name") or given.text("real_name") or profile.text("display_name") or given.text("name")
        )
        if id_ and name:
            self.users[id_] = Party(name, profile.text("email"))
            if given.get("is_bot") is True or id_ == "USLACKBOT":
                self.bots.add(id_)

    def add_channel(self, given: ApiObject) -> None:
        id_, name = given.text("id"), given.text("name")
        members = given.get("members")
        listed = [str(each) for each in members] if isinstance(members, list) else []
        if id_ and name:
            self.channels[id_] = name
        elif id_ and len(listed) == 2:
            self.pairs[id_] = listed

    def user(self, id_: str | None) -> Party | None:
        return self.users.get(id_ or "") or (Party(id_, None) if id_ else None)


def is_slack_message(item: JsonItem) -> bool:
    given = ApiObject.of(item.value)
    is_message = given.text("type") == "message" or given.has("text", "user")
    return is_message and _TIME.fullmatch(given.text("ts") or "") is not None


def read_slack_message(
    given: ApiObject, names: SlackNames, channel: str | None, left_out: Counter[str]
) -> IngestItem | None:
    """The record of a message; none if nobody said anything."""
    subtype = given.text("subtype")
    if subtype is not None and subtype not in _WORDS:
        left_out["notices of joins, renames and the like"] += 1
        return None
    ts = given.text("ts") or ""
    if _TIME.fullmatch(ts) is None:
        left_out["messages without a time"] += 1
        return None
    user = given.text("user") or given.text("bot_id")
    author = _author(given, names, user)
    thread = given.text("thread_ts")
    line = message_line(
        PersonMessage(
            SLACK,
            f"{ts}:{user or ''}",
            author,
            utc_text(float(ts)),
            _shown_text(given, names),
            _channel_name(channel, names),
            _other_of_two(channel, user, names),
            f"{SLACK}:{thread}" if thread else None,
            utc_text(_seconds(given.object("edited").text("ts"))),
            subtype == "bot_message" or (given.has("bot_id") and not given.has("client_msg_id")) or user in names.bots,
            given.names("files", "name", "title"),
        )
    )
    left_out["messages without text"] += line is None
    return line


def _seconds(text: str | None) -> float | None:
    return float(text) if text and _TIME.fullmatch(text) else None


def _author(given: ApiObject, names: SlackNames, user: str | None) -> Party | None:
    if user in names.users:
        return names.users[user or ""]
    profile = given.object("user_profile") or given.object("bot_profile")
    name = profile.text("real_name", "display_name", "name") or given.text("username")
    if name is None and user is not None:
        names.unknown.add(user)
    return Party(name, None) if name else names.user(user)


def _channel_name(channel: str | None, names: SlackNames) -> str | None:
    if channel in names.pairs:
        people = [names.user(each) for each in names.pairs[channel or ""]]
        return " and ".join(each.name or "" for each in people if each is not None)
    name = names.channels.get(channel or "", channel)
    return f"#{name}" if name else None


def _other_of_two(channel: str | None, user: str | None, names: SlackNames) -> list[Party]:
    others = [each for each in names.pairs.get(channel or "", ()) if each != user]
    found = names.user(others[0]) if len(others) == 1 else None
    return [found] if found is not None else []


def _shown_text(given: ApiObject, names: SlackNames) -> str:
    """The text as its readers saw it: names for ids, and links with their labels."""

    def shown(found: re.Match[str]) -> str:
        mark, target, label = found.groups()
        if mark == "@":
            user = names.users.get(target)
            return f"@{(user.name if user else None) or label or target}"
        if mark == "#":
            return f"#{label or names.channels.get(target, target)}"
        return _special_mention(target, label) if mark == "!" else label or target

    return unescape(_REFERENCE.sub(shown, given.text("text") or "\n".join(_texts_beside(given))))


def _special_mention(target: str, label: str | None) -> str:
    """A group, a channel as a whole, or a date in the form that is shown where no date can be."""
    if target.startswith("date^"):
        return label or ""
    return f"@{(label or target.partition('^')[0]).removeprefix('@')}"


def _texts_beside(given: ApiObject) -> Iterator[str]:
    """What a message without a text says in its blocks, else in what is attached to it."""
    blocks = ["".join(_block_texts(each)).strip() for each in given.objects("blocks")]
    attached = [each.text("text", "fallback", "title") for each in given.objects("attachments")]
    yield from filter(None, blocks if any(blocks) else attached)


def _block_texts(block: ApiObject, depth: int = 0) -> Iterator[str]:
    """The texts of a block and of the elements in it."""
    text, user = block.get("text"), block.text("user_id")
    if isinstance(text, str):
        yield text
    elif isinstance(text, dict):
        yield ApiObject.of(text).text("text") or ""
    elif user is not None or block.has("url"):
        yield f"<@{user}>" if user is not None else block.text("url") or ""
    if depth < _DEEPEST_BLOCK:
        for inner in block.objects("elements"):
            yield from _block_texts(inner, depth + 1)
    if block.text("type") == "rich_text_section":
        yield "\n"


def is_slack_tree(names: Mapping[str, Any] | list[str]) -> bool:
    """Whether files of these names are an export of a workspace."""
    return any(each in names for each in _USER_FILES) and any(each in names for each in _CHANNEL_FILES)


def names_in(tree: ExportTree) -> SlackNames:
    """The users and channels that the files of an export list."""
    found = SlackNames()
    for file, add in (
        *((each, found.add_user) for each in _USER_FILES),
        *((each, found.add_channel) for each in _CHANNEL_FILES),
    ):
        if file in tree.names:
            with tree.open_json(file) as opened:
                for element in iter_elements(opened):
                    entries = element.value if element.key in ("members", "channels") else [element.value]
                    for value in entries if isinstance(entries, list) else ():
                        add(ApiObject.of(value))
    return found


def read_slack_tree(
    tree: ExportTree, names: SlackNames, left_out: Counter[str]
) -> Iterator[tuple[IngestItem | BrokenPart, int]]:
    """The messages of an export, day by day, with the bytes read so far; a day that is broken is named."""
    folders = {name: id_ for id_, name in names.channels.items()}
    done = 0
    for file in tree.names:
        day = _DAY_FILE.fullmatch(file)
        if day is not None:
            try:
                for line, count in _read_day(tree, file, folders.get(day[1], day[1]), names, left_out):
                    yield line, done + count
            except BrokenJson as problem:
                yield BrokenPart(str(problem)), done
        elif "/" in file and not file.endswith("/"):
            left_out["files that are not a day of messages"] += 1
        done += tree.size(file)


def _read_day(
    tree: ExportTree, file: str, channel: str, names: SlackNames, left_out: Counter[str]
) -> Iterator[tuple[IngestItem, int]]:
    with tree.open_json(file) as opened:
        for element in iter_elements(opened):
            if not is_slack_message(JsonItem(element.value, {})):
                left_out["entries that are not messages"] += 1
                continue
            line = read_slack_message(ApiObject.of(element.value), names, channel, left_out)
            if line is not None:
                yield line, element.bytes_read
