"""When an era or the zone of the days moves, stored times move along: the same words at their new place."""

import json
from collections.abc import Iterator

from recollect.errors import Refused
from recollect.model.fact import Assertion, Fact
from recollect.model.ids import EntityId
from recollect.reason.checks.stirring import stir
from recollect.reason.lore.existence import TIME_PROPERTIES
from recollect.store.change import Change
from recollect.store.rows import assertion_of, fact_of
from recollect.when.instant import Instant
from recollect.when.period import Time
from recollect.when.problems import DefinitionConflict
from recollect.when.read import read_time
from recollect.when.timeline import Timeline
from recollect.write.settle import resettle
from recollect.write.told import move_times as move_told_times


class _Places:
    """Where the words of stored times stand after a change; one that stands nowhere is a conflict."""

    def __init__(self, after: Timeline, now: Instant) -> None:
        self._after = after
        self._now = now
        self.read: dict[str, Time] = {}

    def of(self, time: Time | None) -> Time | None:
        return None if time is None else self.at(time.text)

    def at(self, text: str) -> Time:
        held = self.read.get(text)
        if held is None:
            try:
                held = read_time(text, self._after, self._now)
            except Refused as problem:
                raise DefinitionConflict(f"{text!r} is in use and would no longer exist: {problem}") from problem
            self.read[text] = held
        return held


def move_times(change: Change, before: Timeline, after: Timeline) -> None:
    """Give every stored time its place on the new timeline; nothing changes if one has none."""
    if before.eras == after.eras and (before.zone == after.zone or after.is_fictional):
        return
    places = _Places(after, change.now)
    assertions = [assertion_of(row) for row in change.rows("assertions_dated")]
    facts = [fact_of(row) for row in change.rows("facts_dated")]
    moved = [(fact, _moved_fact(fact, places)) for fact in facts]
    restated = [(each, _moved_assertion(each, places)) for each in assertions]
    if before.eras != after.eras:
        stir(change, _moved_properties(change, before, places))
    for told in change.rows("told_ever"):
        places.at(told[5])
    for held, now in restated:
        if now != held:
            change.put_assertion(now)
    for fact, placed in moved:
        if placed != fact:
            change.put_fact(placed)
    move_told_times(change, places.read)
    for fact, placed in moved:
        if placed != fact:
            resettle(change, change.fact(placed.id) or placed)


def _moved_fact(fact: Fact, places: _Places) -> Fact:
    start, end = places.of(fact.valid_from), places.of(fact.valid_until)
    return fact._replace(valid_from=start, valid_until=end, begins=start.lo if start else fact.begins)


def _moved_assertion(assertion: Assertion, places: _Places) -> Assertion:
    start, end = places.of(assertion.valid_from), places.of(assertion.valid_until)
    return assertion._replace(valid_from=start, valid_until=end, begins=start.lo if start else assertion.begins)


def _moved_properties(change: Change, before: Timeline, places: _Places) -> Iterator[EntityId]:
    """The entities that a property dates otherwise now; properties are read where they are used, so none is written.

    What was no time before is none of ours: other doors keep other things under the same words.
    """
    for key in sorted(TIME_PROPERTIES):
        for entity, properties in change.rows("entities_holding", part=f'%"{key}"%'):
            held = _time(json.loads(properties).get(key), before, change.now)
            if held is not None and places.at(held.text) != held:
                yield entity
    for _, properties in change.rows("documents_holding", part='%"world_time"%'):
        held = _time(json.loads(properties).get("world_time"), before, change.now)
        if held is not None:
            places.at(held.text)


def _time(value: object, timeline: Timeline, now: Instant) -> Time | None:
    try:
        return read_time(value, timeline, now) if isinstance(value, str) else None
    except Refused:
        return None
