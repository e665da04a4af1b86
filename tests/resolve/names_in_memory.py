"""A name index held in plain lists: slow and obvious, so that tests of the resolver need no store."""

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass

from recollect.model.ids import EntityId
from recollect.model.names import Name, NameKind, Types, digits, fold
from recollect.model.spelling_variants import variants
from recollect.text.tokens import name_key, name_tokens


def a_name(entity: str, type_: str, spelling: str, kind: NameKind = "name") -> Name:
    folded = fold(spelling)
    return Name(EntityId(entity), type_, spelling, kind, folded, name_key(folded))


def people(*spellings: str) -> "NamesInMemory":
    """An index of one person per name, whose id is the name."""
    return NamesInMemory([a_name(spelling, "person", spelling) for spelling in spellings])


def projects(*spellings: str) -> "NamesInMemory":
    return NamesInMemory([a_name(spelling, "project", spelling) for spelling in spellings])


@dataclass(frozen=True)
class NamesInMemory:
    rows: Sequence[Name]
    cosine: Callable[[str, str], float] | None = None

    def by_id(self, entity: EntityId) -> Name | None:
        return next((row for row in self.rows if row.entity == entity and row.kind == "name"), None)

    def named(self, folded: str, types: Types, limit: int) -> Sequence[Name]:
        rows = [row for row in self.rows if row.folded == folded and types.admits(row.type)]
        return sorted(rows, key=lambda row: (row.kind != "name", row.entity))[:limit]

    def with_keys(self, keys: Collection[str], digits: str, types: Types, limit: int) -> Sequence[Name]:
        return _by_key(row for row in self._called(types, digits) if row.key in keys)[:limit]

    def starting_with(self, prefix: str, digits: str, types: Types, limit: int) -> Sequence[Name]:
        return _by_key(row for row in self._called(types, digits) if row.key.startswith(prefix))[:limit]

    def keys_continued(self, keys: Collection[str], digits: str) -> Collection[str]:
        held = [row.key for row in self._called(Types(), digits)]
        return {key for key in keys if any(other.startswith(key + " ") for other in held)}

    def tokens_near(self, variants: Collection[str]) -> Collection[str]:
        return {token for row in self._called(Types()) for token in name_tokens(row.folded) if _meets(token, variants)}

    def with_word(self, word: str, types: Types, limit: int) -> Sequence[Name]:
        return _by_key(row for row in self._called(types) if word in name_tokens(row.folded))[:limit]

    def with_word_start(self, start: str, types: Types, limit: int) -> Sequence[Name]:
        return _by_key(
            row for row in self._called(types) if any(token.startswith(start) for token in name_tokens(row.folded))
        )[:limit]

    def similar_names(self, text: str, types: Types, floor: float, limit: int) -> Sequence[tuple[Name, float]] | None:
        if self.cosine is None:
            return None
        found = [(row, self.cosine(text, row.spelling)) for row in self._called(types)]
        return sorted((near for near in found if near[1] >= floor), key=lambda near: -near[1])[:limit]

    def _called(self, types: Types, wanted: str | None = None) -> Iterable[Name]:
        for row in self.rows:
            if row.kind in ("name", "alias") and types.admits(row.type) and wanted in (None, digits(row.folded)):
                yield row


def _by_key(rows: Iterable[Name]) -> list[Name]:
    return sorted(rows, key=lambda row: (row.key, row.entity))


def _meets(token: str, wanted: Collection[str]) -> bool:
    return any(variant in wanted for variant in variants(token))
