"""Measurements are added up exactly, whether or not their single rows are still there."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some
from tests.conftest import MovingClock
from tests.support.properties import examples

from recollect.importers.bundle import LINE_HANDLERS, import_bundle
from recollect.keep.series.manifest import find_manifest
from recollect.keep.series.measurements import aggregate_of, sweep_series
from recollect.keep.series.series_query import Bucket, SeriesQuery, SeriesResult, data_range, query_series
from recollect.memory import Memory
from recollect.when.instant import day_end, day_of_date, day_start, read_date

Json = dict[str, Any]


class Sensors:
    """A source of temperatures whose single rows are kept for ninety days."""

    def __init__(self, memory: Memory, folder: Path) -> None:
        self.memory = memory
        self.path = folder / "measured.jsonl"

    def take(self, *lines: Json) -> tuple[int, list[str]]:
        """How many lines changed something, and why others were skipped."""
        self.path.write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
        tally, skipped = import_bundle(self.memory, self.path, None, LINE_HANDLERS)
        return tally.changed, [each.reason for each in skipped]

    def ask(
        self, first: str, last: str, aggregation: Any = "avg", group_by: str | None = None, **more: Any
    ) -> SeriesResult:
        with self.memory.read() as view:
            zone = view.world.zone
            manifest = find_manifest(view, more.pop("source", "orchard"))
            assert manifest is not None
            metric = manifest.metric(more.pop("metric", "soil_temp"))
            assert metric is not None
            lo, hi = day_start(day_of_date(read_date(first)), zone), day_end(day_of_date(read_date(last)), zone)
            return query_series(view, SeriesQuery(manifest, metric, lo, hi, aggregation, group_by, **more))


MANIFEST = {
    "manifest": {
        "source": "orchard",
        "metrics": [{"metric": "soil_temp", "unit": "°C", "aggregation": "avg", "categories": ["plot"]}],
        "raw_retention_days": 90,
    }
}


def row(at: str, value: float, plot: str | None = None, **more: Any) -> Json:
    category = {} if plot is None else {"category": {"plot": plot}}
    return {"measurement": {"source": "orchard", "metric": "soil_temp", "at": at, "value": value, **category, **more}}


ROWS = (
    row("2026-05-04T06:00:00Z", 4.0, "north"),
    row("2026-05-05T06:00:00Z", 5.0, "north"),
    row("2026-05-05T07:00:00Z", 3.0, "south"),
    row("2026-05-12T07:00:00Z", 0.1),
)


@pytest.fixture
def sensors(memory: Memory, tmp_path: Path) -> Sensors:
    found = Sensors(memory, tmp_path)
    assert found.take(MANIFEST, *ROWS) == (5, [])
    return found


def test_values_are_grouped_by_category_with_the_highest_first(sensors: Sensors) -> None:
    found = sensors.ask("2026-05-01", "2026-05-31", group_by="plot")
    assert found == SeriesResult(
        (Bucket("north", 4.5, 2, False), Bucket("south", 3.0, 1, False), Bucket("(none)", 0.1, 1, False)),
        4,
        "live",
        False,
    )


def test_weeks_are_named_by_their_monday_and_say_when_the_range_cuts_them(sensors: Sensors) -> None:
    found = sensors.ask("2026-05-05", "2026-05-17", "sum", "week")
    assert found.buckets == (Bucket("2026-05-04", 8.0, 2, True), Bucket("2026-05-11", 0.1, 1, False))


@pytest.mark.parametrize(
    ("aggregation", "value"), [("sum", 12.1), ("avg", 3.025), ("min", 0.1), ("max", 5.0), ("count", 4)]
)
def test_each_aggregation_over_everything(sensors: Sensors, aggregation: str, value: float) -> None:
    assert sensors.ask("2026-05-01", "2026-05-31", aggregation).buckets == (Bucket("all", value, 4, False),)


def test_the_same_lines_again_change_nothing_and_another_value_is_a_correction(sensors: Sensors) -> None:
    assert sensors.take(MANIFEST, *ROWS) == (0, [])
    assert sensors.take(row("2026-05-12T07:00:00Z", 0.2)) == (1, [])
    assert sensors.ask("2026-05-12", "2026-05-12", "sum").buckets == (Bucket("all", 0.2, 1, False),)


def test_an_undeclared_metric_is_declared_by_its_rows(sensors: Sensors) -> None:
    sensors.take({"measurement": {"source": "gate", "metric": "Opened", "at": "2026-05-05T07:00:00Z", "value": 2}})
    found = sensors.ask("2026-05-05", "2026-05-05", "sum", source="gate", metric="opened")
    assert found.buckets == (Bucket("all", 2.0, 1, False),)


@pytest.mark.parametrize("is_swept", [False, True])
@pytest.mark.parametrize("group_by", [None, "day", "week", "month", "plot"])
@pytest.mark.parametrize("aggregation", ["sum", "avg", "min", "max", "count"])
def test_purging_changes_no_figure(
    sensors: Sensors, clock: MovingClock, is_swept: bool, group_by: str | None, aggregation: str
) -> None:
    before = sensors.ask("2026-05-01", "2026-05-31", aggregation, group_by)
    clock.set("2026-08-04T00:00:00Z")
    if is_swept:
        assert sweep_series(sensors.memory) == 3
    after = sensors.ask("2026-05-01", "2026-05-31", aggregation, group_by)
    assert (after.buckets, after.total_n, after.status) == (before.buckets, before.total_n, "partial")


def test_a_purged_span_says_so_and_taking_its_lines_again_changes_nothing(sensors: Sensors, clock: MovingClock) -> None:
    clock.set("2027-01-01T00:00:00Z")
    sweep_series(sensors.memory)
    assert sensors.ask("2026-05-01", "2026-05-31").status == "aggregate_only"
    assert sensors.take(*ROWS) == (0, [])
    changed, [reason] = sensors.take(row("2026-05-12T07:00:00Z", 9.0))
    assert (changed, "retention" in reason) == (0, True)


def test_a_row_that_comes_too_late_goes_into_its_day(sensors: Sensors) -> None:
    assert sensors.take(row("2025-12-24T07:00:00Z", 1.5, "north")) == (1, [])
    found = sensors.ask("2025-12-01", "2025-12-31", "sum", "plot")
    assert (found.buckets, found.status) == ((Bucket("north", 1.5, 1, False),), "aggregate_only")
    assert sensors.take(row("2025-12-24T07:00:00Z", 1.5, "north")) == (0, [])


def test_the_ends_of_what_there_is(sensors: Sensors) -> None:
    sensors.take(row("2025-12-24T07:00:00Z", 1.5, "north"))
    with sensors.memory.read() as view:
        manifest = find_manifest(view, "orchard")
        assert manifest is not None
        found = data_range(view, manifest, manifest.metrics[0])
    assert found is not None
    assert [day.isoformat() for day in found] == ["2025-12-24", "2026-05-12"]


@pytest.mark.parametrize(
    ("line", "field"),
    [
        (row("2026-05-12T07:00:00Z", True), "value"),
        (row("noon", 1.0), "at"),
        ({"measurement": {"source": "Not Snake!", "metric": "m", "at": "2026-05-12T07:00:00Z", "value": 1}}, "source"),
        ({"manifest": {"source": "s", "metrics": [{"metric": "m", "categories": ["week"]}]}}, "categories"),
        ({"manifest": {"source": "s", "metrics": []}}, "metrics"),
        ({"manifest": {"source": "s", "metrics": [{"metric": "m"}], "raw_retention_days": 1.5}}, "raw_retention"),
    ],
)
def test_a_bad_line_is_refused_by_its_field(sensors: Sensors, line: Json, field: str) -> None:
    changed, [reason] = sensors.take(line)
    assert (changed, field in reason) == (0, True)


@settings(max_examples=examples(25))
@given(some.lists(some.floats(-1e9, 1e9, allow_nan=False), min_size=1, max_size=20), some.randoms())
def test_a_sum_does_not_depend_on_order_or_purge(values: list[float], random: Any) -> None:
    parts = [aggregate_of(0, "", {}, (), value) for value in values]
    shuffled = random.sample(parts, len(parts))
    total, other = parts[0], shuffled[0]
    for each in parts[1:]:
        total = total.merge(each)
    for each in shuffled[1:]:
        other = other.merge(each)
    assert (total.total, total.n, total.low, total.high) == (other.total, other.n, other.low, other.high)
