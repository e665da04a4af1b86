"""A claim that is laid over a statement, word by word."""

from collections.abc import Mapping
from typing import NamedTuple

from recollect.reason.verify.parsed_statement import ParsedStatement


class Alignment(NamedTuple):
    """A claim, a statement, and where the words of the one stand in the other; `verb` is a place of the claim."""

    claim: ParsedStatement
    said: ParsedStatement
    verb: int | None
    places: Mapping[int, int]
    differs: str | None = None
    """In what the statement is known to differ."""

    @property
    def words(self) -> list[str]:
        return [piece.word for piece in self.said.pieces]

    @property
    def matched(self) -> frozenset[int]:
        return frozenset(self.places.values())

    @property
    def verb_place(self) -> int | None:
        return None if self.verb is None else self.places.get(self.verb)

    def extra_content(self, start: int, stop: int) -> list[int]:
        """The places in a range that hold a word, number or time that is not claimed."""
        return [at for at in range(max(0, start), stop) if self.said.pieces[at].is_content and at not in self.matched]
