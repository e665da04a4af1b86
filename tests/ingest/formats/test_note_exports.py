"""Exports of Notion and graphs of Logseq are notes of their owner."""

from pathlib import Path
from zipfile import ZipFile

import pytest
from tests.ingest.formats.importing import FILES, Imported, documents, facts, text_of

from recollect.memory import Memory

ROOF = "note:notion/aaaabbbbccccddddeeeeffff00001111"


@pytest.fixture(params=["sqlite"])
def engine_name(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def zipped(folder: Path, path: Path) -> Path:
    with ZipFile(path, "w") as archive:
        for each in sorted(folder.rglob("*")):
            archive.write(each, each.relative_to(folder).as_posix())
    return path


def test_notion_pages_keep_properties_and_rows_without_pages_become_notes(memory: Memory) -> None:
    taken = Imported(memory, FILES / "notion")
    assert (taken.kinds, taken.counts) == (["notion"], (3, 3, 0))
    assert taken.warnings == ["notion: skipped 1 images and other files next to the pages"]
    page = documents(memory)[ROOF]
    assert (page.title, page.properties["status"], page.properties["due"]) == (
        "Roof repair",
        "In progress",
        "2026-06-01",
    )
    assert "See Suppliers." in text_of(memory, ROOF)
    assert {"Me: We decided to use slate.", "Me: Order the slate", "Roof repair's owner is Tom Reyes"} <= facts(memory)
    assert "Paint the fence" in {each.title for each in documents(memory).values()}
    assert text_of(memory, "note:notion/fedcba9876543210fedcba9876543210").endswith("It goes on here.\n")


def test_a_zip_in_parts_is_the_same_as_its_folder(memory: Memory, tmp_path: Path) -> None:
    Imported(memory, FILES / "notion")
    part = zipped(FILES / "notion", tmp_path / "ExportBlock-1234-Part-1.zip")
    whole = tmp_path / "export.zip"
    with ZipFile(whole, "w") as archive:
        archive.write(part, part.name)
    again = Imported(memory, whole)
    assert (again.kinds, again.counts) == (["notion"], (3, 0, 3))


def test_logseq_pages_journals_properties_and_block_references(memory: Memory) -> None:
    taken = Imported(memory, FILES / "logseq")
    assert (taken.kinds, taken.counts) == (["logseq"], (3, 3, 0))
    assert sorted(str(each.title) for each in documents(memory).values()) == ["2026_05_14", "Ines Duarte", "Shop/Plan"]
    journal = text_of(memory, "note:logseq/journals/2026_05_14.md")
    assert journal == "- TODO Call the port by Friday\n- Read “Prefers cork” again\n"
    assert {"Me: Call the port by Friday", "Me: We decided to drop plastic."} <= facts(memory)
    assert documents(memory)["note:logseq/pages/Ines Duarte.md"].properties["aliases"] == ["Nesa"]
    assert Imported(memory, FILES / "logseq").counts == (3, 0, 3)
