"""The words of a statement that a claim lacks: whether they leave those that it has their meaning.

A claim is found in a statement word by word. What the statement has besides may take the claim back (*all but Ada*),
weaken it (*the deputy director*, *the second tallest*), or give its value to something else (*the left one is full, the
right one empty*). What is not known to be harmless counts as harmful.
"""

from collections.abc import Iterator
from itertools import pairwise

from recollect.reason.verify.alignment import Alignment
from recollect.reason.verify.exclusive_values import is_of_sport
from recollect.reason.verify.parsed_statement import OWNER_MARK, StatementPiece
from recollect.reason.verify.phrase_roles import has_other_role
from recollect.reason.verify.statement_verbs import DETERMINERS, PREPOSITIONS
from recollect.reason.verify.word_lists import NO_ORIGIN_BEFORE, origins
from recollect.text.lexicon import FORMS_OF_BE
from recollect.text.stop_words import STOP_WORDS
from recollect.text.verbs import is_past_form

_EXCLUDERS = frozenset("but bar minus save except excluding barring".split())
# Words that make of somebody or something less than the noun after them says.
LESSENING = frozenset(
    "former ex vice deputy acting assistant interim alleged supposed fake mock honorary aspiring potential prospective "
    "future next onetime sometime erstwhile sub under junior self trainee apprentice student substitute toy replica "
    "co would one few little retired model imaginary imagined invisible pretend sham bogus counterfeit forged budding "
    "wannabe failed artificial plastic real veritable".split()
)
_LESSENING_ALL = frozenset("half part quarter pseudo quasi non anti pro almost nearly".split())
_SHARES = frozenset("some most many several".split())
_LESSENING_AFTER = frozenset("elect designate emeritus emerita apparent".split())
# A drama film is a drama.
_GENRES = frozenset("drama comedy thriller documentary musical western romance mystery satire sitcom crime".split())
_OF_GENRE = frozenset("film movie series show play miniseries".split())
_PART_OF_MANY = frozenset("one among some".split())
_NEXT_TO = frozenset("after behind besides".split())
_SUPERLATIVES = frozenset("best worst most least".split())
_BREAKS = frozenset("and but or while whereas".split())
_DEFINITE = DETERMINERS - {"a", "an"}
_LIMITS_OF_NEGATION = frozenset("until till before because unless just merely simply only as".split())
_PRONOUNS = frozenset("it he she they there this that".split())
# Words that may follow a noun, or a verb of the same doer, and are no nouns.
_AFTER_NOUN = STOP_WORDS | frozenset(
    "within around along inside outside towards toward upon via per since till despite except today now still again "
    "ago away together instead later soon yet".split()
)
_LONGEST_PHRASE = 4


def preserves_meaning(found: Alignment) -> bool:
    """Whether the words that the claim lacks leave its words the meaning that they have in the claim."""
    return not any(
        check(found)
        for check in (
            has_other_role,
            _is_lessened,
            _is_part_of_longer_name,
            _is_one_of_many,
            _is_compared_with_another,
            _is_left_out,
            _is_gapped,
            _has_second_subject,
            _is_told_by_source,
            _is_time_of_another,
            _is_amount_of_change,
            _is_whole_of_part,
            _is_verb_repeated,
            _has_object,
            _lacks_doer,
            _is_negation_limited,
        )
    )


def _is_lessened(found: Alignment) -> bool:
    """Whether a word before or after one of the claim makes it less: *deputy director*, *second tallest*."""
    pieces, words = found.said.pieces, found.words
    for asked, place in found.places.items():
        is_whole = asked > 0 and found.claim.pieces[asked - 1].word in _DEFINITE
        for at in _run_before(found, place):
            if is_whole and words[at] in _SHARES:
                return True
            is_origin = pieces[place].token in origins()
            if words[at] in _LESSENING_ALL or (words[at] in LESSENING and not is_origin):
                return True
        if place and _is_ordinal(found, place - 1) and place - 1 not in found.matched and is_superlative(words[place]):
            return True
        if place + 1 < len(words) and words[place + 1] in _LESSENING_AFTER and not pieces[place + 1].is_apart:
            return True
        after = set(words[place + 1 : place + 2]) if place + 1 not in found.matched else set()
        if pieces[place].token in origins() and (NO_ORIGIN_BEFORE & after or is_of_sport(words[place], [*after])):
            return True
    return False


