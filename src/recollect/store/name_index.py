"""The name index that the resolver queries, on a view of the store, and its keys without accents."""

from collections.abc import Callable, Collection, Hashable, Sequence
from typing import TYPE_CHECKING, Any

from recollect.model.ids import EntityId
from recollect.model.names import Name, Types, fold
from recollect.store.index_progress import IndexProgress
from recollect.store.view import View
from recollect.text.tokens import name_key

if TYPE_CHECKING:
    from recollect.store.change import Change

_MOST_TOKENS = 2048
_AFTER_SPACE = "!"
_LAST = "\U0010ffff"

SimilarNames = Sequence[tuple[Name, float]]
FindSimilar = Callable[[View, str, Types, float, int], SimilarNames | None]


class StoredNameIndex:
    """The names of the live entities of one workspace, as of a view."""

    def __init__(self, view: View, alike: FindSimilar | None = None, *, common: int | None = None) -> None:
        """With `common`, spelling variants that more tokens have are ignored."""
        self._view = view
        self._alike = alike
        self._common = common
        self._read: dict[Hashable, Any] = {}
        """What was asked before, in an index for many lookups: their names have words in common."""

    def ignoring_common_variants(self, common: int) -> "StoredNameIndex":
        """An index for many lookups at once: each takes a bounded time, however alike the names are."""
        return StoredNameIndex(self._view, self._alike, common=common)

    def by_id(self, entity: EntityId) -> Name | None:
        found = self._view.survivor(entity)
        if found is None:
            return None
        return Name(found.id, found.type, found.name, "name", found.folded, name_key(fold(found.name)))

    def named(self, folded: str, types: Types, limit: int) -> Sequence[Name]:
        return [name for name in self._view.names_matching(folded) if types.admits(name.type)][:limit]

    def with_keys(self, keys: Collection[str], digits: str, types: Types, limit: int) -> Sequence[Name]:
        if not keys:
            return []
        parameters = {"keys": sorted(keys), "digits": digits, "limit": limit, **_type_filter(types)}
        return self._view.fetch(Name, "names_with_keys", **parameters)

    def starting_with(self, prefix: str, digits: str, types: Types, limit: int) -> Sequence[Name]:
        parameters = {"lo": prefix, "hi": prefix + _LAST, "digits": digits, "limit": limit, **_type_filter(types)}
        return self._view.fetch(Name, "names_starting", **parameters)

    def keys_continued(self, keys: Collection[str], digits: str) -> Collection[str]:
        return [key for key in keys if self._is_continued(key, digits)]

    def _is_continued(self, key: str, digits: str) -> bool:
        return bool(self._view.rows("key_continued", digits=digits, lo=key + " ", hi=key + _AFTER_SPACE))

    def tokens_near(self, variants: Collection[str]) -> Collection[str]:
        if not variants:
            return []
        parameters = {"variants": sorted(variants), "limit": _MOST_TOKENS}
        if self._common is None:
            rows = self._view.rows("tokens_near", **parameters)
            return [token for [token] in rows]
        key = frozenset(variants)
        if key not in self._read:
            rows = self._view.rows("tokens_near_by_rare_variants", common=self._common, **parameters)
            self._read[key] = [token for [token] in rows]
        found: list[str] = self._read[key]
        return found

    def with_word(self, word: str, types: Types, limit: int) -> Sequence[Name]:
        key = (word, types, limit)
        found: list[Name] | None = self._read.get(key)
        if found is None:
            found = self._view.fetch(Name, "names_with_word", token=word, limit=limit, **_type_filter(types))
        if self._common is not None:
            self._read[key] = found
        return found

    def with_word_start(self, start: str, types: Types, limit: int) -> Sequence[Name]:
        parameters = {"lo": start, "hi": start + _LAST, "limit": limit, **_type_filter(types)}
        return self._view.fetch(Name, "names_with_word_start", **parameters)

    def similar_names(self, text: str, types: Types, floor: float, limit: int) -> SimilarNames | None:
        return self._alike(self._view, text, types, floor, limit) if self._alike else None


def _type_filter(types: Types) -> dict[str, Any]:
    return {"types": sorted(types.listed), "others": int(types.others)}


_PROGRESS = IndexProgress("plain tokens")


def lacks_plain_tokens(view: View) -> bool:
    return _PROGRESS.find(view) is None


def index_plain_tokens(change: "Change") -> None:
    """Index every accented token again; keys that exist are skipped."""
    for [token] in change.rows("accented_tokens"):
        change.add_variants(token)
    _PROGRESS.save(change, 1)
