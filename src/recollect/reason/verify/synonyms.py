"""Words of one meaning: a statement in the words of a claim that is compared with it."""

from collections.abc import Mapping
from dataclasses import replace
from functools import cache

from recollect.reason.verify.parsed_statement import ParsedStatement
from recollect.text.content_words import content_token

# Only words that may stand for each other wherever a claim is likely to have them.
_SYNONYMS = """
begin start commence; end finish conclude; buy purchase; found establish form; marry wed; reside live dwell;
help assist aid; attempt try; construct build; allow permit; forbid prohibit ban; hire employ; select choose pick;
fix repair mend; close shut; portray depict; need require; answer reply; vanish disappear;
film movie; main primary principal predominant chief; large big; huge enormous; child kid; children kids;
car automobile;
doctor physician; lawyer attorney; author writer; sick ill; shop store; holiday vacation; flat apartment; lorry truck;
sofa couch; infant baby; rich wealthy; famous renowned; quick fast rapid; error mistake; award prize; mother mum mom;
father dad; grandmother grandma; grandfather grandpa; situated located; entire whole; annual yearly; bike bicycle;
phone telephone; photo photograph; exam examination; fridge refrigerator; aircraft airplane plane aeroplane;
solicitor attorney; couple pair
"""


@cache
def _sets() -> Mapping[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for words in _SYNONYMS.split(";"):
        tokens = set(map(content_token, words.split()))
        for token in tokens:
            found.setdefault(token, set()).update(tokens - {token})
    return {token: frozenset(others) for token, others in found.items()}


def synonyms(token: str) -> frozenset[str]:
    return _sets().get(token, frozenset())


def with_words_of(claim: ParsedStatement, said: ParsedStatement) -> ParsedStatement:
    """The statement with the claim's words in place of others that mean the same."""
    return with_tokens(
        said,
        {
            other: token
            for token in sorted(claim.tokens - said.tokens)
            for other in synonyms(token) & (said.tokens - claim.tokens)
        },
    )


def with_tokens(said: ParsedStatement, changed: Mapping[str, str]) -> ParsedStatement:
    """The statement with some of its tokens exchanged; names stay as they are."""
    if not changed:
        return said
    pieces = tuple(
        replace(piece, token=changed.get(piece.token or "", piece.token)) if not piece.is_name else piece
        for piece in said.pieces
    )
    order = tuple(piece.token for piece in pieces if piece.token is not None)
    negated = tuple(changed.get(token, token) for token in said.negated)
    return replace(said, pieces=pieces, order=order, tokens=frozenset(order), negated=negated)
