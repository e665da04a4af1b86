"""Links between memories: each type when it is derived, explicit ones, and how both end."""

from pathlib import Path

import pytest
from tests.keep.linking import Notebook, fact, memory_line

from recollect.change_listeners import standard_listeners
from recollect.memory import Memory, open_memory
from recollect.settings import Settings
from recollect.write.undo import undo

PLACE = {"name": "Quay Press", "type": "organization"}


@pytest.fixture
def notebook(memory: Memory, tmp_path: Path) -> Notebook:
    return Notebook(memory, tmp_path / "lines.jsonl")


def person(name: str) -> dict[str, str]:
    return {"name": name, "type": "person"}


def test_memories_of_one_entity_are_linked_by_what_they_share(notebook: Notebook) -> None:
    notebook.tell(
        memory_line("a", "Tea with both.", entities=[person("Ines Roth"), person("Tom Vale")]),
        memory_line("b", "A walk with Ines Roth."),
        memory_line("c", "Rain all day."),
    )
    assert notebook.links() == [("a", "b", "same_entity", 0.5)]


def test_who_is_meant_by_i_joins_nothing(notebook: Notebook) -> None:
    me = {"name": "Nell", "type": "person", "metadata": {"concept_role": "self"}}
    notebook.tell(memory_line("a", "Nell slept.", entities=[me]), memory_line("b", "Nell woke.", entities=[me]))
    assert notebook.links() == []


def test_whom_more_than_two_hundred_memories_name_joins_nothing(notebook: Notebook) -> None:
    told = [memory_line(f"m{at:03}", "Ines Roth again.", entities=[person("Ines Roth")]) for at in range(202)]
    notebook.tell(*told)
    joined = {key for link in notebook.links() for key in link[:2]}
    assert joined.isdisjoint({"m200", "m201"})
    assert "m199" in joined


def test_little_in_common_is_no_link(notebook: Notebook) -> None:
    many = [person(f"Guest {number} Somebody") for number in range(11)]
    notebook.tell(memory_line("a", "The feast.", entities=many), memory_line("b", "Later.", entities=many[:1]))
    assert notebook.links() == []
    notebook.tell(memory_line("c", "Later still.", entities=many[:2]))
    assert ("a", "c", "same_entity", 0.1818) in notebook.links()


def test_at_most_twenty_of_a_type_are_derived_for_a_memory(notebook: Notebook) -> None:
    notebook.tell(*(memory_line(f"m{number:02}", "Ines Roth.", entities=[person("Ines Roth")]) for number in range(30)))
    notebook.tell(memory_line("last", "Ines Roth once more.", entities=[person("Ines Roth")]))
    own = [link for link in notebook.links("same_entity") if "last" in link[:2]]
    assert [link[0] for link in own] == [f"m{number}" for number in range(10, 30)]


def test_it_makes_no_difference_how_many_memories_come_at_once(notebook: Notebook, tmp_path: Path) -> None:
    told = [memory_line(f"m{at:02}", "Ines Roth.", session="s", entities=[person("Ines Roth")]) for at in range(25)]
    notebook.tell(*told)
    other = open_memory(str(tmp_path / "other.db"), settings=Settings(), followers=standard_listeners())
    slow = Notebook(other, tmp_path / "slow.jsonl")
    for line in told:
        slow.tell(line)
    assert slow.links() == notebook.links()
    other.close()


def test_a_session_joins_its_memories(notebook: Notebook) -> None:
    notebook.tell(memory_line("a", "One.", session="s-1"), memory_line("b", "Two.", session="s-1"))
    assert notebook.links() == [("a", "b", "same_session", 0.8)]


def test_neighbours_in_a_stream_precede_each_other_up_to_a_week(notebook: Notebook) -> None:
    notebook.tell(
        memory_line("a", "One.", "2026-05-01T00:00:00Z", stream="log"),
        memory_line("b", "Two.", "2026-05-04T00:00:00Z", stream="log"),
        memory_line("c", "Three.", "2026-05-11T00:00:01Z", stream="log"),
    )
    assert notebook.links() == [("a", "b", "precedes", 0.25)]


def test_a_memory_that_comes_between_two_ends_their_link(notebook: Notebook, memory: Memory) -> None:
    notebook.tell(
        memory_line("a", "One.", "2026-05-01T00:00:00Z", stream="log"),
        memory_line("c", "Three.", "2026-05-05T00:00:00Z", stream="log"),
    )
    with memory.read() as view:
        before = view.last_tx
    notebook.tell(memory_line("b", "Two.", "2026-05-03T00:00:00Z", stream="log"))
    assert notebook.links("precedes") == [("a", "b", "precedes", 0.3333), ("b", "c", "precedes", 0.3333)]
    assert notebook.links("precedes", as_of=before) == [("a", "c", "precedes", 0.2)]


def test_bundle_memories_without_a_stream_share_one(notebook: Notebook) -> None:
    notebook.tell(memory_line("a", "One.", stream=None), memory_line("b", "Two.", stream=None))
    assert notebook.links() == [("a", "b", "precedes", 1.0)]


def test_a_fact_that_replaced_another_lets_its_memory_supersede(notebook: Notebook) -> None:
    old = fact("Ines Roth", "status", {"literal": "ill"}, fact="Ines Roth is ill")
    new = fact("Ines Roth", "status", {"literal": "ill"}, fact="Ines Roth is ill again, badly", confidence=0.8)
    notebook.tell(memory_line("a", "One.", "2026-04-01T00:00:00Z", facts=[old]))
    notebook.tell(memory_line("b", "Two.", "2026-05-01T00:00:00Z", facts=[new]))
    assert notebook.links("supersedes") == [("b", "a", "supersedes", 0.8)]


