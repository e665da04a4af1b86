"""Bodies whose time is over go for good; what was learned from them stays."""

from recollect.memory import Memory
from recollect.model.filing import SUMMARY
from recollect.model.ids import DocumentId
from recollect.search.indexing import store_passages
from recollect.store.change import Change
from recollect.store.erase import erase_body

AT_ONCE = 200


def sweep_bodies(memory: Memory) -> int:
    """Remove every body that is due; how many there were."""
    swept = 0
    while some := _sweep_some(memory):
        swept += some
    return swept


def _sweep_some(memory: Memory) -> int:
    with memory.read() as view:
        if not view.rows("bodies_due", now=view.now, limit=1):
            return 0
    with memory.acting("retention", "sweep").write() as change:
        due = [document for (document,) in change.rows("bodies_due", now=change.now, limit=AT_ONCE)]
        for document in due:
            _sweep(change, DocumentId(document))
    return len(due)


def _sweep(change: Change, document: DocumentId) -> None:
    """The document is found by its title and summary from now on."""
    erase_body(change, document)
    change.connection.run("body_due_drop", {"ws": change.ws, "document": document})
    held = change.document(document)
    if held is not None and not held.deleted:
        summary = held.properties.get(SUMMARY)
        store_passages(change, document, held.title, summary if isinstance(summary, str) else None)
