"""From the text of a family tree to its records: lines with a level, a tag and a value, nested."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from recollect.ingest.lore.draft import Unread

_BREAK = re.compile(r"\r\n|\r|\n")
_LINE = re.compile(r"[\s\ufeff]*(\d{1,2})\s+(?:@([^@\r\n]+)@\s*)?([A-Za-z0-9_]+)(?:[ \t](.*))?", re.DOTALL)
_POINTER = re.compile(r"\s*@([^@#][^@]*)@\s*")
VOID = "VOID"


@dataclass(slots=True)
class Node:
    """One line with the lines below it; what continues its value is already part of it.

    A record's `key` is its xref, made unique where the file is not.
    """

    line: int
    tag: str
    value: str = ""
    xref: str | None = None
    children: "list[Node]" = field(default_factory=list)
    key: str = ""

    @property
    def text(self) -> str:
        """The value as somebody meant it: single inner spaces, no doubled at sign."""
        return " ".join(self.value.replace("@@", "@").split())

    @property
    def words(self) -> str:
        """The value with its line breaks."""
        return self.value.replace("@@", "@").strip()

    @property
    def pointer(self) -> str | None:
        """The record that the value points at, if it does."""
        found = _POINTER.fullmatch(self.value)
        return found[1].strip() if found else None

    def all(self, *tags: str) -> "Iterator[Node]":
        """The lines right below with one of these tags."""
        return (child for child in self.children if child.tag in tags)

    def first(self, *tags: str) -> "Node | None":
        return next(self.all(*tags), None)

    def said(self, *tags: str) -> str:
        """The value of the first line below with one of these tags; empty without one."""
        found = self.first(*tags)
        return found.text if found else ""


class Records(NamedTuple):
    """The records of a file, and the lines that are none."""

    roots: list[Node]
    unread: list[Unread]


def read_records(text: str) -> Records:
    """The records in the text; a line that cannot be parsed is left out and reported."""
    roots: list[Node] = []
    unread: list[Unread] = []
    open_nodes: list[tuple[int, Node]] = []
    for number, line in enumerate(_BREAK.split(text), start=1):
        found = _LINE.fullmatch(line)
        if found is None:
            if line.strip("\ufeff \t\0\x1a"):
                unread.append(Unread(number, line.strip()[:80], "is no GEDCOM line: level, tag, value"))
            continue
        level, node = int(found[1]), Node(number, found[3].upper(), found[4] or "", _cleaned(found[2]))
        while open_nodes and open_nodes[-1][0] >= level:
            open_nodes.pop()
        if level and not open_nodes:
            unread.append(Unread(number, line.strip()[:80], "stands below no record"))
            continue
        _place(roots, open_nodes, level, node)
    return Records(roots, unread)


def _place(roots: list[Node], open_nodes: list[tuple[int, Node]], level: int, node: Node) -> None:
    if not open_nodes:
        roots.append(node)
    elif node.tag in ("CONC", "CONT"):
        above = open_nodes[-1][1]
        above.value += ("\n" if node.tag == "CONT" else "") + node.value
        return
    else:
        open_nodes[-1][1].children.append(node)
    open_nodes.append((level, node))


def _cleaned(xref: str | None) -> str | None:
    return xref.strip() if xref is not None else None
