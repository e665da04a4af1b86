"""The file of the reference memory server comes in and goes out unchanged."""

import json
from pathlib import Path
from typing import Any

from recollect.importers.formats import detect_format, read_sample
from recollect.importers.memory_jsonl import export_memory_lines, import_memory_file
from recollect.memory import Memory

LINES: list[dict[str, Any]] = [
    {"type": "entity", "name": "Ana Lima", "entityType": "person", "observations": ["Bakes rye bread", "No walnuts"]},
    {"type": "entity", "name": "Rye & Co", "entityType": "Small Company", "observations": []},
    {"type": "entity", "name": "ana lima", "entityType": "cat", "observations": ["Sleeps"]},
    {"type": "relation", "from": "Ana Lima", "to": "Rye & Co", "relationType": "works at"},
    {"type": "relation", "from": "Ana Lima", "to": "Harbour Mill", "relationType": "works at"},
]


def write(path: Path, lines: list[dict[str, Any]]) -> Path:
    path.write_text("\n".join(json.dumps(line) for line in lines), encoding="utf-8")
    return path


def exported(memory: Memory) -> list[dict[str, Any]]:
    with memory.read() as view:
        return [json.loads(line) for line in export_memory_lines(view)]


def by_text(lines: list[dict[str, Any]]) -> list[str]:
    return sorted(json.dumps(line, sort_keys=True) for line in lines)


def test_a_memory_file_is_recognised_and_exported_as_it_came(memory: Memory, tmp_path: Path) -> None:
    path = write(tmp_path / "memory.jsonl", LINES)
    assert detect_format(read_sample(memory, path)).name == "memory-jsonl"
    result = import_memory_file(memory, path)
    assert (result.tally.lines, result.tally.changed, result.tally.facts, result.skipped) == (5, 5, 5, [])
    assert by_text(exported(memory)) == by_text(LINES)


def test_a_second_import_changes_nothing(memory: Memory, tmp_path: Path) -> None:
    path = write(tmp_path / "memory.jsonl", LINES)
    import_memory_file(memory, path)
    with memory.read() as view:
        before = view.last_tx
    again = import_memory_file(memory, path)
    assert (again.tally.changed, again.tally.unchanged) == (0, 5)
    with memory.read() as view:
        assert view.last_tx == before


def test_a_longer_file_adds_only_what_is_new(memory: Memory, tmp_path: Path) -> None:
    import_memory_file(memory, write(tmp_path / "memory.jsonl", LINES))
    grown = [{**LINES[0], "observations": [*LINES[0]["observations"], "Opens at six"]}, *LINES[1:]]
    result = import_memory_file(memory, write(tmp_path / "memory.jsonl", grown))
    assert (result.tally.changed, result.tally.facts) == (1, 1)
    assert by_text(exported(memory)) == by_text(grown)


def test_a_line_of_another_shape_is_reported_and_the_rest_comes_in(memory: Memory, tmp_path: Path) -> None:
    path = write(tmp_path / "memory.jsonl", [LINES[0], {"type": "entity", "name": 7}, LINES[3]])
    result = import_memory_file(memory, path)
    assert [(each.line, "entityType" in each.reason) for each in result.skipped] == [(2, True)]
    assert result.tally.changed == 2


def test_facts_of_other_surfaces_are_read_as_observations_and_relations(memory: Memory) -> None:
    from recollect.surfaces.recollect.remember import remember

    told = memory.as_actor("recollect", "remember")
    remember(told, facts=[{"subject": "acme-web", "predicate": "uses", "value": "pnpm"}])
    remember(told, facts=[{"subject": "Ana", "predicate": "works_at", "object": "Acme"}])
    found = exported(memory)
    assert {"type": "relation", "from": "Ana", "to": "Acme", "relationType": "works_at"} in found
    [project] = [line for line in found if line.get("name") == "acme-web"]
    assert project["observations"] == ["acme-web uses pnpm"]
