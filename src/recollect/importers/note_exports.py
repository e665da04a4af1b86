"""Notes exported from Notion and Logseq, read by the Markdown reader after their own marks are resolved."""

import csv
import re
from collections.abc import Iterator
from datetime import datetime
from io import StringIO
from pathlib import Path, PurePosixPath
from urllib.parse import unquote

from recollect.importers.notes import MAX_NOTE_BYTES, check_size, decode_text, parse_note, unreadable_page
from recollect.importers.record_files import PlacedLine, RecordFile
from recollect.ingest.api_object import record_line
from recollect.ingest.chats.export_file import BrokenPart, ExportTree, open_tree, tree_names
from recollect.ingest.line import IngestItem

_NOTION_NAME = re.compile(r"(?P<name>.*?) ?(?P<id>[0-9a-f]{32})(?P<all>_all)?\.(?P<suffix>md|csv)")
_NOTION_PART = re.compile(r"(?:[^/]*/)?(?:ExportBlock|Export|Part)[^/]*\.zip", re.IGNORECASE)
_NOTION_IMAGE = re.compile(r"!\[[^\[\]\n]*\]\((?!https?:)[^()\n]*\)")
_NOTION_LINK = re.compile(r"\[([^\[\]\n]*)\]\((?!https?:)[^()\n]*?[0-9a-f]{32}[^()\n]*\)")
_PROPERTY = re.compile(r"(?P<key>[^\W\d_][^:\n]{0,60}): (?P<value>[^\n]+)")
_BLOCK_ID = re.compile(
    r"^(?P<indent>[ \t]*+)(?:- )?(?P<text>[^\n]*+)\n(?:[ \t]++[\w-]++:: [^\n]*+\n){0,50}?[ \t]*+id:: (?P<id>[\w-]{36})",
    re.MULTILINE,
)
_LEADING_ID = re.compile(r"^([ \t]*+)- (id:: [\w-]{36})\n[ \t]++(?![\w-]++::|- )(\S[^\n]*)", re.MULTILINE)
"""An id before the text of its block, as Logseq writes it where the block begins with code or a quotation."""
_BLOCK_REFERENCE = re.compile(r"(?:\{\{embed )?\(\(([\w-]{36})\)\)(?:\}\})?")
_HOUSEKEEPING = re.compile(
    r"^[ \t]*(?:- )?(?:id|collapsed|heading|background-color|logseq\.[\w.-]+):: [^\n]*\n?", re.MULTILINE
)
_LOGBOOK = re.compile(r"^[ \t]*:LOGBOOK:.*?:END:[ \t]*\n?", re.MULTILINE | re.DOTALL)
_PAGE_PROPERTY = re.compile(r"(?:- )?(?P<key>[\w/-]+):: (?P<value>[^\n]*)")


def is_notion(path: Path, _head: bytes = b"") -> bool:
    """Whether a folder or ZIP is an export of Notion as Markdown and CSV: every page in it has an id in its name."""
    if path.is_dir() and not any(_NOTION_NAME.fullmatch(each.name) for each in path.iterdir()):
        return False
    names = tree_names(path) if path.is_dir() or path.suffix.lower() == ".zip" else []
    pages = [each for each in names if each.endswith((".md", ".csv", ".json", ".txt"))]
    has_ids = bool(pages) and all(_NOTION_NAME.fullmatch(PurePosixPath(each).name) for each in pages)
    return has_ids or (bool(names) and all(_NOTION_PART.fullmatch(each) for each in names))


def read_notion(file: RecordFile) -> Iterator[PlacedLine]:
    """The pages of an export, and the rows of its tables that have no page."""
    with open_tree(file.path) as tree:
        yield from _notion_pages(tree, file)


def _notion_pages(tree: ExportTree, file: RecordFile) -> Iterator[PlacedLine]:
    names, done = tree.names, 0
    for each in names:
        found = _NOTION_NAME.fullmatch(PurePosixPath(each).name)
        done += tree.size(each)
        if _NOTION_PART.fullmatch(each):
            with tree.open_inner(each) as inner:
                yield from _notion_pages(inner, file)
        elif found is None:
            file.left_out["images and other files next to the pages"] += 1
        elif found["suffix"] == "md":
            content = _content(tree, each)
            problem = unreadable_page(content)
            if problem is not None:
                yield PlacedLine(BrokenPart(problem), done, each)
                continue
            text = _notion_text(decode_text(content))
            record = parse_note(f"note:notion/{found['id']}", found["name"], text.encode())
            yield PlacedLine(record_line(record), done, each)
        elif found["all"] or each.removesuffix(".csv") + "_all.csv" not in names:
            yield from (PlacedLine(line, done) for line in _notion_rows(tree, each, found, file))


def _content(tree: ExportTree, name: str) -> bytes:
    with tree.open(name) as opened:
        return opened.read(MAX_NOTE_BYTES + 1)


