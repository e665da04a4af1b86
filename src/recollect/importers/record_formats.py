"""The formats whose files become records: how each is recognised, and who reads it."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from recollect.importers.message_files import (
    is_discord,
    is_slack,
    is_telegram,
    is_telegram_folder,
    is_whatsapp,
    is_whatsapp_folder,
    read_discord,
    read_slack,
    read_telegram,
    read_whatsapp,
)
from recollect.importers.record_files import ItemReader, LineReader, begins_with, json_lines
from recollect.ingest.json_items import JsonItem
from recollect.ingest.mail.gmail import is_gmail_message, read_gmail
from recollect.ingest.trackers.github import is_github, read_github
from recollect.ingest.trackers.jira import is_jira, read_jira
from recollect.ingest.trackers.linear import is_linear, read_linear


@dataclass(frozen=True, slots=True)
class RecordFormat:
    """One format: `matches` gets the path and the beginning of a file."""

    name: str
    description: str
    matches: Callable[[Path, bytes], bool]
    read: LineReader
    accepts_folder: Callable[[Path], bool] = lambda _: False


def _json_format(name: str, description: str, is_item: Callable[[JsonItem], bool], read: ItemReader) -> RecordFormat:
    recognise = partial(begins_with, is_item)
    return RecordFormat(name, description, lambda _, head: recognise(head), json_lines(read))


RECORD_FORMATS: tuple[RecordFormat, ...] = (
    _json_format("github", "JSON of GitHub: issues, pull requests, comments, reviews, events", is_github, read_github),
    _json_format("linear", "JSON of Linear: issues with comments and history", is_linear, read_linear),
    _json_format("jira", "JSON of Jira: issues with comments and changelog", is_jira, read_jira),
    _json_format("gmail", "JSON of the Gmail API: messages with their content", is_gmail_message, read_gmail),
    RecordFormat(
        "slack",
        "an export of Slack, or JSON of conversations.history",
        is_slack,
        read_slack,
        partial(is_slack, head=b""),
    ),
    RecordFormat("telegram", "result.json of Telegram", is_telegram, read_telegram, is_telegram_folder),
    RecordFormat(
        "discord",
        "JSON of DiscordChatExporter, or the data package of Discord",
        is_discord,
        read_discord,
        partial(is_discord, head=b""),
    ),
    RecordFormat("whatsapp", "an exported chat of WhatsApp", is_whatsapp, read_whatsapp, is_whatsapp_folder),
)
