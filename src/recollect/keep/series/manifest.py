"""What sources of measurements there are and what they measure: declared, shipped, or learned from the rows."""

import json
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any, Literal, get_args

from recollect.ingest.fields import Fields, Json
from recollect.ingest.problems import BadLine
from recollect.model.names import fold
from recollect.store.change import Change
from recollect.store.tables import MANIFEST, OPEN
from recollect.store.view import View
from recollect.when.instant import DAY, MIN, Instant

Aggregation = Literal["sum", "avg", "min", "max", "count"]
Shape = Literal["timeseries", "artifact"]
TIME_BUCKETS = ("day", "week", "month")
_SOURCE = re.compile(r"[a-z][a-z0-9_]{0,99}")
_MANIFEST_KEYS = frozenset({"source", "metrics", "raw_retention_days", "shape"})
_METRIC_KEYS = frozenset({"metric", "unit", "aggregation", "categories"})


@dataclass(frozen=True, slots=True)
class Metric:
    """One thing that a source measures."""

    metric: str
    unit: str | None = None
    aggregation: Aggregation = "sum"
    categories: tuple[str, ...] = ()
    is_learned: bool = False


@dataclass(frozen=True, slots=True)
class Manifest:
    """A source and its metrics, in the order they were declared."""

    source: str
    metrics: tuple[Metric, ...]
    raw_retention_days: int | None = None
    shape: Shape = "timeseries"

    def metric(self, name: str) -> Metric | None:
        return next((each for each in self.metrics if fold(each.metric) == fold(name)), None)

    def gone_until(self, now: Instant) -> int:
        """The last instant whose single rows are past retention by now."""
        return MIN if self.raw_retention_days is None else now - self.raw_retention_days * DAY


SHIPPED: Mapping[str, Manifest] = {
    "strava": Manifest(
        "strava",
        tuple(
            Metric(name, unit, "sum", ("activity_type",))
            for name, unit in (("distance_meters", "m"), ("moving_time_seconds", "s"), ("elevation_gain_meters", "m"))
        ),
    ),
    "tidal": Manifest("tidal", (Metric("plays"), Metric("duration_seconds", "s"))),
}


def manifest_of(view: View, source: str) -> Manifest | None:
    """What is known of a source at this moment."""
    found = view.rows("manifest_of", source=source)
    return _stored(source, found[0][0]) if found else SHIPPED.get(source)


def manifests(view: View) -> list[Manifest]:
    """Every source, by name."""
    stored = {source: _stored(source, value) for source, value in view.rows("manifests")}
    return [manifest for _, manifest in sorted({**SHIPPED, **stored}.items())]


def declare(change: Change, given: Json) -> bool:
    """Take a manifest line; it replaces what was learned or declared before."""
    manifest = read_manifest(given)
    if manifest_of(change, manifest.source) == manifest:
        return False
    _put(change, manifest)
    return True


def learn(change: Change, source: str, metric: str, categories: frozenset[str]) -> Manifest:
    """The source's manifest, after a row of this metric with these categories declared what was not."""
    manifest = manifest_of(change, source) or Manifest(source, ())
    known = manifest.metric(metric)
    if known is None:
        learned = Metric(metric, categories=tuple(sorted(categories)), is_learned=True)
        manifest = replace(manifest, metrics=(*manifest.metrics, learned))
    elif known.is_learned and not categories <= set(known.categories):
        grown = replace(known, categories=tuple(sorted({*known.categories, *categories})))
        manifest = replace(manifest, metrics=tuple(grown if each is known else each for each in manifest.metrics))
    else:
        return manifest
    _put(change, manifest)
    return manifest


def _put(change: Change, manifest: Manifest) -> None:
    value = json.dumps({key: part for key, part in asdict(manifest).items() if key != "source"}, sort_keys=True)
    change.connection.end(MANIFEST, change.ws, (manifest.source,), change.tx)
    change.connection.insert(MANIFEST, ((change.ws, manifest.source, change.tx, OPEN, value),))


def _stored(source: str, text: str) -> Manifest:
    value: dict[str, Any] = json.loads(text)
    metrics = tuple(Metric(**{**each, "categories": tuple(each["categories"])}) for each in value.pop("metrics"))
    return Manifest(source, metrics, **value)


def read_source(text: str, path: str) -> str:
    source = fold(text)
    if not _SOURCE.fullmatch(source):
        raise BadLine(path, "should be lower_snake_case: letters, digits and _")
    return source


def read_manifest(given: Json) -> Manifest:
    """A manifest as a line gives it."""
    fields = Fields(given, "manifest")
    fields.only(_MANIFEST_KEYS)
    source = read_source(fields.needed("source"), "manifest.source")
    shape: Shape = fields.word("shape", get_args(Shape)) or "timeseries"
    metrics = tuple(_metric(each, f"manifest.metrics[{i}]") for i, each in enumerate(fields.items("metrics")))
    if not metrics and shape == "timeseries":
        raise BadLine("manifest.metrics", "is needed")
    if len({fold(each.metric) for each in metrics}) < len(metrics):
        raise BadLine("manifest.metrics", "names a metric twice")
    days = fields.values.get("raw_retention_days")
    if days is not None and (type(days) is not int or days < 0):
        raise BadLine("manifest.raw_retention_days", "should be a whole number of days, or null")
    return Manifest(source, metrics, days, shape)


def _metric(given: Any, path: str) -> Metric:
    fields = Fields(given, path)
    fields.only(_METRIC_KEYS)
    categories = fields.texts("categories")
    if {fold(each) for each in categories} & set(TIME_BUCKETS):
        raise BadLine(f"{path}.categories", "day, week and month are not names of categories")
    aggregation: Aggregation = fields.word("aggregation", get_args(Aggregation)) or "sum"
    return Metric(fields.needed("metric"), fields.text("unit"), aggregation, categories)
