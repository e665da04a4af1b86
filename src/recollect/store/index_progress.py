"""How far each index of a workspace has come: one row of the table `indexed` for each part."""

from typing import TYPE_CHECKING, NamedTuple

from recollect.store.view import View

if TYPE_CHECKING:
    from recollect.store.change import Change


class IndexState(NamedTuple):
    """The last number or transaction that an index covers, with two counts whose meaning is up to the index."""

    upto: int = 0
    items: int = 0
    size: int = 0


NOTHING_INDEXED = IndexState()


class IndexProgress(NamedTuple):
    """The progress of one part, such as `words` or `meaning:<model>`."""

    part: str

    def read(self, view: View) -> IndexState:
        return self.find(view) or NOTHING_INDEXED

    def find(self, view: View) -> IndexState | None:
        """The state, or none if nothing was ever indexed."""
        found = view.rows("indexed", part=self.part)
        return IndexState(*map(int, found[0])) if found else None

    def save(self, change: "Change", upto: int, items: int = 0, size: int = 0) -> None:
        change.run("indexed_put", part=self.part, upto=upto, chunks=items, characters=size)

    def drop(self, change: "Change") -> None:
        change.run("indexed_drop", part=self.part)
