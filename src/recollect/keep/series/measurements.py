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
from recollect.store import series_queries
from recollect.store.change import Change
from recollect.store.series_queries import DailyAggregate, MeasurementRow, SeriesKey, category_json
from recollect.when.instant import MIN, Instant, local_day, read_instant
from recollect.when.time_errors import BadTime


def exact_fraction(value: float) -> Fraction:
    """The number as it is written in decimal; sums of these do not depend on their order."""
    return Fraction(repr(value))


def aggregate_of(
    day: int, account: str, category: Mapping[str, str], declared: Iterable[str], value: float
) -> DailyAggregate:
    """The aggregate of a single measurement, by its declared categories."""
    labels = {key: category[key] for key in sorted(declared) if key in category}
    return DailyAggregate(day, account, labels, exact_fraction(value), 1, value, value)


def add_to_daily_aggregate(change: Change, measured: MeasurementRow, declared: Iterable[str]) -> None:
    """Count one measurement in the aggregate of its day."""
    day = local_day(measured.at, change.world.zone)
    added = aggregate_of(day, measured.account, measured.category, declared, measured.value)
    series_queries.add_to_day(change, SeriesKey(measured.source, measured.metric), added)


_KEYS = frozenset({"source", "metric", "at", "value", "category", "account_id", "id"})


class Measurement(NamedTuple):
    """One measured value; `metric` is spelled as it was given."""

    source: str
    metric: str
    at: Instant
    account: str
    category: Mapping[str, str]
    own_id: str
    value: float

    @property
    def id(self) -> str:
        """The identity of the measurement, whatever its value."""
        category = category_json(self.category)
        parts = [self.source, fold(self.metric), self.at, self.account, category, self.own_id]
        return _digest(json.dumps(parts))

    @property
    def fingerprint(self) -> str:
        """A hash that identifies the value after its row was swept."""
        return fingerprint_of(self.id, self.value)

    @property
    def row(self) -> MeasurementRow:
        metric = fold(self.metric)
        return MeasurementRow(self.id, self.source, metric, self.at, self.account, self.category, self.value)


def fingerprint_of(id_: str, value: float) -> str:
    return _digest(f"{id_} {value!r}")


def _digest(text: str) -> str:
    return blake2b(text.encode(), digest_size=16).hexdigest()


def record_measurement(change: Change, given: Json) -> bool:
    """Store a measurement; false if it is known with this value."""
    new = parse_measurement(change, given)
    manifest = learn_metric(change, new.source, new.metric, frozenset(new.category))
    is_past = new.at <= manifest.raw_expired_until(change.now)
    expired = series_queries.expired_fingerprint(change, new.id)
    if expired is not None:
        return _refuse_expired_change(expired == new.fingerprint)
    stored = series_queries.value_of(change, new.id)
    if stored == new.value:
        return False
    if stored is not None and is_past:
        return _refuse_expired_change(False)
    if is_past:
        _add_expired_to_daily(change, manifest, new)
    else:
        series_queries.put_measurement(change, new.row)
    return True


def _refuse_expired_change(is_same: bool) -> bool:
    if not is_same:
        raise BadLine("measurement.value", "differs from a row that is past retention; it can no longer be corrected")
    return False


def _add_expired_to_daily(change: Change, manifest: SeriesManifest, new: Measurement) -> None:
    _ = change.tx  # Later reads return something else, so this needs a transaction of its own.
    metric = manifest.metric(new.metric)
    add_to_daily_aggregate(change, new.row, metric.categories if metric else ())
    series_queries.put_expired_fingerprint(change, new.id, new.fingerprint)


def parse_measurement(change: Change, given: Json) -> Measurement:
    """The measurement of a bundle line."""
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
    """Roll up every row that is past retention; how many there were."""
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
    key, until = SeriesKey(manifest.source, fold(metric.metric)), manifest.raw_expired_until(change.now)
    rows = series_queries.measurements_until(change, key, until, BATCH_SIZE)
    for row in rows:
        add_to_daily_aggregate(change, row, metric.categories)
        series_queries.put_expired_fingerprint(change, row.id, fingerprint_of(row.id, row.value))
        series_queries.erase_measurement(change, row.id)
    if len(rows) < BATCH_SIZE:
        # Corrected values have no open version left, so the loop above does not find them.
        series_queries.erase_measurements_until(change, key, until)
    return len(rows)
