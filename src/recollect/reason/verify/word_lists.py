"""Word lists of claim verification: antonyms, connectives, tense words, numbers, phrases that deny for now.

Single negators are in `text/negation.py`.
"""

from collections.abc import Mapping, Sequence
from functools import cache
from itertools import pairwise

from recollect.text.content_words import content_token
from recollect.when.english import words

_LARGEST_WORD = 20
_LARGEST_ORDINAL = 10

NEGATING_PHRASES = (("no", "longer"), ("not", "any", "more"), ("not", "anymore"))
# Words between a negation and what it negates.
SOFTENERS = frozenset("yet ever even really actually any of become be".split())
LIMITERS = frozenset("unlike except anything nearly almost practically virtually without barely allegedly".split())
QUANTIFIERS = "all every everyone everybody each both always most many few several some entire whole half majority"
# Words that mark what their sentence states as ended.
ENDINGS = frozenset(
    "former formerly previously ex resigned resign retired retire dismissed sacked deposed disbanded dissolved "
    "demolished defunct died ousted abdicated".split()
)
ENDING_PHRASES = ("stepped down", "gave up", "shut down", "closed down", "handed over", "pulled down")
# Verbs with an agent and a target that cannot be exchanged.
_DIRECTIONAL = (
    "hand give sell lend send beat defeat kill murder hire employ appoint succeed replace precede own manage buy "
    "bequeath arrest accuse fire dismiss rescue teach train raise adopt insult attack betray bribe evict outrank "
    "bite owe forgive acquire chase catch tutor supervise aunt uncle niece nephew grandmother grandfather "
    "mother father parent child son daughter boss owner author founder capital successor predecessor"
)
# What is as true the other way round.
_MUTUAL = (
    "marry meet resemble fight border equal match divorce date neighbour brother sister sibling twin cousin "
    "friend colleague partner rival ally wife husband spouse equivalent similar different married"
)
DIMENSIONS: Mapping[str, str] = {
    "high": "high", "tall": "high", "wide": "wide", "broad": "wide", "long": "long", "deep": "deep", "thick": "thick",
    "old": "old", "away": "away",
}  # fmt: skip
CONNECTIVES = (
    ("instead", "of"),
    ("rather", "than"),
    ("more", "than"),
    ("less", "than"),
    ("ahead", "of"),
    ("over",),
    ("before",),
    ("after",),
    ("behind",),
    ("than",),
)
OPPOSITE_CONNECTIVES = frozenset({("before", "after"), ("more", "less"), ("ahead", "behind")})
QUESTION_OPENERS = frozenset("who whom whose what when where why how which is are was were do does did".split())
PAST_WORDS = frozenset("was were had did formerly previously once ago yesterday".split())
PRESENT_WORDS = frozenset("is are am has have does do now currently still today".split())
SWAPPABLE = frozenset(
    "reports_to manages parent_of child_of part_of belongs_to depends_on blocked_by owns employs precedes "
    "supersedes".split()
)
NOW_EXCLUSIVE = frozenset("headquartered_in capital_of status due_on price reports_to".split())
NUMBER_WORDS: Mapping[str, int] = {
    word: number for word, number in words.NUMBER_WORDS.items() if 1 < number <= _LARGEST_WORD
}
"""*One* is a pronoun as well."""
ORDINALS: Mapping[str, int] = {word: number for word, number in words.ORDINALS.items() if number <= _LARGEST_ORDINAL}
MULTIPLIERS: Mapping[str, float] = {
    "k": 1e3, "m": 1e6, "bn": 1e9, "hundred": 1e2, "thousand": 1e3, "million": 1e6, "billion": 1e9,
}  # fmt: skip

