"""What the states of a clause are stored as: the entities they join, and the bounds within which they hold."""

from collections.abc import Callable, Iterator
from typing import NamedTuple

from recollect.ingest.extract.text_people import TextPeople, looks_like_name
from recollect.ingest.party_resolver import PERSON
from recollect.model.entity import NAME_LIMIT, UNKNOWN_TYPE, Entity
from recollect.model.names import PEOPLE
from recollect.model.vocabulary import built_in_predicates
from recollect.reading.attribute_patterns import LOCATED_IN
from recollect.reading.state import GROUP, HOUSE, OWNER, UNNAMED, State
from recollect.store.change import Change
from recollect.when.format import period_before
from recollect.when.instant import Instant
from recollect.when.period import Bounds, Time
from recollect.write.entity_refs import AmbiguousName, NamedRef, create, find, find_unambiguous
from recollect.write.fact_edits import stated_start
from recollect.write.lookup import GUESSED
from recollect.write.predicates import canonical_predicate


class StateFact(NamedTuple):
    """A state with its ends resolved."""

    subject: Entity
    predicate: str
    target: Entity | None
    literal: str | None
    bounds: Bounds


def state_facts(
    change: Change, people: TextPeople, state: State, own: Callable[[], Entity | None], said_at: Instant
) -> Iterator[StateFact]:
    """The facts of a state in a text by `own`; none unless its parties are plainly named."""
    predicate = canonical_predicate(change, state.predicate)
    known = built_in_predicates().get(predicate)
    if state.needs_known or state.is_judgement or (known is not None and known.label != "AFFILIATED"):
        return
    subject = own() if state.subject in (OWNER, GROUP) else _named_subject(change, people, state)
    if subject is None or (predicate == "works_at" and is_person(change, state.target or "")):
        return
    for each in timed_states(change, state, said_at):
        target = _target(change, people, each)
        if target is None or target.id != subject.id:
            literal = each.target if target is None else None
            yield StateFact(subject, predicate, target, literal, each.bounds)


def timed_states(change: Change, state: State, said_at: Instant) -> Iterator[State]:
    """The state with the bounds that its change gives it, after the former one that it replaces."""
    begun = state.bounds.valid_from
    if state.has_ended:
        yield state._replace(bounds=Bounds(None, end_before(change, begun, said_at)))
        return
    if state.replaced is not None:
        ended = Bounds(None, end_before(change, begun, said_at))
        yield state._replace(target=state.replaced, replaced=None, bounds=ended)
        state = state._replace(bounds=Bounds(stated_start(change, begun, said_at)))
    yield state


def end_before(change: Change, start: Time | None, said_at: Instant) -> Time | None:
    """The last time at which something held that had ended at a start, or else when it was said."""
    return period_before(stated_start(change, start, said_at), change.timeline)


def is_place(change: Change, name: str) -> bool:
    """Whether something known by this name may lie in a place for good: anything but a person."""
    entity = find_unambiguous(change, name)
    return entity is not None and entity.type not in PEOPLE | {UNKNOWN_TYPE}


def _named_subject(change: Change, people: TextPeople, state: State) -> Entity | None:
    """The entity that a state is of; a new one only where its role makes it a person."""
    name = state.subject
    if name in (UNNAMED, HOUSE) or len(name) > NAME_LIMIT:
        return None
    if state.predicate == LOCATED_IN:
        return find_unambiguous(change, name) if is_place(change, name) else None
    is_person = state.subject_type == PERSON
    found = people.resolve(name, may_create=is_person)
    return found if found is not None or is_person else find_unambiguous(change, name)


def _target(change: Change, people: TextPeople, state: State) -> Entity | None:
    """The entity at the other end of a state; none if it is a plain value or may be several."""
    name, type_ = state.target, state.target_type
    if name is None or type_ is None or len(name) > NAME_LIMIT:
        return None
    if type_ == PERSON:
        return people.resolve(name, may_create=looks_like_name(name))
    try:
        known = find(change, NamedRef(name))
    except AmbiguousName:
        return None
    if known is not None or not type_:
        return known
    made = create(change, NamedRef(name, type_, reason=GUESSED, stays_provisional=True))
    people.created.add(made.id)
    return made


def is_person(change: Change, name: str) -> bool:
    """Whether somebody known has this name."""
    entity = find_unambiguous(change, name) if name else None
    return entity is not None and entity.type in PEOPLE
