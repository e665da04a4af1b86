"""What is past among recalled facts, and which passages are outdated or hidden."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace

from recollect.model.fact import Fact
from recollect.model.history import begins_after, is_current
from recollect.model.ids import FactId
from recollect.search.recall_results import RecalledPassage, lower_outdated
from recollect.search.stated_facts import hidden_text, tells_end
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
        if standing.isdisjoint(told) and not tells_end(view, document, by_id)
    }
    return [lower_outdated(each) if each.chunk.document in outdated else each for each in shown]
