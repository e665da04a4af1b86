"""What is past among recalled facts, which passages are outdated or hidden, and recall of one thing by its id."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace

from recollect.memory import Memory
from recollect.model.fact import Fact
from recollect.model.history import begins_after, is_current
from recollect.model.ids import DocumentId, FactId
from recollect.search.hidden_sentences import hidden_facts, hidden_text, states_end
from recollect.search.recall_results import Recalled, RecalledFact, RecalledPassage, kind_of, lower_outdated
from recollect.store.passage_filter import PassageFilter
from recollect.store.passage_index import StoredPassageIndex
from recollect.store.search_queries import facts_stated_in
from recollect.store.view import View
from recollect.when.span import Span

PastFacts = Callable[[Sequence[Fact]], Collection[FactId]]
"""Those of some facts that are over although their bounds do not say so, such as items that were closed."""


def past_among(facts: Sequence[Fact], at: Span, past_facts: PastFacts) -> set[FactId]:
    over = {fact.id for fact in facts if not is_current(fact, at) or begins_after(fact, at)}
    return over | set(past_facts([fact for fact in facts if fact.id not in over]))


def mark_passages(
    view: View, passages: Sequence[RecalledPassage], at: Span, past_facts: PastFacts
) -> list[RecalledPassage]:
    """The passages without what is hidden of them; those of which no fact still stands are outdated."""
    documents = {each.chunk.document for each in passages}
    stated = facts_stated_in(view, documents)
    rows = [row.fact for row in view.fact_rows({fact for each in stated.values() for fact in each})]
    coming = {fact.id for fact in rows if begins_after(fact, at) and not fact.stale}
    standing = ({fact.id for fact in rows} - past_among(rows, at, past_facts)) | coming
    hidden = hidden_text(view, documents, stated)
    shown = [each for each in passages if each.chunk.document not in hidden.documents]
    if hidden.words:
        redacted = (replace(each, hidden=hidden.words.get(each.chunk.document, ())) for each in shown)
        shown = [each for each in redacted if each.body]
    by_id = {fact.id: fact for fact in rows}
    outdated = {
        document
        for document, told in stated.items()
        if standing.isdisjoint(told) and not states_end(view, document, by_id)
    }
    return [lower_outdated(each) if each.chunk.document in outdated else each for each in shown]


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
