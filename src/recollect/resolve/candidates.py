"""The outcome of resolving a text: one entity, several that tie, or nothing."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from recollect.model.ids import EntityId
from recollect.model.names import Name, Types

ResolutionMethod = Literal["id", "exact", "alias", "fuzzy", "embedding", "none"]

MOST_CANDIDATES = 5
TIE_MARGIN = 0.05


@dataclass(frozen=True, slots=True)
class NameCandidate:
    """An entity under the name that fits best, and how well it fits."""

    name: Name
    score: float

    @property
    def entity(self) -> EntityId:
        return self.name.entity


@dataclass(frozen=True, slots=True)
class Resolution:
    """The rung that answered and all candidates that tie there, best first; resolved only if there is exactly one."""

    rung: ResolutionMethod
    tied: tuple[NameCandidate, ...]

    @property
    def entity(self) -> EntityId | None:
        return self.tied[0].entity if len(self.tied) == 1 else None

    @property
    def is_ambiguous(self) -> bool:
        return len(self.tied) > 1

    @property
    def candidates(self) -> tuple[NameCandidate, ...]:
        """The best few of those who answered, for showing."""
        return self.tied[:MOST_CANDIDATES]

    @property
    def method(self) -> ResolutionMethod:
        """The rung that chose an entity; `none` when nothing was chosen."""
        return self.rung if len(self.tied) == 1 else "none"

    @property
    def score(self) -> float:
        """The best score at the rung, also of a tie; 0 when nothing answered."""
        return self.tied[0].score if self.tied else 0.0

    def preferring(self, types: Types) -> "Resolution":
        """Only the candidates of these types, unless that leaves none."""
        kept = tuple(candidate for candidate in self.tied if types.admits(candidate.name.type))
        return Resolution(self.rung, kept) if kept else self


NOTHING = Resolution("none", ())


def best_per_entity(found: Iterable[NameCandidate]) -> tuple[NameCandidate, ...]:
    """Each entity once, under its best name; best first, whatever the order of arrival."""
    candidates = tuple(found)
    if len(candidates) < 2:
        return candidates
    seen: dict[EntityId, NameCandidate] = {}
    for candidate in sorted(candidates, key=_candidate_order):
        seen.setdefault(candidate.entity, candidate)
    return tuple(seen.values())


def prefer_trusted(found: Iterable[NameCandidate]) -> tuple[NameCandidate, ...]:
    """Without aliases that only strangers claim, unless nothing else is like the text."""
    candidates = tuple(found)
    return tuple(each for each in candidates if each.name.known_as != "claimed") or candidates


def decide(rung: ResolutionMethod, ranked: tuple[NameCandidate, ...]) -> Resolution:
    """The best candidate, or all that tie with it; candidates are ranked, each entity once."""
    if not ranked:
        return NOTHING
    return Resolution(rung, tuple(candidate for candidate in ranked if _ties(ranked[0], candidate)))


def _ties(best: NameCandidate, other: NameCandidate) -> bool:
    return round(best.score - other.score, 9) <= TIE_MARGIN


def _candidate_order(candidate: NameCandidate) -> tuple[float, bool, str, str, str]:
    name = candidate.name
    return (-candidate.score, name.kind != "name", name.folded, name.spelling, name.entity)
