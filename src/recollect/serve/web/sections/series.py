"""Series: the measurements of a source as a plot and a table."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from zoneinfo import ZoneInfo

from recollect.keep.series.manifest import Metric, SeriesManifest, list_manifests
from recollect.keep.series.series_query import Bucket, SeriesQuery, data_range, query_series
from recollect.model.names import fold
from recollect.serve.web.framework.cards import mark_changes
from recollect.serve.web.framework.error_pages import PageNotFound
from recollect.serve.web.framework.pages import Page, PageModel, PageRequest, WebSection
from recollect.serve.web.sections.timeline_layout import ZoomLinks
from recollect.store.view import View
from recollect.surfaces.recollect.parameters import read_when
from recollect.when.instant import Instant, day_end, day_of_date, day_start, format_date, local_day

WIDTH, HEIGHT = 720.0, 180.0
GROUPS = ("day", "week", "month")


@dataclass(frozen=True, slots=True)
class PlotPoint:
    x: float = field(compare=False)
    y: float = field(compare=False)
    bucket: str
    value: float
    count: int
    change: str = ""


@dataclass(frozen=True, slots=True)
class SeriesLink:
    id: str
    metric: str
    unit: str | None
    first: str | None
    last: str | None


@dataclass(frozen=True, slots=True)
class SeriesPage(PageModel):
    source: str
    metrics: tuple[SeriesLink, ...]
    metric: SeriesLink | None
    group: str
    groups: tuple[str, ...]
    since: str
    until: str
    points: tuple[PlotPoint, ...]
    line: str
    least: float
    most: float
    rows: tuple[PlotPoint, ...]
    count: int
    is_cut: bool
    links: ZoomLinks | None
    """To other parts of the time; none without measurements."""


def show(request: PageRequest) -> SeriesPage:
    source, _, wanted = request.path["id"].partition(":")
    group = request.query.get("by", "day")
    group = group if group in GROUPS else "day"
    since, until = (request.query.get(name, "").strip() for name in ("since", "until"))
    with request.read() as view:
        manifest = next((each for each in list_manifests(view) if fold(each.source) == fold(source)), None)
        if manifest is None:
            raise PageNotFound
        metric = manifest.metric(wanted) if wanted else next(iter(manifest.metrics), None)
        links = tuple(_link(view, manifest, each) for each in manifest.metrics)
        asked = None if metric is None else _query(view, manifest, metric, group, since, until)
        result = None if asked is None else query_series(view, asked)
        zone = view.world.zone
    buckets = () if result is None else result.buckets
    points = tuple(_points(buckets))
    rows = (
        points if request.clocks.is_now else mark_changes(points, show(request.of_now).points, lambda row: row.bucket)
    )
    chosen = next((each for each in links if metric is not None and each.metric == metric.metric), None)
    return SeriesPage(
        manifest.source if chosen is None else f"{manifest.source}: {chosen.metric}",
        manifest.source,
        links,
        chosen,
        group,
        GROUPS,
        since,
        until,
        points,
        " ".join(f"{point.x:.1f},{point.y:.1f}" for point in points),
        min((each.value for each in buckets), default=0.0),
        max((each.value for each in buckets), default=0.0),
        tuple(sorted(rows, key=lambda row: row.bucket, reverse=True)),
        0 if result is None else result.total_n,
        result is not None and result.truncated,
        None if asked is None or chosen is None else _zoom(request, chosen.id, asked, zone),
    )


def _link(view: View, manifest: SeriesManifest, metric: Metric) -> SeriesLink:
    days = data_range(view, manifest, metric)
    first, last = (None, None) if days is None else (days[0].isoformat(), days[1].isoformat())
    return SeriesLink(f"{manifest.source}:{metric.metric}", metric.metric, metric.unit, first, last)


def _query(
    view: View, manifest: SeriesManifest, metric: Metric, group: str, since: str, until: str
) -> SeriesQuery | None:
    """All measurements of the metric between the two dates; none if it has no data."""
    days, zone = data_range(view, manifest, metric), view.world.zone
    if days is None:
        return None
    low = read_when(view.world, since, "since").lo if since else day_start(day_of_date(days[0]), zone)
    high = read_when(view.world, until, "until").hi if until else day_end(day_of_date(days[1]), zone)
    return SeriesQuery(manifest, metric, Instant(low), Instant(high), metric.aggregation, group)


def _zoom(request: PageRequest, ident: str, shown: SeriesQuery, zone: ZoneInfo) -> ZoomLinks:
    """Addresses of half and twice the time that is shown, and of what lies before and after it."""

    def part(lo: int, hi: int) -> str:
        return request.href(address, by=shown.group_by, since=format_date(lo), until=format_date(hi))

    address = f"series/{ident}"
    first, last = local_day(shown.lo, zone), local_day(shown.hi, zone)
    days = last - first + 1
    quarter, half = days // 4, max(1, days // 2)
    return ZoomLinks(
        part(first + quarter, last - quarter) if quarter else "",
        part(first - half, last + half),
        part(first - half, last - half),
        part(first + half, last + half),
        request.href(address, by=shown.group_by),
    )


def _points(buckets: Sequence[Bucket]) -> list[PlotPoint]:
    """The buckets in the order of their periods, scaled to the drawing."""
    ordered = sorted(buckets, key=lambda each: each.bucket)
    most = max((each.value for each in ordered), default=0.0)
    least = min(0.0, min((each.value for each in ordered), default=0.0))
    span = (most - least) or 1.0
    step = WIDTH / max(1, len(ordered) - 1)
    return [
        PlotPoint(number * step, HEIGHT - HEIGHT * (each.value - least) / span, each.bucket, each.value, each.n)
        for number, each in enumerate(ordered)
    ]


SECTION = WebSection("series", pages=(Page("series", "series/{id}", show, has_clock=True),))
