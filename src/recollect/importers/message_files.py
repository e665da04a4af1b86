"""Reading chats between people: files, folders and ZIPs of Slack, Telegram, Discord and WhatsApp."""

import re
from collections.abc import Callable, Iterator
from io import TextIOWrapper
from pathlib import Path
from typing import IO

from recollect.importers.notes import decode_text, encoding_of, is_text
from recollect.importers.record_files import PlacedLine, RecordFile, begins_with, json_lines
from recollect.ingest.api_object import ApiObject
from recollect.ingest.chats import discord, slack, telegram, whatsapp
from recollect.ingest.chats.export_file import open_tree, tree_names
from recollect.ingest.json_stream import iter_items

_WHATSAPP_HEAD = 20_000
_SHARED_FILE = re.compile(r"-WA\d+\.|^\d{8}-[A-Z]+-|\.(?:opus|webp|vcf)$")
"""Names that the app gives to pictures and recordings."""


def _tree_names_of(path: Path) -> list[str]:
    return tree_names(path) if path.is_dir() or path.suffix.lower() == ".zip" else []


def _reads_tree(path: Path) -> bool:
    return path.is_dir() or path.suffix.lower() == ".zip"


def is_slack(path: Path, head: bytes) -> bool:
    return begins_with(slack.is_slack_message, head) or slack.is_slack_tree(_tree_names_of(path))


def read_slack(file: RecordFile) -> Iterator[PlacedLine]:
    if _reads_tree(file.path):
        with open_tree(file.path) as tree:
            names = slack.names_in(tree)
            yield from (PlacedLine(*each) for each in slack.read_slack_tree(tree, names, file.left_out))
        if names.unknown:
            file.warnings.append(
                f"{file.path.name}: {len(names.unknown)} people are known by their ids only; "
                "its users.json does not name them"
            )
        return
    names = _slack_names_beside(file.path)
    with file.path.open("rb") as opened:
        for item in iter_items(opened):
            given = ApiObject.of(item.value)
            channel = given.text("channel") or ApiObject(item.around).text("channel")
            line = slack.read_slack_message(given, names, channel, file.left_out)
            if line is not None:
                yield PlacedLine(line, item.bytes_read)
    if names.unknown:
        file.warnings.append(
            f"{file.path.name}: {len(names.unknown)} people are known by their ids only; "
            "put the answer of users.list next to it as users.json and ingest it again"
        )


def _slack_names_beside(path: Path) -> slack.SlackNames:
    """Names from the lists of an export that this file is a part of, or that lie beside it."""
    for folder in (path.parent, path.parent.parent):
        if (folder / "users.json").is_file():
            with open_tree(folder) as tree:
                return slack.names_in(tree)
    return slack.SlackNames()


def read_telegram(file: RecordFile) -> Iterator[PlacedLine]:
    path = file.path / "result.json" if file.path.is_dir() else file.path
    with path.open("rb") as opened:
        for item in iter_items(opened):
            if not telegram.is_telegram_message(item):
                file.left_out["contacts and other entries that are not messages"] += 1
                continue
            for line in telegram.read_telegram(item, file.zone, file.left_out):
                yield PlacedLine(line, item.bytes_read)


def is_telegram(_path: Path, head: bytes) -> bool:
    return begins_with(telegram.is_telegram_message, head)


def is_telegram_folder(path: Path) -> bool:
    result = path / "result.json"
    is_alone = [each for each in path.iterdir() if each.is_file() and not each.name.startswith(".")] == [result]
    return is_alone and begins_with(telegram.is_telegram_message, _head_of(result))


def _head_of(path: Path) -> bytes:
    with path.open("rb") as file:
        return file.read(1024 * 1024)


def is_discord(path: Path, head: bytes) -> bool:
    return begins_with(discord.is_discord_message, head) or discord.is_discord_package(_tree_names_of(path))


def read_discord(file: RecordFile) -> Iterator[PlacedLine]:
    if not _reads_tree(file.path):
        yield from json_lines(discord.read_discord)(file)
        return
    with open_tree(file.path) as tree:
        yield from (PlacedLine(*each) for each in discord.read_discord_package(tree, file.left_out))


def _whatsapp_member(path: Path) -> str | None:
    """The text of a chat in a folder or ZIP as the app shares it."""
    names = [each for each in _tree_names_of(path) if "/" not in each]
    texts = [each for each in names if each.endswith(".txt")]
    is_own = len(texts) == 1 and whatsapp.is_chat_name(Path(texts[0]).stem)
    media = [each for each in names if each not in texts]
    return texts[0] if is_own and all(map(_SHARED_FILE.search, media)) else None


def is_whatsapp_folder(path: Path) -> bool:
    return _whatsapp_member(path) is not None


def is_whatsapp(path: Path, head: bytes) -> bool:
    if _whatsapp_member(path) is not None:
        return True
    return is_text(head) and whatsapp.is_whatsapp(decode_text(head[:_WHATSAPP_HEAD]), path.stem)


def read_whatsapp(file: RecordFile) -> Iterator[PlacedLine]:
    """The messages of a chat, read twice: who wrote and in which order dates are is known at its end."""
    member = _whatsapp_member(file.path)
    if member is None:
        yield from _whatsapp_lines(file, lambda: file.path.open("rb"), file.path.stem)
        return
    with open_tree(file.path) as tree:
        yield from _whatsapp_lines(file, lambda: tree.open(member), Path(member).stem)


def _whatsapp_lines(file: RecordFile, open_text: Callable[[], IO[bytes]], stem: str) -> Iterator[PlacedLine]:
    with open_text() as opened:
        encoding = encoding_of(opened)
    with TextIOWrapper(open_text(), encoding, "replace") as lines:
        outline = whatsapp.outline_of(lines)
    size = file.size
    chat = whatsapp.chat_name(stem) or whatsapp.chat_name(file.path.stem)
    with TextIOWrapper(open_text(), encoding, "replace") as lines:
        for line in whatsapp.read_whatsapp(lines, outline, chat, file.zone, file.date_order, file.left_out):
            yield PlacedLine(line, size)
