"""Exports for other programs: what they hold, and that a vault and a family tree come back as they were."""

import csv
import json
import os
import stat
from codecs import BOM_UTF8
from collections import Counter
from collections.abc import Iterator
from io import StringIO
from pathlib import Path
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner

from recollect.exporters.export_formats import EXPORT_FORMATS, write_files
from recollect.exporters.graph import ExportedFile, ExportedGraph, ExportRefused
from recollect.importers.bundle import import_bundle
from recollect.memory import Memory, open_memory
from recollect.serve.cli.data import EXPORT_NAMES, OWN_EXPORTS, export_command
from recollect.serve.cli.main import main
from tests.ingest.formats.importing import Imported

BUNDLE = [
    {
        "record": {"id": "r1", "type": "generic", "content": "Who works where.", "source_at": "2024-01-05"},
        "entities": [
            {"name": "Ana Lima", "type": "person", "aliases": ["A. Lima"], "properties": {"email": "ana@rye.example"}},
            {"name": "Rye & Co", "type": "organization"},
        ],
        "facts": [
            {"from": "Ana Lima", "to": "Rye & Co", "predicate": "works_at", "valid_from": "2019-03",
             "valid_until": "2023"},
            {"from": "Ana Lima", "to": "Harbour <Mill>", "predicate": "works_at", "valid_from": "2023-06-01"},
            {"from": "Ana Lima", "to": {"literal": "No walnuts (ever)"}, "predicate": "diet"},
        ],
    }
]  # fmt: skip
FAMILY = """0 HEAD
1 CHAR UTF-8
0 @I1@ INDI
1 NAME Olaf /Berg/
1 SEX M
1 BIRT
2 DATE ABT 1801
2 PLAC Bergen, Norway
1 OCCU Cooper
0 @I2@ INDI
1 NAME Kari /Vik/
1 SEX F
1 DEAT Y
0 @I3@ INDI
1 NAME Nils /Berg/
1 BIRT
2 DATE BEF 3 MAY 1830
1 FAMC @F1@
2 PEDI adopted
0 @I4@ INDI
1 NAME Nils /Berg/
1 BIRT
2 DATE BET 1832 AND 1834
0 @F1@ FAM
1 HUSB @I1@
1 WIFE @I2@
1 MARR
2 DATE 17 MAR 1825
2 PLAC Bergen, Norway
1 DIV
2 DATE 1840
1 CHIL @I3@
1 CHIL @I4@
0 @F2@ FAM
1 HUSB @I4@
1 WIFE @I5@
1 MARR
2 DATE ABT 1853
0 @I5@ INDI
1 NAME Ragna /Lie/
0 TRLR
"""


def fill(memory: Memory, folder: Path) -> None:
    path = folder / "facts.jsonl"
    path.write_text("\n".join(map(json.dumps, BUNDLE)), encoding="utf-8")
    assert import_bundle(memory, path)[1] == []


def export_text(memory: Memory, form: str) -> str:
    lines = EXPORT_FORMATS[form].lines
    assert lines is not None
    with memory.read() as view:
        return "".join(lines(ExportedGraph(view)))


def export_folder(memory: Memory, form: str, target: Path) -> Path:
    files = EXPORT_FORMATS[form].files
    assert files is not None
    with memory.read() as view:
        write_files(target, files(ExportedGraph(view)))
    return target


def graph_of(memory: Memory) -> tuple[Counter[object], Counter[object]]:
    """Entities by name and type, and facts by names, predicate and times."""
    with memory.read() as view:
        graph = ExportedGraph(view)
        names = {id_: each.name for id_, each in graph.entities.items()}
        facts = (
            (
                *(names[each.subject], each.predicate, names.get(each.object or each.subject), each.value),
                *(each.valid_from, each.valid_until, each.attributes.get("role"), each.attributes.get("kind")),
            )
            for each in graph.facts
        )
        return Counter((each.name, each.type, each.aliases) for each in graph.entities.values()), Counter(facts)


def other_memory(folder: Path) -> Memory:
    return open_memory(str(folder / "other.db"))


def test_graphml_has_every_entity_and_fact_with_its_times(memory: Memory, tmp_path: Path) -> None:
    fill(memory, tmp_path)
    space = "{http://graphml.graphdrawing.org/xmlns}"
    graph = ElementTree.fromstring(export_text(memory, "graphml"))
    nodes = [{d.get("key"): d.text for d in node} for node in graph.iter(f"{space}node")]
    edges = [{d.get("key"): d.text for d in edge} for edge in graph.iter(f"{space}edge")]
    assert {each.get("node_name") for each in nodes} == {"Ana Lima", "Rye & Co", "Harbour <Mill>", None}
    times = {(each.get("edge_valid_from"), each.get("edge_valid_until")) for each in edges}
    assert times == {("2019-03", "2023"), ("2023-06-01", None), (None, None)}


def test_json_ld_states_facts_with_source_and_time(memory: Memory, tmp_path: Path) -> None:
    fill(memory, tmp_path)
    items = json.loads(export_text(memory, "json-ld"))["@graph"]
    facts = [each for each in items if each["@type"] == "rdf:Statement"]
    assert len(items) == 6
    assert {each["predicate"] for each in facts} == {"works_at", "diet"}
    assert all(each["subject"].startswith("urn:recollect:") and each["source"] for each in facts)


