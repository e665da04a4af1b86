"""History on both clocks: every word for a change, oldest first, the newest kept."""

from collections.abc import Callable
from typing import Any

import pytest
from tests.conftest import MovingClock
from tests.support.facts import entity_named, fact, take_line, tell

from recollect.keep.forgetting.hiding import hide_document, hide_entity, hide_fact
from recollect.memory import Memory
from recollect.reason.change_history import Clock, History, HistoryScope, history_of, scope_of_entity
from recollect.reason.corrections import Correction, Mode, NewTarget, correct_fact
from recollect.reason.fact_by_text import facts_fitting
from recollect.serve.version_history import history as history_command
from recollect.store.activity_queries import entities_ever_named
from recollect.store.change import Change
from recollect.write.merge import merge
from recollect.write.owner import set_owner_name
from recollect.write.undo import undo


def told(memory: Memory, clock: Clock = "knowledge", about: str | None = None, **more: Any) -> History:
    with memory.read() as view:
        entities = facts = None
        if about is not None:
            [entity] = entities_ever_named(view, about.casefold())
            entities, facts = scope_of_entity(view, entity)
        since, until = (view.world.read(more.pop(key)) if key in more else None for key in ("since", "until"))
        return history_of(view, clock, HistoryScope(entities, facts, since, until, **more))


def lines(memory: Memory, clock: Clock = "knowledge", about: str | None = None, **more: Any) -> list[tuple[str, str]]:
    return [(entry.change, entry.text) for entry in told(memory, clock, about, **more).entries]


def write(memory: Memory, act: Callable[[Change], object]) -> int:
    with memory.as_actor("recollect", "test").write() as change:
        act(change)
        return change.tx


def correct(memory: Memory, text: str, mode: Mode, value: str | None = None, when: str = "2026-05-20") -> int:
    def act(change: Change) -> None:
        found = facts_fitting(change, text).only
        assert found is not None
        target = None if value is None else NewTarget(literal=value)
        correct_fact(change, found.fact, Correction(mode, change.world.read(when), target, "chat"))

    return write(memory, act)


def test_knowledge_tells_what_was_learned_confirmed_and_corrected(memory: Memory, clock: MovingClock) -> None:
    tell(
        memory, fact("Ada", "employee", "Acme"), fact("Ada", "owner", "Boat"), id="a", source_at="2026-01-01T00:00:00Z"
    )
    tell(memory, fact("Ada", "owner", "Boat"), id="b", source_at="2026-02-01T00:00:00Z")
    clock.set("2026-05-21T10:00:00Z")
    correct(memory, "Ada employee Acme", "ended")
    correct(memory, "Ada owner Boat", "wrong")
    assert lines(memory, about="Ada") == [
        ("learned", "Ada's employee is Acme"),
        ("learned", "Ada's owner is Boat"),
        ("confirmed", "Ada's owner is Boat"),
        ("ended", "Ada's employee is Acme"),
        ("retracted", "Ada's owner is Boat"),
    ]
    *_, last = told(memory, about="Ada").entries
    assert (last.when, last.transaction, last.source) == ("2026-05-21T10:00:00Z", 4, "chat")


def test_a_changed_value_is_replaced_and_the_new_one_learned(memory: Memory) -> None:
    tell(memory, fact("Ada", "rent", {"literal": "900"}, label="AFFILIATED"), id="a", source_at="2026-01-01T00:00:00Z")
    correct(memory, "Ada rent 900", "changed", "950")
    assert lines(memory, about="Ada")[1:] == [("replaced", "Ada's rent is 900"), ("learned", "Ada's rent is 950")]


def test_an_item_is_closed_by_id_and_by_words(memory: Memory) -> None:
    promised = fact("Ada", "commitment", "Boat", "Ada paints the hull", label="ASSERTED")
    other = fact("Ada", "commitment", "Boat", "Ada mends the sail", label="ASSERTED")
    tell(memory, promised, other, id="a", source_at="2026-01-01T00:00:00Z")
    correct(memory, "Ada paints the hull", "ended")
    done = fact("Ada", "completion", "Boat", "Ada mended the sail", label="TRANSITIONED")
    tell(memory, done, id="b", source_at="2026-02-01T00:00:00Z")
    assert [each for each in lines(memory, about="Ada") if each[0] == "closed"] == [
        ("closed", "Ada paints the hull"),
        ("closed", "Ada mends the sail"),
    ]


def test_hiding_merging_and_undoing_are_told(memory: Memory) -> None:
    tell(memory, fact("Ada", "owner", "Boat"), id="a", content="Ada owns the boat.", title="Letter")
    tell(memory, fact("Bob", "owner", "Loom"), id="b")
    ada, bob = entity_named(memory, "Ada"), entity_named(memory, "Bob")
    assert ada is not None
    assert bob is not None
    write(memory, lambda change: merge(change, bob, ada))
    write(memory, lambda change: undo(change, change.last_tx))
    assert ("undone", "Bob's owner is Loom") in lines(memory)
    write(memory, lambda change: hide_document(change, change.document_named("record", "a")))  # type: ignore[arg-type]
    write(memory, lambda change: hide_entity(change, bob))
    everything = lines(memory)
    assert ("merged", "Bob into Ada") in everything
    assert ("hidden", "a hidden text") in everything
    assert ("hidden", "a hidden fact") in everything
    assert ("hidden", "a hidden entity") in everything
    assert not {"Boat", "Letter", "Loom"} & {word for _, text in everything for word in text.split()}


