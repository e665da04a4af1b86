"""Export of a workspace as JSON lines and its import: every version, so that the round trip is byte-equal."""

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from itertools import groupby
from operator import itemgetter
from tempfile import TemporaryFile
from typing import IO, Any, NamedTuple

from recollect.errors import Conflict, Refused
from recollect.memory import Memory
from recollect.model.progress import batches
from recollect.settings import is_secret
from recollect.store.change import Change
from recollect.store.passage_index import index_words
from recollect.store.port import Row, RowRefused
from recollect.store.table_dump import PASSAGES, DumpTable, dump_rows, dump_tables
from recollect.store.tables import SETTING
from recollect.store.view import View
from recollect.store.workspaces import fill_table, is_token_known, names_to_index
from recollect.text.tokens import name_tokens

FORMAT = "recollect-workspace"
VERSION = 2
"""Since version 2 an export ends with counts and a digest of all that comes before."""
BATCH_SIZE = 1_000

ExportProgress = Callable[[int], None]


class BadExport(Refused):
    code = "bad_export"

    def __init__(self, line: int, why: str) -> None:
        super().__init__(f"line {line}: {why}; nothing was imported", field="file")


class WorkspaceNotEmpty(Conflict):
    code = "not_empty"

    def __init__(self, workspace: str) -> None:
        how = "create a new one with: recollect workspace create NAME"
        super().__init__(f"workspace {workspace!r} is not empty, and an export fills a whole workspace; {how}")


class ExportEnd(NamedTuple):
    """The last line of an export: what it contains, by which damage is found."""

    tables: dict[str, int]
    sha256: str
    left_out: tuple[str, ...] = ()
    """Settings that are secrets."""

    @property
    def rows(self) -> int:
        return sum(self.tables.values())

    @property
    def line(self) -> str:
        return json_line(
            {"rows": self.rows, "tables": self.tables, "left_out": list(self.left_out), "sha256": self.sha256}
        )


class ImportedWorkspace(NamedTuple):
    rows: int
    is_verified: bool
    """Whether the counts and the digest of the export were there to be compared."""
    left_out: tuple[str, ...]


def export_lines(view: View, *, with_secrets: bool = False) -> Iterator[str]:
    """All rows of the workspace, line by line; settings that are secrets only if they are wanted."""
    digest, counts, left_out = hashlib.sha256(), Counter[str](), set[str]()
    head = json_line({"format": FORMAT, "version": VERSION, "last_tx": view.last_tx})
    digest.update(head.encode())
    yield head
    for table in (*dump_tables(), PASSAGES):
        for row in dump_rows(view.connection, table, view.ws):
            key, *_ = row
            if table.name == SETTING.name and not with_secrets and is_secret(key):
                left_out.add(key)
                continue
            line = json_line([table.name, *row])
            digest.update(line.encode())
            counts[table.name] += 1
            yield line
    yield ExportEnd(dict(counts), digest.hexdigest(), tuple(sorted(left_out))).line


def json_line(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")) + "\n"


def import_lines(memory: Memory, file: IO[bytes], tell: ExportProgress | None = None) -> ImportedWorkspace:
    """Fill an empty workspace with all rows of a whole export, or with none."""
    end = check_export(file)
    with memory.write() as change:
        if change.last_tx or any(
            True for table in dump_tables() for _ in dump_rows(change.connection, table, change.ws)
        ):
            raise WorkspaceNotEmpty(memory.workspace.name)
        count = _import_rows(change, file, tell)
        index_names(change)
        index_words(change)
    memory.cache.writes.clear()
    return ImportedWorkspace(count, end is not None, end.left_out if end else ())


def check_export(file: IO[bytes]) -> ExportEnd | None:
    """What an export says about itself, if it is whole; None for one from before exports ended with that."""
    head = file.readline()
    version = _read_header(head)["version"]
    if version == 1:
        return None
    digest, last, number = hashlib.sha256(), head, 1
    for line in file:
        digest.update(last)
        last, number = line, number + 1
    end = read_end(last)
    if end is None:
        raise BadExport(number, "the file ends before the export does: it was cut; copy or export it again")
    if end.sha256 != digest.hexdigest() or end.rows != number - 2:
        raise BadExport(number, "the file was damaged or edited after the export; copy or export it again")
    return end


def read_end(line: bytes) -> ExportEnd | None:
    try:
        value = json.loads(line)
        return ExportEnd(dict(value["tables"]), str(value["sha256"]), tuple(value["left_out"]))
    except (ValueError, TypeError, KeyError):
        return None


def copy_workspace(source: Memory, target: Memory) -> int:
    """Copy every row into an empty workspace of this or another store, all or none; how many there were."""
    # On disk, since a workspace may be larger than memory; the file is the owner's alone and has no name.
    with TemporaryFile() as kept:
        with source.read() as view:
            kept.writelines(line.encode() for line in export_lines(view, with_secrets=True))
        kept.seek(0)
        return import_lines(target, kept).rows


def _import_rows(change: Change, file: IO[bytes], tell: ExportProgress | None) -> int:
    file.seek(0)
    head = _read_header(file.readline())
    # The last line of a checked export is an object; rows are arrays.
    lines = ((number, line) for number, line in enumerate(file, start=2) if head["version"] == 1 or line[:1] != b"{")
    known = {table.name: table for table in (*dump_tables(), PASSAGES)}
    count = 0
    for table, rows in _group_by_table(lines, known):
        for some in batches(rows, BATCH_SIZE):
            try:
                fill_table(change, table, some)
            except RowRefused as refusal:
                raise BadExport(count + 2, f"from here on {refusal}") from refusal
            count += len(some)
            if tell is not None:
                tell(file.tell())
    change.put_last_tx(head["last_tx"])
    return count


def _read_header(line: bytes) -> dict[str, Any]:
    head = _parse_json(1, line)
    if not isinstance(head, dict) or head.get("format") != FORMAT or not isinstance(head.get("last_tx"), int):
        raise BadExport(1, "not an export of a workspace")
    if head.get("version") not in (1, VERSION):
        raise BadExport(1, f"version {head.get('version')!r} of the format is not supported")
    return head


def _parse_json(number: int, line: bytes) -> Any:
    try:
        return json.loads(line)
    except ValueError:
        raise BadExport(number, "not a line of an export; recollect ingest reads other files") from None


def _group_by_table(
    lines: Iterable[tuple[int, bytes]], known: dict[str, DumpTable]
) -> Iterator[tuple[DumpTable, Iterator[Row]]]:
    """The rows by table; each group has to be consumed before the next."""
    parsed = (_parse_row(number, line, known) for number, line in lines)
    for table, rows in groupby(parsed, key=itemgetter(0)):
        yield table, (row for _, row in rows)


def _parse_row(number: int, line: bytes, known: dict[str, DumpTable]) -> tuple[DumpTable, Row]:
    value = _parse_json(number, line)
    table = known.get(value[0]) if isinstance(value, list) and value and isinstance(value[0], str) else None
    if table is None:
        raise BadExport(number, "does not name a known table")
    row = table.completed(tuple(value[1:]))
    if row is None:
        raise BadExport(number, f"a row of {table.name} has {len(table.columns) - 1} values")
    return table, row


def index_names(change: Change) -> None:
    """Rebuild the index of the words of names, which an export does not contain."""
    for folded, key in names_to_index(change):
        words = sorted(set(name_tokens(folded)))
        change.add_words(key, words)
        for word in words:
            if not is_token_known(change, word):
                change.add_variants(word)
