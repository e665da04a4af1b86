"""What was true then, and what we knew then, in one question."""

import pytest

from recollect.ingest.line import parse_line
from recollect.ingest.line_writer import write_line
from recollect.memory import BadAsOf, Memory
from recollect.store.change import Change
from recollect.store.fact_queries import unretracted_facts
from recollect.surfaces.dispatch import call
from recollect.surfaces.registry import find_surface
from recollect.write.entity_refs import NamedRef, find_or_create
from recollect.write.merge import merge
from recollect.write.names import BadName
from recollect.write.retract import delete_entity, retract_fact
from recollect.write.undo import AlreadyUndone, LaterTransactionsDepend, NoSuchTransaction, undo
from tests.conftest import MovingClock
from tests.support.facts import entity_named, fact, facts_of, tell, texts


def lives(place: str, since: str) -> dict[str, object]:
    return fact("Ada", "lives_in", place, valid_from=since)


def test_a_late_correction_leaves_the_old_answer_visible(memory: Memory, clock: MovingClock) -> None:
    clock.set("2024-01-10T00:00:00Z")
    tell(memory, {**lives("London", "2020"), "valid_until": None}, id="a", source_at="2024-01-10T00:00:00Z")
    clock.set("2024-03-01T00:00:00Z")
    tell(
        memory,
        fact("Ada", "lives_in", "London", valid_until="2023-05"),
        lives("Paris", "2023-06"),
        id="b",
        source_at="2024-03-01T00:00:00Z",
    )
    assert texts(memory, "Ada", at="2024-02-01", as_of="2024-02-01") == ["Ada lives in London"]
    assert texts(memory, "Ada", at="2024-02-01", as_of="2024-04-01") == ["Ada lives in Paris"]
    assert texts(memory, "Ada", at="2021") == ["Ada lives in London"]
    assert texts(memory, "Ada", as_of="2024-01-09") == []


def test_a_clock_that_was_set_back_shows_nothing_that_was_learned_later(memory: Memory, clock: MovingClock) -> None:
    clock.set("2024-03-01T00:00:00Z")
    tell(memory, fact("Ada", "knows_about", "Looms"), id="a")
    clock.set("2024-01-10T00:00:00Z")
    tell(memory, fact("Ada", "knows_about", "Engines"), id="b")
    with memory.batch() as batch, batch.change() as change:
        write_line(change, parse_line({"facts": [fact("Ada", "knows_about", "Cards")]}))
    assert texts(memory, "Ada", as_of="2024-02-01") == []
    assert len(texts(memory, "Ada", as_of="2024-03-02")) == 3


def test_what_is_told_after_the_clock_was_set_back_by_hours_is_the_newest(memory: Memory, clock: MovingClock) -> None:
    remember = find_surface("recollect").find("remember")
    for time, place in (("15:00", "Porto"), ("11:00", "Lisbon"), ("11:01", "Faro")):
        clock.set(f"2024-03-01T{time}:00Z")
        told = call(remember, lambda _: memory, {"text": f"Ada lives in {place}."}).structured
        assert [each["state"] for each in told["facts"]] == ["current"], place
    with memory.batch() as batch, batch.change() as change:
        write_line(change, parse_line({"facts": [fact("Ada", "knows_about", "Cards")]}))
    with memory.read() as view:
        found = sorted(unretracted_facts(view), key=lambda each: each.id)
    assert [each.stale for each in found] == [True, True, False, False]
    recorded = [each.recorded_at for each in found]
    assert recorded == sorted(recorded)


def test_as_of_takes_a_tx_number_in_every_form(memory: Memory) -> None:
    tell(memory, fact("Ada", "knows_about", "Looms"), id="a")
    tell(memory, fact("Ada", "knows_about", "Engines"), id="b")
    assert [len(texts(memory, "Ada", as_of=when)) for when in (1, "1", "tx:1", 2, "999", 0, "tx:0")] == [
        1,
        1,
        1,
        2,
        2,
        0,
        0,
    ]


@pytest.mark.parametrize("when", ["yesterday", "2026-13-01", "tx:x", "", True])
def test_a_bad_as_of_is_refused_by_name(memory: Memory, when: object) -> None:
    with pytest.raises(BadAsOf) as refused, memory.read(when):  # type: ignore[arg-type]
        pass
    assert refused.value.field == "as_of"


def test_a_deleted_entity_hides_its_facts_but_not_from_an_earlier_moment(memory: Memory) -> None:
    tell(memory, fact("Ada", "knows_about", "Looms"), id="a")
    looms = entity_named(memory, "Looms")
    assert looms is not None
    with memory.write() as change:
        delete_entity(change, looms, "a joke")
    assert texts(memory, "Ada", every=True) == []
    assert entity_named(memory, "Looms") is None
    assert texts(memory, "Ada", as_of=1) == ["Ada knows about Looms"]


