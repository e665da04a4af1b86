"""Lines of GEDCOM: escaped, and continued where a value is long or has several lines."""

import re
from collections.abc import Iterator

from recollect.exporters.gedcom_dates import GedcomVersion

_LONGEST_LINE = 200
_SHORTEST_LINE = 100


def tag_lines(level: int, tag: str, value: str, version: GedcomVersion) -> Iterator[str]:
    """The lines of one value; only version 5.5.1 limits their length."""
    for number, part in enumerate(value.splitlines() or [""]):
        yield from _continued(level + (number > 0), "CONT" if number else tag, part, version)


def _continued(level: int, tag: str, text: str, version: GedcomVersion) -> Iterator[str]:
    is_old = version == "5.5.1"
    text = text.replace("@", "@@") if is_old else re.sub("^@", "@@", text)
    size = _cut(text) if is_old else len(text)
    yield f"{level} {tag} {text[:size]}\n" if text else f"{level} {tag}\n"
    while rest := text[size:]:
        text, size = rest, _cut(rest)
        yield f"{level + (tag != 'CONT')} CONC {text[:size]}\n"


def _cut(text: str) -> int:
    """Where a long line is cut: inside a word, for programs trim lines, and never inside of an escape."""
    if len(text) <= _LONGEST_LINE:
        return len(text)
    places = range(_LONGEST_LINE, _SHORTEST_LINE, -1)
    return next((at for at in places if not re.search(r"[\s@]", text[at - 1 : at + 1])), _LONGEST_LINE)
