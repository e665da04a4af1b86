"""A text to be resolved, and what the resolver asks of a store: narrow probes of an index of names, never a scan."""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

from recollect.model import names
from recollect.model.ids import EntityId
from recollect.model.names import Name, Types

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
        return names.tokens(self.folded)

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
