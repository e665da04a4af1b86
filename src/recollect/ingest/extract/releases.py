"""Sentences that release somebody from an item: *please don't order the chairs*, *no tents needed*.

They close what they name word for word, whatever the matcher makes of them: an order not to do something looks to it
like another order.
"""

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from recollect.reason.closures.closure_participants import name_words
from recollect.reason.closures.closure_terms import CONTACT_STEMS, NOT_YET, WEAK_STEMS, head_terms, stem_of, thing_terms
from recollect.reason.closures.open_item_index import shared_terms, terms_of
from recollect.reason.closures.open_items import ItemFact, is_partially_completed, owner_of
from recollect.text.tokens import bare_terms

RULE = "release"
_DEED_NEGATED = re.compile(
    r"(?:please |pls )?(?:don['’]?t|do not)\b(?! (?:bother|need|have))|\S+ (?:don['’]?t|doesn['’]?t|do not|does not"
    r"|won['’]?t) (?:need|have) to\b|no need to\b|needn['’]?t\b",
    re.IGNORECASE,
)
_RELEASE = re.compile(
    r"\b(?:(?:please |pls )?(?:don['’]?t|do not)(?= \w)(?! (?:forget|bother|worry|hesitate|be|know|think|have|want|like"
    r"|see|mind|get|believe|miss|you|u|we|i|they|remember|understand|care|expect|agree)\b)"
    r"|(?:you|u|we|i|he|she|they|\w+) (?:don['’]?t|doesn['’]?t|do not|does not|won['’]?t) (?:need|have) to"
    r"|no need (?:to|for)|needn['’]?t|(?:don['’]?t|won['’]?t|not|no need to) bother(?: with| to)?"
    r"|(?:never ?mind|forget) (?:about )?(?:the|that|those|my|our|your)|no (?:more|longer) need(?:s|ed)?(?: for| to)?"
    r"|(?:so|then|therefore|means) no)\s+(?P<what>[^,.;:!?()–—]+)",
    re.IGNORECASE,
)
_NOT_NEEDED = re.compile(
    r"(?:^|[,.;:!(–—-]\s*)(?:(?:so|and|but|then) )?(?:no (?P<none>[^,.;:!?()–—]{2,60}?)"
    r"|(?P<what>(?:the |our |your |my |a )?[^,.;:!?()–—]{2,60}?) (?:(?:is|are)(?: not|n['’]?t)|not|no longer"
    r"|(?:is|are) no longer)) (?:needed|required|necessary|wanted)\b",
    re.IGNORECASE,
)
_FRONTED = re.compile(
    r"(?:^|[.;!]\s*)(?:(?:so|and|but|then|ok|okay|oh),? )?"
    r"(?P<what>(?:the|that|those|these|my|your|our) [^,.;:!?()–—]{2,40}?)"
    r" (?:i|we|you|u) (?:(?:don['’]?t|won['’]?t|no longer|do not|will not) need|(?:can|may) forget(?: about)?)\b"
    r"(?=\s*(?:any ?more|now|after all|then)?\s*(?:$|[,.;:!(–—-]|because|since|as\b))",
    re.IGNORECASE,
)
"""The thing ahead of who does not need it: *the headsets I don't need any more*."""
_EXEMPT = re.compile(
    r"\b(?P<who>[^\W\d_]+) (?:don['’]?t|doesn['’]?t|do not|does not|won['’]?t) (?:have|need) to"
    r"(?: do (?:it|that|this|them|so))?(?: any ?more| now| after all| then)?(?=\W*$|[,.;!)])",
    re.IGNORECASE,
)
"""Words by which somebody need not do what the rest of the sentence names: *the landlord does the tags, Niko doesn't
have to*."""
_REASON = re.compile(r"\b(?:because|since|as|until|till?|before|unless|so|but|yet|on|by|for)\b.*", re.IGNORECASE)
_ANYMORE = re.compile(
    r"\b(?:anything|anyone|again|too|before|until|till?|yet|more than|without|this time|today)\b", re.IGNORECASE
)


_SPEAKERS = frozenset("i we you u".split())
_ANY_VERB = frozenset(map(stem_of, "bother do get bring make send buy come take".split()))
"""Verbs of releases that stand for any other."""


class _Release(NamedTuple):
    """What a phrase names that is not to be done, and the verb, if it has one: *don't use the old cards*."""

    terms: frozenset[str]
    verb: str | None = None
    meeting: frozenset[str] = frozenset()
    """The head of the phrase, if it is what one has with somebody: *talk* of *no herb talk*."""


def released_items(sentence: str, items: Iterable[ItemFact]) -> list[ItemFact]:
    """The items that a sentence releases from: those with all words for things of what it says is not to be done."""
    if sentence.rstrip().endswith("?") or NOT_YET.search(sentence):
        return []
    wanted = [each for each in _releases_in(sentence) if each.terms]
    return [
        item
        for item in items
        if any(_is_released(item, sentence, each) for each in wanted) or _is_exempt(item, sentence)
    ]


def _releases_in(sentence: str) -> Iterator[_Release]:
    for found in _RELEASE.finditer(sentence):
        verb = found["what"].split()[0].casefold() if _DEED_NEGATED.match(found[0]) else None
        yield _release_of(found["what"], verb)
    for found in _NOT_NEEDED.finditer(sentence):
        yield _release_of(found["none"] or found["what"])
    for found in _FRONTED.finditer(sentence):
        yield _release_of(found["what"])


def _release_of(phrase: str, verb: str | None = None) -> _Release:
    is_bounded = _ANYMORE.search(phrase) is not None
    head = bare_terms(_REASON.sub("", phrase))[-1:] if verb is None else []
    return _Release(
        frozenset() if is_bounded else _things(phrase),
        None if verb is None else stem_of(verb),
        frozenset(map(stem_of, head)) & CONTACT_STEMS,
    )


def _is_released(item: ItemFact, sentence: str, release: _Release) -> bool:
    own = {stem_of(word) for word in bare_terms(item.own_text)}
    if not release.meeting <= own:
        return False
    return (release.verb is None or release.verb in own | _ANY_VERB) and _is_named(item, sentence, release.terms)


def _is_exempt(item: ItemFact, sentence: str) -> bool:
    """Whether a sentence about the thing of an item says that its owner need not do it."""
    found, owner = _EXEMPT.search(sentence), owner_of(item)
    if found is None or item.kind not in ("commitment", "request"):
        return False
    who = found["who"].casefold()
    is_owner = who in _SPEAKERS or (owner is not None and who in name_words(owner.name))
    names = {term for name in item.names for term in thing_terms(name)}
    shared = set(shared_terms(item, thing_terms(sentence))) - WEAK_STEMS - names
    return is_owner and bool(shared & head_terms(item.own_text))


def _things(phrase: str) -> frozenset[str]:
    return thing_terms(_REASON.sub("", phrase)) - WEAK_STEMS


def _is_named(item: ItemFact, sentence: str, terms: frozenset[str]) -> bool:
    """Whether an item is about all that is named, and no other part of it is left."""
    if item.kind not in ("commitment", "request") or is_partially_completed(item, thing_terms(sentence)):
        return False
    return set(shared_terms(item, terms).values()) == terms and bool(terms_of(item) - WEAK_STEMS)
