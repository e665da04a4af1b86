"""iCalendar: tasks, and events with their times, places, people, repetition and cancellation."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from recollect.ingest.calendar_zones import CalendarZones, EventTime, days_of, end_of, last_day, moment_of, stamp_of
from recollect.ingest.content_lines import ContentLine, ContentObject
from recollect.ingest.line import IngestItem, parse_line
from recollect.ingest.parties import parse_party
from recollect.model.entity import NAME_LIMIT

EVENTS = frozenset({"VEVENT", "VTODO", "VJOURNAL", "VFREEBUSY"})
_PLACES = frozenset({"ROOM", "RESOURCE"})
_NOT_COMING = frozenset({"declined", "delegated"})
_DETAILS = {
    "CONFERENCE": "Join",
    "X-GOOGLE-CONFERENCE": "Join",
    "X-MICROSOFT-SKYPETEAMSMEETINGURL": "Join",
    "CONTACT": "Contact",
    "RESOURCES": "Resources",
    "CATEGORIES": "Categories",
    "ATTACH": "Attached",
    "COMMENT": "Comment",
}
"""What an event may say beside its time, place and people, and how it is shown."""
_PLAIN_FIELDS = {"GEO": "position", "PRIORITY": "priority", "CLASS": "class", "PERCENT-COMPLETE": "percent_complete"}
"""What is stored beside the text of an event."""
_LONGEST_DETAIL = 2_000
"""Longer ones are pictures and files in base64."""


class _Attendee(NamedTuple):
    name: str
    email: str | None
    status: str


@dataclass(frozen=True, slots=True)
class _Event:
    """An event with what is read of it more than once."""

    given: ContentObject
    name: str
    start: EventTime
    end: EventTime | None
    people: Sequence[_Attendee]
    instead_of: EventTime | None
    """The time in a repetition that it takes the place of."""

    @property
    def status(self) -> str:
        return (self.given.text("STATUS") or "").lower()

    @property
    def when(self) -> str:
        return self.start.shown + (f" to {self.end.shown}" if self.end is not None and self.end != self.start else "")

    @property
    def place(self) -> str:
        return self.given.text("LOCATION") or ""

    @property
    def rule(self) -> str:
        return self.given.text("RRULE") or ""


def read_event(event: ContentObject, zones: CalendarZones, left_out: Counter[str]) -> Iterator[IngestItem]:
    """The line of an event: itself, who is invited, and when it is."""
    if event.name == "VTODO":
        yield from _read_task(event, zones, left_out)
        return
    if event.name != "VEVENT":
        left_out["journal entries" if event.name == "VJOURNAL" else "times that are free or busy"] += 1
        return
    start = moment_of(event.first("DTSTART"), zones)
    title = _title(event)
    if start is None or not title:
        left_out["events without a title or a start"] += 1
        return
    name = f"{title[: NAME_LIMIT - 20]} ({start.text[:10]})"
    instead_of = moment_of(event.first("RECURRENCE-ID"), zones)
    read = _Event(event, name, start, end_of(event, start, zones), list(_attendees(event)), instead_of)
    entities = [{"name": name, "type": "event"}, *map(_person_entity, read.people)]
    yield parse_line({"record": _record(read), "entities": entities, "facts": list(_facts(read))})


def _title(component: ContentObject) -> str:
    return " ".join((component.text("SUMMARY") or "").split())


def _read_task(task: ContentObject, zones: CalendarZones, left_out: Counter[str]) -> Iterator[IngestItem]:
    """A task as a note of the owner's with a checkbox; the same task again, done or moved, is its next version."""
    title = _title(task)
    if not title:
        left_out["tasks without a title"] += 1
        return
    status = (task.text("STATUS") or "").lower()
    due = _due(task, zones)
    is_done = status == "completed" or task.first("COMPLETED") is not None
    box = "-" if status == "cancelled" else "x" if is_done else " "
    people = list(_attendees(task))
    assigned = [each.name for each in people if each.status not in ("organizer", *_NOT_COMING)]
    line = f"- [{box}] {title}" + (f" by {due.text[:10]}" if due is not None else "")
    line += f" [assigned:: {assigned[0]}]" if len(assigned) == 1 else ""
    metadata = {
        "due": due.text if due is not None else None,
        "status": status or None,
        "recurrence": task.text("RRULE"),
        "attendees": _people_listed(people),
        **_plain_fields(task),
    }
    parts = [line, "\n".join(_details(task, people)), task.text("DESCRIPTION") or ""]
    record = {
        "id": f"note:task/{(task.text('UID') or title)[:400]}",
        "type": "generic",
        "title": title[:NAME_LIMIT],
        "source_at": stamp_of(task),
        "url": task.text("URL"),
        "content": "\n\n".join(filter(None, parts)),
        "metadata": {key: value for key, value in metadata.items() if value},
    }
    yield parse_line({"record": {key: value for key, value in record.items() if value}})._replace(is_standalone=True)


def _due(task: ContentObject, zones: CalendarZones) -> EventTime | None:
    """When a task is due: said by itself, or by its start and how long it takes."""
    start = moment_of(task.first("DTSTART"), zones)
    return moment_of(task.first("DUE"), zones) or (end_of(task, start, zones) if start is not None else None)


