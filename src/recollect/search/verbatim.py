"""Sentences that occur word for word in a document, even across the borders of its passages."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from itertools import pairwise

from recollect.model.document import Document, passage_body
from recollect.model.ids import DocumentId
from recollect.search.passage_index import PassageIndex
from recollect.search.question import question_terms
from recollect.store.passage_filter import PassageFilter, PassageRow
from recollect.store.view import View
from recollect.text.sentences import split_sentences
from recollect.text.verbatim import Occurrence, normalize_for_match, occurrences

CANDIDATES = 200
"""So many passages with the words of a sentence, or of one half of it, are looked through."""
SHORTEST_PASSAGE = 400
"""Passages inside a document are hardly shorter, so a sentence is cut at most once per this many characters."""


@dataclass(frozen=True, slots=True)
class Quotation:
    """A sentence as a document has it, the passage in which it begins, and whether it is a whole sentence there."""

    chunk: PassageRow
    quote: str
    is_whole: bool


def quotations(view: View, index: PassageIndex, sentence: str) -> list[Quotation]:
    """Where the sentence stands in documents, once for each document, whole sentences first."""
    candidates = _candidates(index, sentence)
    documents = view.documents({chunk.document for chunk in candidates})
    found = [_in_document(view, index, document, sentence) for document in documents.values() if not document.deleted]
    return sorted((each for each in found if each is not None), key=lambda each: (not each.is_whole, each.chunk.number))


def _candidates(index: PassageIndex, sentence: str) -> list[PassageRow]:
    """Passages that hold a piece of the sentence word for word."""
    found: dict[int, PassageRow] = {}
    for piece in _pieces(sentence):
        target = normalize_for_match(piece).text.strip(" .!?…")
        passages = _passages_with_terms(index, question_terms(piece))
        found |= {
            number: chunk
            for number, chunk in passages.items()
            if target in normalize_for_match(passage_body(chunk)).text
        }
    return list(found.values())


def _passages_with_terms(index: PassageIndex, terms: Collection[str]) -> dict[int, PassageRow]:
    numbers = index.containing_all([[[term]] for term in terms], PassageFilter(), CANDIDATES) if terms else []
    return index.chunks(numbers, PassageFilter())


def documents_saying(index: PassageIndex, sentence: str) -> set[DocumentId]:
    """The documents with a sentence that has every content word of this one; none for a single word."""
    terms = frozenset(question_terms(sentence))
    passages = _passages_with_terms(index, terms) if len(terms) > 1 else {}
    return {
        chunk.document
        for chunk in passages.values()
        if any(terms <= frozenset(question_terms(each)) for each in split_sentences(passage_body(chunk)))
    }


def _pieces(sentence: str) -> list[str]:
    """The sentence in pieces, one more than it can have been cut: one of them is whole in some passage."""
    words = sentence.split()
    count = min(len(words), 2 + len(sentence) // SHORTEST_PASSAGE)
    cuts = [round(at * len(words) / count) for at in range(count + 1)] if words else []
    return list(dict.fromkeys(" ".join(words[start:stop]) for start, stop in pairwise(cuts)))


def _in_document(view: View, index: PassageIndex, document: Document, sentence: str) -> Quotation | None:
    text = view.text_of(document) or ""
    found = sorted(occurrences(sentence, text), key=lambda each: (not each.is_whole, each.start))
    for each in found:
        for chunk in _passages_at(view, index, document, each):
            return Quotation(chunk, text[each.start : each.stop], each.is_whole)
    return None


def _passages_at(view: View, index: PassageIndex, document: Document, found: Occurrence) -> Iterator[PassageRow]:
    """The passage that has the whole sentence, else the one in which it begins."""
    chunks = view.chunks(document.id)
    whole = [each.number for each in chunks if each.start <= found.start and found.stop <= each.stop]
    begun = [each.number for each in chunks if each.start <= found.start < each.stop]
    passages = index.chunks([*whole[:1], *begun[:1]], PassageFilter())
    yield from (passages[number] for number in (*whole[:1], *begun[:1]) if number in passages)
