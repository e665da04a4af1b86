"""Devices that work apart and exchange what they did, in any order, end with the same memory and lose nothing."""

from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.conftest import MovingClock
from tests.keep.replication.devices import Device, erase, send, send_all, state, three_devices
from tests.support.facts import take_line
from tests.support.properties import examples

from recollect.errors import RecollectError
from recollect.ingest.documents import DocumentDraft, store_document
from recollect.keep.replication.exchange import answer_message, exchange
from recollect.keep.replication.log import (
    BadSyncLine,
    read_transaction,
)
from recollect.memory import Memory, WorkspaceCache
from recollect.surfaces.everyday_memory import EverydayMemory
from recollect.when.instant import MINUTE, Instant

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


@settings(max_examples=examples(12))
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
