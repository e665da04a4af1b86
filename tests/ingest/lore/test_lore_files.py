"""Files and bundle lines of lore, as `recollect ingest` takes them."""

import json
from pathlib import Path

import pytest
from tests.conftest import MovingClock

from recollect.importers.bundle import LINE_HANDLERS, import_bundle
from recollect.importers.formats import detect_format, read_sample
from recollect.importers.lore import import_gedcom, import_lore, is_gedcom, is_lore
from recollect.memory import Memory

ERA = {"era": {"name": "Tide", "start": 1, "end": None}}


def bundle(memory: Memory, folder: Path, *lines: object) -> list[str]:
    """Take lines in; the reasons why some were skipped."""
    path = folder / "lines.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
    _, skipped = import_bundle(memory, path, None, LINE_HANDLERS)
    return [each.reason for each in skipped]


@pytest.mark.parametrize(
    ("name", "content", "kind"),
    [
        ("a.ged", "0 HEAD\n0 TRLR\n", "gedcom"),
        ("a.txt", "\ufeff0 HEAD\r\n", "gedcom"),
        ("a.ged", "0 @I1@ INDI\n1 NAME Headless /Man/\n", "gedcom"),
        ("a.yaml", "events: []\n", "lore"),
        ("a.json", '{\n "places": []\n}\n', "lore"),
        ("a.md", "---\nentity: {type: Person, name: X}\n---\n", "lore"),
        ("a.md", "---\nsource_type: dialogue\n---\nA: b\n", "lore"),
        ("a.json", '{"source_type": "bestiary", "creatures": [{"name": "Newt"}]}', "lore"),
        ("a.json", '{"entities": [{"name": "Mira"}], "relations": []}', "lore"),
        ("a.jsonl", '{"facts": []}\n', "bundle"),
        ("a.json", '{"facts": []}\n{"entities": []}\n', "bundle"),
    ],
)
def test_a_kind_is_told_by_the_content(memory: Memory, tmp_path: Path, name: str, content: str, kind: str) -> None:
    path = tmp_path / name
    path.write_text(content, "utf-8")
    assert detect_format(read_sample(memory, path)).name == kind


def test_plain_text_is_lore_in_an_invented_world_only(memory: Memory, tmp_path: Path) -> None:
    path = tmp_path / "a.md"
    path.write_text("---\ntags: [a]\n---\nOnce upon a time.\n", "utf-8")
    assert not is_lore(path, path.read_bytes())
    assert not is_gedcom(path.read_bytes())
    bundle(memory, tmp_path, ERA)
    assert detect_format(read_sample(memory, path)).import_path(memory, path, None).tally.changed == 1


def test_a_page_has_its_title_or_the_name_of_its_file(memory: Memory, tmp_path: Path) -> None:
    for name, front in (("one.md", "entity: {type: Person, name: X}"), ("two.md", "title: Second\nrelations: []")):
        path = tmp_path / name
        path.write_text(f"---\n{front}\n---\nText.\n", "utf-8")
        taken = import_lore(memory, path, None)
        assert (taken.tally.changed, taken.skipped) == (1, [])
        assert import_lore(memory, path, None).tally.unchanged == 1
    with memory.read() as view:
        for title in ("one", "Second"):
            assert len(view.rows("documents_titled", title=title, kind="lore_source")) == 1


def test_a_file_with_bad_items_is_reported_line_by_line(memory: Memory, tmp_path: Path) -> None:
    path = tmp_path / "bad.yaml"
    path.write_text("events:\n  - {name: A, date: 1800}\n  - {date: 1801}\n  - {name: B, date: soon}\n", "utf-8")
    taken = import_lore(memory, path, None)
    assert [(each.file, each.line) for each in taken.skipped] == [("bad.yaml", 3), ("bad.yaml", 4)]
    assert taken.tally.changed == 0
    with memory.read() as view:
        assert view.last_tx == 0


def test_a_family_tree_reports_progress_and_what_it_kept_as_text(memory: Memory, tmp_path: Path) -> None:
    path = tmp_path / "tree.ged"
    path.write_bytes(b"0 HEAD\n1 CHAR ANSEL\n0 @I1@ INDI\n1 NAME Zo\xe8e\n1 BIRT\n2 DATE soon\ngarbled\n0 TRLR\n")
    told: list[tuple[int, int]] = []
    taken = import_gedcom(memory, path, lambda progress: told.append((progress.done, progress.total)))
    assert [each.line for each in taken.skipped] == [7]
    assert ["soon" in each for each in taken.warnings] == [True]
    assert told[-1] == (path.stat().st_size, path.stat().st_size)
    with memory.read() as view:
        assert [name.spelling for name in view.names_matching("zoë")] == ["Zoë"]


