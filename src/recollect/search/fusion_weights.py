"""Weights of the signals of a ranking: set by hand, or learned as one linear model."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple


class FusionWeights(NamedTuple):
    """What each part is worth beside one unit of cosine; docs/decisions/search.md says how they were found."""

    text: float = 0.5
    name: float = 0.15
    time: float = 0.15
    context: float = 0.4
    title: float = 0.45
    link: float = 0.9
    asker: float = 0.25
    later: float = 0.3


DEFAULT_WEIGHTS = FusionWeights()


@dataclass(frozen=True, slots=True)
class SignalWeights:
    """A weight for each signal in the order of the signals, and what is added to every sum."""

    values: tuple[float, ...]
    bias: float = 0.0

    @classmethod
    def read(cls, signals: Sequence[str], stored: Mapping[str, float], bias: float = 0.0) -> "SignalWeights":
        """The stored weights by name; a signal without one weighs nothing."""
        unknown = stored.keys() - set(signals)
        if unknown:
            raise ValueError(f"weights of signals that are not computed: {', '.join(sorted(unknown))}")
        return cls(tuple(stored.get(name, 0.0) for name in signals), bias)

    def products(self, row: Sequence[float]) -> list[float]:
        """What each signal of a row adds to its sum."""
        return [weight * value for weight, value in zip(self.values, row, strict=True)]

    def score(self, row: Sequence[float]) -> float:
        return self.bias + sum(self.products(row))
