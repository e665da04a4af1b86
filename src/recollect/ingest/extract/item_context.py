"""What items that only point at a thing are about: the sentence before them in the same text, or its title."""

import re
from collections.abc import Iterable, Sequence

from recollect.ingest.extract.utterances import SpokenText, SpokenTexts
from recollect.reason.closures.closure_terms import POINTING, WEAK_STEMS, stem_of, thing_terms
from recollect.reason.closures.open_items import ItemFact
from recollect.store.view import View

_MOST_NAMED = 1
"""Words for things that an item may have beside a pronoun and still be about what was said before."""
_ORDERED = re.compile(
    r"\b(?:please|pls|plz|kindly|(?:can|could|will|would) (?:you|u)|(?:i|we)['’]?ll)\s+(?P<verb>[a-z]+)\b",
    re.IGNORECASE,
)
"""A deed that is asked for or promised: *please apply by Friday*."""
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
    if len(named) > _MOST_NAMED:
        return False
    ordered = _ORDERED.search(item.own_text)
    is_deed = ordered is not None and named == {stem_of(ordered["verb"].casefold())}
    return not named or is_deed or POINTING.search(item.own_text) is not None


def _before(texts: Sequence[SpokenText], quote: str) -> str:
    """The end of what was said right before a quote, or, of *it* and *one*, the title, if it names a thing."""
    words = " ".join(quote.split())
    found = next((each for each in texts if words in each.text or each.text in words), None)
    if found is None:
        return ""
    told = (found.before, found.subject if POINTING.search(quote) else "")
    return next((each for each in told if thing_terms(each) - WEAK_STEMS), "")
