"""Markdown about a world: front matter, links and fact lines."""

import re
from collections.abc import Callable, Iterator
from difflib import get_close_matches
from typing import NamedTuple

from recollect.ingest.lore.draft import Named, RelationDraft, Target, Unread
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
_SMALL_WORDS = frozenset("of the and de da di du von van der den al el la le in on at to for a an".split())
_MOST_WORDS = 8


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


def failed_fact_lines(page: Page, is_known: Callable[[str], bool]) -> Iterator[Unread]:
    """The list items that are written like fact lines but cannot be read as one."""
    in_code = False
    for number, line in enumerate(page.body.splitlines(), start=page.line):
        in_code ^= line.lstrip().startswith(_FENCE)
        item = None if in_code else _ITEM.match(line)
        if item is not None and _fact(item[1], number, is_known) is None:
            reason = _why_no_fact(unlinked(item[1]), is_known)
            if reason is not None:
                yield Unread(number, item[1][:200], reason)


def _why_no_fact(text: str, is_known: Callable[[str], bool]) -> str | None:
    said = _TIMES.sub("", text)
    for word in _CAPITALS.finditer(said):
        subject, target = said[: word.start()].strip(_EMPHASIS), said[word.end() :].strip(_EMPHASIS + ".")
        if not _is_name(subject):
            continue
        if is_known(word[0].lower()) and not target:
            return f"{word[0]} needs an object: - A {word[0]} B"
        if not is_known(word[0].lower()) and len(word[0]) > 2 and ("_" in word[0] or _is_name(target)):
            return f"{word[0]} is not a known relation; {_likely(word[0])}"
    return None


def _is_name(text: str) -> bool:
    """Whether all words of a text but the smallest begin with a capital, as those of a name do."""
    words = [each for each in text.split() if each.lower() not in _SMALL_WORDS]
    return 0 < len(words) <= _MOST_WORDS and all(each[0].isupper() and not each.isupper() for each in words)


def _likely(word: str) -> str:
    names = [name.upper() for name in relation_kinds()]
    close = get_close_matches(word, names, 3)
    own = "to use a relation of your own, state it once under relations in the front matter"
    return f"did you mean {', '.join(close)}? Or, {own}" if close else own


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
