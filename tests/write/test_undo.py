"""Transactions taken back: one after another, and never so that something later hangs in the air."""

import pytest

from recollect.ingest.line import parse_line
from recollect.ingest.line_writer import write_facts_from, write_line
from recollect.keep.forgetting.erasure import forget
from recollect.memory import Memory
from recollect.model.actor import Actor
from recollect.reason.activity import describe_kept
from recollect.store.change import Change
from recollect.store.tables import OPEN, VERSIONED
from recollect.write.entity_edits import find_name_conflict
from recollect.write.merge import merge
from recollect.write.retract import delete_entity
from recollect.write.undo import (
    AlreadyUndone,
    ErasureIsFinal,
    LaterTransactionsDepend,
    latest_undoable,
    reverse_transaction,
    undo,
)
from tests.support.calls import last_tx
from tests.support.facts import entity_named, fact, facts_of, take_line, tell, texts


def take_back(memory: Memory, tx: int) -> int:
    with memory.write() as change:
        return undo(change, tx)


def standing(change: Change) -> dict[str, list[str]]:
    """Everything that stands, but not since when."""
    found: dict[str, list[str]] = {}
    for table in VERSIONED:
        width = 1 + len(table.key)
        begun = [row for tx in range(1, change.last_tx + 1) for row in change.connection.begun_by(table, change.ws, tx)]
        found[table.name] = sorted(repr((row[:width], row[width + 2 :])) for row in begun if row[width + 1] == OPEN)
    return found


def state(memory: Memory) -> dict[str, list[str]]:
    with memory.write() as change:
        return standing(change)


def history(memory: Memory) -> None:
    """A life of some transactions that all touch each other."""
    tell(memory, fact("Bob", "employee", "Acme", fact="Bob is a clerk"), id="a", source_at="2026-01-01T00:00:00Z")
    tell(memory, fact("Bob", "employee", "Acme", fact="Bob is the boss"), id="b", source_at="2026-02-01T00:00:00Z")
    tell(memory, fact("Bob", "employee", "Acme", fact="Bob is a clerk"), id="c", source_at="2026-03-01T00:00:00Z")
    take_line(memory, {"entities": [{"name": "Bob", "type": "Person", "aliases": ["Bobby"]}]})
    tell(memory, fact("Robert", "employee", "Acme"), fact("Robert", "owner", "Boat"), id="a")
    bob, robert = entity_named(memory, "Bob"), entity_named(memory, "Robert")
    assert bob is not None
    assert robert is not None
    with memory.write() as change:
        merge(change, bob, robert)
    tell(memory, fact("Bobby", "owner", "Boat"), id="d", source_at="2026-04-01T00:00:00Z")
    boat = entity_named(memory, "Boat")
    assert boat is not None
    with memory.write() as change:
        delete_entity(change, boat, "sold")


def test_all_that_was_done_can_be_taken_back_step_by_step(memory: Memory) -> None:
    empty = state(memory)
    history(memory)
    done = last_tx(memory)
    assert done == 8
    for tx in range(done, 0, -1):
        take_back(memory, tx)
    assert state(memory) == empty
    assert texts(memory, "Bob", as_of=done) == texts(memory, "Robert", as_of=done) != []


def test_what_was_taken_back_can_be_done_again_and_taken_back_again(memory: Memory) -> None:
    tell(memory, fact("Ada", "knows_about", "Looms"), id="a")
    tell(memory, fact("Ada", "knows_about", "Looms"), id="b")
    twice = state(memory)
    back = take_back(memory, 2)
    once = state(memory)
    take_back(memory, back)
    assert state(memory) == twice
    assert take_back(memory, 2) == 5
    assert state(memory) == once
    with pytest.raises(AlreadyUndone):
        take_back(memory, 2)


def test_a_repetition_that_was_taken_back_does_not_hold_what_it_repeated(memory: Memory) -> None:
    tell(memory, fact("Ada", "knows_about", "Looms"), id="a")
    tell(memory, fact("Ada", "knows_about", "Looms"), id="b")
    with pytest.raises(LaterTransactionsDepend):
        take_back(memory, 1)
    take_back(memory, 2)
    take_back(memory, 1)
    assert entity_named(memory, "Ada") is None


