"""A batch buffers its rows and leaves the same store as one transaction after the other."""

import json
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest
from tests.conftest import MovingClock
from tests.support.properties import seeded

from recollect.errors import RecollectError
from recollect.importers import bundle
from recollect.importers.bundle import import_bundle
from recollect.ingest.extract.record_reader import make_record_reader
from recollect.ingest.line import parse_line
from recollect.ingest.line_writer import write_line
from recollect.memory import Batch, Memory, open_memory
from recollect.model.ids import DocumentId, EntityId, IdMaker
from recollect.settings import Settings
from recollect.store import write_buffer, write_cache
from recollect.store.port import Row
from recollect.store.tables import MENTION, OPEN, VERSIONED

PEOPLE = ("Ada Lovelace", "Charles Babbage", "Mary Somerville", "Zoë", "Acme")
KINDS = (
    ("AFFILIATED", "employee"),
    ("ASSERTED", "opinion"),
    ("ASSERTED", "commitment"),
    ("TRANSITIONED", "status_change"),
    ("AFFILIATED", "located_in"),
    ("AFFILIATED", "haunts"),
    ("AFFILIATED", "possesses"),
    ("TRANSITIONED", "born"),
)


@pytest.fixture
def alone(tmp_path: Path, clock: MovingClock) -> Iterator[Memory]:
    opened = open_memory(str(tmp_path / "alone.db"), settings=Settings(), clock=clock)
    yield opened
    opened.close()


def story(random: Random, length: int) -> Iterator[dict[str, Any]]:
    """Lines that meet in the same names, slots and records, some of them refused half way."""
    for number in range(length):
        line: dict[str, Any] = {"facts": [_fact(random) for _ in range(random.randrange(4))]}
        if random.random() < 0.7:
            at = f"2026-01-{random.randrange(1, 9):02}T00:00:00Z"
            line["record"] = {"id": f"r{random.randrange(8)}", "source_at": at, "title": f"Title {number % 3}"}
        if random.random() < 0.6:
            line["entities"] = [_entity(random) for _ in range(random.randrange(3))]
        if random.random() < 0.15:
            fact = {"from": "Somebody New", "to": "Acme", "fact_type": "employee", "supersedes": f"fact_{'0' * 26}"}
            line["facts"].append(fact)
        yield line


def _fact(random: Random) -> dict[str, Any]:
    label, kind = random.choice(KINDS)
    to: Any = random.choice((*PEOPLE, {"literal": "tea"}, None))
    fact = {"from": random.choice(PEOPLE), "to": to, "edge_label": label, "fact_type": kind}
    if random.random() < 0.5:
        fact["fact"] = f"Words {random.randrange(3)}."
    if random.random() < 0.2:
        fact["valid_until"] = f"2026-02-{random.randrange(1, 20):02}"
    if random.random() < 0.1:
        fact |= {
            "to": {"literal": f"alias:Name {random.randrange(3)}"},
            "edge_label": "ASSERTED",
            "fact_type": "tagged",
        }
    return fact


def _entity(random: Random) -> dict[str, Any]:
    entity: dict[str, Any] = {"name": random.choice(PEOPLE), "type": random.choice(("Person", "Company"))}
    if random.random() < 0.3:
        entity["aliases"] = [f"Alias {random.randrange(4)}"]
    if random.random() < 0.3:
        entity["metadata"] = {"email": f"{random.randrange(3)}@example.org"}
    return entity


def numbered(memory: Memory) -> Memory:
    return replace(memory, new_id=IdMaker(memory.clock, Random(1)))


def tables(memory: Memory) -> dict[str, list[Row]]:
    with memory.read() as view:
        txs = range(1, view.last_tx + 1)
        found: dict[str, list[Row]] = {
            table.name: sorted((row for tx in txs for row in view.connection.begun_by(table, view.ws, tx)), key=repr)
            for table in VERSIONED
        }
        found["tx"] = [tuple(each) for each in reversed(view.latest_txs(10_000))]
        return found


@seeded(6)
def test_a_batch_writes_what_single_transactions_write(memory: Memory, alone: Memory, seed: int) -> None:
    check_batch_against_single_transactions(memory, alone, seed)


def check_batch_against_single_transactions(memory: Memory, alone: Memory, seed: int) -> None:
    lines = [parse_line(value) for value in story(Random(seed), 60)]
    one_by_one, together = numbered(alone), numbered(memory)
    for line in lines:
        with suppress(RecollectError), one_by_one.write() as change:
            write_line(change, line)
    for some in (lines[:25], lines[25:]):
        with together.batch() as batch:
            for line in some:
                with suppress(RecollectError), batch.change() as change:
                    write_line(change, line)
    assert tables(together) == tables(one_by_one)