def _is_part_of_longer_name(found: Alignment) -> bool:
    """Whether a noun of the claim only tells which other thing is meant: *the mayor's driver*, *the bell tower*."""
    pieces, words = found.said.pieces, found.words
    asked = [piece.word for piece in found.claim.pieces]
    for at, place in found.places.items():
        if place + 1 >= len(words) or place + 1 in found.matched or at == found.verb:
            continue
        if words[place + 1] == OWNER_MARK and OWNER_MARK not in asked:
            return True
        is_led = words[place - 1 : place] == ["the"] and asked[at - 1 : at] != ["the"]
        if pieces[place].is_name and is_led and _is_noun(pieces[place + 1]):
            return True
        is_genre = words[place] in _GENRES and words[place + 1] in _OF_GENRE
        if _is_end_of_phrase(found, at) and not pieces[place].is_name and _is_noun(pieces[place + 1]) and not is_genre:
            return True
    return False


def _is_end_of_phrase(found: Alignment, at: int) -> bool:
    """Whether a word of the claim ends it or stands before its verb; a field of work is no thing: *works in film*."""
    is_field = at > 0 and found.claim.pieces[at - 1].word in PREPOSITIONS
    return not is_field and (at + 1 == len(found.claim.pieces) or at + 1 == found.verb)


def _is_noun(piece: StatementPiece) -> bool:
    """Whether a word may be a noun by its form: no name, adverb, participle or past form."""
    is_other = is_past_form(piece.word) or piece.word.endswith(("ly", "ing")) or piece.word in _AFTER_NOUN
    return piece.token is not None and not piece.is_name and not piece.is_apart and not is_other


def _run_before(found: Alignment, place: int) -> Iterator[int]:
    """The places directly before one that hold further words of its phrase, nearest first."""
    pieces = found.said.pieces
    at = place - 1
    while at >= 0 and at not in found.matched and pieces[at].is_content and not pieces[at + 1].is_apart:
        yield at
        at -= 1


def _is_ordinal(found: Alignment, at: int) -> bool:
    number = found.said.pieces[at].number
    return number is not None and number.unit == "th"


def is_superlative(word: str) -> bool:
    return word in _SUPERLATIVES or (word.endswith("est") and len(word) > len("best"))


def _is_one_of_many(found: Alignment) -> bool:
    """Whether the statement only counts something among those that the claim says it exceeds."""
    for at, place in found.places.items():
        if is_superlative(found.claim.pieces[at].word):
            before = set(found.words[max(0, place - _LONGEST_PHRASE) : place])
            after = set(found.words[place:])
            if (before & _PART_OF_MANY | after & _NEXT_TO) - {piece.word for piece in found.claim.pieces}:
                return True
    return False


def _is_compared_with_another(found: Alignment) -> bool:
    """Whether what stands after *than* in the claim stands after another comparative in the statement."""
    asked, words = [piece.word for piece in found.claim.pieces], found.words
    if "than" not in asked[1:]:
        return False
    than = asked.index("than", 1)
    places = [place for at, place in found.places.items() if at > than]
    before = {max((at for at in range(1, place) if words[at] == "than"), default=0) for place in places}
    return words.count("than") > 1 and any(words[at - 1] != asked[than - 1] for at in before)


def _is_left_out(found: Alignment) -> bool:
    """Whether a word of the claim may be an exception: *everyone but Ada*, *the team minus Ada*."""
    extra = [at for at in range(max(found.matched)) if at not in found.matched]
    return any(found.words[at] in _EXCLUDERS for at in extra)


