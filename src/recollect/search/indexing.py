"""Making a document findable: its passages, their words, their meaning."""

from recollect.embed.port import Embedder
from recollect.memory import Memory
from recollect.model.document import content_hash
from recollect.model.ids import DocumentId
from recollect.search.chunk import passages
from recollect.store.change import Change
from recollect.store.index import codes_wait, index_codes, index_meanings, index_words


def store_passages(change: Change, document: DocumentId, title: str | None, text: str | None) -> None:
    """Cut a document into passages and store them; their words are indexed with the call below."""
    for seq, (start, stop, passage) in enumerate(passages(title, text)):
        change.add_chunk(document, seq, start, stop, content_hash(passage), passage)


def index_everything(change: Change, embedder: Embedder | None) -> None:
    """Bring both indexes up to the last passage."""
    index_words(change)
    while embedder is not None and index_meanings(change, embedder):
        pass


def build_codes(memory: Memory) -> bool:
    """Let a large store's vectors be found without comparing with all; whether a step was taken and more may wait."""
    embedder = memory.embedder
    if embedder is None:
        return False
    with memory.read() as view:
        if not codes_wait(view, embedder):
            return False
    with memory.write() as change:
        return index_codes(change, embedder)
