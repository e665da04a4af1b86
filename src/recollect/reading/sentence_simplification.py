"""A sentence as the plain ones it says: `Maria, my boss, is on leave`, `Vera doesn't live in Graz but in Linz`."""

import re
from collections.abc import Iterator

from recollect.reading.english_verbs import third_person
from recollect.reading.phrases import is_name
from recollect.reading.state_lexicon import OCCUPATIONS, PEOPLE_NOUNS
from recollect.text.patterns import lazy_pattern
from recollect.when.english.words import NUMBER_PATTERN

_NAME = r"(?P<name>[A-ZÀ-Þ][\w.'’-]*(?: [A-ZÀ-Þ][\w.'’-]*){0,2})"
_ROLE = (
    r"(?P<role>(?:[Mm]y|[Oo]ur|[A-ZÀ-Þ][\w-]+(?: [A-ZÀ-Þ][\w-]+)?['’]s) (?:new )?"
    rf"(?:{'|'.join(sorted(PEOPLE_NOUNS | OCCUPATIONS))})(?:[- ]in[- ]law)?)"
)
_ROLE_AFTER = lazy_pattern(rf"^{_NAME}, {_ROLE}, (?P<rest>[a-z].+)$")
_ROLE_BEFORE = lazy_pattern(rf"^{_ROLE}, {_NAME}, (?P<rest>[a-z].+)$")
_OCCUPATION_AFTER = lazy_pattern(
    rf"^{_NAME}, (?P<occupation>an? (?!former|retired|aspiring|would-be|failed|alleged|so-called)(?:[a-z-]+ ){{0,2}}"
    rf"(?:{'|'.join(sorted(OCCUPATIONS))}))(?: by (?:training|trade|profession))?, (?P<rest>[a-z].+)$"
)
_RELATIVE_CLAUSE = lazy_pattern(rf"^{_NAME}, who (?P<aside>[^,;?]+), (?P<rest>[a-z].+)$")

_NOT = r"(?: not|n['’]t)"
_MORE = r"(?P<more> any ?more| any longer)?"
_VERBS = "(?:drive|like|live|own|play|prefer|speak|use|work)s?|have|has"
_NOT_BUT = lazy_pattern(
    rf"^(?P<x>.{{1,60}}?) (?:(?:does|do){_NOT}|(?P<over>no longer)) (?P<verb>{_VERBS}) (?P<prep>(?:in|at|for) )?"
    rf"(?P<wrong>[^,;]{{1,40}}?){_MORE}"
    r"(?:,? but (?:rather )?|[,;] (?:I|we|he|she|it|they) (?:now |actually )?(?P<again>[a-z]+) )"
    r"(?(prep)(?P=prep))(?P<right>[^,;?]+)$"
)
_NEVER = lazy_pattern(
    r"^(?P<x>.{1,60}?) (?:has |have )?never (?P<base>work|live|use|own|play)(?:e?d) (?P<prep>(?:in|at|for) )?"
    r"(?P<wrong>[^,;]{1,40}?)(?:[,;] (?:but )?|,? but )(?:I|we|he|she|it|they|(?P=x)) "
    r"(?:actually |really |in fact |always )*(?P<verb>(?P=base)s?) (?(prep)(?P=prep))(?P<right>[^,;?]+)$"
)
_IS_NOT = lazy_pattern(
    rf"^(?P<x>.{{1,60}}?) (?P<be>is|are|was|am){_NOT} "
    r"(?P<wrong>(?!(?:only|just|that|so|as|because|yet|sure|to|about|\w+(?:ing|ed))\b)[^,;?]{1,40}?)"
    r"(?:,? but (?:rather )?(?!(?:I|we|he|she|it|they|you|there|this|that)\b)"
    r"|[,;:] (?:it|that|this|he|she|they)(?:['’]s| is|['’]re| are) (?:now |actually )?)(?P<right>[^,;?]+)$"
)
_SHORT_IS = lazy_pattern(
    r"(?P<name>(?:^|(?<=, )|(?<= and )|(?<= but ))[A-ZÀ-Þ][\w-]+)['’]s (?=(?:also |still |severely |now |currently |"
    r"not |no longer )*(?:allergic to|on (?:\w+ )?(?:leave|holiday|vacation|sabbatical|call)|sick|ill|away|out of|"
    r"off sick|vegetarian|vegan|married to|\d{1,3}\b|working (?:at|for)|living in|an? [a-z])\b)"
)
_CHANGED_TO = lazy_pattern(
    r"(?P<head>^(?:[Mm]y|[Oo]ur|[A-ZÀ-Þ][\w-]+(?: [A-ZÀ-Þ][\w-]+)?['’]s|[Tt]he) [a-z][a-z -]{1,40}?) "
    r"(?:has |have )?changed[,;:.]? (?:it|that)(?:['’]s| is) (?:now )?(?=\S)"
)
_LEFT_AGAIN = lazy_pattern(
    r"(?<=\w), (?=(?:then )?(?:left|quit|resigned|departed) (?:it |there |again )?(?:in|on|at|after|last) )"
)
_BEFORE_THAT = lazy_pattern(r", before that,? (?=(?:I|we|he|she|they|it) )")
_NEW_AGE = lazy_pattern(
    r"^(?P<name>[A-ZÀ-Þ][\w-]+) is (?:now (?P<age>\d{1,2})|(?P<years>\d{1,2}) now)(?=\s*(?:[,.!]|$))"
)
_COUNT = rf"(?:\d{{1,3}}|an?|{NUMBER_PATTERN})"
_SO_LONG = rf"for (?:the (?:last|past) )?(?P<length>{_COUNT} (?:day|week|month|year)s?)"
_HELD_FOR = lazy_pattern(
    rf"(?P<head>(?:\b(?:have|has)|['’](?:ve|s)) (?:[a-z]+ly |also |still |now )*"
    rf"(?:been|lived|worked|studied|used|owned|played|taught|driven|led|managed|spoken|reported|resided|had|known) "
    rf"[^,;]*?){_SO_LONG}(?: now)?(?=\W*$|,? (?:and|but) |[,;] )",
    re.IGNORECASE,
)
_WAS_FOR = lazy_pattern(
    rf"(?P<head>^\S+(?: \S+){{0,3}}? (?:lived|worked|studied|resided) (?:at|in|for) [^,;]*?) {_SO_LONG}"
    r"(?=\W*$|,? (?:and|but|until|till) |[,;] )",
    re.IGNORECASE,
)
_NOT_THAT = lazy_pattern(
    r"(?<!\bis)(?<!\bare)(?<!\bam)(?<!\bwas)(?<!\bwere)(?<!\bdo)(?<!\bdoes)(?<!\bdid)(?<!\bhas)(?<!\bhave)(?<!\bcan)"
    r"(?<!\bwill)(?<!['’]s)(?<!['’]m)(?<!['’]re)(?<!,) not (?=(?:on |at |in |for )?[A-ZÀ-Þ\d€$£][\w.:-]*[.!]?$)"
)


