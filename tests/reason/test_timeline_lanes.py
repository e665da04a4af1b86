"""Timelines of entities as lanes of events and periods."""

from tests.support.facts import entity_named, fact, tell

from recollect.memory import Memory
from recollect.reason.timeline_lanes import Lane, LaneItem, span_of, timeline_lanes


def lanes(memory: Memory, *names: str, predicates: frozenset[str] = frozenset()) -> list[Lane]:
    found = [entity_named(memory, name) for name in names]
    with memory.read() as view:
        return timeline_lanes(view, [each for each in found if each is not None], predicates)


def bars(lane: Lane) -> list[tuple[str | None, str | None]]:
    return [(item.since, item.until) for item in lane.items]


def test_a_relation_is_a_bar_between_its_bounds(memory: Memory) -> None:
    tell(memory, fact("Ada", "employee", "Guild", valid_from="2020", valid_until="2022"))
    tell(memory, fact("Ada", "member", "Mill", valid_from="2023"))
    [lane] = lanes(memory, "Ada")
    assert bars(lane) == [("2020", "2022"), ("2023", None)]
    assert [item.hi is None for item in lane.items] == [False, True]
    assert not any(item.is_event for item in lane.items)


def test_a_relation_with_an_end_alone_is_open_to_the_left(memory: Memory) -> None:
    tell(memory, fact("Ada", "employee", "Guild", valid_until="2022"))
    [item] = lanes(memory, "Ada")[0].items
    assert item.lo is None
    assert item.until == "2022"


def test_an_event_is_a_point(memory: Memory) -> None:
    moved = fact("Ada", "status_change", "Guild", "Ada left the Guild", "TRANSITIONED", valid_from="2021-03-04")
    tell(memory, moved)
    [item] = lanes(memory, "Ada")[0].items
    assert item.is_event
    assert (item.since, item.text) == ("2021-03-04", "Ada left the Guild")
    assert item.lo is not None
    assert item.hi is not None


def test_a_commitment_is_a_point_on_the_day_it_is_due(memory: Memory) -> None:
    tell(memory, fact("Ada", "commitment", "Guild", "Ada will pay", "ASSERTED", valid_until="2026-06-01"))
    [item] = lanes(memory, "Ada")[0].items
    assert item.is_event
    assert (item.since, item.until) == ("2026-06-01", None)


def test_undated_facts_are_counted(memory: Memory) -> None:
    tell(memory, fact("Ada", "employee", "Guild"))
    [lane] = lanes(memory, "Ada")
    assert (lane.items, lane.undated) == ((), 1)


def test_several_entities_have_a_lane_each(memory: Memory) -> None:
    tell(memory, fact("Ada", "employee", "Guild", valid_from="2020"))
    assert [lane.entity.name for lane in lanes(memory, "Ada", "Guild")] == ["Ada", "Guild"]


def test_one_predicate_can_be_chosen(memory: Memory) -> None:
    tell(memory, fact("Ada", "employee", "Guild", valid_from="2020"), fact("Ada", "member", "Mill", valid_from="2023"))
    [lane] = lanes(memory, "Ada", predicates=frozenset({"member"}))
    assert bars(lane) == [("2023", None)]


def test_the_span_covers_every_bound(memory: Memory) -> None:
    tell(memory, fact("Ada", "employee", "Guild", valid_from="2020", valid_until="2022"))
    found = lanes(memory, "Ada")
    with memory.read() as view:
        span = span_of(found, view.world.present, 1)
        first, last = view.world.read("2020"), view.world.read("2022")
    assert span.lo < first.lo
    assert last.hi < span.hi
    item: LaneItem = found[0].items[0]
    assert item.overlaps(first.span)
