"""When an era or the zone of the days moves, stored times move along: the same words at their new place."""

import json
from collections.abc import Iterator

from recollect.errors import Refused
from recollect.model.fact import Assertion, Fact
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
    for text in _further_texts(change) if before.eras != after.eras else ():
        if _is_time(text, before, change.now):
            places.at(text)
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


def _is_time(text: str, timeline: Timeline, now: Instant) -> bool:
    """Whether a text was a time at all; other doors keep other things under the same words."""
    try:
        read_time(text, timeline, now)
    except Refused:
        return False
    return True


def _further_texts(change: Change) -> Iterator[str]:
    """Times in the properties of entities and documents, which are read where they are used."""
    for key in sorted(TIME_PROPERTIES):
        for _, properties in change.rows("entities_holding", part=f'%"{key}"%'):
            value = json.loads(properties).get(key)
            if isinstance(value, str):
                yield value
    for _, properties in change.rows("documents_holding", part='%"world_time"%'):
        value = json.loads(properties).get("world_time")
        if isinstance(value, str):
            yield value
