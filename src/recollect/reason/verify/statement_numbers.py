"""The numbers of a statement: what they count, and whether they are exact, a bound or an estimate."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

Bound = Literal["exact", "least", "most", "about"]

_BOUNDS: Mapping[Bound, str] = {
    "least": "at least/more than/over/above/no fewer than/no less than/upwards of/not less than/well over/exceeds/"
    "a minimum of",
    "most": "at most/up to/fewer than/less than/under/below/no more than/not more than/as many as/nearly/almost/"
    "just under/a maximum of",
    "about": "about/around/some/roughly/approximately/circa",
}  # fmt: skip
BOUND_PHRASES: Mapping[tuple[str, ...], Bound] = {
    tuple(phrase.split()): bound for bound, phrases in _BOUNDS.items() for phrase in phrases.split("/")
}
LONGEST_BOUND = max(map(len, BOUND_PHRASES))
# How far an exact number may be from an estimate, and from where on they exclude each other.
_CLOSE, _FAR = 0.1, 0.25


@dataclass(frozen=True, slots=True)
class StatementNumber:
    """A number and what it counts."""

    value: float
    unit: str | None
    bound: Bound = "exact"

    def is_near(self, other: "StatementNumber") -> bool:
        return self._distance(other) <= 0.01

    def agrees(self, said: "StatementNumber") -> bool | None:
        """Whether a stated number is the one that is claimed; none if it leaves that open."""
        if self.bound == said.bound:
            return self.is_near(said) if self.bound in ("exact", "about") else True if self.is_near(said) else None
        if "about" in (self.bound, said.bound):
            return self._agrees_about(said)
        if said.bound == "exact":
            return _is_within(self, said.value)
        return None if self.bound != "exact" or _is_within(said, self.value) is not False else False

    def _agrees_about(self, said: "StatementNumber") -> bool | None:
        if {self.bound, said.bound} != {"exact", "about"}:
            return None
        distance = self._distance(said)
        return (
            True
            if distance <= _CLOSE and (self.bound == "about" or self.is_near(said))
            else (False if distance > _FAR else None)
        )

    def _distance(self, other: "StatementNumber") -> float:
        most = max(abs(self.value), abs(other.value))
        return abs(self.value - other.value) / most if most else 0.0


def _is_within(bounded: StatementNumber, value: float) -> bool | None:
    """Whether a value keeps a bound; none on the bound itself, which *over* excludes and *at least* does not."""
    if value == bounded.value:
        return None
    return (value > bounded.value) == (bounded.bound == "least")
