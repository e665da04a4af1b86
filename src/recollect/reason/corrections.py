"""Corrections of a fact: never true, ended, something else is true now, and of an item: due date, owner."""

from dataclasses import dataclass, replace
from typing import Literal

from recollect.errors import Conflict, Refused
from recollect.model.certainty import complete_confidence
from recollect.model.entity import Entity
from recollect.model.fact import Fact, Source, default_text
from recollect.model.ids import EntityId, FactId
from recollect.reason.closures.open_items import BLOCKERS, ITEM_PREDICATES, REQUEST
from recollect.store.change import Change
from recollect.store.write_queries import facts_also_superseded
from recollect.when.format import period_before
from recollect.when.instant import Instant
from recollect.when.period import Bounds, Time
from recollect.write.fact_draft import GIVEN, FactDraft, FactKind, statement_of
from recollect.write.fact_edits import declare_wrong, end_fact, mark_obsolete, revise_fact, supersede
from recollect.write.record_statement import record_statement

Mode = Literal["wrong", "ended", "changed"]
CANCELLED = "cancelled"


@dataclass(frozen=True, slots=True)
class NewTarget:
    """What a corrected claim points at: an entity or a literal."""

    object: EntityId | None = None
    literal: str | None = None


@dataclass(frozen=True, slots=True)
class Correction:
    """How a fact is corrected; `when` is the first period in which it no longer holds.

    `is_when_given`: somebody gave that time, so that it also corrects the end of a fact that has ended.
    """

    mode: Mode
    when: Time
    target: NewTarget | None = None
    reason: str | None = None
    is_when_given: bool = True

    def leaves_end_of(self, fact: Fact) -> bool:
        """Whether the fact has ended before, and nobody says that its end is wrong."""
        until = fact.valid_until if fact.label == "AFFILIATED" else None
        return until is not None and until.hi < self.when.lo and not self.is_when_given


@dataclass(frozen=True, slots=True)
class CorrectionResult:
    """The fact as it was, and the facts as they are now: the old one, then the new one if there is one."""

    before: Fact
    after: tuple[FactId, ...]


class MissingTarget(Refused):
    def __init__(self) -> None:
        super().__init__("mode changed needs the new value or object", field="value")


class UnneededTarget(Refused):
    def __init__(self) -> None:
        super().__init__("mode ended takes no value; use mode changed to say what holds instead", field="value")


class SameTarget(Refused):
    def __init__(self) -> None:
        super().__init__("this is what the fact says already", field="value")


class NoPeriodBefore(Refused):
    def __init__(self, when: Time) -> None:
        super().__init__(f"the calendar has no period before {when.text}", field="when")


class AlreadyEnded(Refused):
    def __init__(self, until: Time | None) -> None:
        known = "" if until is None else f" (until {until.text})"
        super().__init__(f"this fact has ended already{known}; pass when to correct its end", field="when")


class AlreadyRetracted(Conflict):
    def __init__(self) -> None:
        super().__init__("this fact is retracted already; remember it again if it is true after all")


def correct_fact(change: Change, fact: Fact, correction: Correction) -> CorrectionResult:
    """Apply a correction to one fact."""
    _check(fact, correction)
    match correction.mode:
        case "wrong":
            new = _correct_wrong(change, fact, correction)
        case "ended":
            new = _correct_ended(change, fact, correction)
        case "changed":
            new = _correct_changed(change, fact, correction)
    return CorrectionResult(fact, (fact.id,) if new is None else (fact.id, new))


def is_closable_item(fact: Fact) -> bool:
    """Whether the fact is an item that is done or cancelled rather than ended."""
    return fact.predicate in ITEM_PREDICATES and fact.label != "AFFILIATED"


def _check(fact: Fact, correction: Correction) -> None:
    target = correction.target
    if fact.is_retracted:
        raise AlreadyRetracted
    if correction.mode == "changed" and target is None:
        raise MissingTarget
    if correction.mode == "ended" and target is not None and not is_closable_item(fact):
        raise UnneededTarget
    if correction.mode == "ended" and correction.leaves_end_of(fact):
        raise AlreadyEnded(fact.valid_until)
    if correction.mode != "ended" and target is not None and _is_same(fact, target):
        raise SameTarget


def _is_same(fact: Fact, target: NewTarget) -> bool:
    return (fact.object, fact.literal) == (target.object, target.literal)


def _correct_wrong(change: Change, fact: Fact, correction: Correction) -> FactId | None:
    replaced = [] if fact.supersedes is None else [fact.supersedes, *facts_also_superseded(change, fact.id)]
    moved = None if correction.target is None else _new_time(change, fact, correction.target)
    if moved is not None and moved == fact.valid_from:
        raise SameTarget
    declare_wrong(change, fact, correction.reason)
    if correction.target is None:
        return None
    if moved is None:
        new = _state(change, fact, correction, fact.bounds)
    else:
        same = replace(correction, target=NewTarget(fact.object, fact.literal))
        new = _state(change, fact, same, Bounds(moved, moved))
    stated = change.fact(new)
    if stated is not None:
        supersede(change, stated, [each for each in replaced if each != new])
    return new


