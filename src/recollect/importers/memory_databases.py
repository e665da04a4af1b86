"""SQLite files of other memories: claude-mem, MemPalace, and the history and points of mem0."""

import json
import pickle
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from io import BytesIO
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Any, NamedTuple

from recollect.errors import RecollectError
from recollect.importers.record_files import PlacedLine, RecordFile
from recollect.ingest.api_object import ApiObject
from recollect.ingest.line_parts import LITERAL_LIMIT
from recollect.ingest.memory_items import (
    MEM0_FIELDS,
    LineValue,
    drop_empty_fields,
    mem0_change,
    mem0_memory,
    parse_lines,
)
from recollect.ingest.observation_notes import OBSERVATION
from recollect.model.entity import NAME_LIMIT, UNKNOWN_TYPE
from recollect.model.json_limits import json_object
from recollect.model.similarity import to_snake_case
from recollect.model.vocabulary import PREDICATE_LIMIT
from recollect.store.external_tables import ExternalTables, open_external_tables

_BESIDE = re.compile(r"(.+)-(?:wal|shm|journal)")
_CHROMA_INDEX = frozenset("data_level0.bin header.bin length.bin link_lists.bin index_metadata.pickle".split())
"""Vectors of Chroma, in a folder beside its database."""
_QDRANT_INDEX = "meta.json"
"""How Qdrant stores its collections, beside the folder of their databases."""
_SIGNATURE = b"SQLite format 3\0"
_OBSERVATION = tuple(
    "id project type title subtitle text narrative facts concepts files_read files_modified created_at".split()
)
_SUMMARY_PARTS = ("request", "investigated", "learned", "completed", "next_steps", "notes")
_TRIPLE = tuple(
    "id subject predicate object valid_from valid_to confidence source_file source_drawer_id extracted_at".split()
)
_CHANGE = tuple("id memory_id old_memory new_memory event created_at updated_at is_deleted actor_id role".split())
_DRAWER_TEXT = "chroma:document"
_INDEX_COLLECTIONS = ("closets", "media_assets")


class MemoryDatabase(NamedTuple):
    """A program's file: the tables it is recognised by, and what is read of it."""

    name: str
    description: str
    follows: str
    tables: Mapping[str, tuple[str, ...]]
    read: Callable[[ExternalTables, Counter[str]], Iterator[LineValue]]


def is_database_of(kind: MemoryDatabase, path: Path, head: bytes) -> bool:
    """Whether a file is a database with the tables of that program."""
    if not head.startswith(_SIGNATURE):
        return False
    try:
        with open_external_tables(path) as tables:
            return all(tables.has(name, *columns) for name, columns in kind.tables.items())
    except RecollectError:
        return False


def is_beside_database(path: Path) -> bool:
    """Whether a file is the log or the index of a database beside it, which is read with that."""
    found = _BESIDE.fullmatch(path.name)
    if found is not None:
        return path.with_name(found[1]).is_file()
    if path.name == _QDRANT_INDEX:
        return any((path.parent / "collection").glob("*/storage.sqlite"))
    return path.name in _CHROMA_INDEX and (path.parent.parent / "chroma.sqlite3").is_file()


def read_database(kind: MemoryDatabase, file: RecordFile) -> Iterator[PlacedLine]:
    with open_external_tables(file.path) as tables:
        yield from (PlacedLine(line, 0) for line in parse_lines(kind.read(tables, file.left_out), file.left_out))
        file.warnings.extend(
            f"{file.path.name}: skipped the table {table!r}: it has no column {column!r}, so another version than"
            f" {kind.follows} wrote it; open it once with that version, or update recollect, and repeat the command"
            for table, column in dict.fromkeys(tables.unread)
        )


