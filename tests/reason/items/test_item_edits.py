"""An open item gets another due date or another owner, and each change can be undone."""

from collections.abc import Iterator
from typing import Any

import pytest
from tests.support.facts import entity_named, fact, facts_of, tell

from recollect.memory import Memory
from recollect.model.ids import FactId
from recollect.reason.closures.open_items import owner_of
from recollect.reason.corrections import NoOwner, NotAnItem, SameTarget, move_item, reassign_item
from recollect.reason.items.item_list import ItemFilter, ListedItem, list_items
from recollect.store import item_queries
from recollect.store.item_queries import ItemFactRow
from recollect.write.undo import undo

PERSON = "person"
PLAN = "Ada will send the plan"


def tell_item(
    memory: Memory, predicate: str = "commitment", words: str = "Ada will send the plan", **more: Any
) -> None:
    ada = {"name": "Ada", "type": PERSON}
    tell(memory, fact(ada, predicate, {"name": "Mill", "type": "project"}, words, "ASSERTED", **more))
    tell(memory, fact({"name": "Bo", "type": PERSON}, "member", "Guild"))


def items(memory: Memory) -> list[ListedItem]:
    with memory.read() as view:
        return list_items(view, ItemFilter()).items


def only(memory: Memory) -> FactId:
    [listed] = items(memory)
    return listed.item.id


def reassign(memory: Memory, item: FactId, name: str) -> int:
    owner = entity_named(memory, name)
    assert owner is not None
    with memory.write() as change:
        known = change.fact(item)
        assert known is not None
        reassign_item(change, known, owner)
        return change.tx


def move(memory: Memory, item: FactId, due: str) -> int:
    with memory.write() as change:
        known = change.fact(item)
        assert known is not None
        move_item(change, known, change.world.read(due))
        return change.tx


def take_back(memory: Memory, tx: int) -> None:
    with memory.write() as change:
        undo(change, tx)


def test_a_moved_item_is_due_on_the_new_day(memory: Memory) -> None:
    tell_item(memory, valid_until="2026-05-01")
    before = items(memory)
    assert before[0].state == "overdue"
    tx = move(memory, only(memory), "2026-06-01")
    [moved] = items(memory)
    assert moved.state == "open"
    take_back(memory, tx)
    [back] = items(memory)
    assert (back.state, back.item.due) == ("overdue", before[0].item.due)


def test_a_reassigned_commitment_has_the_new_owner_and_the_old_words(memory: Memory) -> None:
    tell_item(memory, valid_until="2026-06-01")
    before = items(memory)
    tx = reassign(memory, only(memory), "Bo")
    [listed] = items(memory)
    owner = owner_of(listed.item)
    assert owner is not None
    assert (owner.name, listed.item.text, listed.item.due) == ("Bo", "Bo will send the plan", before[0].item.due)
    take_back(memory, tx)
    assert items(memory) == before


def test_a_reassigned_request_is_asked_of_somebody_else(memory: Memory) -> None:
    ada, cy = ({"name": name, "type": PERSON} for name in ("Ada", "Cy"))
    tell(memory, fact(ada, "request", cy, "Ada asked Cy for the plan", "ASSERTED"))
    tell(memory, fact({"name": "Bo", "type": PERSON}, "member", "Guild"))
    reassign(memory, only(memory), "Bo")
    [listed] = items(memory)
    owner = owner_of(listed.item)
    assert owner is not None
    assert (owner.name, listed.item.text, listed.item.subject.name) == ("Bo", "Ada asked Bo for the plan", "Ada")


def test_an_item_is_not_reassigned_to_its_owner(memory: Memory) -> None:
    tell_item(memory)
    with pytest.raises(SameTarget):
        reassign(memory, only(memory), "Ada")


def test_a_blocker_has_no_owner(memory: Memory) -> None:
    tell_item(memory, "blocker", "Mill waits for the permit")
    with pytest.raises(NoOwner):
        reassign(memory, only(memory), "Bo")


def test_a_plain_fact_is_not_moved(memory: Memory) -> None:
    tell(memory, fact("Ada", "member", "Guild"))
    [row] = facts_of(memory, "Ada")
    with pytest.raises(NotAnItem):
        move(memory, row.fact.id, "2026-06-01")


def test_a_short_list_reads_few_more_items_than_it_shows(memory: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(12):
        tell_item(memory, words=f"Ada will write letter {number}", valid_until=f"2027-01-{number + 1:02}")
    every, read = item_queries.items_by_due_date, []

    def counted(*asked: Any) -> Iterator[ItemFactRow]:
        for row in every(*asked):
            read.append(row)
            yield row

    monkeypatch.setattr(item_queries, "items_by_due_date", counted)
    with memory.read() as view:
        found = list_items(view, ItemFilter(limit=2))
    assert (len(found.items), found.counts["open"]) == (2, 12)
    assert len(read) <= 4


def test_a_list_without_counts_shows_the_same_items(memory: Memory) -> None:
    for number in range(4):
        tell_item(memory, words=f"Ada will write letter {number}", valid_until=f"2027-01-{number + 1:02}")
    with memory.read() as view:
        counted, bare = list_items(view, ItemFilter(limit=2)), list_items(view, ItemFilter(limit=2, has_counts=False))
    assert (bare.items, bare.is_cut, bare.counts) == (counted.items, counted.is_cut, {})
