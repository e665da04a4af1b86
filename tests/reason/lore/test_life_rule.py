"""Coverage, clash and the life rule against a count of every day."""

from itertools import product

from hypothesis import given
from hypothesis import strategies as st

from recollect.reason.lore.relation import apply_life_rule
from recollect.when.instant import MAX, MIN
from recollect.when.period import Bounds, Time, certainly_outside, clash, coverage, holds

DAYS = range(10)


def times() -> st.SearchStrategy[Time]:
    ends = st.tuples(st.sampled_from(DAYS), st.sampled_from(DAYS), st.booleans())
    return ends.map(lambda end: Time("t", min(end[:2]), max(end[:2]), end[2]))


def bounds() -> st.SearchStrategy[Bounds]:
    return st.builds(Bounds, st.none() | times(), st.none() | times())


def days_of(interval: Bounds) -> set[int]:
    return {day for day in DAYS if interval.lo <= day <= interval.hi}


@given(bounds(), times())
def test_a_relation_holds_where_its_days_meet_those_asked_about(interval: Bounds, at: Time) -> None:
    met = days_of(interval) & set(range(at.lo, at.hi + 1))
    assert holds(interval, at) == bool(met)
    how = coverage(interval, at)
    assert (how == "full") <= (met == set(range(at.lo, at.hi + 1)))
    assert (how == "none") == (not met)
    if how == "uncertain":
        unsure = [time for time in (interval.valid_from, interval.valid_until) if time and time.uncertain]
        assert all(any(time.lo <= day <= time.hi for time in unsure) for day in met)


def readings(interval: Bounds) -> list[tuple[float, float]]:
    """Every choice of a first and a last day inside the bounds."""
    starts = [MIN] if interval.valid_from is None else range(interval.valid_from.lo, interval.valid_from.hi + 1)
    ends = [MAX] if interval.valid_until is None else range(interval.valid_until.lo, interval.valid_until.hi + 1)
    return list(product(starts, ends))


@given(bounds(), bounds())
def test_two_intervals_clash_when_every_reading_of_them_overlaps_by_more_than_a_border(
    one: Bounds, other: Bounds
) -> None:
    always = all(max(a[0], b[0]) < min(a[1], b[1]) for a, b in product(readings(one), readings(other)))
    assert clash(one, other) == always == clash(other, one)


@given(times(), bounds())
def test_certainly_outside_leaves_no_reading_inside(period: Time, interval: Bounds) -> None:
    days = set(range(period.lo, period.hi + 1))
    expected = all(day < interval.lo for day in days) or all(day > interval.hi for day in days)
    assert certainly_outside(period, interval) == expected


@given(bounds(), st.lists(bounds(), max_size=2))
def test_an_open_bound_closes_where_all_who_must_live_do(stated: Bounds, lives: list[Bounds]) -> None:
    closed = apply_life_rule(stated, *lives)
    expected = days_of(stated)
    for life in lives:
        if stated.valid_from is None:
            expected &= {day for day in DAYS if day >= life.lo}
        if stated.valid_until is None:
            expected &= {day for day in DAYS if day <= life.hi}
    assert days_of(closed) == expected
    assert closed.valid_from == stated.valid_from or stated.valid_from is None
    assert closed.valid_until == stated.valid_until or stated.valid_until is None


def test_succession_in_one_year_is_no_clash_but_a_year_of_overlap_is() -> None:
    first = Bounds(Time("40", 400, 409), Time("45", 450, 459))
    assert not clash(first, Bounds(Time("45", 450, 459), None))
    assert clash(first, Bounds(Time("44", 440, 449), None))