def _read_claude_mem(tables: ExternalTables, left_out: Counter[str]) -> Iterator[LineValue]:
    """Observations and summaries as records of their projects; prompts are in the sessions themselves."""
    for row in tables.read("observations", _OBSERVATION, "id"):
        fields = {key: _list(row.get(key)) for key in ("concepts", "files_read", "files_modified")}
        line = _record("observation", ApiObject(row), _observation_text(row), {"kind": row.get("type"), **fields})
        yield {**line, **_project_facts(ApiObject(row), _list(row.get("facts")))}
    columns = ("id", "project", *_SUMMARY_PARTS, "files_read", "files_edited", "created_at")
    for row in tables.read("session_summaries", columns, "id"):
        fields = {key: _list(row.get(key)) for key in ("files_read", "files_edited")}
        yield _record("summary", ApiObject(row), _summary_text(ApiObject(row)), fields)
    left_out["prompts, which are in the sessions: recollect ingest ~/.claude/projects"] += sum(
        1 for _ in tables.read("user_prompts", ("id",), "id")
    )


def _observation_text(row: LineValue) -> str:
    found = ApiObject(row)
    facts = "\n".join(f"- {each}" for each in _list(row.get("facts")))
    return "\n\n".join(filter(None, (found.text("subtitle"), found.text("narrative", "text"), facts)))


def _project_facts(found: ApiObject, told: list[str]) -> LineValue:
    """What an observation lists as facts, each about its project."""
    project = (found.text("project") or "")[:NAME_LIMIT]
    if not project or not told:
        return {}
    facts = [
        {
            "from": project,
            "to": {"literal": each[:LITERAL_LIMIT]},
            "predicate": OBSERVATION,
            "fact": f"{project}: {each}"[:LITERAL_LIMIT],
            "quote": each,
        }
        for each in told
    ]
    return {"entities": [{"name": project, "type": "project"}], "facts": facts}


def _summary_text(found: ApiObject) -> str:
    parts = ((key.replace("_", " ").capitalize(), found.text(key)) for key in _SUMMARY_PARTS)
    return "\n\n".join(f"## {heading}\n{text}" for heading, text in parts if text)


def _record(kind: str, found: ApiObject, text: str, fields: Mapping[str, Any]) -> LineValue:
    record = {
        "id": f"claude-mem:{kind}:{found.text('id')}",
        "title": found.text("title", "request"),
        "source_at": _instant(found.text("created_at")),
        "content": text,
        "metadata": drop_empty_fields({"project": found.text("project"), **fields}),
    }
    return {"record": drop_empty_fields(record)}


def _list(value: Any) -> list[str]:
    """A list that a column keeps as JSON, or as text with commas."""
    if not isinstance(value, str):
        return []
    try:
        found = json.loads(value)
    except (ValueError, RecursionError):
        found = [each.strip() for each in value.split(",")]
    return [str(each) for each in found if each] if isinstance(found, list) else [value]


def _instant(text: str | None) -> str | None:
    """SQLite's own timestamps are in UTC and do not say so."""
    if text is None or "T" in text or " " not in text:
        return text
    return f"{text.replace(' ', 'T', 1)}Z"


def _read_palace_graph(tables: ExternalTables, left_out: Counter[str]) -> Iterator[LineValue]:
    """Entities, and triples as facts that hold from `valid_from` until `valid_to`."""
    names: dict[str, dict[str, Any]] = {}
    for row in tables.read("entities", ("id", "name", "type", "properties"), "id"):
        found = ApiObject(row)
        type_ = found.text("type")
        end = drop_empty_fields(
            {"name": (found.text("name") or "")[:NAME_LIMIT], "type": None if type_ == UNKNOWN_TYPE else type_}
        )
        names[str(row["id"])] = end
        yield {"entities": [{**end, "properties": _object(row.get("properties"))}]}
    for row in tables.read("triples", _TRIPLE, "id"):
        subject, target = names.get(str(row["subject"])), names.get(str(row["object"]))
        if subject is None or target is None:
            left_out["triples whose entities are not in this file"] += 1
        else:
            yield {"facts": [_triple_fact(ApiObject(row), subject, target)]}


def _object(value: Any) -> dict[str, Any]:
    found = json_object(value) if isinstance(value, str) else None
    return drop_empty_fields(found) if found is not None else {}