@pytest.mark.parametrize(
    "later",
    [
        {"entities": [{"name": "Ada", "type": "Person", "aliases": ["The Countess"]}]},
        {"record": {"id": "a", "type": "memory", "content": "Ada wrote."}, "entities": [{"name": "Ada"}]},
        {"facts": [{"from": "Ada", "predicate": "knows_about", "to": "Looms"}]},
    ],
    ids=["a name", "a mention", "a fact"],
)
def test_an_entity_that_later_ones_use_stays(memory: Memory, later: dict[str, object]) -> None:
    take_line(memory, {"entities": [{"name": "Ada", "type": "Person"}]})
    take_line(memory, later)
    with pytest.raises(LaterTransactionsDepend):
        take_back(memory, 1)
    take_back(memory, 2)
    take_back(memory, 1)
    assert entity_named(memory, "Ada") is None


def test_a_document_that_later_facts_rest_on_stays(memory: Memory) -> None:
    tell(memory, id="a", content="Ada likes looms.")
    with memory.write() as change:
        document = change.document_named("record", "a")
        assert document is not None
        write_facts_from(change, document, parse_line({"facts": [fact("Ada", "opinion", "Looms", label="ASSERTED")]}))
    with pytest.raises(LaterTransactionsDepend):
        take_back(memory, 1)
    take_back(memory, 2)
    take_back(memory, 1)
    with memory.read() as view:
        assert view.document_named("record", "a") is None


def test_a_deletion_is_not_taken_back_once_another_has_the_name(memory: Memory) -> None:
    take_line(memory, {"entities": [{"name": "Ada", "type": "Person"}]})
    ada = entity_named(memory, "Ada")
    assert ada is not None
    with memory.write() as change:
        delete_entity(change, ada, "a mistake")
    take_line(memory, {"entities": [{"name": "ada", "type": "Person"}]})
    with pytest.raises(LaterTransactionsDepend):
        take_back(memory, 2)
    take_back(memory, 3)
    take_back(memory, 2)
    back = entity_named(memory, "Ada")
    assert back is not None
    assert back.id == ada.id
    with memory.write() as change:
        assert find_name_conflict(change, back) is None


def test_a_fact_that_is_back_stands_as_what_came_since_has_it(memory: Memory) -> None:
    begun = ("1803", "1812", "1807")
    for year in begun:
        tell(memory, fact("Bob", "rules", "Kent", valid_from=year), id=year)

    def at_odds() -> dict[str, bool]:
        return {
            str(seen.fact.valid_from and seen.fact.valid_from.text): seen.fact.disputed
            for seen in facts_of(memory, "Bob", every=True)
        }

    assert at_odds() == dict.fromkeys(begun, True)
    back = take_back(memory, 2)
    assert at_odds() == {"1803": True, "1807": True}
    take_back(memory, back)
    assert at_odds() == dict.fromkeys(begun, True)
    take_back(memory, 2)
    take_back(memory, 3)
    assert at_odds() == {"1803": False}


def last_undoable(memory: Memory, surface: str = "recollect", actor: str = "local") -> int | None:
    with memory.read() as view:
        return latest_undoable(view, Actor(surface, "x", actor))


def test_claims_are_withdrawn_and_the_entities_that_later_ones_use_stay(memory: Memory) -> None:
    tell(memory, fact("Ada", "knows_about", "Looms"), id="a")
    tell(memory, fact("Ada", "knows_about", "Engines"), id="b")
    ada = entity_named(memory, "Ada")
    assert ada is not None
    with memory.write() as change:
        undone = reverse_transaction(change, 1)
    assert undone.kept_entities == (ada.id,)
    assert texts(memory, "Ada") == ["Ada knows about Engines"]
    assert entity_named(memory, "Looms") is None
    take_back(memory, undone.tx)
    assert sorted(texts(memory, "Ada")) == ["Ada knows about Engines", "Ada knows about Looms"]


