"""Changes to an open item by hand: another due date, another owner."""

from recollect.errors import Refused
from recollect.model.certainty import complete_confidence
from recollect.model.entity import Entity
from recollect.model.fact import Fact, Source
from recollect.model.ids import FactId
from recollect.reason.corrections import AlreadyRetracted, SameTarget, is_closable_item
from recollect.reason.open_items import BLOCKERS, REQUEST
from recollect.store.change import Change
from recollect.when.period import Time
from recollect.write.fact_draft import GIVEN, FactDraft, FactKind, statement_of
from recollect.write.fact_edits import revise_fact
from recollect.write.record_statement import record_statement


class NotAnItem(Refused):
    def __init__(self) -> None:
        super().__init__("this fact is not a commitment, request, blocker, goal or pending decision", field="item")


class NoOwner(Refused):
    def __init__(self) -> None:
        super().__init__("a blocker has no owner; correct what is blocked or what blocks it instead", field="owner")


def move_item(change: Change, item: Fact, due: Time | None) -> FactId:
    """Give an item another due date, or none."""
    _check(item)
    return revise_fact(change, item, item._replace(valid_until=due)).id


def reassign_item(change: Change, item: Fact, owner: Entity) -> FactId:
    """Replace an item by the same one of another owner; the new fact."""
    _check(item)
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


def _check(item: Fact) -> None:
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
