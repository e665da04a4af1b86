"""What resolving a text came to: one entity, several that tie, or nothing."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from recollect.model.ids import EntityId
from recollect.model.names import Name, Types

Rung = Literal["id", "exact", "alias", "fuzzy", "embedding", "none"]

MOST_CANDIDATES = 5
TIE = 0.05


@dataclass(frozen=True, slots=True)
class Candidate:
    """An entity under the name that fits best, and how well it fits."""

    name: Name
    score: float

    @property
    def entity(self) -> EntityId:
        return self.name.entity


@dataclass(frozen=True, slots=True)
class Resolution:
    """The rung that answered and all who tie there, best first; only one alone is a choice."""

    rung: Rung
    tied: tuple[Candidate, ...]

    @property
    def entity(self) -> EntityId | None:
        return self.tied[0].entity if len(self.tied) == 1 else None

    @property
    def is_ambiguous(self) -> bool:
        return len(self.tied) > 1

    @property
    def candidates(self) -> tuple[Candidate, ...]:
        """The best few of those who answered, for showing."""
        return self.tied[:MOST_CANDIDATES]

    @property
    def method(self) -> Rung:
        """The rung that chose an entity; `none` when nothing was chosen."""
        return self.rung if len(self.tied) == 1 else "none"

    @property
    def score(self) -> float:
        """The best score at the rung, also of a tie; 0 when nothing answered."""
        return self.tied[0].score if self.tied else 0.0

    def setting_aside(self, types: Types) -> "Resolution":
        """The same answer without those of other types, unless that leaves nobody."""
        kept = tuple(candidate for candidate in self.tied if types.admits(candidate.name.type))
        return Resolution(self.rung, kept) if kept else self


NOTHING = Resolution("none", ())


def best_per_entity(found: Iterable[Candidate]) -> tuple[Candidate, ...]:
    """Each entity once, under its best name; best first, whatever the order of arrival."""
    candidates = tuple(found)
    if len(candidates) < 2:
        return candidates
    seen: dict[EntityId, Candidate] = {}
    for candidate in sorted(candidates, key=_rank):
        seen.setdefault(candidate.entity, candidate)
    return tuple(seen.values())


def decide(rung: Rung, ranked: tuple[Candidate, ...]) -> Resolution:
    """The best candidate, or all that tie with it; candidates are ranked, each entity once."""
    if not ranked:
        return NOTHING
    return Resolution(rung, tuple(candidate for candidate in ranked if _ties(ranked[0], candidate)))


def _ties(best: Candidate, other: Candidate) -> bool:
    return round(best.score - other.score, 9) <= TIE


def _rank(candidate: Candidate) -> tuple[float, bool, str, str, str]:
    name = candidate.name
    return (-candidate.score, name.kind != "name", name.folded, name.spelling, name.entity)
