"""Time series through the tool: figures, refusals with what would be accepted, and hints that lead on."""

import json
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from tests.conftest import Build, MovingClock
from tests.surfaces.carabase.asking import Json, empty, found, refusal

from recollect.importers.bundle import LINE_HANDLERS, import_bundle
from recollect.keep.series.measurements import sweep_series
from recollect.memory import Memory

TOOL = "carabase_query_timeseries"
WEEK = {"from": "2026-02-02", "to": "2026-02-08"}


def row(at: str, value: float, plot: str) -> Json:
    measured = {"source": "orchard_sensors", "metric": "soil_temp", "at": at, "value": value}
    return {"measurement": measured | {"category": {"plot": plot}}}


LINES: tuple[Json, ...] = (
    {
        "manifest": {
            "source": "orchard_sensors",
            "metrics": [{"metric": "soil_temp", "unit": "°C", "aggregation": "avg", "categories": ["plot"]}],
            "raw_retention_days": 200,
        }
    },
    {"manifest": {"source": "letters", "metrics": [], "shape": "artifact"}},
    row("2026-02-02T06:00:00Z", 4.0, "north"),
    row("2026-02-03T06:00:00Z", 5.0, "north"),
    row("2026-02-03T07:00:00Z", 3.0, "south"),
    {"record": {"id": "n1", "type": "note", "content": "Frost in the orchard."}},
    {"record": {"id": "w1", "type": "WeatherReport", "content": "Frost again."}},
)


@pytest.fixture
def orchard(filled: Callable[[Build], Memory]) -> Memory:
    return filled(build_orchard)


def build_orchard(memory: Memory) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "orchard.jsonl"
        path.write_text("".join(json.dumps(line) + "\n" for line in LINES), "utf-8")
        _, skipped = import_bundle(memory, path, None, LINE_HANDLERS)
    assert skipped == []


def asked(**more: Any) -> Json:
    return {"source": "orchard_sensors", "metric": "soil_temp", "range": WEEK, **more}


def test_the_example_of_the_page(orchard: Memory) -> None:
    answer = found(orchard, TOOL, **asked(group_by="plot"))
    assert answer["rows"] == [
        {"bucket": "north", "value": 4.5, "n": 2, "partial": False},
        {"bucket": "south", "value": 3.0, "n": 1, "partial": False},
    ]
    assert answer["metadata"] == {
        "source": "orchard_sensors",
        "metric": "soil_temp",
        "aggregation": "avg",
        "group_by": "plot",
        "range": WEEK,
        "unit": "°C",
        "rows": 2,
        "total_n": 3,
        "aggregate_status": "live",
        "truncated": False,
    }


@pytest.mark.parametrize("given", ["2026-02-02/2026-02-08", json.dumps(WEEK), {"from": "2026-W06", "to": "2026-W06"}])
def test_a_range_may_be_written_in_several_ways(orchard: Memory, given: Any) -> None:
    assert found(orchard, TOOL, **asked(range=given, aggregation="COUNT"))["rows"][0]["value"] == 3


def test_purged_rows_give_the_same_figures_and_say_so(orchard: Memory, clock: MovingClock) -> None:
    before = found(orchard, TOOL, **asked(group_by="day", aggregation="max"))
    clock.set("2027-02-02T00:00:00Z")
    sweep_series(orchard)
    after = found(orchard, TOOL, **asked(group_by="day", aggregation="max"))
    assert (after["rows"], after["metadata"]["aggregate_status"]) == (before["rows"], "aggregate_only")


def test_no_rows_names_the_days_that_have_some(orchard: Memory) -> None:
    answer = empty(orchard, TOOL, "timeseriesNoRows", **asked(range="2020/2020"))
    assert "2026-02-02" in answer["_hint"]["text"]
    assert "2026-02-03" in answer["_hint"]["text"]


@pytest.mark.parametrize(
    ("change", "code", "field"),
    [
        ({"range": None}, "RANGE_REQUIRED", "range"),
        ({"range": {"from": "2026"}}, "RANGE_REQUIRED", "range"),
        ({"range": "2026-02-01"}, "RANGE_REQUIRED", "range"),
        ({"range": "/2026-02"}, "RANGE_REQUIRED", "range"),
        ({"range": "2026-03/2026-02"}, "INVALID_RANGE", "range.from"),
        ({"range": {"from": "soon", "to": "2026"}}, "INVALID_ARGUMENT", "range.from"),
        ({"range": 7}, "INVALID_ARGUMENT", "range"),
        ({"source": "strova"}, "TIMESERIES_UNKNOWN_SOURCE", "source"),
        ({"metric": "rain"}, "TIMESERIES_UNKNOWN_METRIC", "metric"),
        ({"source": "letters"}, "TIMESERIES_ARTIFACT_SOURCE", "source"),
        ({"source": "note"}, "TIMESERIES_ARTIFACT_SOURCE", "source"),
        ({"source": "weatherreport"}, "TIMESERIES_ARTIFACT_SOURCE", "source"),
        ({"source": "files"}, "TIMESERIES_ARTIFACT_SOURCE", "source"),
        ({"group_by": "year"}, "TIMESERIES_BAD_GROUP_BY", "group_by"),
        ({"aggregation": "median"}, "INVALID_ARGUMENT", "aggregation"),
        ({"limit": 5}, "INVALID_ARGUMENT", "limit"),
    ],
)
def test_what_cannot_be_answered_is_refused_by_its_code(orchard: Memory, change: Json, code: str, field: str) -> None:
    error = refusal(orchard, TOOL, code, **{**asked(), **change})["error"]
    assert error["field"] == field


def test_a_refusal_lists_what_would_be_accepted(orchard: Memory) -> None:
    unknown = refusal(orchard, TOOL, "TIMESERIES_UNKNOWN_SOURCE", **asked(source="x"))
    assert unknown["error"]["accepted"] == ["orchard_sensors", "strava", "tidal"]
    metric = refusal(orchard, TOOL, "TIMESERIES_UNKNOWN_METRIC", **asked(metric="x"))
    assert metric["error"]["accepted"] == ["soil_temp"]
    form = refusal(orchard, TOOL, "INVALID_ARGUMENT", **asked(range=7))
    assert form["error"]["message"] == 'range must be {"from", "to"} or "from/to"'
    group = refusal(orchard, TOOL, "TIMESERIES_BAD_GROUP_BY", **asked(group_by="x"))
    assert group["error"]["accepted"] == ["day", "week", "month", "plot"]


def test_as_of_sees_single_rows_as_they_were(orchard: Memory, clock: MovingClock, tmp_path: Path) -> None:
    clock.set("2026-05-21T00:00:00Z")
    path = tmp_path / "more.jsonl"
    path.write_text(json.dumps(row("2026-02-04T06:00:00Z", 100.0, "north")) + "\n", "utf-8")
    import_bundle(orchard, path, None, LINE_HANDLERS)
    assert found(orchard, TOOL, **asked())["metadata"]["total_n"] == 4
    assert found(orchard, TOOL, **asked(as_of="2026-05-20"))["metadata"]["total_n"] == 3
