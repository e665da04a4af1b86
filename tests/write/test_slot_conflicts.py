"""A slot settled write by write, looking only at what a write concerns, stands as one that is settled as a whole."""

import itertools
from collections.abc import Sequence
from datetime import UTC
from random import Random
from typing import Any

import pytest

from recollect.memory import Memory
from recollect.model.certainty import Certainty
from recollect.model.fact import Fact, Label, Source, Statement
from recollect.model.ids import FactId
from recollect.model.slot import Verdict, are_rivals, decide_slot
from recollect.store.change import Change
from recollect.store.view import View
from recollect.when.instant import Instant, read_instant
from recollect.write.entity_refs import NamedRef, find_or_create
from recollect.write.predicates import claim
from recollect.write.record_statement import record_statement
from tests.support.properties import seeded

SAID: dict[Label, tuple[str, ...]] = {
    "ASSERTED": ("Ada will send the plan", "Ada will send the plan.", "Ada will send a plan", "Ada mends gate 1"),
    "AFFILIATED": ("Ada is an engineer", "Ada leads research", "Ada sweeps the yard"),
}
CERTAINTIES: tuple[Certainty, ...] = ("stated", "stated", "inferred", "retracted")
DAYS = tuple(read_instant(f"2026-05-0{day}T08:00:00Z", UTC) for day in (1, 2, 3))


def say(change: Change, label: Label, source_at: Instant, certainty: Certainty, words: str, source: str) -> int:
    """The slot of what was said."""
    ada, engine = (find_or_create(change, NamedRef(*end)).entity for end in (("Ada", "person"), ("Engine", "project")))
    meant = claim(change, ada.id, engine.id, None, predicate=None, label=label, fact_type="goal")
    said = Statement(meant, source_at, certainty, "extracted", 0.9, words, source=Source(key=source))
    return record_statement(change, said).fact.slot


def assert_settled_as_a_whole(view: View, slot: int) -> None:
    facts = view.facts_in_slot(slot)
    verdicts = decide_slot(facts)
    for found in facts:
        disputes = {each for pair in view.disputes_of(found.id) for each in (pair.one, pair.other)} - {found.id}
        verdict = verdicts[found.id]
        assert (found.stale, found.replaced_by) == (verdict.stale, verdict.replaced_by)
        assert disputes == verdict.conflicts_with | verdict.disputed_with


@pytest.mark.parametrize("label", SAID)
@seeded(4)
def test_after_every_write_each_fact_stands_as_if_all_were_settled_anew(
    memory: Memory, label: Label, seed: int
) -> None:
    random = Random(seed)
    for _ in range(25):
        certainty = random.choice(CERTAINTIES)
        with memory.write() as change:
            source = f"source {random.randrange(40)}"
            slot = say(change, label, random.choice(DAYS), certainty, random.choice(SAID[label]), source)
        with memory.read() as view:
            assert_settled_as_a_whole(view, slot)


def test_a_statement_unlike_all_others_is_settled_by_itself(memory: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    sizes = []

    def decide(facts: Sequence[Fact], *others: Any) -> dict[FactId, Verdict]:
        sizes.append(len(facts))
        return decide_slot(facts, *others)

    monkeypatch.setattr("recollect.write.slot_conflicts.decide_slot", decide)
    with memory.write() as change:
        slots = {
            say(change, "ASSERTED", DAYS[number % 3], "stated", f"Ada mends gate {number}", f"source {number}")
            for number in range(10)
        }
    assert len(slots) == 1
    assert set(sizes) == {1}


def test_a_value_that_was_replaced_many_times_is_compared_with_each_earlier_one_a_few_times(
    memory: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    compared = []

    def rivals(one: Fact, other: Fact) -> bool:
        compared.append(one)
        return are_rivals(one, other)

    with memory.write() as change:
        for minute in range(60):
            slot = say(change, "AFFILIATED", Instant(DAYS[0] + minute), "stated", f"Ada is at {minute}", f"{minute}")
        monkeypatch.setattr("recollect.model.slot.are_rivals", rivals)
        say(change, "AFFILIATED", DAYS[1], "stated", "Ada is at home", "last")
    assert len(compared) < 6 * 60
    with memory.read() as view:
        assert [fact.stale for fact in view.facts_in_slot(slot)].count(False) == 1
        assert_settled_as_a_whole(view, slot)


@pytest.mark.parametrize("order", list(itertools.permutations(range(3))))
def test_what_a_newer_fact_has_replaced_is_in_conflict_with_nothing(memory: Memory, order: tuple[int, ...]) -> None:
    first, second, _ = DAYS
    said: list[tuple[Instant, Certainty, str]] = [
        (first, "stated", "Ada is an engineer"),
        (first, "inferred", "Ada leads research"),
        (second, "inferred", "Ada sweeps the yard"),
    ]
    for number in order:
        with memory.write() as change:
            say(change, "AFFILIATED", *said[number], f"source {number}")
    with memory.read() as view:
        assert view.disputes() == []
