"""Whether a phrase is a name, a value or a definite thing, as far as its form shows; built to abstain."""

import re

from recollect.model.vocabulary import SINGLE_VALUED
from recollect.reading.state_lexicon import (
    ACTIVITY_NOUNS,
    ADDRESS_NOUNS,
    CHOICE_ADJECTIVES,
    COLOURS,
    COMPOUND_NOUNS,
    DEFINITE,
    DONE_STATES,
    FIELDS_OF_WORK,
    FIGURATIVE_ALLERGENS,
    INTERJECTIONS,
    JUDGEMENTS,
    LONE_SETTINGS,
    NAME_CONNECTORS,
    NAMES_IN_S,
    NOT_NAMES,
    NOT_THINGS,
    NOT_VALUES,
    OUTER_PREPOSITIONS,
    PASTIME_NOUNS,
    PEOPLE_NOUNS,
    PLACE_NOUNS,
    PREFERENCE_ADJECTIVES,
    PRONOUN_OBJECTS,
    RESTRICTIONS,
    SETTING_NOUNS,
    STATE_NOUNS,
    SYSTEM_SETTINGS,
    TEXT_VALUED_NOUNS,
    VAGUE_NOUNS,
    WORKPLACES,
)
from recollect.text.lexicon import HONORIFICS
from recollect.text.patterns import lazy_pattern
from recollect.text.verbs import is_past_form