def _triple_fact(row: ApiObject, subject: Mapping[str, Any], target: Mapping[str, Any]) -> dict[str, Any]:
    sources = {"source_file": row.text("source_file"), "source_drawer": row.text("source_drawer_id")}
    return drop_empty_fields(
        {
            "from": subject,
            "to": target,
            "predicate": to_snake_case(row.text("predicate") or "")[:PREDICATE_LIMIT] or "relates_to",
            "valid_from": row.text("valid_from"),
            "valid_until": row.text("valid_to"),
            "confidence": row.get("confidence"),
            "source_at": _instant(row.text("extracted_at")),
            "attributes": drop_empty_fields({**sources, "mempalace_id": row.text("id")}),
        }
    )


def _read_drawers(tables: ExternalTables, left_out: Counter[str]) -> Iterator[LineValue]:
    """Drawers as records, with the wing and room they lie in."""
    yield from _drawer_lines(_chroma_entries(tables), left_out)


class _Entry(NamedTuple):
    """One entry of a palace: its collection, its key, its text and what is noted of it."""

    collection: str
    key: str
    text: str | None
    values: dict[str, Any]


def _chroma_entries(tables: ExternalTables) -> Iterator[_Entry]:
    names = {row["id"]: str(row["name"]) for row in tables.read("collections", ("id", "name"), "id")}
    segments = {row["id"]: names.get(row["collection"]) for row in tables.read("segments", ("id", "collection"), "id")}
    keys = {
        row["id"]: (segments.get(row.get("segment_id")) or "", str(row["embedding_id"]))
        for row in tables.read("embeddings", ("id", "segment_id", "embedding_id"), "id")
    }
    columns = ("id", "key", "string_value", "int_value", "float_value")
    for id_, rows in groupby(tables.read("embedding_metadata", columns, "id"), key=itemgetter("id")):
        values = {
            str(row["key"]): next((row[key] for key in columns[2:] if row[key] is not None), None) for row in rows
        }
        text = values.pop(_DRAWER_TEXT, None)
        collection, key = keys.get(id_, ("", ""))
        yield _Entry(collection, key, str(text) if text else None, values)


def _read_exact_drawers(tables: ExternalTables, left_out: Counter[str]) -> Iterator[LineValue]:
    """Drawers of a palace that keeps its vectors in SQLite."""
    names = {row["id"]: str(row["name"]) for row in tables.read("collections", ("id", "name"), "id")}
    rows = tables.read("documents", ("collection_id", "id", "document", "metadata_json"), "id")
    entries = (
        _Entry(names.get(row["collection_id"], ""), str(row["id"]), row["document"], _object(row["metadata_json"]))
        for row in rows
    )
    yield from _drawer_lines(entries, left_out)


def _drawer_lines(entries: Iterable[_Entry], left_out: Counter[str]) -> Iterator[LineValue]:
    """Each drawer as a record; one that was cut into chunks is put together again."""
    chunks: dict[str, list[_Entry]] = {}
    for each in entries:
        parent = each.values.get("parent_drawer_id")
        if each.collection.endswith(_INDEX_COLLECTIONS):
            left_out["closets, which point at drawers"] += 1
        elif not each.key or not each.text or "wing" not in each.values:
            left_out["entries that are not drawers"] += 1
        elif parent:
            chunks.setdefault(str(parent), []).append(each)
        else:
            yield _drawer(each.key, each.text, each.values)
    for key, parts in chunks.items():
        parts.sort(key=lambda each: int(each.values.get("chunk_index") or 0))
        yield _drawer(key, "".join(each.text or "" for each in parts), parts[0].values)


def _drawer(key: str, text: str, values: Mapping[str, Any]) -> LineValue:
    """Called after the file it was mined from; some were told by an agent and have none."""
    found = ApiObject(values)
    title = re.split(r"[/\\]", found.text("source_file") or "")[-1]
    record = {
        "id": f"mempalace:{key}",
        "title": title or None,
        "source_at": found.text("filed_at"),
        "content": text,
        "metadata": drop_empty_fields(values),
    }
    return {"record": drop_empty_fields(record)}


