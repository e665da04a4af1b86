"""Threads do all they are given, only so much of it at once."""

import threading
from collections import Counter
from functools import partial

import pytest

from recollect.serve.stdio.session import ThreadPool
from tests.support.processes import LONGEST_WAIT


@pytest.mark.parametrize("most", [1, 2, 16])
def test_giving_waits_for_nobody_and_ending_for_all(most: int) -> None:
    go, done = threading.Event(), Counter[int]()

    def work(number: int) -> None:
        assert go.wait(LONGEST_WAIT)
        done[number] += 1

    crew = ThreadPool(most)
    for number in range(40):
        crew.submit(partial(work, number))
    assert not done
    go.set()
    crew.shut_down()
    assert done == Counter(range(40))


class Gate:
    """Counts who is inside, where so many must meet before any goes on."""

    def __init__(self, meet: int) -> None:
        self.most_inside = 0
        self.passed = 0
        self._inside = 0
        self._lock = threading.Lock()
        self._meeting = threading.Barrier(meet)

    def pass_through(self) -> None:
        with self._lock:
            self._inside += 1
            self.most_inside = max(self.most_inside, self._inside)
        self._meeting.wait(LONGEST_WAIT)
        with self._lock:
            self._inside -= 1
            self.passed += 1


@pytest.mark.parametrize("most", [1, 2, 5])
def test_as_many_work_at_once_as_may_and_no_more(most: int) -> None:
    gate, crew = Gate(most), ThreadPool(most)
    for _ in range(4 * most):
        crew.submit(gate.pass_through)
    crew.shut_down()
    assert (gate.most_inside, gate.passed) == (most, 4 * most)


def test_a_crew_that_was_given_nothing_ends() -> None:
    before = threading.active_count()
    ThreadPool(16).shut_down()
    assert threading.active_count() == before
