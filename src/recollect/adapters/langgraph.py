"""LangGraph: a `BaseStore` whose items are part of this memory (langgraph-checkpoint 4.3)."""

import asyncio
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from langgraph.store.base import (
    BaseStore,
    GetOp,
    Item,
    ListNamespacesOp,
    MatchCondition,
    Op,
    PutOp,
    Result,
    SearchItem,
    SearchOp,
    TTLConfig,
)
from langgraph.store.base.embed import get_text_at_path, tokenize_path

from recollect.adapters.item_store import ItemStore, opened, used_by
from recollect.errors import Refused
from recollect.keep.items import ItemDraft, ItemPath, Namespace, StoredItem
from recollect.surfaces.everyday_memory import EverydayMemory
from recollect.when.instant import Instant

_COMPARISONS: Final[Mapping[str, Callable[[Any, Any], bool]]] = {
    "$eq": lambda held, asked: held == asked,
    "$ne": lambda held, asked: held != asked,
    "$gt": lambda held, asked: _are_numbers(held, asked) and float(held) > float(asked),
    "$gte": lambda held, asked: _are_numbers(held, asked) and float(held) >= float(asked),
    "$lt": lambda held, asked: _are_numbers(held, asked) and float(held) < float(asked),
    "$lte": lambda held, asked: _are_numbers(held, asked) and float(held) <= float(asked),
}


class UnknownComparison(Refused, ValueError):
    code = "unknown_comparison"

    def __init__(self, name: str) -> None:
        super().__init__(f"a filter has no comparison {name!r}; use one of {', '.join(_COMPARISONS)}", field="filter")


class RecollectStore(BaseStore):
    """Long-term memory of a graph: namespaces, search by meaning, lifetimes, batches in one transaction.

    Within a batch, reads see what was there before its writes. `index=False` leaves an item out of search; a list of
    paths names the fields that are searched.
    """

    supports_ttl = True

    def __init__(self, memory: EverydayMemory | str | None = None, *, ttl: TTLConfig | None = None) -> None:
        self.memory = opened(memory)
        self.ttl_config = ttl
        self._items = ItemStore(used_by(self.memory, "langgraph"))

    def batch(self, ops: Iterable[Op]) -> list[Result]:
        given = list(ops)
        results = [self._read(op) for op in given]
        writes = {(op.namespace, op.key): op for op in given if isinstance(op, PutOp)}
        if writes:
            self._items.apply([_change_of(op) for op in writes.values()])
        return results

    async def abatch(self, ops: Iterable[Op]) -> list[Result]:
        return await asyncio.to_thread(self.batch, list(ops))

    def sweep_ttl(self) -> int:
        """Delete the items whose lifetime is over, and erase their values; how many there were."""
        return self._items.sweep()

    def _read(self, op: Op) -> Result:
        match op:
            case GetOp():
                found = self._items.find(ItemPath(op.namespace, op.key), refresh=op.refresh_ttl)
                return None if found is None else Item(**_item_fields(found))
            case SearchOp():
                return self._search(op)
            case ListNamespacesOp():
                return self._list(op)
            case PutOp():
                return None
        raise TypeError(f"a store has no operation {type(op).__name__}")

    def _search(self, op: SearchOp) -> list[SearchItem]:
        def is_wanted(value: Any) -> bool:
            return all(_matches(value.get(name), asked) for name, asked in (op.filter or {}).items())

        found = self._items.search(op.namespace_prefix, op.query, is_wanted)[op.offset : op.offset + op.limit]
        if op.refresh_ttl:
            self._items.refresh([each.item for each in found])
        return [SearchItem(**_item_fields(each.item), score=each.score) for each in found]

    def _list(self, op: ListNamespacesOp) -> list[Namespace]:
        conditions = op.match_conditions or ()
        fitting = [each for each in self._items.namespaces() if all(_fits(each, one) for one in conditions)]
        shown = sorted({each[: op.max_depth] for each in fitting}) if op.max_depth is not None else fitting
        return shown[op.offset : op.offset + op.limit]


class NotADictionary(Refused, TypeError):
    """As the stores of langgraph raise it."""

    def __init__(self, value: object) -> None:
        super().__init__(f"a value is a dictionary, not {type(value).__name__}; wrap it: {{'value': …}}", field="value")


def _change_of(op: PutOp) -> ItemDraft | ItemPath:
    path = ItemPath(op.namespace, op.key)
    if op.value is not None and not isinstance(op.value, Mapping):
        raise NotADictionary(op.value)
    return path if op.value is None else ItemDraft(path, op.value, op.ttl, _indexed_texts(op))


def _indexed_texts(op: PutOp) -> Sequence[str] | None:
    """The texts that search finds the item by; None for all of its own."""
    if op.index is None:
        return None
    paths = op.index if op.index is not False else ()
    return [text for path in paths for text in get_text_at_path(op.value, tokenize_path(path))]


def _item_fields(found: StoredItem) -> dict[str, Any]:
    return {
        "namespace": found.path.namespace,
        "key": found.path.key,
        "value": found.value,
        "created_at": _moment(found.created_at),
        "updated_at": _moment(found.updated_at),
    }


def _moment(instant: Instant) -> datetime:
    return datetime(1970, 1, 1, tzinfo=UTC) + timedelta(microseconds=instant)


def _fits(namespace: Namespace, condition: MatchCondition) -> bool:
    asked = tuple(condition.path)
    if len(asked) > len(namespace):
        return False
    if not asked:
        return True
    part = namespace[: len(asked)] if condition.match_type == "prefix" else namespace[-len(asked) :]
    return all(wanted in ("*", name) for name, wanted in zip(part, asked, strict=True))


def _matches(held: Any, asked: Any) -> bool:
    """Whether a field of a value is as a filter asks: equal, part by part, or as its comparisons say."""
    if isinstance(asked, Mapping):
        if any(name.startswith("$") for name in asked):
            return all(_compare(held, name, value) for name, value in asked.items())
        return isinstance(held, Mapping) and all(_matches(held.get(name), value) for name, value in asked.items())
    if isinstance(asked, list | tuple):
        is_list = isinstance(held, list) and len(held) == len(asked)
        return is_list and all(_matches(one, other) for one, other in zip(held, asked, strict=True))
    return bool(held == asked)


def _compare(held: Any, name: str, asked: Any) -> bool:
    if name not in _COMPARISONS:
        raise UnknownComparison(name)
    return _COMPARISONS[name](held, asked)


def _are_numbers(*values: Any) -> bool:
    return all(isinstance(each, int | float) for each in values)
