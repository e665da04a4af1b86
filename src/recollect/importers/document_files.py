"""Importing documents: PDF, DOCX and EPUB as records of their text."""

from collections.abc import Callable, Iterator
from pathlib import Path

from recollect.errors import Unsupported
from recollect.importers.notes import note_key
from recollect.importers.record_files import LineReader, PlacedLine, RecordFile
from recollect.ingest.api_object import make_record, record_line
from recollect.ingest.chats.export_file import is_zip, zip_members
from recollect.ingest.document_text import MAX_DOCUMENT_BYTES, DocumentText
from recollect.ingest.extract.passages import UNDATED

_PDF = b"%PDF-"
_HEAD = 1024
"""Some programs write other bytes before the signature."""


def document_key(path: Path) -> str:
    """What a document is known by: its place, as a note is, but not as the owner's own words."""
    return "document" + note_key(path).removeprefix("note")


def is_pdf(path: Path, head: bytes) -> bool:
    del path
    return _PDF in head[:_HEAD]


def is_docx(path: Path, head: bytes) -> bool:
    del head
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
            key, title = document_key(file.path), part.title or file.path.stem
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
