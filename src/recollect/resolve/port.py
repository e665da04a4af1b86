"""A text to be resolved, the narrow probes that the resolver asks of a store, and the outcome."""

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, Protocol

from recollect.model import names
from recollect.model.ids import EntityId
from recollect.model.names import Name, Types
from recollect.text.tokens import name_tokens

_LIST_BREAK = re.compile(r"(?:(?<!\s)\s+)?(?:,|&|\+|(?<!\S)and(?!\S))\s*")


@dataclass(frozen=True)
class NameQuery:
    """The text as written and the forms that probes compare, each made when first wanted."""

    text: str

    @cached_property
    def folded(self) -> str:
        return names.fold(self.text)

    @cached_property
    def tokens(self) -> tuple[str, ...]:
        return name_tokens(self.folded)

    @cached_property
    def key(self) -> str:
        return " ".join(self.tokens)

    @cached_property
    def digits(self) -> str:
        return names.digits(self.folded)

    @property
    def is_too_short(self) -> bool:
        """Whether only equality may match the text."""
        return len(self.folded) < 3 or not self.tokens

    @property
    def parts(self) -> tuple[str, ...]:
        """The items of a list; just the text if it is not a list."""
        return tuple(part for part in _LIST_BREAK.split(self.folded) if part)


class NameIndex(Protocol):
    """The names of the live entities of one workspace, as known at one moment.

    The names of a merged entity belong to its survivor. Only `by_id` and `named` see emails and domains; all other
    probes see names and aliases. `digits` limits a probe to names with exactly these digits (`names.digits`).
    Rows come in the order given, so that the same state gives the same answer also where a limit cuts them.
    """

    def by_id(self, entity: EntityId) -> Name | None:
        """The name of this entity, or of the one it was merged into; none when it is not live."""

    def named(self, folded: str, types: Types, limit: int) -> Sequence[Name]:
        """Rows whose folded text is equal; rows of kind `name` first, then by entity."""

    def with_keys(self, keys: Collection[str], digits: str, types: Types, limit: int) -> Sequence[Name]:
        """Rows whose token key is one of these; by token key, then entity."""

    def starting_with(self, prefix: str, digits: str, types: Types, limit: int) -> Sequence[Name]:
        """Rows whose token key begins with this text; by token key, then entity."""

    def keys_continued(self, keys: Collection[str], digits: str) -> Collection[str]:
        """Those of these token keys that some name continues with a further token."""

    def tokens_near(self, variants: Collection[str]) -> Collection[str]:
        """Tokens that have one of these variants; those no longer in use may be among them."""

    def with_word(self, word: str, types: Types, limit: int) -> Sequence[Name]:
        """Rows that have this token; by token key, then entity."""

    def with_word_start(self, start: str, types: Types, limit: int) -> Sequence[Name]:
        """Rows that have a token beginning with this text; by token, token key, then entity."""

    def similar_names(self, text: str, types: Types, floor: float, limit: int) -> Sequence[tuple[Name, float]] | None:
        """Rows with their cosine, if it reaches the floor, nearest first; none without an embedder."""


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
