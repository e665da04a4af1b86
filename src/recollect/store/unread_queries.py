"""Passages that may hold what nothing was read from yet."""

from collections.abc import Collection, Iterable
from typing import NamedTuple

from recollect.model.ids import DocumentId, EntityId
from recollect.store.change import Change
from recollect.store.tables import OPEN
from recollect.store.view import View


class StoredPassage(NamedTuple):
    """A live passage of a document, by its number in the workspace."""

    number: int
    document: DocumentId
    seq: int
    start: int
    stop: int
    text: str


def passages_after(view: View, number: int, kinds: Collection[str], limit: int) -> list[StoredPassage]:
    """The next live passages of documents of these kinds."""
    return view.fetch(StoredPassage, "passages_after", number=number, kinds=sorted(kinds), limit=limit)


def unread_passages(view: View, about: EntityId | None, limit: int, before: int = OPEN) -> list[StoredPassage]:
    """The newest passages listed as unread, of documents that mention an entity if one is given."""
    if about is None:
        return view.fetch(StoredPassage, "unread_passages", before=before, limit=limit)
    return view.fetch(StoredPassage, "unread_passages_mentioning", entity=about, before=before, limit=limit)


def unread_not_mentioning(view: View, numbers: Collection[int], entity: EntityId) -> list[StoredPassage]:
    """Those of some passages that are listed as unread, of documents that are not known to mention an entity."""
    return view.fetch(StoredPassage, "unread_named", numbers=sorted(numbers), entity=entity) if numbers else []


def count_unread(view: View, about: EntityId | None) -> int:
    [[count]] = view.rows("unread_count") if about is None else view.rows("unread_count_mentioning", entity=about)
    return int(count)


def changed_unread_passages(view: View, about: EntityId | None) -> list[StoredPassage]:
    """The passages listed as unread whose document was changed, or gave facts, after they were stored."""
    if about is None:
        return view.fetch(StoredPassage, "unread_changed")
    return view.fetch(StoredPassage, "unread_changed_mentioning", entity=about)


def list_as_unread(change: Change, numbers: Iterable[int]) -> None:
    for number in numbers:
        change.connection.run("unread_put", {"ws": change.ws, "number": number})