def expand_shorthand(sentence: str) -> str:
    """A sentence with `Kim's on leave`, `my number changed, it's 12`, `Kim is 9 now` and `12 not 13` in full words.

    How long something has been so tells since when; how long it once was so tells no time.
    """
    words = _SHORT_IS.sub(r"\g<name> is ", sentence)
    words = _CHANGED_TO.sub(r"\g<head> is now ", words)
    words = _LEFT_AGAIN.sub(" and ", words)
    words = _NEW_AGE.sub(lambda found: f"{found['name']} is {found['age'] or found['years']} years old", words)
    words = _HELD_FOR.sub(r"\g<head>since \g<length> ago", words, count=1)
    if "have" not in words.split() and "has" not in words.split():
        words = _WAS_FOR.sub(r"\g<head>", words, count=1)
    return _NOT_THAT.sub(", not ", _BEFORE_THAT.sub(", formerly ", words))


def plain_sentences(sentence: str) -> Iterator[str]:
    """The sentence without an aside about the person it begins with, and the aside as a sentence of its own."""
    found = _aside(sentence) if ", " in sentence and "?" not in sentence else None
    if found is None:
        yield from _what_is_right(sentence)
        return
    yield f"{found['name']} {found['rest']}"
    yield f"{found['name']} {_said_in_passing(found)}"


def _aside(sentence: str) -> re.Match[str] | None:
    patterns = (_ROLE_AFTER, _ROLE_BEFORE, _OCCUPATION_AFTER, _RELATIVE_CLAUSE)
    found = next((match for each in patterns if (match := each.match(sentence)) is not None), None)
    return found if found is not None and is_name(found["name"]) else None


def _what_is_right(sentence: str) -> Iterator[str]:
    """`Vera lives in Linz, not Graz` for `Vera doesn't live in Graz but in Linz`; any other sentence as it is."""
    if found := _IS_NOT.match(sentence):
        yield f"{found['x']} {found['be']} {found['right'].rstrip(' .!')}, not {found['wrong']}"
        return
    if found := _NEVER.match(sentence):
        right = f"{found['prep'] or ''}{found['right'].rstrip(' .!')}"
        yield f"{found['x']} {_agreeing(found['verb'], found['x'])} {right}, not {found['wrong']}"
        return
    found = _NOT_BUT.match(sentence)
    verb = _agreeing(found["verb"], found["x"]) if found is not None else ""
    if found is None or found["again"] not in (None, verb):
        yield sentence
        return
    where, right = found["prep"] or "", found["right"].rstrip(" .!")
    if found["more"] or found["over"]:
        yield f"{found['x']} no longer {verb} {where}{found['wrong']}"
        yield f"{found['x']} {verb} {where}{right}"
    else:
        yield f"{found['x']} {verb} {where}{right}, not {found['wrong']}"


def _agreeing(verb: str, subject: str) -> str:
    base = "have" if verb == "has" else verb.removesuffix("s")
    return base if subject in ("I", "i", "We", "we") else {"have": "has"}.get(base) or third_person(base)


def _said_in_passing(found: re.Match[str]) -> str:
    said = found.groupdict()
    if "occupation" in said:
        return f"is {said['occupation']}"
    role = said.get("role")
    if role is None:
        return found["aside"]
    first, rest = role.split(" ", 1)
    return f"is {first.lower() if first.lower() in ('my', 'our') else first} {rest}"