_NAME_TOKEN = lazy_pattern(r"[^\W_][\w.'’&/+#-]*")
_TITLES = frozenset(f"{title}{stop}" for title in (*HONORIFICS, "st") for stop in ("", "."))
_AMOUNT = lazy_pattern(
    r"[€$£¥]?\s?\d[\d.,:]*\d?\s?(?:%|[€$£¥]|°[CF]?)?(?:\s?[a-zA-Z]{1,12}){0,2}"
    r"(?:\s(?:per|a|an|each|/)\s?[a-z]{1,10}|/[a-z]{1,10})?"
)
_PHONE = lazy_pattern(r"\+?\d[\d ()/-]{4,20}\d")
_CODE = lazy_pattern(r"(?=\S*[\d@_./:#+-]|\S*[a-z][A-Z]|[A-Z]{2,})[\w@./:#+~%?=&-]{2,}")
_ADDRESS = lazy_pattern(
    r"(?:https?://\S+|(?:[\w-]+\.)+[a-z]{2,}(?::\d+)?(?:/\S*)?|\d{1,3}(?:\.\d{1,3}){3}(?::\d+)?|/\S+)"
)
_NAMED_BEST = frozenset({"best friend", "best man"})
DEFAULT = "default"
_SHADES = frozenset({"dark", "light"})
_FREE_WORDS = frozenset("codename login passphrase passcode password ssid username".split())
_EMAIL = lazy_pattern(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+")
_FOR = lazy_pattern(
    r"^(?P<n>[A-Za-z][\w-]*(?: [a-z][\w-]*)?) for (?:the |our |my )?(?P<what>[a-z][\w-]*(?: [a-z][\w-]*)?)$"
)
_FLOOR = lazy_pattern(r"on the \w+ floor|on [A-Z][\w.'-]+(?: [A-Z][\w.'-]+)*(?: \d+)?")
_STREET = lazy_pattern(
    r"(?:(?:[Ff]lat|[Aa]partment|[Uu]nit|[Aa]pt\.?) \w{1,5},? )?"
    r"(?:\d{1,5}[a-zA-Z]?,? [A-ZÀ-Þ][\w.'’-]*(?: [\w.'’-]+){0,4}|[A-ZÀ-Þ][\w.'’-]*(?: [\w.'’-]+){0,3} \d{1,5}[a-zA-Z]?)"
    r"(?:, [A-ZÀ-Þ\d][\w .'’-]{1,40}){0,4}"
)
_NUMBERED = lazy_pattern(
    r"(?i:bay|block|box|building|desk|floor|gate|hall|house|level|locker|no\.?|nr\.?|number|platform|room|row|seat|shelf|"
    r"suite|table|track|unit|wing) (?:[A-Z]?\d[\w.-]{0,8}|[A-Z]\d{0,4})"
)
"""Places that are told by their number: `room 4`."""
_BOUND = lazy_pattern(
    r"(?:about|above|approximately|around|at least|at most|below|just (?:over|under)|less than|more than|no more than|"
    r"not more than|over|roughly|under|up to) (?=[€$£¥]?\s?\d)"
)
_STATE_STARTS = frozenset("at available away back behind gone in lost missing off on out over under up".split())
_OPEN_ENDS = frozenset("about by for from of to with".split())
_DONE_FORMS = frozenset("put read rebuilt reset run set".split())
_RESIDENCES = frozenset("address home flat apartment house office".split())
_VALUE_FORMS = (_PHONE, _CODE, _AMOUNT, _ADDRESS)
_NOUN = lazy_pattern(r"[^\W\d_][\w'’-]*(?: \w[\w-]*){0,3}")
_CONTRACTION = lazy_pattern(r"['’](?:ve|m|ll|d|re|s|t)$", re.IGNORECASE)
_DURATION = lazy_pattern(
    r"\b(?:seconds?|minutes?|hours?|days?|weeks?|weekends?|months?|years?|decades?|ages|while|long|ever|now|moment|"
    r"forever|mornings?|evenings?|nights?|summers?|winters?|\w+days?)\b"
)
_WORD = lazy_pattern(r"[^\W_]+(?:['’-][^\W_]+)*")
_PROJECT_NAME = lazy_pattern(r"(?=.{4,60}$)[a-z][a-z0-9]+(?:[-_.][a-z0-9]+)+")
_MODEL_YEAR = lazy_pattern(r"^(?:19|20)\d\d (?=[A-ZÀ-Þ])")
_ARTICLE = lazy_pattern(r"^(?:an?|some)\s+")
_PERSONAL_PRONOUNS = frozenset("me us you him them myself yourself itself".split())
_NOT_IN_OBJECTS = RESTRICTIONS | OUTER_PREPOSITIONS | _PERSONAL_PRONOUNS | INTERJECTIONS
_NOT_LIKED = RESTRICTIONS | _PERSONAL_PRONOUNS | INTERJECTIONS
_OWNED = lazy_pattern(r"^(?P<thing>.+?)(?P<joint> (?:in|near|called|named) )(?P<name>[A-ZÀ-Þ].*)$")
MAX_LIKED_WORDS = 8
MAX_DESCRIPTIONS = 2
MAX_APPOSITION_WORDS = 8
_APPOSITION_STARTS = frozenset(
    "in at on near with the a an my our his her their finally thankfully luckily gladly sadly obviously".split()
)
_UNREAL = frozenset(
    "world dream dreams theory principle way joke mind head imagination spirit future past heart".split()
)
_SCOPE = lazy_pattern(
    r"^(?:for|in|on|at|with|near|by) "
    r"(?P<determiner>(?:the|this|that|these|those|my|our|your|his|her|their|all|most|some|many|new|old|legacy) )?"
    r"(?P<scope>.+)$"
)
_JOINED = lazy_pattern(r",|\b(?:and|or|but|while)\b")
MAX_VALUE_WORDS = 6
_NO_JUDGEMENT = DONE_STATES | RESTRICTIONS | OUTER_PREPOSITIONS | _PERSONAL_PRONOUNS | INTERJECTIONS | PRONOUN_OBJECTS
_NOUNS_WITH_VALUES = (
    TEXT_VALUED_NOUNS | ACTIVITY_NOUNS | PEOPLE_NOUNS | SINGLE_VALUED | frozenset("number amount size date".split())
)
"""Nouns whose value is a name, text, number or date, so that an adjective says something else of them."""
MAX_NAME_WORDS = 5
MAX_WORKPLACE_WORDS = 4


def words_of(text: str) -> list[str]:
    return [word.lower() for word in _WORD.findall(text)]


def is_name(text: str) -> bool:
    """Whether a phrase is a capitalised name: no function word in front, connectors only inside."""
    tokens = text.split()
    if not 0 < len(tokens) <= MAX_NAME_WORDS or not all(_NAME_TOKEN.fullmatch(token) for token in tokens):
        return False
    if tokens[0].lower().rstrip(".") in NOT_NAMES or tokens[-1] in NAME_CONNECTORS or "I" in tokens:
        return False
    if tokens[0].lower() in _TITLES and len(tokens) == 1:
        return False
    if any(_CONTRACTION.search(token) for token in tokens):
        return False
    if any(token.endswith(".") and token.lower() not in _TITLES for token in tokens):
        return False
    is_capital = [token[0].isupper() or (at > 0 and token[0].isdigit()) for at, token in enumerate(tokens)]
    inner = [each or token in NAME_CONNECTORS for each, token in zip(is_capital, tokens, strict=True)]
    return is_capital[0] and is_capital[-1] and all(inner)


def is_plural(subject: str) -> bool:
    """Whether a single word at the start may be a plural noun instead of a name: `Germans`, but not `Jonas`."""
    is_noun = subject.endswith("s") and not subject.endswith(("as", "is", "ss", "us"))
    return " " not in subject and is_noun and subject not in NAMES_IN_S


def is_identifier(text: str) -> bool:
    """Whether a text is a single token that only names have: `acme-web`, `api.v2`, `kebab_case`."""
    return " " not in text and _CODE.fullmatch(text) is not None


def is_project_name(text: str) -> bool:
    """Whether a single token without an article is a name although it is not capitalised: `acme-web`, `billing_api`."""
    return _PROJECT_NAME.fullmatch(text) is not None and text not in COMPOUND_NOUNS


def is_attribute_noun(noun: str) -> bool:
    """Whether a noun phrase can name an attribute."""
    words = noun.split()
    is_common = words[-1].islower() or (words[-1].isupper() and len(words[-1]) > 1)
    return (
        is_common
        and _NOUN.fullmatch(noun) is not None
        and head_of(noun) not in VAGUE_NOUNS
        and not {word.lower() for word in words} & (NOT_VALUES - ({"best"} if noun in _NAMED_BEST else frozenset()))
    )


def head_of(noun: str) -> str:
    """The last word of a noun phrase, which says what it is."""
    return noun.split()[-1].lower()


def is_person_noun(noun: str) -> bool:
    return head_of(noun) in PEOPLE_NOUNS


def has_duration(text: str) -> bool:
    """Whether a phrase names a stretch of time or a moment."""
    return _DURATION.search(text) is not None


def attribute_value(noun: str, text: str) -> str | None:
    """The value that a sentence gives an attribute; none unless it is sure to be a value."""
    value = text.strip()
    if is_person_noun(noun) or not value:
        return None
    if head_of(noun) in STATE_NOUNS:
        return value if _is_state(value) or is_name(value) else None
    if _NUMBERED.fullmatch(value) or ((bound := _BOUND.match(value)) and is_amount(value[bound.end() :])):
        return value
    if head_of(noun) in _RESIDENCES and is_street(value.removeprefix("at ")):
        return value.removeprefix("at ")
    if value.startswith("at "):
        address = value[3:].strip()
        return address if head_of(noun) in ADDRESS_NOUNS and _ADDRESS.fullmatch(address) else None
    if value.startswith("in ") and head_of(noun) in PLACE_NOUNS:
        return value[3:] if is_name(value[3:]) else None
    if value.startswith("on ") and head_of(noun) in PLACE_NOUNS:
        return value[3:] if _FLOOR.fullmatch(value) else None
    if is_name(value) or value.lower() in COLOURS or any(form.fullmatch(value) for form in _VALUE_FORMS):
        return value
    if value.startswith("the ") and is_name(value[4:]):
        return value
    return _kind_of_thing(value) or (value if _is_plain_value(noun, value) else None)


def is_street(text: str) -> bool:
    """Whether a text is a street with a number: `12 Mill Lane, Leith`, `Torstraße 4, 10119 Berlin`."""
    return _STREET.fullmatch(text) is not None


def is_amount(text: str) -> bool:
    """Whether a text is a number with or without its unit."""
    return _AMOUNT.fullmatch(text) is not None


def contact_kind(text: str) -> str | None:
    """The attribute that an email address or a telephone number is a value of; none for any other text."""
    if _EMAIL.fullmatch(text):
        return "email"
    return "phone" if _PHONE.fullmatch(text) else None


def is_setting(noun: str) -> bool:
    """Whether a noun phrase names something that a household or team sets once: `wifi password`, `gate code`."""
    words = noun.lower().split()
    return words[-1] in LONE_SETTINGS or (len(words) > 1 and (words[-1] in SETTING_NOUNS or words[0] == DEFAULT))


def is_system_setting(noun: str) -> bool:
    """Whether a setting is that of one of the programs a team has: `staging URL`, `default branch`; not `database`."""
    words = noun.lower().split()
    return len(words) > 1 and (words[-1] in SYSTEM_SETTINGS or words[0] == DEFAULT)


def setting_value(noun: str, text: str) -> str | None:
    """The value of a setting: a name, a code or an amount; a plain word only of what may be any word."""
    value = attribute_value(noun, re.sub(r"^(?:called|named) ", "", text.strip()))
    is_plain = value is not None and value.replace(" ", "").isalpha() and value.islower()
    is_default = noun.startswith(f"{DEFAULT} ") and (value in _SHADES or value not in JUDGEMENTS)
    may_be_any = head_of(noun) in _FREE_WORDS or is_default
    is_free = text.startswith(("called ", "named ")) or (may_be_any and not text.endswith("ed"))
    return value if not is_plain or is_free else None


def compound_noun(noun: str) -> str:
    """A noun phrase with `for` as a compound: `deadline for the grant` is the grant deadline."""
    found = _FOR.match(noun)
    return f"{found['what']} {found['n']}" if found is not None else noun


def is_judgement(noun: str, value: str) -> bool:
    """Whether a single word tells how something is: `mood`, `good`; never where the noun has values of another kind."""
    head, word = head_of(noun), value.lower()
    if not value.isalpha() or not value.islower() or word.endswith("ing") or head in _NOUNS_WITH_VALUES:
        return False
    return word not in _NO_JUDGEMENT and (word in JUDGEMENTS or word not in NOT_VALUES)


def _kind_of_thing(value: str) -> str | None:
    """`a Volvo`, `an old red Skoda Fabia`: a name after an article, with the words that describe it."""
    found = _ARTICLE.match(value)
    words = value[found.end() :].split() if found else []
    small = [word for word in words if word.islower()]
    is_described = words[: len(small)] == small and len(small) <= MAX_DESCRIPTIONS and len(words) > len(small)
    is_plain = not set(small) & (NOT_VALUES | RESTRICTIONS | OUTER_PREPOSITIONS)
    name = _MODEL_YEAR.sub("", " ".join(words[len(small) :]))
    return " ".join(words) if is_described and is_plain and is_name(name) else None


def _is_plain_value(noun: str, value: str) -> bool:
    head, words = head_of(noun), words_of(value)
    is_choice = noun.split()[0].lower() in CHOICE_ADJECTIVES
    if not words or len(words) > MAX_VALUE_WORDS or set(words) & RESTRICTIONS:
        return False
    if words[0] in NOT_VALUES and not value.startswith("A "):  # a letter, since no article inside a sentence is capital
        return False
    if not re.fullmatch(r"[\w' ’&+#./-]+", value):
        return False
    if _is_done_to(words) or (set(words) & JUDGEMENTS and not is_choice):
        return False
    if set(words) & (_PERSONAL_PRONOUNS | INTERJECTIONS):
        return False
    if words[0].endswith("ing") and not _may_be_activity(noun):
        return False
    return is_choice or head in TEXT_VALUED_NOUNS or head in ACTIVITY_NOUNS


def _is_state(value: str) -> bool:
    """Whether a phrase tells the state that something is in: `on leave`, `in review`, `back at work`."""
    words = words_of(value)
    return (
        0 < len(words) <= MAX_VALUE_WORDS
        and (words[0] not in NOT_VALUES or words[0] in _STATE_STARTS)
        and not set(words) & (RESTRICTIONS | _PERSONAL_PRONOUNS | INTERJECTIONS)
        and words[-1] not in _OPEN_ENDS
        and re.fullmatch(r"[\w' ’&+#./-]+", value) is not None
    )


def _is_done_to(words: list[str]) -> bool:
    """Whether words tell what is done to a thing, and so are no value of it: `backed up hourly`, `hosted in Oslo`."""
    is_done = is_past_form(words[0]) or words[0] in _DONE_FORMS
    return is_done and len(words) > 1 and (words[1] in OUTER_PREPOSITIONS or words[1].endswith("ly"))


def _may_be_activity(noun: str) -> bool:
    return head_of(noun) in PASTIME_NOUNS or noun.split()[0].lower() in PREFERENCE_ADJECTIVES


def allergen(text: str) -> str | None:
    """What somebody is allergic to; none if it may be said figuratively."""
    value = object_phrase(text)
    is_figurative = has_duration(text.lower()) or not FIGURATIVE_ALLERGENS.isdisjoint(words_of(text))
    return None if is_figurative else value


def object_phrase(text: str) -> str | None:
    """What is used, liked or owned: a name or a short noun phrase without its article; none if it is anything else."""
    value = _ARTICLE.sub("", text.strip())
    if is_name(value) or is_identifier(value):
        return value
    if value.startswith("the ") and is_name(value[4:]):
        return value[4:]
    words = words_of(value)
    if not words or len(words) > 4 or not re.fullmatch(r"[\w' ’&+#./-]+", value):
        return None
    if words[0] in NOT_VALUES or words[0] in PRONOUN_OBJECTS or set(words) & _NOT_IN_OBJECTS:
        return None
    is_activity = words[0].endswith("ing") and len(words) > 1 and value == text.strip()
    return None if is_activity else value


def liked_phrase(text: str) -> str | None:
    """What somebody likes or prefers: a thing, or something one does: `to cook Thai food`, `hiking in the Alps`."""
    value, words = text.strip(), words_of(text)
    if thing := object_phrase(text):
        return thing
    if not 1 < len(words) <= MAX_LIKED_WORDS or not re.fullmatch(r"[\w' ’&+#./-]+", value):
        return None
    is_vague = bool(set(words) & _NOT_LIKED) or words[-1] in PRONOUN_OBJECTS
    return None if is_vague or words[0] in NOT_VALUES - {"to"} else value


def owned_phrase(text: str) -> str | None:
    """What somebody owns, with where it is or what it is called: `house in Brittany`, `boat called Mistral`."""
    found = _OWNED.match(text)
    thing = object_phrase(found["thing"]) if found is not None else None
    if found is None or thing is None or not is_name(found["name"]):
        return object_phrase(text)
    return f"{thing}{found['joint']}{found['name']}"


def workplace(text: str) -> str | None:
    """A place of work that is told by its kind: `the city council`, `a bakery`."""
    words = text.split()
    is_short = 1 < len(words) <= MAX_WORKPLACE_WORDS and words[0] in ("a", "an", "the")
    return text if is_short and words[-1] in WORKPLACES and object_phrase(" ".join(words[1:])) else None


def possession(text: str) -> str | None:
    """A certain thing that somebody has: `the spare keys`, `my charger`; none for what only sounds like one."""
    determiner, _, thing = text.partition(" ")
    is_certain = determiner in DEFINITE and is_attribute_noun(thing)
    is_thing = is_certain and not {*words_of(thing)} & NOT_THINGS and object_phrase(thing) is not None
    return text if is_thing else None


def is_apposition(tail: str) -> bool:
    """Whether the words after a comma only describe what stands before it: `, the electric one`."""
    words = words_of(tail)
    if not 0 < len(words) <= MAX_APPOSITION_WORDS or re.search(r"[\d,;:?]", tail):
        return False
    is_described = words[0] in _APPOSITION_STARTS
    return is_described and not set(words) & (RESTRICTIONS | INTERJECTIONS | _UNREAL)


def scope_of(tail: str) -> str | None:
    """What a tail such as `for acme-web` or `in our frontend` limits a claim to; none if it only tells the purpose."""
    match = _SCOPE.match(tail)
    if match is None:
        return None
    scope = match["scope"].strip()
    if FIELDS_OF_WORK.issuperset(scope.split()):
        return None
    is_limit = is_project_name(scope) or _JOINED.search(scope) or any(word[0].isupper() for word in scope.split())
    return scope if match["determiner"] or is_limit else None
