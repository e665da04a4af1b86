"""Many items in batches of a bounded size."""

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import TypeVar

Item = TypeVar("Item")


def batches(items: Iterable[Item], size: int) -> Iterator[list[Item]]:
    """The items in their order, so many at once; the last batch may be shorter."""
    rest = iter(items)
    while some := list(islice(rest, size)):
        yield some
