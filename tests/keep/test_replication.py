"""Devices that work apart and exchange what they did, in any order, end with the same memory and lose nothing."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, fields
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.conftest import MovingClock
from tests.databases import new_sqlite_file
from tests.telling import take_line

from recollect.change_listeners import standard_listeners
from recollect.errors import RecollectError
from recollect.ingest.documents import DocumentDraft, store_document
from recollect.keep.replication.apply import ApplyResult, take_transactions
from recollect.keep.replication.exchange import answer_message, exchange
from recollect.keep.replication.log import (
    BadSyncLine,
    TransactionLog,
    own_device,
    read_transaction,
    write_transaction,
)
from recollect.keep.replication.shared_folder import FolderKeyNeeded, exchange_by_folder
from recollect.memory import Memory, WorkspaceCache, open_memory
from recollect.settings import Settings
from recollect.store.encryption import StoreKey
from recollect.store.table_dump import PASSAGES, DumpTable, dump_rows, dump_tables
from recollect.store.tables import OPEN
from recollect.store.view import View
from recollect.surfaces.everyday_memory import EverydayMemory
from recollect.when.clock import clock_from
from recollect.when.instant import MINUTE, Instant

START = "2026-05-20T10:00:00Z"


@dataclass
class Device:
    """A store with a clock of its own."""

    memory: EverydayMemory
    clock: MovingClock
    address: str = ""

    def pass_time(self) -> None:
        self.clock.instant = Instant(self.clock.instant + MINUTE)


def device_at(address: str, ahead: int = 0) -> Device:
    clock = MovingClock(Instant(clock_from(START).now() + ahead * MINUTE))
    memory = open_memory(address, settings=Settings(), clock=clock, followers=standard_listeners())
    parts = {each.name: getattr(memory, each.name) for each in fields(memory)}
    return Device(EverydayMemory(**{**parts, "cache": WorkspaceCache([None])}), clock, address)


@contextmanager
def three_devices(template: Path) -> Iterator[list[Device]]:
    with TemporaryDirectory() as folder:
        found = []
        for name, ahead in (("one", 0), ("two", 45), ("three", -30)):
            (Path(folder) / name).mkdir()
            found.append(device_at(new_sqlite_file(template, Path(folder) / name), ahead))
        yield found
        for each in found:
            each.memory.close()


def send(source: Memory, target: Memory) -> ApplyResult:
    """What the target lacks, through the lines that are sent."""
    with target.read() as view:
        seen = TransactionLog.of(view, own_device(target)).seen
    with source.read() as view:
        lines = [write_transaction(each) for each in TransactionLog.of(view, own_device(source)).after(seen)]
    return take_transactions(target, [read_transaction(each) for each in lines])


def send_all(devices: list[Device]) -> None:
    for _ in range(2):
        for source in devices:
            for target in devices:
                if source is not target:
                    send(source.memory, target.memory)


COMPARED = ("entity", "name", "fact", "assertion", "dispute", "document", "mention", "setting", "chunk")
LOCAL = {"tx_from", "tx_to", "confirmed_at", "number", "place"}
"""Columns that say when something came here."""


def state(memory: Memory) -> dict[str, list[dict[str, Any]]]:
    """What a memory holds now, by table."""
    with memory.read() as view:
        tables = {table.name: table for table in (*dump_tables(), PASSAGES)}
        found = {name: sorted(_current_rows(view, tables[name]), key=str) for name in COMPARED}
        for entity in found["entity"]:
            survivor = view.survivor(entity["id"])
            entity["merged_into"] = None if survivor is None else survivor.id
        found["fact"] = [_without_leftovers(each) for each in found["fact"]]
        return found


def _without_leftovers(fact: dict[str, Any]) -> dict[str, Any]:
    """A fact that was joined with another says no more than that; by way of which others it came there may differ."""
    is_joined = fact["source_count"] == 0 and fact["replaced_by"] is not None
    return {"id": fact["id"], "joined": True} if is_joined else fact


def _current_rows(view: View, table: DumpTable) -> Iterator[dict[str, Any]]:
    for row in dump_rows(view.connection, table, view.ws):
        named = dict(zip(table.columns[1:], row, strict=True))
        if named["tx_to"] == OPEN:
            yield {column: value for column, value in named.items() if column not in LOCAL}


TEXTS = (
    "Lena lives in Porto.",
    "Lena lives in Lisbon.",
    "Lena works at Acme.",
    "I'll send Lena the photos by 2030-05-22.",
    "We use pnpm for acme-web.",
    "We use yarn for acme-web.",
    "Anna is Lena's sister.",
)
DEVICE = st.integers(0, 2)
STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("remember"), DEVICE, st.sampled_from(TEXTS)),
        st.tuples(st.just("note"), DEVICE, st.sampled_from(TEXTS)),
        st.tuples(st.just("wrong"), DEVICE, st.sampled_from(TEXTS[:3])),
        st.tuples(st.just("forget"), DEVICE, st.sampled_from(("Lena", "acme-web"))),
        st.tuples(st.just("undo"), DEVICE, st.just("")),
        st.tuples(st.just("send"), DEVICE, DEVICE),
    ),
    max_size=14,
)


def act(devices: list[Device], step: tuple[str, int, Any]) -> None:
    verb, number, given_value = step
    device = devices[number]
    device.pass_time()
    memory = device.memory
    if verb == "send":
        send(memory, devices[given_value].memory)
        return
    try:
        match verb:
            case "remember":
                memory.remember(given_value)
            case "note":
                put_note(memory, given_value)
            case "wrong":
                memory.correct(given_value.rstrip("."), "wrong")
            case "forget":
                memory.forget(given_value)
            case "undo":
                memory.undo()
    except RecollectError:
        return  # there is nothing to correct, to forget or to undo


def put_note(memory: Memory, text: str) -> None:
    """The same note, written anew on whichever device."""
    with memory.as_actor("test", "note").write() as change:
        draft = DocumentDraft("artifact", "file", "shopping list", "list", None, None, change.now, text)
        store_document(change, draft, change.document_named("artifact", "shopping list"))


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("template") / "memory.db"


@settings(max_examples=12)
@given(steps=STEPS)
def test_three_devices_converge_whatever_the_order(template: Path, steps: list[tuple[str, int, Any]]) -> None:
    with three_devices(template) as devices:
        for step in steps:
            act(devices, step)
        send_all(devices)
        first, second, third = (state(each.memory) for each in devices)
        assert first == second
        assert first == third
        assert [send(one.memory, other.memory).taken for one in devices for other in devices] == [0] * 9


def test_a_statement_in_the_same_words_is_the_same_fact_on_all_devices_whichever_came_first(template: Path) -> None:
    told = ((2, "Lena is at Acme"), (1, "Lena works at Acme"), (0, "Lena works at Acme"))
    with three_devices(template) as devices:
        for number, words in told:
            devices[number].pass_time()
            stated = {"from": "Lena", "predicate": "works_at", "to": {"literal": "Acme"}, "fact": words}
            record = {"id": f"note-{number}", "type": "generic", "source_at": "2026-01-01T09:00:00Z", "content": words}
            entities = [{"name": "Lena", "type": "person"}]
            take_line(devices[number].memory, {"record": record, "entities": entities, "facts": [stated]})
        send(devices[1].memory, devices[2].memory)
        send_all(devices)
        first, second, third = (state(each.memory) for each in devices)
        assert first == second
        assert first == third


@pytest.fixture
def pair(template: Path) -> Iterator[tuple[EverydayMemory, EverydayMemory]]:
    with three_devices(template) as [one, other, _]:
        yield one.memory, other.memory


def test_what_two_devices_learned_alone_is_one_fact_with_two_sources(
    pair: tuple[EverydayMemory, EverydayMemory],
) -> None:
    one, other = pair
    one.remember("Lena lives in Porto.")
    other.remember("Lena lives in Porto. We use pnpm for acme-web.")
    send(one, other)
    send(other, one)
    for memory in pair:
        texts = [each["text"] for each in memory.recall("where does Lena live", kinds=["facts"])["results"]]
        assert texts == ["Lena lives in Porto"]
        assert [each["text"] for each in memory.recall("acme-web uses", kinds=["facts"])["results"]] == [
            "acme-web uses pnpm"
        ]


def test_a_transaction_keeps_its_author_and_what_it_undoes(pair: tuple[EverydayMemory, EverydayMemory]) -> None:
    one, other = pair
    one.remember("Lena lives in Porto.")
    one.undo()
    send(one, other)
    with other.read() as view:
        undo, kept = view.latest_txs(2)
    assert (kept.surface, kept.tool) == ("recollect", "remember")
    assert (undo.tool, undo.undoes) == ("undo", kept.tx)
    assert other.recall("where does Lena live")["results"] == []


def test_undo_takes_back_the_latest_change_that_was_made_here(pair: tuple[EverydayMemory, EverydayMemory]) -> None:
    one, other = pair
    one.remember("Lena lives in Porto.")
    send(one, other)
    with pytest.raises(RecollectError, match="changed nothing here"):
        other.undo()
    other.remember("Tom lives in Ulm.")
    one.remember("Lena likes tea.")
    send(one, other)
    other.undo()
    told = {each["text"] for each in other.recall("Lena and Tom", kinds=["facts"])["results"]}
    assert told == {"Lena lives in Porto", "Lena likes tea"}


def test_what_was_erased_here_does_not_come_back(pair: tuple[EverydayMemory, EverydayMemory]) -> None:
    one, other = pair
    one.remember("Lena lives in Porto.")
    send(one, other)
    asked = other.forget("Lena lives in Porto", erase=True)
    other.forget("Lena lives in Porto", erase=True, confirm=asked["confirm"])
    one.remember("Lena lives in Porto.")
    assert send(one, other).refused > 0
    assert other.recall("where does Lena live", kinds=["facts"])["results"] == []


def erase(memory: EverydayMemory, text: str) -> None:
    asked = memory.forget(text, erase=True)
    memory.forget(text, erase=True, confirm=asked["confirm"])


def test_what_one_device_erases_is_erased_on_all(template: Path) -> None:
    with three_devices(template) as devices:
        one, other, third = (each.memory for each in devices)
        one.remember("Lena lives in Porto.")
        one.remember("We use pnpm for acme-web.")
        send_all(devices)
        erase(one, "Lena lives in Porto")
        assert send(one, other).erased > 0
        assert send(other, third).erased > 0
        send_all(devices)
        for memory in (one, other, third):
            assert memory.recall("where does Lena live")["results"] == []
            assert [each["text"] for each in memory.recall("acme-web uses", kinds=["facts"])["results"]] == [
                "acme-web uses pnpm"
            ]
            with memory.read() as view:
                log = TransactionLog.of(view, own_device(memory))
                assert "Porto" not in "".join(map(write_transaction, log.after({})))
        assert state(one) == state(other) == state(third)


PORTO = "Lena lives in Porto."
ON_ALL = ((0, PORTO), (1, PORTO), (2, PORTO))


@pytest.mark.parametrize("first", [0, 1], ids=["eraser first", "other first"])
@pytest.mark.parametrize(
    ("known", "news", "erased", "left"),
    [
        (ON_ALL, (), "Lena lives in Porto", []),
        (ON_ALL, (), "Lena", []),
        ([(0, PORTO)], [(1, "Lena likes tea.")], "Lena", []),
        ([(0, PORTO)], [(1, "Lena likes tea.")], "Lena lives in Porto", ["Lena"]),
        ([(0, PORTO)], [(1, "Lena likes tea."), (2, "Lena likes rum.")], "Lena lives in Porto", ["Lena"]),
    ],
)
def test_an_erasure_leaves_no_bare_entity_and_no_fact_without_its_own(
    template: Path, known: list[tuple[int, str]], news: list[tuple[int, str]], erased: str, left: list[str], first: int
) -> None:
    with three_devices(template) as devices:
        for device, text in known:
            devices[device].memory.remember(text)
        send_all(devices)
        for device, text in news:
            devices[device].memory.remember(text)
        erase(devices[0].memory, erased)
        send_all(devices[first:] + devices[:first])
        send_all(devices)
        for each in devices:
            found = state(each.memory)
            assert [row["name"] for row in found["entity"]] == left
            assert {row["subject"] for row in found["fact"]} == {row["id"] for row in found["entity"]}
            assert found == state(devices[0].memory)


def test_a_source_of_its_own_keeps_a_fact_whose_note_another_device_erased(
    pair: tuple[EverydayMemory, EverydayMemory],
) -> None:
    one, other = pair
    kept = one.remember("Lena lives in Porto.")
    other.remember("Lena lives in Porto. We use pnpm for acme-web.")
    send(one, other)
    send(other, one)
    erase(one, kept["note"])
    send(one, other)
    for memory in pair:
        texts = [each["text"] for each in memory.recall("where does Lena live", kinds=["facts"])["results"]]
        assert texts == ["Lena lives in Porto"]


def test_an_erasure_clears_the_files_of_a_shared_folder(
    pair: tuple[EverydayMemory, EverydayMemory], template: Path, tmp_path: Path
) -> None:
    one, other = pair
    one.remember("Lena lives in Porto.")
    one.remember("We use pnpm for acme-web.")
    for memory in (one, other):
        exchange_by_folder(memory, tmp_path)
    erase(one, "Lena lives in Porto")
    for memory in (one, other, one, other):
        exchange_by_folder(memory, tmp_path)
    assert not [each for each in tmp_path.rglob("*.jsonl") if "Porto" in each.read_text("utf-8")]
    with three_devices(template) as [new, _, _]:
        exchange_by_folder(new.memory, tmp_path)
        assert state(new.memory) == state(one) == state(other)


def test_with_a_key_a_folder_is_encrypted_and_read_by_those_who_have_it(
    pair: tuple[EverydayMemory, EverydayMemory], tmp_path: Path
) -> None:
    one, other = pair
    key = StoreKey("ab" * 32)
    one.remember("Lena lives in Porto.")
    exchange_by_folder(one, tmp_path)
    assert exchange_by_folder(other, tmp_path, key).plain
    assert exchange_by_folder(one, tmp_path, key).sent == 1
    assert not [each for each in tmp_path.rglob("*") if each.is_file() and b"Porto" in each.read_bytes()]
    for wrong in (None, StoreKey("cd" * 32)):
        with pytest.raises(FolderKeyNeeded):
            exchange_by_folder(other, tmp_path, wrong)
    [file] = tmp_path.rglob("*.encrypted")
    whole = file.read_bytes()
    file.write_bytes(whole[:-40])
    assert exchange_by_folder(other, tmp_path, key).incomplete == (str(file),)
    file.write_bytes(whole)
    assert exchange_by_folder(other, tmp_path, key).received == 1
    assert state(one) == state(other)


def test_devices_that_share_a_folder_need_not_meet(pair: tuple[EverydayMemory, EverydayMemory], tmp_path: Path) -> None:
    one, other = pair
    one.remember("Lena lives in Porto.")
    assert exchange_by_folder(one, tmp_path).sent == 1
    other.remember("We use pnpm for acme-web.")
    assert exchange_by_folder(other, tmp_path)[:2] == (1, 1)
    assert exchange_by_folder(one, tmp_path)[:2] == (0, 1)
    assert exchange_by_folder(one, tmp_path)[:2] == (0, 0)
    assert state(one) == state(other)


def test_a_file_that_has_not_arrived_as_a_whole_waits(
    pair: tuple[EverydayMemory, EverydayMemory], tmp_path: Path
) -> None:
    one, other = pair
    one.remember("Lena lives in Porto.")
    exchange_by_folder(one, tmp_path)
    [file] = tmp_path.rglob("*.jsonl")
    whole = file.read_bytes()
    file.write_bytes(whole[:-40])
    result = exchange_by_folder(other, tmp_path)
    assert (result.received, result.incomplete) == (0, (str(file),))
    file.write_bytes(whole)
    assert exchange_by_folder(other, tmp_path).received == 1


def test_a_broken_exchange_goes_on_where_it_stopped(
    pair: tuple[EverydayMemory, EverydayMemory], monkeypatch: pytest.MonkeyPatch
) -> None:
    one, other = pair
    for text in TEXTS:
        one.remember(text)
    monkeypatch.setattr("recollect.keep.replication.exchange.LARGEST_MESSAGE", 1)
    calls = 0

    def unreliable(message: str) -> str:
        nonlocal calls
        calls += 1
        if calls == 4:
            raise ConnectionError
        return answer_message(other, message)

    with pytest.raises(ConnectionError):
        exchange(one, unreliable)
    result = exchange(one, unreliable)
    assert 0 < result.sent < len(TEXTS)
    assert state(one) == state(other)


@pytest.mark.parametrize("line", ["", "[]", "{}", '{"device": 1}', "nonsense"])
def test_a_line_that_cannot_be_read_is_refused(line: str) -> None:
    with pytest.raises(BadSyncLine):
        read_transaction(line)


def test_stores_on_either_engine_sync(memory: Memory, template: Path) -> None:
    with three_devices(template) as [one, other, _]:
        parts = {each.name: getattr(memory, each.name) for each in fields(memory)}
        third = EverydayMemory(**{**parts, "cache": WorkspaceCache([None])})
        for device, text in ((one, TEXTS[0]), (other, TEXTS[5])):
            device.memory.remember(text)
        third.remember(TEXTS[0])
        third.remember(TEXTS[4])
        all_devices = [one, other, Device(third, MovingClock(Instant(0)))]
        send_all(all_devices)
        assert state(one.memory) == state(third)
        assert state(other.memory) == state(third)
        erase(one.memory, TEXTS[0].rstrip("."))
        send_all(all_devices)
        for memory_ in (one.memory, other.memory, third):
            assert memory_.recall("where does Lena live", kinds=["facts"])["results"] == []


def test_what_one_device_undoes_stays_where_another_uses_it(pair: tuple[EverydayMemory, EverydayMemory]) -> None:
    one, other = pair
    one.remember("Lena lives in Porto.")
    send(one, other)
    other.remember("Lena works at Acme.")
    one.undo()
    send(one, other)
    send(other, one)
    for memory in pair:
        texts = [each["text"] for each in memory.recall("Lena", kinds=["facts"])["results"]]
        assert texts == ["Lena works at Acme"]
    assert state(one) == state(other)


def test_a_correction_counts_whatever_the_clocks_say(template: Path) -> None:
    with three_devices(template) as [slow, fast, third]:
        third.memory.remember("Lena lives in Lisbon.")
        fast.memory.remember("Lena works at Acme.")
        send(fast.memory, slow.memory)
        slow.memory.correct("Lena works at Acme", "wrong")
        send_all([slow, fast, third])
        for device in (slow, fast, third):
            texts = [each["text"] for each in device.memory.recall("Lena", kinds=["facts"])["results"]]
            assert texts == ["Lena lives in Lisbon"]


@pytest.mark.parametrize(("steps", "newest"), [((-5, 0, 5), "Graz"), ((7, -7, 0), "Porto"), ((-3, -3, 10), "Graz")])
def test_clocks_that_are_set_back_and_forth_by_hours_lose_nothing_and_all_devices_agree(
    template: Path, steps: tuple[int, ...], newest: str
) -> None:
    """What a device says whose clock is ahead stays the newest on all until the others have caught up."""
    towns = ("Porto", "Bergen", "Graz")
    with three_devices(template) as devices:
        for device, town, hours in zip(devices, towns, steps, strict=True):
            device.clock.instant = Instant(device.clock.instant + hours * 60 * MINUTE)
            device.memory.remember(f"Lena lives in {town}.")
            send_all(devices)
        for device in devices:
            device.pass_time()
            found = device.memory.recall("Where does Lena live?", kinds=["facts"])["results"]
            assert found[0]["text"] == f"Lena lives in {newest}"
            assert state(device.memory) == state(devices[0].memory)
            assert [each["predicate"] for each in state(device.memory)["fact"]].count("lives_in") == len(towns)
