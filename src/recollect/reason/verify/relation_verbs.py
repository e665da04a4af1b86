"""Whether a claim is about the relation of a fact, and whether about its beginning, its end or the time between.

Two names and a year say nothing of what happened between them: who worked at a school in 2016 need not have founded,
left or burned it then. The verbs of each relation are therefore a closed list.
"""

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Literal

from recollect.model.relations import relation_from_predicate, relation_kinds
from recollect.reason.verify.parsed_statement import ParsedStatement, StatementPiece
from recollect.reason.verify.statement_verbs import find_verb
from recollect.reason.verify.word_lists import antonyms, cessatives, light_words
from recollect.text.content_words import content_token
from recollect.text.lexicon import AUXILIARIES, FORMS_OF_BE
from recollect.text.stop_words import STATEMENT_STOP_WORDS

Aspect = Literal["state", "start", "end"]
_STATES: Mapping[str, str] = {
    "works_at": "work employ employee job",
    "lives_in": "live reside dwell home",
    "studies_at": "study student",
    "spouse_of": "marry married spouse wife husband",
    "owns": "own owner possess belong",
    "leads": "lead head",
    "manages": "manage",
    "reports_to": "report",
    "member_of": "member belong",
}
_STARTS: Mapping[str, str] = {
    "works_at": "join start begin hire",
    "lives_in": "move settle",
    "studies_at": "enrol enroll enter start begin",
    "spouse_of": "marry wed",
    "owns": "buy acquire",
    "member_of": "join enter",
}
_ENDS: Mapping[str, str] = {
    "works_at": "leave quit resign retire fire dismiss sack",
    "lives_in": "leave",
    "studies_at": "leave quit graduate",
    "spouse_of": "divorce separate",
    "owns": "sell",
    "member_of": "leave quit resign",
}


def relation_aspect(claim: ParsedStatement, predicate: str, tokens: frozenset[str]) -> Aspect | None:
    """The part of a relation that a claim is about; none if it is about something else.

    `tokens` are those of the fact: its text, predicate and names.
    """
    at = find_verb(claim.pieces)
    if at is None:  # a past form such as *quit* does not show that it is one
        at = next((at for at, piece in enumerate(claim.pieces) if at and piece.token in cessatives()), None)
    verb = None if at is None else claim.pieces[at]
    is_state = at is not None and claim.pieces[at - 1].word in FORMS_OF_BE
    if verb is not None and verb.token is not None and not is_state:
        if verb.token in _verbs("start", predicate):
            return "start"
        if verb.token in _verbs("end", predicate):
            return "end"
    known = tokens | _verbs("state", predicate) | _relation_tokens(predicate) | light_words()
    if verb is None or verb.word in AUXILIARIES or verb.token is None:
        is_known = all(_is_covered(piece.token, known) for piece in _plain_words(claim))
    else:
        is_known = _is_covered(verb.token, known)
    return "state" if is_known else None


def _plain_words(claim: ParsedStatement) -> Iterator[StatementPiece]:
    """The words of a claim that are no names and no adverbs."""
    for piece in claim.pieces:
        if piece.token is not None and not piece.is_name and not piece.word.endswith("ly"):
            yield piece


def _is_covered(token: str | None, known: frozenset[str]) -> bool:
    return token in known or token in cessatives() or bool(antonyms().get(token or "", frozenset()) & known)


@cache
def _verbs_by_aspect() -> Mapping[tuple[Aspect, str], frozenset[str]]:
    tables: tuple[tuple[Aspect, Mapping[str, str]], ...] = (("state", _STATES), ("start", _STARTS), ("end", _ENDS))
    return {
        (aspect, predicate): frozenset(map(content_token, words.split()))
        for aspect, table in tables
        for predicate, words in table.items()
    }


def _verbs(aspect: Aspect, predicate: str) -> frozenset[str]:
    return _verbs_by_aspect().get((aspect, predicate), frozenset())


@cache
def _relation_tokens(predicate: str) -> frozenset[str]:
    """The tokens of all names that the vocabulary has for a relation in its two directions."""
    kind = relation_kinds().get(relation_from_predicate(predicate).name)
    names = (predicate,) if kind is None else (kind.name, *kind.also, *kind.reversed)
    words = (word for name in names for word in name.split("_") if word and word not in STATEMENT_STOP_WORDS)
    return frozenset(map(content_token, words))
