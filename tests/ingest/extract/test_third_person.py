"""What is told of somebody else is no statement about the writer, and a task of somebody named is theirs."""

from pathlib import Path

import pytest
from tests.ingest.notes.remembering import claims, tell
from tests.ingest.records import Reading, email, everything

from recollect.importers.notes import import_notes
from recollect.memory import Memory


def told(memory: Memory) -> list[tuple[str, str]]:
    """Subject and words of what texts say, without what headers tell."""
    return [(each.subject_name, each.text) for each in everything(memory) if each.fact.label != "AFFILIATED"]


def take_note(memory: Memory, path: Path, text: str) -> None:
    file = path / "2026-05-08.md"
    file.write_text(text, "utf-8")
    import_notes(memory, file)


@pytest.mark.parametrize(
    "text",
    [
        "She is pregnant.", "He is away this week.", "Her husband is retired.", "She moved to Rome.",
        "They are vegetarian.", "And he is afraid of deep water.", "She prefers tea.", "He works for the council.",
    ],
)  # fmt: skip
def test_a_sentence_about_an_unnamed_person_is_not_about_its_sender(memory: Memory, read: Reading, text: str) -> None:
    read(email("mail_1", f"I met our old neighbour. {text}"))
    assert [words for _, words in told(memory)] == ["Marcus Webb: I met our old neighbour."]


@pytest.mark.parametrize("text", ["I rang the tuner yesterday.", "The boiler is broken.", "My mother is retired."])
def test_what_the_sender_says_of_himself_and_his_things_is_read(memory: Memory, read: Reading, text: str) -> None:
    read(email("mail_1", text))
    assert [subject for subject, _ in told(memory)] == ["Marcus Webb"]


def test_what_is_told_of_somebody_named_is_about_them(memory: Memory, read: Reading) -> None:
    read(email("mail_1", "Lee Park came by yesterday. He is out this week, and he is ill."))
    assert {subject for subject, _ in told(memory)} == {"Lee Park"}


def test_the_prose_of_a_novel_says_nothing_of_its_owner(memory: Memory, tmp_path: Path) -> None:
    take_note(
        memory,
        tmp_path,
        "Mara did not answer. If she had loved him, she might have. The lamp turned, and turned again.\n\n"
        "It was said that Teodor had drowned.\n\nThe heroine is a spy. She is pregnant. He lives in Berlin.\n",
    )
    assert everything(memory) == []


@pytest.mark.parametrize(
    "text",
    [
        "Anna is my sister. He lives in Rome.",
        "My brother Tom works at Acme. She lives in Rome.",
        "Mrs. Dahl works at Acme. He lives in Rome.",
        "Anna works at Acme. She speaks Danish. He lives in Rome.",
        "Tom is my oldest uncle. Her home town is Rome.",
    ],
)
def test_a_pronoun_of_the_other_gender_means_nobody(memory: Memory, text: str) -> None:
    assert "Rome" not in [target for _, _, target, _ in claims(memory, tell(memory, text))]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Anna is my sister. She lives in Rome.", "Anna"),
        ("My brother Tom works at Acme. He lives in Rome.", "Tom"),
        ("Mrs. Dahl works at Acme. She lives in Rome.", "Mrs. Dahl"),
        ("Robin works at Acme. He lives in Rome.", "Robin"),
    ],
)
def test_a_pronoun_that_agrees_means_the_one_who_was_named(memory: Memory, text: str, name: str) -> None:
    assert (name, "lives_in", "Rome", "current") in claims(memory, tell(memory, text))


@pytest.mark.parametrize(
    "line",
    [
        "- Action: Jonas Weil to book the room by 2026-11-19",
        "- Action item: Jonas Weil to book the room by 2026-11-19",
        "- TODO Jonas Weil to book the room by 2026-11-19",
        "ACTION: Jonas Weil to book the room by 2026-11-19",
    ],
)
def test_an_action_is_of_the_person_it_names(memory: Memory, tmp_path: Path, line: str) -> None:
    take_note(memory, tmp_path, f"# Minutes\n\n{line}\n")
    [found] = everything(memory)
    assert (found.subject_name, str(found.fact.valid_until)) == ("Jonas Weil", "2026-11-19")


def test_a_thing_to_be_done_is_still_the_owners(memory: Memory, tmp_path: Path) -> None:
    take_note(memory, tmp_path, "- Action: Room to be booked by 2026-11-19\n- Action: book Jonas Weil by 2026-11-20\n")
    assert {each.subject_name for each in everything(memory)} == {"Me"}


@pytest.mark.parametrize(
    ("text", "type_"),
    [
        ("I'm worried that the harp won't fit in the lift.", "concern"),
        ("We're afraid the piano doesn't fit through the door.", "concern"),
        ("The key doesn't fit the lock.", "blocker"),
        ("Never use the back stairs with the cello.", "preference"),
        ("Always lock the back door.", "preference"),
    ],
)
def test_a_worry_is_a_concern_and_what_is_never_done_a_preference(
    memory: Memory, read: Reading, text: str, type_: str
) -> None:
    read(email("mail_1", text))
    assert type_ in [each.fact.fact_type for each in everything(memory)]
