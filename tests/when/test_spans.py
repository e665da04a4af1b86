import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.when.instant import MAX, MIN
from recollect.when.span import Span, hull, join

positions = st.integers(min_value=-30, max_value=30)
spans = st.tuples(positions, positions).map(lambda ends: Span(min(ends), max(ends)))


def _points(*parts: Span) -> set[int]:
    return {point for part in parts for point in range(part.lo, part.hi + 1)}


def test_a_span_without_ends_is_the_whole_axis() -> None:
    assert Span() == Span(MIN, MAX)
    assert Span().covers(Span(3, 4))


def test_a_span_cannot_be_empty() -> None:
    with pytest.raises(ValueError, match="before it begins"):
        Span(2, 1)


@given(spans, spans)
def test_the_relations_of_spans_are_those_of_their_points(one: Span, other: Span) -> None:
    assert one.overlaps(other) == bool(_points(one) & _points(other))
    assert one.overlaps_bounds(other.lo, other.hi) == one.overlaps(other)
    assert one.overlaps_bounds(other.lo, None) == one.overlaps(Span(lo=other.lo))
    assert one.overlaps_bounds(None, other.hi) == one.overlaps(Span(hi=other.hi))
    assert one.covers(other) == (_points(other) <= _points(one))
    assert _points(*one.cut(other)) == _points(one) - _points(other)


@given(st.lists(spans))
def test_join_keeps_the_points_in_as_few_spans_as_can_be(many: list[Span]) -> None:
    joined = join(many)
    assert _points(*joined) == _points(*many)
    assert all(a.hi + 1 < b.lo for a, b in itertools.pairwise(joined))


@given(st.lists(spans))
def test_the_hull_is_the_smallest_span_around_all(many: list[Span]) -> None:
    around = hull(many)
    if around is None:
        assert many == []
    else:
        points = _points(*many)
        assert around == Span(min(points), max(points))