def _notion_text(text: str) -> str:
    """A page with its properties as front matter and its links as words."""
    title, _, rest = text.replace("\r\n", "\n").partition("\n")
    block, _, body = rest.lstrip("\n").partition("\n\n")
    lines = [_PROPERTY.fullmatch(line) for line in block.split("\n")]
    body = f"{title}\n\n{body}" if all(lines) else text
    found = [each for each in lines if each is not None] if all(lines) else []
    front = "".join(f"{_key(each['key'])}: {_quoted(_notion_value(each['value']))}\n" for each in found)
    return (f"---\n{front}---\n" if front else "") + _NOTION_LINK.sub(r"\1", _NOTION_IMAGE.sub("", body))


def _key(name: str) -> str:
    key = "_".join(name.casefold().split())
    return {"created_time": "created", "date_created": "created"}.get(key, key)


def _quoted(value: str) -> str:
    return "'" + value.replace("'", "''") + "'"


def _notion_value(value: str) -> str:
    """A value; dates in words as dates."""
    days = [_notion_day(each.strip()) for each in value.split("→")]
    return " to ".join(each for each in days if each) if all(days) else _NOTION_LINK.sub(r"\1", value)


def _notion_day(text: str) -> str | None:
    for form, is_day in (("%B %d, %Y", True), ("%B %d, %Y %I:%M %p", False)):
        try:
            found = datetime.strptime(text, form)
        except ValueError:
            continue
        return found.date().isoformat() if is_day else found.isoformat(timespec="minutes")
    return None


def _notion_rows(tree: ExportTree, name: str, found: re.Match[str], file: RecordFile) -> Iterator[IngestItem]:
    """The rows of a table that have no page of their own in the folder of the table."""
    pages = {page for each in tree.names if (page := _page_below(each, name, found))}
    content = _content(tree, name)
    check_size(name, content)
    table = csv.reader(StringIO(decode_text(content), newline=""))
    heads = next(table, [])
    for number, cells in enumerate(table, start=1):
        title, *values = cells or [""]
        if title.strip() in pages:
            continue
        if not title.strip():
            file.left_out["rows of tables without a name"] += 1
            continue
        told = [f"{head}: {value}" for head, value in zip(heads[1:], values, strict=False) if value.strip()]
        text = _notion_text(f"# {title.strip()}\n\n" + "\n".join(told) + "\n\n")
        yield record_line(parse_note(f"note:notion/{found['id']}/{number}", title.strip(), text.encode()))


def _page_below(page: str, table: str, found: re.Match[str]) -> str | None:
    """The name of a page that lies in the folder of a table, which is called as it is, with its id or without."""
    place, folder = PurePosixPath(page), PurePosixPath(table).parent
    is_below = place.parent in (folder / found["name"], folder / f"{found['name']} {found['id']}")
    own = _NOTION_NAME.fullmatch(place.name)
    return own["name"] if is_below and own is not None and own["suffix"] == "md" else None


def is_logseq(path: Path) -> bool:
    """Whether a folder is a graph of Logseq with Markdown files."""
    return (path / "logseq" / "config.edn").is_file() or (
        (path / "journals").is_dir() and (path / "pages").is_dir() and (path / "logseq").is_dir()
    )


def read_logseq(file: RecordFile) -> Iterator[PlacedLine]:
    """The journals and pages of a graph, with references to blocks replaced by their words."""
    found = [each for name in ("pages", "journals") for each in sorted((file.path / name).glob("*.md"))]
    blocks: dict[str, str] = {}
    for path in found:
        text = _LEADING_ID.sub(r"\1- \3\n\1  \2", decode_text(path.read_bytes()[:MAX_NOTE_BYTES]).replace("\r\n", "\n"))
        blocks |= {each["id"]: each["text"].strip() for each in _BLOCK_ID.finditer(text)}
    done = 0
    for path in found:
        written = path.read_bytes()
        done += len(written)
        name = unquote(path.stem.replace("___", "/"))
        place = path.relative_to(file.path).as_posix()
        problem = unreadable_page(written)
        if problem is not None:
            yield PlacedLine(BrokenPart(problem), done, place)
            continue
        content = decode_text(written)
        record = parse_note(
            f"note:{file.vault_name or file.path.name}/{place}", name, _logseq_text(content, blocks).encode()
        )
        yield PlacedLine(record_line(record), done, place)
    read = set(found)
    others = [each for each in file.path.rglob("*") if each.is_file() and each not in read]
    kept = [each for each in others if "logseq" not in each.relative_to(file.path).parts[:1]]
    file.left_out["files that are not Markdown pages or journals"] += len(kept)


def _logseq_text(text: str, blocks: dict[str, str]) -> str:
    """A page with its properties as front matter, and without marks that only Logseq needs."""
    text = _LEADING_ID.sub(r"\1- \3\n\1  \2", text.replace("\r\n", "\n"))
    text = _BLOCK_REFERENCE.sub(lambda each: f"“{blocks.get(each[1], each[1])}”", text)
    text = _HOUSEKEEPING.sub("", _LOGBOOK.sub("", text))
    lines = text.split("\n")
    front = []
    while lines and (found := _PAGE_PROPERTY.fullmatch(lines[0])) is not None:
        front.append(f"{_key(found['key'])}: {_quoted(found['value'].strip())}")
        del lines[0]
    return ("---\n" + "\n".join(front) + "\n---\n" if front else "") + "\n".join(lines)
