"""Deferred answers: the call that asks ends, and is made again once the answers are there."""

from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

from recollect.llm.port import ModelRequest

Thing = TypeVar("Thing")
Done = TypeVar("Done")


class DeferredAnswers(BaseException):
    """The questions whose answers are still to come.

    No `Exception`: nobody is to take it for a model that failed, and to go on without one.
    """

    def __init__(self, asks: Sequence[ModelRequest]) -> None:
        super().__init__(f"{len(asks)} questions wait for their answers")
        self.asks = tuple(asks)


def ask_together(work: Callable[[Thing], list[Done]], things: Iterable[Thing]) -> list[Done]:
    """What the work gives for all things; answers that are missing are asked for at once."""
    done: list[Done] = []
    asks: list[ModelRequest] = []
    for thing in things:
        try:
            done += work(thing)
        except DeferredAnswers as missing:
            asks += missing.asks
    if asks:
        raise DeferredAnswers(asks)
    return done
