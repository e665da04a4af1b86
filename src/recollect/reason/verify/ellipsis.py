"""Sentences with what they leave out because they said it before: every part as a clause of its own."""

import re
from collections.abc import Sequence

from recollect.reason.verify.word_lists import NUMBER_WORDS
from recollect.text.lexicon import ARTICLE_PATTERN
from recollect.text.verbs import is_finite_verb, is_past_form

NUMBER = rf"(?:\d[\d,.]*|one|{'|'.join(NUMBER_WORDS)})"
_WITHIN = r"(?:[^,;:]|(?<=\d)[,:](?=\d))+?"
_NAMED = rf"(?:{ARTICLE_PATTERN} [\w'’-]+|[A-ZÀ-Þ][\w'’-]*(?: [A-ZÀ-Þ][\w'’-]*)*)"
_COMPARISON = rf"(?:(?:more|less) \w+|\w+er) than {_WITHIN}"
_AT = r"(?:at|in|on|from|to)"
# *Ada is older than Bo and younger than Cy*.
_TWO_COMPARISONS = re.compile(
    rf"^(?P<head>{_WITHIN}) (?P<one>{_COMPARISON}),? (?:and|but|yet|though) (?P<two>{_COMPARISON})(?P<end>[.!]?)$"
)
# *The shop opens at 8 and closes at 6*; as well *The shop sells plums in May and pears in June*.
_TWO_DEEDS = re.compile(
    rf"^(?P<head>{_WITHIN}) (?P<one>[a-z]+s {_AT} {_WITHIN}) and (?P<two>[a-z]+s {_AT} {_WITHIN})(?P<end>[.!]?)$"
)
_NEITHER = re.compile(rf"^Neither (?P<one>{_NAMED}) nor (?P<two>{_NAMED}) (?P<rest>{_WITHIN})(?P<end>[.!]?)$")
_ALL_BUT = re.compile(rf"\ball but {NUMBER} (?:of )?", re.IGNORECASE)


_ALL_BUT_DONE = re.compile(r"\ball but ([a-z]+)\b")
_NOT_JUST = re.compile(r"\bnot (?:just|merely|simply|solely)\b(?=.* but\b)", re.IGNORECASE)
_WOULD_BE = re.compile(r"\bwould-be\b", re.IGNORECASE)
_NAMES_OF_TIMES = (
    r"(?:Jan|Febr)uary|March|April|May|June|July|August|(?:Septem|Octo|Novem|Decem)ber"
    r"|(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day"
)
_TIME = (
    r"(?:in|on|since|until|at|by|during|from) (?:early |late |mid-?|the (?:early |late )?)?"
    rf"(?:\d[\w:.]*(?: (?:{_NAMES_OF_TIMES})\b)?|(?:{_NAMES_OF_TIMES})\b)(?:,? \d{{1,4}})?(?: (?:to|until) \d+)?"
)
_FIGURE = rf"(?:{_TIME}|\d[\d,.]*(?: [a-z]+)?)"
_PART = re.compile(
    r"(?:(?P<link>to|in|at|for|from|with|into|on) )?"
    rf"(?P<what>(?!(?:in|on|at|by|since|until|from|during)\b)(?:{ARTICLE_PATTERN} )?"
    rf"[^\W\d][\w'’-]*(?: [^\W\d][\w'’-]*){{0,3}}?) (?P<figure>{_FIGURE})"
)
_COUNTED = re.compile(rf"(?P<count>{NUMBER})(?P<things>(?: [^\W\d][\w'’-]*){{0,4}}?) (?P<time>{_TIME})")
_ONLY_TIME = re.compile(_TIME)
_NEXT_PART = re.compile(r",? and (?:then )?|, (?:then )?")
_WORD = re.compile(r"[A-Za-z]+")


def write_out(sentence: str) -> str:
    """The sentence with two comparisons, deeds, doers or values that share words as clauses of their own."""
    return _write_out_gaps(sentence) or _write_out_pairs(sentence)


