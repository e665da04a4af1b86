"""Files of other memories: folders of basic-memory, graphs of Graphiti, agents of Letta."""

import json
from collections.abc import Iterator, Mapping
from hashlib import blake2b
from itertools import islice
from pathlib import Path
from typing import Any

from recollect.errors import RecollectError
from recollect.importers.notes import (
    MAX_NOTE_BYTES,
    NOTE_SUFFIXES,
    check_size,
    decode_text,
    parse_note,
    unreadable_page,
)
from recollect.importers.record_files import PlacedLine, RecordFile
from recollect.ingest.chats.export_file import BrokenPart, ExportTree, is_zip, open_tree, tree_names
from recollect.ingest.fields import BadLine
from recollect.ingest.json_stream import iter_items
from recollect.ingest.line import IngestItem, parse_line
from recollect.ingest.lore.lore_errors import BadYaml
from recollect.ingest.lore.markup import split_front_matter
from recollect.ingest.memory_items import is_agent_file, parse_lines, read_agent_file, read_graphiti
from recollect.ingest.observation_notes import PageEntity, page_entity, page_facts
from recollect.model.names import fold

_SAMPLED_PAGES = 20
_SAMPLED_BYTES = 16 * 1024
_KEYS = frozenset({"title", "type", "permalink"})


def is_basic_memory(path: Path, head: bytes) -> bool:
    """Whether a file is a note of basic-memory, or a ZIP of such."""
    if path.suffix.lower() == ".zip":
        return is_zip(path) and is_basic_memory_folder(path)
    return path.suffix.lower() in NOTE_SUFFIXES and _front_matter(head).keys() >= _KEYS


def is_basic_memory_folder(path: Path) -> bool:
    """Whether most of the first pages of a folder or ZIP have the front matter of basic-memory."""
    heads = list(islice(_page_heads(path), _SAMPLED_PAGES))
    return 2 * sum(_front_matter(each).keys() >= _KEYS for each in heads) > len(heads)


def _page_heads(path: Path) -> Iterator[bytes]:
    """The beginnings of pages; in a folder only those at the top and one below, since any folder is looked at."""
    if path.is_dir():
        for each in (*path.glob("*.md"), *path.glob("[!.]*/*.md")):
            with each.open("rb") as page:
                yield page.read(_SAMPLED_BYTES)
        return
    names = [each for each in tree_names(path) if each.lower().endswith(NOTE_SUFFIXES)]
    if not names:  # it may be no ZIP at all, or a damaged one
        return
    with open_tree(path) as tree:
        for name in names:
            with tree.open(name) as page:
                yield page.read(_SAMPLED_BYTES)


def _front_matter(head: bytes) -> Mapping[str, Any]:
    if not head.lstrip(b"\xef\xbb\xbf").startswith(b"---"):
        return {}
    try:
        return split_front_matter(decode_text(head).replace("\r\n", "\n")).front or {}
    except BadYaml:
        return {}


def read_basic_memory(file: RecordFile) -> Iterator[PlacedLine]:
    """Each note: a record, the entity it is about, and the facts of its lines."""
    if not file.path.is_dir() and file.path.suffix.lower() != ".zip":
        content = file.path.read_bytes()
        yield PlacedLine(_note_line(file.path.stem, content, {}), len(content), file.path.name)
        return
    with open_tree(file.path) as tree:
        yield from _note_lines(tree, file)


def _note_lines(tree: ExportTree, file: RecordFile) -> Iterator[PlacedLine]:
    pages, done = _page_entities(tree), 0
    for name in tree.names:
        done += tree.size(name)
        if not name.lower().endswith(NOTE_SUFFIXES):
            file.left_out["files that are not notes"] += 1
            continue
        with tree.open(name) as page:
            content = page.read(MAX_NOTE_BYTES + 1)
        problem = unreadable_page(content)
        if problem is not None:
            yield PlacedLine(BrokenPart(problem), done, name)
            continue
        try:
            yield PlacedLine(_note_line(Path(name).stem, content, pages), done, name)
        except RecollectError as problem:
            file.warnings.append(f"{name}: skipped: {problem}")


def _page_entities(tree: ExportTree) -> dict[str, PageEntity]:
    """What pages are about by its name, so that a link to a later page leads to the same entity as that page."""
    found: dict[str, PageEntity] = {}
    for name in tree.names:
        if name.lower().endswith(NOTE_SUFFIXES):
            with tree.open(name) as page:
                front = _front_matter(page.read(_SAMPLED_BYTES))
            entity = page_entity(front, str(front.get("title") or Path(name).stem))
            found[fold(entity.name)] = entity
    return found


def _note_line(name: str, content: bytes, pages: Mapping[str, PageEntity]) -> IngestItem:
    check_size(name, content)
    note = parse_note(name, name, content)
    page = split_front_matter(decode_text(content).replace("\r\n", "\n"))
    front: Mapping[str, Any] = page.front or {}
    entity = page_entity(front, note.title or name)
    facts = list(page_facts(entity.name, page.body))
    linked = {key: pages[key] for each in facts if isinstance(each["to"], str) and (key := fold(each["to"])) in pages}
    entities = {**linked, fold(entity.name): entity}
    line = parse_line({"entities": [each.line for each in entities.values()], **({"facts": facts} if facts else {})})
    place = front.get("permalink") or name
    record = note._replace(id=f"basic-memory:{place}", source_at=note.source_at or _text(front.get("modified")))
    digest = blake2b(f"{place}\0".encode() + content, digest_size=16, person=b"basic-memory").hexdigest()
    return line._replace(hash=digest, record=record)


def _text(value: Any) -> str | None:
    return str(value) if value is not None else None


def read_graphiti_file(file: RecordFile) -> Iterator[PlacedLine]:
    """The nodes, episodes and edges of a file; edges name nodes that may come after them, so all are read first."""
    with file.path.open("rb") as opened:
        values = [item.value for item in iter_items(opened)]
    yield from (PlacedLine(each, 0) for each in parse_lines(read_graphiti(values, file.left_out), file.left_out))


def is_letta_agent(path: Path, head: bytes) -> bool:
    """Whether a file is an agent of Letta, by its suffix and its keys."""
    has_keys = b'"core_memory"' in head or (b'"agents"' in head and b'"block' in head)
    return path.suffix.lower() == ".af" and head.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"{") and has_keys


def read_letta_agent(file: RecordFile) -> Iterator[PlacedLine]:
    """The memory and the messages of a file's agents."""
    try:
        value = json.loads(file.path.read_bytes().decode("utf-8-sig"))
    except (ValueError, RecursionError) as problem:
        raise BadLine(file.path.name, f"is not complete JSON ({problem}); export the agent again") from problem
    if not is_agent_file(value):
        raise BadLine(file.path.name, "has neither an agent with core_memory nor agents with blocks; export it again")
    yield from (PlacedLine(each, 0) for each in parse_lines(read_agent_file(value, file.left_out), file.left_out))
