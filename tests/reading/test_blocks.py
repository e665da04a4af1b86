"""Blocks of a note: sections, tasks, tables, days and leads."""

from datetime import date

import pytest

from recollect.reading.blocks import Block, note_blocks
from recollect.reading.heading_dates import day_in_name
from recollect.reading.sections import section_kind
from recollect.reading.task_marks import is_task_file

DAY = date(2026, 10, 5)


def one(text: str) -> Block:
    [block] = note_blocks(text, DAY)
    return block


@pytest.mark.parametrize(
    ("heading", "kind"),
    [
        ("## Decisions", "decisions"),
        ("Beschlüsse:", "decisions"),
        ("Décisions prises", "decisions"),
        ("Riesgos", "risks"),
        ("Do zrobienia", "tasks"),
        ("Att göra", "tasks"),
        ("3. Offene Fragen", "questions"),
        ("Someday/Maybe", "ideas"),
        ("Fatto", "done"),
        ("Kitchen", None),
    ],
)
def test_a_heading_says_what_stands_below_it(heading: str, kind: str | None) -> None:
    assert section_kind(heading) == kind


def test_every_block_keeps_its_place_in_the_note() -> None:
    table = "| who | what |\n|---|---|\n| Ada | buy ~~tea~~ milk |\n"
    text = f"# Plan\n\n- [ ] call Ada 📅 2026-11-05 #home\n  and Bo\n\n{table}"
    for block in note_blocks(text, DAY):
        assert len(block.text) == block.stop - block.start
        kept = [(a, b) for a, b in zip(block.text, text[block.start : block.stop], strict=True) if not a.isspace()]
        assert all(a == b for a, b in kept)


@pytest.mark.parametrize(
    ("line", "state", "words"),
    [
        ("- [ ] order locks", "open", "order locks"),
        ("- [x] contract signed", "done", "contract signed"),
        ("* [-] rent a van", "cancelled", "rent a van"),
        ("TODO call Leo", "open", "call Leo"),
        ("DONE paint the door", "done", "paint the door"),
        ("(A) 2026-10-01 write to the bank", "open", "write to the bank"),
        ("x 2026-10-03 2026-10-01 pay rent", "done", "pay rent"),
    ],
)
def test_marks_of_tasks_are_read_and_blanked_out(line: str, state: str, words: str) -> None:
    block = one(line)
    assert block.marks is not None
    assert (block.marks.state, block.text.strip()) == (state, words)


@pytest.mark.parametrize(
    "line",
    [
        "- [ ] pay 📅 2026-11-05",
        "- [ ] pay [due:: 2026-11-05]",
        "- [ ] pay due:2026-11-05",
        "TODO pay DEADLINE: <2026-11-05 Thu>",
        "- [ ] pay ⏳ 2026-11-05",
    ],
)
def test_the_due_date_of_a_task_may_be_a_mark(line: str) -> None:
    block = one(line)
    assert block.marks is not None
    assert (block.marks.due, block.text.strip()) == (date(2026, 11, 5), "pay")


def test_a_task_names_its_owner_and_the_day_it_was_done() -> None:
    block = one("- [x] book the stall ✅ 2026-11-02 @Olle")
    assert block.marks is not None
    assert (block.marks.owners, block.marks.done_on) == (("Olle",), date(2026, 11, 2))


def test_a_label_gives_one_line_the_meaning_of_a_section_and_an_owner() -> None:
    action, decision, question = note_blocks("- ACTION JW: rollback plan\n- DECISION: no hubs\n- Q: why?", DAY)
    assert action.marks is not None
    assert (action.section, action.marks.owners, action.text.strip()) == ("tasks", ("JW",), "rollback plan")
    assert (decision.section, question.section) == ("decisions", "questions")


def test_quotations_code_and_struck_out_words_say_nothing() -> None:
    text = "> I will come\n\n```\nTODO nothing\n```\n\n~~we agreed on red~~ blue it is\n"
    assert [block.text.strip() for block in note_blocks(text)] == ["blue it is"]


