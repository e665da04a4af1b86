"""Text with its structure from PDF, DOCX and EPUB files; headings, lists and tables are written as in Markdown."""

import logging
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote
from xml.etree.ElementTree import ParseError, fromstring

from recollect.errors import Unsupported
from recollect.ingest.mail.html_text import html_to_text
from recollect.ingest.mail.message import decode_bytes
from recollect.model.json_limits import replace_unstorable
from recollect.safe_zip import DAMAGED_ZIP, SafeZip, ZipLimits

if TYPE_CHECKING:
    from docx.document import Document as WordDocument
    from docx.text.paragraph import Paragraph

MAX_DOCUMENT_BYTES = 200 * 1024 * 1024
MAX_TEXT_CHARS = 5 * 1024 * 1024
MAX_UNPACKED_BYTES = 2 * MAX_DOCUMENT_BYTES
_SOFT_HYPHEN = re.compile(r"(?<=[a-zà-ÿ])-\n(?=[a-zà-ÿ])")
_HEADING_STYLE = re.compile(r"(?:heading|überschrift|titre|título|titolo|kop|rubrik|nagłówek) ?(\d)", re.IGNORECASE)
_LIST_STYLE = re.compile(r"list|aufzählung|liste|lista|lijst", re.IGNORECASE)
_TOOL_AUTHORS = frozenset({"python-docx", "microsoft office user", "user", "administrator"})
_NAMESPACE = re.compile(r"\{[^}]*\}")


@dataclass(frozen=True, slots=True)
class DocumentText:
    """A document, or a chapter of one: its text and what its file says of it."""

    text: str
    title: str | None = None
    author: str | None = None
    written_at: str | None = None
    chapter: int = 0


def read_pdf(path: Path) -> Iterator[DocumentText]:
    """The text of a PDF, page after page."""
    from pypdf import PdfReader
    from pypdf.errors import PyPdfError

    # It reports each oddity that it copes with.
    logging.getLogger("pypdf").setLevel(logging.ERROR)
    try:
        reader = PdfReader(path)
        if reader.is_encrypted and not reader.decrypt(""):
            raise Unsupported("is a PDF with a password: save a copy without one and ingest that")
        text = _joined_pages(page.extract_text() for page in reader.pages)
        about = reader.metadata
        title = about.title if about is not None else None
        written = about.creation_date if about is not None else None
    except (PyPdfError, ValueError, KeyError, TypeError, AttributeError, RecursionError, OSError) as problem:
        raise Unsupported(f"is a PDF that cannot be read ({problem})") from problem
    if not text:
        raise Unsupported("is a PDF without text, such as a scan: add text with OCR (ocrmypdf) and ingest that")
    yield DocumentText(text, _line(title), None, written.isoformat() if written and written.tzinfo else None)


def _joined_pages(pages: Iterator[str]) -> str:
    parts: list[str] = []
    room = MAX_TEXT_CHARS
    for page in pages:
        parts.append(_SOFT_HYPHEN.sub("", page.strip())[:room])
        room -= len(parts[-1])
        if room <= 0:
            break
    return replace_unstorable("\n\n".join(part for part in parts if part))


def _line(text: str | None) -> str | None:
    return " ".join(replace_unstorable(text).split()) or None if text else None


def read_docx(path: Path) -> Iterator[DocumentText]:
    """The text of a Word document: headings, paragraphs, lists and tables."""
    from docx import Document
    from docx.opc.exceptions import OpcError

    try:
        with SafeZip(path, ZipLimits(bytes=MAX_UNPACKED_BYTES)) as archive:
            archive.check_total()
        document = Document(str(path))
        text = replace_unstorable("\n".join(_word_lines(document)).strip())[:MAX_TEXT_CHARS]
        about = document.core_properties
        author, written = about.author, about.modified or about.created
    except (OpcError, *DAMAGED_ZIP, KeyError, ValueError, AttributeError, OSError) as problem:
        raise Unsupported(f"is a Word document that cannot be read ({problem})") from problem
    if not text:
        raise Unsupported("is a Word document without text")
    known = author if author and author.casefold() not in _TOOL_AUTHORS else None
    at = f"{written.replace(tzinfo=None).isoformat(timespec='seconds')}Z" if written else None
    yield DocumentText(text, _line(about.title), _line(known), at)


