import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.when.worlds import NOW, gregorian

from recollect.when.instant import MAX, MIN
from recollect.when.parse import read_time
from recollect.when.period import Bounds, Coverage, Time, certainly_outside, clash, coverage, holds
from recollect.when.span import Span
from recollect.when.timeline import Timeline

WORLD: Timeline = gregorian()


def time(text: str) -> Time:
    return read_time(text, WORLD, NOW)


def bounds(start: str | None, end: str | None) -> Bounds:
    return Bounds(None if start is None else time(start), None if end is None else time(end))


@pytest.mark.parametrize(
    ("start", "end", "at", "expected"),
    [
        ("1848", "1850", "1849", "full"),
        ("1848", "1850", "1848", "full"),
        ("1848", "1850", "1850-12-31", "full"),
        ("1848", "1850", "1851", "none"),
        ("1848", "1850", "1847-12-31", "none"),
        ("1848-03", None, "1848", "partial"),
        (None, "1848-03", "1848", "partial"),
        (None, None, "1848", "full"),
        (None, None, "current", "full"),
        ("1850~", None, "1846", "uncertain"),
        ("1850~", None, "1855", "uncertain"),
        ("1850~", None, "1856", "full"),
        ("1850~", None, "1844", "none"),
        (None, "[1848..1850]", "1849", "uncertain"),
        (None, "[1848..1850]", "1847", "full"),
        (None, "[1848..1850]", "[1847..1849]", "full"),
        (None, "[1848..1850]", "[1847..1851]", "partial"),
        ("[1848..1850]", "[1848..1850]", "1849", "uncertain"),
        ("[1848..]", None, "2020", "uncertain"),
        ("[..1848]", None, "1849", "full"),
        ("1850", "1848", "1849", "none"),
    ],
)
def test_coverage_says_how_much_of_the_period_is_covered(
    start: str | None, end: str | None, at: str, expected: Coverage
) -> None:
    assert coverage(bounds(start, end), time(at)) == expected
    assert holds(bounds(start, end), time(at)) == (expected != "none")


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        (("1840", "1845"), ("1845", "1850"), False),
        (("1840", "1845"), ("1844", "1850"), True),
        (("1840", "1845"), ("1843~", "1860"), False),
        ((None, None), (None, None), True),
        ((None, "1845"), ("1846", None), False),
        (("1840", None), (None, "1842"), True),
        (("[1840..]", None), (None, None), False),
    ],
)
def test_two_intervals_clash_only_if_they_overlap_on_every_reading(
    one: tuple[str | None, str | None], other: tuple[str | None, str | None], expected: bool
) -> None:
    assert clash(bounds(*one), bounds(*other)) is expected
    assert clash(bounds(*other), bounds(*one)) is expected


def test_a_period_is_certainly_outside_only_when_all_of_it_is() -> None:
    life = bounds("1810~", "1870")
    assert certainly_outside(time("1804"), life)
    assert certainly_outside(time("1871"), life)
    assert not certainly_outside(time("1805"), life)
    assert not certainly_outside(time("1870-12-31"), life)
    assert not certainly_outside(time("[1804..1811]"), life)


def test_times_know_their_span_and_their_fineness() -> None:
    year, day = time("1848"), time("1848-03-17")
    assert year.contains(day)
    assert not day.contains(year)
    assert year.overlaps(day)
    assert not year.overlaps(time("1849"))
    assert day.span == Span(day.lo, day.hi)
    assert str(day) == "1848-03-17"


def test_open_bounds_reach_to_the_ends_of_the_axis() -> None:
    assert (Bounds().lo, Bounds().hi) == (MIN, MAX)


points = st.integers(min_value=0, max_value=20)
times = st.builds(lambda a, b, u: Time("t", min(a, b), max(a, b), u), points, points, st.booleans())
any_bounds = st.builds(Bounds, st.none() | times, st.none() | times)


@given(any_bounds, times)
def test_what_holds_is_never_certainly_outside_and_the_other_way_round(fact: Bounds, at: Time) -> None:
    if fact.lo <= fact.hi:
        assert holds(fact, at) != certainly_outside(at, fact)


@given(any_bounds, any_bounds)
def test_what_clashes_overlaps(one: Bounds, other: Bounds) -> None:
    if clash(one, other):
        assert max(one.lo, other.lo) <= min(one.hi, other.hi)
