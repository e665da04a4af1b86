"""A store and a copy of it that both go on: neither passes for the other, and nothing is lost."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.keep.replication.devices import device_at, send, state, three_devices

from recollect.keep.replication.exchange import answer_message, exchange, exchange_by_folder
from recollect.keep.replication.log import DeviceCloned, TransactionLog, own_device, rename_device
from recollect.store.file_copies import copy_store
from recollect.store.sqlite_file import StoreFile
from recollect.surfaces.everyday_memory import EverydayMemory


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("template") / "memory.db"


@pytest.fixture
def copied(tmp_path: Path, template: Path) -> Iterator[tuple[EverydayMemory, EverydayMemory, EverydayMemory, Path]]:
    """A store, another device, and a copy of the store that was made when both had synced through a folder."""
    with three_devices(template) as [one, other, _]:
        shared = tmp_path / "shared"
        shared.mkdir()
        one.memory.remember("Lena lives in Porto.")
        for each in (one, other):
            exchange_by_folder(each.memory, shared)
        copy_store(StoreFile(one.address), tmp_path / "copy.db")
        clone = device_at(str(tmp_path / "copy.db"), ahead=7)
        yield one.memory, other.memory, clone.memory, shared
        clone.memory.close()


@pytest.mark.parametrize("writes", [(1, 1), (1, 3), (3, 1)])
@pytest.mark.parametrize("later", ["original", "copy"])
def test_a_store_and_its_copy_that_went_on_with_the_same_numbers_are_told_apart(
    copied: tuple[EverydayMemory, EverydayMemory, EverydayMemory, Path], writes: tuple[int, int], later: str
) -> None:
    one, other, clone, shared = copied
    first, second = (clone, one) if later == "original" else (one, clone)
    for memory, count, texts in ((first, writes[0], TEXTS_APART[0]), (second, writes[1], TEXTS_APART[1])):
        for text in texts[:count]:
            memory.remember(text)
    exchange_by_folder(first, shared)
    for _ in range(2):
        with pytest.raises(DeviceCloned, match="new-device"):
            exchange_by_folder(second, shared)
    rename_device(second)
    for memory in (second, first, other, second, first):
        assert exchange_by_folder(memory, shared).forked == ()
    assert state(one) == state(other) == state(clone)
    assert {"Ulm", "Bonn"} <= {each["name"] for each in state(other)["entity"]}


TEXTS_APART = [
    ("Tom lives in Ulm.", "Tom likes tea.", "Tom plays chess."),
    ("Mia lives in Bonn.", "Mia likes milk.", "Mia plays golf."),
]


def test_peers_of_a_store_and_of_its_copy_are_told_that_they_differ(
    copied: tuple[EverydayMemory, EverydayMemory, EverydayMemory, Path], template: Path
) -> None:
    one, other, clone, shared = copied
    with three_devices(template) as [_, third, _]:
        exchange_by_folder(third.memory, shared)
        one.remember(TEXTS_APART[0][0])
        clone.remember(TEXTS_APART[1][0])
        exchange(one, lambda message: answer_message(other, message))
        exchange(clone, lambda message: answer_message(third.memory, message))
        name = own_device(one)
        assert exchange(other, lambda message: answer_message(third.memory, message)).forked == (name,)
        with pytest.raises(DeviceCloned):
            exchange(clone, lambda message: answer_message(other, message))
        with pytest.raises(DeviceCloned, match=r"both stores sync as device .* new-device"):
            exchange(clone, lambda message: answer_message(one, message))


@pytest.fixture
def pair(template: Path) -> Iterator[tuple[EverydayMemory, EverydayMemory]]:
    with three_devices(template) as [one, other, _]:
        yield one.memory, other.memory


def test_a_copied_store_must_take_a_name_of_its_own(pair: tuple[EverydayMemory, EverydayMemory]) -> None:
    one, other = pair
    one.remember("Lena lives in Porto.")
    with one.read() as view:
        log = TransactionLog.of(view, own_device(one))
        with pytest.raises(DeviceCloned):
            list(log.after({log.device: 99}))
    before = own_device(one)
    assert rename_device(one) != before
    send(one, other)
    assert len(other.recall("where does Lena live", kinds=["facts"])["results"]) == 1


def test_a_peer_of_an_earlier_release_sends_no_digests(pair: tuple[EverydayMemory, EverydayMemory]) -> None:
    one, other = pair
    one.remember("Lena lives in Porto.")

    def earlier(message: str) -> str:
        head, *lines = message.splitlines(keepends=True)
        value = json.loads(head)
        del value["digests"]
        return "".join([json.dumps(value) + "\n", *lines])

    assert exchange(one, lambda message: earlier(answer_message(other, earlier(message)))).sent == 1
    assert state(one) == state(other)
