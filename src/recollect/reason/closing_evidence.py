"""How much speaks for an item being over, when somebody says a sentence: the matcher, words, people, thread and time.

The matcher alone knows that something is reported, but often not of what; and who has much to do writes much. So its
probability is one of several things that are weighed. The weights are those of a logistic regression over the
labelled sets in `evals/reading`, each set measured with weights from the others (`evals/README.md`).
"""

from collections.abc import Set as AbstractSet
from math import log

from recollect.reason.answer_index import own_text, shared_terms
from recollect.reason.answer_parties import name_words
from recollect.reason.answer_words import WEAK_STEMS, head_terms, thing_terms
from recollect.reason.closure_candidates import SaidText, role_of
from recollect.reason.open_items import ItemFact
from recollect.text.tokens import bare_terms

ENOUGH = 0.5
"""From so much evidence on an item is closed: of those left by rules, nine in ten were rightly so."""
NONE = -9.0
_NEEDED = (0.46, 0.25, 0.1)
"""The probability below which nothing else counts: with no thing, one thing and more things in common.

Who asked for a thing speaks of it anyway: what they say counts as if it had nothing in common.
"""
_SURE = 0.58
"""From this probability on the matcher's word is enough."""
_BASE = -0.25
_MATCHER = 0.55
_SHARED, _SHARED_TWICE = 2.1, 0.9
_THREAD = 0.8
_NAMED = 0.25
_BY_DOER = -1.2
_TO_PARTY = 0.5
_AROUND_DUE = 0.95
_LEAST, _MOST = 0.005, 0.995
_TWO_DAYS = 2 * 86_400_000_000


def closing_evidence(
    item: ItemFact, said: SaidText, sentence: str, closing: float, names: AbstractSet[str] = frozenset()
) -> float:
    """The evidence that a sentence gives, with the matcher's probability for the text that it stands in."""
    likely = min(max(closing, _LEAST), _MOST)
    pairs = shared_terms(item, thing_terms(sentence))
    things = pairs.keys() - WEAK_STEMS - names
    is_thing = bool(things & head_terms(own_text(item)) or {pairs[each] for each in things} & head_terms(sentence))
    shared = min(len(things), 2) if is_thing else 0
    role = role_of(item, said.author)
    is_asked_again = item.kind == "request" and role == "asker"
    if closing < _NEEDED[0 if is_asked_again else shared]:
        return NONE
    words = set(bare_terms(sentence))
    is_named = bool(pairs.keys() & names) or any(words & name_words(name) for name in item.names)
    weighed = _BASE + _MATCHER * log(likely / (1 - likely))
    weighed += _SHARED * (shared > 0) + _SHARED_TWICE * (shared > 1)
    weighed += _THREAD * (not said.threads.isdisjoint(item.threads)) + _NAMED * is_named
    weighed += _BY_DOER * (role == "owner") + _TO_PARTY * bool(said.addressees & item.ends)
    weighed += _AROUND_DUE * (item.due is not None and said.at > item.due - _TWO_DAYS)
    return weighed if closing < _SURE else max(weighed, ENOUGH)