@pytest.mark.parametrize("seed", range(3))
def test_a_file_is_foreseen_by_blocks_and_leaves_what_its_lines_leave_alone(
    memory: Memory, alone: Memory, seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bundle, "BLOCK_LINES", 7)
    values = list(story(Random(seed), 60))
    path = tmp_path / "lines.jsonl"
    path.write_text("".join(json.dumps(value) + "\n" for value in values), encoding="utf-8")
    one_by_one, together = (numbered(each).as_actor("cli", "ingest", each.actor.name) for each in (alone, memory))
    refused = []
    for number, value in enumerate(values, start=1):
        try:
            with one_by_one.write() as change:
                write_line(change, parse_line(value), make_record_reader(one_by_one))
        except RecollectError:
            refused.append(number)
    _, skipped = import_bundle(together, path)
    assert [each.line for each in skipped] == refused
    assert tables(together) == tables(one_by_one)


def test_of_two_ends_in_a_batch_the_first_one_counts(memory: Memory) -> None:
    ada, document = EntityId("0" * 26), DocumentId("1" * 26)
    with memory.write() as change:
        change.add_mentions(document, [ada])
    with memory.batch() as batch:
        with batch.change() as change:
            change.end_mention(document, ada)
        with batch.change() as change:
            change.put_mention(document, ada)
    with memory.read() as view:
        began = [row for tx in (1, 2, 3) for row in view.connection.begun_by(MENTION, view.ws, tx)]
    assert [(row[3], row[4]) for row in began] == [(1, 2), (3, OPEN)]


def test_a_batch_that_holds_too_much_writes_some_of_it(
    memory: Memory, alone: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(write_buffer, "FLUSH_ROWS", 5)
    monkeypatch.setattr(write_cache, "CACHE_LIMIT", 2)
    check_batch_against_single_transactions(memory, alone, 0)


def _take_and_stop(batch: Batch) -> None:
    with batch.change() as change:
        write_line(change, parse_line({"entities": [{"name": "Ghost", "type": "Person"}]}))
    raise KeyboardInterrupt


def test_a_batch_that_fails_leaves_no_trace(memory: Memory) -> None:
    with pytest.raises(KeyboardInterrupt), memory.batch() as batch:
        _take_and_stop(batch)
    with memory.read() as view:
        assert (view.last_tx, view.names_matching("ghost")) == (0, [])
    with memory.write() as change:
        assert change.entities_named("ghost") == []


def test_a_predicate_that_a_batch_has_not_flushed_yet_is_in_use(memory: Memory) -> None:
    with memory.batch() as batch:
        with batch.change() as change:
            change.use_predicate("haunts", symmetric=True)
        with batch.change() as change:
            assert change.has_used("haunts")
            assert change.predicate_usage("haunts").symmetric


def test_a_batch_that_confirms_facts_is_not_flushed_for_each_of_them(
    alone: Memory, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tea, coffee = "Ada Lovelace: tea is better.", "Ada Lovelace: coffee is better."
    known = {"from": "Ada Lovelace", "to": "Acme", "edge_label": "AFFILIATED", "fact_type": "employee"}
    opinion = {"from": "Ada Lovelace", "edge_label": "ASSERTED", "fact_type": "opinion"}
    told = [
        _told(0, known),
        _told(1, {**opinion, "fact": coffee}),
        _told(2, {**opinion, "fact": tea, "supersedes": coffee}),
    ]
    again = [_told(number, known) for number in range(3, 13)]
    flushed: list[int] = []
    through = write_buffer.BufferedConnection._write_through

    def counted(connection: write_buffer.BufferedConnection) -> None:
        flushed.append(1)
        through(connection)

    _import(alone, tmp_path / "told", told)
    monkeypatch.setattr(write_buffer.BufferedConnection, "_write_through", counted)
    _import(alone, tmp_path / "again", again)
    assert len(flushed) < len(again)


def _import(memory: Memory, path: Path, lines: list[dict[str, Any]]) -> None:
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    import_bundle(memory, path)


def _told(number: int, fact: dict[str, Any]) -> dict[str, Any]:
    return {"record": {"id": f"told {number}", "source_at": f"2026-02-{number + 1:02}T00:00:00Z"}, "facts": [fact]}
