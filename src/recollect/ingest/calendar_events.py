"""iCalendar: tasks, and events with their times, places, people, repetition and cancellation."""

import re
from collections import Counter
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from typing import Any, NamedTuple

from recollect.ingest.calendar_zones import CalendarZones, zone_label
from recollect.ingest.content_lines import ContentLine, ContentObject
from recollect.ingest.line import IngestItem, parse_line
from recollect.ingest.parties import parse_party
from recollect.model.entity import NAME_LIMIT

EVENTS = frozenset({"VEVENT", "VTODO", "VJOURNAL", "VFREEBUSY"})
_TIME = re.compile(r"(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)(\d\d)(Z?))?")
_DURATION = re.compile(r"P(?:(\d+)W)?(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?")


class _EventTime(NamedTuple):
    """A day, or a moment with its zone."""

    value: date
    zone: str | None = None

    @property
    def text(self) -> str:
        return self.value.isoformat()

    @property
    def shown(self) -> str:
        if not isinstance(self.value, datetime):
            return self.value.isoformat()
        return f"{self.value:%Y-%m-%d %H:%M}" + (f" ({self.zone})" if self.zone else "")


class _Attendee(NamedTuple):
    name: str
    email: str | None
    status: str


def read_event(event: ContentObject, zones: CalendarZones, left_out: Counter[str]) -> Iterator[IngestItem]:
    """The line of an event: itself, who is invited, and when it is."""
    if event.name == "VTODO":
        yield from _read_task(event, zones, left_out)
        return
    if event.name != "VEVENT":
        left_out["journal entries" if event.name == "VJOURNAL" else "times that are free or busy"] += 1
        return
    start = _moment(event.first("DTSTART"), zones)
    title = " ".join((event.text("SUMMARY") or "").split())
    if start is None or not title:
        left_out["events without a title or a start"] += 1
        return
    name = f"{title[: NAME_LIMIT - 20]} ({start.text[:10]})"
    end = _end(event, start, zones)
    people = list(_attendees(event))
    is_cancelled = (event.text("STATUS") or "").upper() == "CANCELLED"
    when = start.shown + (f" to {end.shown}" if end is not None and end != start else "")
    facts = _facts(event, name, when, (start, end), [] if is_cancelled else people, is_cancelled=is_cancelled)
    entities = [{"name": name, "type": "event"}, *map(_person_entity, people)]
    yield parse_line(
        {"record": _record(event, name, when, (start, end), people), "entities": entities, "facts": list(facts)}
    )


def _read_task(task: ContentObject, zones: CalendarZones, left_out: Counter[str]) -> Iterator[IngestItem]:
    """A task as a note of the owner's with a checkbox; the same task again, done or moved, is its next version."""
    title = " ".join((task.text("SUMMARY") or "").split())
    status = (task.text("STATUS") or "").lower()
    if not title or status == "cancelled":
        left_out["tasks without a title, or cancelled"] += 1
        return
    due = _moment(task.first("DUE"), zones)
    is_done = status == "completed" or task.first("COMPLETED") is not None
    line = f"- [{'x' if is_done else ' '}] {title}" + (f" by {due.text[:10]}" if due is not None else "")
    metadata = {
        "due": due.text if due is not None else None,
        "status": status or None,
        "recurrence": task.text("RRULE"),
    }
    record = {
        "id": f"note:task/{(task.text('UID') or title)[:400]}",
        "type": "generic",
        "title": title[:NAME_LIMIT],
        "source_at": _stamp(task),
        "content": "\n\n".join(filter(None, (line, task.text("DESCRIPTION")))),
        "metadata": {key: value for key, value in metadata.items() if value},
    }
    yield parse_line({"record": {key: value for key, value in record.items() if value}})._replace(is_standalone=True)


def _record(
    event: ContentObject, name: str, when: str, span: tuple[_EventTime, _EventTime | None], people: list[_Attendee]
) -> dict[str, Any]:
    again, place = event.text("RRULE"), event.text("LOCATION")
    details = [
        f"When: {when}",
        f"Where: {place}" if place else "",
        f"Repeats: {again}" if again else "",
        f"Except: {', '.join(except_for)}" if (except_for := _days(event, "EXDATE")) else "",
        f"Also: {', '.join(also)}" if (also := _days(event, "RDATE")) else "",
        f"People: {', '.join(f'{each.name} ({each.status})' for each in people)}" if people else "",
        event.text("DESCRIPTION") or "",
    ]
    metadata = {
        "starts_at": span[0].text,
        "ends_at": span[1].text if span[1] is not None else None,
        "location": place,
        "recurrence": again,
        "except_for": _days(event, "EXDATE"),
        "also_on": _days(event, "RDATE"),
        "status": (event.text("STATUS") or "").lower() or None,
        "attendees": [{"name": each.name, "email": each.email, "status": each.status} for each in people],
    }
    instance = event.text("RECURRENCE-ID")
    uid = event.text("UID") or name
    record = {
        "id": f"event:{uid[:400]}" + (f"/{instance}" if instance else ""),
        "type": "calendar_event",
        "title": name,
        "source_at": _stamp(event),
        "url": event.text("URL"),
        "content": "\n".join(each for each in details if each),
        "metadata": {key: value for key, value in metadata.items() if value},
    }
    return {key: value for key, value in record.items() if value is not None}