def test_what_was_of_somebody_only_by_a_merge_is_not_in_the_world_of_that_entity(memory: Memory) -> None:
    tell(memory, fact("Ada", "owner", "Boat", valid_from="2024"), id="a")
    tell(memory, fact("Bob", "owner", "Loom", valid_from="2025"), id="b")
    before = lines(memory, about="Ada", clock="world")
    ada, bob = entity_named(memory, "Ada"), entity_named(memory, "Bob")
    assert ada is not None
    assert bob is not None
    write(memory, lambda change: merge(change, bob, ada))
    assert len(lines(memory, about="Ada", clock="world")) == 2
    write(memory, lambda change: undo(change, change.last_tx))
    assert lines(memory, about="Ada", clock="world") == before == [("began", "Ada's owner is Boat")]


def test_a_hidden_fact_is_told_as_hidden(memory: Memory) -> None:
    tell(memory, fact("Ada", "owner", "Boat"), id="a")

    def act(change: Change) -> None:
        found = facts_fitting(change, "Ada owner Boat").only
        assert found is not None
        hide_fact(change, found.fact)

    write(memory, act)
    assert lines(memory, about="Ada") == [("learned", "a hidden fact"), ("hidden", "a hidden fact")]
    write(memory, lambda change: undo(change, change.last_tx))
    assert lines(memory, about="Ada")[0] == ("learned", "Ada's owner is Boat")


def test_the_history_of_an_entity_whose_creation_was_undone_is_told(memory: Memory) -> None:
    tell(memory, fact("Ada", "owner", "Boat"), id="a")
    write(memory, lambda change: undo(change, 1))
    assert lines(memory, about="Ada") == [("learned", "Ada's owner is Boat"), ("undone", "Ada's owner is Boat")]
    with memory.read() as view:
        assert {row["change"] for row in history_command(view, "ada")} == {"entity", "learned", "undone"}


def test_redoing_tells_the_change_again(memory: Memory) -> None:
    tell(memory, fact("Ada", "owner", "Boat"), id="a")
    back = write(memory, lambda change: undo(change, 1))
    write(memory, lambda change: undo(change, back))
    assert [change for change, _ in lines(memory, about="Ada")] == ["learned", "undone", "learned"]


def test_a_text_from_which_nothing_was_read_is_learned_by_its_first_words(memory: Memory) -> None:
    take_line(
        memory, {"record": {"id": "n", "type": "note", "content": "The heron stood there all morning."}, "facts": []}
    )
    assert lines(memory) == [("learned", "The heron stood there all morning.")]


def test_world_dates_facts_by_their_bounds(memory: Memory) -> None:
    tell(
        memory,
        fact("Ada", "employee", "Acme", valid_from="2024", valid_until="2025-03"),
        fact("Ada", "commitment", "Boat", "Ada paints the hull", label="ASSERTED", valid_until="2026-06-01"),
        fact("Ada", "completion", "Boat", "Ada launched the boat", label="TRANSITIONED", valid_from="2024-07-04"),
        fact("Ada", "resolution", "Boat", "Ada fixed the mast", label="TRANSITIONED"),
        fact("Ada", "owner", "Loom"),
        id="a",
        title="Logbook",
        source_at="2026-02-03T00:00:00Z",
    )
    found = told(memory, "world", "Ada")
    assert [(entry.when, entry.change, entry.text) for entry in found.entries] == [
        ("2024", "began", "Ada's employee is Acme"),
        ("2024-07-04", "happened", "Ada launched the boat"),
        ("2025-03", "ended", "Ada's employee is Acme"),
        ("2026-02-03", "happened", "Ada fixed the mast"),
        ("2026-06-01", "due", "Ada paints the hull"),
    ]
    assert {entry.source for entry in found.entries} == {"Logbook"}
    assert all(entry.transaction is None for entry in found.entries)


@pytest.mark.parametrize("clock_name", ["world", "knowledge"])
def test_since_until_and_limit_keep_the_newest(memory: Memory, clock: MovingClock, clock_name: Clock) -> None:
    for day in range(1, 6):
        clock.set(f"2026-05-0{day}T12:00:00Z")
        tell(memory, fact("Ada", "knows_about", f"Loom {day}", valid_from=f"2026-05-0{day}"), id=f"n{day}")
    texts = [f"Ada knows about Loom {day}" for day in range(1, 6)]
    found = told(memory, clock_name, limit=2)
    assert ([entry.text for entry in found.entries], found.is_cut) == (texts[-2:], True)
    found = told(memory, clock_name, since="2026-05-02", until="2026-05-03")
    assert ([entry.text for entry in found.entries], found.is_cut) == (texts[1:3], False)


def test_the_history_command_takes_me_for_the_owner(memory: Memory) -> None:
    with memory.write() as change:
        owner = set_owner_name(change, "Ada Brandt")
    assert owner is not None
    tell(memory, fact("Ada Brandt", "lives_in", {"name": "Porto"}))
    with memory.read() as view:
        assert history_command(view, "me") == history_command(view, "Ada Brandt")