_PHRASES = (
    (re.compile(r"\b(is|was|are|were) (?:located|situated) in\b"), r"\1 in"),
    (re.compile(r"\b(is|was|are|were)(?:n['’]t| not) unable\b"), r"\1 able"),
    (re.compile(r"\bpassed away\b"), "died"),
    (re.compile(r"\bgot married to\b"), "married"),
    (re.compile(r"\bgot married\b"), "married"),
    (re.compile(r"\b(?:was|were) (?:raised|brought up) (?=in\b)"), "grew up "),
    (re.compile(r"\btook part in\b"), "participated in"),
    (re.compile(r"\b(?:was|were) (?:started|set up) (?=in \d)"), "was founded "),
)
_WAS_MARRIED = re.compile(r"\bwas married to\b")


def plain_phrases(text: str) -> str:
    """The text with verbs of several words as the plain ones that mean the same."""
    for pattern, plain in _PHRASES:
        text = pattern.sub(plain, text)
    return text if re.search(r"\d", text) else _WAS_MARRIED.sub("married", text)


def plain_wording(sentence: str) -> str:
    """The sentence with *not just a cook but*, *all but two* and *would-be* in words that are known."""
    plain = _ALL_BUT_DONE.sub(_as_nearly_done, plain_phrases(sentence))
    return _WOULD_BE.sub("aspiring", _NOT_JUST.sub("not only", _ALL_BUT.sub("almost all ", plain)))


def _as_nearly_done(match: re.Match[str]) -> str:
    return f"nearly {match[1]}" if is_past_form(match[1]) else match[0]


def _write_out_gaps(sentence: str) -> str:
    """*Ada sold the barn in 2019 and the mill in 2023*, *the east wing closed in May and the west wing in June*."""
    body = sentence.rstrip(" .!")
    stop = _end_of_verb(body)
    if stop is None:
        return ""
    doer, head, parts = body[: stop.start()].strip(), body[: stop.end()], _NEXT_PART.split(body[stop.end() :].strip())
    if any(is_finite_verb(part.split(" ", 1)[0]) for part in parts) or doer.endswith(","):
        return ""
    if counted := _write_out_counts(head, parts):
        return counted
    found = [_PART.fullmatch(part) for part in parts]
    if len(parts) > 1 and all(found) and len({each["link"] for each in found if each}) == 1:
        return "; ".join(f"{head} {part}" for part in parts) + "."
    second = found[-1]
    if len(parts) == 2 and " and " in body and _ONLY_TIME.fullmatch(parts[0]) and second and not second["link"]:
        return f"{doer} {stop[0]} {parts[0]}; {second['what']} {stop[0]} {second['figure']}."
    return ""


def _write_out_counts(head: str, parts: Sequence[str]) -> str:
    """*Sold 12 boxes of figs in May and 19 in June*, with what is counted in every part."""
    found = [_COUNTED.fullmatch(part) for part in parts]
    if len(parts) < 2 or not all(found):
        return ""
    things = found[0]["things"] if found[0] else ""
    each = (
        (one["count"], things if things.startswith(one["things"]) else one["things"], one["time"])
        for one in found
        if one
    )
    return "; ".join(f"{head} {count}{of} {time}" for count, of, time in each) + "."


def _end_of_verb(text: str) -> re.Match[str] | None:
    """The last word of the first group of verbs."""
    found: re.Match[str] | None = None
    for match in _WORD.finditer(text):
        is_verb = match.start() > 0 and match[0].islower() and is_finite_verb(match[0])
        if is_verb:
            found = match
        elif found is not None and not (match[0].endswith("ly") or match[0] == "been"):
            break
    return found


def _write_out_pairs(plain: str) -> str:
    if found := _NEITHER.match(plain):
        return f"{found['one']} never {found['rest']}; {found['two']} never {found['rest']}{found['end']}"
    found = _TWO_COMPARISONS.match(plain) or _TWO_DEEDS.match(plain)
    if found is None:
        return plain
    return f"{found['head']} {found['one']}; {found['head']} {found['two']}{found['end']}"
