"""Transactions with what they changed, and two moments compared."""

from typing import Any

from tests.conftest import MovingClock
from tests.support.facts import entity_named, fact, facts_of, tell

from recollect.memory import Memory
from recollect.model.ids import EntityId
from recollect.reason.activity import TransactionList, list_activity
from recollect.reason.comparison import KnowledgeDifference, compare_moments
from recollect.reason.corrections import Correction, correct_fact
from recollect.store.activity_queries import ActivityFilter
from recollect.write.undo import undo


def activity(memory: Memory, **wanted: Any) -> TransactionList:
    with memory.read() as view:
        return list_activity(view, ActivityFilter(**wanted))


def id_of(memory: Memory, name: str) -> EntityId:
    found = entity_named(memory, name)
    assert found is not None
    return found.id


def end_job(memory: Memory, when: str = "2026-03") -> int:
    [row] = facts_of(memory, "Ada")
    with memory.as_actor("web", "fact", "lena").write() as change:
        correct_fact(change, row.fact, Correction("ended", change.world.read(when)))
        return change.tx


def test_the_newest_transaction_comes_first_with_who_and_what(memory: Memory) -> None:
    tell(memory, fact("Ada", "employee", "Guild", valid_from="2020"))
    end_job(memory)
    last, first = activity(memory).entries
    assert (last.tx.surface, last.tx.tool, last.tx.actor) == ("web", "fact", "lena")
    assert [(line.change, line.text) for line in last.lines] == [("ended", "Ada's employee is Guild")]
    assert tuple(last.lines[0].differences[0]) == ("until", "—", "2026-02")
    assert {(line.change, line.kind) for line in first.lines} >= {("learned", "fact"), ("created", "entity")}


def test_pages_follow_each_other_without_gap(memory: Memory) -> None:
    for number in range(7):
        tell(memory, fact("Ada", "member", f"Guild {number}"))
    first = activity(memory, limit=3)
    assert first.next_before is not None
    second = activity(memory, limit=3, before=first.next_before)
    third = activity(memory, limit=3, before=second.next_before)
    numbers = [entry.tx.tx for page in (first, second, third) for entry in page.entries]
    assert numbers == sorted(numbers, reverse=True)
    assert len(numbers) == 7
    assert third.next_before is None


def test_transactions_can_be_chosen_by_actor_tool_entity_and_period(memory: Memory, clock: MovingClock) -> None:
    tell(memory, fact("Ada", "employee", "Guild"))
    clock.set("2026-06-01T10:00:00Z")
    tell(memory, fact("Bo", "employee", "Mill"))
    clock.set("2026-07-01T10:00:00Z")
    tx = end_job(memory, "2026-06")

    def numbers(**wanted: Any) -> list[int]:
        return [entry.tx.tx for entry in activity(memory, **wanted).entries]

    [_, bo, ada] = numbers()
    assert numbers(actor="lena") == [tx]
    assert numbers(tool="ingest") == [bo, ada]
    assert numbers(surface="web") == [tx]
    assert numbers(entity=id_of(memory, "Ada")) == [tx, ada]
    with memory.read() as view:
        june = view.world.read("2026-06")
    assert numbers(since=june.lo, until=june.hi) == [bo]


def test_an_undone_transaction_names_the_one_that_undid_it(memory: Memory) -> None:
    tell(memory, fact("Ada", "employee", "Guild", valid_from="2020"))
    tx = end_job(memory)
    with memory.write() as change:
        by = undo(change, tx)
    undoing, undone, _ = activity(memory).entries
    assert undone.undone_by == by
    assert not undone.can_be_undone
    assert undoing.tx.undoes == tx
    assert undoing.can_be_undone
    assert [line.change for line in undoing.lines] == ["undone"]


def test_a_large_transaction_lists_some_changes_and_counts_the_rest(memory: Memory) -> None:
    tell(memory, *(fact("Ada", "member", f"Guild {number}") for number in range(60)))
    [entry] = activity(memory).entries
    assert len(entry.lines) == 12
    assert entry.more > 40


def compared(memory: Memory, first: int, last: int | None = None) -> KnowledgeDifference:
    with memory.read(first) as before, memory.read(last) as after:
        return compare_moments(before, after)


def test_two_moments_differ_by_what_was_added_changed_and_is_gone(memory: Memory) -> None:
    tell(memory, fact("Ada", "employee", "Guild", valid_from="2020"))
    tell(memory, fact("Cy", "employee", "Guild"))
    end_job(memory)
    tell(memory, fact("Bo", "employee", "Mill"))
    [row] = facts_of(memory, "Cy")
    with memory.write() as change:
        correct_fact(change, row.fact, Correction("wrong", change.world.now))
    found = compared(memory, 2)
    assert {(each.outcome, each.text.partition("'")[0]) for each in found.facts} == {
        ("added", "Bo"),
        ("changed", "Ada"),
        ("gone", "Cy"),
    }
    assert {(each.outcome, each.name) for each in found.entities} >= {("added", "Bo"), ("added", "Mill")}


def test_a_moment_does_not_differ_from_itself(memory: Memory) -> None:
    tell(memory, fact("Ada", "employee", "Guild"))
    assert compared(memory, 1, 1) == KnowledgeDifference((), (), False)


def test_what_came_and_went_between_two_moments_is_no_difference(memory: Memory) -> None:
    tell(memory, fact("Ada", "employee", "Guild"))
    tell(memory, fact("Bo", "employee", "Mill"))
    with memory.write() as change:
        undo(change, 2)
    assert compared(memory, 1).facts == ()
