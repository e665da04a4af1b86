"""Facts by what they say, also where no document tells them and no name leads to them."""

from typing import Any

from tests.surfaces.carabase.asking import edge, take_line

from recollect.keep.forgetting.erasure import forget
from recollect.memory import Memory
from recollect.model.ids import format_fact_id
from recollect.search.fact_search import FactMatch, search_facts
from recollect.store.fact_index import is_fact_index_behind

KETTLE = {"name": "Copper Kettle", "type": "project"}


def said(memory: Memory, *facts: dict[str, Any]) -> None:
    take_line(memory, {"facts": list(facts)})


def found(memory: Memory, text: str) -> list[FactMatch]:
    with memory.read() as view:
        return search_facts(view, text, 10)


def texts(memory: Memory, text: str) -> list[str]:
    return [each.row.text for each in found(memory, text)]


def test_a_fact_is_found_by_its_literal_its_predicate_and_its_own_words(memory: Memory) -> None:
    said(
        memory,
        edge(KETTLE, "blocked_by", {"literal": "supplier contract unsigned"}),
        edge("Ada", "mentors", "Ben", fact="Ada guides Ben through the archive"),
    )
    assert texts(memory, "unsigned contracts") == ["Copper Kettle blocked by supplier contract unsigned"]
    assert texts(memory, "who is blocked") == ["Copper Kettle blocked by supplier contract unsigned"]
    assert texts(memory, "guiding in archives") == ["Ada guides Ben through the archive"]
    assert texts(memory, "mentoring") == ["Ada guides Ben through the archive"]
    assert texts(memory, "zebra") == []


def test_a_fact_is_found_by_the_names_of_its_ends_as_they_are_now(memory: Memory) -> None:
    said(memory, edge(KETTLE, "blocked_by", {"literal": "rust"}))
    assert texts(memory, "copper kettle") == ["Copper Kettle blocked by rust"]


def test_what_says_more_of_the_text_comes_first_and_the_share_is_told(memory: Memory) -> None:
    said(
        memory,
        edge("Ada", "noted", {"literal": "red lanterns"}),
        edge("Ben", "noted", {"literal": "red lanterns in the harbour"}),
    )
    first, second = found(memory, "red lanterns harbour")
    assert (first.row.subject_name, first.score, second.row.subject_name) == ("Ben", 1.0, "Ada")
    assert 0 < second.score < 1


def test_facts_that_come_later_are_found_too_and_what_is_retracted_is_not(memory: Memory) -> None:
    said(memory, edge("Ada", "noted", {"literal": "red lanterns"}))
    assert texts(memory, "lanterns") == ["Ada noted red lanterns"]
    said(memory, edge("Ben", "noted", {"literal": "blue lanterns"}))
    said(memory, edge("Ada", "noted", {"literal": "red lanterns"}, confidence="retracted"))
    assert texts(memory, "lanterns") == ["Ben noted blue lanterns"]


def test_a_forgotten_fact_is_out_of_the_index_and_the_others_are_still_found(memory: Memory) -> None:
    said(memory, edge("Ada", "noted", {"literal": "red lanterns"}), edge("Ben", "noted", {"literal": "blue lanterns"}))
    gone = next(each.row.fact.id for each in found(memory, "lanterns") if each.row.subject_name == "Ada")
    forget(memory, [format_fact_id(gone)])
    with memory.read() as view:
        assert not is_fact_index_behind(view)
    assert texts(memory, "lanterns") == ["Ben noted blue lanterns"]
