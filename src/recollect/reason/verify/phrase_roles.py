"""Whether the words of a claim belong to the same phrases in a statement.

*Lost the key to the boathouse* has all words of *lost the boathouse*; what was lost is another thing.
"""

from itertools import pairwise

from recollect.reason.verify.alignment import Alignment
from recollect.reason.verify.noun_kinds import kinds_of
from recollect.reason.verify.parsed_statement import OWNER_MARK
from recollect.reason.verify.statement_verbs import DETERMINERS, PREPOSITIONS
from recollect.text.lexicon import FORMS_OF_BE, POSSESSIVES

_LINKS = PREPOSITIONS - {"by", "than", "as", "like"}
_WITHIN = frozenset("in at within inside".split())
_ELSEWHERE = frozenset("of near outside off beyond around opposite beside between behind under above to".split())
_PARTS_OF_PLACE = frozenset(
    "north south east west northeast northwest southeast southwest centre center middle heart part region area half "
    "corner interior capital tip".split()
)
_SOME_OF = frozenset("other second third fourth fifth few two three four five".split())


def has_other_role(found: Alignment) -> bool:
    """Whether a word of the claim belongs to another phrase, owner or name in the statement."""
    checks = (_is_in_other_phrase, _is_of_part, _is_of_other_owner, _is_less_often, _is_other_name, _is_elsewhere)
    return any(check(found) for check in checks)


def _is_in_other_phrase(found: Alignment) -> bool:
    """Whether a preposition stands before a word that follows another one directly in the claim."""
    asked = [piece.word for piece in found.claim.pieces]
    verb = found.verb if found.verb is not None else min(found.places) + 1
    if asked[verb : verb + 1] and asked[verb] in FORMS_OF_BE:
        return False
    for one, other in pairwise(each for each in sorted(found.places) if each >= verb):
        start, stop = found.places[one], found.places[other]
        is_next = start < stop and not any(start < place < stop for place in found.matched)
        if is_next and not PREPOSITIONS.intersection(asked[one + 1 : other]) and _is_linked(found, start, stop):
            return True
    return False


def _is_linked(found: Alignment, start: int, stop: int) -> bool:
    """Whether a preposition begins the phrase of a word, after another noun that is not claimed."""
    pieces, words = found.said.pieces, found.words
    at = stop - 1
    while at > start and not pieces[at + 1].is_apart and words[at] not in _LINKS:
        is_of_phrase = words[at] in DETERMINERS or (pieces[at].token is not None and pieces[at].day is None)
        if not is_of_phrase:
            return False
        at -= 1
    is_link = at > start and words[at] in _LINKS and not pieces[at + 1].is_apart
    return is_link and bool(found.extra_content(start + 1, at)) and words[at - 1] != "out"


def _is_elsewhere(found: Alignment) -> bool:
    """Whether something is near, and not in, the place where the claim says it is: *on the border of Austria*."""
    asked = [piece.word for piece in found.claim.pieces]
    verb = found.verb
    if verb is None or asked[verb] not in FORMS_OF_BE or asked[verb + 1 : verb + 2][:1] == []:
        return False
    wanted = asked[verb + 1]
    after = [place for at, place in found.places.items() if at > verb]
    if wanted not in PREPOSITIONS or not after:
        return False
    for at in range(min(after) - 1, -1, -1):
        word = found.words[at]
        if word == "of" and at and (found.words[at - 1] in _PARTS_OF_PLACE or kinds_of(found.words[at - 1])):
            continue
        if word in PREPOSITIONS:
            return word in _ELSEWHERE - {wanted} or (wanted == "from" and word in _WITHIN | {"to"})
        if word in FORMS_OF_BE:
            return False
    return False


def _is_of_part(found: Alignment) -> bool:
    """Whether what something is of only lies where the claim's owner does: *the capital of a province in Spain*."""
    asked = [piece.word for piece in found.claim.pieces]
    if found.verb is None or asked[found.verb] not in FORMS_OF_BE:
        return False
    for one, other in pairwise(sorted(at for at in found.places if at > found.verb)):
        start, stop = found.places[one], found.places[other]
        links = [at for at in range(start + 1, stop) if found.words[at] in PREPOSITIONS]
        is_of = "of" in asked[one + 1 : other] and len(links) > 1 and found.words[links[-1]] != "of"
        if is_of and found.extra_content(start + 1, links[-1]):
            return True
    return False


def _is_of_other_owner(found: Alignment) -> bool:
    """Whether a thing that is his in the claim is somebody else's: *his brother's van*."""
    for asked, place in found.places.items():
        is_owned = asked > 0 and found.claim.pieces[asked - 1].word in POSSESSIVES
        if is_owned and OWNER_MARK in found.words[max(0, place - 2) : place]:
            return True
    return False


def _is_less_often(found: Alignment) -> bool:
    """Whether something is done every other day that is claimed of every day."""
    said, asked = _words_after_every(found.words), _words_after_every([piece.word for piece in found.claim.pieces])
    return bool(asked) and bool((said - asked) & _SOME_OF)


def _words_after_every(words: list[str]) -> set[str]:
    return {other for one, other in pairwise(words) if one == "every"}


def _is_other_name(found: Alignment) -> bool:
    """Whether a first name that the claim has is another one here: *Kestrel Freight*, *Marlin Freight*."""
    claim, pieces = found.claim.pieces, found.said.pieces
    for asked, place in found.places.items():
        before = asked - 1
        is_missing = asked > 0 and before not in found.places and claim[before].is_capital and claim[asked].is_name
        is_other = place > 0 and pieces[place - 1].is_capital and not pieces[place].is_apart
        is_longer = place > 1 and pieces[place - 2].is_capital
        if is_missing and claim[before].token is not None and is_other and not is_longer:
            first = pieces[place - 1].token
            return first is not None and first not in found.claim.tokens
    return False
