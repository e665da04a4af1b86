"""Corrections that give only the right value and the wrong one: `no, it's Postgres 17, not 16`."""

import re

from recollect.ingest.notes.claim_requests import find_only, target_text
from recollect.ingest.notes.fact_request import ClaimRequest, EndRequest
from recollect.ingest.notes.reader import NoteSentence
from recollect.model.entity import Entity
from recollect.model.fact import Fact
from recollect.model.names import fold
from recollect.reading.hedges import is_not_claimed
from recollect.reason.closures.open_items import ITEM_PREDICATES
from recollect.store.change import Change
from recollect.store.fact_rows import FactFilter
from recollect.text.patterns import lazy_pattern

MAX_FACTS = 500
_RIGHT_AND_WRONG = lazy_pattern(
    r"^(?:(?:no|nope|sorry|oops|wait|actually|correction|hm+|oh|ah|well|my bad)[,.!:;]*\s+)*"
    r"(?:it|that)(?:['’]s| is| should be)(?: actually| really)? (?P<right>[^,;?]{1,80}?),? "
    r"(?:and not|not|rather than|instead of) (?P<wrong>[^,;?]{1,80}?)[.!]*$",
    re.IGNORECASE,
)


def corrected_value(change: Change, sentence: NoteSentence, about: EndRequest | None) -> ClaimRequest | None:
    """The claim with the right value; none unless just one current fact of the topic or owner has the wrong one."""
    said = " ".join(sentence.record.masked_text.split())
    match = _RIGHT_AND_WRONG.match(said)
    if match is None or not (sentence.is_owners and sentence.is_meant) or is_not_claimed(said):
        return None
    subject = find_only(change, about or EndRequest("Me", is_owner=True))
    wrong = {fold(match["wrong"]), fold(" ".join([*match["right"].split()[:-1], match["wrong"]]))}
    found = [each for each in _values(change, subject) if fold(target_text(change, each)) in wrong] if subject else []
    if subject is None or len(found) != 1:
        return None
    return _request(change, subject, found[0], match["right"], sentence.record.quote)


def _values(change: Change, subject: Entity) -> list[Fact]:
    held = change.facts_about(subject.id, FactFilter(change.world.present, limit=MAX_FACTS))
    facts = [each.fact for each in held if each.fact.subject == subject.id]
    return [each for each in facts if each.label == "AFFILIATED" and each.predicate not in ITEM_PREDICATES]


def _request(change: Change, subject: Entity, wrong: Fact, right: str, quote: str) -> ClaimRequest:
    former = change.entity(wrong.object) if wrong.object is not None else None
    target = EndRequest(right, former.type, is_guess=True) if former is not None else None
    value = right if target is None else None
    end = EndRequest(subject.name, id=subject.id)
    return ClaimRequest(end, wrong.predicate, target, value, replaces=wrong.id, quote=quote, is_read=True)
