"""Values that devices told apart of an attribute with one at a time: the later one ends the earlier, as in one store.

Where a device knew one value when it was told the other, it has settled the two itself. For the others each device
derives the same ends, starts and replacements from what all of them hold. Derived rows are made by reconciliations, so
they are never sent; all of a group are dropped before they are derived anew.
"""

from collections.abc import Iterable, Iterator, Sequence
from hashlib import blake2b
from typing import Final, Literal, NamedTuple

from recollect.ingest.notes.value_conflicts import rival_values
from recollect.keep.replication.document_join import StampedVersions, had_seen
from recollect.keep.replication.log import is_reconciliation
from recollect.model.certainty import Confidence
from recollect.model.fact import ENDS_ONLY, Assertion, Fact, Statement
from recollect.model.ids import AssertionId, EntityId, FactId, encode_id
from recollect.model.vocabulary import LIFELONG
from recollect.store import replication_queries
from recollect.store.change import Change
from recollect.store.port import Row
from recollect.store.replication_queries import Origin, RowChange
from recollect.store.tables import ASSERTION, FACT, RETCON, VersionedTable
from recollect.when.format import period_before
from recollect.when.instant import Instant
from recollect.when.period import Time
from recollect.when.span import Span
from recollect.write.fact_edits import FactMark, add_mark, start_of, stated_start
from recollect.write.predicates import is_single_valued
from recollect.write.slot_conflicts import dispute_values, resettle

_EVERYDAY: Final = "recollect"
"""The surface whose writers let a new value take the place of an old one."""
_MOST_VALUES: Final = 1000


class Attribute(NamedTuple):
    """An attribute of one thing."""

    subject: EntityId
    predicate: str


class _StatedValue(NamedTuple):
    """A value as one device stated it."""

    fact: Fact
    claim: Assertion
    origin: Origin
    was_moved: bool
    """Whether it was told as another fact, which was joined with this one: what that one replaced counts no more."""

    @property
    def order(self) -> tuple[Instant, AssertionId]:
        return self.claim.source_at, self.claim.id

    def is_concurrent_with(self, other: "_StatedValue") -> bool:
        """Whether neither device knew of the other, or what it made of that is lost."""
        one, two = self.origin, other.origin
        if self.was_moved or other.was_moved:
            return True
        is_same = (one.device, one.number) == (two.device, two.number)
        return not is_same and not had_seen(one, two) and not had_seen(two, one)


