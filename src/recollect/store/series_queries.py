"""Queries of series: manifests, measurements, and the daily aggregates that outlive them."""

import json
from collections.abc import Mapping
from fractions import Fraction
from typing import Any, NamedTuple

from recollect.store.change import Change
from recollect.store.tables import MANIFEST, MEASUREMENT
from recollect.store.view import View
from recollect.when.instant import Instant


class SeriesKey(NamedTuple):
    """One metric of one source; the metric's name is folded."""

    source: str
    metric: str


class MeasurementRow(NamedTuple):
    id: str
    source: str
    metric: str
    at: Instant
    account: str
    category: Mapping[str, str]
    value: float


class MeasuredValue(NamedTuple):
    """A measurement without what the query for it already names."""

    at: Instant
    account: str
    category: str
    value: float

    @property
    def labels(self) -> dict[str, str]:
        return json.loads(self.category)  # type: ignore[no-any-return]


class DailyAggregate(NamedTuple):
    """The measurements of one day, account and combination of categories; the total is exact."""

    day: int
    account: str
    category: Mapping[str, str]
    total: Fraction
    n: int
    low: float
    high: float

    def merge(self, other: "DailyAggregate") -> "DailyAggregate":
        total, n = self.total + other.total, self.n + other.n
        return self._replace(total=total, n=n, low=min(self.low, other.low), high=max(self.high, other.high))


def category_json(category: Mapping[str, str]) -> str:
    """A category as it is stored: equal mappings give equal texts."""
    return json.dumps(dict(category), sort_keys=True, ensure_ascii=False)


def manifest_of(view: View, source: str) -> str | None:
    """The stored manifest of a source, as JSON."""
    return view.fetch_text("manifest_of", source=source)


def manifests(view: View) -> dict[str, str]:
    """By source, its stored manifest as JSON."""
    return dict(view.rows("manifests"))


def put_manifest(change: Change, source: str, value: str) -> None:
    change.put_row(MANIFEST, (source,), value)


def value_of(view: View, id_: str) -> float | None:
    """The value of a measurement that is stored as a single row."""
    rows = view.rows("measurement_one", id=id_)
    return float(rows[0][0]) if rows else None


def values_between(view: View, key: SeriesKey, lo: int, hi: int, as_of_tx: int) -> list[MeasuredValue]:
    """The measurements of a time range as of a transaction, in a fixed order."""
    parameters = {"ws": view.ws, **key._asdict(), "lo": lo, "hi": hi, "as_of_tx": as_of_tx}
    return sorted(MeasuredValue._make(row) for row in view.connection.rows("measurements_between", parameters))


def measurements_until(view: View, key: SeriesKey, until: int, limit: int) -> list[MeasurementRow]:
    rows = view.rows("measurements_past", until=until, limit=limit, **key._asdict())
    return [row._replace(category=json.loads(str(row.category))) for row in map(MeasurementRow._make, rows)]


def put_measurement(change: Change, row: MeasurementRow) -> None:
    category = category_json(row.category)
    change.put_row(MEASUREMENT, (row.id,), row.source, row.metric, row.at, row.account, category, row.value)


def erase_measurement(change: Change, id_: str) -> None:
    change.run("measurement_erase", id=id_)


def erase_measurements_until(change: Change, key: SeriesKey, until: int) -> None:
    change.run("measurements_ended_past", until=until, **key._asdict())


def expired_fingerprint(view: View, id_: str) -> str | None:
    """The fingerprint left by a measurement that was rolled up into its day."""
    return view.fetch_text("measurement_gone", id=id_)


def put_expired_fingerprint(change: Change, id_: str, fingerprint: str) -> None:
    change.run("measurement_mark", id=id_, mark=fingerprint)


def add_to_day(change: Change, key: SeriesKey, added: DailyAggregate) -> None:
    """Merge an aggregate into the stored one of the same day, account and category."""
    place = {**key._asdict(), **_day_key(added)}
    rows = change.rows("measured_day", **place)
    merged = added.merge(_aggregate(added.day, added.account, added.category, *rows[0])) if rows else added
    values = {"total": str(merged.total), "n": merged.n, "low": merged.low, "high": merged.high}
    change.run("measured_day_put", **place, **values)


def _day_key(day: DailyAggregate) -> dict[str, Any]:
    return {"day": day.day, "account": day.account, "category": category_json(day.category)}


def _aggregate(
    day: int, account: str, category: Mapping[str, str], total: str, n: int, low: float, high: float
) -> DailyAggregate:
    return DailyAggregate(day, account, category, Fraction(total), n, low, high)


def days_between(view: View, key: SeriesKey, first: int, last: int) -> list[DailyAggregate]:
    rows = view.rows("measured_days_between", first=first, last=last, **key._asdict())
    return [_aggregate(day, account, json.loads(category), *rest) for day, account, category, *rest in rows]


def instants_range(view: View, key: SeriesKey) -> list[Instant]:
    """The first and last instant of the single rows; empty if there are none."""
    [row] = view.rows("measured_ends", **key._asdict())
    return [Instant(at) for at in row if at is not None]


def days_range(view: View, key: SeriesKey) -> list[int]:
    """The first and last aggregated day; empty if there are none."""
    [row] = view.rows("measured_day_ends", **key._asdict())
    return [int(day) for day in row if day is not None]
