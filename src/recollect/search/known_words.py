"""Whether a workspace speaks of a word at all, as far as a view sees."""

from recollect.model.names import fold, tokens
from recollect.search.content_words import index_forms
from recollect.store.fact_index import FactIndex
from recollect.store.passage_filter import PassageFilter
from recollect.store.passage_index import StoredPassageIndex
from recollect.store.search_queries import names_with_tokens
from recollect.store.text_index import TermAlternatives
from recollect.store.view import View

MANY = 50
"""So many facts with a word in any version are not looked at one by one."""


def is_word_known(view: View, word: str) -> bool:
    """Whether any fact, passage, author or name holds a word, or a part of it."""
    if any(names_with_tokens(view, tokens(fold(word)), 1)) or StoredPassageIndex(view).authors_called(word):
        return True
    return any(_is_in_facts(view, ways) or _is_in_passages(view, ways) for ways in index_forms(word).values())


def _is_in_facts(view: View, ways: TermAlternatives) -> bool:
    # The index holds what was taken back, too.
    index = FactIndex(view)
    found = (
        [*index.containing_all([ways], MANY), *index.unindexed_containing(ways)]
        if index.document_frequency(ways)
        else []
    )
    return len(found) >= MANY or any(not row.fact.is_retracted for row in view.fact_rows(found))


def _is_in_passages(view: View, ways: TermAlternatives) -> bool:
    index = StoredPassageIndex(view)
    return bool(index.document_frequency(ways) and index.containing_all([ways], PassageFilter(), 1))
