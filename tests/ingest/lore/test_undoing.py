"""What defines time is taken back like anything else: with the times that rest on it, or not at all."""

import pytest
from tests.support.calls import last_tx
from tests.support.facts import fact, facts_of, tell
from tests.surfaces.lore_engine.telling_tools import Builder

from recollect.ingest.timeline_definitions import undo_transaction
from recollect.memory import Memory
from recollect.serve.workspace_settings import put_setting
from recollect.write.undo import LaterTransactionsDepend, undo


def ends_at(memory: Memory) -> int | None:
    [seen] = facts_of(memory, "Ada", every=True)
    return seen.fact.valid_until.hi if seen.fact.valid_until else None


def test_an_era_that_another_is_told_by_is_not_taken_back(memory: Memory) -> None:
    builder = Builder(memory)
    builder.do("define_era", name="Tide", start=1, end=None)
    builder.do("define_era", name="Grey Years", parent_era="tide", start="tide.year_40", end="tide.year_60")
    with pytest.raises(LaterTransactionsDepend), memory.write() as change:
        undo(change, 1)
    assert builder.fail("get_context", name="Nobody")["error"] == "ENTITY_NOT_FOUND"


def test_an_era_that_a_relation_is_dated_by_is_not_taken_back(memory: Memory) -> None:
    builder = Builder(memory)
    builder.do("define_era", name="Tide", start=1, end=None)
    builder.relate("Mira", "RULES", "Halden", valid_from="tide.year_3")
    with pytest.raises(LaterTransactionsDepend), memory.write() as change:
        undo_transaction(memory, change, 1)
    assert last_tx(memory) == 2


def test_times_told_since_the_zone_was_set_follow_it_back(memory: Memory) -> None:
    with memory.write() as change:
        put_setting(change, "timezone", "Asia/Tokyo")
    tell(memory, fact("Ada", "employee", "Acme", valid_until="2026-03-16"), id="a", source_at="2026-03-01T00:00:00Z")
    in_tokyo = ends_at(memory)
    with memory.write() as change:
        undone = undo_transaction(memory, change, 1).tx
    in_greenwich = ends_at(memory)
    with memory.write() as change:
        undo_transaction(memory, change, undone)
    assert in_tokyo is not None
    assert in_greenwich == in_tokyo + 9 * 3_600_000_000
    assert ends_at(memory) == in_tokyo