def _record(event: _Event) -> dict[str, Any]:
    given, instance = event.given, event.given.text("RECURRENCE-ID")
    except_for, also_on = days_of(given, "EXDATE"), days_of(given, "RDATE")
    parts = [
        f"When: {event.when}",
        f"Status: {event.status}" if event.status not in ("", "confirmed") else "",
        f"Instead of: {event.instead_of.shown}" if event.instead_of not in (None, event.start) else "",
        f"Repeats: {event.rule}" if event.rule else "",
        f"Except: {', '.join(except_for)}" if except_for else "",
        f"Also: {', '.join(also_on)}" if also_on else "",
        *_details(given, event.people),
        given.text("DESCRIPTION") or "",
    ]
    metadata = {
        "starts_at": event.start.text,
        "ends_at": event.end.text if event.end is not None else None,
        "location": event.place,
        "recurrence": event.rule,
        "except_for": except_for,
        "also_on": also_on,
        "instead_of": event.instead_of.text if event.instead_of is not None else None,
        "status": event.status,
        "attendees": _people_listed(event.people),
        **_plain_fields(given),
    }
    uid = given.text("UID") or event.name
    record = {
        "id": f"event:{uid[:400]}" + (f"/{instance}" if instance else ""),
        "type": "calendar_event",
        "title": event.name,
        "source_at": stamp_of(given),
        "url": given.text("URL"),
        "content": "\n".join(each for each in parts if each),
        "metadata": {key: value for key, value in metadata.items() if value},
    }
    return {key: value for key, value in record.items() if value is not None}


def _details(given: ContentObject, people: Sequence[_Attendee]) -> Iterator[str]:
    """The place, the participants and other details of an event."""
    if given.text("LOCATION"):
        yield f"Where: {given.text('LOCATION')}"
    if people:
        yield f"People: {', '.join(f'{each.name} ({each.status})' for each in people)}"
    others = [_shown_name(each) for each in given.all("ATTENDEE") if _kind(each) in (*_PLACES, "GROUP")]
    if others:
        yield f"Rooms and groups: {', '.join(others)}"
    for key, label in _DETAILS.items():
        found = [each.text for each in given.all(key) if each.text and len(each.text) <= _LONGEST_DETAIL]
        if found:
            yield f"{label}: {', '.join(dict.fromkeys(found))}"


def _plain_fields(given: ContentObject) -> dict[str, str | None]:
    return {name: given.text(key) for key, name in _PLAIN_FIELDS.items()}


def _people_listed(people: Sequence[_Attendee]) -> list[dict[str, Any]]:
    return [{"name": each.name, "email": each.email, "status": each.status} for each in people]


def _facts(event: _Event) -> Iterator[dict[str, Any]]:
    name, what = event.name, {"name": event.name, "type": "event"}
    if event.status == "cancelled":
        yield {
            "from": what,
            "edge_label": "TRANSITIONED",
            "fact_type": "cancellation",
            "fact": f"{name} was cancelled",
        }
        return
    yield {
        "from": what,
        "edge_label": "TRANSITIONED",
        "fact_type": "scheduled",
        "fact": _plan(event),
        "valid_from": event.start.text,
        **_until(event),
    }
    for each in event.people:
        if each.status in _NOT_COMING:
            continue
        is_coming = each.status in ("accepted", "organizer")
        yield {
            "from": each.name,
            "to": what,
            "edge_label": "AFFILIATED",
            "fact_type": "attends" if is_coming else "invited_to",
            "fact": f"{each.name} {'attends' if is_coming else 'is invited to'} {name}",
        }


def _until(event: _Event) -> dict[str, str]:
    """Until when an event is planned; what is repeated does not end with its first time."""
    if not event.rule and not event.given.first("RDATE"):
        return {"valid_until": (event.end or event.start).text}
    last = last_day(event.rule, event.start) if event.rule else event.start.text[:10]
    return {"valid_until": max([last, *days_of(event.given, "RDATE")])} if last else {}


def _plan(event: _Event) -> str:
    """When an event is planned, in one sentence."""
    told = f"{event.name} is {'tentatively ' if event.status == 'tentative' else ''}planned for {event.when}"
    told += f" at {event.place}" if event.place else ""
    told += f", repeated: {event.rule}" if event.rule else ""
    for key, words in (("EXDATE", "except for"), ("RDATE", "also on")):
        days = days_of(event.given, key)
        told += f", {words} {', '.join(days)}" if days else ""
    moved = event.instead_of is not None and event.instead_of.value != event.start.value
    return told + (f", instead of {event.instead_of.shown}" if moved and event.instead_of is not None else "")


def _person_entity(person: _Attendee) -> dict[str, Any]:
    return {"name": person.name, "type": "person", "properties": {"email": person.email} if person.email else {}}


def _kind(attendee: ContentLine) -> str:
    return attendee.params.get("CUTYPE", "").upper()


def _shown_name(attendee: ContentLine) -> str:
    return attendee.params.get("CN", "").strip('" ') or attendee.text.removeprefix("mailto:")


def _attendees(event: ContentObject) -> Iterator[_Attendee]:
    """The organizer and the people who are invited; rooms and other resources are places."""
    seen: set[str] = set()
    for line in (*event.all("ORGANIZER"), *event.all("ATTENDEE")):
        if _kind(line) in (*_PLACES, "GROUP"):
            continue
        address = line.text.lower().removeprefix("mailto:")
        email = address if "@" in address else None
        party = parse_party({"name": line.params.get("CN", "").strip('" '), "email": email or ""})
        name = (party.name if party is not None else None) or address
        if name and (email or name) not in seen:
            seen.add(email or name)
            status = "organizer" if line.name == "ORGANIZER" else line.params.get("PARTSTAT", "needs-action").lower()
            yield _Attendee(name[:NAME_LIMIT], email, status)
