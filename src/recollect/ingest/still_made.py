"""What an earlier version of a record said already."""

from collections.abc import Iterable

from recollect.model.fact import Assertion, Statement
from recollect.store.change import Change


def still_made(change: Change, statement: Statement, before: Iterable[Assertion]) -> Assertion | None:
    """The assertion of an earlier version of the record that says exactly this."""
    for assertion in before:
        if _says(assertion, statement):
            fact = change.fact(assertion.fact)
            if fact is not None and fact.slot == statement.claim.slot and fact.words == statement.words:
                return assertion
    return None


def _says(assertion: Assertion, statement: Statement) -> bool:
    return (
        assertion.source_at == statement.source_at
        and assertion.quote == statement.source.quote
        and assertion.extracted_by == statement.source.extracted_by
        and assertion.source_url == statement.source.url
        and assertion.confidence == statement.confidence
        and assertion.certainty == statement.certainty
        and assertion.valid_from == statement.valid_from
        and assertion.valid_until == statement.valid_until
        and dict(assertion.attributes) == dict(statement.attributes)
    )
