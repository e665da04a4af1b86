"""Two sides of a comparison, measured in turn, so that what else the machine does falls on both."""

import gc
import time
from collections.abc import Callable, Mapping, Sequence
from statistics import median, quantiles
from typing import NamedTuple

Operation = Callable[[int], object]
Clock = Callable[[], float]
Summary = Callable[[Sequence[float]], float]


class Row(NamedTuple):
    """One line of the table: ours over theirs, and the most that is asked for."""

    what: str
    ours: float
    theirs: float
    against: str
    at_most: float | None = None

    @property
    def ratio(self) -> float:
        return self.ours / self.theirs

    @property
    def verdict(self) -> str:
        return "" if self.at_most is None else "yes" if self.ratio <= self.at_most else "no"


def p95(seconds: Sequence[float]) -> float:
    return quantiles(seconds, n=20)[-1]


def interleaved(
    deeds: Mapping[str, Operation], rounds: int, clock: Clock = time.process_time, summary: Summary = median
) -> dict[str, float]:
    """The seconds of each deed, by default the median; every round does each of them once."""
    return {name: summary(times) for name, times in timed(deeds, rounds, clock).items()}


def timed(deeds: Mapping[str, Operation], rounds: int, clock: Clock = time.process_time) -> dict[str, list[float]]:
    """The seconds of each deed in each round, after one that does not count."""
    for deed in deeds.values():
        deed(0)
    taken: dict[str, list[float]] = {name: [] for name in deeds}
    gc.collect()
    for number in range(rounds):
        for name, deed in deeds.items():
            began = clock()
            deed(number)
            taken[name].append(clock() - began)
    return taken


def table(rows: list[Row]) -> str:
    """The rows as a Markdown table."""
    lines = ["| what | ours | other | ratio | asked | held | against |", "| --- | --: | --: | --: | --: | --- | --- |"]
    lines += [
        f"| {row.what} | {said(row.ours)} | {said(row.theirs)} | {row.ratio:.2f} "
        f"| {'' if row.at_most is None else f'≤ {row.at_most:g}'} | {row.verdict} | {row.against} |"
        for row in rows
    ]
    return "\n".join(lines)


def said(seconds: float) -> str:
    if seconds >= 1:
        return f"{seconds:.2f} s"
    return f"{seconds * 1e3:.2f} ms" if seconds >= 1e-3 else f"{seconds * 1e6:.0f} µs"
