"""Facts that wait for a person to say which entity is meant."""

from recollect.keep.forgetting.erasure import forget
from recollect.memory import Memory
from recollect.model.ids import EntityId, format_entity_id
from recollect.store.change import Change
from recollect.store.review_queries import (
    HeldFact,
    drop_held_fact,
    held_fact,
    held_facts,
    hold_fact,
)
from recollect.write.entity_refs import NamedRef, create
from recollect.write.undo import undo


def hold(change: Change, name: str, *candidates: EntityId) -> HeldFact:
    claim = {"subject": name, "predicate": "lives_in", "object": "Porto"}
    held = HeldFact(change.new_id(), name, "subject", candidates, claim, None, "chat", change.now, change.now)
    hold_fact(change, held)
    return held


def test_a_held_fact_is_listed_until_it_is_dropped(memory: Memory) -> None:
    with memory.write() as change:
        held = hold(change, "Lena", EntityId("A"), EntityId("B"))
    with memory.read() as view:
        assert held_facts(view, 10) == [held]
        assert held_fact(view, held.id) == held
    with memory.write() as change:
        drop_held_fact(change, held.id)
    with memory.read() as view:
        assert held_facts(view, 10) == []
        assert held_fact(view, held.id) is None
    with memory.read(1) as view:
        assert held_facts(view, 10) == [held]


def test_undoing_the_transaction_drops_what_it_held_and_restores_what_it_dropped(memory: Memory) -> None:
    with memory.write() as change:
        held = hold(change, "Lena")
    with memory.write() as change:
        drop_held_fact(change, held.id)
    with memory.write() as change:
        undo(change, 2)
    with memory.read() as view:
        assert held_facts(view, 10) == [held]
    with memory.write() as change:
        undo(change, 1)
    with memory.read() as view:
        assert held_facts(view, 10) == []


def test_erasing_a_candidate_erases_the_held_fact(memory: Memory) -> None:
    with memory.write() as change:
        one, other = create(change, NamedRef("Lena", "person")), create(change, NamedRef("Ole", "person"))
        hold(change, "Lena", one.id)
        kept = hold(change, "Ole", other.id)
    forget(memory, [format_entity_id(one.id)])
    with memory.read() as view:
        assert held_facts(view, 10) == [kept]
