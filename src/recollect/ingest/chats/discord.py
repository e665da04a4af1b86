"""Discord: files of DiscordChatExporter, and the messages of the official data package."""

import csv
import json
from collections import Counter
from collections.abc import Iterator
from typing import Any

from recollect.ingest.api_object import ApiObject
from recollect.ingest.chats.export_file import BrokenPart, ExportTree
from recollect.ingest.chats.person_messages import PersonMessage, local_text, message_line
from recollect.ingest.json_stream import BrokenJson, JsonItem, iter_elements, read_value
from recollect.ingest.line import IngestItem
from recollect.ingest.parties import Party
from recollect.when.instant import read_zone

DISCORD = "discord"
_WRITTEN = frozenset({"Default", "Reply", "ThreadStarterMessage", "ChatInputCommand", "ContextMenuCommand"})
_LARGEST_FIELD = 1 << 20


def is_discord_message(item: JsonItem) -> bool:
    """Whether an item is a message as DiscordChatExporter writes it."""
    given, around = ApiObject.of(item.value), ApiObject(item.around)
    return given.has("id", "timestamp", "author") and bool(around.object("channel")) and "guild" in around.value


def read_discord(item: JsonItem, left_out: Counter[str]) -> Iterator[IngestItem]:
    """The record of a message."""
    given, channel = ApiObject.of(item.value), ApiObject(item.around).object("channel")
    if given.text("type") not in _WRITTEN:
        left_out["notices of joins, pins and calls"] += 1
        return
    author, reference = given.object("author"), given.object("reference").text("message_id")
    is_direct = channel.text("type") in ("DirectTextChat", "DM")
    name = _person(author)
    others = [_person(each) for each in given.objects("mentions")]
    partner = channel.text("name") if is_direct else None
    line = message_line(
        PersonMessage(
            DISCORD,
            given.text("id") or "",
            name,
            given.text("timestamp"),
            given.text("content") or "",
            _channel_name(item, channel),
            [Party(partner, None)] if partner and (name is None or partner != name.name) else _alone(others),
            f"{DISCORD}:{reference}" if reference else None,
            given.text("timestamp_edited"),
            author.get("isBot") is True,
            given.names("attachments", "file_name", "filename"),
        )
    )
    left_out["messages without text"] += line is None
    if line is not None:
        yield line


def _alone(people: list[Party | None]) -> list[Party]:
    """The one person whom a message mentions; of several nobody in particular is meant."""
    found = [each for each in people if each is not None]
    return found if len(found) == 1 else []


def _person(user: ApiObject) -> Party | None:
    name = user.text("nickname", "global_name", "name", "username")
    return Party(name, None) if name else None


def _channel_name(item: JsonItem, channel: ApiObject) -> str | None:
    name, guild = channel.text("name"), ApiObject(item.around).object("guild").text("name")
    if name is None or channel.text("type") in ("DirectTextChat", "DM"):
        return name
    return f"#{name}, {guild}" if guild else f"#{name}"


def is_discord_package(names: list[str]) -> bool:
    """Whether files of these names are the data package that Discord sends."""
    folded = [each.casefold() for each in names]
    return "messages/index.json" in folded and any(each.endswith("/channel.json") for each in folded)


def read_discord_package(tree: ExportTree, left_out: Counter[str]) -> Iterator[tuple[IngestItem | BrokenPart, int]]:
    """The owner's messages; a package holds nobody else's. A file that is broken is named."""
    names = {each.casefold(): each for each in tree.names}
    broken: list[BrokenPart] = []
    author = _person(_read_object(tree, names.get("account/user.json"), broken)) or Party("Me", None)
    titles = _read_object(tree, names["messages/index.json"], broken)
    yield from ((each, 0) for each in broken)
    done = 0
    for folded, name in names.items():
        if folded.startswith("messages/") and folded.endswith(("/messages.csv", "/messages.json")):
            id_ = folded.split("/")[-2].removeprefix("c")
            title = titles.text(id_)
            try:
                for row in _rows(tree, name):
                    line = _package_line(row, author, title)
                    left_out["messages without text"] += line is None
                    if line is not None:
                        yield line, done
            except (BrokenJson, csv.Error) as problem:
                yield BrokenPart(str(problem) if isinstance(problem, BrokenJson) else f"{name}: {problem}"), done
        elif not folded.startswith("messages/") and folded.endswith((".json", ".csv")) and "user.json" not in folded:
            left_out["files next to the messages"] += 1
        done += tree.size(name)


def _read_object(tree: ExportTree, name: str | None, broken: list[BrokenPart]) -> ApiObject:
    if name is None:
        return ApiObject({})
    try:
        with tree.open_json(name) as file:
            return ApiObject.of(read_value(file))
    except BrokenJson as problem:
        broken.append(BrokenPart(str(problem)))
        return ApiObject({})


def _rows(tree: ExportTree, name: str) -> Iterator[dict[str, Any]]:
    if name.endswith(".json"):
        with tree.open_json(name) as file:
            yield from (each.value if isinstance(each.value, dict) else {} for each in iter_elements(file))
        return
    csv.field_size_limit(_LARGEST_FIELD)
    with tree.open_text(name) as lines:
        yield from csv.DictReader(lines)


def _package_line(row: dict[str, Any], author: Party, title: str | None) -> IngestItem | None:
    given = ApiObject({key: json.dumps(value) if isinstance(value, list) else value for key, value in row.items()})
    files = [each.rpartition("/")[2].partition("?")[0] for each in (given.text("Attachments") or "").split()]
    return message_line(
        PersonMessage(
            DISCORD,
            given.text("ID") or "",
            author,
            local_text(given.text("Timestamp"), read_zone("UTC")),
            given.text("Contents") or "",
            title,
            files=files,
        )
    )
