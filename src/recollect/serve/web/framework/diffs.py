"""Two versions of a text side by side."""

import difflib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

CONTEXT = 3
MOST_LINES = 4_000
MOST_ROWS = 600


@dataclass(frozen=True, slots=True)
class DiffRow:
    """A line of the older and of the newer version; `skipped` stands for lines that are the same."""

    kind: Literal["same", "changed", "removed", "added", "skipped"]
    left: str = ""
    right: str = ""


def diff_rows(older: str, newer: str) -> list[DiffRow]:
    """The lines that differ, with a few around them."""
    left, right = older.splitlines()[:MOST_LINES], newer.splitlines()[:MOST_LINES]
    matcher = difflib.SequenceMatcher(None, left, right, autojunk=False)
    rows = [row for group in matcher.get_grouped_opcodes(CONTEXT) for row in _group_rows(group, left, right)]
    return rows[1:MOST_ROWS] if rows else []


def _group_rows(group: list[tuple[str, int, int, int, int]], left: list[str], right: list[str]) -> Iterator[DiffRow]:
    yield DiffRow("skipped")
    for tag, left_lo, left_hi, right_lo, right_hi in group:
        ours, theirs = left[left_lo:left_hi], right[right_lo:right_hi]
        if tag == "equal":
            yield from (DiffRow("same", line, line) for line in ours)
            continue
        for number in range(max(len(ours), len(theirs))):
            one = ours[number] if number < len(ours) else None
            other = theirs[number] if number < len(theirs) else None
            if one is None:
                yield DiffRow("added", "", other or "")
            else:
                yield DiffRow("removed", one) if other is None else DiffRow("changed", one, other)
