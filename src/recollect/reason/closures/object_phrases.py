"""The thing that an English promise or report names: *invoice* of *pay the Lumen invoice*, with what tells it apart.

Sentences of other shapes give nothing, so that only what is plainly another thing is taken for one.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, lru_cache
from itertools import takewhile
from typing import NamedTuple

from recollect.reading.english_verbs import action_verbs, past_forms
from recollect.reading.language_table import names_of_days_and_months
from recollect.reason.closures.closure_terms import have_similar_stems, stem_of
from recollect.reason.closures.completion_terms import TERM_CACHE_SIZE
from recollect.text.lexicon import DETERMINERS
from recollect.text.patterns import lazy_pattern
from recollect.text.stop_words import SEARCH_STOP_WORDS

_WORD = re.compile(r"[^\W_]+(?:['’.-][^\W_]+)*|[,;:()–—]")
_GENITIVE = re.compile(r"['’]s?$")
_PROMISE = lazy_pattern(
    r"\W*(?:(?:hi|hello|ok|okay|yes|and|also|so|then|sorry|sure)\b[\s,]*(?:[A-Z]\w+,\s*)?)*"
    r"(?:(?:i|we)(?:['’]ll| will| shall|['’](?:m|re) going to| (?:am|are) going to| have to| need to| must| promise to)"
    r"|(?:(?:can|could|would|will) (?:you|u)(?: please| pls)?|please|pls|kindly)"
    r"|(?:[A-Z][\w'’-]+ ){1,2}(?:will|to))\s+(?:also |please |then |just |still )*(?=(?:re)?[a-z])",
    re.IGNORECASE,
)
_BLOCKED = lazy_pattern(
    r".*?\b(?:blocked (?:by|on)|waiting (?:for|on)|held up by|stuck on|depends on)\s+", re.IGNORECASE
)
_REPORT = lazy_pattern(
    r"\W*(?:(?:hi|hello|ok|okay|yes|and|also|so|then|just|fyi|update|good news|finally|today|now|attached|enclosed"
    r"|here)\b(?:['’]s)?[\s,:]*(?:[A-Z]\w+,\s*)?|(?:thanks|thank you|thx)\b[^,;.!]{0,40}[,;.!]\s+)*"
    r"(?:(?:is|are|was)\s+(?=(?:the|my|our|your|a)\b))?",
    re.IGNORECASE,
)
_DELIVERY = lazy_pattern(r"\W*(?:attached|enclosed|here)(?:['’]s| is| are|:)", re.IGNORECASE)
_OWN_REPORT = lazy_pattern(r"(?:i|we)(?:['’]ve| have| had)?\s+(?:just |already |finally |now |also )*", re.IGNORECASE)
_PLACES = frozenset("in at near from on inside outside behind".split())
_COMPLEMENTS = _PLACES | frozenset("for of to about with".split())
_ENDS = _COMPLEMENTS | frozenset(
    "by before after until till into onto over via as than but so because when once if that which who whom re per "
    "under between through during without against since today tonight tomorrow tmrw yesterday now already soon again "
    "then there here yet morning afternoon evening night week next last back away finally too either twice "
    "never".split()
)
_BE = frozenset("is are was were has have had isn't wasn't aren't weren't hasn't haven't went came".split())
_FIRST_OBJECTS = frozenset("you me him her us them u up out off back over down".split())
_VAGUE = frozenset(
    "thing stuff one everything something rest order matter issue problem part lot bit list job work email mail "
    "message call answer reply news date day time first myself itself yes pls please most half ok okay due copy "
    "version file sorry good fine".split()
)

_CONTACTS = ("call ring phone", "write email mail text message", "visit meet", "pay")
_RECORDING = (
    "write photograph film record scan draw sketch measure survey inspect check test count list document type prepare "
    "report note take make review estimate calculate translate collect print copy"
)
_RESULTS = frozenset(
    "picture pictures photo photos photograph photographs film video recording scan scans drawing drawings sketch "
    "measurements report reports write-up minutes notes list lists count counts results figures numbers draft text "
    "document documents quote estimate translation copy copies".split()
)
"""What comes of writing about a thing or of taking a picture of it."""


class Thing(NamedTuple):
    """A thing by its noun, the words before it, its numbers, and what stands behind it by preposition."""

    head: str
    modifiers: frozenset[str]
    numbers: frozenset[str]
    complements: Mapping[str, frozenset[str]]
    verb: str | None


@lru_cache(TERM_CACHE_SIZE)
def promised_thing(text: str) -> Thing | None:
    """What is to be done something to: *hall* of *I will paint the Atlas hall by 18 May*; what a blocker waits for."""
    blocked = _BLOCKED.match(text)
    if blocked is not None:
        return _thing(_words(text[blocked.end() :]), None)
    found = _PROMISE.match(text)
    words = _without_helper(_words(text[found.end() :])) if found is not None else _order(_words(text))
    return _thing(_object(words[1:]), words[0].casefold()) if len(words) > 1 else None


@lru_cache(TERM_CACHE_SIZE)
def reported_thing(text: str) -> Thing | None:
    """What a report tells something of: *chairs* of *the Atlas chairs arrived*, *tenors* of *I emailed the tenors*."""
    lead = _REPORT.match(text)
    rest = text[lead.end() :] if lead is not None else text
    if _DELIVERY.match(text):
        return _thing(_words(rest), None)
    own = _OWN_REPORT.match(rest)
    words = _words(rest[own.end() :] if own is not None else rest)
    if words and is_past_form(words[0]) and (own is not None or words[0][0].isupper() or _is_bare_report(words)):
        return _thing(_object(words[1:]), words[0].casefold())
    return None if own is not None else _subject_thing(words)


def is_other_thing(item: Thing, report: Thing, item_words: frozenset[str], report_words: frozenset[str]) -> bool:
    """Whether a report tells of another thing: of another noun, or of the same noun with another behind it."""
    if _is_one(item.head, report.head):
        return _is_other_contact(item, report) or _differ_behind(item, report, item_words, report_words)
    if _has(item_words, report.head) or _is_result(item, report):
        return False
    beside = {word for prep in _PLACES for word in report.complements.get(prep, ())} | report.modifiers
    ahead = report_words - beside if _has(beside, item.head) else report_words
    is_like = bool(_contents(item_words) & _contents(report_words)) or _is_one(item.verb or "", report.verb or "-")
    return (is_like or item.verb is None) and not _has(ahead, item.head)


def _is_result(item: Thing, report: Thing) -> bool:
    """Whether a report tells of what comes of a deed, or of who was reached: *rudder pictures*, *guild secretary*."""
    verb, named = stem_of(item.verb or ""), {item.head, *item.modifiers}
    is_of_item = any(_has(report.modifiers, word) for word in named)
    is_reached = _contacts().get(verb) in ("call", "visit")
    return is_of_item and (is_reached or (report.head in _RESULTS and verb in _recording_verbs()))


def _is_other_contact(item: Thing, report: Thing) -> bool:
    """Whether somebody was reached in another way than promised: *I emailed Bo* of *call Bo*."""
    ways = [_contacts().get(stem_of(each.verb or "")) for each in (item, report)]
    return None not in ways and ways[0] != ways[1]


@cache
def _contacts() -> dict[str, str]:
    """By verb of reaching somebody, the first of those that are alike."""
    return {stem_of(verb): verbs[0] for verbs in map(str.split, _CONTACTS) for verb in verbs}


def _differ_behind(item: Thing, report: Thing, item_words: frozenset[str], report_words: frozenset[str]) -> bool:
    """*Rent for June* and *for May*, *keys of room 12* and *of room 14*, *budget to the bank* and *to the printer*."""
    if item.numbers and report.numbers and item.numbers.isdisjoint(report.numbers):
        return True
    for prep in item.complements.keys() & report.complements.keys():
        one, other = item.complements[prep], report.complements[prep]
        missing = {word for word in one if not _has(report_words, word)}
        if prep == "day":
            if not one & other:
                return True
        elif missing == one and not any(_has(item_words, word) for word in other):
            return True
        if missing and other < one and "and" in item_words:
            return True  # one of several: *the invitation to the dean* of *to the mayor and to the dean*
        numbers = [{word for word in words if word[0].isdigit()} for words in (one, other)]
        if all(numbers) and not numbers[0] & numbers[1]:
            return True
    return False


def _words(text: str) -> list[str]:
    return [_GENITIVE.sub("", found[0]) if found[0][-1].isalpha() else found[0] for found in _WORD.finditer(text)]


def _order(words: list[str]) -> list[str]:
    """The words of an order; nothing of another sentence, such as *launch of the Heron*."""
    return words if words and words[0].casefold() in action_verbs() and words[1:2] != ["of"] else []


def _without_helper(words: list[str]) -> list[str]:
    """The words behind whom somebody will have do it: *look at the gutter* of *have Mr Kershaw look at the gutter*."""
    if not words or words[0].casefold() not in ("have", "get"):
        return words
    named = list(takewhile(lambda word: word[0].isupper(), words[1:]))
    rest = words[1 + len(named) :]
    rest = rest[1:] if rest[:1] == ["to"] else rest
    return rest if named and rest and rest[0] in action_verbs() else words


def _object(words: Sequence[str]) -> Sequence[str]:
    """What stands behind a verb, without particles and the person it is for: *the key* of *Livia the key*."""
    while words and words[0].casefold() in _FIRST_OBJECTS:
        words = words[1:]
    if words and words[0].casefold() in _COMPLEMENTS:
        words = words[1:]
    if len(words) > 2 and words[0][0].isupper() and words[1].casefold() in DETERMINERS:
        return [*words[1:], "to", words[0]]
    return words


def _subject_thing(words: Sequence[str]) -> Thing | None:
    """The thing in front of the verb; of *Marco has the key* the key, which went to Marco."""
    for at, word in enumerate(words[:10]):
        if not at or not (word.casefold() in _BE or is_past_form(word)):
            continue
        if word.casefold() == "has" and len(words) > at + 2 and words[at + 1].casefold() in DETERMINERS:
            return _thing([*words[at + 1 :], "to", *words[:at]], None)
        verb = next((each.casefold() for each in words[at : at + 4] if is_past_form(each)), None)
        return _thing(words[:at], verb)
    return None


def _thing(words: Sequence[str], verb: str | None) -> Thing | None:
    """The first noun phrase of words, and the nouns behind its prepositions."""
    phrase = list(_phrase(words))
    contents = [word for word in phrase if _is_content(word)]
    if not contents or len(contents) > _LONGEST or "and" in phrase or stem_of(contents[-1]) in _vague():
        return None
    if not (phrase[0] in DETERMINERS or len(contents) <= 2) or contents[-1] in names_of_days_and_months():
        return None
    complements: dict[str, set[str]] = defaultdict(set)
    rest = words[len(phrase) :]
    while rest:
        prep, rest = rest[0].casefold(), rest[1:]
        behind = list(_phrase(rest))
        if prep in _COMPLEMENTS:
            days = names_of_days_and_months() & set(behind)
            complements[prep].update(word for word in behind if _is_content(word) and word not in days)
            complements[prep].update(word for word in behind if word[0].isdigit() and not days and prep != "on")
            complements["day"].update(days if prep in ("for", "of", "in") else ())
        rest = rest[len(behind) :]
    found = {prep: frozenset(each) for prep, each in complements.items() if each}
    numbers = frozenset(word for word in phrase if any(map(str.isdigit, word)))
    return Thing(contents[-1], frozenset(contents[:-1]), numbers, found, verb)


_LONGEST = 4
"""Words of a noun phrase; more are rather a sentence that was not understood."""


def _phrase(words: Sequence[str]) -> Iterator[str]:
    for word in words:
        low = word.casefold()
        if low in _ENDS or not low[0].isalnum():
            return
        yield low


def _is_bare_report(words: Sequence[str]) -> bool:
    return len(words) > 1 and words[1].casefold() in DETERMINERS


def is_past_form(word: str) -> bool:
    low = word.casefold()
    return low in past_forms() or (low.endswith("ed") and len(low) > 4)


def _is_content(word: str) -> bool:
    return word[0].isalpha() and len(word) > 1 and word not in SEARCH_STOP_WORDS and word not in DETERMINERS


@cache
def _recording_verbs() -> frozenset[str]:
    return frozenset(map(stem_of, _RECORDING.split()))


@cache
def _vague() -> frozenset[str]:
    return frozenset(map(stem_of, _VAGUE))


def _contents(words: frozenset[str]) -> frozenset[str]:
    return frozenset(stem_of(word) for word in words if _is_content(word))


def _has(words: frozenset[str] | set[str], word: str) -> bool:
    return any(_is_one(each, word) for each in words)


def _is_one(one: str, other: str) -> bool:
    if one == other:
        return True
    first, second = stem_of(one), stem_of(other)
    return first == second or (first[:1].isalpha() and second[:1].isalpha() and have_similar_stems(first, second))


@lru_cache(TERM_CACHE_SIZE)
def words_of_sentence(text: str) -> frozenset[str]:
    """The words of a text in small letters."""
    return frozenset(word.casefold() for word in _words(text))
