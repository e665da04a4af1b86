"""The facts to record for the states that were read from a note."""

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

from recollect.ingest.extract.state_facts import end_before, is_person, is_place
from recollect.ingest.notes.fact_request import ClaimRequest, EndRequest
from recollect.ingest.notes.relatives import find_relative
from recollect.ingest.notes.value_conflicts import current_values
from recollect.model.entity import Entity
from recollect.model.fact import Fact
from recollect.model.ids import FactId
from recollect.model.names import PEOPLE, fold
from recollect.reading.attribute_patterns import LOCATED_IN
from recollect.reading.state import GROUP, HOUSE, OWNER, UNNAMED, State
from recollect.store.change import Change
from recollect.when.format import period_before
from recollect.when.instant import Instant
from recollect.when.period import Time
from recollect.write.entity_refs import find_unambiguous
from recollect.write.fact_edits import start_of, stated_start
from recollect.write.owner import find_owner
from recollect.write.predicates import canonical_predicate

_NOT_SWITCHED = PEOPLE | {"organization", "location", "team"}
"""Types of things between which one does not switch as between tools."""


class OwnFacts(NamedTuple):
    """What a note did when it was read before: the facts it made known, those they replaced, and those it ended."""

    made_known: frozenset[FactId] = frozenset()
    replaced: tuple[Fact, ...] = ()
    ended: frozenset[FactId] = frozenset()


NO_FACTS = OwnFacts()
_OFTEN_SEVERAL = frozenset({"uses", "prefers"})
"""Predicates of which a new value replaces a former one only if there is just one to replace."""


def requests_of(
    change: Change,
    state: State,
    quote: str,
    about: EndRequest | None,
    source_at: Instant,
    own: OwnFacts = NO_FACTS,
) -> Iterator[ClaimRequest]:
    """The facts that a state asks to record; what the note itself did when it was read before counts as not done."""
    bounds = state.bounds
    subject = _subject_of(change, state, about)
    if subject is None:
        return
    if state.predicate == "works_at" and is_person(change, state.target or ""):
        return
    if state.predicate == LOCATED_IN and not is_place(change, state.subject):
        return
    is_entity = state.target_type is not None and state.target is not None
    target = EndRequest(state.target or "", state.target_type or None, is_guess=True) if is_entity else None
    fact = ClaimRequest(
        subject,
        state.predicate,
        target,
        None if is_entity else _value_of(change, state),
        bounds.valid_from,
        bounds.valid_until,
        state.replaces,
        quote=quote,
        is_read=True,
    )
    if state.needs_known and not _is_known_value(change, fact, state.target or "", own):
        return
    if state.has_ended:
        until = end_before(change, bounds.valid_from, source_at)
        if bounds.valid_from is None and until is not None:
            until = _known_end(change, fact, until, own) or until
        fact = replace(fact, valid_from=None, valid_until=until, has_ended=True)
    is_often_several = state.predicate in _OFTEN_SEVERAL or state.predicate.endswith(" lives in")
    if state.replaces and is_often_several and not _has_one_current_value(change, fact, own):
        fact = replace(fact, replaces=False)
    denied = tuple(value for value in state.ruled_out if _is_current_value(change, fact, value, own))
    if denied and not state.has_ended:
        fact = replace(fact, replaces=False, denied_values=denied)
    if state.goes_back:
        fact = _replacing_successor(change, fact, source_at, own)
    if state.replaced is None:
        yield fact
    elif not (_is_other_kind(change, state.replaced) or _is_other_kind(change, state.target or "")):
        yield from _switch(change, fact, state.replaced, source_at, own)


def _value_of(change: Change, state: State) -> str | None:
    """The value of a state; the owner is named in it, since whoever reads it later is not the owner."""
    owner = find_owner(change) if state.predicate == "owes" else None
    return state.target if owner is None else re.sub(r" to (?:me|us)$", f" to {owner.name}", state.target or "")


