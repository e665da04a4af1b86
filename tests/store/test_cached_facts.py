"""A writer that keeps its cache over many calls finds the same facts as one that asks the store."""

from dataclasses import replace
from typing import Any

import pytest
from tests.support.calls import asking
from tests.support.facts import entity_named, fact, facts_of, tell

from recollect.ingest.line import parse_line
from recollect.ingest.line_writer import write_line
from recollect.memory import Memory, WorkspaceCache
from recollect.model.fact import Claim, Fact
from recollect.model.ids import parse_fact_id
from recollect.store import write_cache
from recollect.store.port import Parameters, Row
from recollect.store.sqlite_connection import SqliteConnection

Json = dict[str, Any]

ask = asking("recollect")


def told(memory: Memory, value: str, predicate: str = "uses", subject: str = "acme-web", **more: Any) -> str:
    given = {"subject": subject, "predicate": predicate, "value": value, **more}
    [recorded] = ask(memory, "remember", facts=[given])["facts"]
    return str(recorded["id"])


def check_cache(memory: Memory) -> None:
    """Every answer of the cache is that of the store."""
    with memory.write() as change:
        stored = change.at(change.as_of_tx)
        facts = {each: stored.fact_rows([each]) for each in change.recent.shown}
        assert {each: change.fact_rows([each]) for each in facts} == facts
        for (side, end, predicate), held in list(change.recent.ends.items()):
            if side == "subject":
                current = stored.facts_of_subject(end, predicate, 500)
                assert sorted(held.current(500)) == sorted(current)
            for each in held.facts.values() if held.has_every else ():
                claim = Claim(each.subject, each.predicate, each.label, each.fact_type, each.object, each.literal)
                assert change.facts_claiming(claim, each.slot) == stored.facts_in_slot(each.slot)


def test_the_cache_follows_every_kind_of_change(memory: Memory) -> None:
    npm = told(memory, "npm")
    told(memory, "yarn")
    told(memory, "yarn")
    told(memory, "Oslo", "located_in")
    check_cache(memory)
    told(memory, "pnpm", replaces=npm)
    check_cache(memory)
    told(memory, "bun", replaces=True)
    check_cache(memory)
    ask(memory, "correct", fact=told(memory, "deno"), mode="wrong")
    check_cache(memory)
    undone = ask(memory, "remember", facts=[{"subject": "acme-web", "predicate": "uses", "value": "vite"}])["undo"]
    check_cache(memory)
    ask(memory, "undo", transaction=undone)
    told(memory, "rome")
    check_cache(memory)


def test_a_further_fact_about_somebody_reads_back_nothing_that_is_cached(
    memory: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    if memory.engine.name != "sqlite":
        pytest.skip("the queries are counted on SQLite")
    quiet, asked = memory.with_parts(listeners=()), list[str]()

    def tell_tool(tool: str) -> None:
        ask(quiet, "remember", facts=[{"subject": "acme-web", "predicate": "uses", "value": tool}], source="chat")

    tell_tool("pnpm")
    tell_tool("vite")
    read = SqliteConnection.rows

    def rows(connection: SqliteConnection, query: str, parameters: Parameters) -> list[Row]:
        asked.append(query)
        return read(connection, query, parameters)

    monkeypatch.setattr(SqliteConnection, "rows", rows)
    tell_tool("esbuild")
    assert asked == ["lock_workspace"]


def test_a_name_that_changed_is_shown_as_it_is_now(memory: Memory) -> None:
    told(memory, "npm")
    told(memory, "yarn")
    entity = entity_named(memory, "acme-web")
    assert entity is not None
    with memory.write() as change:
        change.put_entity(entity._replace(name="Acme Web"))
    [recorded] = ask(memory, "remember", facts=[{"subject": "acme-web", "predicate": "uses", "value": "bun"}])["facts"]
    assert [each["text"] for each in recorded["others"]] == ["Acme Web uses yarn", "Acme Web uses npm"]
    check_cache(memory)


def test_what_a_source_says_beside_the_calls_is_found(memory: Memory) -> None:
    told(memory, "npm")
    told(memory, "yarn")
    tell(memory, fact("acme-web", "uses", "bun"), fact("acme-web", "uses", "pnpm"))
    told(memory, "deno")
    check_cache(memory)


def test_a_batch_begins_without_what_single_calls_cached(memory: Memory) -> None:
    told(memory, "npm")
    told(memory, "yarn")
    cache = memory.cache.writes
    assert cache.ends
    assert cache.shown
    cache.begin_batch()
    assert (cache.ends, cache.shown) == ({}, {})


def tell_in_batch(memory: Memory, *values: str) -> None:
    with memory.batch() as batch:
        for value in values:
            with batch.change() as change:
                write_line(change, parse_line({"facts": [fact("acme-web", "uses", {"literal": value})]}))


def slots_at_start(memory: Memory) -> dict[int, tuple[Fact, ...]]:
    """The slots that a batch begins with."""
    with memory.batch():
        assert memory.cache.writes.batch is not None
        return dict(memory.cache.writes.batch.slots)


def test_a_batch_goes_on_with_the_slots_of_the_one_before(memory: Memory) -> None:
    tell_in_batch(memory, "npm", "yarn", "npm")
    tell_in_batch(memory, "yarn", "bun")
    held = slots_at_start(memory)
    with memory.read() as view:
        assert len(held) == 3
        assert held == {slot: view.facts_in_slot(slot) for slot in held}


def test_a_batch_hands_on_no_more_facts_than_fit_in_memory(memory: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(write_cache, "MOST_IN_SLOTS", 3)
    tell_in_batch(memory, "npm", "yarn", "bun")
    assert len(slots_at_start(memory)) == 3
    tell_in_batch(memory, "deno")
    assert slots_at_start(memory) == {}
    assert [row.fact.literal for row in facts_of(memory, "acme-web", every=True)].count("npm") == 1


def test_a_batch_begins_without_slots_once_somebody_has_written(memory: Memory) -> None:
    tell_in_batch(memory, "npm")
    told(memory, "yarn")
    assert slots_at_start(memory) == {}
    tell_in_batch(memory, "npm")
    told(replace(memory, cache=WorkspaceCache()), "bun")
    assert slots_at_start(memory) == {}


@pytest.mark.parametrize("most", [0, 1, 100])
def test_a_batch_knows_which_facts_were_replaced_however_many(
    memory: Memory, monkeypatch: pytest.MonkeyPatch, most: int
) -> None:
    """It reads those of the store once if they are few, and asks for each if they are many."""
    monkeypatch.setattr(write_cache, "MOST_SUPERSEDED", most)
    first, other = told(memory, "npm"), told(memory, "yarn", predicate="prefers")
    told(memory, "pnpm", replaces=first)
    npm, yarn = parse_fact_id(first), parse_fact_id(other)
    assert npm
    assert yarn
    with memory.batch() as batch, batch.change() as change:
        assert list(change.superseders([npm])) == [npm]
        assert not change.superseders([yarn])
        change.note_superseded(yarn)
        assert change._may_be_superseded([yarn])
