"""The rows of a seed file."""

from dataclasses import dataclass, field
from typing import NamedTuple

from recollect.model.fact import Label


class SeedFact(NamedTuple):
    """A row of facts: ends by name, the claim's label and type, its words."""

    line: int
    subject: str
    label: Label
    fact_type: str
    target: str | None
    words: str | None


@dataclass(slots=True)
class Seed:
    """All rows by section, with the numbers of their lines; `wrong` says what is wrong with the rest."""

    people: list[tuple[int, str, str | None, str | None]] = field(default_factory=list)
    companies: list[tuple[int, str, str | None]] = field(default_factory=list)
    projects: list[tuple[int, str]] = field(default_factory=list)
    facts: list[SeedFact] = field(default_factory=list)
    aliases: list[tuple[int, str, tuple[str, ...]]] = field(default_factory=list)
    wrong: list[tuple[int, str]] = field(default_factory=list)
