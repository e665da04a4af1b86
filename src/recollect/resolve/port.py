"""What the resolver asks of a store: narrow probes of an index of names, never a scan."""

from collections.abc import Collection, Sequence
from typing import Protocol

from recollect.model.ids import EntityId
from recollect.model.names import Name, Types


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

    def alike(self, text: str, types: Types, floor: float, limit: int) -> Sequence[tuple[Name, float]] | None:
        """Rows with their cosine, if it reaches the floor, nearest first; none without an embedder."""
