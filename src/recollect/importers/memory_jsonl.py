"""The file of the reference memory server: one entity or relation per line; import and export."""

import json
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

from recollect.errors import RecollectError
from recollect.importers.import_run import ImportResult, ImportTally, Progress, ProgressListener, SkippedLine
from recollect.ingest.fields import BadLine
from recollect.keep.named_graph import (
    GraphEntity,
    GraphRelation,
    add_observations,
    create_entities,
    create_relations,
    read_graph,
)
from recollect.keep.workspace_export import json_line
from recollect.memory import Memory
from recollect.model.fact import Source
from recollect.model.json_limits import Limits, find_flaw, json_object
from recollect.store.change import Change
from recollect.store.view import View

LINES_PER_COMMIT = 500
_KEYS = {"entity": {"name", "entityType", "observations"}, "relation": {"from", "to", "relationType"}}


_DEPTH = 4


def is_memory_line(line: bytes) -> bool:
    """Whether a line is an entity or relation as the reference server writes it."""
    found = json_object(line)
    return found is not None and _KEYS.get(str(found.get("type")), {""}) <= set(found)


def import_memory_file(memory: Memory, path: Path, tell: ProgressListener | None = None) -> ImportResult:
    """Take in the file, some lines per transaction; what is known already stays as it is."""
    result = ImportResult(ImportTally())
    actor = memory.as_actor("cli", "ingest", memory.actor.name)
    size = path.stat().st_size
    with path.open("rb") as file:
        lines = enumerate(file, 1)
        while batch := list(islice(lines, LINES_PER_COMMIT)):
            with actor.write() as change:
                for number, line in batch:
                    _import_line(change, result, path.name, number, line)
            if tell is not None:
                tell(Progress(file.tell(), size))
    return result


def _import_line(change: Change, result: ImportResult, file: str, number: int, line: bytes) -> None:
    if not line.strip():
        return
    result.tally.lines += 1
    try:
        facts, changed = _write_line(change, _parse_line(line), Source(given=file))
    except RecollectError as problem:
        result.skipped.append(SkippedLine(file, number, str(problem)))
        return
    result.tally.facts += facts
    result.tally.changed += changed
    result.tally.unchanged += not changed


def _parse_line(line: bytes) -> GraphEntity | GraphRelation:
    try:
        found: dict[str, Any] = json.loads(line)
    except (ValueError, RecursionError) as problem:
        raise BadLine("line", f"invalid JSON: {problem}") from problem
    if find_flaw(found, Limits(_DEPTH)) == "character":
        raise BadLine("line", "has a character that cannot be stored")
    match found:
        case {"type": "entity", "name": str(name), "entityType": str(type_), "observations": list(texts)}:
            if not all(isinstance(each, str | int | float) for each in texts):
                raise BadLine("observations", "should be a list of texts")
            return GraphEntity(name, type_, tuple(map(str, texts)))
        case {"type": "relation", "from": str(subject), "to": str(target), "relationType": str(relation)}:
            return GraphRelation(subject, relation, target)
    raise BadLine("line", "should be an entity (name, entityType, observations) or relation (from, to, relationType)")


def _write_line(change: Change, item: GraphEntity | GraphRelation, source: Source) -> tuple[int, bool]:
    """How many facts were new, and whether anything changed."""
    if isinstance(item, GraphRelation):
        created = bool(create_relations(change, [item], source))
        return int(created), created
    if create_entities(change, [item], source):
        return len(set(item.observations)), True
    added = add_observations(change, item.name, item.observations, source)
    return len(added), bool(added)


def export_memory_lines(view: View) -> Iterator[str]:
    """The graph as the reference server writes it: entities, then relations."""
    graph = read_graph(view)
    for entity in graph.entities:
        yield json_line(
            {"type": "entity", "name": entity.name, "entityType": entity.type, "observations": entity.observations}
        )
    for each in graph.relations:
        yield json_line({"type": "relation", "from": each.subject, "to": each.object, "relationType": each.relation})
