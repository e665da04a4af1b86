"""Remembering in tests, and reading back what became of it."""

from typing import Any

from recollect.ingest.notes.fact_request import (
    BadFact,
    ClaimRequest,
    RefusedClaim,
    parse_end,
    parse_fact,
    refused_claim,
)
from recollect.ingest.notes.remember import RememberOutcome, RememberRequest, remember_all
from recollect.memory import Memory
from recollect.model.fact import Fact
from recollect.reason.items.fact_state import fact_state
from recollect.store.change import Change
from recollect.when.instant import Instant, read_instant
from recollect.when.period import Time


def tell(
    memory: Memory, text: str | None = None, *facts: dict[str, Any], about: str | None = None, at: str | None = None
) -> RememberOutcome:
    """One call of `remember`; `at` is the time of the source."""
    with memory.as_actor("recollect", "remember").write() as change:
        return remember_all(change, request_of(change, text, facts, about, at))


def request_of(
    change: Change, text: str | None, facts: tuple[dict[str, Any], ...], about: str | None, at: str | None
) -> RememberRequest:
    source_at = read_instant(at, change.world.zone) if at else Instant(change.now)

    def read(written: str, _: str) -> Time:
        return change.world.read(written)

    def parse(raw: dict[str, Any], index: int) -> ClaimRequest | RefusedClaim:
        try:
            return parse_fact(raw, f"facts[{index}]", read)
        except BadFact as problem:
            return refused_claim(raw, problem)

    parsed = [parse(raw, index) for index, raw in enumerate(facts)]
    topic = parse_end(about, "about") if about else None
    return RememberRequest(source_at, text, parsed, topic, "chat")


def claim(memory: Memory, fact: Fact) -> tuple[str, str, str | None, str]:
    """Subject, predicate, target and state."""
    with memory.read() as view:
        subject = view.entity(fact.subject)
        target = view.entity(fact.object) if fact.object is not None else None
        assert subject is not None
        state = fact_state(fact, view.world.present)
        return subject.name, fact.predicate, target.name if target is not None else fact.literal, state


def claims(memory: Memory, remembered: RememberOutcome) -> list[tuple[str, str, str | None, str]]:
    """What was recorded, in the order of the result."""
    found = []
    for outcome in remembered.facts:
        assert outcome.fact is not None, outcome
        with memory.read() as view:
            fact = view.fact(outcome.fact)
        assert fact is not None
        found.append(claim(memory, fact))
    return found


def bounds(memory: Memory, remembered: RememberOutcome, index: int = 0) -> tuple[str | None, str | None]:
    id_ = remembered.facts[index].fact
    assert id_ is not None
    with memory.read() as view:
        fact = view.fact(id_)
    assert fact is not None
    return (
        fact.valid_from.text if fact.valid_from else None,
        fact.valid_until.text if fact.valid_until else None,
    )


def outcomes(remembered: RememberOutcome) -> list[str]:
    return [each.outcome for each in remembered.facts]


def states(memory: Memory, name: str, predicate: str) -> dict[str, str]:
    """By value, the state of the facts of an entity with a predicate."""
    from tests.support.facts import entity_named

    from recollect.write.owner import find_owner, is_owner_word

    with memory.read() as view:
        entity = find_owner(view) if is_owner_word(name) else entity_named(memory, name)
        assert entity is not None
        facts = [each for each in view.facts_touching(entity.id) if each.predicate == predicate]
        return {str(claim(memory, each)[2]): fact_state(each, view.world.present) for each in facts}