def _word_lines(document: "WordDocument") -> Iterator[str]:
    from docx.table import Table

    for block in document.iter_inner_content():
        if isinstance(block, Table):
            yield from _table_lines(block)
        else:
            yield from _paragraph_lines(block)


def _paragraph_lines(paragraph: "Paragraph") -> Iterator[str]:
    text, style = paragraph.text.strip(), str(paragraph.style.name) if paragraph.style is not None else ""
    if not text:
        return
    heading = _HEADING_STYLE.match(style)
    if style == "Title" or heading is not None:
        yield ""
        yield f"{'#' * (int(heading[1]) if heading else 1)} {text}"
        yield ""
    elif _LIST_STYLE.match(style) or (paragraph._p.pPr is not None and paragraph._p.pPr.numPr is not None):
        yield f"- {text}"
    else:
        yield text
        yield ""


def _table_lines(table: Any) -> Iterator[str]:
    for number, row in enumerate(table.rows):
        cells = [" ".join(cell.text.split()).replace("|", "/") for cell in row.cells]
        yield f"| {' | '.join(cells)} |"
        if not number:
            yield f"|{' --- |' * len(cells)}"
    yield ""


def read_epub(path: Path) -> Iterator[DocumentText]:
    """The chapters of a book in the order in which they are read; a missing or damaged one has no text."""
    try:
        with SafeZip(path) as archive:
            place = _package_place(archive)
            package = fromstring(archive.read_start(place, MAX_TEXT_CHARS))
            title, written = _text_of_tag(package, "title"), _text_of_tag(package, "date")
            for number, name in _spine(package, PurePosixPath(place).parent):
                text = _chapter_text(archive, name)
                if text is None or text:
                    yield DocumentText(text or "", _line(title), None, written, number)
    except (*DAMAGED_ZIP, KeyError, ParseError, ValueError, OSError) as problem:
        raise Unsupported(f"is a book that cannot be read ({problem})") from problem


def _chapter_text(archive: SafeZip, name: str) -> str | None:
    """The text of a chapter; none if it is missing or damaged, which leaves the others readable."""
    try:
        html = decode_bytes(archive.read_start(name, MAX_TEXT_CHARS), "utf-8")[0]
    except (KeyError, *DAMAGED_ZIP):
        return None
    return replace_unstorable(html_to_text(html, has_headings=True))


def _package_place(archive: SafeZip) -> str:
    container = fromstring(archive.read_start("META-INF/container.xml", MAX_TEXT_CHARS))
    found = next((each for each in container.iter() if _bare(each.tag) == "rootfile"), None)
    return found.attrib["full-path"] if found is not None else "content.opf"


def _spine(package: Any, folder: PurePosixPath) -> Iterator[tuple[int, str]]:
    """The chapters by their places in the book; the table of contents of EPUB 3 has a place, but is no chapter."""
    items = {each.attrib.get("id"): each.attrib for each in package.iter() if _bare(each.tag) == "item"}
    order = [each.attrib.get("idref") for each in package.iter() if _bare(each.tag) == "itemref"]
    for number, item in enumerate((items[each] for each in order if each in items), start=1):
        if "nav" not in item.get("properties", "").split():
            yield number, str(folder / unquote(item.get("href", "")))


def _text_of_tag(package: Any, name: str) -> str | None:
    found = next((each.text for each in package.iter() if _bare(each.tag) == name and each.text), None)
    return found.strip() if found else None


def _bare(tag: Any) -> str:
    return _NAMESPACE.sub("", str(tag))
