"""What a source says now, against what it said before: kept, recorded or withdrawn."""

from collections.abc import Callable, Iterable

from recollect.model.fact import Assertion, Fact, Statement
from recollect.model.history import choose_confirmed_fact
from recollect.model.ids import AssertionId
from recollect.store.change import Change
from recollect.write.fact_draft import FactDraft, statement_of
from recollect.write.fact_edits import revise_fact
from recollect.write.record_statement import RecordedFact, assess_source, record_assessed
from recollect.write.retract import withdraw_assertions


def reconcile_source(change: Change, drafts: Iterable[FactDraft], before: Iterable[Assertion]) -> None:
    """Write what a source says now; an earlier fact from the same passage is revised, what is gone is withdrawn."""
    reconciliation = SourceReconciliation(change, before)
    statements = [assess_source(change, statement_of(change, draft)) for draft in drafts]
    for statement in [each for each in statements if not reconciliation.repeats(each)]:
        if not reconciliation.revises(statement):
            record_assessed(change, statement)
    reconciliation.finish()


class SourceReconciliation:
    """The assertions of a source that it has not repeated yet."""

    __slots__ = ("_change", "_left")

    def __init__(self, change: Change, before: Iterable[Assertion] = ()) -> None:
        self._change = change
        self._left: dict[AssertionId, Assertion] = {each.id: each for each in before}

    def state(self, statement: Statement) -> RecordedFact | None:
        """Record a statement; none if the source made it before."""
        statement = assess_source(self._change, statement)
        return None if self._left and self.repeats(statement) else record_assessed(self._change, statement)

    def repeats(self, statement: Statement) -> bool:
        """Whether the source made this statement before; if so, its assertion is kept."""
        for assertion in self._left.values():
            if _is_same_assertion(assertion, statement):
                fact = self._change.fact(assertion.fact)
                if fact is not None and fact.slot == statement.claim.slot and fact.words == statement.words:
                    del self._left[assertion.id]
                    return True
        return False

    def keep(self, says_same: Callable[[Assertion, Fact], bool]) -> Fact | None:
        """The fact that the source claimed before in a way that counts as the same; its assertion is kept."""
        for assertion in self._left.values():
            fact = self._change.fact(assertion.fact)
            if fact is not None and says_same(assertion, fact):
                del self._left[assertion.id]
                return fact
        return None

    def revises(self, statement: Statement) -> bool:
        """Change the fact that the same passage gave before, if no other source supports it."""
        if self._change.recent.batch is not None:
            return False  # a fact may change its slot only where the store shows everything written
        for assertion in self._left.values():
            fact = self._change.fact(assertion.fact)
            if fact is not None and _is_same_passage(fact, assertion, statement):
                return self._revise(fact, assertion, statement)
        return False

    def _revise(self, fact: Fact, assertion: Assertion, statement: Statement) -> bool:
        claimed, url = statement.claim, statement.source.url
        if choose_confirmed_fact(statement, self._change.facts_in_slot(claimed.slot)) not in (None, fact):
            return False
        if assertion.source_url != url:
            self._change.put_assertion(assertion._replace(source_url=url))
        revised = fact._replace(object=claimed.object, slot=claimed.slot, words=statement.words)
        revise_fact(self._change, fact, revised)
        del self._left[assertion.id]
        return True

    def finish(self) -> list[Fact]:
        """Withdraw what the source no longer says; the facts as they stand now."""
        return withdraw_assertions(self._change, self._left.values()) if self._left else []


def repeats_statement(assertion: Assertion, statement: Statement) -> bool:
    """Whether an assertion gives the same bounds, confidence, evidence, quote and attributes."""
    return (
        assertion.valid_from == statement.valid_from
        and assertion.valid_until == statement.valid_until
        and assertion.confidence == statement.confidence
        and assertion.evidence == statement.evidence
        and assertion.quote == statement.source.quote
        and dict(assertion.attributes) == dict(statement.attributes)
    )


def _is_same_assertion(assertion: Assertion, statement: Statement) -> bool:
    return (
        assertion.source_at == statement.source_at
        and assertion.source_url == statement.source.url
        and assertion.certainty == statement.certainty
        and assertion.extracted_by == statement.source.extracted_by
        and repeats_statement(assertion, statement)
    )


def _is_same_passage(fact: Fact, assertion: Assertion, statement: Statement) -> bool:
    claimed = statement.claim
    return (
        fact.source_count == 1
        and (fact.subject, fact.label, fact.fact_type) == (claimed.subject, claimed.label, claimed.fact_type)
        and assertion.quote == statement.source.quote
        and assertion.source_at == statement.source_at
        and assertion.certainty == statement.certainty
        and assertion.valid_until == statement.valid_until
    )
