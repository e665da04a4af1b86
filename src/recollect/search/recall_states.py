"""Past facts among those recalled: what is past, what replaced it, which passages are outdated or hidden."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace

from recollect.memory import Memory
from recollect.model.fact import Fact
from recollect.model.history import begins_after, is_current
from recollect.model.ids import DocumentId, EntityId, FactId
from recollect.search.hidden_sentences import hidden_facts, hidden_text, states_end
from recollect.search.recall_results import Recalled, RecalledFact, RecalledPassage, kind_of, lower_outdated
from recollect.store.fact_queries import facts_stated_in
from recollect.store.passage_filter import PassageFilter
from recollect.store.passage_index import StoredPassageIndex
from recollect.store.view import View
from recollect.when.span import Span
from recollect.write.predicates import is_single_valued

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


MAX_ATTRIBUTES = 10
"""For so many attributes of the best results the facts that followed are looked up."""
MAX_VALUES = 200
MAX_SUCCESSORS = 3


def add_replacements(view: View, facts: Sequence[RecalledFact], at: Span) -> list[RecalledFact]:
    """The facts, and those that hold in place of past ones, with the score of the best that they follow."""
    found_ids = {each.row.fact.id for each in facts}
    added: dict[FactId, RecalledFact] = {}
    for past in _past_by_attribute(facts, at)[:MAX_ATTRIBUTES]:
        found = replacements(view, [each.row.fact for each in past], at)
        best = max(past, key=lambda each: each.score)
        for row in view.fact_rows({fact.id for fact in found} - found_ids):
            added[row.fact.id] = replace(best, row=row, is_past=False)
    return [*facts, *added.values()]


def _past_by_attribute(facts: Sequence[RecalledFact], at: Span) -> list[list[RecalledFact]]:
    groups: dict[tuple[EntityId, str], list[RecalledFact]] = {}
    for each in facts:
        fact = each.row.fact
        if each.is_past and fact.label == "AFFILIATED" and not begins_after(fact, at):
            groups.setdefault((fact.subject, fact.predicate), []).append(each)
    return list(groups.values())


def replacements(view: View, past: Sequence[Fact], at: Span) -> list[Fact]:
    """The facts of the attribute of some past ones that hold at a time in their place, the newest source first.

    All of an attribute with one value at a time; of others those that a chain of replacements leads to.
    """
    subject, predicate = past[0].subject, past[0].predicate
    values = view.facts_of_subject(subject, predicate, MAX_VALUES)
    current = [fact for fact in values if is_current(fact, at) and not begins_after(fact, at)]
    if not is_single_valued(view, predicate):
        following = _following(past, values)
        current = [fact for fact in current if fact.id in following]
    return sorted(current, key=lambda fact: -fact.source_at)[:MAX_SUCCESSORS]


def _following(past: Sequence[Fact], values: Sequence[Fact]) -> Collection[FactId]:
    """The facts that replaced past ones, those that replaced these, and so on."""
    found: dict[FactId, None] = {}
    waiting = list(past)
    while waiting:
        former = waiting.pop()
        for fact in values:
            if fact.id not in found and _replaces(fact, former):
                found[fact.id] = None
                waiting.append(fact)
    return found.keys()


def _replaces(fact: Fact, former: Fact) -> bool:
    """Whether a fact begins where another ended, as a stated replacement does."""
    start, end = fact.valid_from, former.valid_until
    follows = start is not None and end is not None and end.hi == start.lo - 1
    return follows or former.replaced_by == fact.id
