"""Another value where there is one only: what something is, who made it, where somebody was born.

*Rain is a song* says that Rain is no film, and *born in Graz* excludes Linz. Only statements about the very same thing
are compared, and only values of which both cannot be true.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from recollect.reason.verify.countries import are_regions_apart, region_of_adjective
from recollect.reason.verify.noun_kinds import are_exclusive, implied_nouns, kinds_of
from recollect.reason.verify.parsed_statement import ParsedStatement, StatementPiece
from recollect.reason.verify.statement_verbs import DETERMINERS, PREPOSITIONS
from recollect.reason.verify.synonyms import with_tokens
from recollect.reason.verify.value_slots import find_slots, regions_in, subject_of
from recollect.reason.verify.word_lists import NO_ORIGIN_BEFORE, is_origin_within, origins
from recollect.text.lexicon import ARTICLES, DEMONSTRATIVES, FORMS_OF_BE, POSSESSIVES
from recollect.text.verbs import is_past_form

_IS = FORMS_OF_BE - {"be", "been", "being"}
_ALONE = frozenset("only solely exclusively purely entirely".split())
# Of a language as well as of a country: an Italian teacher may be a Dane.
_OF_A_SUBJECT = frozenset(
    "teacher professor scholar tutor translator interpreter lecturer student specialist expert historian chef cook "
    "restaurant lesson course class".split()
)
_CHOICE = frozenset(("or", "either", "neither"))
_FOOTBALLS = frozenset("american australian canadian gaelic".split())
_SORTS = frozenset(("work", "person", "band"))
_SORT_WORDS = frozenset(
    "television tv radio rock pop jazz folk metal punk hip hop rap soul blues opera stage drama comedy crime action "
    "thriller horror science fiction fantasy war adventure mystery romance short feature silent studio debut "
    "documentary live indie house dance record recording sports professional amateur young old great new former "
    "football basketball "
    "tennis baseball hockey cricket rugby golf chess racing born".split()
)
_ADJECTIVE_ENDINGS = ("al", "ic", "ous", "ive", "ful", "ary", "less", "ant", "ent", "ish", "ese", "ian")
_LONGEST_ORIGIN = 5
_KINDS_OF_SOMETHING = frozenset(("place", "person"))
_DETERMINING = POSSESSIVES | DEMONSTRATIVES | frozenset("some another every each no all most other".split())
_HEDGES = frozenset(
    "half part quarter almost nearly practically honorary fictional imaginary like so called wannabe".split()
)


# From here on letters are not Latin: a name written a second time in its own script.
_FIRST_OTHER_LETTER = "\u0370"


class Complement(NamedTuple):
    """What a statement says that something is: its owner, the heads of its nouns, and the origins among its words."""

    owner: tuple[StatementPiece, ...]
    heads: frozenset[str]
    origins: frozenset[str]
    words: frozenset[str]
    is_alone: bool = False
    regions: frozenset[str] = frozenset()
    """The countries that something is said to be from."""
    has_article: bool = False
    is_former: bool = False


def excludes(claim: ParsedStatement, said: ParsedStatement) -> bool:
    """Whether a statement gives the thing of a claim a value that the claimed one cannot stand beside."""
    if said.negators:
        return False
    return _is_something_else(claim, said) or _has_other_value(claim, said)


def _has_other_value(claim: ParsedStatement, said: ParsedStatement) -> bool:
    asked = find_slots(claim)
    given = find_slots(said) if asked else []
    return any(
        one.slot == other.slot and is_same_owner(one.owner, other.owner) and one.excludes(other)
        for one in asked
        for other in given
    )


def _is_something_else(claim: ParsedStatement, said: ParsedStatement) -> bool:
    asked = complement_of(claim)
    given = None if asked is None else complement_of(said)
    if asked is None or given is None or not is_same_owner(asked.owner, given.owner):
        return False
    return _is_other_kind(asked, given) or _is_other_origin(asked, given)


def _is_other_kind(asked: Complement, given: Complement) -> bool:
    if not asked.has_article or given.is_former or asked.heads & given.words:
        return False
    return any(
        all(are_exclusive(head, other) or not kinds_of(other) for other in given.heads)
        and any(are_exclusive(head, other) for other in given.heads)
        for head in asked.heads
    )


def _is_other_origin(asked: Complement, given: Complement) -> bool:
    if asked.regions and (regions := regions_of(given)):
        return all(are_regions_apart(one, other) for one in asked.regions for other in regions)
    if not asked.origins or not given.origins:
        return False
    if asked.is_alone and given.origins - asked.origins:
        return True
    return not any(
        is_origin_within(one, other) or is_origin_within(other, one) for one in asked.origins for other in given.origins
    )


def regions_of(given: Complement) -> frozenset[str]:
    """The countries of what something is said to be: those that it is from, or of its nationality."""
    found = (region_of_adjective(token) for token in given.origins)
    return given.regions | frozenset(region for region in found if region is not None)


def has_claimed_origin(claim: ParsedStatement, said: ParsedStatement) -> bool:
    """Whether a statement gives a nationality to what the claim says to be from that country, and no more."""
    asked = None if said.negators else complement_of(claim)
    given = None if asked is None or not asked.regions else complement_of(said)
    if asked is None or given is None or not is_same_owner(asked.owner, given.owner):
        return False
    return asked.regions <= regions_of(given) and not given.is_former


def with_implied_nouns(claim: ParsedStatement, said: ParsedStatement) -> ParsedStatement:
    """The statement with nouns that its own ones imply in place of these: a terrier as the dog that is claimed."""
    asked = complement_of(claim)
    if asked is None or not asked.heads - said.tokens or said.negators:
        return said
    given = complement_of(said)
    if given is None:
        return said
    implied = {
        other: head for other in sorted(given.heads - claim.tokens) for head in asked.heads & implied_nouns(other)
    }
    return with_tokens(said, implied)


def complement_of(said: ParsedStatement) -> Complement | None:
    """What a statement says that its subject is; none if it says something else."""
    pieces = said.pieces
    verb = next((at for at, piece in enumerate(pieces) if piece.word in _IS), None)
    if verb is None or not 0 < verb < len(pieces) - 1:
        return None
    owner = subject_of(pieces[:verb])
    phrases = list(_phrases(pieces[verb + 1 :]))
    if owner and pieces[verb + 1].word == "from":
        regions = frozenset(regions_in(pieces[verb + 2 :]))
        is_whole = len(pieces) - verb <= _LONGEST_ORIGIN
        return Complement(owner, frozenset(), frozenset(), frozenset(), regions=regions) if is_whole else None
    if not owner or not phrases:
        return None
    words = [piece for phrase in phrases for piece in phrase]
    if _HEDGES.intersection(_words(words)) or _CHOICE.intersection(_words(pieces)):
        return None
    return Complement(
        owner,
        frozenset(_heads(phrases, pieces)),
        frozenset(_origins(phrases)),
        frozenset(piece.token for piece in words if piece.token is not None),
        bool(_ALONE.intersection(piece.word for piece in pieces)),
        has_article=bool(ARTICLES.intersection(_words(pieces[verb + 1 : verb + 3]))),
        is_former="former" in _words(words),
    )


def _heads(phrases: Sequence[Sequence[StatementPiece]], pieces: Sequence[StatementPiece]) -> Iterator[str]:
    """The nouns that say what something is; a series of novels is none, and a form of dance may be anything."""
    for phrase in phrases:
        head = phrase[-1]
        after = pieces.index(head) + 1
        is_of = after < len(pieces) and pieces[after].word == "of"
        is_open = is_of and not _KINDS_OF_SOMETHING & kinds_of(head.token or "")
        if head.token is not None and head.token not in origins() and not is_open:
            yield head.token


def _words(pieces: Sequence[StatementPiece]) -> list[str]:
    return [piece.word for piece in pieces]


def _phrases(pieces: Sequence[StatementPiece]) -> Iterator[list[StatementPiece]]:
    """The nouns after a form of be, each with what stands before it: *an English singer, a writer and dancer*."""
    phrase: list[StatementPiece] = []
    for at, piece in enumerate(pieces):
        is_joint = piece.word == "and" or piece.is_apart
        if is_joint and phrase:
            yield phrase
            phrase = []
        if piece.word == "and":
            continue
        if _ends_phrase(pieces, at):
            break
        if piece.word not in DETERMINERS and piece.word not in _ALONE:
            phrase.append(piece)
    if phrase:
        yield phrase


def _ends_phrase(pieces: Sequence[StatementPiece], at: int) -> bool:
    piece = pieces[at]
    if piece.word in PREPOSITIONS or piece.word in ("or", "who", "which", "that", "where", "when", "but"):
        return True
    is_last = at + 1 == len(pieces) or pieces[at + 1].is_apart or pieces[at + 1].word in PREPOSITIONS
    return is_past_form(piece.word) and is_last


def is_of_sport(word: str, after: Sequence[str]) -> bool:
    """Whether a nationality only tells which game is meant: *an American football fan*."""
    return after[:1] == ["football"] and word in _FOOTBALLS


def _is_of_head(phrase: Sequence[StatementPiece], at: int) -> bool:
    """Whether a nationality is that of the noun which ends its phrase; in *a Swiss bank clerk* the bank is Swiss."""
    return "work" in kinds_of(phrase[-1].token or "") or all(map(_is_attribute, phrase[at + 1 : -1]))


def _is_attribute(piece: StatementPiece) -> bool:
    """Whether a word before a noun tells of what sort it is."""
    token = piece.token or ""
    is_adjective = piece.word.endswith(_ADJECTIVE_ENDINGS) or token in origins() or piece.token is None
    return is_adjective or bool(kinds_of(token) & _SORTS) or piece.word in _SORT_WORDS


def _origins(phrases: Sequence[Sequence[StatementPiece]]) -> Iterator[str]:
    for phrase in phrases:
        for at, piece in enumerate(phrase):
            after = _words(phrase[at + 1 :])
            is_other = bool(_OF_A_SUBJECT.intersection(after) or NO_ORIGIN_BEFORE.intersection(after[:1]))
            is_other = is_other or not _is_of_head(phrase, at) or is_of_sport(piece.word, after)
            if piece.token in origins() and not is_other:
                yield piece.token or ""


def is_same_owner(asked: Sequence[StatementPiece], given: Sequence[StatementPiece]) -> bool:
    """Whether two subjects are surely the same: all words of the claimed one, and besides only further names."""
    wanted = [piece.token for piece in asked if piece.token is not None]
    whole = given
    given = [piece for piece in given if piece.token is not None and piece.word[0] < _FIRST_OTHER_LETTER]
    found = [piece.token for piece in given]
    is_other = _DETERMINING & {piece.word for piece in asked} != _DETERMINING & {piece.word for piece in whole}
    if not wanted or wanted[-1:] != found[-1:] or is_other:
        return False
    extra = [piece for piece in given if piece.token not in wanted]
    is_person = len(wanted) > 1 and all(piece.is_name for piece in asked if piece.token is not None)
    return set(wanted) <= set(found) and (not extra or (is_person and all(piece.is_capital for piece in extra)))
