"""Query of a series: sum, average, minimum, maximum or count by day, week, month or category."""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date, tzinfo
from fractions import Fraction
from typing import Literal, NamedTuple

from recollect.keep.series.manifest import TIME_BUCKETS, Aggregation, Metric, SeriesManifest
from recollect.keep.series.measurements import DailyAggregate, aggregate_of
from recollect.model.names import fold
from recollect.store.tables import LATEST
from recollect.store.view import View
from recollect.when.instant import Instant, date_of_day, day_end, day_of_date, day_start, local_day

Status = Literal["live", "aggregate_only", "partial"]
MAX_BUCKETS = 2000
NO_CATEGORY = "(none)"
ALL_BUCKET = "all"


@dataclass(frozen=True, slots=True)
class SeriesQuery:
    """One question about one metric; both ends of the range are included."""

    manifest: SeriesManifest
    metric: Metric
    lo: Instant
    hi: Instant
    aggregation: Aggregation
    group_by: str | None = None
    account: str | None = None


class Bucket(NamedTuple):
    bucket: str
    value: float
    n: int
    partial: bool


@dataclass(frozen=True, slots=True)
class SeriesResult:
    """The buckets that have data, how many measurements stand behind all of them, and whether single rows are left."""

    buckets: tuple[Bucket, ...]
    total_n: int
    status: Status
    truncated: bool


def query_series(view: View, asked: SeriesQuery) -> SeriesResult:
    """The measurements of a range, added up."""
    zone = view.world.zone
    single, gone = list(_raw_rows(view, asked, zone)), list(_rolled_up_rows(view, asked, zone))
    groups: dict[str, DailyAggregate] = {}
    place = _bucket_key(asked)
    for each in (*single, *gone):
        key = place(each)
        groups[key] = groups[key].merge(each) if key in groups else each
    buckets = _sort_buckets(asked, (_bucket(asked, key, each, zone) for key, each in groups.items()))
    status: Status = "live" if not gone else "partial" if single else "aggregate_only"
    n = sum(each.n for each in groups.values())
    return SeriesResult(tuple(buckets[:MAX_BUCKETS]), n, status, len(buckets) > MAX_BUCKETS)


def _raw_rows(view: View, asked: SeriesQuery, zone: tzinfo) -> Iterator[DailyAggregate]:
    """Each row that is still there, as the day it makes alone."""
    lo = max(asked.lo, asked.manifest.raw_expired_until(view.now) + 1)
    for at, account, category, value in _read_measurements(view, asked, lo, asked.hi, view.known):
        if asked.account in (None, account):
            yield aggregate_of(local_day(at, zone), account, json.loads(category), asked.metric.categories, value)


def _rolled_up_rows(view: View, asked: SeriesQuery, zone: tzinfo) -> Iterator[DailyAggregate]:
    """The rows of whole days whose single rows are past retention, swept or not."""
    first, last = _whole_days(asked, zone)
    key = {"source": asked.manifest.source, "metric": fold(asked.metric.metric)}
    for day, account, category, total, n, low, high in view.rows(
        "measured_days_between", first=first, last=last, **key
    ):
        if asked.account in (None, account):
            yield DailyAggregate(day, account, json.loads(category), Fraction(total), n, low, high)
    until = min(asked.manifest.raw_expired_until(view.now), day_end(last, zone))
    for at, account, category, value in _read_measurements(view, asked, day_start(first, zone), until, LATEST):
        if asked.account in (None, account):
            yield aggregate_of(local_day(at, zone), account, json.loads(category), asked.metric.categories, value)


def _read_measurements(
    view: View, asked: SeriesQuery, lo: int, hi: int, known: int
) -> list[tuple[Instant, str, str, float]]:
    if lo > hi:
        return []
    key = {"ws": view.ws, "source": asked.manifest.source, "metric": fold(asked.metric.metric)}
    found = view.connection.rows("measurements_between", {**key, "lo": lo, "hi": hi, "known": known})
    return sorted((Instant(at), account, category, value) for at, account, category, value in found)


def _whole_days(asked: SeriesQuery, zone: tzinfo) -> tuple[int, int]:
    """The first and last day that lie in the range from end to end."""
    first, last = local_day(asked.lo, zone), local_day(asked.hi, zone)
    return first + (day_start(first, zone) < asked.lo), last - (day_end(last, zone) > asked.hi)


def _bucket_key(asked: SeriesQuery) -> Callable[[DailyAggregate], str]:
    by = asked.group_by
    if by is None:
        return lambda _: ALL_BUCKET
    if by not in TIME_BUCKETS:
        return lambda each: each.category.get(by, NO_CATEGORY)
    return lambda each: _period(by, each.day)[0]


def _period(by: str, day: int) -> tuple[str, int, int]:
    """The name, first and last day of the day, week or month that a day is in."""
    when = date_of_day(day)
    if by == "day":
        return when.isoformat(), day, day
    if by == "week":
        first = day - when.weekday()
        return date_of_day(first).isoformat(), first, first + 6
    first, following = day_of_date(when.replace(day=1)), day_of_date(_next_month(when))
    return f"{when:%Y-%m}", first, following - 1


def _next_month(when: date) -> date:
    return date(when.year + when.month // 12, when.month % 12 + 1, 1)


def _bucket(asked: SeriesQuery, key: str, total: DailyAggregate, zone: tzinfo) -> Bucket:
    partial = False
    if asked.group_by in TIME_BUCKETS:
        _, first, last = _period(asked.group_by, total.day)
        partial = day_start(first, zone) < asked.lo or day_end(last, zone) > asked.hi
    return Bucket(key, _VALUES[asked.aggregation](total), total.n, partial)


_VALUES: Mapping[Aggregation, Callable[[DailyAggregate], float]] = {
    "sum": lambda day: float(day.total),
    "avg": lambda day: float(day.total / day.n),
    "min": lambda day: day.low,
    "max": lambda day: day.high,
    "count": lambda day: day.n,
}


def _sort_buckets(asked: SeriesQuery, buckets: Iterable[Bucket]) -> list[Bucket]:
    if asked.group_by in TIME_BUCKETS:
        return sorted(buckets)
    return sorted(buckets, key=lambda each: (-each.value, each.bucket))


def data_range(view: View, manifest: SeriesManifest, metric: Metric) -> tuple[date, date] | None:
    """The first and last day that have data, or none."""
    key = {"source": manifest.source, "metric": fold(metric.metric)}
    [single], [gone] = view.rows("measured_ends", **key), view.rows("measured_day_ends", **key)
    days = [local_day(Instant(at), view.world.zone) for at in single if at is not None]
    days += [day for day in gone if day is not None]
    return (date_of_day(min(days)), date_of_day(max(days))) if days else None
