"""The formats whose files become records: how each is recognised, and who reads it."""

from codecs import BOM_UTF8
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from recollect.importers.document_files import document_reader, is_docx, is_epub, is_pdf
from recollect.importers.memory_databases import MEMORY_DATABASES, is_database_of, read_database
from recollect.importers.memory_files import (
    is_basic_memory,
    is_basic_memory_folder,
    is_letta_agent,
    read_basic_memory,
    read_graphiti_file,
    read_letta_agent,
)
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
from recollect.importers.note_exports import is_logseq, is_notion, read_logseq, read_notion
from recollect.importers.record_files import ItemReader, LineReader, PlacedLine, RecordFile, begins_with, json_lines
from recollect.ingest.calendar_events import EVENTS, read_event
from recollect.ingest.calendar_zones import ZONE_PARTS, CalendarZones
from recollect.ingest.contacts import CARDS, read_card
from recollect.ingest.content_lines import read_components
from recollect.ingest.document_text import read_docx, read_epub, read_pdf
from recollect.ingest.json_stream import JsonItem
from recollect.ingest.mail.mailbox import is_gmail_message, read_gmail
from recollect.ingest.memory_items import is_graphiti, is_mem0, read_mem0
from recollect.ingest.trackers.github import is_github, read_github
from recollect.ingest.trackers.jira import is_jira, read_jira
from recollect.ingest.trackers.linear import is_linear, read_linear

DOCUMENT_PACKAGES = ("pypdf>=5.1", "python-docx>=1.1")
"""The extra `documents`."""


@dataclass(frozen=True, slots=True)
class RecordFormat:
    """One format: `matches` gets the path and the beginning of a file."""

    name: str
    description: str
    follows: str
    """The version of the format that was followed."""
    matches: Callable[[Path, bytes], bool]
    read: LineReader
    accepts_folder: Callable[[Path], bool] = lambda _: False
    needs: str | None = None
    """The library that reads it, part of the extra `documents`."""


def _json_format(
    name: str, description: str, follows: str, is_item: Callable[[JsonItem], bool], read: ItemReader
) -> RecordFormat:
    recognise = partial(begins_with, is_item)
    return RecordFormat(name, description, follows, lambda _, head: recognise(head), json_lines(read))


def _begins(component: bytes, head: bytes) -> bool:
    return head.removeprefix(BOM_UTF8).lstrip()[:40].upper().startswith(b"BEGIN:" + component)


def _read_cards(file: RecordFile) -> Iterator[PlacedLine]:
    with file.path.open("rb") as lines:
        for card in read_components(lines, CARDS, file.left_out):
            yield from (PlacedLine(each, 0) for each in read_card(card, file.left_out))


def _read_calendar(file: RecordFile) -> Iterator[PlacedLine]:
    zones = CalendarZones(file.zone)
    with file.path.open("rb") as lines:
        for each in read_components(lines, EVENTS | ZONE_PARTS, file.left_out):
            if each.name in ZONE_PARTS:
                zones.define(each)
            else:
                yield from (PlacedLine(line, 0) for line in read_event(each, zones, file.left_out))
    file.warnings.extend(
        f"{file.path.name}: the time zone {name!r} is not known; its times are read in the zone of the workspace"
        for name in sorted(zones.unknown)
    )


RECORD_FORMATS: tuple[RecordFormat, ...] = (
    _json_format(
        "github",
        "issues, pull requests, comments, reviews and events of GitHub as JSON",
        "REST 2022-11-28, GraphQL, `gh --json`, webhooks",
        is_github,
        read_github,
    ),
    _json_format("linear", "issues of Linear with comments and history", "GraphQL", is_linear, read_linear),
    _json_format("jira", "issues of Jira with comments and changelog", "REST 2 and 3", is_jira, read_jira),
    _json_format(
        "gmail", "messages of the Gmail API", "v1, formats full, metadata and raw", is_gmail_message, read_gmail
    ),
    RecordFormat(
        "slack",
        "an export of Slack (folder or ZIP), or a history of its API",
        "JSON exports; `conversations.history` and `conversations.replies`",
        is_slack,
        read_slack,
        partial(is_slack, head=b""),
    ),
    RecordFormat(
        "telegram",
        "result.json of Telegram",
        "machine-readable exports of Telegram Desktop, one chat or all",
        is_telegram,
        read_telegram,
        is_telegram_folder,
    ),
    RecordFormat(
        "discord",
        "JSON of DiscordChatExporter, or Discord's data package",
        "DiscordChatExporter 2; messages.csv and messages.json",
        is_discord,
        read_discord,
        partial(is_discord, head=b""),
    ),
    RecordFormat(
        "whatsapp",
        "an exported chat of WhatsApp (.txt or ZIP)",
        "Android and iOS, any order of dates",
        is_whatsapp,
        read_whatsapp,
        is_whatsapp_folder,
    ),
    RecordFormat(
        "notion",
        "an export of Notion (folder or ZIP)",
        "Markdown and CSV, also in parts",
        is_notion,
        read_notion,
        is_notion,
    ),
    RecordFormat(
        "logseq", "a graph of Logseq (folder)", "Markdown graphs", lambda _path, _head: False, read_logseq, is_logseq
    ),
    RecordFormat(
        "basic-memory",
        "notes of basic-memory, or an exported vault (folder, ZIP or file)",
        "basic-memory 0.24",
        is_basic_memory,
        read_basic_memory,
        is_basic_memory_folder,
    ),
    _json_format(
        "mem0", "memories or history of mem0 as JSON", "mem0ai 2.2, `get_all` and `history`", is_mem0, read_mem0
    ),
    RecordFormat(
        "graphiti",
        "nodes, edges and episodes of Graphiti or Zep as JSON",
        "graphiti-core 0.31, lists named nodes, edges and episodes",
        lambda _, head: begins_with(is_graphiti, head),
        read_graphiti_file,
    ),
    RecordFormat(
        "letta-agent",
        "an agent file of Letta (.af)",
        "letta 0.16.8, agents and blocks; a single agent as before 2025-10",
        is_letta_agent,
        read_letta_agent,
    ),
    *(
        RecordFormat(
            each.name, each.description, each.follows, partial(is_database_of, each), partial(read_database, each)
        )
        for each in MEMORY_DATABASES
    ),
    RecordFormat(
        "pdf",
        "a PDF with text (needs the extra documents)",
        "PDF 1 and 2, by pypdf",
        is_pdf,
        document_reader(read_pdf),
        needs="pypdf",
    ),
    RecordFormat(
        "docx",
        "a Word document (needs the extra documents)",
        "Office Open XML, by python-docx",
        is_docx,
        document_reader(read_docx),
        needs="docx",
    ),
    RecordFormat("epub", "an electronic book", "EPUB 2 and 3", is_epub, document_reader(read_epub)),
    RecordFormat("vcard", "contacts (.vcf)", "2.1, 3.0, 4.0", lambda _, head: _begins(b"VCARD", head), _read_cards),
    RecordFormat(
        "icalendar", "a calendar (.ics)", "RFC 5545", lambda _, head: _begins(b"VCALENDAR", head), _read_calendar
    ),
)