def _facts(
    event: ContentObject,
    name: str,
    when: str,
    span: tuple[_EventTime, _EventTime | None],
    people: list[_Attendee],
    *,
    is_cancelled: bool,
) -> Iterator[dict[str, Any]]:
    start, end = span
    times = {"valid_from": start.text, "valid_until": (end or start).text}
    what = {"name": name, "type": "event"}
    if is_cancelled:
        yield {
            "from": what,
            "edge_label": "TRANSITIONED",
            "fact_type": "cancellation",
            "fact": f"{name} was cancelled",
        }
        return
    place, again = event.text("LOCATION"), event.text("RRULE")
    told = (
        f"{name} is planned for {when}" + (f" at {place}" if place else "") + (f", repeated: {again}" if again else "")
    )
    told += f", except for {', '.join(except_for)}" if (except_for := _days(event, "EXDATE")) else ""
    # What is repeated does not end with its first time.
    yield {
        "from": what,
        "edge_label": "TRANSITIONED",
        "fact_type": "scheduled",
        "fact": told,
        **({"valid_from": start.text, **_last_time(again)} if again else times),
    }
    for each in people:
        if each.status == "declined":
            continue
        is_coming = each.status in ("accepted", "organizer")
        yield {
            "from": each.name,
            "to": what,
            "edge_label": "AFFILIATED",
            "fact_type": "attends" if is_coming else "invited_to",
            "fact": f"{each.name} {'attends' if is_coming else 'is invited to'} {name}",
        }


def _days(event: ContentObject, name: str) -> list[str]:
    """The days that a repetition leaves out or adds."""
    values = (each for line in event.all(name) for each in line.value.split(","))
    return [f"{found[1]}-{found[2]}-{found[3]}" for each in values if (found := _TIME.match(each.strip()))]


def _last_time(rule: str) -> dict[str, str]:
    """Until when something is repeated, if its rule says so."""
    found = re.search(r"UNTIL=(\d{4})(\d\d)(\d\d)", rule)
    return {"valid_until": "-".join(found.groups())} if found else {}


def _person_entity(person: _Attendee) -> dict[str, Any]:
    return {"name": person.name, "type": "person", "properties": {"email": person.email} if person.email else {}}


def _attendees(event: ContentObject) -> Iterator[_Attendee]:
    """The organizer and the people who are invited; rooms and other resources are places."""
    seen: set[str] = set()
    for line in (*event.all("ORGANIZER"), *event.all("ATTENDEE")):
        if line.params.get("CUTYPE", "").upper() in ("ROOM", "RESOURCE", "GROUP"):
            continue
        address = line.text.lower().removeprefix("mailto:")
        email = address if "@" in address else None
        party = parse_party({"name": line.params.get("CN", "").strip('" '), "email": email or ""})
        name = (party.name if party is not None else None) or address
        if name and (email or name) not in seen:
            seen.add(email or name)
            status = "organizer" if line.name == "ORGANIZER" else line.params.get("PARTSTAT", "needs-action").lower()
            yield _Attendee(name[:NAME_LIMIT], email, status)


def _moment(line: ContentLine | None, zones: CalendarZones) -> _EventTime | None:
    """A day or a moment in its zone."""
    found = _TIME.fullmatch(line.value.strip()) if line is not None else None
    if line is None or found is None:
        return None
    try:
        if found[4] is None:
            return _EventTime(date(*(int(each) for each in found.groups()[:3])))
        named = line.params.get("TZID", "").strip('"')
        place = UTC if found[7] else zones.named(named)
        moment = datetime(*(int(each) for each in found.groups()[:6]), tzinfo=place)  # type: ignore[misc, arg-type]
    except ValueError:
        return None
    return _EventTime(moment, "UTC" if found[7] else zone_label(named))


def _end(event: ContentObject, start: _EventTime, zones: CalendarZones) -> _EventTime | None:
    """When an event ends; the end of whole days is the day after them."""
    end = _moment(event.first("DTEND"), zones)
    if end is None:
        length = _DURATION.fullmatch((event.text("DURATION") or "").lstrip("+"))
        if length is None:
            return None
        weeks, days, hours, minutes, seconds = (int(each or 0) for each in length.groups())
        end = start._replace(
            value=start.value + timedelta(weeks=weeks, days=days, hours=hours, minutes=minutes, seconds=seconds)
        )
    if isinstance(end.value, datetime) or end.value <= start.value:
        return end
    return end._replace(value=end.value - timedelta(days=1))


def _stamp(event: ContentObject) -> str | None:
    """When the event was last changed or sent."""
    for key in ("LAST-MODIFIED", "DTSTAMP", "CREATED"):
        moment = _moment(event.first(key), CalendarZones(UTC))
        if moment is not None:
            return moment.text if isinstance(moment.value, datetime) else f"{moment.text}T00:00:00Z"
    return None
