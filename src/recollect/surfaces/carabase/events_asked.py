"""Events that a question names as a date: since the demo, before the launch."""

import re
from typing import Any

from recollect.errors import Refused
from recollect.model.entity import Entity
from recollect.resolve.spot import spot
from recollect.search.dates_asked import DateAsked, led
from recollect.store.seen import Wanted
from recollect.store.view import View
from recollect.surfaces.carabase.entity import type_of
from recollect.when.instant import Instant, local_day
from recollect.when.span import Span

_LEAD = re.compile(r"\b(?:since|after|before|until)\s+(?:the\s+)?$", re.IGNORECASE)
_DATED_BY = ("date", "at", "when", "start_date")


def events_asked(view: View, text: str) -> list[DateAsked]:
    """Dates that stand in the question as the name of one event whose day is known."""
    found = []
    # Days of a made-up calendar are none on the wall, where documents are dated.
    for each in () if view.world.timeline.is_fictional else spot(view, text):
        entity = view.entity(each.entity) if each.entity and _LEAD.search(text, 0, each.start) else None
        days = _days(view, entity) if entity is not None and type_of(entity.type) == "event" else None
        if days is not None:
            found.append(led(text, each.start, each.stop, *days))
    return found


def _days(view: View, entity: Entity) -> tuple[int, int] | None:
    """The first and last day of an event: as it says itself, as a fact says, or when it was last spoken of."""
    said = next((entity.properties[key] for key in _DATED_BY if key in entity.properties), None)
    own = _read(view, said)
    if own is not None:
        return own
    facts = [
        seen.fact for seen in view.facts_about(entity.id, Wanted(Span(), every=True)) if not seen.fact.is_retracted
    ]
    begun = [fact.valid_from for fact in facts if fact.valid_from is not None]
    if begun:
        first = min(begun, key=lambda time: time.lo)
        return _day(view, first.lo), _day(view, first.hi)
    told = [fact.source_at for fact in facts]
    return (_day(view, min(told)), _day(view, min(told))) if told else None


def _read(view: View, said: Any) -> tuple[int, int] | None:
    if not isinstance(said, str):
        return None
    try:
        time = view.world.read(said)
    except Refused:
        return None
    return _day(view, time.lo), _day(view, time.hi)


def _day(view: View, position: int) -> int:
    return local_day(Instant(position), view.world.zone)
