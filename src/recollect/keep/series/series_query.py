"""Query of a series: sum, average, minimum, maximum or count by day, week, month or category."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import date, tzinfo
from typing import Literal, NamedTuple

from recollect.keep.series.manifest import TIME_BUCKETS, Aggregation, Metric, SeriesManifest
from recollect.keep.series.measurements import aggregate_of
from recollect.model.names import fold
from recollect.store import series_queries
from recollect.store.series_queries import DailyAggregate, SeriesKey
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

    @property
    def key(self) -> SeriesKey:
        return SeriesKey(self.manifest.source, fold(self.metric.metric))


class Bucket(NamedTuple):
    bucket: str
    value: float
    n: int
    partial: bool


@dataclass(frozen=True, slots=True)
class SeriesResult:
    """The buckets that have data, the number of measurements in all of them, and whether raw rows are left."""

    buckets: tuple[Bucket, ...]
    total_n: int
    status: Status
    truncated: bool


def query_series(view: View, query: SeriesQuery) -> SeriesResult:
    """The measurements of a range, aggregated by bucket."""
    zone = view.world.zone
    raw, rolled_up = _raw_rows(view, query, zone), _rolled_up_rows(view, query, zone)
    groups: dict[str, DailyAggregate] = {}
    key_of = _bucket_key(query)
    for each in (*raw, *rolled_up):
        key = key_of(each)
        groups[key] = groups[key].merge(each) if key in groups else each
    buckets = _sort_buckets(query, (_bucket(query, key, each, zone) for key, each in groups.items()))
    status: Status = "live" if not rolled_up else "partial" if raw else "aggregate_only"
    n = sum(each.n for each in groups.values())
    return SeriesResult(tuple(buckets[:MAX_BUCKETS]), n, status, len(buckets) > MAX_BUCKETS)


def _raw_rows(view: View, query: SeriesQuery, zone: tzinfo) -> list[DailyAggregate]:
    """The stored measurements of the range, each as an aggregate of its own."""
    lo = max(query.lo, query.manifest.raw_expired_until(view.now) + 1)
    return _read_measurements(view, query, lo, query.hi, view.as_of_tx, zone)


def _rolled_up_rows(view: View, query: SeriesQuery, zone: tzinfo) -> list[DailyAggregate]:
    """The aggregates of whole days past retention, and their measurements that are not swept yet."""
    first, last = _whole_days(query, zone)
    days = series_queries.days_between(view, query.key, first, last)
    until = min(query.manifest.raw_expired_until(view.now), day_end(last, zone))
    unswept = _read_measurements(view, query, day_start(first, zone), until, LATEST, zone)
    return [*(day for day in days if query.account in (None, day.account)), *unswept]


def _read_measurements(
    view: View, query: SeriesQuery, lo: int, hi: int, known: int, zone: tzinfo
) -> list[DailyAggregate]:
    values = series_queries.values_between(view, query.key, lo, hi, known) if lo <= hi else []
    declared = query.metric.categories
    return [
        aggregate_of(local_day(each.at, zone), each.account, each.labels, declared, each.value)
        for each in values
        if query.account in (None, each.account)
    ]


def _whole_days(query: SeriesQuery, zone: tzinfo) -> tuple[int, int]:
    """The first and last day that lie in the range completely."""
    first, last = local_day(query.lo, zone), local_day(query.hi, zone)
    return first + (day_start(first, zone) < query.lo), last - (day_end(last, zone) > query.hi)


def _bucket_key(query: SeriesQuery) -> Callable[[DailyAggregate], str]:
    by = query.group_by
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


def _bucket(query: SeriesQuery, key: str, total: DailyAggregate, zone: tzinfo) -> Bucket:
    partial = False
    if query.group_by in TIME_BUCKETS:
        _, first, last = _period(query.group_by, total.day)
        partial = day_start(first, zone) < query.lo or day_end(last, zone) > query.hi
    return Bucket(key, _VALUES[query.aggregation](total), total.n, partial)


_VALUES: Mapping[Aggregation, Callable[[DailyAggregate], float]] = {
    "sum": lambda day: float(day.total),
    "avg": lambda day: float(day.total / day.n),
    "min": lambda day: day.low,
    "max": lambda day: day.high,
    "count": lambda day: day.n,
}


def _sort_buckets(query: SeriesQuery, buckets: Iterable[Bucket]) -> list[Bucket]:
    if query.group_by in TIME_BUCKETS:
        return sorted(buckets)
    return sorted(buckets, key=lambda each: (-each.value, each.bucket))


def data_range(view: View, manifest: SeriesManifest, metric: Metric) -> tuple[date, date] | None:
    """The first and last day that have data, or none."""
    key = SeriesKey(manifest.source, fold(metric.metric))
    days = [local_day(at, view.world.zone) for at in series_queries.instants_range(view, key)]
    days += series_queries.days_range(view, key)
    return (date_of_day(min(days)), date_of_day(max(days))) if days else None
