"""Facts as the extractors read them, and how they become part of the graph."""

from collections.abc import Sequence
from typing import NamedTuple

from recollect.errors import Refused
from recollect.ingest.still_made import still_made
from recollect.model.certainty import Certainty, how_sure
from recollect.model.document import Document
from recollect.model.entity import Entity
from recollect.model.fact import Assertion, Fact, Label, Source, Statement
from recollect.model.history import choose
from recollect.model.ids import AssertionId
from recollect.store.change import Change
from recollect.when.instant import Instant
from recollect.when.period import Time
from recollect.when.read import read_time
from recollect.write.meaning import claim
from recollect.write.record import record
from recollect.write.retract import withdraw
from recollect.write.revise import revise

RULES = "rules"
GIVEN = "given"


class Told(NamedTuple):
    """One fact that a record tells, its ends found."""

    label: Label
    fact_type: str
    subject: Entity
    target: Entity | None
    words: str | None
    certainty: Certainty
    source_at: Instant
    quote: str | None = None
    valid_until: str | None = None
    extracted_by: str = RULES


def write_told(
    change: Change,
    document: Document,
    told: Sequence[Told],
    before: Sequence[Assertion],
) -> None:
    """Record what a document tells; what it told before and no longer tells is withdrawn."""
    left = {assertion.id: assertion for assertion in before}
    waiting: list[Statement] = []
    for each in told:
        statement = statement_of(change, each, document)
        same = still_made(change, statement, left.values())
        if same is not None:
            del left[same.id]
        else:
            waiting.append(statement)
    for statement in waiting:
        if not _revised(change, statement, left):
            record(change, statement)
    withdraw(change, left.values())


def statement_of(change: Change, told: Told, document: Document) -> Statement:
    target = told.target.id if told.target else None
    return Statement(
        claim(change, told.subject.id, target, None, label=told.label, fact_type=told.fact_type),
        told.source_at,
        *how_sure(told.certainty, None, None),
        told.words,
        valid_until=_time(change, told.valid_until),
        is_open_start=change.timeline.is_fictional,
        source=Source(document.id, document.key, document.url, None, told.quote, told.extracted_by),
    )


def _time(change: Change, text: str | None) -> Time | None:
    """A time that can be read here; an invented calendar has no day for a real date, and what was said still was."""
    if text is None:
        return None
    try:
        return read_time(text, change.timeline, change.now)
    except Refused:
        return None


def _revised(change: Change, statement: Statement, left: dict[AssertionId, Assertion]) -> bool:
    """Let the fact that the same words made before say it as they are read now, if nothing else rests on it."""
    if change.recent.batch is not None:
        return False  # facts change their slot only where the store shows all that was written
    for assertion in left.values():
        fact = change.fact(assertion.fact)
        if fact is not None and _is_same_reading(fact, assertion, statement):
            if choose(statement, change.facts_in_slot(statement.claim.slot)) not in (None, fact):
                return False
            wanted = fact._replace(object=statement.claim.object, slot=statement.claim.slot, words=statement.words)
            _relocate(change, assertion, statement)
            revise(change, fact, wanted)
            del left[assertion.id]
            return True
    return False


def _is_same_reading(fact: Fact, assertion: Assertion, statement: Statement) -> bool:
    claimed = statement.claim
    return (
        fact.source_count == 1
        and (fact.subject, fact.label, fact.fact_type) == (claimed.subject, claimed.label, claimed.fact_type)
        and assertion.quote == statement.source.quote
        and assertion.source_at == statement.source_at
        and assertion.certainty == statement.certainty
        and assertion.valid_until == statement.valid_until
    )


def _relocate(change: Change, assertion: Assertion, statement: Statement) -> None:
    if assertion.source_url != statement.source.url:
        change.put_assertion(assertion._replace(source_url=statement.source.url))