@pytest.mark.parametrize(
    ("line", "between"),
    [
        ({"encounter": {"participants": ["A", "B"], "content": "Hello."}}, ()),
        ({"folio": {"name": "Mill", "readme": "Old."}}, ({"folio": {"name": "Mill", "readme": "New."}},)),
    ],
)
def test_a_line_that_was_taken_changes_nothing_at_a_later_hour(
    memory: Memory, clock: MovingClock, tmp_path: Path, line: object, between: tuple[object, ...]
) -> None:
    bundle(memory, tmp_path, line, *between)
    with memory.read() as view:
        before = view.last_tx
    clock.set("2026-06-01T10:00:00Z")
    bundle(memory, tmp_path, line)
    with memory.read() as view:
        assert view.last_tx == before


def test_lines_carry_encounters_and_documents(memory: Memory, tmp_path: Path) -> None:
    encounter = {"participants": ["A", "B"], "content": "Hello.", "at_time": "tide.year_3"}
    source = {"title": "t", "source_type": "timeline", "content": "events: [{name: E, date: tide.year_2}]"}
    lines = (ERA, {"encounter": encounter}, {"lore_source": source})
    assert bundle(memory, tmp_path, *lines) == []
    with memory.read() as view:
        before = (view.last_tx, view.counts()["facts"])
    assert bundle(memory, tmp_path, *lines) == []
    with memory.read() as view:
        assert (view.last_tx, view.counts()["facts"]) == before == (3, 4)


@pytest.mark.parametrize(
    "line",
    [
        {"encounter": {"participants": ["A"]}},
        {"encounter": {"participants": [], "content": "x", "at_time": "tide.year_1"}},
        {"encounter": {"participants": ["A"], "content": "x", "at_time": "sea.year_1"}},
        {"encounter": {"participants": ["A"], "content": "x", "shared": [{"foo": 1}]}},
        {"lore_source": {"title": "t", "source_type": "prose"}},
        {"lore_source": {"title": "t", "source_type": "prose", "content": "x", "foo": 1}},
        {"lore_source": {"title": "t", "source_type": "prose", "content": "---\na: [\n---\n"}},
        {"lore_source": {"title": "t", "source_type": "prose", "content": "x", "lenient": "yes"}},
        {"record": {"id": "r", "content": "x", "visibility": "loud"}},
        {"record": {"id": "r", "content": "x", "known_to": "Orrin"}},
        {"record": {"id": "r", "content": "x", "reliability": 2}},
        {"facts": [{"from": "A", "predicate": "rules", "to": "B", "visibility": "loud"}]},
    ],
)
def test_a_wrong_line_is_reported_and_skipped(memory: Memory, tmp_path: Path, line: object) -> None:
    assert len(bundle(memory, tmp_path, ERA, line)) == 1
    with memory.read() as view:
        assert view.last_tx == 1


def test_records_and_facts_carry_who_may_know_them(memory: Memory, tmp_path: Path) -> None:
    record = {
        "id": "r1",
        "type": "note",
        "content": "Secret.",
        "reliability": "rumor",
        "visibility": "common",
        "known_to": ["Orrin"],
        "world_time": "1848",
    }
    fact = {"from": "A", "predicate": "rules", "to": "B", "visibility": "secret", "known_to": ["C"]}
    assert bundle(memory, tmp_path, {"record": record, "facts": [fact]}) == []
    with memory.read() as view:
        document = view.document_named("record", "r1")
        assert document is not None
        kept = {key: document.properties[key] for key in ("reliability", "visibility", "known_to", "world_time")}
        assert kept == {key: record[key] for key in kept}
        [assertion] = view.assertions_from(document.id)
        assert assertion.attributes == {"visibility": "secret", "known_to": ["C"]}


def test_a_redefined_era_keeps_its_place_before_those_that_rest_on_it(memory: Memory, tmp_path: Path) -> None:
    inner = {"era": {"name": "Lull", "parent_era": "tide", "start": "tide.year_10", "end": "tide.year_20"}}
    moved = {"era": {"name": "Tide", "start": 100, "end": None}}
    assert bundle(memory, tmp_path, ERA, inner, moved) == []
    with memory.read() as view:
        eras = {era.path: era.first_day for era in view.world.timeline.eras}
    assert eras == {"tide": 99 * 365, "tide.lull": (99 + 9) * 365}