def _switch(
    change: Change, fact: ClaimRequest, former: str, source_at: Instant, own: OwnFacts
) -> Iterator[ClaimRequest]:
    """The new value, which replaces the former one; that is recorded as ended if it was not known."""
    if not _is_known_value(change, fact, former, own):
        until = end_before(change, fact.valid_from, source_at)
        yield replace(fact, object=None, value=former, valid_from=None, valid_until=until)
    start = fact.valid_from or stated_start(change, None, source_at)
    yield replace(fact, valid_from=start, replaced_value=former)


def _replacing_successor(change: Change, fact: ClaimRequest, source_at: Instant, own: OwnFacts) -> ClaimRequest:
    """A claim that a former value holds again, in place of what followed it, else of the only current value."""
    values = _values(change, fact, own)
    former = [each for each in values if fold(target_text(change, each)) == fold(fact.target_text or "")]
    ends = {each.valid_until.hi for each in former if each.valid_until is not None}
    beside = current_values(change, values, lambda each: each not in former)
    before = {each.id: period_before(start_of(change, each), change.timeline) for each in beside}
    followed = [each for each in beside if (end := before[each.id]) is not None and end.hi in ends]
    meant = followed or beside
    if len(meant) != 1:
        return fact
    start = fact.valid_from or stated_start(change, None, source_at)
    return replace(fact, valid_from=start, replaced_value=target_text(change, meant[0]))


def _is_current_value(change: Change, fact: ClaimRequest, value: str, own: OwnFacts) -> bool:
    known = _with_value(change, fact, value, own)
    return fold(value) != fold(fact.target_text or "") and bool(current_values(change, known, lambda _: True))


def _is_known_value(change: Change, fact: ClaimRequest, value: str, own: OwnFacts) -> bool:
    return bool(_with_value(change, fact, value, own))


def _with_value(change: Change, fact: ClaimRequest, value: str, own: OwnFacts) -> list[Fact]:
    return [each for each in _values(change, fact, own) if fold(target_text(change, each)) == fold(value)]


def _known_end(change: Change, fact: ClaimRequest, until: Time, own: OwnFacts) -> Time | None:
    """When what no longer holds ended, if it is known to have ended before that was said."""
    known = _with_value(change, fact, fact.target_text or "", own)
    ends = [each.valid_until for each in known if each.valid_until is not None]
    if not ends or len(ends) < len(known) or any(end.hi >= until.hi for end in ends):
        return None
    return max(ends, key=lambda end: end.hi)


def _has_one_current_value(change: Change, fact: ClaimRequest, own: OwnFacts) -> bool:
    return len(current_values(change, _values(change, fact, own), lambda _: True)) == 1


def _values(change: Change, fact: ClaimRequest, own: OwnFacts) -> list[Fact]:
    subject = find_only(change, fact.subject)
    if subject is None:
        return []
    here = subject.id, canonical_predicate(change, fact.predicate)
    values = [each for each in change.facts_of_subject(*here, 200) if each.id not in own.made_known]
    return values + [each for each in own.replaced if (each.subject, each.predicate) == here and each not in values]


def find_only(change: Change, end: EndRequest) -> Entity | None:
    if end.is_owner:
        return find_owner(change)
    return change.survivor(end.id) if end.id is not None else find_unambiguous(change, end.name)


def _is_other_kind(change: Change, name: str) -> bool:
    entity = find_only(change, EndRequest(name))
    return entity is not None and entity.type in _NOT_SWITCHED


def _subject_of(change: Change, state: State, about: EndRequest | None) -> EndRequest | None:
    """Whom a state is of: "I" is the owner; "we" and a missing subject are what the text is about."""
    match state.subject:
        case subject if subject == OWNER:
            return EndRequest("Me", is_owner=True)
        case subject if subject in (GROUP, HOUSE):
            return about or EndRequest("Me", is_owner=True)
        case subject if subject == UNNAMED:
            return about
        case name:
            relative = find_relative(change, name)
            if relative is not None:
                return EndRequest(relative.name, id=relative.id)
            return EndRequest(name, state.subject_type, is_guess=True)


def target_text(change: Change, fact: Fact) -> str:
    entity = change.entity(fact.object) if fact.object is not None else None
    return entity.name if entity is not None else fact.literal or ""