def _new_time(change: Change, fact: Fact, target: NewTarget) -> Time | None:
    """The right time of an event that says nothing but its time and place, such as a birth, given as the value."""
    is_dated = fact.valid_from is not None and fact.valid_from == fact.valid_until
    if fact.label != "TRANSITIONED" or not is_dated or fact.literal is not None or fact.words is not None:
        return None
    try:
        return change.world.read(target.literal) if target.literal else None
    except Refused:
        return None


def _correct_ended(change: Change, fact: Fact, correction: Correction) -> FactId | None:
    if is_closable_item(fact):
        return _close_item(change, fact, correction)
    until = _end_before(change, fact, correction.when)
    if until is None:
        mark_obsolete(change, fact, correction.reason)
    else:
        end_fact(change, fact, until, correction.reason)
    return None


def _correct_changed(change: Change, fact: Fact, correction: Correction) -> FactId:
    until = _end_before(change, fact, correction.when)
    if until is not None and not correction.leaves_end_of(fact):
        end_fact(change, fact, until, correction.reason)
    bounds = Bounds(correction.when) if fact.label == "AFFILIATED" else Bounds(None, fact.valid_until)
    return _state(change, fact, correction, bounds, supersedes=fact.id if until is None else None)


def _end_before(change: Change, fact: Fact, when: Time) -> Time | None:
    """The end of an affiliation that no longer holds at a time; none if it then becomes stale instead."""
    if fact.label != "AFFILIATED" or (fact.valid_from is not None and fact.valid_from.lo >= when.lo):
        return None
    until = period_before(when, change.world.timeline)
    if until is None:
        raise NoPeriodBefore(when)
    return until


def _state(
    change: Change, fact: Fact, correction: Correction, bounds: Bounds, supersedes: FactId | None = None
) -> FactId:
    """Record the claim that takes the place of a fact."""
    target = correction.target or NewTarget()
    draft = FactDraft(
        fact.subject,
        target.object,
        target.literal,
        FactKind(fact.label, fact.fact_type, fact.predicate, complete_confidence("stated")),
        _not_older(change, fact),
        Source(given=correction.reason, extracted_by=GIVEN),
        valid_from=bounds.valid_from,
        valid_until=bounds.valid_until,
        supersedes=supersedes,
    )
    return record_statement(change, statement_of(change, draft)).fact.id


def _close_item(change: Change, item: Fact, correction: Correction) -> FactId:
    """Record that an item is done or cancelled; that fact supersedes the item and is the evidence."""
    is_cancelled = correction.target is not None and (correction.target.literal or "").casefold() == CANCELLED
    predicate = "cancellation" if is_cancelled else "resolution" if item.predicate in BLOCKERS else "completion"
    draft = FactDraft(
        item.subject,
        item.object,
        item.literal,
        FactKind(None, None, predicate, complete_confidence("stated")),
        _not_older(change, item),
        Source(given=correction.reason, extracted_by=GIVEN),
        words=f"{'Cancelled' if is_cancelled else 'Done'}: {_item_text(change, item)}",
        valid_from=correction.when,
        supersedes=item.id,
    )
    return record_statement(change, statement_of(change, draft)).fact.id


def _not_older(change: Change, fact: Fact) -> Instant:
    return max(change.now, fact.source_at)


def _item_text(change: Change, item: Fact) -> str:
    if item.words or item.evidence:
        return item.words or item.evidence or ""
    subject = change.entity(item.subject)
    target = change.entity(item.object) if item.object is not None else None
    return default_text(subject.name if subject else "", item.predicate, target.name if target else item.literal)


class NotAnItem(Refused):
    def __init__(self) -> None:
        super().__init__("this fact is not a commitment, request, blocker, goal or pending decision", field="item")


class NoOwner(Refused):
    def __init__(self) -> None:
        super().__init__("a blocker has no owner; correct what is blocked or what blocks it instead", field="owner")


def move_item(change: Change, item: Fact, due: Time | None) -> FactId:
    """Give an item another due date, or none."""
    _check_item(item)
    return revise_fact(change, item, item._replace(valid_until=due)).id


def reassign_item(change: Change, item: Fact, owner: Entity) -> FactId:
    """Replace an item by the same one of another owner; the new fact."""
    _check_item(item)
    if item.predicate in BLOCKERS:
        raise NoOwner
    is_request = item.predicate == REQUEST
    former = item.object if is_request else item.subject
    if former == owner.id:
        raise SameTarget
    draft = FactDraft(
        item.subject if is_request else owner.id,
        owner.id if is_request else item.object,
        None if is_request else item.literal,
        FactKind(item.label, item.fact_type, item.predicate, complete_confidence("stated")),
        max(change.now, item.source_at),
        Source(extracted_by=GIVEN),
        words=_words_for(change, item, former, owner),
        valid_from=item.valid_from,
        valid_until=item.valid_until,
        supersedes=item.id,
    )
    return record_statement(change, statement_of(change, draft)).fact.id


def _check_item(item: Fact) -> None:
    if not is_closable_item(item):
        raise NotAnItem
    if item.is_retracted:
        raise AlreadyRetracted


def _words_for(change: Change, item: Fact, former: str | None, owner: Entity) -> str | None:
    """The item's own words with the name of the new owner in place of the former."""
    words = item.words or item.evidence
    known = None if former is None else change.entity(former)  # type: ignore[arg-type]
    if words is None:
        return item.literal if item.predicate == REQUEST and item.object is None else None
    return words if known is None else words.replace(known.name, owner.name)
