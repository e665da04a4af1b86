"""One row a day: what stays of measurements when the single ones are gone."""

import json
from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import NamedTuple

from recollect.store.change import Change
from recollect.when.instant import Instant, local_day


class Day(NamedTuple):
    """The measurements of one day, account and combination of categories; the total is exact."""

    day: int
    account: str
    category: Mapping[str, str]
    total: Fraction
    n: int
    low: float
    high: float

    def joined(self, other: "Day") -> "Day":
        total, n = self.total + other.total, self.n + other.n
        return self._replace(total=total, n=n, low=min(self.low, other.low), high=max(self.high, other.high))


def exact(value: float) -> Fraction:
    """The number as people write it: sums of these do not depend on their order."""
    return Fraction(repr(value))


def day_of(day: int, account: str, category: Mapping[str, str], declared: Iterable[str], value: float) -> Day:
    """What one measurement adds to its day."""
    kept = {key: category[key] for key in sorted(declared) if key in category}
    return Day(day, account, kept, exact(value), 1, value, value)


def add_to_day(
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
    new = day_of(local_day(at, change.world.zone), account, category, declared, value)
    key = {"source": source, "metric": metric, "day": new.day, "account": account, "category": _text(new.category)}
    held = change.rows("measured_day", **key)
    if held:
        total, n, low, high = held[0]
        new = new.joined(Day(new.day, account, new.category, Fraction(total), n, low, high))
    values = {"total": str(new.total), "n": new.n, "low": new.low, "high": new.high}
    change.connection.run("measured_day_put", {"ws": change.ws, **key, **values})


def _text(category: Mapping[str, str]) -> str:
    return json.dumps(dict(category), sort_keys=True, ensure_ascii=False)
