"""States in mails and notes: the same relations and attributes as `remember` reads, with their bounds."""

from pathlib import Path

import pytest
from tests.ingest.records import Reading, email, everything

from recollect.importers.notes import import_notes
from recollect.memory import Memory

Stated = tuple[str, str, str, str | None, str | None]


def states(memory: Memory) -> list[Stated]:
    """Subject, predicate, target and bounds of the stated affiliations."""
    found = [each for each in everything(memory) if each.fact.label == "AFFILIATED"]
    return [
        (
            each.subject_name,
            each.fact.predicate,
            each.object_name or each.fact.literal or "",
            each.fact.valid_from.text if each.fact.valid_from else None,
            each.fact.valid_until.text if each.fact.valid_until else None,
        )
        for each in found
        if each.fact.fact_type != "employee"
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "Lena Brandt works at Nordwind since 2024.",
            [("Lena Brandt", "works_at", "Nordwind", "2024", None)],
        ),
        ("I live in Leeds.", [("Marcus Webb", "lives_in", "Leeds", None, None)]),
        ("My phone number is 0471 22 33 44.", [("Marcus Webb", "phone", "0471 22 33 44", None, None)]),
        (
            "We switched from Jira to Linear in February.",
            [
                ("Marcus Webb", "uses", "Jira", None, "2026-01"),
                ("Marcus Webb", "uses", "Linear", "2026-02", None),
            ],
        ),
        ("I am allergic to penicillin.", [("Marcus Webb", "allergic_to", "penicillin", None, None)]),
        ("Lee no longer works at Nordwind.", [("Lee Park", "works_at", "Nordwind", None, "2026-03-10")]),
        ("Does Lena Brandt work at Nordwind?", []),
        ("I think Lena Brandt works at Nordwind.", []),
        ("If we win, Lena Brandt moves to Oslo.", []),
        ("Apparently Lena Brandt lives in Oslo.", []),
        ("She lives in Oslo.", []),
        ("my back is sore", []),
    ],
)
def test_a_mail_gives_the_states_that_it_asserts(
    memory: Memory, read: Reading, text: str, expected: list[Stated]
) -> None:
    read(email("mail_1", text))
    assert sorted(states(memory)) == sorted(expected)


def test_a_note_says_of_its_owner_and_of_others(memory: Memory, tmp_path: Path) -> None:
    note = tmp_path / "2026-05-08.md"
    note.write_text("I work at Halden since March. Jonas Hale lives in Ghent.\n", "utf-8")
    import_notes(memory, note)
    assert sorted(states(memory)) == [
        ("Jonas Hale", "lives_in", "Ghent", None, None),
        ("Me", "works_at", "Halden", "2026-03", None),
    ]


def test_where_a_place_lies_is_no_fact_about_the_owner(memory: Memory, tmp_path: Path) -> None:
    note = tmp_path / "2026-05-08.md"
    note.write_text("Porto is in Portugal.\n", "utf-8")
    import_notes(memory, note)
    assert everything(memory) == []


def test_a_preference_is_that_of_whom_the_clause_names(memory: Memory, read: Reading) -> None:
    read(email("mail_1", "Lena Brandt prefers tea. Jonas Hale said he prefers trains."))
    found = [(each.subject_name, each.fact.fact_type) for each in everything(memory) if each.fact.label == "ASSERTED"]
    assert sorted(found) == [("Jonas Hale", "preference"), ("Lena Brandt", "preference")]
