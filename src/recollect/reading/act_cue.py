"""A row of the tables of acts: words that show what a clause does."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from recollect.reading.clause_reading import Act, DoerKind
from recollect.reading.context import TextKind


@dataclass(frozen=True, slots=True)
class ActCue:
    """A pattern over small letters and the act that it shows.

    `doer` is who is bound by a commitment, asked by a request, or has done it. `kinds` limits the cue to kinds of
    text; `except_after` takes the cue back where it matches right before it, `unless` where it matches anywhere in
    the clause. A `survives` cue asks by a condition or a question ("it would be great if you could"); `needs_time` ones
    count only beside a day ahead ("I bring it tomorrow").
    """

    name: str
    act: Act
    doer: DoerKind | None
    pattern: re.Pattern[str]
    confidence: float = 0.9
    kinds: frozenset[TextKind] | None = None
    except_after: re.Pattern[str] | None = None
    unless: re.Pattern[str] | None = None
    survives: bool = False
    fact_type: str | None = None
    needs_time: bool = False

    def search(self, clause: str) -> re.Match[str] | None:
        """Where the clause shows the act; none if words around the cue take it back."""
        first = self.pattern.search(clause)
        if first is None or (self.except_after is None and self.unless is None):
            return first
        for found in self.pattern.finditer(clause):
            if self.except_after is not None and self.except_after.search(clause, 0, found.start()):
                continue
            if self.unless is None or self.unless.search(clause) is None:
                return found
        return None


class CueMatches:
    """The cues that a clause shows, in their order; they are looked for as far as somebody asks, and once."""

    __slots__ = ("_found", "_more")

    def __init__(self, clause: str, cues: Iterable[ActCue], kind: TextKind) -> None:
        self._found: list[tuple[ActCue, re.Match[str]]] = []
        self._more = _matching(clause, cues, kind)

    def __iter__(self) -> Iterator[tuple[ActCue, re.Match[str]]]:
        yield from tuple(self._found)
        for each in self._more:
            self._found.append(each)
            yield each


def _matching(clause: str, cues: Iterable[ActCue], kind: TextKind) -> Iterator[tuple[ActCue, re.Match[str]]]:
    for cue in cues:
        match = cue.search(clause) if cue.kinds is None or kind in cue.kinds else None
        if match is not None:
            yield cue, match
