"""Devices that never meet exchange what they did by files in a folder."""

from pathlib import Path

import pytest
from tests.keep.replication.devices import erase, state, three_devices

from recollect.keep.replication.exchange import FolderKeyNeeded, exchange_by_folder
from recollect.store.encryption import StoreKey
from recollect.surfaces.everyday_memory import EverydayMemory


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
