"""The verb of a statement, by its form, and the times that belong to it."""

from collections.abc import Sequence
from dataclasses import replace

from recollect.reason.verify.parsed_statement import OWNER_MARK, ParsedStatement, StatementPeriod, StatementPiece
from recollect.text import lexicon
from recollect.text.lexicon import AUXILIARIES
from recollect.text.verbs import is_finite_verb, is_past_form

Pieces = Sequence[StatementPiece]
DETERMINERS = lexicon.DETERMINERS - {"that", "all", "both", "each"}
"""Without *that*, which begins clauses, and words that stand alone: *all came*."""
PREPOSITIONS = lexicon.PREPOSITIONS - lexicon.TIME_PREPOSITIONS | {"than"}
"""Without those of times, which belong to the days that are read."""
_CONTINUING = frozenset("and to until or early late the".split())


def find_verb(pieces: Pieces) -> int | None:
    """The place of the verb that says what is claimed: the last of the first group of verbs, else one in -s."""
    words = [piece.word for piece in pieces]
    for at in range(1, len(words)):
        if words[at] in AUXILIARIES or (is_participle(words[at]) and not pieces[at].is_name):
            return _end_of_group(words, at)
    for at in range(1, len(words)):
        if words[at].endswith("s") and not words[at].endswith("ss") and _may_be_verb(pieces, at):
            return at
    return None


def _end_of_group(words: Sequence[str], at: int) -> int:
    while words[at] in AUXILIARIES and at + 1 < len(words):
        following = at + 1
        while following + 1 < len(words) and words[following].endswith("ly"):
            following += 1
        is_form = words[following] in AUXILIARIES or is_participle(words[following]) or words[following].endswith("ing")
        if not is_form and words[at] not in ("did", "does", "do"):
            return at
        at = following
    return at


def is_participle(word: str) -> bool:
    return word == "born" or is_past_form(word)


def _may_be_verb(pieces: Pieces, at: int) -> bool:
    piece, before = pieces[at], pieces[at - 1]
    is_noun = before.word in DETERMINERS or before.number is not None or before.word == OWNER_MARK
    return not piece.is_name and piece.token is not None and not is_noun


def bind_times(claim: ParsedStatement, said: ParsedStatement) -> ParsedStatement:
    """The statement with only the times of the verb that is claimed; without any if that is not certain."""
    if not claim.days or len(said.days) < 2:
        return said
    verb = find_verb(claim.pieces)
    token = None if verb is None else claim.pieces[verb].token
    places = [at for at, piece in enumerate(said.pieces) if token is not None and piece.token == token]
    found = _times_after(said.pieces, places[0]) if len(places) == 1 else []
    return replace(said, days=tuple(found))


def _times_after(pieces: Pieces, verb: int) -> list[StatementPeriod]:
    """The first time after a verb and before the next one, with those that continue it: *in 1961 and 1974*."""
    found: list[StatementPeriod] = []
    for at in range(verb + 1, len(pieces)):
        piece = pieces[at]
        if piece.day is not None:
            found.append(piece.day)
        elif (found and piece.word not in _CONTINUING) or is_finite_verb(piece.word):
            break
    return found
