"""`recollect undo` after files were taken in names the import; the tool takes back the latest change on its surface."""

from pathlib import Path

import pytest

from recollect.importers.notes import import_notes
from recollect.memory import Memory
from recollect.surfaces.dispatch import invoke
from recollect.surfaces.recollect.failures import LaterChanges
from recollect.surfaces.recollect.undo import latest_at_prompt
from recollect.surfaces.registry import find_surface
from tests.ingest.records import everything
from tests.surfaces.recollect.test_remember import remember

UNDO = find_surface("recollect").find("undo")


def test_undo_after_an_import_says_how_to_take_that_back(memory: Memory, tmp_path: Path) -> None:
    remember(memory, text="Ana lives in Faro.")
    told = {each.text for each in everything(memory)}
    with memory.read() as view:
        before = view.last_tx
    (tmp_path / "note.md").write_text("# Plan\n\nI will call Bob by 2026-12-24.\n", "utf-8")
    import_notes(memory.as_actor("cli", "ingest"), tmp_path / "note.md")
    acting = memory.as_actor("recollect", "undo")
    with pytest.raises(LaterChanges, match="import") as refused:
        latest_at_prompt(acting)
    assert str(before + 1) in str(refused.value.next_step)
    assert {each.text for each in everything(memory)} > told
    invoke(UNDO, acting, {"transaction": before + 1})
    assert {each.text for each in everything(memory)} == told
    latest_at_prompt(acting)
    assert invoke(UNDO, acting, {})["undone"] == before


def test_the_tool_undoes_the_latest_change_on_its_surface(memory: Memory, tmp_path: Path) -> None:
    remember(memory, text="Ana lives in Faro.")
    with memory.read() as view:
        before = view.last_tx
    (tmp_path / "note.md").write_text("# Plan\n\nI will call Bob by 2026-12-24.\n", "utf-8")
    import_notes(memory.as_actor("cli", "ingest"), tmp_path / "note.md")
    assert invoke(UNDO, memory.as_actor("recollect", "undo"), {})["undone"] == before
