"""The signals of every memory of an earlier state, read from the texts."""

from collections.abc import Collection, Iterable, Iterator, Mapping

from recollect.keep.documents import documents_of, texts_of
from recollect.keep.memory_index.listing import MemoryFilter
from recollect.keep.memory_index.query import (
    MemoryMatch,
    MemoryQuery,
    RelevanceSignals,
    instance_affinity,
    inverse_document_frequency,
    rank_matches,
    recency,
)
from recollect.keep.memory_index.stored_memory import MEMORY_KIND, draft_of, is_memory
from recollect.keep.memory_index.tokenizer import index_tokens, matches_term
from recollect.model.ids import DocumentId
from recollect.store.memory_queries import passages_of_documents
from recollect.store.passage_index import StoredPassageIndex
from recollect.store.search_queries import documents_naming
from recollect.store.view import View


class MemoryScan:
    """Scores every memory that was known then: for earlier states, which the index does not have."""

    def __init__(self, view: View, index: StoredPassageIndex, asked: MemoryQuery) -> None:
        self._asked = asked
        self._found = {each.document: each for each in _scan_memories(view, index, asked)}

    def best(self) -> list[MemoryMatch]:
        return rank_matches(self._found.values(), self._asked)

    def score(self, documents: Iterable[DocumentId]) -> list[MemoryMatch]:
        return [self._found[each] for each in documents if each in self._found]

    def allowed_documents(self) -> Collection[DocumentId] | None:
        return None if self._asked.where == MemoryFilter() else self._found.keys()


def _scan_memories(view: View, index: StoredPassageIndex, asked: MemoryQuery) -> Iterator[MemoryMatch]:
    documents = [each for each in documents_of(view, MEMORY_KIND) if is_memory(each) and not each.deleted]
    words = {id_: index_tokens(text) for id_, text in texts_of(view, documents).items()}
    holding = {term: {id_ for id_, held in words.items() if matches_term(term, held)} for term in asked.terms.terms}
    weights = {term: inverse_document_frequency(len(held), len(documents)) for term, held in holding.items()}
    naming = [
        (documents_naming(view, [entity]), documents_naming(view, near))
        for entity, near in asked.terms.entities.items()
    ]
    wanted = [each for each in documents if asked.where.admits(draft_of(each))]
    cosines = _document_cosines(view, index, asked, [each.id for each in wanted])
    for document in wanted:
        draft, id_ = draft_of(document), document.id
        first, last = draft.period.days
        signals = RelevanceSignals(
            vector=max(0.0, cosines.get(id_, 0.0)),
            keyword=sum(weights[term] for term in weights if id_ in holding[term]) / (sum(weights.values()) or 1),
            recency=recency(max(0, asked.today - last)),
            graph=sum(1 if id_ in own else 0.5 * (id_ in near) for own, near in naming) / (len(naming) or 1),
            instance=instance_affinity(asked.instance, draft.instance, draft.participants),
            time=float(any(low <= last and first <= high for low, high in asked.terms.periods)),
        )
        yield MemoryMatch(id_, document.key, last, signals, id_ in cosines)


def _document_cosines(
    view: View, index: StoredPassageIndex, asked: MemoryQuery, documents: Collection[DocumentId]
) -> Mapping[DocumentId, float]:
    """By memory the cosine of its best passage, where it has any vector."""
    if asked.vector is None or asked.vector.model is None or not documents:
        return {}
    owners = passages_of_documents(view, documents)
    best: dict[DocumentId, float] = {}
    for number, cosine in index.cosines(asked.vector.vector, asked.vector.model, owners.keys()).items():
        owner = owners[number]
        best[owner] = max(best.get(owner, -1.0), cosine)
    return best
