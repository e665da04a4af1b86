"""A search that reads every memory: for moments that the index does not know."""

from collections.abc import Collection, Mapping

from recollect.keep.artifacts.versions import documents_of, texts_of
from recollect.keep.memories.entry import KIND, draft_of, is_memory
from recollect.keep.memories.found import Found, best_first
from recollect.keep.memories.query import Asked, Signals, affinity, rarity, recency
from recollect.keep.memories.words import findable, is_found
from recollect.model.ids import DocumentId, EntityId
from recollect.store.index import StoredIndex
from recollect.store.view import View


def scan(view: View, index: StoredIndex, asked: Asked) -> list[Found]:
    """The memories known then, best first by the formula."""
    documents = [each for each in documents_of(view, KIND) if is_memory(each) and not each.deleted]
    words = {id_: findable(text) for id_, text in texts_of(view, documents).items()}
    holding = {term: {id_ for id_, held in words.items() if is_found(term, held)} for term in asked.question.terms}
    weights = {term: rarity(len(held), len(documents)) for term, held in holding.items()}
    naming = [(_naming(view, [entity]), _naming(view, near)) for entity, near in asked.question.entities.items()]
    wanted = [each for each in documents if asked.where.admits(draft_of(each))]
    cosines = _cosines(view, index, asked, [each.id for each in wanted])
    found = []
    for document in wanted:
        draft, id_ = draft_of(document), document.id
        first, last = draft.period.days
        signals = Signals(
            vector=max(0.0, cosines.get(id_, 0.0)),
            keyword=sum(weights[term] for term in weights if id_ in holding[term]) / (sum(weights.values()) or 1),
            recency=recency(max(0, asked.today - last)),
            graph=sum(1 if id_ in own else 0.5 * (id_ in near) for own, near in naming) / (len(naming) or 1),
            instance=affinity(asked.instance, draft.instance, draft.participants),
            time=float(any(low <= last and first <= high for low, high in asked.question.periods)),
        )
        found.append(Found(id_, document.key, last, signals, id_ in cosines))
    return best_first(found, asked)


def _naming(view: View, entities: Collection[EntityId]) -> set[DocumentId]:
    return {row[0] for row in view.rows("documents_naming", entities=sorted(entities))} if entities else set()


def _cosines(
    view: View, index: StoredIndex, asked: Asked, documents: Collection[DocumentId]
) -> Mapping[DocumentId, float]:
    """By memory the cosine of its best passage, where it has any vector."""
    if asked.vector is None or asked.vector.model is None or not documents:
        return {}
    owners = {row[0]: row[1] for row in view.rows("chunks_of_documents", documents=sorted(documents))}
    best: dict[DocumentId, float] = {}
    for number, cosine in index.cosines(asked.vector.vector, asked.vector.model, owners.keys()).items():
        owner = owners[number]
        best[owner] = max(best.get(owner, -1.0), cosine)
    return best