def test_dated_headings_and_bullets_give_the_day() -> None:
    text = "## 12 Oct\n- belts came\n- 2026-09-14 eight bikes\n"
    _, under_heading, own = note_blocks(text, DAY)
    assert (under_heading.day, own.day) == (date(2026, 10, 12), date(2026, 9, 14))


@pytest.mark.parametrize("name", ["2026-10-19", "2026_10_19", "20261019 weekly", "notes 19.10.2026", "19 Oct 2026"])
def test_a_file_name_gives_the_day(name: str) -> None:
    assert day_in_name(name) == date(2026, 10, 19)


def test_the_columns_of_a_table_name_owner_date_and_state() -> None:
    text = "| task | who | due | status |\n|---|---|---|---|\n| send list | Ada | 12 Oct | done |\n"
    row = one(text).row
    assert row is not None
    assert (row.what, row.owner, row.due, row.state) == ("send list", "Ada", "12 Oct", "done")


def test_the_rows_of_a_list_of_people_are_no_tasks() -> None:
    row = one("| who | what | phone |\n|---|---|---|\n| Ada | dentist | 031 99 |\n").row
    assert row is not None
    assert (row.what, row.owner) == (None, None)


WRAPPED = """the plumber looked at the boiler on Monday and said that the valve has
to be replaced before the winter, which he can do in the second week of
next month if we order the part by Friday"""
LINE_BY_LINE = {
    "room for the next word": [
        "letter was in the bags on thursday, the head is happy with the risk sheet (got it friday)",
        "float is in the safe of the treasurer, and the reader takes cards again",
        "posters are on every lamppost from the church to the harbour",
    ],
    "wider than any editor wraps": [
        "the engineer never came on the nineteenth since his boy was in hospital but he was here yesterday and it runs",
        "blade is back from the grinder, cuts like butter",
        "told the dealer no thanks",
    ],
}


@pytest.mark.parametrize("is_mail", [False, True])
def test_lines_that_an_editor_wrapped_are_one_paragraph(is_mail: bool) -> None:
    assert [each.text for each in note_blocks(WRAPPED, DAY, is_mail=is_mail)] == [WRAPPED]


@pytest.mark.parametrize("is_mail", [False, True])
@pytest.mark.parametrize("lines", LINE_BY_LINE.values(), ids=LINE_BY_LINE)
def test_long_lines_of_small_letters_that_nobody_wrapped_are_one_statement_each(
    lines: list[str], is_mail: bool
) -> None:
    assert [each.text for each in note_blocks("\n".join(lines), DAY, is_mail=is_mail)] == lines


def test_a_line_that_ends_inside_a_statement_goes_on_even_if_there_was_room() -> None:
    text = (
        "we agreed with the school that the gate is opened at eight and that the\n"
        "keys stay with the caretaker, who has his own set of them at home all week"
    )
    assert [each.text for each in note_blocks(text, DAY)] == [text]


def test_each_task_of_a_list_like_todo_txt_is_a_block() -> None:
    first = "(A) 2026-10-01 write to the bank about the deposit that they have kept since the spring"
    text = f"{first}\n(B) call Ada\nx 2026-10-03 pay rent"
    assert [block.text.strip() for block in note_blocks(text, DAY)][1:] == ["call Ada", "pay rent"]


@pytest.mark.parametrize(
    ("text", "is_list"),
    [
        ("(A) call Ada +flat @phone\n2026-10-01 buy soil +garden\nx 2026-10-03 pay rent\n", True),
        ("(A) call Ada\n\nWent to the lake.\nSaw two herons.\nRain later.\n", False),
        ("# Plan\n\n(A) call Ada\n(B) call Bo\n", False),
        ("(A) call Ada\n", False),
        ("", False),
    ],
)
def test_a_list_of_tasks_is_told_by_its_lines(text: str, is_list: bool) -> None:
    assert is_task_file(text) is is_list


def test_short_lines_with_room_for_more_are_lines_of_their_own() -> None:
    text = (
        "hay is in at tom's, lost a glove\npetra has the box of keys\n"
        "gate by the lower pond NOT hung, hinges 1 me 0. ill do it sunday instead after the fair then\n"
        "new latch on order till june so stop asking"
    )
    assert len(list(note_blocks(text, DAY, is_mail=True))) == 4