def _is_gapped(found: Alignment) -> bool:
    """Whether a value is that of a second doer whose verb is left out: *the left one is full, the right one empty*."""
    verb = found.verb_place if found.verb_place is not None else _be_place(found)
    if verb is None:
        return False
    last = max(found.matched)
    starts = [start for start in _breaks(found, verb + 1, last) if not _is_second_complement(found, verb, start)]
    return any(_opens_gap(found, verb, start, last) for start in starts)


def _is_second_complement(found: Alignment, verb: int, start: int) -> bool:
    """Whether a phrase is joined to one with the same article: *is the capital and the largest town*."""
    is_article = found.words[start] in DETERMINERS
    return is_article and found.words[start - 1] == "and" and found.words[verb + 1] == found.words[start]


def _has_second_subject(found: Alignment) -> bool:
    """Whether another subject stands after a mark, directly before the verb: *leaving aside Ada, the tenants paid*."""
    verb = found.verb_place if found.verb_place is not None else _be_place(found)
    left = [place for at, place in found.places.items() if found.verb is not None and at < found.verb]
    if verb is None or not left:
        return False
    pieces = found.said.pieces
    marks = [at for at in range(max(left) + 1, verb + 1) if pieces[at].is_apart]
    if len(marks) != 1 or found.words[marks[0]] not in _DEFINITE:
        return False
    return bool(found.extra_content(marks[0], verb)) and "and" not in found.words[marks[0] : verb]


def _is_told_by_source(found: Alignment) -> bool:
    """Whether somebody else says of the doer what the claim says: *the atlas gives Lund as his birthplace*."""
    if found.verb is None or found.claim.pieces[found.verb].word not in FORMS_OF_BE:
        return False
    left = [place for at, place in found.places.items() if at < found.verb]
    right = [place for at, place in found.places.items() if at > found.verb]
    if not left or not right:
        return False
    between = found.words[max(left) + 1 : min(right)]
    return "as" in between and not FORMS_OF_BE.intersection(between) and bool(found.extra_content(0, min(left)))


def _is_time_of_another(found: Alignment) -> bool:
    """Whether a word after the verb has a time of its own, and the claimed one belongs to another word."""
    pieces = found.said.pieces
    if found.differs == "date" or not any(_is_claimed_time(found, at) for at in range(len(pieces))):
        return False
    verb = found.verb_place if found.verb_place is not None else -1
    for start, stop in pairwise([0, *_breaks(found, 0, len(pieces)), len(pieces)]):
        days = [at for at in range(start, stop) if pieces[at].day is not None]
        is_claimed = any(start <= at < stop and at > verb for at in found.matched)
        if is_claimed and days and not any(_is_claimed_time(found, at) for at in days):
            return True
    return False


def _is_claimed_time(found: Alignment, at: int) -> bool:
    day = found.said.pieces[at].day
    asked = [piece.day for piece in found.claim.pieces if piece.day is not None]
    return day is not None and any(each.agrees(day) for each in asked)


def _be_place(found: Alignment) -> int | None:
    return next((at for at, word in enumerate(found.words) if word in FORMS_OF_BE), None)


def _breaks(found: Alignment, start: int, stop: int) -> Iterator[int]:
    """Where a phrase begins after a mark or a conjunction."""
    for at in range(start, stop):
        if found.words[at] in _BREAKS:
            yield at + 1
        elif found.said.pieces[at].is_apart:
            yield at


