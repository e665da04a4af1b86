"""Taking in measurements: each has an identity, so the same one again is nothing and another value a correction."""

import json
import math
from collections.abc import Mapping
from hashlib import blake2b
from typing import NamedTuple

from recollect.ingest.fields import Fields, Json
from recollect.ingest.problems import BadLine
from recollect.keep.series.days import add_to_day
from recollect.keep.series.manifest import Manifest, learn, read_source
from recollect.model.names import fold
from recollect.store.change import Change
from recollect.store.tables import MEASUREMENT, OPEN
from recollect.when.instant import Instant, read_instant
from recollect.when.problems import BadTime

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
    def mark(self) -> str:
        """What stays of it when it is gone, so that it is known again."""
        return mark_of(self.id, self.value)


def mark_of(ident: str, value: float) -> str:
    return _digest(f"{ident} {value!r}")


def _digest(text: str) -> str:
    return blake2b(text.encode(), digest_size=16).hexdigest()


def take_measurement(change: Change, given: Json) -> bool:
    """Keep a measurement; false if it is known with this value."""
    found = read_measurement(change, given)
    manifest = learn(change, found.source, found.metric, frozenset(found.category))
    is_past = found.at <= manifest.gone_until(change.now)
    gone = change.rows("measurement_gone", id=found.id)
    if gone:
        return _still_gone(gone[0][0] == found.mark)
    held = change.rows("measurement_one", id=found.id)
    if held and held[0][0] == found.value:
        return False
    if held and is_past:
        return _still_gone(False)
    if is_past:
        _straight_into_its_day(change, manifest, found)
    else:
        _put(change, found)
    return True


def _still_gone(is_same: bool) -> bool:
    if not is_same:
        raise BadLine("measurement.value", "differs from a row that is past retention; it can no longer be corrected")
    return False


def _put(change: Change, found: Measurement) -> None:
    change.connection.end(MEASUREMENT, change.ws, (found.id,), change.tx)
    values = (found.source, fold(found.metric), found.at, found.account, found.category_text, found.value)
    change.connection.insert(MEASUREMENT, ((change.ws, found.id, change.tx, OPEN, *values),))


def _straight_into_its_day(change: Change, manifest: Manifest, found: Measurement) -> None:
    _ = change.tx  # What a read can show has changed.
    metric = manifest.metric(found.metric)
    declared = metric.categories if metric else ()
    add_to_day(change, found.source, fold(found.metric), declared, found.at, found.account, found.category, found.value)
    change.connection.run("measurement_mark", {"ws": change.ws, "id": found.id, "mark": found.mark})


def read_measurement(change: Change, given: Json) -> Measurement:
    """A measurement as a line gives it."""
    fields = Fields(given, "measurement")
    fields.only(_KEYS)
    value = fields.values.get("value")
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise BadLine("measurement.value", "should be a finite number")
    return Measurement(
        read_source(fields.needed("source"), "measurement.source"),
        fields.needed("metric"),
        _instant(change, fields.needed("at")),
        fields.text("account_id") or "",
        _category(fields.table("category")),
        fields.text("id") or "",
        float(value),
    )


def _instant(change: Change, text: str) -> Instant:
    try:
        return read_instant(text, change.world.zone)
    except BadTime as problem:
        raise BadLine("measurement.at", str(problem)) from problem


def _category(given: Json) -> dict[str, str]:
    for key, value in given.items():
        if not isinstance(value, str | int | float) or isinstance(value, bool):
            raise BadLine(f"measurement.category.{key}", "should be a string")
    return {key: value if isinstance(value, str) else f"{value:g}" for key, value in given.items()}
