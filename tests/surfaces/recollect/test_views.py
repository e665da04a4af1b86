"""Facts as the everyday surface prints them."""

from recollect.memory import Memory
from recollect.surfaces.recollect.views import FactViews, fact_line
from tests.telling import fact, facts_of, tell


def _views(memory: Memory, name: str, at: str | None = None) -> list[str]:
    facts = [row.fact.id for row in facts_of(memory, name, every=True)]
    with memory.read() as view:
        shown = FactViews(view, view.world.read(at).span if at else None).of(facts)
    return [fact_line(shown[each]).rpartition(" [")[0] for each in facts]


def test_a_fact_is_printed_with_its_bounds_source_and_date(memory: Memory) -> None:
    lives = fact("Ada", "lives_in", {"name": "Porto"}, valid_from="2024", source_at="2026-05-01")
    tell(memory, lives, id="n1", title="Address book", source_at="2026-05-01T08:00:00Z")
    assert _views(memory, "Ada") == ["- Ada lives in Porto (since 2024; Address book, 2026-05-01)"]


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
