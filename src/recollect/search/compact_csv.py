"""Tables: the header, and the rows that a query asks for."""

import csv
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from io import StringIO
from typing import NamedTuple

from recollect.model.names import fold
from recollect.search.compact_parts import Body, Wanted
from recollect.search.content_words import content_tokens

_DELIMITERS = ",;\t|"
_TERM = re.compile(r"""("[^"]+"|[^\s=<>!"]+)\s*(!=|<=|>=|=|<|>)\s*("[^"]*"|\S+)""")
_COMPARED: Mapping[str, Callable[[float, float], bool]] = {
    "<": lambda one, other: one < other,
    "<=": lambda one, other: one <= other,
    ">": lambda one, other: one > other,
    ">=": lambda one, other: one >= other,
}


class Term(NamedTuple):
    column: int
    sign: str
    value: str


def csv_body(text: str, query: str, tokens: Sequence[str]) -> Body:
    """Header first, then the rows that satisfy every term of the query, or hold a word of it."""
    rows = list(_rows(text))
    delimiter = max(_DELIMITERS, key=lambda each: (rows[0].count(each), -_DELIMITERS.index(each))) if rows else ","
    terms = _terms(query, _cells(rows[0], delimiter)) if rows else []
    wanted = [
        Wanted((at,))
        for at, row in enumerate(rows)
        if at == 0 or _is_wanted(row, delimiter, terms, tokens if query else None)
    ]
    return Body(rows, wanted, "\n", "rows")


def _rows(text: str) -> Iterator[str]:
    """Lines of the table, however they end; a line break inside quotes belongs to its row."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    start, is_quoted = 0, False
    for at, letter in enumerate(text):
        if letter == '"':
            is_quoted = not is_quoted
        elif letter == "\n" and not is_quoted:
            if at > start:
                yield text[start:at]
            start = at + 1
    if text[start:].strip():
        yield text[start:].strip("\n")


def _cells(row: str, delimiter: str) -> list[str]:
    """The cells of a row; all of it is one if no reader of tables can part it."""
    try:
        return next(csv.reader(StringIO(row, newline=""), delimiter=delimiter), [])
    except csv.Error:
        return [row]


def _terms(query: str, header: Sequence[str]) -> list[Term]:
    places = {fold(name): at for at, name in enumerate(header)}
    found = ((fold(each[1].strip('"')), each[2], each[3].strip('"').rstrip(",;")) for each in _TERM.finditer(query))
    return [Term(places[column], sign, value) for column, sign, value in found if column in places]


def _is_wanted(row: str, delimiter: str, terms: Sequence[Term], tokens: Sequence[str] | None) -> bool:
    if terms:
        cells = _cells(row, delimiter)
        return all(_holds(cells, term) for term in terms)
    return tokens is None or not set(tokens).isdisjoint(content_tokens(row))


def _holds(cells: Sequence[str], term: Term) -> bool:
    cell = cells[term.column].strip() if term.column < len(cells) else ""
    one, other = _number(cell), _number(term.value)
    if term.sign in ("=", "!="):
        is_same = one == other if one is not None and other is not None else fold(cell) == fold(term.value)
        return is_same == (term.sign == "=")
    if one is not None and other is not None:
        return _COMPARED[term.sign](one, other)
    low, high = fold(cell), fold(term.value)
    return {"<": low < high, "<=": low <= high, ">": low > high, ">=": low >= high}[term.sign] and bool(cell)


def _number(text: str) -> float | None:
    try:
        return float(text.replace(",", "")) if text else None
    except ValueError:
        return None