def _read_mem0_history(tables: ExternalTables, left_out: Counter[str]) -> Iterator[LineValue]:
    """Every change of every memory, in the order in which they were made: `created_at` is that of the memory."""
    left_out["last messages of sessions"] += sum(1 for _ in tables.read("messages", ("id",)))
    for row in tables.read("history", _CHANGE):
        yield mem0_change(ApiObject({**row, "created_at": _instant(row.get("created_at"))}))


class _QdrantPoint:
    """What a stored point of Qdrant is read into: its values, and nothing that runs."""

    values: Mapping[str, Any]

    def __setstate__(self, state: Any) -> None:
        found = state.get("__dict__") if isinstance(state, dict) else None
        self.values = found if isinstance(found, dict) else {}


class _PointReader(pickle.Unpickler):
    """Reads points that a client of Qdrant pickled; a file that names any other class is refused."""

    def find_class(self, module_name: str, global_name: str, /) -> Any:
        if (module_name, global_name) == ("qdrant_client.http.models.models", "PointStruct"):
            return _QdrantPoint
        raise pickle.UnpicklingError(f"{module_name}.{global_name} is not a point")


def _read_mem0_points(tables: ExternalTables, left_out: Counter[str]) -> Iterator[LineValue]:
    """The memories of a local Qdrant as mem0 keeps them: their text and fields are the payload of points."""
    for row in tables.read("points", ("id", "point"), "id"):
        point = _point(row.get("point"))
        payload = point.get("payload")
        if not isinstance(payload, dict) or not isinstance(payload.get("data"), str):
            left_out["points that are not memories of mem0"] += 1
            continue
        known = {key: payload.get(key) for key in (*MEM0_FIELDS, "hash", "created_at", "updated_at")}
        rest = {key: value for key, value in payload.items() if key not in known and key != "data"}
        memory = {"id": point.get("id"), "memory": payload["data"], "metadata": rest, **known}
        yield from mem0_memory(ApiObject(memory), left_out)


def _point(blob: Any) -> Mapping[str, Any]:
    """The id and payload of a point; empty if the value is not a point."""
    try:
        found = _PointReader(BytesIO(blob)).load()
    except (pickle.UnpicklingError, TypeError, ValueError, EOFError, AttributeError, IndexError, KeyError):
        return {}
    return found.values if isinstance(found, _QdrantPoint) else {}


MEMORY_DATABASES: tuple[MemoryDatabase, ...] = (
    MemoryDatabase(
        "claude-mem",
        "the database of claude-mem",
        "claude-mem 13.25, schema version 52",
        {"observations": ("project", "type", "created_at"), "session_summaries": ("project", "learned")},
        _read_claude_mem,
    ),
    MemoryDatabase(
        "mempalace",
        "the knowledge graph of MemPalace",
        "mempalace 3.11",
        {"entities": ("id", "name"), "triples": ("subject", "predicate", "object", "valid_from", "valid_to")},
        _read_palace_graph,
    ),
    MemoryDatabase(
        "mempalace-drawers",
        "the drawers of MemPalace (chroma.sqlite3)",
        "mempalace 3.11, chromadb 1.5",
        {"embeddings": ("id", "embedding_id"), "embedding_metadata": ("id", "key", "string_value")},
        _read_drawers,
    ),
    MemoryDatabase(
        "mempalace-exact",
        "the drawers of MemPalace (sqlite_exact.sqlite3)",
        "mempalace 3.11",
        {"collections": ("id", "name"), "documents": ("collection_id", "document", "metadata_json")},
        _read_exact_drawers,
    ),
    MemoryDatabase(
        "mem0-history",
        "the history database of mem0",
        "mem0ai 2.2",
        {"history": ("memory_id", "old_memory", "new_memory", "event")},
        _read_mem0_history,
    ),
    MemoryDatabase(
        "mem0-qdrant",
        "the local Qdrant store of mem0 (storage.sqlite)",
        "mem0ai 2.2, qdrant-client 1.20",
        {"points": ("id", "point")},
        _read_mem0_points,
    ),
)
