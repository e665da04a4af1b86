"""Recall of one thing by its id: a fact, or the passages of a document."""

from recollect.memory import Memory
from recollect.model.ids import DocumentId, FactId
from recollect.search.recall_results import Recalled, RecalledFact, RecalledPassage, kind_of
from recollect.search.recall_states import PastFacts, mark_passages, past_among
from recollect.search.stated_facts import hidden_facts
from recollect.store.passage_filter import PassageFilter
from recollect.store.passage_index import StoredPassageIndex
from recollect.store.view import View
from recollect.when.span import Span

MOST_PASSAGES = 200


def recall_fact(view: View, fact: FactId, at: Span, past_facts: PastFacts) -> list[Recalled]:
    """The fact of an id, unless it was retracted or hidden."""
    rows = [row for row in view.fact_rows([fact]) if not row.fact.is_retracted]
    if not rows or hidden_facts(view, {fact}):
        return []
    past = past_among([row.fact for row in rows], at, past_facts)
    return [RecalledFact(row, 1.0, is_named=True, is_past=row.fact.id in past) for row in rows]


def recall_document(
    memory: Memory, view: View, document: DocumentId, seq: int | None, at: Span, past_facts: PastFacts
) -> list[Recalled]:
    """The first passages of a document, or the one that is meant."""
    index = StoredPassageIndex(view, memory.cache.vectors)
    numbers = index.chunk_numbers({document}, MOST_PASSAGES if seq is None else seq + 1)
    rows = sorted(index.chunks(numbers, PassageFilter()).values(), key=lambda row: row.seq)
    found = [RecalledPassage(row, kind_of(row), 1.0, is_named=True) for row in rows if seq in (None, row.seq)]
    return [*mark_passages(view, found, at, past_facts)]
