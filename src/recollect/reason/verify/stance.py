"""The stance of a piece of evidence on a claim, by comparing their tokens."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Literal

from recollect.reason.verify.parsed_statement import ConnectiveSides, ParsedStatement, StatementPeriod
from recollect.reason.verify.statement_numbers import StatementNumber
from recollect.reason.verify.word_lists import OPPOSITE_CONNECTIVES, antonyms, cessatives, ending_verbs

Reason = Literal[
    "agrees",
    "past",
    "ended",
    "superseded",
    "number",
    "date",
    "negation",
    "antonym",
    "swapped",
    "other_value",
    "time",
    "role",
    "value",
    "nli",
]
Sign = Literal[-1, 0, 1]
Standing = Literal["current", "ended", "superseded"]
CONSIDERED_OVERLAP = 0.5
DECIDING_OVERLAP = 0.75


@dataclass(frozen=True, slots=True)
class Comparison:
    """What a claim and a piece of evidence share, and the reversals between them: negations, antonyms, swaps."""

    overlap: float
    has_entities: bool
    turns: int
    turned_by: Reason | None
    differs: Reason | None
    has_connective: bool
    is_unsure: bool = False
    is_ending: bool = False
    """Whether the evidence only says that what is claimed is over: *no longer*, *stopped*."""

    @property
    def is_considered(self) -> bool:
        return self.overlap >= CONSIDERED_OVERLAP and self.has_entities


@dataclass(frozen=True, slots=True)
class Stance:
    sign: Sign
    reason: Reason | None = None


NEUTRAL = Stance(0)


def compare(claim: ParsedStatement, evidence: ParsedStatement) -> Comparison:
    """The share of the claim's tokens in the evidence, and the reversals between the two."""
    pairs = _find_antonyms(claim.tokens, evidence.tokens)
    matched = sum(token in evidence.tokens or token in pairs for token in claim.tokens)
    matched += sum(any(number.unit == other.unit for other in evidence.numbers) for number in claim.numbers)
    matched += len(claim.days) if evidence.days else 0
    stops = _count_one_sided(claim.tokens, evidence.tokens, pairs)
    is_crossed, is_joined = _compare_connectives(claim.joined, evidence.joined)
    negations = claim.negators + evidence.negators + stops
    return Comparison(
        matched / claim.size if claim.size else 0.0,
        set(claim.entities) <= set(evidence.entities),
        negations + len(pairs) + is_crossed,
        "negation" if negations else "antonym" if pairs else "swapped" if is_crossed else None,
        _find_difference(claim, evidence),
        is_joined,
        _is_unsure(claim, evidence),
        _is_ending(claim, evidence, pairs, stops),
    )


def _is_ending(claim: ParsedStatement, evidence: ParsedStatement, pairs: dict[str, str], stops: int) -> bool:
    """Whether the only reversal between the two is that the evidence calls over what is claimed."""
    if claim.tells_end or pairs:
        return False
    is_stopped = stops == 1 and bool(ending_verbs() & (evidence.tokens - claim.tokens))
    return (is_stopped and not evidence.negators) or (evidence.tells_end and evidence.negators == 1 and not stops)


def _is_unsure(claim: ParsedStatement, evidence: ParsedStatement) -> bool:
    """Whether a negation applies to something that the other does not mention, or times cannot be compared."""
    loose = [token for token in evidence.negated if not _has(claim.tokens, token)]
    loose += [token for token in claim.negated if not _has(evidence.tokens, token)]
    is_open = any(_number_agrees(number, evidence) is None for number in claim.numbers)
    return bool(loose) or is_open or any(_time_agrees(day, evidence) is None for day in claim.days if evidence.days)


def _has(tokens: Collection[str], token: str) -> bool:
    return token in tokens or token in cessatives() or any(other in tokens for other in antonyms().get(token, ()))


def _time_agrees(day: StatementPeriod, evidence: ParsedStatement) -> bool | None:
    found = [day.agrees(other) for other in evidence.days]
    return True if True in found else None if None in found else False


def _number_agrees(number: StatementNumber, evidence: ParsedStatement) -> bool | None:
    """Whether the evidence has a number, or none that counts the same; none if its bounds leave it open."""
    found = [number.agrees(other) for other in evidence.numbers if other.unit == number.unit]
    return True if True in found or not found else None if None in found else False


def _find_antonyms(claim: Collection[str], evidence: Collection[str]) -> dict[str, str]:
    """Tokens of the claim that the evidence has only as their antonym."""
    found: dict[str, str] = {}
    for token in sorted(claim):
        others = sorted(antonyms().get(token, frozenset()) & (frozenset(evidence) - frozenset(claim)))
        if token not in evidence and others:
            found[token] = others[0]
    return found


def _count_one_sided(claim: Collection[str], evidence: Collection[str], pairs: dict[str, str]) -> int:
    alone = cessatives() & (frozenset(claim) ^ frozenset(evidence))
    return len(alone - pairs.keys() - set(pairs.values()))


def _compare_connectives(
    claim: Collection[ConnectiveSides], evidence: Collection[ConnectiveSides]
) -> tuple[bool, bool]:
    """Whether a connective joins the same two tokens in reverse order, and whether one joins them at all."""
    both = [
        (one, other) for one in claim for other in evidence if _are_connectives_alike(one.connective, other.connective)
    ]
    crossed = any(one.left & other.right and one.right & other.left for one, other in both)
    return crossed, crossed or any(one.left & other.left and one.right & other.right for one, other in both)


def _are_connectives_alike(one: str, other: str) -> bool:
    return one == other or (one, other) in OPPOSITE_CONNECTIVES or (other, one) in OPPOSITE_CONNECTIVES


def _find_difference(claim: ParsedStatement, evidence: ParsedStatement) -> Reason | None:
    for number in claim.numbers:
        if _number_agrees(number, evidence) is False:
            return "number"
    for day in claim.days:
        if evidence.days and _time_agrees(day, evidence) is False:
            return "date"
    return None


def has_claimed_words(claim: ParsedStatement, evidence: ParsedStatement) -> bool:
    """Whether a sentence has what the claim is about: its last word, and every name in it that is not an entity.

    A sentence may share most words with a claim and yet be about something else; what it lacks is then mostly the
    very thing claimed.
    """
    known = evidence.tokens | cessatives()
    missing = {token for token in claim.tokens - known if not antonyms().get(token, frozenset()) & evidence.tokens}
    return not missing.intersection({*claim.order[-1:], *claim.names})


def _stance_on_past(claim: ParsedStatement, compared: Comparison) -> Stance:
    """What is over was so before; when, its end does not tell."""
    if claim.days or compared.differs is not None:
        return NEUTRAL
    return Stance(-1, "negation") if claim.negators % 2 else Stance(1, "past")


def stance(claim: ParsedStatement, compared: Comparison, standing: Standing = "current") -> Stance:
    """Whether the evidence supports the claim (1), opposes it (-1) or neither, and why."""
    if compared.overlap < DECIDING_OVERLAP or not compared.has_entities or compared.is_unsure:
        return NEUTRAL
    is_over = standing != "current" and claim.tense == "present"
    is_odd = compared.turns % 2 == 1
    if compared.is_ending and claim.tense == "past":
        return _stance_on_past(claim, compared)
    match is_odd, compared.differs:
        case False, None if is_over:
            return Stance(-1, "ended" if standing == "ended" else "superseded")
        case False, None:
            return Stance(1, "agrees" if standing == "current" else "past")
        case False, reason if not is_over:
            return Stance(-1, reason)
        case True, None if not is_over:
            return Stance(-1, compared.turned_by)
        case _:
            return NEUTRAL
