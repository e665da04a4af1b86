"""What an embodiment has to learn: all there is, or what changed after a transaction, with tombstones."""

from dataclasses import dataclass
from typing import Literal, NamedTuple

from recollect.errors import Refused
from recollect.keep.artifacts.versions import documents_of, instants_of, live, version_numbers
from recollect.keep.identity import files as identity
from recollect.keep.memories.entry import KIND as MEMORY
from recollect.keep.memories.entry import Kept, is_memory
from recollect.keep.memories.keeping import kept
from recollect.keep.memories.remembered import memory_documents
from recollect.model.document import Document
from recollect.store.rows import document_of
from recollect.store.view import View
from recollect.when.instant import Instant

EntityType = Literal["identity", "memory"]


class BadCursor(Refused):
    def __init__(self) -> None:
        super().__init__("cursor should be the one of the previous page, unchanged", field="cursor")


class Page(NamedTuple):
    """Which state is being read, since when, and how many memories came before."""

    known: int
    since: int | None
    offset: int = 0

    def say(self) -> str:
        return f"{self.known}.{'all' if self.since is None else self.since}.{self.offset}"


@dataclass(frozen=True, slots=True)
class Gone:
    """A thing that was deleted."""

    kind: EntityType
    id: str
    version: int
    at: Instant


@dataclass(frozen=True, slots=True)
class Pulled:
    """One page of what there is to learn; without `next` it is the last."""

    page: Page
    files: list[identity.IdentityFile]
    memories: list[Kept]
    gone: list[Gone]
    next: Page | None


def read_page(cursor: str, last_tx: int) -> Page:
    """The page that a cursor stands for."""
    parts = cursor.split(".")
    if len(parts) != 3 or not all(
        part.isascii() and part.isdigit() and len(part) < 19 for part in (parts[0], parts[2])
    ):
        raise BadCursor
    if parts[1] != "all" and not (parts[1].isascii() and parts[1].isdigit() and len(parts[1]) < 19):
        raise BadCursor
    page = Page(int(parts[0]), None if parts[1] == "all" else int(parts[1]), int(parts[2]))
    if page.known > last_tx:
        raise BadCursor
    return page


def first_page(last_tx: int, since: int | None) -> Page:
    """Everything, unless the embodiment knows an earlier state of this very store."""
    return Page(last_tx, None if since is None or since > last_tx else since)


def pull(view: View, page: Page, limit: int | None) -> Pulled:
    """What a page holds; the view shows the state of the page."""
    changed = changed_since(view, page.since)
    memories = sorted((each for each in live(changed) if is_memory(each)), key=lambda each: (each.tx_from, each.key))
    until = len(memories) if limit is None else page.offset + limit
    following = page._replace(offset=until) if until < len(memories) else None
    shown = kept(view, memories[page.offset : until])
    if page.offset:
        return Pulled(page, [], shown, [], following)
    files = identity.files_of(view, [each for each in live(changed) if each.kind == identity.KIND])
    gone = [] if page.since is None else _gone(view, page.since, [each for each in changed if each.deleted])
    return Pulled(page, files, shown, gone, following)


def changed_since(view: View, since: int | None) -> list[Document]:
    """Identity files and memories whose present version began after a transaction, the deleted ones included."""
    if since is None:
        return [*documents_of(view, identity.KIND), *memory_documents(view)]
    found = [document_of(row) for row in view.rows("documents_begun_since", since=since)]
    return [each for each in found if is_synced(each)]


def is_synced(document: Document) -> bool:
    return document.kind == identity.KIND or is_memory(document)


def _gone(view: View, since: int, deleted: list[Document]) -> list[Gone]:
    """Tombstones of what was deleted, and of what was undone and has no version any more."""
    ended = sorted(
        [*((each.tx_from, each.key, each) for each in deleted), *_undone(view, since)], key=lambda row: row[:2]
    )
    versions, instants = version_numbers(view, [row[2] for row in ended]), instants_of(view, [row[0] for row in ended])
    return [Gone(_type(each), key, versions[each.id], instants[tx]) for tx, key, each in ended]


def _undone(view: View, since: int) -> list[tuple[int, str, Document]]:
    """The last version of each thing that ended without another, with the transaction that ended it.

    A thing is known by its key: what was undone may have been made anew, and undone again.
    """
    last: dict[tuple[str, str], tuple[int, str, Document]] = {}
    for *row, tx in sorted(view.rows("documents_ended_since", since=since), key=lambda row: int(row[-1])):
        document = document_of(tuple(row))
        last[document.kind, document.key] = (tx, document.key, document)
    ended = [row for row in last.values() if is_synced(row[2]) and not row[2].deleted]
    return [row for row in ended if view.document_named(row[2].kind, row[1]) is None]


def _type(document: Document) -> EntityType:
    return "memory" if document.kind == MEMORY else "identity"