def test_csv_has_a_table_of_entities_and_one_of_facts(memory: Memory, tmp_path: Path) -> None:
    fill(memory, tmp_path)
    folder = export_folder(memory, "csv", tmp_path / "tables")
    entities = list(csv.DictReader(StringIO((folder / "entities.csv").read_text())))
    facts = list(csv.DictReader(StringIO((folder / "facts.csv").read_text())))
    assert (entities[0]["name"], entities[0]["aliases"]) == ("Ana Lima", "A. Lima")
    assert [(each["object"], each["value"], each["valid_from"]) for each in facts] == [
        ("Rye & Co", "", "2019-03"),
        ("Harbour <Mill>", "", "2023-06-01"),
        ("", "No walnuts (ever)", ""),
    ]
    assert all(each["known_since"] and each["source"] for each in facts)


def test_a_vault_comes_back_with_the_same_entities_and_facts(memory: Memory, tmp_path: Path) -> None:
    fill(memory, tmp_path)
    for target in (tmp_path / "vault", tmp_path / "vault.zip"):
        export_folder(memory, "vault", target)
        other = other_memory(tmp_path / f"{target.name}.d")
        assert Imported(other, target).kinds == ["basic-memory"]
        assert graph_of(other) == graph_of(memory)
        assert Imported(other, target).counts[1] == 0
        other.close()


def test_births_and_deaths_without_a_place_come_back_from_a_vault(memory: Memory, tmp_path: Path) -> None:
    source = tmp_path / "kin.ged"
    events = "1 BIRT\n2 DATE 3 MAR 1885\n1 DEAT\n2 DATE BET 1950 AND 1955\n"
    source.write_text(f"0 HEAD\n1 GEDC\n2 VERS 5.5.1\n0 @I1@ INDI\n1 NAME Josef /Mill/\n{events}0 TRLR\n", "utf-8")
    Imported(memory, source)
    export_folder(memory, "vault", tmp_path / "vault")
    other = other_memory(tmp_path / "other")
    Imported(other, tmp_path / "vault")
    assert graph_of(other) == graph_of(memory)
    other.close()


def test_a_folder_that_holds_something_is_not_written_to(memory: Memory, tmp_path: Path) -> None:
    fill(memory, tmp_path)
    with pytest.raises(ExportRefused, match="name a new folder"):
        export_folder(memory, "vault", tmp_path)


@pytest.mark.parametrize("form", ["gedcom", "gedcom7"])
def test_a_family_tree_comes_back_with_the_same_people_and_families(memory: Memory, tmp_path: Path, form: str) -> None:
    source = tmp_path / "berg.ged"
    source.write_text(FAMILY, encoding="utf-8")
    Imported(memory, source)
    copy = tmp_path / "copy" / "berg.ged"
    copy.parent.mkdir()
    copy.write_text(export_text(memory, form), encoding="utf-8")
    other = other_memory(tmp_path)
    again = Imported(other, copy)
    assert (again.kinds, again.skipped) == (["gedcom"], [])
    assert graph_of(other) == graph_of(memory)
    other.close()
    # Only version 5.5.1 names its encoding.
    assert copy.read_bytes().startswith(BOM_UTF8) == (form == "gedcom7")


def test_the_command_offers_every_form() -> None:
    assert set(EXPORT_NAMES) == {*OWN_EXPORTS, *EXPORT_FORMATS}
    assert CliRunner().invoke(export_command, ["--as", "nothing"]).exit_code == 2


@pytest.mark.parametrize("form", ["recollect", "csv"])
def test_an_export_is_on_the_disk_before_it_takes_its_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, form: str
) -> None:
    target = tmp_path / ("out.zip" if form == "csv" else "out.jsonl")
    steps: list[tuple[str, bool]] = []
    sync = os.fsync

    def note(descriptor: int) -> None:
        is_folder = stat.S_ISDIR(os.fstat(descriptor).st_mode)
        steps.append(("folder" if is_folder else "file", target.exists()))
        sync(descriptor)

    monkeypatch.setattr("os.fsync", note)
    done = CliRunner().invoke(main, ["export", str(target), "--as", form, "--db", str(tmp_path / "m.db")])
    assert done.exit_code == 0, done.output
    assert steps[-2:] == [("file", False), ("folder", True)]


def test_a_folder_takes_its_name_once_all_files_are_on_the_disk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target, steps = tmp_path / "vault", []
    monkeypatch.setattr("os.sync", lambda: steps.append(target.exists()))
    write_files(target, iter([ExportedFile("a/one.md", "1"), ExportedFile("two.md", "2")]))
    assert steps == [False]
    assert (target / "a/one.md").read_text("utf-8") == "1"
    assert target.stat().st_mode & 0o777 == 0o700

    def breaks() -> Iterator[ExportedFile]:
        yield ExportedFile("one.md", "1")
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_files(tmp_path / "half", breaks())
    assert [each.name for each in tmp_path.iterdir()] == ["vault"]