def _opens_gap(found: Alignment, verb: int, start: int, last: int) -> bool:
    """Whether a phrase that begins here holds words that are not claimed, and then one that is."""
    pieces, words = found.said.pieces, found.words
    stop = min((at for at in found.matched if at >= start), default=last)
    extra = found.extra_content(start, stop)
    if not extra or any(words[at] in _BREAKS or (at > start and pieces[at].is_apart) for at in range(start, stop)):
        return False
    if words[start] in PREPOSITIONS and any(
        at in found.matched or _is_claimed_time(found, at) for at in range(verb + 1, start)
    ):
        return True
    if stop > start + 1 and words[stop - 1] in PREPOSITIONS and words[stop - 1] in words[verb + 1 : start]:
        return True
    if words[start] in ("a", "an"):
        return any(words[at] in DETERMINERS for at in range(start + 1, stop)) or pieces[stop].number is not None
    is_other = pieces[start].is_name and not pieces[stop].is_name and pieces[start].token not in origins()
    return words[start] in _DEFINITE or pieces[start].number is not None or is_other


def _is_amount_of_change(found: Alignment) -> bool:
    """Whether only one of two equal numbers is how much something changed: *rose by 30 to 210*."""
    for at, place in found.places.items():
        if found.claim.pieces[at].number is not None:
            asked = found.claim.pieces[at - 1].word if at else ""
            if (asked == "by") != (place > 0 and found.words[place - 1] == "by"):
                return True
    return False


def _is_whole_of_part(found: Alignment) -> bool:
    """Whether a number counts the whole of which another one is a part: *of the 20 boats, 6 sank*."""
    words, pieces = found.words, found.said.pieces
    for at, place in found.places.items():
        if found.claim.pieces[at].number is None or any(piece.word == "of" for piece in found.claim.pieces[:at]):
            continue
        is_after_of = "of" in words[max(0, place - 2) : place]
        if is_after_of and any(piece.number is not None for piece in pieces[place + 1 :]):
            return True
    return False


def _is_verb_repeated(found: Alignment) -> bool:
    """Whether the doer has the verb of the claim a first time before: *one costs 9, two cost 17*."""
    verb = found.verb_place
    left = [place for at, place in found.places.items() if found.verb is not None and at < found.verb]
    between = () if verb is None or not left else range(max(left) + 1, verb)
    return any(found.said.pieces[at].token == found.said.pieces[verb or 0].token for at in between)


def _has_object(found: Alignment) -> bool:
    """Whether the verb that ends the claim has an object here, which may change it: *cooked the books*."""
    verb = found.verb_place
    if verb is None or found.verb is None or any(at > found.verb for at in found.places):
        return False
    asked = [piece.word for piece in found.claim.pieces]
    if FORMS_OF_BE.intersection(asked[max(0, found.verb - 2) : found.verb + 1]) or verb + 1 >= len(found.words):
        return False
    following = found.said.pieces[verb + 1]
    return not following.is_apart and (following.word in DETERMINERS or following.number is not None)


def _lacks_doer(found: Alignment) -> bool:
    """Whether the claim is about a pronoun that the statement does not have."""
    first = found.claim.pieces[0].word if found.claim.pieces else ""
    return first in _PRONOUNS and first not in found.words[: min(found.matched)]


def _place_of_negation(found: Alignment) -> int:
    """The first claimed word that a negation applies to, else the verb or the first word after it."""
    pieces = found.said.pieces
    negated = [place for place in found.matched if pieces[place].token in found.said.negated]
    verb = [] if found.verb_place is None else [found.verb_place]
    after = [place for at, place in found.places.items() if found.verb is not None and at > found.verb]
    return min(negated or verb or after or found.matched)


def _is_negation_limited(found: Alignment) -> bool:
    """Whether a negation may only apply to something that is not claimed: *did not resign in anger*, *until June*."""
    if not found.said.negators:
        return False
    asked = {piece.word for piece in found.claim.pieces}
    if _LIMITS_OF_NEGATION.intersection(found.words) - asked:
        return True
    start = _place_of_negation(found)
    days = {piece.day for piece in found.claim.pieces if piece.day is not None}
    extra = found.extra_content(start + 1, len(found.words))
    return any(found.said.pieces[at].day not in days or found.said.pieces[at].day is None for at in extra)
