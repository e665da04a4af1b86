"""Measurements: recorded once, corrected by value, rolled up into daily aggregates past retention."""

import json
import math
from collections.abc import Iterable, Mapping
from fractions import Fraction
from hashlib import blake2b
from typing import NamedTuple

from recollect.ingest.fields import BadLine, Json, JsonFields
from recollect.keep.series.manifest import Metric, SeriesManifest, learn_metric, list_manifests, parse_source
from recollect.memory import Memory
from recollect.model.names import fold
from recollect.store.change import Change
from recollect.store.tables import MEASUREMENT, OPEN
from recollect.when.instant import MIN, Instant, local_day, read_instant
from recollect.when.problems import BadTime


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


def exact_fraction(value: float) -> Fraction:
    """The number as people write it: sums of these do not depend on their order."""
    return Fraction(repr(value))


def aggregate_of(
    day: int, account: str, category: Mapping[str, str], declared: Iterable[str], value: float
) -> DailyAggregate:
    """What one measurement adds to its day."""
    kept = {key: category[key] for key in sorted(declared) if key in category}
    return DailyAggregate(day, account, kept, exact_fraction(value), 1, value, value)


def add_to_daily_aggregate(
    change: Change,
    source: str,
    metric: str,
    declared: Iterable[str],
    at: Instant,
    account: str,
    category: Mapping[str, str],
    value: float,
) -> None:
    """Count one measurement in the row of its day."""
    new = aggregate_of(local_day(at, change.world.zone), account, category, declared, value)
    key = {
        "source": source,
        "metric": metric,
        "day": new.day,
        "account": account,
        "category": _category_json(new.category),
    }
    held = change.rows("measured_day", **key)
    if held:
        total, n, low, high = held[0]
        new = new.merge(DailyAggregate(new.day, account, new.category, Fraction(total), n, low, high))
    values = {"total": str(new.total), "n": new.n, "low": new.low, "high": new.high}
    change.connection.run("measured_day_put", {"ws": change.ws, **key, **values})


def _category_json(category: Mapping[str, str]) -> str:
    return json.dumps(dict(category), sort_keys=True, ensure_ascii=False)


_KEYS = frozenset({"source", "metric", "at", "value", "category", "account_id", "id"})


class Measurement(NamedTuple):
    """One measured value; `metric` is as it was spelled."""

    source: str
    metric: str
    at: Instant
    account: str
    category: Mapping[str, str]
    own_id: str
    value: float

    @property
    def id(self) -> str:
        """What makes it this measurement and no other, whatever its value."""
        parts = [self.source, fold(self.metric), self.at, self.account, self.category_text, self.own_id]
        return _digest(json.dumps(parts))

    @property
    def category_text(self) -> str:
        return json.dumps(dict(self.category), sort_keys=True, ensure_ascii=False)

    @property
    def fingerprint(self) -> str:
        """What stays of it when it is gone, so that it is known again."""
        return fingerprint_of(self.id, self.value)


def fingerprint_of(ident: str, value: float) -> str:
    return _digest(f"{ident} {value!r}")


def _digest(text: str) -> str:
    return blake2b(text.encode(), digest_size=16).hexdigest()


def record_measurement(change: Change, given: Json) -> bool:
    """Keep a measurement; false if it is known with this value."""
    found = parse_measurement(change, given)
    manifest = learn_metric(change, found.source, found.metric, frozenset(found.category))
    is_past = found.at <= manifest.raw_expired_until(change.now)
    gone = change.rows("measurement_gone", id=found.id)
    if gone:
        return _refuse_expired_change(gone[0][0] == found.fingerprint)
    held = change.rows("measurement_one", id=found.id)
    if held and held[0][0] == found.value:
        return False
    if held and is_past:
        return _refuse_expired_change(False)
    if is_past:
        _add_expired_to_daily(change, manifest, found)
    else:
        _put_measurement(change, found)
    return True


def _refuse_expired_change(is_same: bool) -> bool:
    if not is_same:
        raise BadLine("measurement.value", "differs from a row that is past retention; it can no longer be corrected")
    return False


def _put_measurement(change: Change, found: Measurement) -> None:
    change.connection.end(MEASUREMENT, change.ws, (found.id,), change.tx)
    values = (found.source, fold(found.metric), found.at, found.account, found.category_text, found.value)
    change.connection.insert(MEASUREMENT, ((change.ws, found.id, change.tx, OPEN, *values),))


def _add_expired_to_daily(change: Change, manifest: SeriesManifest, found: Measurement) -> None:
    _ = change.tx  # What a read can show has changed.
    metric = manifest.metric(found.metric)
    declared = metric.categories if metric else ()
    add_to_daily_aggregate(
        change, found.source, fold(found.metric), declared, found.at, found.account, found.category, found.value
    )
    change.connection.run("measurement_mark", {"ws": change.ws, "id": found.id, "mark": found.fingerprint})


def parse_measurement(change: Change, given: Json) -> Measurement:
    """A measurement as a line gives it."""
    fields = JsonFields(given, "measurement")
    fields.reject_unknown(_KEYS)
    value = fields.values.get("value")
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise BadLine("measurement.value", "should be a finite number")
    return Measurement(
        parse_source(fields.required_text("source"), "measurement.source"),
        fields.required_text("metric"),
        _parse_instant(change, fields.required_text("at")),
        fields.text("account_id") or "",
        _parse_category(fields.object_of("category")),
        fields.text("id") or "",
        float(value),
    )


def _parse_instant(change: Change, text: str) -> Instant:
    try:
        return read_instant(text, change.world.zone)
    except BadTime as problem:
        raise BadLine("measurement.at", str(problem)) from problem


def _parse_category(given: Json) -> dict[str, str]:
    for key, value in given.items():
        if not isinstance(value, str | int | float) or isinstance(value, bool):
            raise BadLine(f"measurement.category.{key}", "should be a string")
    return {key: value if isinstance(value, str) else f"{value:g}" for key, value in given.items()}


BATCH_SIZE = 2_000


def sweep_series(memory: Memory) -> int:
    """Remove every single row that is past retention; how many there were."""
    with memory.read() as view:
        due = [each for each in list_manifests(view) if each.raw_expired_until(view.now) > MIN]
    return sum(_sweep_metric(memory, manifest, metric) for manifest in due for metric in manifest.metrics)


def _sweep_metric(memory: Memory, manifest: SeriesManifest, metric: Metric) -> int:
    swept = 0
    while True:
        with memory.write() as change:
            found = _sweep_batch(change, manifest, metric)
        swept += found
        if found < BATCH_SIZE:
            return swept


def _sweep_batch(change: Change, manifest: SeriesManifest, metric: Metric) -> int:
    key = {"source": manifest.source, "metric": fold(metric.metric), "until": manifest.raw_expired_until(change.now)}
    rows = change.rows("measurements_past", limit=BATCH_SIZE, **key)
    for ident, source, name, at, account, category, value in rows:
        labels = json.loads(category)
        add_to_daily_aggregate(change, source, name, metric.categories, Instant(at), account, labels, value)
        change.connection.run("measurement_mark", {"ws": change.ws, "id": ident, "mark": fingerprint_of(ident, value)})
        change.connection.run("measurement_erase", {"ws": change.ws, "id": ident})
    if len(rows) < BATCH_SIZE:
        # What corrections replaced has no open version left to find it by.
        change.connection.run("measurements_ended_past", {"ws": change.ws, **key})
    return len(rows)
