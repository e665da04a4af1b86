"""Facts as the everyday surface prints them."""

from typing import Any

import pytest

from recollect.memory import Memory
from recollect.surfaces.declarations import Answer
from recollect.surfaces.dispatch import call
from recollect.surfaces.recollect.views import FactViews, fact_line
from recollect.surfaces.registry import find_surface
from tests.support.facts import fact, facts_of, tell


def _views(memory: Memory, name: str, at: str | None = None) -> list[str]:
    facts = [row.fact.id for row in facts_of(memory, name, every=True)]
    with memory.read() as view:
        shown = FactViews(view, view.world.read(at).span if at else None).of(facts)
    return [fact_line(shown[each]).rpartition(" [")[0] for each in facts]


def test_a_fact_is_printed_with_its_bounds_source_and_date(memory: Memory) -> None:
    lives = fact("Ada", "lives_in", {"name": "Porto"}, valid_from="2024", source_at="2026-05-01")
    tell(memory, lives, id="n1", title="Address book", source_at="2026-05-01T08:00:00Z")
    assert _views(memory, "Ada") == ["- Ada lives in Porto (since 2024; Address book, 2026-05-01)"]


def test_a_birth_is_printed_with_its_day_alone(memory: Memory) -> None:
    born = fact("Ada", "born", None, None, "TRANSITIONED", valid_from="1875-06-12", valid_until="1875-06-12")
    tell(memory, born, id="n1", title="Register", source_at="2026-05-01T08:00:00Z")
    [line] = _views(memory, "Ada")
    assert line.startswith("- Ada was born (1875-06-12; ")


def test_the_state_depends_on_the_time_asked_about(memory: Memory) -> None:
    works = fact("Ada", "works_at", {"name": "Brindle"}, valid_from="2020", valid_until="2023")
    tell(memory, works, id="n1", title="CV", source_at="2026-05-01T08:00:00Z")
    assert "ended" in _views(memory, "Ada")[0]
    assert "ended" not in _views(memory, "Ada", "2021")[0]
    assert "upcoming" in _views(memory, "Ada", "2019")[0]


def test_a_commitment_is_open_overdue_or_done(memory: Memory) -> None:
    promise = fact("Ada", "commitment", None, "Ada sends the harvest report", "ASSERTED", valid_until="2026-05-10")
    tell(memory, promise, id="n1", title="Mail", source_at="2026-05-01T08:00:00Z")
    assert "overdue" in _views(memory, "Ada")[0]
    done = fact("Ada", "completion", None, "Ada sent the harvest report", "TRANSITIONED")
    tell(memory, done, id="n2", title="Mail", source_at="2026-05-09T08:00:00Z")
    assert "; done; Mail, 2026-05-01" in _views(memory, "Ada")[0]


def _call(memory: Memory, name: str, **arguments: Any) -> Answer:
    return call(find_surface("recollect").find(name), lambda each: memory.as_actor("recollect", each.name), arguments)


@pytest.mark.parametrize(("name", "extra"), [("history", {}), ("recall", {"query": "work"}), ("open_items", {})])
def test_an_answer_for_a_name_that_is_only_like_the_one_given_says_so(
    memory: Memory, name: str, extra: dict[str, Any]
) -> None:
    _call(memory, "remember", text="Karl Berg works at Acme.")
    assert "Karl Berg" in _call(memory, name, about="Karl Bergg", **extra).texts[0].splitlines()[0]
    assert "Answered for" in _call(memory, name, about="Karl", **extra).texts[0]
    assert "Answered for" not in _call(memory, name, about="karl berg", **extra).texts[0]


@pytest.mark.parametrize(("name", "extra"), [("history", {}), ("recall", {"query": "work"}), ("open_items", {})])
def test_a_name_of_two_people_is_ambiguous_and_the_example_asks_for_one(
    memory: Memory, name: str, extra: dict[str, Any]
) -> None:
    _call(memory, "remember", text="Karl Berg works at Acme. Karl Stein works at Beta.")
    error = _call(memory, name, about="Karl", **extra).structured["error"]
    assert (error["code"], [each["name"] for each in error["candidates"]]) == ("ambiguous", ["Karl Berg", "Karl Stein"])
    assert error["example"] == {**extra, "about": error["candidates"][0]["id"]}
    assert not _call(memory, name, **error["example"]).is_error


@pytest.mark.parametrize(
    ("name", "arguments", "example"),
    [
        ("review", {"decide": {"id": "x", "choice": "y"}}, {}),
        ("forget", {"target": "Ada", "erase": True, "confirm": "x"}, {"target": "Ada", "erase": True}),
        ("forget", {"target": "Ada", "confirm": "x"}, None),
        ("undo", {"transaction": 99}, None),
    ],
)
def test_the_example_of_a_refused_write_changes_nothing(
    memory: Memory, name: str, arguments: dict[str, Any], example: dict[str, Any] | None
) -> None:
    tell(memory, fact("Ada", "lives_in", {"name": "Porto"}))
    error = _call(memory, name, **arguments).structured["error"]
    assert error.get("example") == example
    if example is not None:
        with memory.read() as view:
            before = view.last_tx
        assert not _call(memory, name, **example).is_error
        with memory.read() as view:
            assert view.last_tx == before
