"""Evaluation files: documents, and queries with the documents that answer them."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC
from pathlib import Path
from typing import Any

from recollect.errors import Refused
from recollect.when.instant import Instant, read_instant
from recollect.when.time_errors import BadTime

DOC_KEYS = frozenset({"id", "text", "title", "author", "source_at", "group"})
QUERY_KEYS = frozenset({"id", "text", "gold", "group", "at", "category"})


class BadEvalLine(Refused):
    code = "bad_eval_line"

    def __init__(self, number: int, why: str) -> None:
        super().__init__(
            f"line {number}: {why}",
            field=f"line {number}",
            accepted=('{"doc": {"id", "text", …}}', '{"query": {"id", "text", "gold", …}}'),
        )


@dataclass(frozen=True, slots=True)
class EvalDoc:
    id: str
    text: str
    title: str | None = None
    author: str | None = None
    source_at: Instant | None = None
    group: str = ""


@dataclass(frozen=True, slots=True)
class EvalQuery:
    id: str
    text: str
    gold: tuple[str, ...]
    group: str = ""
    at: Instant | None = None
    category: str = ""


@dataclass(frozen=True, slots=True)
class EvalSet:
    """What a file holds; `unknown_gold` counts ids of gold that no document of the query's group has."""

    docs: tuple[EvalDoc, ...]
    queries: tuple[EvalQuery, ...]
    unknown_gold: int = 0


def read_eval_file(path: Path) -> EvalSet:
    """The documents and queries of a file; the first line that is wrong is named by its number."""
    with path.open(encoding="utf-8") as lines:
        return read_eval_lines(lines)


def read_eval_lines(lines: Iterable[str]) -> EvalSet:
    docs: dict[tuple[str, str], EvalDoc] = {}
    queries: list[EvalQuery] = []
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        match _parse_line(number, line):
            case EvalDoc() as doc:
                if docs.setdefault((doc.group, doc.id), doc) != doc:
                    raise BadEvalLine(number, f"the id {doc.id!r} was used before for another document")
            case query:
                queries.append(query)
    unknown = sum((query.group, gold) not in docs for query in queries for gold in query.gold)
    return EvalSet(tuple(docs.values()), tuple(queries), unknown)


def _parse_line(number: int, line: str) -> EvalDoc | EvalQuery:
    try:
        entry = json.loads(line)
    except ValueError:
        raise BadEvalLine(number, "this is not JSON") from None
    if not isinstance(entry, dict) or len(entry) != 1 or next(iter(entry)) not in ("doc", "query"):
        raise BadEvalLine(number, 'a line holds either "doc" or "query"')
    [(kind, fields)] = entry.items()
    if not isinstance(fields, dict):
        raise BadEvalLine(number, f'"{kind}" should be an object')
    return _parse_doc(number, fields) if kind == "doc" else _parse_query(number, fields)


def _parse_doc(number: int, fields: Mapping[str, Any]) -> EvalDoc:
    _check_keys(number, fields, DOC_KEYS)
    return EvalDoc(
        _required_text(number, fields, "id"),
        _required_text(number, fields, "text"),
        _optional_text(number, fields, "title"),
        _optional_text(number, fields, "author"),
        _parse_instant(number, fields, "source_at"),
        _optional_text(number, fields, "group") or "",
    )


def _parse_query(number: int, fields: Mapping[str, Any]) -> EvalQuery:
    _check_keys(number, fields, QUERY_KEYS)
    gold = fields.get("gold")
    if not isinstance(gold, list) or not all(isinstance(each, str | int) for each in gold):
        raise BadEvalLine(number, '"gold" should be a list of document ids')
    return EvalQuery(
        _required_text(number, fields, "id"),
        _required_text(number, fields, "text"),
        tuple(dict.fromkeys(map(str, gold))),
        _optional_text(number, fields, "group") or "",
        _parse_instant(number, fields, "at"),
        _optional_text(number, fields, "category") or "",
    )


def _check_keys(number: int, fields: Mapping[str, Any], keys: frozenset[str]) -> None:
    if unknown := sorted(fields.keys() - keys):
        raise BadEvalLine(number, f"unknown key {unknown[0]!r}; expected one of {', '.join(sorted(keys))}")


def _optional_text(number: int, fields: Mapping[str, Any], key: str) -> str | None:
    value = fields.get(key)
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, str | int):
        raise BadEvalLine(number, f'"{key}" should be a text')
    return str(value)


def _required_text(number: int, fields: Mapping[str, Any], key: str) -> str:
    value = _optional_text(number, fields, key)
    if value is None:
        raise BadEvalLine(number, f'"{key}" is missing')
    return value


def _parse_instant(number: int, fields: Mapping[str, Any], key: str) -> Instant | None:
    value = _optional_text(number, fields, key)
    if value is None:
        return None
    try:
        return read_instant(f"{value}T00:00" if len(value) == 10 else value, UTC)
    except BadTime as problem:
        raise BadEvalLine(number, f'"{key}": {problem}') from problem
