"""What items that only point at a thing are about: the sentence before them in the same text, or its title."""

from collections.abc import Iterable, Sequence

from recollect.ingest.extract.utterances import SpokenText, SpokenTexts
from recollect.reason.closures.closure_terms import POINTING, WEAK_STEMS, deed_stems, thing_terms
from recollect.reason.closures.open_items import ItemFact
from recollect.store.view import View

_MOST_NAMED = 1
"""Words for things that an item may have beside a pronoun and still be about what was said before."""
_MOST_ITEMS = 500
"""The newest items that are read again with what stands before them."""


def with_context(view: View, items: Iterable[ItemFact]) -> list[ItemFact]:
    """The items; those that point at a thing have the sentence before them as their context."""
    found = list(items)
    pointing = sorted((each for each in found if _points(each)), key=lambda each: each.latest)[-_MOST_ITEMS:]
    said = view.assertions_of([each.id for each in pointing]) if pointing else {}
    documents = view.documents({each.document for told in said.values() for each in told if each.document})
    texts = SpokenTexts(view)
    read = {key: texts.of(document) for key, document in documents.items()}
    before = {
        fact: context
        for fact, told in said.items()
        for each in told
        if each.document in read and each.quote and (context := _before(read[each.document], each.quote))
    }
    return [each._replace(context=before[each.id]) if each.id in before else each for each in found]


def _points(item: ItemFact) -> bool:
    """Whether an item names no thing beside people, only a deed, or little beside a pronoun."""
    named = thing_terms(item.own_text) - WEAK_STEMS - {term for name in item.names for term in thing_terms(name)}
    is_little = len(named) <= _MOST_NAMED and POINTING.search(item.own_text) is not None
    return is_little or not named - deed_stems()


def _before(texts: Sequence[SpokenText], quote: str) -> str:
    """The end of what was said right before a quote, else the title, if it names a thing."""
    words = " ".join(quote.split())
    found = next((each for each in texts if words in each.text or each.text in words), None)
    told = (found.before, found.subject) if found is not None else ()
    return next((each for each in told if thing_terms(each) - WEAK_STEMS), "")
