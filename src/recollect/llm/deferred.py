"""Deferred answers: the call that needs them ends, and is repeated once they have arrived."""

from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

from recollect.llm.port import ModelRequest

Thing = TypeVar("Thing")
Done = TypeVar("Done")


class DeferredAnswers(BaseException):
    """The requests whose answers are still missing.

    Not an `Exception`, so that no handler mistakes it for a failed model and continues without one.
    """

    def __init__(self, asks: Sequence[ModelRequest]) -> None:
        super().__init__(f"{len(asks)} questions wait for their answers")
        self.asks = tuple(asks)


def ask_together(work: Callable[[Thing], list[Done]], things: Iterable[Thing]) -> list[Done]:
    """The results for all items; missing answers are requested together."""
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
