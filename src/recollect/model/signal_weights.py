"""Learned weights of named signals: one linear model, whose numbers are kept in JSON."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass


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
