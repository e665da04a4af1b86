"""Markdown about a world: front matter, links and fact lines."""

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

from recollect.ingest.lore.draft import Named, RelationDraft, Target
from recollect.ingest.lore.problems import BadYaml
from recollect.ingest.lore.tables import Table, load
from recollect.model.relations import relation_kinds, relation_stored_as

FACT_LINE = 0.9
_OPENING = re.compile(r"\ufeff?---[ \t]*\r?\n")
_CLOSING = re.compile(r"^(?:---|\.\.\.)[ \t]*(?:\r?\n|\Z)", re.MULTILINE)
_LINK = re.compile(r"\[\[([^\[\]|\n]+)(?:\|([^\[\]\n]*))?\]\]")
_ITEM = re.compile(r"[ \t]*[-*+][ \t]+(\S.*?)[ \t]*$")
_CAPITALS = re.compile(r"(?<!\S)[A-Z][A-Z0-9_]*(?!\S)")
_TIMES = re.compile(r"\s*\(([^()]*)\)\s*\.?$")
_RANGE = re.compile(r"\s+\.\.\s+|^\.\.\s+|\s+\.\.$")
_FENCE = ("```", "~~~")
_EMPHASIS = " \t*_"


class Page(NamedTuple):
    """A text in its two parts: what stands above it, and the body with its place."""

    front: Table | None
    body: str
    offset: int
    line: int


def split(text: str) -> Page:
    """The front matter and the body; without front matter all is body."""
    opening = _OPENING.match(text)
    closing = _CLOSING.search(text, opening.end()) if opening else None
    if opening is None or closing is None:
        return Page(None, text, 0, 1)
    front = load(text[opening.end() : closing.start()], 2)
    if front is None:
        front = Table(2)
    if not isinstance(front, Table):
        raise BadYaml(2, "front matter is a table of keys")
    return Page(front, text[closing.end() :], closing.end(), text.count("\n", 0, closing.end()) + 1)


def body_of(text: str) -> str:
    """The text without its front matter."""
    opening = _OPENING.match(text)
    closing = _CLOSING.search(text, opening.end()) if opening else None
    return text if closing is None else text[closing.end() :]


def links(page: Page) -> Iterator[tuple[str, int]]:
    """The names that the body links to, with their lines."""
    for found in _LINK.finditer(page.body):
        name = " ".join(found[1].split())
        if name:
            yield name, page.line + page.body.count("\n", 0, found.start())


def unlinked(text: str) -> str:
    """A text with every link as the name that it leads to."""
    return _LINK.sub(lambda found: " ".join(found[1].split()), text)


def fact_lines(page: Page, is_known: Callable[[str], bool]) -> Iterator[RelationDraft]:
    """The relations that list items state with a known relation in capitals."""
    in_code = False
    for number, line in enumerate(page.body.splitlines(), start=page.line):
        in_code ^= line.lstrip().startswith(_FENCE)
        item = None if in_code else _ITEM.match(line)
        draft = _fact(item[1], number, is_known) if item else None
        if draft is not None:
            yield draft


def is_fact_line(line: str, is_known: Callable[[str], bool]) -> bool:
    item = _ITEM.match(line)
    return item is not None and _fact(item[1], 0, is_known) is not None


def _fact(text: str, line: int, is_known: Callable[[str], bool]) -> RelationDraft | None:
    plain = unlinked(text)
    times = _TIMES.search(plain)
    said = plain[: times.start()] if times else plain
    for word in _CAPITALS.finditer(said):
        subject, target = said[: word.start()].strip(_EMPHASIS), said[word.end() :].strip(_EMPHASIS)
        if subject and is_known(word[0].lower()) and (target or _needs_none(word[0].lower())):
            starts, ends = _bounds(times[1]) if times else (None, None)
            end: Target = Named(target.rstrip(".")) if target else None
            return RelationDraft(
                Named(subject), word[0], end, line, text, starts, ends, FACT_LINE, quote=text, extraction="fact_line"
            )
    return None


def _needs_none(word: str) -> bool:
    name = relation_stored_as(word)
    kind = relation_kinds().get(name.name)
    return kind is not None and kind.takes == "entity or none" and not name.swapped


def _bounds(text: str) -> tuple[str | None, str | None]:
    """The bounds in brackets: two times, one open side, or one time for both."""
    parts = _RANGE.split(text.strip())
    if len(parts) == 1:
        return parts[0].strip() or None, parts[0].strip() or None
    return parts[0].strip() or None, parts[1].strip() or None
