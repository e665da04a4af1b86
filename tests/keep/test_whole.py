"""A workspace leaves and comes back without loss, also from one engine to the other."""

import io
import json
import re
from collections import Counter
from importlib.resources import files
from pathlib import Path

import pytest
from tests.conftest import MovingClock
from tests.support.databases import new_postgres_database

from recollect.change_listeners import standard_listeners
from recollect.importers.bundle import LINE_HANDLERS, import_bundle
from recollect.keep.workspace_export import BadExport, WorkspaceNotEmpty, export_lines, import_lines
from recollect.memory import Memory, open_memory
from recollect.resolve.resolver import resolve
from recollect.serve.workspace_settings import describe_workspace
from recollect.settings import MASK, Settings
from recollect.store.table_dump import DERIVED_TABLES, PRIVATE_TABLES, dump_tables
from recollect.store.tables import CHUNK
from recollect.surfaces.dispatch import call
from recollect.surfaces.registry import find_surface
from recollect.write.undo import undo

LINES = (
    {
        "record": {"id": "n1", "type": "note", "title": "Walk", "content": "Ada met Ben at the mill. " * 20},
        "entities": [{"name": "Ada Ferro", "type": "person", "aliases": ["Ada"]}],
        "facts": [{"from": "Ada Ferro", "to": "Ben", "predicate": "knows", "quote": "Ada met Ben"}],
    },
    {"facts": [{"from": "Ada Ferro", "to": "Acme", "fact_type": "employee", "edge_label": "AFFILIATED"}]},
    {"measurement": {"source": "gate", "metric": "opened", "at": "2026-05-05T07:00:00Z", "value": 2.5}},
)


@pytest.fixture
def full(memory: Memory, tmp_path: Path, clock: MovingClock) -> Memory:
    path = tmp_path / "b.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in LINES), "utf-8")
    import_bundle(memory, path, None, LINE_HANDLERS)
    clock.set("2026-05-21T10:00:00Z")
    given = {"granularity": "daily", "date": "2026-05-20", "content": "- A walk.", "instanceId": "desk"}
    for content in ("- A walk.", "- Another one."):
        tool = find_surface("entity-core").find("memory_create")
        answer = call(tool, lambda each: memory.as_actor("entity-core", each.name), {**given, "content": content})
        assert not answer.is_error, answer.structured
    with memory.write() as change:
        undo(change, 2)
    return memory


def _exported(memory: Memory) -> str:
    with memory.read() as view:
        return "".join(export_lines(view))


@pytest.fixture(params=["sqlite", "postgres"])
def empty(request: pytest.FixtureRequest, tmp_path: Path, clock: MovingClock) -> Memory:
    place = str(tmp_path / "other.db")
    if request.param == "postgres":
        place = new_postgres_database(request.getfixturevalue("postgres_server"))
    return open_memory(place, settings=Settings(), clock=clock, followers=standard_listeners())


def test_the_round_trip_is_byte_equal(full: Memory, empty: Memory) -> None:
    text = _exported(full)
    import_lines(empty, io.BytesIO(text.encode()))
    assert _exported(empty) == text
    with empty.read() as view, full.read() as before:
        assert view.last_tx == before.last_tx
        assert resolve(empty.names(view), "Ada Fero").rung == "fuzzy"
        assert view.rows("chunks_waiting", upto=0) == before.rows("chunks_waiting", upto=0)
    empty.close()


def test_what_came_back_goes_on_living(full: Memory, empty: Memory) -> None:
    import_lines(empty, io.BytesIO(_exported(full).encode()))
    with full.read() as view:
        last = view.last_tx
    with empty.write() as change:
        undo(change, last)
        assert change.tx == last + 1
    empty.close()


def test_an_export_from_before_columns_were_added_is_taken(full: Memory, empty: Memory) -> None:
    lines = [json.loads(line) for line in _exported(full).splitlines()]
    older = [each[:-2] if isinstance(each, list) and each[0] == "name" else each for each in lines[1:-1]]
    older.insert(0, {**lines[0], "version": 1})
    imported = import_lines(empty, io.BytesIO("\n".join(map(json.dumps, older)).encode()))
    assert not imported.is_verified
    brought = [json.loads(line) for line in _exported(empty).splitlines()]
    wanted = [[*each[:-2], 0, "owner"] if isinstance(each, list) and each[0] == "name" else each for each in lines]
    assert brought[:-1] == wanted[:-1]
    empty.close()


def test_only_an_empty_workspace_is_filled(full: Memory) -> None:
    with pytest.raises(WorkspaceNotEmpty):
        import_lines(full, io.BytesIO(_exported(full).encode()))


@pytest.mark.parametrize(
    ("spoil", "line"),
    [
        (lambda _: [], 1),
        (lambda lines: ["{}\n", *lines[1:]], 1),
        (lambda lines: [lines[0], "nonsense\n"], 2),
        (lambda lines: [lines[0], '["nowhere",1]\n'], 2),
        (lambda lines: [*lines[:3], '["tx",1]\n'], 4),
        (lambda lines: lines[:20], 20),
        (lambda lines: [*lines[:-1], lines[-1][:40]], r"\d+"),
        (lambda lines: [*lines[:9], *lines[8:]], r"\d+"),
        (lambda lines: [*lines[:9], *lines[10:]], r"\d+"),
        (lambda lines: [*lines, *lines], r"\d+"),
        (lambda lines: [lines[0].replace('"version":2', '"version":1'), *lines[1:3], lines[2]], r"\d+"),
        (lambda lines: [lines[0].replace('"version":2', '"version":1'), '["setting","a",1,9,null]\n'], r"\d+"),
    ],
)
def test_a_spoilt_file_leaves_nothing(full: Memory, empty: Memory, spoil: object, line: int | str) -> None:
    before = _exported(empty)
    lines = _exported(full).splitlines(keepends=True)
    with pytest.raises(BadExport, match=f"^line {line}:"):
        import_lines(empty, io.BytesIO("".join(spoil(lines)).encode()))  # type: ignore[operator]
    assert _exported(empty) == before
    empty.close()


def test_secrets_among_the_settings_are_left_out_and_named(full: Memory, empty: Memory) -> None:
    with full.write() as change:
        change.put_setting("llm.key", "sk-very-secret")
    text = _exported(full)
    assert "sk-very-secret" not in text
    assert import_lines(empty, io.BytesIO(text.encode())).left_out == ("llm.key",)
    with full.read() as view:
        assert describe_workspace(view)["settings"]["llm.key"] == MASK
    empty.close()


def test_every_table_is_exported_or_said_to_be_an_index_or_private() -> None:
    folder = files("recollect.store") / "schema"
    places = (folder, folder / "sqlite", folder / "postgres")
    scripts = [text.read_text("utf-8") for place in places for text in place.iterdir() if text.name.endswith(".sql")]
    text = "\n".join(scripts)
    renamed = re.findall(r"ALTER TABLE (\w+) RENAME TO (\w+)", text)
    # One that was dropped and made again was made twice.
    begun = Counter([*re.findall(r"CREATE (?:VIRTUAL )?TABLE (\w+)", text), *(new for _, new in renamed)])
    made = set(begun - Counter([*re.findall(r"DROP TABLE (\w+)", text), *(old for old, _ in renamed)]))
    covered = (
        {table.name for table in dump_tables()} | DERIVED_TABLES | PRIVATE_TABLES | {CHUNK.name, "chunk_word_place"}
    )
    assert made - covered == set()
    assert covered - made == set()


def test_the_columns_are_those_of_the_schema() -> None:
    assert [table for table in dump_tables() if table.columns[0] != "ws" or not table.key] == []
