"""Removing single measurements past their retention: each leaves its share of a day and a mark."""

import json

from recollect.keep.series.days import add_to_day
from recollect.keep.series.manifest import Manifest, Metric, manifests
from recollect.keep.series.measure import mark_of
from recollect.memory import Memory
from recollect.model.names import fold
from recollect.store.change import Change
from recollect.when.instant import MIN, Instant

AT_ONCE = 2_000


def sweep_series(memory: Memory) -> int:
    """Remove every single row that is past retention; how many there were."""
    with memory.read() as view:
        due = [each for each in manifests(view) if each.gone_until(view.now) > MIN]
    return sum(_sweep(memory, manifest, metric) for manifest in due for metric in manifest.metrics)


def _sweep(memory: Memory, manifest: Manifest, metric: Metric) -> int:
    swept = 0
    while True:
        with memory.write() as change:
            found = _sweep_some(change, manifest, metric)
        swept += found
        if found < AT_ONCE:
            return swept


def _sweep_some(change: Change, manifest: Manifest, metric: Metric) -> int:
    key = {"source": manifest.source, "metric": fold(metric.metric), "until": manifest.gone_until(change.now)}
    rows = change.rows("measurements_past", limit=AT_ONCE, **key)
    for ident, source, name, at, account, category, value in rows:
        labels = json.loads(category)
        add_to_day(change, source, name, metric.categories, Instant(at), account, labels, value)
        change.connection.run("measurement_mark", {"ws": change.ws, "id": ident, "mark": mark_of(ident, value)})
        change.connection.run("measurement_erase", {"ws": change.ws, "id": ident})
    if len(rows) < AT_ONCE:
        # What corrections replaced has no open version left to find it by.
        change.connection.run("measurements_ended_past", {"ws": change.ws, **key})
    return len(rows)