_CESSATIVES = "stop cease quit cancel abandon refuse fail"
_ANTONYMS = (
    "approve/reject accept/reject accept/decline approve/deny confirm/deny start/stop begin/end start/end "
    "increase/decrease rise/fall grow/shrink open/close open/shut freeze/unfreeze win/lose hire/fire join/leave "
    "enable/disable allow/forbid allow/ban pass/fail succeed/fail buy/sell agree/disagree support/oppose "
    "like/dislike love/hate true/false before/after more/less early/late taller/shorter longer/shorter "
    "older/younger wider/narrower "
    "broader/narrower cheaper/dearer higher/lower bigger/smaller larger/smaller heavier/lighter faster/slower "
    "stronger/weaker richer/poorer warmer/colder hotter/colder better/worse best/worst greatest/worst largest/smallest "
    "biggest/smallest highest/lowest tallest/shortest longest/shortest oldest/youngest safe/unsafe safe/dangerous "
    "legal/illegal possible/impossible successful/unsuccessful married/unmarried real/fictional popular/unpopular "
    "profitable/unprofitable friendly/unfriendly known/unknown male/female guilty/innocent"
)


# Where somebody or something comes from, by the part of the world: of two that differ one is wrong.
_ORIGINS = {
    "": "american canadian mexican brazilian argentine argentinian chilean colombian peruvian cuban jamaican "
    "bolivian ecuadorian venezuelan uruguayan haitian australian",
    "british european": "english scottish welsh",
    "european": "british irish french german italian spanish portuguese dutch belgian swiss austrian swedish "
    "norwegian danish finnish icelandic polish czech slovak hungarian romanian bulgarian greek turkish russian "
    "ukrainian serbian croatian slovenian bosnian albanian maltese armenian georgian estonian latvian lithuanian",
    "asian": "chinese japanese korean vietnamese thai indian pakistani bangladeshi nepali nepalese iranian iraqi "
    "israeli turkish armenian georgian russian taiwanese malaysian indonesian filipino lebanese syrian afghan",
    "african": "egyptian moroccan algerian tunisian nigerian kenyan ethiopian ghanaian somali ugandan tanzanian",
}

# Before these words a nationality is that of a language, a manner or an ancestor.
NO_ORIGIN_BEFORE = frozenset(
    "language speaking style inspired descent ancestry school themed trained educated based".split()
)

# Words of a claim that a statement may lack.
_LIGHT = "part called named name associated make thing ever just also"


def tells_end(words: Sequence[str]) -> bool:
    """Whether words deny something for now and not for the past: *no longer*, *not any more*."""
    is_over = any(tuple(pair) == ("no", "longer") for pair in pairwise(words))
    return is_over or ("not" in words and ("anymore" in words or ("any", "more") in pairwise(words)))


@cache
def ending_verbs() -> frozenset[str]:
    return frozenset(map(content_token, "stop cease quit abandon".split()))


@cache
def light_words() -> frozenset[str]:
    return frozenset(map(content_token, _LIGHT.split()))


@cache
def origins() -> frozenset[str]:
    return frozenset(_regions_of_origins()) | frozenset().union(*_regions_of_origins().values())


@cache
def _regions_of_origins() -> Mapping[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for regions, names in _ORIGINS.items():
        for name in names.split():
            found.setdefault(content_token(name), set()).update(map(content_token, regions.split()))
    return {name: frozenset(regions) for name, regions in found.items()}


def is_origin_within(one: str, other: str) -> bool:
    """Whether what is of one origin is of the other too: what is Scottish is British and European."""
    return one == other or other in _regions_of_origins().get(one, frozenset())


@cache
def directional() -> frozenset[str]:
    verbs = _DIRECTIONAL.split()
    return frozenset(map(content_token, (*verbs, *(f"{verb.removesuffix('e')}ed" for verb in verbs))))


@cache
def mutual() -> frozenset[str]:
    return frozenset(map(content_token, _MUTUAL.split()))


@cache
def quantifiers() -> frozenset[str]:
    return frozenset(map(content_token, QUANTIFIERS.split()))


@cache
def cessatives() -> frozenset[str]:
    return frozenset(map(content_token, _CESSATIVES.split()))


@cache
def antonyms() -> Mapping[str, frozenset[str]]:
    """For every token its opposites."""
    found: dict[str, set[str]] = {}
    for pair in _ANTONYMS.split():
        one, other = map(content_token, pair.split("/"))
        found.setdefault(one, set()).add(other)
        found.setdefault(other, set()).add(one)
    return {token: frozenset(others) for token, others in found.items()}