def test_a_retracted_fact_is_gone_now_and_there_then(memory: Memory) -> None:
    tell(memory, fact("Ada", "knows_about", "Looms"), id="a")
    [seen] = facts_of(memory, "Ada")
    with memory.write() as change:
        assert retract_fact(change, seen.fact.id) is not None
    assert texts(memory, "Ada") == []
    assert texts(memory, "Ada", as_of=1) == ["Ada knows about Looms"]


def test_a_merge_moves_facts_and_names_and_can_be_undone(memory: Memory) -> None:
    tell(
        memory,
        fact("Bob", "employee", "Acme"),
        fact("Robert Diaz", "employee", "Acme"),
        fact("Bob", "owner", "Boat"),
        id="a",
    )
    bob, robert = entity_named(memory, "Bob"), entity_named(memory, "Robert Diaz")
    assert bob is not None
    assert robert is not None
    with memory.write() as change:
        merge(change, bob, robert)
        merged = change.tx
    assert sorted(texts(memory, "Bob")) == ["Robert Diaz employee Acme", "Robert Diaz owner Boat"]
    assert [seen.fact.source_count for seen in facts_of(memory, "Robert Diaz") if seen.object_name == "Acme"] == [2]
    with memory.read() as view:
        assert view.aliases(view.entity(robert.id)) == ["Bob"]  # type: ignore[arg-type]
    with memory.write() as change:
        undo(change, merged)
    assert sorted(texts(memory, "Bob")) == ["Bob employee Acme", "Bob owner Boat"]
    assert texts(memory, "Robert Diaz") == ["Robert Diaz employee Acme"]
    assert len(texts(memory, "Robert Diaz", as_of=merged)) == 2


@pytest.mark.parametrize(("bob", "robert"), [(None, "Robert is a clerk"), ("Robert is a clerk", None)])
def test_of_two_facts_that_a_merge_makes_one_the_words_stay(
    memory: Memory, bob: str | None, robert: str | None
) -> None:
    tell(memory, fact("Bob", "employee", "Acme", bob), fact("Robert Diaz", "employee", "Acme", robert), id="a")
    loser, survivor = entity_named(memory, "Bob"), entity_named(memory, "Robert Diaz")
    assert loser is not None
    assert survivor is not None
    with memory.write() as change:
        merge(change, loser, survivor)
    assert texts(memory, "Robert Diaz") == ["Robert is a clerk"]


def test_undo_is_refused_where_later_ones_rest_on_it(memory: Memory) -> None:
    tell(memory, fact("Ada", "knows_about", "Looms"), id="a")
    tell(memory, fact("Ada", "knows_about", "Looms"), fact("Ada", "knows_about", "Engines"), id="b")
    with pytest.raises(LaterTransactionsDepend), memory.write() as change:
        undo(change, 1)
    with memory.write() as change:
        undo(change, 2)
    assert texts(memory, "Ada") == ["Ada knows about Looms"]
    with pytest.raises(AlreadyUndone), memory.write() as change:
        undo(change, 2)
    with memory.write() as change:
        undo(change, 1)
    assert entity_named(memory, "Ada") is None
    with pytest.raises(NoSuchTransaction), memory.write() as change:
        undo(change, 77)


def test_an_undone_line_can_come_again(memory: Memory) -> None:
    assert tell(memory, fact("Ada", "knows_about", "Looms"))
    assert not tell(memory, fact("Ada", "knows_about", "Looms"))
    with memory.write() as change:
        undo(change, 1)
    assert tell(memory, fact("Ada", "knows_about", "Looms"))
    assert texts(memory, "Ada") == ["Ada knows about Looms"]


def test_a_call_that_changes_nothing_is_no_transaction(memory: Memory) -> None:
    tell(memory, fact("Ada", "knows_about", "Looms"), id="a")
    with memory.write() as change:
        find_or_create(change, NamedRef("ada"))
    with memory.read() as view:
        assert view.last_tx == 1


def _two_people(change: Change, one: str, other: str) -> None:
    find_or_create(change, NamedRef(one, "person"))
    find_or_create(change, NamedRef(other, "person"))


def test_a_failed_call_leaves_no_trace(memory: Memory) -> None:
    with pytest.raises(BadName), memory.write() as change:
        _two_people(change, "Ada", " ")
    with memory.read() as view:
        assert (view.last_tx, view.counts()["entities"]) == (0, 0)
    with memory.write() as change:
        assert find_or_create(change, NamedRef("Ada", "person")).is_new
