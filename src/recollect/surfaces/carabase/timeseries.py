"""`carabase_query_timeseries`: aggregates of measurements."""

from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field
from typing_extensions import TypedDict

from recollect.indexing import index_before_read
from recollect.keep.mesh.accounts import CONNECTORS
from recollect.keep.series.manifest import TIME_BUCKETS, Metric, SeriesManifest, find_manifest, list_manifests
from recollect.keep.series.series_query import SeriesQuery, SeriesResult, data_range, query_series
from recollect.memory import Memory
from recollect.model.names import fold
from recollect.search.document_search import filed_documents_if_few
from recollect.store.passage_filter import ArtifactFilter
from recollect.store.view import View
from recollect.surfaces.carabase.hints import Hint, HintedResult, SuggestedCall, hinted_answer, quote, suggest_call
from recollect.surfaces.carabase.parameters import choice_of, name_of, parse_date_range
from recollect.surfaces.carabase.surface import CarabaseError, surface
from recollect.surfaces.declarations import Result
from recollect.surfaces.parameter_types import AsOf, bad_value, decode_json
from recollect.when.instant import Instant

AGGREGATIONS = ("sum", "avg", "min", "max", "count")
RANGE_FIELDS = ("range.from", "range.to")


class RangeRequired(CarabaseError):
    code = "RANGE_REQUIRED"

    def __init__(self) -> None:
        forms = ['{"from": "2026-02-01", "to": "2026-02-28"}', "2026-02-01/2026-02-28"]
        super().__init__("range needs both ends, from and to", field="range", accepted=forms)


class UnknownSource(CarabaseError):
    code = "TIMESERIES_UNKNOWN_SOURCE"

    def __init__(self, source: str, known: list[str]) -> None:
        text = f"No source {quote(source)}. Sources that have measurements or a manifest: {', '.join(known)}."
        hint = Hint("timeseriesUnknownSource", text)
        trace = [f"find source {quote(source)} → unknown"]
        super().__init__(f"unknown source {quote(source)}", field="source", accepted=known, hint=hint, trace=trace)


class UnknownMetric(CarabaseError):
    code = "TIMESERIES_UNKNOWN_METRIC"

    def __init__(self, manifest: SeriesManifest, metric: str, arguments: dict[str, Any]) -> None:
        known = [each.metric for each in manifest.metrics]
        text = f"`{manifest.source}` measures {', '.join(known)}; ask `carabase_query_timeseries` for one of these."
        again = tuple(suggest_call("carabase_query_timeseries", **{**arguments, "metric": each}) for each in known[:1])
        hint = Hint("timeseriesUnknownMetric", text, again)
        trace = [f"find source {manifest.source} → ok", f"find metric {quote(metric)} → unknown"]
        message = f"{manifest.source} has no metric {quote(metric)}"
        super().__init__(message, field="metric", accepted=known, hint=hint, trace=trace)


class ArtifactSource(CarabaseError):
    code = "TIMESERIES_ARTIFACT_SOURCE"

    def __init__(self, source: str, record_type: str | None) -> None:
        text = (
            f"{quote(source)} holds documents, not measurements. (1) Search them with `carabase_search_semantic`. "
            "(2) List them with `carabase_query_metadata`."
        )
        hint = Hint("timeseriesArtifactSource", text, (suggest_call("carabase_search_semantic", query=source),))
        trace = [f"find source {quote(source)} → {record_type or 'holds documents'}"]
        super().__init__(
            f"{quote(source)} is a document source, not a time series", field="source", hint=hint, trace=trace
        )


class BadGroupBy(CarabaseError):
    code = "TIMESERIES_BAD_GROUP_BY"

    def __init__(self, allowed: list[str]) -> None:
        super().__init__(f"group_by must be one of {', '.join(allowed)}", field="group_by", accepted=allowed)


def _parse_range(value: Any) -> dict[str, str | None]:
    """Both ends as given; the tool itself refuses a missing one, with its own code."""
    found = decode_json(value) if isinstance(value, str) and value.lstrip().startswith("{") else value
    if isinstance(found, str):
        first, _, last = found.partition("/")
        found = {"from": first, "to": last}
    if not isinstance(found, dict):
        raise bad_value('must be {"from", "to"} or "from/to"')
    unknown = sorted(set(found) - {"from", "to"})
    if unknown:
        raise bad_value(f"takes from and to, not {unknown[0]}")
    for end in found.values():
        if end is not None and not isinstance(end, str):
            raise bad_value("has times as strings")
    return {end: (found.get(end) or "").strip() or None for end in ("from", "to")}


TimeRange = Annotated[
    dict[str, str | None],
    Field(description='Both ends, inclusive: {"from", "to"}, or "from/to".'),
    BeforeValidator(_parse_range),
]
SeriesName = Annotated[str, Field(description="Its name, in any case."), name_of(100)]


class BucketRow(TypedDict):
    bucket: str
    value: float
    n: int
    partial: bool


class SeriesMetadata(TypedDict):
    source: str
    metric: str
    aggregation: str
    group_by: str | None
    range: dict[str, str]
    unit: str | None
    rows: int
    total_n: int
    aggregate_status: str
    truncated: bool


class TimeseriesResult(HintedResult):
    rows: list[BucketRow]
    metadata: SeriesMetadata