def test_an_alias_stays_where_later_ones_may_use_it(memory: Memory) -> None:
    take_line(memory, {"entities": [{"name": "Ada", "type": "Person"}]})
    told = {"name": "Ada", "type": "Person", "aliases": ["The Countess"]}
    take_line(memory, {"entities": [told], "facts": [fact("Ada", "knows_about", "Looms")]})
    tell(memory, fact("The Countess", "knows_about", "Engines"), id="b")
    with memory.write() as change:
        undone = reverse_transaction(change, 2)
    assert [kept.spelling for kept in undone.kept_aliases] == ["The Countess"]
    assert texts(memory, "The Countess") == ["Ada knows about Engines"]


def test_an_alias_goes_if_nothing_happened_since(memory: Memory) -> None:
    take_line(memory, {"entities": [{"name": "Ada", "type": "Person"}]})
    take_line(memory, {"entities": [{"name": "Ada", "type": "Person", "aliases": ["The Countess"]}]})
    take_back(memory, 2)
    assert entity_named(memory, "The Countess") is None


def test_a_predicate_that_later_facts_use_keeps_its_meaning(memory: Memory) -> None:
    with memory.as_actor("lore-engine", "create_relation").write() as change:
        write_facts(change, fact("Ada", "", "Looms", predicate="tinkers_with"))
    tell(memory, {"from": "Bob", "predicate": "tinkers_with", "to": "Boats"}, id="b")
    take_back(memory, 1)
    with memory.read() as view:
        entry = view.predicate_entry("tinkers_with")
    assert entry is not None
    assert entry.first_surface == "lore-engine"
    take_back(memory, 2)


def write_facts(change: Change, *facts: dict[str, object]) -> None:
    plain = [{key: value for key, value in each.items() if key in ("from", "to", "predicate")} for each in facts]
    write_line(change, parse_line({"facts": plain}))


def test_a_conflict_names_the_later_transactions(memory: Memory) -> None:
    tell(memory, fact("Ada", "knows_about", "Looms"), id="a")
    tell(memory, fact("Ada", "knows_about", "Looms"), id="b")
    tell(memory, fact("Ada", "knows_about", "Looms"), id="c")
    with pytest.raises(LaterTransactionsDepend) as refused:
        take_back(memory, 1)
    assert refused.value.transactions == (2, 3)
    assert "transactions 2, 3 changed" in str(refused.value)


def test_the_default_is_the_callers_latest_that_is_neither_undone_nor_an_undo(memory: Memory) -> None:
    mine, other = memory.as_actor("recollect", "remember"), memory.as_actor("recollect", "remember", "desk")
    for each, name in ((mine, "a"), (mine, "b"), (other, "c"), (memory, "d")):
        with each.write() as change:
            write_line(change, parse_line({"facts": [fact(name, "owner", "Boat")]}))
    assert last_undoable(memory) == 2
    with mine.write() as change:
        back = undo(change, 2)
    assert last_undoable(memory) == 1
    with mine.write() as change:
        undo(change, back)
    assert last_undoable(memory) == 2
    assert last_undoable(memory, actor="desk") == 3
    assert last_undoable(memory, "carabase") is None


def test_an_erasure_is_final(memory: Memory) -> None:
    tell(memory, id="a", content="Ada likes looms.")
    forget(memory.as_actor("recollect", "forget"), ["a"])
    assert last_undoable(memory) is None
    with pytest.raises(ErasureIsFinal):
        take_back(memory, last_tx(memory))


@pytest.mark.every_case
def test_facts_told_after_a_merge_that_is_undone_are_named(memory: Memory) -> None:
    tell(memory, fact("Robert Diaz", "employee", "Acme"), fact("Bob Diaz", "advisor", "Acme"), id="a")
    bob, robert = entity_named(memory, "Bob Diaz"), entity_named(memory, "Robert Diaz")
    assert bob is not None
    assert robert is not None
    with memory.write() as change:
        merge(change, bob, robert)
        tx = change.tx
    tell(memory, fact("Bob Diaz", "owner", "Acme", fact="Bob owns Acme"), id="b")
    with memory.write() as change:
        kept = describe_kept(change, reverse_transaction(change, tx))
    assert kept == ["fact “Bob owns Acme” of Robert Diaz, recorded after the merge"]
    assert texts(memory, "Bob Diaz") == ["Bob Diaz advisor Acme"]
