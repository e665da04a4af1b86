"""Changes that give only the new value and the old one: `no, it's Postgres 17, not 16`, `the deadline moved from …`."""

import re
from collections.abc import Collection, Sequence

from recollect.ingest.notes.claim_requests import find_only, target_text
from recollect.ingest.notes.fact_request import ClaimRequest, EndRequest
from recollect.ingest.notes.reader import NoteSentence
from recollect.model.entity import Entity
from recollect.model.fact import Fact
from recollect.model.history import is_current
from recollect.model.names import fold
from recollect.reading.clause import clauses
from recollect.reading.dated_patterns import MOVED
from recollect.reading.hedges import is_not_claimed
from recollect.reading.state_lexicon import DATE_NOUNS
from recollect.reason.closures.open_items import ITEM_PREDICATES
from recollect.store.change import Change
from recollect.store.fact_queries import facts_of_predicates
from recollect.store.fact_rows import FactFilter
from recollect.text.patterns import lazy_pattern

MAX_FACTS = 500
_RIGHT_AND_WRONG = lazy_pattern(
    r"^(?:(?:no|nope|sorry|oops|wait|actually|correction|hm+|oh|ah|well|my bad)[,.!:;]*\s+)*"
    r"(?:it|that)(?:['’]s| is| should be)(?: actually| really)? (?P<right>[^,;?]{1,80}?),? "
    r"(?:and not|not|rather than|instead of) (?P<wrong>[^,;?]{1,80}?)[.!]*$",
    re.IGNORECASE,
)


_THE = lazy_pattern(r"^(?:[Tt]he )(?P<noun>[a-z]+)$")
_MOST_OF_NOUN = 200


def corrected_value(change: Change, sentence: NoteSentence, about: EndRequest | None) -> ClaimRequest | None:
    """The claim with the right value; none unless just one current fact has the wrong one."""
    said = " ".join(sentence.record.masked_text.split())
    if not (sentence.is_owners and sentence.is_meant) or is_not_claimed(said):
        return None
    subject = find_only(change, about or EndRequest("Me", is_owner=True))
    values = _values(change, subject) if subject is not None else []
    return _corrected(change, values, said, sentence.record.quote) or _moved(
        change, values, said, sentence.record.quote
    )


def _corrected(change: Change, held: Sequence[Fact], said: str, quote: str) -> ClaimRequest | None:
    match = _RIGHT_AND_WRONG.match(said)
    if match is None:
        return None
    wrong = {fold(match["wrong"]), fold(" ".join([*match["right"].split()[:-1], match["wrong"]]))}
    return _request(change, _with_value(change, held, wrong), match["right"], quote)


def _moved(change: Change, held: Sequence[Fact], said: str, quote: str) -> ClaimRequest | None:
    """`The deadline moved from 30 June to 15 July`: of the topic or owner, else the only known deadline on that day."""
    match, asserted = MOVED.match(said.rstrip(".! ")), [each.is_asserted for each in clauses(said)]
    named = _THE.match(match["head"]) if match is not None else None
    if match is None or not match["a"] or named is None or named["noun"] not in DATE_NOUNS or asserted != [True]:
        return None
    own = [fact for fact in held if fact.predicate.split("_")[-1] == named["noun"]]
    of_any = facts_of_predicates(change, [named["noun"]], _MOST_OF_NOUN) or ()
    current = [fact for fact in of_any if is_current(fact, change.world.present)]
    found = _with_value(change, own, {fold(match["a"])}) or _with_value(change, current, {fold(match["a"])})
    return _request(change, found, match["v"], quote)


def _with_value(change: Change, facts: Sequence[Fact], values: Collection[str]) -> list[Fact]:
    return [each for each in facts if fold(target_text(change, each)) in values]


def _values(change: Change, subject: Entity) -> list[Fact]:
    held = change.facts_about(subject.id, FactFilter(change.world.present, limit=MAX_FACTS))
    facts = [each.fact for each in held if each.fact.subject == subject.id]
    return [each for each in facts if each.label == "AFFILIATED" and each.predicate not in ITEM_PREDICATES]


def _request(change: Change, found: Sequence[Fact], right: str, quote: str) -> ClaimRequest | None:
    subject = change.entity(found[0].subject) if len(found) == 1 else None
    if subject is None:
        return None
    wrong = found[0]
    former = change.entity(wrong.object) if wrong.object is not None else None
    target = EndRequest(right, former.type, is_guess=True) if former is not None else None
    value = right if target is None else None
    end = EndRequest(subject.name, id=subject.id)
    return ClaimRequest(end, wrong.predicate, target, value, replaces=wrong.id, quote=quote, is_read=True)