class ValueSettlement:
    """Settles the values of attributes in the transaction of a reconciliation."""

    def __init__(self, change: Change, versions: StampedVersions) -> None:
        self._change = change
        self._versions = versions

    def attributes_of(self, facts: Iterable[FactId]) -> list[Attribute]:
        """The attributes with one value at a time that these facts are or were values of."""
        found: set[Attribute] = set()
        for id_ in facts:
            for each in replication_queries.versions_of_row(self._change, FACT, (id_,))[-1:]:
                if is_single_valued(self._change, each.value("predicate")):
                    subject = self._change.survivor(each.value("subject"))
                    found |= set() if subject is None else {Attribute(subject.id, each.value("predicate"))}
        return sorted(found)

    def rows_to_settle_anew(self, attribute: Attribute) -> list[tuple[VersionedTable, Row]]:
        """All rows of an attribute if any of them is derived; what is derived has no other version."""
        facts = self._values(attribute)
        rows: list[tuple[VersionedTable, Row]] = [(FACT, (fact.id,)) for fact in facts]
        assertions = [each for fact in facts for each in self._change.assertions(fact.id)]
        rows += [(ASSERTION, (each.id,)) for each in assertions]
        replaced = [(RETCON, pair) for pair in self._replacements(facts)]
        is_derived = any(map(is_reconciliation, assertions)) or any(not self._versions.of(*each) for each in replaced)
        return [*rows, *replaced] if is_derived else []

    def settle(self, attribute: Attribute) -> None:
        values = self._values(attribute)
        if len({fact.slot for fact in values}) < 2:
            return
        told = sorted((each for fact in values for each in self._stated_values(fact)), key=lambda each: each.order)
        for fact in sorted(values, key=lambda each: each.id):
            if not fact.is_retracted:
                self._settle_value(fact, told)

    def _values(self, attribute: Attribute) -> list[Fact]:
        return self._change.facts_of_subject_ever(*attribute, _MOST_VALUES)

    def _replacements(self, facts: Sequence[Fact]) -> Iterator[Row]:
        for old, by in self._change.superseders([fact.id for fact in facts]).items():
            yield from ((old, each.id) for each in by if each.supersedes != old)

    def _stated_values(self, fact: Fact) -> Iterator[_StatedValue]:
        for each in self._change.assertions(fact.id):
            made = self._versions.of(ASSERTION, (each.id,))
            if each.is_claim and made:
                first = min(made)
                row = self._versions.row(ASSERTION, (each.id,), first.content or ())
                yield _StatedValue(fact, each, first.origin, row.value("fact") != fact.id)

    def _settle_value(self, fact: Fact, told: Sequence[_StatedValue]) -> None:
        """Let the first later value that was told apart end this one, or dispute it."""
        own = [each for each in told if each.fact.id == fact.id]
        if not own:
            return
        last = own[-1].claim.source_at
        before = [each.fact for each in told if each.claim.source_at <= last]
        for other in told:
            if other.fact.slot == fact.slot or other.claim.source_at < last or other.claim.surface != _EVERYDAY:
                continue
            if self._is_replaced_by_then(fact, other.claim.source_at):
                return
            if not any(one.is_concurrent_with(other) for one in own):
                continue
            rivals = rival_values(self._change, _statement(other), [fact, *before], present=self._present(other.claim))
            if fact in rivals.disputed:
                self._dispute(fact, other.fact)
            elif fact in rivals.replaced:
                self._replace(fact, other, is_first=_is_first(other, told))
                return

    def _present(self, claim: Assertion) -> Span:
        """The present when something was told, so that all devices settle it alike whenever they do."""
        is_fictional = self._change.timeline.is_fictional
        return self._change.world.present if is_fictional else Span(claim.recorded_at, claim.recorded_at)

    def _is_replaced_by_then(self, fact: Fact, at: Instant) -> bool:
        by = self._change.superseders([fact.id]).get(fact.id, ())
        return any(fact.source_at <= each.source_at <= at and not each.is_retracted for each in by)

    def _dispute(self, one: Fact, other: Fact) -> None:
        change = self._change
        found = change.fact(one.id), change.fact(other.id)
        if all(each is not None and not each.stale and not each.is_retracted for each in found):
            dispute_values(change, found[0] or one, found[1] or other)

    def _replace(self, old: Fact, new: _StatedValue, *, is_first: bool) -> None:
        change, claim = self._change, new.claim
        start = stated_start(change, claim.valid_from, claim.source_at)
        until = period_before(start, change.timeline)
        is_lasting = old.label == "AFFILIATED" and old.predicate not in LIFELONG
        if is_lasting and until is not None and start_of(change, old).lo < start.lo:
            self._mark("end", old, claim, valid_until=until)
        else:
            replication_queries.apply_row(change, RowChange(RETCON, (old.id, new.fact.id), ()))
            change.clear_cache()
            change.note_superseded(old.id)
            resettle(change, change.fact(old.id) or old)
        begun = change.fact(new.fact.id) or new.fact
        if is_lasting and is_first and begun.valid_from is None and not begun.is_retracted:
            self._mark("begin", begun, claim, valid_from=start)

    def _mark(
        self,
        what: Literal["begin", "end"],
        fact: Fact,
        claim: Assertion,
        valid_from: Time | None = None,
        valid_until: Time | None = None,
    ) -> None:
        sure = Confidence(fact.certainty, fact.source_kind, fact.confidence)
        mark = FactMark(sure, fact.source_at, valid_until, None, {ENDS_ONLY: True}, claim.document, valid_from)
        add_mark(self._change, self._change.fact(fact.id) or fact, mark, _mark_id(what, fact), claim.recorded_at)


def _mark_id(what: str, fact: Fact) -> AssertionId:
    """The same on every device, and after all ids that are made at a time: the mark counts last."""
    digest = blake2b(f"{what} {fact.id}".encode(), digest_size=14).digest()
    return AssertionId(encode_id(0xFFFF << 112 | int.from_bytes(digest, "big")))


def _is_first(told: _StatedValue, among: Iterable[_StatedValue]) -> bool:
    return next(each for each in among if each.fact.id == told.fact.id) is told


def _statement(told: _StatedValue) -> Statement:
    fact, claim = told.fact, told.claim
    sure = claim.certainty, claim.source_kind, claim.confidence
    told_ = Statement(fact.claim, claim.source_at, *sure, attributes=claim.attributes)
    return told_._replace(valid_from=claim.valid_from, valid_until=claim.valid_until)
