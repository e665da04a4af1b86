"""Threads that take turns look on while they work, and leave nothing undone."""

import threading
from collections import Counter
from collections.abc import Callable, Iterator

import pytest

from recollect.serve.stdio.crew import Crew, Work
from tests.processes import LONGEST_WAIT


def run(most: int, found: Iterator[Work]) -> None:
    Crew(most, lambda: next(found, None)).run()


def waits_for(event: threading.Event) -> Work:
    def work() -> None:
        assert event.wait(LONGEST_WAIT)

    return work


@pytest.mark.parametrize("most", [1, 2, 16])
def test_work_that_takes_long_keeps_nobody_from_looking_on(most: int) -> None:
    looked_on = threading.Event()

    def found() -> Iterator[Work]:
        yield waits_for(looked_on)
        looked_on.set()

    run(most, found())
    assert looked_on.is_set()


def test_what_was_found_last_is_done_before_it_ends() -> None:
    ended, done = threading.Event(), Counter[int]()

    def piece(number: int) -> Work:
        def work() -> None:
            assert ended.wait(LONGEST_WAIT)
            done[number] += 1

        return work

    def found() -> Iterator[Work]:
        yield from map(piece, range(40))
        ended.set()

    run(16, found())
    assert done == Counter(range(40))


class Gate:
    """Counts who is inside, where two must meet before either goes on."""

    def __init__(self) -> None:
        self.most_inside = 0
        self.passed = 0
        self._inside = 0
        self._lock = threading.Lock()
        self._pair = threading.Barrier(2)

    def pass_through(self) -> None:
        with self._lock:
            self._inside += 1
            self.most_inside = max(self.most_inside, self._inside)
        self._pair.wait(LONGEST_WAIT)
        with self._lock:
            self._inside -= 1
            self.passed += 1


def test_only_so_much_is_done_at_once_and_the_rest_waits() -> None:
    gate = Gate()
    run(2, iter([gate.pass_through] * 20))
    assert (gate.most_inside, gate.passed) == (2, 20)


class Broken(Exception):
    pass


def breaks(broken: threading.Event) -> Work:
    def work() -> None:
        broken.set()
        raise Broken

    return work


def breaks_looking(broken: threading.Event) -> Iterator[Work]:
    yield waits_for(broken)
    breaks(broken)()


def breaks_working(broken: threading.Event) -> Iterator[Work]:
    yield waits_for(broken)
    yield breaks(broken)


@pytest.mark.parametrize("found", [breaks_looking, breaks_working])
def test_who_fails_in_another_thread_ends_it_for_all(found: Callable[[threading.Event], Iterator[Work]]) -> None:
    with pytest.raises(Broken):
        run(2, found(threading.Event()))


def test_nobody_waits_for_one_that_only_looks_on() -> None:
    looks_on, over = threading.Event(), threading.Event()

    def work() -> None:
        assert looks_on.wait(LONGEST_WAIT)
        raise Broken

    def found() -> Iterator[Work]:
        yield work
        looks_on.set()
        assert over.wait(LONGEST_WAIT)

    with pytest.raises(Broken):
        run(2, found())
    over.set()
