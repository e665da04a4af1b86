"""Contacts become people with what their cards say, calendars events with those who are invited."""

from pathlib import Path

import pytest
from tests.ingest.formats.importing import FILES, Imported, documents, facts, fields_of, text_of
from tests.support.facts import entity_named

from recollect.memory import Memory
from recollect.surfaces.dispatch import call
from recollect.surfaces.registry import find_surface


@pytest.fixture(params=["sqlite"])
def engine_name(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.mark.parametrize(("name", "kind", "count"), [("contacts.vcf", "vcard", 3), ("calendar.ics", "icalendar", 4)])
def test_each_file_is_recognised_counted_and_taken_once(memory: Memory, name: str, kind: str, count: int) -> None:
    taken = Imported(memory, FILES / name)
    assert (taken.kinds, taken.counts, taken.skipped) == ([kind], (count, count, 0), [])
    assert Imported(memory, FILES / name).counts == (count, 0, count)


def test_cards_of_every_version_give_people_and_companies(memory: Memory) -> None:
    assert Imported(memory, FILES / "contacts.vcf").warnings == [
        "contacts.vcf: skipped 1 pictures, sounds and keys",
        "contacts.vcf: skipped 1 cards without a name",
    ]
    assert facts(memory) == {
        "Ines Duarte works at Harrow Bridge as Head of Buying",
        "Ines Duarte's department at Harrow Bridge is Buying",
        "Ines Duarte's address (home) is Rua Nova 3, Porto, 4000, Portugal",
        "Ines Duarte's birthday is 1985-04-12",
        "Ines Duarte's email address (work) is Ines@harrow-bridge.example",
        "Ines Duarte's phone (cell) is +351 910 000 001",
        "Jürgen Müller's birthday is 02-29",
        "Jürgen Müller's phone (cell) is +49 170 0000002",
        "Cork Supply Lda's email address is hello@cork.example",
        "Cork Supply Lda's phone (work) is +351-220-000-003",
    }
    nesa, company = entity_named(memory, "Nesa"), entity_named(memory, "Cork Supply Lda")
    assert nesa is not None
    assert (nesa.name, nesa.properties["email"]) == ("Ines Duarte", "ines@harrow-bridge.example")
    assert company is not None
    assert company.type == "organization"
    assert text_of(memory, "contact:c-1").endswith("Likes cork, not plastic.\nCall before ten.")


CARD = """BEGIN:VCARD
VERSION:3.0
N:Reyes;Ana;;Dr.;
FN:Dr. Ana Reyes
NICKNAME:Annie
ORG:Harrow Bridge;Buying;Cork
TITLE:Head of Buying
ROLE:Buyer
item1.TEL;TYPE=VOICE:+351 910 000 004
item1.X-ABLabel:boat
TEL;TYPE=CELL;TYPE=WORK;TYPE=pref:+351 910 000 005
item2.EMAIL;TYPE=INTERNET:Ana@home.example
item2.X-ABLabel:_$!<Home>!$_
item3.X-ABDATE;TYPE=pref:2010-06-05
item3.X-ABLabel:_$!<Anniversary>!$_
RELATED;TYPE=spouse;VALUE=text:Tom Reyes
RELATED;TYPE=friend:urn:uuid:f81d4fae-7dec-11d0-a765-00a0c91e6bf6
X-SOCIALPROFILE;TYPE=mastodon:https://social.example/@ana
NOTE:Likes cork\\, not
  plastic.
NOTE:Second note
X-COLOUR:blue
END:VCARD
BEGIN:VCARD
VERSION:2.1
N;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:M=C3=BCller;Jana;;;
ADR;HOME;ENCODING=QUOTED-PRINTABLE;CHARSET=UTF-8:;;Stra=C3=9Fe =
1;K=C3=B6ln;;50667;
ORG:One
ORG:Two
TITLE:Baker
X-ABShowAs:PERSON
END:VCARD
BEGIN:VCARD
VERSION:3.0
N:Lee;Sam;;;
FN:Cork Works
ORG:Cork Works;Sales
X-ABShowAs:COMPANY
END:VCARD
"""


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_no_line_of_a_card_is_lost_in_silence(memory: Memory, tmp_path: Path, end: str) -> None:
    file = tmp_path / "cards.vcf"
    file.write_bytes(CARD.replace("\n", end).encode("utf-8-sig"))
    taken = Imported(memory, file)
    assert (taken.counts, taken.warnings) == (
        (3, 3, 0),
        [
            "cards.vcf: skipped 1 relations to people whom the card does not name",
            "cards.vcf: skipped 1 fields X-COLOUR",
        ],
    )
    assert facts(memory) == {
        "Dr. Ana Reyes works at Harrow Bridge as Head of Buying",
        "Dr. Ana Reyes's department at Harrow Bridge is Buying, Cork",
        "Dr. Ana Reyes's title is Buyer",
        "Dr. Ana Reyes's phone (boat) is +351 910 000 004",
        "Dr. Ana Reyes's phone (cell, work) is +351 910 000 005",
        "Dr. Ana Reyes's email address (home) is Ana@home.example",
        "Dr. Ana Reyes's anniversary is 2010-06-05",
        "Dr. Ana Reyes's spouse is Tom Reyes",
        "Dr. Ana Reyes's profile (mastodon) is https://social.example/@ana",
        "Jana Müller's address (home) is Straße 1, Köln, 50667",
        "Jana Müller works at One",
        "Jana Müller works at Two",
        "Jana Müller's title is Baker",
        "Cork Works's contact person is Sam Lee",
        "Cork Works's department is Sales",
    }
    text = next(text_of(memory, key) for key in documents(memory) if text_of(memory, key).startswith("Dr. Ana"))
    assert "Also called Annie" in text
    assert text.endswith("Likes cork, not plastic.\nSecond note")
    assert Imported(memory, file).counts == (3, 0, 3)


def test_events_have_times_people_repetition_and_cancellation(memory: Memory) -> None:
    assert Imported(memory, FILES / "calendar.ics").warnings == []
    assert facts(memory) == {
        "Me: Buy nails",
        (
            "Roof meeting (2026-05-14) is planned for 2026-05-14 10:00 (Europe/Lisbon) to 2026-05-14 11:30 "
            "(Europe/Lisbon) at Rua Nova 3, Porto"
        ),
        "I. Duarte attends Roof meeting (2026-05-14)",
        "Tom Reyes attends Roof meeting (2026-05-14)",
        "Lee Park is invited to Roof meeting (2026-05-14)",
        (
            "Standup (2026-05-04) is planned for 2026-05-04 09:00 (W. Europe Standard Time) to 2026-05-04 09:15 "
            "(W. Europe Standard Time), repeated: FREQ=WEEKLY;BYDAY=MO,TH;UNTIL=20261231T000000Z"
        ),
        "Cork fair (2026-06-01) was cancelled",
    }
    fields = fields_of(memory, "event:roof-1")
    assert (fields["starts_at"], fields["ends_at"]) == ("2026-05-14T10:00:00+01:00", "2026-05-14T11:30:00+01:00")
    assert [each["status"] for each in fields["attendees"]] == ["organizer", "accepted", "needs-action", "declined"]
    assert fields_of(memory, "event:standup")["starts_at"] == "2026-05-04T09:00:00+02:00"
    assert (fields_of(memory, "event:fair")["starts_at"], fields_of(memory, "event:fair")["ends_at"]) == (
        "2026-06-01",
        "2026-06-03",
    )
    assert "Park behind the house." in text_of(memory, "event:roof-1")


def test_an_invitation_finds_a_contact_by_address(memory: Memory) -> None:
    Imported(memory, FILES / "contacts.vcf")
    Imported(memory, FILES / "calendar.ics")
    organizer = entity_named(memory, "I. Duarte")
    assert organizer is not None
    assert organizer.name == "Ines Duarte"
    assert len(documents(memory)) == 7


def test_a_task_is_an_open_item_until_the_calendar_says_it_is_done(memory: Memory, tmp_path: Path) -> None:
    task = "BEGIN:VTODO\nUID:t1\nDTSTAMP:{stamp}T090000Z\nSUMMARY:Buy nails\nDUE;VALUE=DATE:20300520\n{more}END:VTODO\n"
    file = tmp_path / "tasks.ics"

    def take(stamp: str, more: str = "") -> list[tuple[str, str]]:
        body = task.format(stamp=stamp, more=more)
        file.write_text(f"BEGIN:VCALENDAR\nVERSION:2.0\n{body}END:VCALENDAR\n", "utf-8")
        Imported(memory, file)
        listed = call(find_surface("recollect").find("open_items"), lambda _: memory, {}).structured
        return [(each["text"], each["due"]) for each in listed["items"]]

    assert take("20260501") == [("Me: Buy nails by 2030-05-20", "2030-05-20")]
    assert take("20260601", "STATUS:COMPLETED\n") == []


SERIES = """BEGIN:VEVENT
UID:e1
DTSTAMP:20260101T000000Z
SUMMARY:Standup
DTSTART;TZID=Europe/Berlin:20260105T090000
DURATION:PT15M
RRULE:FREQ=DAILY;COUNT=10
EXDATE;TZID=Europe/Berlin:20260107T090000,20260108T090000
RDATE;VALUE=DATE:20260120
ATTENDEE;CN=Tom Reyes;PARTSTAT=TENTATIVE:mailto:tom@x.example
ATTENDEE;CN=Lee Park;PARTSTAT=DELEGATED:mailto:lee@x.example
ATTENDEE;CN=Room 1;CUTYPE=ROOM:mailto:room@x.example
ATTENDEE;CN=Makers;CUTYPE=GROUP:mailto:makers@x.example
CATEGORIES:WORK
CONFERENCE;VALUE=URI:https://meet.example/1
COMMENT:Bring coffee
PRIORITY:5
BEGIN:VALARM
DESCRIPTION:Reminder
END:VALARM
END:VEVENT
BEGIN:VEVENT
UID:e1
DTSTAMP:20260102T000000Z
RECURRENCE-ID;TZID=Europe/Berlin:20260106T090000
SUMMARY:Standup
DTSTART;TZID=Europe/Berlin:20260106T110000
DTEND;TZID=Europe/Berlin:20260106T111500
END:VEVENT
BEGIN:VEVENT
UID:e2
SUMMARY:Trip
STATUS:TENTATIVE
DTSTART;VALUE=DATE:20260701
DURATION:P2D
END:VEVENT
BEGIN:VEVENT
UID:e3
SUMMARY:Odd
DTSTART;VALUE=DATE:20260801
DURATION:P99999999999D
RRULE:FREQ=WEEKLY;COUNT=99999999999;UNTIL=20269999
END:VEVENT
BEGIN:VEVENT
UID:e4
SUMMARY:Off
STATUS:CANCELLED
DTSTART;VALUE=DATE:20260901
ATTENDEE;CN=Tom Reyes;PARTSTAT=ACCEPTED:mailto:tom@x.example
END:VEVENT
"""


def test_no_line_of_an_event_is_lost_in_silence(memory: Memory, tmp_path: Path) -> None:
    file = tmp_path / "series.ics"
    file.write_text(f"BEGIN:VCALENDAR\nVERSION:2.0\n{SERIES}END:VCALENDAR\n", "utf-8")
    assert Imported(memory, file).counts == (5, 5, 0)
    berlin = "(Europe/Berlin)"
    assert facts(memory) == {
        (
            f"Standup (2026-01-05) is planned for 2026-01-05 09:00 {berlin} to 2026-01-05 09:15 {berlin}, repeated: "
            "FREQ=DAILY;COUNT=10, except for 2026-01-07, 2026-01-08, also on 2026-01-20"
        ),
        "Tom Reyes is invited to Standup (2026-01-05)",
        (
            f"Standup (2026-01-06) is planned for 2026-01-06 11:00 {berlin} to 2026-01-06 11:15 {berlin}, "
            f"instead of 2026-01-06 09:00 {berlin}"
        ),
        "Trip (2026-07-01) is tentatively planned for 2026-07-01 to 2026-07-02",
        "Odd (2026-08-01) is planned for 2026-08-01, repeated: FREQ=WEEKLY;COUNT=99999999999;UNTIL=20269999",
        "Off (2026-09-01) was cancelled",
    }
    text = text_of(memory, "event:e1").splitlines()
    assert text[2:] == [
        "Except: 2026-01-07, 2026-01-08",
        "Also: 2026-01-20",
        "People: Tom Reyes (tentative), Lee Park (delegated)",
        "Rooms and groups: Room 1, Makers",
        "Join: https://meet.example/1",
        "Categories: WORK",
        "Comment: Bring coffee",
    ]
    assert fields_of(memory, "event:e1")["priority"] == "5"
    assert "Status: cancelled" in text_of(memory, "event:e4")
    assert fields_of(memory, "event:e1/20260106T090000")["instead_of"] == "2026-01-06T09:00:00+01:00"
    assert Imported(memory, file).counts == (5, 0, 5)


def test_a_task_of_somebody_else_is_theirs_and_a_cancelled_one_is_closed(memory: Memory, tmp_path: Path) -> None:
    file = tmp_path / "tasks.ics"

    def take(stamp: str, more: str) -> list[tuple[str, str]]:
        start = f"UID:t1\nDTSTAMP:{stamp}T090000Z\nSUMMARY:Paint the door\nDTSTART;VALUE=DATE:20300501\nDURATION:P3D\n"
        file.write_text(f"BEGIN:VCALENDAR\nBEGIN:VTODO\n{start}{more}END:VTODO\nEND:VCALENDAR\n", "utf-8")
        Imported(memory, file)
        items = call(find_surface("recollect").find("open_items"), lambda _: memory, {}).structured["items"]
        return [(each["owner"], each["due"]) for each in items]

    assigned = "ORGANIZER;CN=Ines Duarte:mailto:i@x.example\nATTENDEE;CN=Tom Reyes:mailto:tom@x.example\n"
    assert take("20260501", assigned) == [("Tom Reyes", "2030-05-03")]
    assert take("20260502", f"STATUS:CANCELLED\n{assigned}") == []
