"""A workspace as one file of lines, and back: every version of everything, so that the round trip is byte-equal.

The first line says what the file is. Each further line is one row: the name of its table, then its values.
"""

import json
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import IO, Any

from recollect.errors import Conflict, Refused
from recollect.memory import Memory
from recollect.model.names import tokens
from recollect.store.change import Change
from recollect.store.index import index_words
from recollect.store.port import Row
from recollect.store.view import View
from recollect.store.whole import PASSAGES, Whole, rows_of, tables

FORMAT = "recollect-workspace"
VERSION = 1
AT_ONCE = 1_000

Tell = Callable[[int], None]


class BadExport(Refused):
    code = "bad_export"

    def __init__(self, line: int, why: str) -> None:
        super().__init__(f"line {line}: {why}; nothing was taken in", field="file")


class NotEmpty(Conflict):
    code = "not_empty"

    def __init__(self, workspace: str) -> None:
        how = "make a new one with: recollect workspace create NAME"
        super().__init__(f"workspace {workspace!r} holds something already, and an export is a whole workspace; {how}")


def export_lines(view: View) -> Iterator[str]:
    """Everything the workspace holds, line by line."""
    yield _line({"format": FORMAT, "version": VERSION, "last_tx": view.last_tx})
    for table in (*tables(), PASSAGES):
        yield from (_line([table.name, *row]) for row in rows_of(view.connection, table, view.ws))


def _line(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")) + "\n"


def import_lines(memory: Memory, file: IO[bytes], tell: Tell | None = None) -> int:
    """Fill an empty workspace; how many rows there were. All of it or nothing."""
    with memory.write() as change:
        if change.last_tx or any(True for table in tables() for _ in rows_of(change.connection, table, change.ws)):
            raise NotEmpty(memory.workspace.name)
        count = _fill(change, file, tell)
        _index_names(change)
        index_words(change)
    memory.recent.clear()
    return count


def _fill(change: Change, file: IO[bytes], tell: Tell | None) -> int:
    lines = enumerate(file, start=1)
    head = _head(*next(lines, (1, b"")))
    known = {table.name: table for table in (*tables(), PASSAGES)}
    count = 0
    for table, rows in _together(lines, known):
        for some in _batches(rows):
            change.connection.fill(table.name, table.columns, [(change.ws, *row) for row in some])
            count += len(some)
            if tell is not None:
                tell(file.tell())
    change.connection.run("last_tx_put", {"ws": change.ws, "tx": head["last_tx"]})
    return count


def _head(number: int, line: bytes) -> dict[str, Any]:
    head = _read(number, line)
    if not isinstance(head, dict) or head.get("format") != FORMAT or not isinstance(head.get("last_tx"), int):
        raise BadExport(number, "this is no export of a workspace")
    if head.get("version") != VERSION:
        raise BadExport(number, f"version {head.get('version')!r} of the format is not known here")
    return head


def _read(number: int, line: bytes) -> Any:
    try:
        return json.loads(line)
    except ValueError:
        raise BadExport(number, "is no JSON") from None


def _together(lines: Iterable[tuple[int, bytes]], known: dict[str, Whole]) -> Iterator[tuple[Whole, Iterator[Row]]]:
    """Rows of one table after another; each lot has to be used up before the next."""
    held: list[tuple[Whole, Row]] = []
    source = (_row(number, line, known) for number, line in lines)

    def lot(table: Whole) -> Iterator[Row]:
        while held and held[0][0] is table:
            yield held.pop()[1]
            held.extend(islice(source, 1))

    held.extend(islice(source, 1))
    while held:
        yield held[0][0], lot(held[0][0])


def _row(number: int, line: bytes, known: dict[str, Whole]) -> tuple[Whole, Row]:
    value = _read(number, line)
    table = known.get(value[0]) if isinstance(value, list) and value and isinstance(value[0], str) else None
    if table is None:
        raise BadExport(number, "names no table that is known here")
    row = table.completed(tuple(value))
    if row is None:
        raise BadExport(number, f"a row of {table.name} has {len(table.columns) - 1} values")
    return table, row[1:]


def _batches(rows: Iterator[Row]) -> Iterator[list[Row]]:
    while some := list(islice(rows, AT_ONCE)):
        yield some


def _index_names(change: Change) -> None:
    """The words of names are an index, made anew."""
    for folded, key in change.rows("names_to_index"):
        words = sorted(set(tokens(folded)))
        change.add_words(key, words)
        for word in words:
            if not change.rows("token_known", token=word):
                change.add_variants(word)
