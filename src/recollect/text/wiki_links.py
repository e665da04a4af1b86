"""Links between notes: `[[Halden#History|the town]]`, `![[map.png]]` and `[the town](Halden.md)`; none inside code."""

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from mimetypes import guess_type
from typing import Final, NamedTuple
from urllib.parse import unquote

from recollect.text.verbatim import occurrences

_CODE: Final = re.compile(
    r"^[ \t]*+(?P<fence>```|~~~)(?:(?!^[ \t]*(?P=fence)).)*+(?:^[ \t]*(?P=fence)[^\n]*)?|`[^`\n]++`",
    re.MULTILINE | re.DOTALL,
)
"""Fenced blocks, closed or not, and code in a line."""
_WIKI_LINK = re.compile(
    r"(?P<embed>!?)\[\[(?P<target>[^\[\]|#^\n]+)(?:[#^][^\[\]|\n]*)?(?:\|(?P<label>[^\[\]\n]*))?\]\]"
)
_MARKDOWN_LINK = re.compile(r"\[[^\[\]\n]*\]\(<?(?![a-z]+:)([^()<>\n#?]+\.md)(?:#[^()<>\n]*)?>?\)", re.IGNORECASE)
_INDENTED = re.compile(r"(?: {4}|\t)[^\n]*")
_LIST_ITEM = re.compile(r"[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]")


class WikiLink(NamedTuple):
    """A link such as `[[Halden#History|the town]]`; an embed such as `![[map.png]]` shows no text."""

    target: str
    label: str
    is_embed: bool
    start: int

    @property
    def note(self) -> str:
        """The note that it leads to, without folders and suffix."""
        return note_name(self.target)


def note_name(path: str) -> str:
    """The name of a note by its path."""
    return path.removesuffix(".md").rpartition("/")[2]


def mask_code(text: str) -> str:
    """The text with code blanked out, at its length."""
    masked = _CODE.sub(lambda found: re.sub(r"[^\n]", " ", found[0]), text) if "`" in text or "~~~" in text else text
    return _mask_indented(masked) if "\n    " in masked or "\n\t" in masked or masked[:1] in " \t" else masked


def _mask_indented(text: str) -> str:
    """Blank out lines set off by four spaces after an empty line, unless they continue a list."""
    lines, can_begin, in_list = text.split("\n"), True, False
    for at, line in enumerate(lines):
        if not line.strip():
            can_begin = True
        elif can_begin and not in_list and _INDENTED.fullmatch(line):
            lines[at] = " " * len(line)
        else:
            can_begin = False
            in_list = bool(_LIST_ITEM.match(line)) or (in_list and line[:1] in " \t")
    return "\n".join(lines)


def _iter_links(text: str) -> Iterator[re.Match[str]]:
    """The links of a text; an anchor after # or ^ is not part of the target."""
    if "[[" not in text:
        return
    yield from (found for found in _WIKI_LINK.finditer(mask_code(text)) if found["target"].strip())


def wiki_links(text: str) -> Iterator[WikiLink]:
    """The links of a text."""
    return map(_make_link, _iter_links(text))


def _make_link(found: re.Match[str]) -> WikiLink:
    target = " ".join(found["target"].split())
    return WikiLink(target, (found["label"] or "").strip() or target, bool(found["embed"]), found.start())


def linked_notes(text: str) -> list[str]:
    """The notes that a text links to or embeds, each once; pictures and other files are none."""
    names = [link.note for link in wiki_links(text)]
    if "](" in text:
        names += [note_name(unquote(each[1])) for each in _MARKDOWN_LINK.finditer(mask_code(text))]
    return [name for name in dict.fromkeys(each.strip() for each in names) if name and guess_type(name)[0] is None]


def links_to_targets(text: str) -> str:
    """The text with each link replaced by the name of its target; embeds are removed."""
    return _replace_links(text, lambda link: link.target).text


def links_to_labels(text: str) -> str:
    """The text with each link replaced by the words it shows; embeds are removed."""
    return plain_text(text).text


@dataclass(frozen=True, slots=True)
class PlainText:
    """A text without the marks of its links, and where its parts stand in the text as it was written."""

    text: str
    written: str
    _links: tuple[tuple[int, int, int, int], ...]
    """Start and stop of each link's words here, then of the link in the written text."""

    def quote(self, words: str) -> str:
        """The words of this text as they were written, with the marks of links."""
        at = self.text.find(words)
        if not self._links or not words:
            return words
        place = (at, at + len(words)) if at >= 0 else self._similar(words)
        return words if place is None else self.written[self.place(place[0]) : self.place(place[1], is_end=True)]

    def _similar(self, words: str) -> tuple[int, int] | None:
        found = next(occurrences(words, self.text), None)
        return None if found is None else (found.start, found.stop)

    def place(self, at: int, *, is_end: bool = False) -> int:
        """Where a place of this text is in the written one; inside a link, its beginning or end."""
        index = bisect_right(self._links, (at, -1 if is_end else len(self.text) + 1)) - 1
        if index < 0:
            return at
        start, stop, written_start, written_stop = self._links[index]
        if start <= at < stop or (is_end and start < at <= stop):
            return written_stop if is_end else written_start
        return written_stop + at - stop


def plain_text(text: str) -> PlainText:
    """A text as it is read: its links are the words they show, and what is embedded is not part of it."""
    return _replace_links(text, lambda link: link.label)


def _replace_links(text: str, words_of: Callable[[WikiLink], str]) -> PlainText:
    parts: list[str] = []
    links: list[tuple[int, int, int, int]] = []
    end = length = 0
    for found in _iter_links(text):
        link = _make_link(found)
        words = "" if link.is_embed else words_of(link)
        parts += (text[end : found.start()], words)
        start = length + found.start() - end
        length, end = start + len(words), found.end()
        links.append((start, length, found.start(), end))
    return PlainText("".join([*parts, text[end:]]), text, tuple(links))
