"""Importing documents: PDF, DOCX, EPUB and saved HTML pages as records of their text."""

import re
from collections.abc import Callable, Iterator
from functools import partial
from hashlib import blake2b
from html import unescape
from pathlib import Path

from recollect.errors import Unsupported
from recollect.importers.import_run import ImportItem, ImportResult, ProgressListener, import_items
from recollect.importers.notes import (
    MAX_NOTE_BYTES,
    check_size,
    decode_text,
    is_text,
    is_utf16,
    name_of_folder,
    note_key,
    vault_of,
)
from recollect.importers.record_files import LineReader, PlacedLine, RecordFile
from recollect.ingest.api_object import make_record, record_line
from recollect.ingest.chats.export_file import is_zip, zip_members
from recollect.ingest.document_text import MAX_DOCUMENT_BYTES, DocumentText
from recollect.ingest.extract.passages import UNDATED
from recollect.ingest.fields import BadLine
from recollect.ingest.line import IngestItem, RecordPart
from recollect.ingest.mail.html_text import html_to_text
from recollect.memory import Memory
from recollect.model.json_limits import replace_unstorable
from recollect.model.trust import SOURCE_TRUST

_PDF = b"%PDF-"
_HEAD = 1024
"""Some programs write other bytes before the signature."""


def document_key(path: Path, vault_name: str | None = None) -> str:
    """What a document is known by: its place, as a note is, but not as the owner's own words."""
    return "document" + note_key(path, vault_name).removeprefix("note")


def is_pdf(_path: Path, head: bytes) -> bool:
    return _PDF in head[:_HEAD]


def is_docx(path: Path, _head: bytes) -> bool:
    return path.is_file() and is_zip(path) and "word/document.xml" in zip_members(path)


def is_epub(path: Path, head: bytes) -> bool:
    return b"mimetypeapplication/epub+zip" in head[:100] or (
        path.is_file() and is_zip(path) and "META-INF/container.xml" in zip_members(path)
    )


def document_reader(read: Callable[[Path], Iterator[DocumentText]]) -> LineReader:
    """A reader of files that hold one document, in one part or in chapters."""

    def read_file(file: RecordFile) -> Iterator[PlacedLine]:
        size = file.size
        if size > MAX_DOCUMENT_BYTES:
            raise Unsupported(f"is larger than {MAX_DOCUMENT_BYTES} bytes: split it")
        for part in read(file.path):
            if not part.text:
                file.left_out["chapters that are missing or damaged"] += 1
                continue
            key, title = document_key(file.path, file.vault_name), part.title or file.path.stem
            heading = _first_heading(part.text) if part.chapter else None
            record = make_record(
                f"{key}/{part.chapter}" if part.chapter else key,
                "generic",
                f"{title}: {heading}" if heading and heading != title else title,
                part.author,
                part.written_at,
                part.text,
                {UNDATED: True},
            )
            # Undated: the day in a file is when a program wrote it, and relative times cannot count from it.
            yield PlacedLine(record_line(record), size, file.path.name)

    return read_file


def _first_heading(text: str) -> str | None:
    line = text.partition("\n")[0]
    return line.lstrip("# ") if line.startswith("#") else None


SUFFIXES = (".html", ".htm", ".xhtml")
_START = re.compile(
    r"\s*+(?:<\?xml[^>]*+>\s*+)?+(?:<!--(?>.*?-->)\s*+)*+<(?:!doctype\s+html|html)\b", re.IGNORECASE | re.DOTALL
)
_TITLE = re.compile(r"<title\b[^>]*>([^<]{1,1000})</title", re.IGNORECASE)
_CHARSET = re.compile(rb"""<meta\b[^>]{0,200}charset\s*=\s*["']?\s*([\w.:-]{1,40})""", re.IGNORECASE)
_PAGE_HEAD = 4096
_CHAT_PAGES = {
    b'class="page_body chat_page"': (
        "is a chat of Telegram as HTML: export it again as machine-readable JSON and ingest result.json"
    ),
    b"chatlog__message": "is a chat of Discord as HTML: export it again as JSON and ingest that",
}
_CHAT_PAGE = re.compile(b"|".join(map(re.escape, _CHAT_PAGES)))
_CHAT_HEAD = 256 * 1024


def is_page(path: Path, head: bytes) -> bool:
    """Whether a file is HTML, by its name or its beginning."""
    if not is_text(head) or chat_page_refusal(head) is not None:
        return False
    return path.suffix.lower() in SUFFIXES or _START.match(decode_text(head[:_PAGE_HEAD])) is not None


def chat_page_refusal(head: bytes) -> str | None:
    """What to do instead with a page of a chat that does not say in words who wrote what; None for other pages."""
    found = _CHAT_PAGE.search(head[:_CHAT_HEAD])
    return _CHAT_PAGES[found[0]] if found is not None else None


def ingest_page(memory: Memory, path: Path, tell: ProgressListener | None = None) -> ImportResult:
    """Import the text of a page."""
    return import_items(
        memory, path.name, _items(path, name_of_folder(memory, vault_of(path))), path.stat().st_size, tell
    )


def _items(path: Path, vault_name: str | None) -> Iterator[ImportItem]:
    content = path.read_bytes()[: MAX_NOTE_BYTES + 1]
    key = document_key(path, vault_name)
    digest = blake2b(key.encode() + b"\0" + content, digest_size=16, person=b"page").hexdigest()
    yield ImportItem(1, len(content), digest, partial(_page_line, path, key, content, digest))


def _page_line(path: Path, key: str, content: bytes, digest: str) -> IngestItem:
    check_size(path.name, content)
    return IngestItem(digest, read_page(key, path.stem, content), is_standalone=True)


def read_page(key: str, name: str, content: bytes) -> RecordPart:
    """The record that a page is: its title and its text without markup."""
    html = replace_unstorable(_decoded(content))
    text = html_to_text(html, has_headings=True)
    if not text:
        raise BadLine(name, "is a page without visible text")
    found = _TITLE.search(html)
    title = " ".join(unescape(found[1]).split()) if found else ""
    properties = {SOURCE_TRUST: "untrusted", UNDATED: True}
    return RecordPart(key, "generic", title or name, None, None, None, text, properties)


def _decoded(content: bytes) -> str:
    """The markup in the encoding that the page names, else UTF-8."""
    named = _CHARSET.search(content[:_PAGE_HEAD])
    if named is not None and not is_utf16(content):
        try:
            return content.decode(named[1].decode("ascii"), "replace")
        except LookupError:
            pass
    return decode_text(content)
