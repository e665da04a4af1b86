"""A part of a list, and how long the list is."""

from typing import Generic, NamedTuple, TypeVar

Item = TypeVar("Item")


class ResultPage(NamedTuple, Generic[Item]):
    """Some items of a list, in its order, and how many it has in all."""

    items: list[Item]
    total: int

    @property
    def is_cut(self) -> bool:
        """Whether there are more items than these, which are the first."""
        return self.total > len(self.items)
