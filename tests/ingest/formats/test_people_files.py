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
