"""A body goes when its time is over; what was learned from it stays."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.conftest import MovingClock

from recollect.importers.bundle import import_bundle
from recollect.keep.artifacts.artifact import sweep_expired_bodies, tier_of
from recollect.keep.mesh.accounts import enable_mesh_account
from recollect.memory import Memory
from recollect.search.chunking import index_all_passages
from recollect.settings import Settings
from recollect.store.fact_rows import FactFilter
from recollect.store.mesh_queries import MeshAccount

SECRET = "The heron nests behind the mill."


def _take(memory: Memory, folder: Path, **record: Any) -> None:
    line = {
        "record": {"id": "r1", "type": "note", "title": "Walk", "source_at": "2026-05-19T10:00:00Z", "content": SECRET}
        | record,
        "facts": [{"from": "Heron", "to": "Mill", "predicate": "nests_at", "quote": "nests behind the mill"}],
    }
    path = folder / "b.jsonl"
    path.write_text(json.dumps(line) + "\n", "utf-8")
    _, skipped = import_bundle(memory, path)
    assert skipped == []


def _tier(memory: Memory) -> int:
    with memory.read() as view:
        document = view.document_named("record", "r1")
        assert document is not None
        return tier_of(document, view.now)


def _quotes(memory: Memory) -> list[str | None]:
    with memory.read() as view:
        document = view.document_named("record", "r1")
        assert document is not None
        return [each.quote for each in view.assertions_from(document.id)]


@pytest.mark.parametrize(("summary", "tier"), [(None, 2), ("About birds", 1)])
def test_from_its_last_instant_on_the_body_is_gone_and_its_facts_stay(
    memory: Memory, clock: MovingClock, tmp_path: Path, summary: str | None, tier: int
) -> None:
    _take(memory, tmp_path, retention_days=30, **({"summary": summary} if summary else {}))
    clock.set("2026-06-18T09:59:59.999999Z")
    assert (_tier(memory), sweep_expired_bodies(memory)) == (0, 0)
    clock.set("2026-06-18T10:00:00Z")
    assert _tier(memory) == tier
    assert sweep_expired_bodies(memory) == 1
    assert (_tier(memory), _quotes(memory), sweep_expired_bodies(memory)) == (tier, [None], 0)
    with memory.read() as view:
        [heron] = view.names_matching("heron")
        assert len(view.facts_about(heron.entity, FactFilter(view.world.now.span))) == 1
        held = view.document_named("record", "r1")
        assert held is not None
        assert view.text_of(held) is None
        assert SECRET not in " ".join(chunk.text for chunk in view.chunks(held.id))


def test_nothing_of_a_swept_body_is_left_in_the_file(memory: Memory, clock: MovingClock, tmp_path: Path) -> None:
    _take(memory, tmp_path, retention_days=2)
    with memory.write() as change:
        index_all_passages(change, None)
    assert _rows(memory)["content"] == 1
    clock.set("2026-05-21T10:00:00Z")
    sweep_expired_bodies(memory)
    assert _rows(memory) == {"content": 0, "chunk": 1}


def _rows(memory: Memory) -> dict[str, int]:
    with memory.read() as view:
        return {
            "content": len(view.rows("contents_ever", document=_id(memory))),
            "chunk": len(view.rows("chunks_ever", document=_id(memory))),
        }


def _id(memory: Memory) -> str:
    with memory.read() as view:
        document = view.document_named("record", "r1")
        assert document is not None
        return document.id


def test_the_tightest_of_workspace_account_and_record_wins(memory: Memory, clock: MovingClock, tmp_path: Path) -> None:
    limited = replace(memory, settings=Settings({"RECOLLECT_CARABASE_RETENTION_DAYS": "20"}))
    with memory.write() as change:
        enable_mesh_account(change, MeshAccount("files", "farm", str(tmp_path), True, False, 10))
    _take(limited, tmp_path, retention_days=30, mesh_uri="mesh://files/account=farm/path=a.md")
    clock.set("2026-05-29T09:59:00Z")
    assert _tier(memory) == 0
    clock.set("2026-05-29T10:00:00Z")
    assert _tier(memory) == 2


def test_a_body_that_comes_too_late_is_not_taken_in(memory: Memory, tmp_path: Path) -> None:
    _take(memory, tmp_path, retention_days=1, source_at="2025-01-01T00:00:00Z")
    assert _tier(memory) == 2
    assert _rows(memory)["content"] == 0
