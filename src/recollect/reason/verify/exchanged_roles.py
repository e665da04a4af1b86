"""Whether a claim and a statement exchange who does something and to whom it is done."""

from collections.abc import Sequence

from recollect.reason.verify.fact_evidence import roles_of
from recollect.reason.verify.parsed_statement import ParsedStatement
from recollect.reason.verify.statement_verbs import find_verb
from recollect.reason.verify.word_lists import directional, mutual


def is_doer_exchanged(claim: ParsedStatement, said: ParsedStatement) -> bool:
    """Whether the doer of the claim stands after its verb in the statement, and another word of it before."""
    verb = find_verb(claim.pieces)
    token = None if verb is None else claim.pieces[verb].token
    if token is None or token not in said.order or token in mutual() or claim.by_places or said.by_places:
        return False
    (left, right), (before, after) = (sides_of(each.order, token) for each in (claim, said))
    return bool(left & after and right & before) and not left & before


def is_turned_round(claim: ParsedStatement, reading: ParsedStatement) -> bool:
    """Whether all that stands before a word in one stands after it in the other, and the other way round."""
    if claim.by_places or reading.by_places:
        return False
    for word in (claim.tokens & reading.tokens) - mutual():
        left, right = sides_of(claim.order, word)
        other_left, other_right = sides_of(reading.order, word)
        is_apart = not left & other_left and not right & other_right
        if is_apart and left & other_right and right & other_left:
            return True
    return False


def are_roles_exchanged(claim: ParsedStatement, reading: ParsedStatement) -> bool:
    """Whether the two names of a claim have exchanged roles, with `by` between them considered."""
    if len(claim.placed_names) != 2 or (claim.has_be and not claim.by_places):
        return _are_entities_exchanged(claim, reading)
    places = dict(reading.placed_names)
    (first, start), (second, stop) = claim.placed_names
    if first not in places or second not in places:
        return False
    one, other = places[first], places[second]
    is_passive = any(min(one, other) < at < max(one, other) for at in reading.by_places)
    return (one > other) != (any(start < at < stop for at in claim.by_places) != is_passive)


def are_sides_exchanged(claim: ParsedStatement, reading: ParsedStatement) -> bool:
    """Whether the words before a directional verb in one follow it in the other."""
    shared = directional() & claim.tokens & reading.tokens
    if len(shared) != 1 or claim.by_places or reading.by_places:
        return False
    [verb] = shared
    left, right = sides_of(claim.order, verb)
    other_left, other_right = sides_of(reading.order, verb)
    return bool(left & other_right and right & other_left)


def _are_entities_exchanged(claim: ParsedStatement, reading: ParsedStatement) -> bool:
    roles, others = roles_of(claim), roles_of(reading)
    return roles is not None and others == (roles[1], roles[0])


def sides_of(order: Sequence[str], token: str) -> tuple[set[str], set[str]]:
    """The tokens that occur only before a token, and those only after it."""
    at = order.index(token)
    left, right = set(order[:at]), set(order[at + 1 :])
    return left - right, right - left
