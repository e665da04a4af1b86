"""The name index that the resolver probes, on a view of the store."""

from collections.abc import Callable, Collection, Sequence
from typing import Any

from recollect.model.ids import EntityId
from recollect.model.names import Name, Types, fold, token_key
from recollect.store.view import View

_MOST_TOKENS = 2048
_AFTER_SPACE = "!"
_LAST = "\U0010ffff"

SimilarNames = Sequence[tuple[Name, float]]
FindSimilar = Callable[[View, str, Types, float, int], SimilarNames | None]


class StoredNameIndex:
    """The names of the live entities of one workspace, as known at one moment."""

    def __init__(self, view: View, alike: FindSimilar | None = None) -> None:
        self._view = view
        self._alike = alike

    def _names(self, query: str, types: Types, **parameters: Any) -> list[Name]:
        rows = self._view.rows(query, types=sorted(types.listed), others=int(types.others), **parameters)
        return [Name(*row) for row in rows]

    def by_id(self, entity: EntityId) -> Name | None:
        found = self._view.survivor(entity)
        if found is None:
            return None
        return Name(found.id, found.type, found.name, "name", found.folded, token_key(fold(found.name)))

    def named(self, folded: str, types: Types, limit: int) -> Sequence[Name]:
        return [name for name in self._view.names_matching(folded) if types.admits(name.type)][:limit]

    def with_keys(self, keys: Collection[str], digits: str, types: Types, limit: int) -> Sequence[Name]:
        return self._names("names_with_keys", types, keys=sorted(keys), digits=digits, limit=limit) if keys else []

    def starting_with(self, prefix: str, digits: str, types: Types, limit: int) -> Sequence[Name]:
        ends = {"lo": prefix, "hi": prefix + _LAST, "digits": digits, "limit": limit}
        return self._names("names_starting", types, **ends)

    def keys_continued(self, keys: Collection[str], digits: str) -> Collection[str]:
        return [key for key in keys if self._goes_on(key, digits)]

    def _goes_on(self, key: str, digits: str) -> bool:
        ends = {"lo": key + " ", "hi": key + _AFTER_SPACE}
        return bool(self._view.rows("key_continued", digits=digits, **ends))

    def tokens_near(self, variants: Collection[str]) -> Collection[str]:
        rows = self._view.rows("tokens_near", variants=sorted(variants), limit=_MOST_TOKENS) if variants else []
        return [row[0] for row in rows]

    def with_word(self, word: str, types: Types, limit: int) -> Sequence[Name]:
        return self._names("names_with_word", types, token=word, limit=limit)

    def with_word_start(self, start: str, types: Types, limit: int) -> Sequence[Name]:
        return self._names("names_with_word_start", types, lo=start, hi=start + _LAST, limit=limit)

    def alike(self, text: str, types: Types, floor: float, limit: int) -> SimilarNames | None:
        return self._alike(self._view, text, types, floor, limit) if self._alike else None