@surface.tool(
    "read",
    example={
        "source": "orchard_sensors",
        "metric": "soil_temp",
        "range": {"from": "2026-02-02", "to": "2026-02-08"},
        "group_by": "plot",
    },
)
def carabase_query_timeseries(
    memory: Memory,
    source: SeriesName,
    metric: SeriesName,
    range: TimeRange | None = None,  # noqa: A002 the published name
    aggregation: Annotated[
        Literal["sum", "avg", "min", "max", "count"] | None,
        Field(description="How values are added up; the metric's own way if left out."),
        choice_of(*AGGREGATIONS),
    ] = None,
    group_by: Annotated[
        str | None, Field(description="day, week, month, or one category of the metric."), name_of(100)
    ] = None,
    account_id: Annotated[str | None, Field(description="Only the measurements of this account."), name_of(200)] = None,
    as_of: AsOf = None,
) -> Result[TimeseriesResult]:
    """Add up the measurements of one source and metric over a range of time.

    Groups by day, week, month or a category; says whether single rows are still there.
    """
    if range is None or range["from"] is None or range["to"] is None:
        raise RangeRequired
    arguments = {"source": source, "metric": metric, "range": range, "aggregation": aggregation, "as_of": as_of}
    index_before_read(memory, by_meaning=False)
    with memory.read(as_of) as view:
        manifest = _find_manifest(view, source)
        measured = manifest.metric(metric)
        if measured is None:
            raise UnknownMetric(manifest, metric, arguments)
        span = parse_date_range(view, range["from"], range["to"], RANGE_FIELDS)
        assert span is not None
        query = SeriesQuery(
            manifest,
            measured,
            Instant(span.lo),
            Instant(span.hi),
            aggregation or measured.aggregation,
            _group_key(group_by, measured),
            account_id,
        )
        return _render_series(view, query, query_series(view, query), range, as_of)


def _find_manifest(view: View, source: str) -> SeriesManifest:
    found = find_manifest(view, fold(source))
    if found is not None:
        if found.shape == "artifact":
            raise ArtifactSource(source, None)
        return found
    if fold(source) in CONNECTORS:
        raise ArtifactSource(source, "a connector")
    records = ArtifactFilter(kinds=frozenset({"record"}), source=fold(source))
    if filed_documents_if_few(view, records, 0) is None:
        raise ArtifactSource(source, "a type of records")
    raise UnknownSource(source, [each.source for each in list_manifests(view) if each.shape == "timeseries"])


def _group_key(given: str | None, metric: Metric) -> str | None:
    if given is None:
        return None
    allowed = [*TIME_BUCKETS, *metric.categories]
    found = next((each for each in allowed if fold(each) == fold(given)), None)
    if found is None:
        raise BadGroupBy(allowed)
    return found


def _render_series(
    view: View, query: SeriesQuery, series: SeriesResult, given: dict[str, str | None], as_of: AsOf
) -> Result[Any]:
    rows: list[BucketRow] = [
        {"bucket": each.bucket, "value": each.value, "n": each.n, "partial": each.partial} for each in series.buckets
    ]
    metadata: SeriesMetadata = {
        "source": query.manifest.source,
        "metric": query.metric.metric,
        "aggregation": query.aggregation,
        "group_by": query.group_by,
        "range": {"from": given["from"] or "", "to": given["to"] or ""},
        "unit": query.metric.unit,
        "rows": len(rows),
        "total_n": series.total_n,
        "aggregate_status": series.status,
        "truncated": series.truncated,
    }
    if not rows:
        return _render_no_rows(view, query, metadata, as_of)
    return hinted_answer({"rows": rows, "metadata": metadata}, _render_lines(query, series, metadata))


def _render_lines(query: SeriesQuery, series: SeriesResult, metadata: SeriesMetadata) -> list[str]:
    unit = f" {query.metric.unit}" if query.metric.unit and query.aggregation != "count" else ""
    head = (
        f"{query.aggregation} of {query.metric.metric} ({query.manifest.source}), "
        f"{metadata['range']['from']} to {metadata['range']['to']}, {series.total_n} measurements"
    )
    lines = [head, *(_format_bucket(each.bucket, each.value, each.n, each.partial, unit) for each in series.buckets)]
    if series.truncated:
        lines.append(f"Only the first {len(series.buckets)} rows are shown.")
    if series.status != "live":
        kept = "Single rows were purged" if series.status == "aggregate_only" else "Some single rows were purged"
        lines.append(f"{kept}; their daily figures are exact.")
    return lines


def _format_bucket(bucket: str, value: float, n: int, partial: bool, unit: str) -> str:
    return f"{bucket}: {value:g}{unit} (n={n}{', cut by the range' if partial else ''})"


def _render_no_rows(view: View, query: SeriesQuery, metadata: SeriesMetadata, as_of: AsOf) -> Result[Any]:
    ends = data_range(view, query.manifest, query.metric)
    what = f"{query.metric.metric} of {query.manifest.source}"
    next_call: tuple[SuggestedCall, ...] = ()
    if ends is None:
        text = f"There is no measurement of {what} at all. Take some in with `recollect ingest`."
    else:
        first, last = (day.isoformat() for day in ends)
        text = f"{what} has data from {first} to {last}. Ask `carabase_query_timeseries` for a range inside it."
        if query.account is not None:
            text += " Or leave account_id out."
        wider = {"from": first, "to": last}
        next_call = (
            suggest_call(
                "carabase_query_timeseries", source=query.manifest.source, metric=query.metric.metric, range=wider
            ),
        )
    given = metadata["range"]
    trace = [f"read {query.manifest.source}.{query.metric.metric} {given['from']}/{given['to']} → 0 rows"]
    head = f"No measurements of {what} from {given['from']} to {given['to']}."
    hint = Hint("timeseriesNoRows", text, next_call)
    return hinted_answer({"rows": [], "metadata": metadata}, [head], hint=hint, trace=trace, as_of=as_of)
