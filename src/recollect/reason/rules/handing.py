"""WITH and RETURN: rows handed on, grouped, sorted and cut."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from recollect.reason.rules.evaluate import Binding, Evaluator
from recollect.reason.rules.meter import Meter
from recollect.reason.rules.problems import Place
from recollect.reason.rules.tree import Call, Expression, Handing, Item, Sorting, Variable
from recollect.reason.rules.values import Value, fitting_list, group_key, sort_key
from recollect.reason.rules.walk import everything_in, has_aggregate, is_aggregate, rebuilt

NOWHERE = Place(0, 0)


def hand_on(clause: Handing, rows: Iterable[Binding], evaluator: Evaluator, meter: Meter) -> Iterator[Binding]:
    """The rows that a WITH or RETURN lets through, each with its columns only."""
    if any(has_aggregate(item.of) for item in clause.items):
        handed = _grouped(clause, rows, evaluator, meter)
    else:
        handed = (({**row}, _columns(clause.items, row, evaluator)) for row in rows)
    if clause.distinct:
        handed = _once(handed, meter)
    if clause.order:
        handed = _sorted(clause, handed, evaluator, meter)
    cut = handed if clause.limit is None else islice(handed, clause.limit)
    for _, columns in cut:
        meter.step()
        if clause.where is None or evaluator.holds(clause.where, columns):
            yield columns


Pair = tuple[dict[str, Value], dict[str, Value]]  # what was known before, and the columns


def _columns(items: Iterable[Item], row: Binding, evaluator: Evaluator) -> dict[str, Value]:
    return {item.name: evaluator.value(item.of, row) for item in items}


def _once(rows: Iterable[Pair], meter: Meter) -> Iterator[Pair]:
    seen: set[Any] = set()
    for before, columns in rows:
        meter.step()
        key = tuple(group_key(value) for value in columns.values())
        if key not in seen:
            meter.hold()
            seen.add(key)
            # Behind DISTINCT only the columns are known.
            yield dict(columns) if before else before, columns


def _sorted(clause: Handing, rows: Iterable[Pair], evaluator: Evaluator, meter: Meter) -> Iterator[Pair]:
    held: list[Pair] = []
    for row in rows:
        meter.step()
        meter.hold()
        held.append(row)
    said = {item.name: item.of for item in clause.items}
    for sorting in reversed(clause.order):
        held.sort(key=lambda row, by=sorting: _place(by, said, row, evaluator), reverse=sorting.descending)  # type: ignore[misc]
        meter.look()
    return iter(held)


def _place(sorting: Sorting, said: dict[str, Expression], row: Pair, evaluator: Evaluator) -> Any:
    before, columns = row
    same = next((name for name, of in said.items() if of == sorting.by), None)
    return sort_key(columns[same] if same is not None else evaluator.value(sorting.by, {**before, **columns}))


@dataclass(slots=True)
class _Tally:
    """What an aggregate has seen of one group."""

    call: Call
    count: int = 0
    best: Value = None
    items: list[Value] = field(default_factory=list)
    seen: set[Any] = field(default_factory=set)

    def take(self, value: Value) -> None:
        if self.call.star:
            self.count += 1
            return
        if value is None:
            return
        if self.call.distinct:
            key = group_key(value)
            if key in self.seen:
                return
            self.seen.add(key)
        self.count += 1
        self._keep(value)

    def _keep(self, value: Value) -> None:
        match self.call.name.lower():
            case "collect":
                self.items.append(value)
                fitting_list(self.items)
            case "min":
                if self.best is None or sort_key(value) < sort_key(self.best):
                    self.best = value
            case "max":
                if self.best is None or sort_key(value) > sort_key(self.best):
                    self.best = value
            case _:
                pass

    @property
    def result(self) -> Value:
        match self.call.name.lower():
            case "count":
                return self.count
            case "collect":
                return self.items
            case _:
                return self.best


def _grouped(clause: Handing, rows: Iterable[Binding], evaluator: Evaluator, meter: Meter) -> Iterator[Pair]:
    """Rows that agree on every item without an aggregate become one."""
    keys = [item for item in clause.items if not has_aggregate(item.of)]
    calls = [each for item in clause.items for each in everything_in(item.of) if is_aggregate(each)]
    aggregates = list(dict.fromkeys(call for call in calls if isinstance(call, Call)))
    names = {call: f"\0aggregate {number}" for number, call in enumerate(aggregates)}
    items = [Item(rebuilt(item.of, lambda each: _named(each, names)), item.name, item.place) for item in clause.items]
    groups: dict[Any, tuple[Binding, list[_Tally]]] = {}
    for row in rows:
        meter.step()
        key = tuple(group_key(evaluator.value(item.of, row)) for item in keys)
        if key not in groups:
            meter.hold()
            groups[key] = row, [_Tally(call) for call in aggregates]
        for tally in groups[key][1]:
            if not tally.call.star:
                meter.hold()
            tally.take(None if tally.call.star else evaluator.value(tally.call.arguments[0], row))
    if not groups and not keys:
        groups[()] = {}, [_Tally(call) for call in aggregates]
    for first, tallies in groups.values():
        known = {**first, **{names[tally.call]: tally.result for tally in tallies}}
        columns = _columns(items, known, evaluator)
        yield columns, columns


def _named(expression: Expression, names: dict[Call, str]) -> Expression:
    """An aggregate becomes the variable that holds its result."""
    if isinstance(expression, Call) and expression in names:
        return Variable(names[expression], NOWHERE)
    return expression