def test_facts_in_conflict_let_their_memories_contradict(notebook: Notebook) -> None:
    one = fact("Ines Roth", "status", {"literal": "away"}, fact="Ines Roth is away", confidence=0.8)
    other = fact("Ines Roth", "status", {"literal": "away"}, fact="Ines Roth was never away", confidence=0.6)
    at = "2026-05-01T00:00:00Z"
    notebook.tell(memory_line("a", "One.", at, facts=[one]), memory_line("b", "Two.", at, facts=[other]))
    assert notebook.links("contradicts") == [("a", "b", "contradicts", 0.6)]


def test_a_memory_made_from_another_is_derived_from_it(notebook: Notebook) -> None:
    notebook.tell(memory_line("a", "One."))
    notebook.tell(memory_line("b", "All of it.", derived_from=["a"]))
    assert notebook.links() == [("b", "a", "derived_from", 1.0)]


def test_a_deleted_memory_has_no_links_and_its_neighbours_have_each_other(notebook: Notebook, memory: Memory) -> None:
    notebook.tell(
        memory_line("a", "One.", "2026-05-01T00:00:00Z", stream="log"),
        memory_line("b", "Two.", "2026-05-02T00:00:00Z", stream="log"),
        memory_line("c", "Three.", "2026-05-03T00:00:00Z", stream="log"),
        {"memory_link": {"from": "a", "to": "b", "type": "supports"}},
    )
    with memory.write() as change:
        held = change.document(notebook.ids["b"])
        assert held is not None
        change.put_document(held._replace(deleted="mistaken"))
    assert notebook.links() == [("a", "c", "precedes", 0.3333)]


def test_a_link_that_is_said_wins_over_the_derived_one(notebook: Notebook) -> None:
    notebook.tell(memory_line("a", "One.", session="s"), memory_line("b", "Two.", session="s"))
    said = {"from": "b", "to": "a", "type": "same_session", "confidence": 0.3}
    notebook.tell({"memory_link": said})
    assert notebook.links() == [("a", "b", "same_session", 0.3)]
    notebook.tell(memory_line("a", "One, told better.", session="s"))
    assert notebook.links() == [("a", "b", "same_session", 0.3)]
    notebook.tell({"memory_link": {**said, "remove": True}})
    assert notebook.links() == [("a", "b", "same_session", 0.8)]


def test_links_may_stand_before_the_memories_they_join(notebook: Notebook) -> None:
    link = {"memory_link": {"from": "a", "to": "b", "type": "elaborates"}}
    assert notebook.tell(link, memory_line("a", "One."), memory_line("b", "Two.")) == []
    assert notebook.links() == [("a", "b", "elaborates", 0.9)]


@pytest.mark.parametrize(
    "given",
    [
        {"from": "a", "to": "nobody", "type": "supports"},
        {"from": "a", "to": "a", "type": "supports"},
        {"from": "a", "to": "b", "type": "likes"},
        {"from": "a", "to": "b", "type": "supports", "confidence": 2},
        {"from": "a", "to": "b", "type": "supports", "mood": "good"},
    ],
)
def test_a_link_that_makes_no_sense_is_skipped_with_a_reason(notebook: Notebook, given: dict[str, object]) -> None:
    notebook.tell(memory_line("a", "One."), memory_line("b", "Two."))
    [reason] = notebook.tell({"memory_link": given})
    assert "memory_link" in reason
    assert notebook.links() == []


def test_links_belong_to_the_transaction_that_wrote_the_memory(notebook: Notebook, memory: Memory) -> None:
    notebook.tell(memory_line("a", "One.", session="s"))
    with memory.read() as view:
        before = view.last_tx
    notebook.tell(memory_line("b", "Two.", session="s"))
    with memory.read() as view:
        assert view.last_tx == before + 1
    assert notebook.links(as_of=before) == []
    assert notebook.links(as_of=before + 1) == [("a", "b", "same_session", 0.8)]


def test_the_same_memory_again_changes_nothing(notebook: Notebook, memory: Memory) -> None:
    line = memory_line("a", "One.", session="s")
    notebook.tell(line, memory_line("b", "Two.", session="s"))
    with memory.read() as view:
        before = view.last_tx
    notebook.tell(line)
    with memory.read() as view:
        assert view.last_tx == before


def test_undoing_a_memory_ends_its_links_and_closes_the_gap(notebook: Notebook, memory: Memory) -> None:
    for key, day in (("a", 1), ("b", 2), ("c", 3)):
        notebook.tell(memory_line(key, f"Said on {day}.", f"2026-05-0{day}T00:00:00Z", stream="log", session="s"))
    with memory.write() as change:
        undo(change, change.last_tx - 1)
    del notebook.ids["b"]
    assert notebook.links() == [("a", "c", "precedes", 0.3333), ("a", "c", "same_session", 0.8)]


def test_undoing_a_link_that_was_said_brings_the_derived_one_back(notebook: Notebook, memory: Memory) -> None:
    notebook.tell(memory_line("a", "One.", session="s"), memory_line("b", "Two.", session="s"))
    notebook.tell({"memory_link": {"from": "a", "to": "b", "type": "same_session", "confidence": 0.1}})
    with memory.write() as change:
        undo(change, change.last_tx)
    assert notebook.links() == [("a", "b", "same_session", 0.8)]
