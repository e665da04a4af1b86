"""Manifests of measurement sources and their metrics: built in, declared, or learned from the rows."""

import json
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any, Literal, get_args

from recollect.ingest.fields import BadLine, Json, JsonFields
from recollect.model.names import fold
from recollect.store import series_queries
from recollect.store.change import Change
from recollect.store.view import View
from recollect.when.instant import DAY, MIN, Instant

Aggregation = Literal["sum", "avg", "min", "max", "count"]
SourceShape = Literal["timeseries", "artifact"]
TIME_BUCKETS = ("day", "week", "month")
_SOURCE = re.compile(r"[a-z][a-z0-9_]{0,99}")
_MANIFEST_KEYS = frozenset({"source", "metrics", "raw_retention_days", "shape"})
_METRIC_KEYS = frozenset({"metric", "unit", "aggregation", "categories"})


@dataclass(frozen=True, slots=True)
class Metric:
    """One metric of a source."""

    metric: str
    unit: str | None = None
    aggregation: Aggregation = "sum"
    categories: tuple[str, ...] = ()
    is_learned: bool = False


@dataclass(frozen=True, slots=True)
class SeriesManifest:
    """A source and its metrics, in the order they were declared."""

    source: str
    metrics: tuple[Metric, ...]
    raw_retention_days: int | None = None
    shape: SourceShape = "timeseries"

    def metric(self, name: str) -> Metric | None:
        return next((each for each in self.metrics if fold(each.metric) == fold(name)), None)

    def raw_expired_until(self, now: Instant) -> int:
        """The last instant whose rows are past retention."""
        return MIN if self.raw_retention_days is None else now - self.raw_retention_days * DAY


SHIPPED: Mapping[str, SeriesManifest] = {
    "strava": SeriesManifest(
        "strava",
        tuple(
            Metric(name, unit, "sum", ("activity_type",))
            for name, unit in (("distance_meters", "m"), ("moving_time_seconds", "s"), ("elevation_gain_meters", "m"))
        ),
    ),
    "tidal": SeriesManifest("tidal", (Metric("plays"), Metric("duration_seconds", "s"))),
}


def find_manifest(view: View, source: str) -> SeriesManifest | None:
    """The stored manifest of a source, else the built-in one."""
    stored = series_queries.manifest_of(view, source)
    return SHIPPED.get(source) if stored is None else _manifest_of_json(source, stored)


def list_manifests(view: View) -> list[SeriesManifest]:
    """Every source, by name."""
    stored = {source: _manifest_of_json(source, value) for source, value in series_queries.manifests(view).items()}
    return [manifest for _, manifest in sorted({**SHIPPED, **stored}.items())]


def declare_manifest(change: Change, given: Json) -> bool:
    """Store the manifest of a bundle line, which replaces a learned or declared one; whether it changed."""
    manifest = parse_manifest(given)
    if find_manifest(change, manifest.source) == manifest:
        return False
    _put_manifest(change, manifest)
    return True


def learn_metric(change: Change, source: str, metric: str, categories: frozenset[str]) -> SeriesManifest:
    """The manifest of a source, extended by the metric and categories of a row where they are undeclared."""
    manifest = find_manifest(change, source) or SeriesManifest(source, ())
    known = manifest.metric(metric)
    if known is None:
        learned = Metric(metric, categories=tuple(sorted(categories)), is_learned=True)
        manifest = replace(manifest, metrics=(*manifest.metrics, learned))
    elif known.is_learned and not categories <= set(known.categories):
        grown = replace(known, categories=tuple(sorted({*known.categories, *categories})))
        manifest = replace(manifest, metrics=tuple(grown if each is known else each for each in manifest.metrics))
    else:
        return manifest
    _put_manifest(change, manifest)
    return manifest


def _put_manifest(change: Change, manifest: SeriesManifest) -> None:
    value = json.dumps({key: part for key, part in asdict(manifest).items() if key != "source"}, sort_keys=True)
    series_queries.put_manifest(change, manifest.source, value)


def _manifest_of_json(source: str, text: str) -> SeriesManifest:
    value: dict[str, Any] = json.loads(text)
    metrics = tuple(Metric(**{**each, "categories": tuple(each["categories"])}) for each in value.pop("metrics"))
    return SeriesManifest(source, metrics, **value)


def parse_source(text: str, path: str) -> str:
    source = fold(text)
    if not _SOURCE.fullmatch(source):
        raise BadLine(path, "should be lower_snake_case: letters, digits and _")
    return source


def parse_manifest(given: Json) -> SeriesManifest:
    """The manifest of a bundle line."""
    fields = JsonFields(given, "manifest")
    fields.reject_unknown(_MANIFEST_KEYS)
    source = parse_source(fields.required_text("source"), "manifest.source")
    shape: SourceShape = fields.choice("shape", get_args(SourceShape)) or "timeseries"
    metrics = tuple(_parse_metric(each, f"manifest.metrics[{i}]") for i, each in enumerate(fields.items("metrics")))
    if not metrics and shape == "timeseries":
        raise BadLine("manifest.metrics", "is needed")
    if len({fold(each.metric) for each in metrics}) < len(metrics):
        raise BadLine("manifest.metrics", "names a metric twice")
    days = fields.values.get("raw_retention_days")
    if days is not None and (type(days) is not int or days < 0):
        raise BadLine("manifest.raw_retention_days", "should be a whole number of days, or null")
    return SeriesManifest(source, metrics, days, shape)


def _parse_metric(given: Any, path: str) -> Metric:
    fields = JsonFields(given, path)
    fields.reject_unknown(_METRIC_KEYS)
    categories = fields.texts("categories")
    if {fold(each) for each in categories} & set(TIME_BUCKETS):
        raise BadLine(f"{path}.categories", "day, week and month are not names of categories")
    aggregation: Aggregation = fields.choice("aggregation", get_args(Aggregation)) or "sum"
    return Metric(fields.required_text("metric"), fields.text("unit"), aggregation, categories)
