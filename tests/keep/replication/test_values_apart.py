"""Values that devices were told apart are settled as if one store had been told all of them, whatever the order."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.keep.replication.devices import Device, device_at, send, send_all, state
from tests.support.databases import new_sqlite_file
from tests.support.properties import examples

from recollect.errors import RecollectError
from recollect.surfaces.everyday_memory import EverydayMemory
from recollect.when.instant import HOUR, Instant

TOWNS = ("Porto", "Graz", "Bergen", "Ulm")
DEVICE = st.integers(0, 2)
TOLD = st.tuples(st.just("told"), DEVICE, st.sampled_from(TOWNS))
CORRECTED = st.tuples(st.sampled_from(("wrong", "changed", "ended", "undo")), DEVICE, st.sampled_from(TOWNS))
SENT = st.tuples(st.just("send"), DEVICE, DEVICE)
HOURS = st.sampled_from((1, 30))


@contextmanager
def devices_and_one_store(template: Path, count: int) -> Iterator[tuple[list[Device], Device]]:
    with TemporaryDirectory() as folder:
        found = []
        for number in range(count + 1):
            (Path(folder) / str(number)).mkdir()
            found.append(device_at(new_sqlite_file(template, Path(folder) / str(number))))
        yield found[:-1], found[-1]
        for each in found:
            each.memory.close()


def set_clocks(devices: list[Device], hours: int) -> None:
    for each in devices:
        each.clock.instant = Instant(each.clock.instant + hours * HOUR)


def tell(memory: EverydayMemory, verb: str, town: str) -> None:
    match verb:
        case "told":
            memory.remember(f"Lena lives in {town}.")
        case "fact":
            memory.remember(facts=[{"subject": "Lena", "predicate": "lives_in", "object": town}])
        case "changed":
            memory.correct("where Lena lives", "changed", value=town)
        case "undo":
            memory.undo()
        case "wrong":
            memory.correct(f"Lena lives in {town}", "wrong")
        case _:
            memory.correct(f"Lena lives in {town}", "ended")


def homes(memory: EverydayMemory) -> dict[tuple[str, Any], Any]:
    """By town and start, when Lena lived there and whether that stands."""
    now = state(memory)
    names = {each["id"]: each["name"] for each in now["entity"]}
    return {
        (names.get(each["object"]) or each["literal"], each["valid_from"]): (
            each["valid_until"],
            bool(each["stale"]),
            each["certainty"] == "retracted",
            bool(each["disputed"]),
        )
        for each in now["fact"]
        if each.get("predicate") == "lives_in"
    }


def current(memory: EverydayMemory) -> set[str]:
    return {
        town
        for (town, _), (until, stale, retracted, _) in homes(memory).items()
        if until is None and not stale and not retracted
    }


@settings(max_examples=examples(40))
@given(
    count=st.sampled_from((2, 3)),
    how=st.sampled_from(("told", "fact")),
    steps=st.lists(st.tuples(st.one_of(TOLD, SENT), HOURS), max_size=9),
)
def test_devices_come_to_what_one_store_would_hold(template: Path, count: int, how: str, steps: list[Any]) -> None:
    with devices_and_one_store(template, count) as (devices, one):
        for (verb, number, value), hours in steps:
            set_clocks([*devices, one], hours)
            device = devices[number % count]
            if verb == "send":
                send(device.memory, devices[value % count].memory)
                continue
            tell(device.memory, how, value)
            tell(one.memory, how, value)
        send_all(devices)
        towns = [value for (verb, _, value), _ in steps if verb != "send"]
        for each in devices:
            assert state(each.memory) == state(devices[0].memory)
            assert current(each.memory) == current(one.memory)
            if len(set(towns)) == len(towns):
                assert homes(each.memory) == homes(one.memory)


@settings(max_examples=examples(40))
@given(steps=st.lists(st.tuples(st.one_of(TOLD, CORRECTED, SENT), HOURS), max_size=12))
def test_devices_that_correct_apart_agree(template: Path, steps: list[Any]) -> None:
    with devices_and_one_store(template, 3) as (devices, _):
        for (verb, number, value), hours in steps:
            set_clocks(devices, hours)
            if verb == "send":
                send(devices[number].memory, devices[value].memory)
                continue
            try:
                tell(devices[number].memory, verb, value)
            except RecollectError:
                continue  # there is nothing to correct or to undo
        send_all(devices)
        for each in devices[1:]:
            assert state(each.memory) == state(devices[0].memory)


def test_a_value_told_later_on_another_device_ends_the_earlier_one(template: Path) -> None:
    with devices_and_one_store(template, 2) as ([x, y], _):
        x.memory.remember("Lena lives in Porto.")
        set_clocks([x, y], 96)
        y.memory.remember("Lena lives in Graz.")
        for source, target in ((x, y), (y, x)):
            send(source.memory, target.memory)
        for each in (x, y):
            assert homes(each.memory) == {
                ("Porto", None): ("2026-05-23", False, False, False),
                ("Graz", "2026-05-24"): (None, False, False, False),
            }


@pytest.mark.parametrize("order", [(0, 1, 2), (2, 1, 0), (1, 2, 0)])
def test_corrections_apart_leave_the_latest_value(template: Path, order: tuple[int, ...]) -> None:
    with devices_and_one_store(template, 3) as (devices, _):
        one, two, three = (each.memory for each in devices)
        one.remember("Lena lives in Porto.")
        send_all(devices)
        for act in (
            lambda: one.correct("Lena lives in Porto", "changed", value="Lisbon"),
            lambda: two.correct("Lena lives in Porto", "wrong", value="Madrid"),
            lambda: three.remember("Lena lives in Graz."),
        ):
            set_clocks(devices, 1)
            act()
        send_all([devices[number] for number in order])
        for each in devices:
            assert current(each.memory) == {"Graz"}
            assert state(each.memory) == state(one)


def test_values_told_at_the_same_moment_are_a_question_for_review(template: Path) -> None:
    with devices_and_one_store(template, 2) as (devices, _):
        for each, town in zip(devices, TOWNS, strict=False):
            each.memory.remember(f"Lena lives in {town}.")
        send_all(devices)
        for each in devices:
            assert len(each.memory.review()["items"]) == 1
            assert state(each.memory) == state(devices[0].memory)


def test_attributes_with_many_values_keep_all_of_them(template: Path) -> None:
    with devices_and_one_store(template, 2) as (devices, _):
        for each, liked in zip(devices, ("tea", "coffee"), strict=True):
            set_clocks(devices, 30)
            each.memory.remember(f"Lena likes {liked}.")
        send_all(devices)
        for each in devices:
            told = each.memory.recall("what does Lena like", kinds=["facts"])["results"]
            assert {one["text"] for one in told} == {"Lena likes tea", "Lena likes coffee"}
