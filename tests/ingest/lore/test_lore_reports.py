"""What `recollect ingest` says of lore and notes that it could not read: nothing is dropped without a word."""

import json
from pathlib import Path

from click.testing import CliRunner, Result
from tests.ingest.lore.test_lore_files import ERA, bundle
from tests.surfaces.lore_engine.telling_tools import Builder

from recollect.importers.formats import detect_format, read_sample
from recollect.importers.lore import import_lore
from recollect.importers.notes import import_notes
from recollect.memory import Memory
from recollect.serve.cli.main import main

CALENDAR = """calendar:
  name: Hearth Count
  months:
    - {name: Rime, days: 30}
    - {name: Blaze, days: 30}
eras:
  - {name: Third Age, start: 1, end: 500, abbreviation: TA}
"""
PEOPLE = """entities:
  - {type: Faction, name: Marrow}
  - {type: Faction, name: Crimson Pact}
"""


def written(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_text(text, "utf-8")
    return path


def ingest(folder: Path, *arguments: str) -> Result:
    return CliRunner().invoke(main, ["--db", str(folder / "r.db"), "ingest", "--no-vectors", *arguments])


def test_a_list_item_with_an_unknown_relation_is_reported_with_its_line(memory: Memory, tmp_path: Path) -> None:
    items = "- Marrow ALLYED_WITH Crimson Pact (1300 .. 1345)\n- Marrow BEFRIENDED Crimson Pact\n- Marrow ADORES Di\n"
    text = f"---\n{PEOPLE}---\n\n{items}"
    taken = import_lore(memory, written(tmp_path, "pact.md", text), None)
    found = [(each.file, each.line, each.reason.partition(";")[0]) for each in taken.skipped]
    assert found == [
        ("pact.md", 7, "Marrow ALLYED_WITH Crimson Pact (1300 .. 1345): ALLYED_WITH is not a known relation"),
        ("pact.md", 8, "Marrow BEFRIENDED Crimson Pact: BEFRIENDED is not a known relation"),
        ("pact.md", 9, "Marrow ADORES Di: ADORES is not a known relation"),
    ]
    assert "did you mean ALLIED_WITH" in taken.skipped[0].reason


def test_a_list_item_in_plain_words_is_no_failed_relation(memory: Memory, tmp_path: Path) -> None:
    items = "- The UN met NATO in the hall\n- sells SALT to Marrow\n- TODO write more\n- The NATO Alliance\n"
    text = f"---\n{PEOPLE}---\n{items}"
    assert import_lore(memory, written(tmp_path, "pact.md", text), None).skipped == []


def test_a_calendar_in_yaml_is_applied_before_the_times_that_use_it(memory: Memory, tmp_path: Path) -> None:
    text = f"---\n{CALENDAR}{PEOPLE}---\nMarrow was allied with the Crimson Pact until Rime 345 TA.\n"
    path = written(tmp_path, "world.md", text)
    taken = detect_format(read_sample(memory, path)).import_path(memory, path, None)
    assert (taken.skipped, taken.warnings, taken.text_only, taken.tally.facts) == ([], [], [], 1)
    asked = {"subject": "Marrow", "relation": "ALLIED_WITH", "object": "Crimson Pact"}
    world = Builder(memory)
    assert world.do("was_true_at", **asked, at_time="third_age.year_345.month_1")["was_true"] is True
    assert world.do("was_true_at", **asked, at_time="third_age.year_345.month_2")["was_true"] is False


def test_a_yaml_file_may_hold_nothing_but_a_calendar(memory: Memory, tmp_path: Path) -> None:
    path = written(tmp_path, "calendar.yaml", CALENDAR)
    taken = import_lore(memory, path, None)
    assert (taken.skipped, taken.warnings, taken.text_only) == ([], [], [])
    with memory.read() as view:
        assert [each.name for each in view.world.timeline.calendars] == ["Hearth Count"]
        assert [each.path for each in view.world.timeline.eras] == ["third_age"]
    assert import_lore(memory, path, None).tally.unchanged == 1


def test_a_calendar_that_is_not_understood_is_reported_with_its_line(memory: Memory, tmp_path: Path) -> None:
    text = "---\ntitle: Odd\ncalendar: {name: Odd, moons: 3}\nentity: {type: Person, name: X}\n---\n"
    [skipped] = import_lore(memory, written(tmp_path, "odd.md", text), None).skipped
    assert (skipped.file, skipped.line) == ("odd.md", 3)
    assert "calendar Odd" in skipped.reason
    assert "define_calendar" in skipped.reason


def test_a_calendar_that_is_only_named_is_said_not_to_be_applied(memory: Memory, tmp_path: Path) -> None:
    text = "---\ncalendar: Hearth Count\nentity: {type: Person, name: X}\n---\n"
    [warning] = import_lore(memory, written(tmp_path, "x.md", text), None).warnings
    assert warning.startswith("x.md: line 2: calendar: Hearth Count was not applied")


def test_yaml_keys_that_nothing_reads_are_reported(memory: Memory, tmp_path: Path) -> None:
    taken = import_lore(memory, written(tmp_path, "x.yaml", "kingdoms:\n  - Marrow\nmoons: 3\n"), None)
    assert [each.partition(" in YAML")[0] for each in taken.warnings] == [
        "x.yaml: line 1: unknown key kingdoms",
        "x.yaml: line 3: unknown key moons",
    ]
    assert [each.file for each in taken.text_only] == ["x.yaml"]


def test_a_lore_file_that_gives_nothing_is_reported_as_kept_as_text(memory: Memory, tmp_path: Path) -> None:
    bundle(memory, tmp_path, ERA)
    path = written(tmp_path, "song.md", "The sea is wide and cold.\n")
    taken = import_lore(memory, path, None)
    assert [(each.file, each.reason.partition(";")[0]) for each in taken.text_only] == [
        ("song.md", "it names no entity and states no relation")
    ]
    assert import_lore(memory, path, None).text_only == []


def test_the_lore_tool_says_that_a_document_was_kept_as_text_only(memory: Memory) -> None:
    said = Builder(memory).do("add_lore_source", title="song", source_type="prose", content="The sea is wide.")
    assert said["warnings"][0].startswith("kept as text only")


def test_a_bundle_line_of_lore_reports_what_was_not_read(memory: Memory, tmp_path: Path) -> None:
    source = {
        "title": "Annals",
        "source_type": "prose",
        "content": f"---\n{PEOPLE}---\nMarrow was allied with the Crimson Pact until the moons met.\n",
    }
    [reason] = bundle(memory, tmp_path, {"lore_source": source})
    assert reason.startswith("lore_source Annals: line 6: Marrow was allied")


def test_each_note_without_facts_is_reported_as_kept_as_text(memory: Memory, tmp_path: Path) -> None:
    (tmp_path / ".obsidian").mkdir()
    (tmp_path / "deep").mkdir()
    written(tmp_path, "deep/empty.md", "The sea is wide and cold.\n")
    written(tmp_path, "told.md", "---\nauthor: Ada Hart <ada@x.example>\n---\nI will send the offer by 3 March 2031.\n")
    taken = import_notes(memory, tmp_path)
    assert [each.file for each in taken.text_only] == ["deep/empty.md"]


def test_the_command_shows_what_was_not_read(tmp_path: Path) -> None:
    pages = tmp_path / "pages"
    pages.mkdir()
    written(pages, "pact.md", f"---\n{PEOPLE}---\nMarrow was allied with the Crimson Pact until the moons met.\n")
    written(pages, "song.md", "The sea is wide and cold.\n")
    shown = ingest(tmp_path, str(pages))
    assert shown.exit_code == 2
    assert "pact.md:6: Marrow was allied with the Crimson Pact until the moons met.: its time could not" in shown.output
    assert "song.md: stored as text only: no fact was found in it" in shown.output


def test_the_command_says_the_same_as_json(tmp_path: Path) -> None:
    pages = tmp_path / "pages"
    pages.mkdir()
    written(pages, "pact.md", f"---\n{PEOPLE}---\n- Marrow BEFRIENDED Crimson Pact\n")
    written(pages, "song.md", "The sea is wide and cold.\n")
    shown = json.loads(ingest(tmp_path, "--json", str(pages)).stdout)
    assert [(each["file"], each["line"]) for each in shown["skipped"]] == [("pact.md", 6)]
    assert [each["file"] for each in shown["text_only"]] == ["song.md"]
