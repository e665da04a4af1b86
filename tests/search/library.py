"""A small library to search in, the same on every engine."""

from datetime import UTC
from typing import NamedTuple

from recollect.embed.port import Embedder
from recollect.memory import Memory
from recollect.model.document import Document, DocumentKind, content_hash
from recollect.model.ids import DocumentId
from recollect.search.chunking import index_all_passages, store_passages
from recollect.search.passage_search import SearchRequest, search_passages
from recollect.search.ranking import PassageResults
from recollect.store.passage_filter import PassageFilter
from recollect.store.passage_index import StoredPassageIndex
from recollect.when.instant import read_instant


class Book(NamedTuple):
    key: str
    text: str
    title: str | None = None
    author: str | None = None
    at: str = "2026-05-01T10:00:00Z"
    kind: DocumentKind = "record"
    type: str = "note"


BOOKS = (
    Book("hello", "Hey Mel, how have you been?", author="Caroline", at="2023-05-08T13:56:00Z"),
    Book(
        "group", "I went to a support group yesterday, it was powerful.", author="Caroline", at="2023-05-08T13:56:00Z"
    ),
    Book("swamped", "I am swamped with the kids and work.", author="Melanie", at="2023-05-08T13:56:00Z"),
    Book("race", "I ran a charity race for mental health.", author="Melanie", at="2023-05-25T13:14:00Z"),
    Book("queen", "She was a queen of Lotharingia by marriage.", title="Teutberga", type="article"),
    Book("bridge", "The bridge costs 40 million and opens in June.", title="Bridge plan", kind="memory", type="memory"),
)


def shelve(memory: Memory, embedder: Embedder | None, books: tuple[Book, ...] = BOOKS) -> dict[str, DocumentId]:
    """Take the books in, one call, and make them findable."""
    ids: dict[str, DocumentId] = {}
    with memory.write() as change:
        for book in books:
            ids[book.key] = DocumentId(change.new_id())
            at = read_instant(book.at, UTC)
            kept = (book.kind, book.type, book.key, book.title, book.author, None, at, content_hash(book.text))
            change.put_document(Document(ids[book.key], 0, *kept, {}, None))
            store_passages(change, ids[book.key], book.title, book.text)
        index_all_passages(change, embedder)
    return ids


def ask(
    memory: Memory, text: str, embedder: Embedder | None, where: PassageFilter | None = None, as_of: int | None = None
) -> PassageResults:
    with memory.read(as_of) as view:
        return search_passages(
            StoredPassageIndex(view), SearchRequest(text, view.now, where=where or PassageFilter()), embedder
        )


def keys(found: PassageResults) -> list[str]:
    return [hit.chunk.key for hit in found.hits]
