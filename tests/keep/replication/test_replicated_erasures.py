"""What one device erases is gone on all, and nothing else is."""

from pathlib import Path

import pytest
from tests.keep.replication.devices import erase, send, send_all, state, three_devices

from recollect.keep.replication.log import (
    TransactionLog,
    own_device,
    write_transaction,
)
from recollect.surfaces.everyday_memory import EverydayMemory


def test_what_was_erased_here_does_not_come_back(pair: tuple[EverydayMemory, EverydayMemory]) -> None:
    one, other = pair
    one.remember("Lena lives in Porto.")
    send(one, other)
    asked = other.forget("Lena lives in Porto", erase=True)
    other.forget("Lena lives in Porto", erase=True, confirm=asked["confirm"])
    one.remember("Lena lives in Porto.")
    assert send(one, other).refused > 0
    assert other.recall("where does Lena live", kinds=["facts"])["results"] == []


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
