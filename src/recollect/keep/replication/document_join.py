"""Documents that devices stored apart under one key: one of them stays, with what was written last."""

from typing import Final

from recollect.keep.replication.stamped_versions import StampedVersion, StampedVersions, with_values
from recollect.model.ids import DocumentId, EntityId
from recollect.store import devices
from recollect.store.change import Change
from recollect.store.devices import RowChange
from recollect.store.erasure_queries import documents_with_key
from recollect.store.tables import DOCUMENT, MENTION
from recollect.store.view import View

DUPLICATE: Final = "duplicate"
"""The deletion reason of a document that another device had stored under the same key."""


class DocumentJoin:
    """Makes one document of those with the same key, and shows the passages that belong to its text."""

    def __init__(self, change: Change, versions: StampedVersions) -> None:
        self._change = change
        self._versions = versions

    def join(self, id_: str) -> None:
        """Make one document of all that ever had the same kind and key: the first id, with what was written last."""
        held = self._change.open_version(DOCUMENT, (id_,))
        if held is None or held.value("deleted") == DUPLICATE:
            return
        ids = sorted(set(documents_with_key(self._change, [held.value("kind")], held.value("key"))))
        if len(ids) < 2:
            return
        survivor, *others = ids
        for each in others:
            self._move_document(each, survivor)
        written = [
            (each, one) for one in ids for each in self._versions.of(DOCUMENT, (one,)) if each.content is not None
        ]
        latest, source = max(written, key=lambda each: (each[0].stamp, each[1]))
        now = self._change.open_version(DOCUMENT, (survivor,))
        if now is None or now.content != latest.content:
            devices.apply_row(self._change, RowChange(DOCUMENT, (survivor,), latest.content))
            self._change.recall_nothing()
        self.show_passages(survivor, source, latest)

    def show_passages(self, id_: DocumentId, source: DocumentId, shown: StampedVersion) -> None:
        """Give a document the passages that a version of it, or of its duplicate, had where it was made."""
        wanted = self._passages(source, shown) if shown.content is not None else []
        if wanted != [each[2:] for each in self._change.chunks(id_)]:
            self._change.end_chunks(id_)
            for each in wanted:
                self._change.add_chunk(id_, *each)

    def _passages(self, document: DocumentId, shown: StampedVersion) -> list[tuple[int, int, int, str, str]]:
        """The passages that came with the text of a version; a later version of the same text came without."""
        row = self._versions.row(DOCUMENT, (document,), shown.content or ())
        if row.value("deleted") is not None:
            return []
        for each in sorted(self._versions.of(DOCUMENT, (document,))):
            other = None if each.content is None else self._versions.row(DOCUMENT, (document,), each.content)
            if other is None or other.value("content") != row.value("content"):
                continue
            then = View(self._change.connection, self._change.workspace, each.origin.tx, self._change.now)
            if found := [chunk[2:] for chunk in then.chunks(document)]:
                return found
        return []

    def _move_document(self, id_: DocumentId, survivor: DocumentId) -> None:
        """Give what rests on a document to another, and keep it as a duplicate under another key."""
        change = self._change
        for assertion in change.assertions_from(id_):
            change.put_assertion(assertion._replace(document=survivor))
        for entity in change.mentioned(id_):
            move_mention(change, (id_, entity), (survivor, entity))
        change.end_chunks(id_)
        own = [each.content for each in sorted(self._versions.of(DOCUMENT, (id_,))) if each.content is not None]
        marked = with_values(DOCUMENT, own[-1], key=f"{DUPLICATE}:{id_}", deleted=DUPLICATE)
        held = change.open_version(DOCUMENT, (id_,))
        if held is None or held.content != marked:
            devices.apply_row(change, RowChange(DOCUMENT, (id_,), marked))


def move_mention(change: Change, gone: tuple[DocumentId, EntityId], instead: tuple[DocumentId, EntityId]) -> None:
    """End the mention of an entity in a document for one of or in another."""
    change.end_mention(*gone)
    if change.open_version(MENTION, instead) is None:
        change.put_mention(*instead)
