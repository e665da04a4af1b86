"""Whose an act is: what somebody else does or likes is never the writer's, and a quote keeps what it quotes."""

from datetime import date
from pathlib import Path

import pytest
from tests.ingest.extract.test_model_readings import NOTE, acts
from tests.ingest.records import everything

from recollect.importers.notes import import_notes
from recollect.memory import Memory
from recollect.reading.context import Context, Person
from recollect.reading.reader import read_block
from recollect.text_models.sentence import SentenceAct


def told(memory: Memory, path: Path, text: str) -> list[tuple[str, str, str]]:
    """Type, subject and words of what a note of the owner says."""
    with memory.write() as change:
        change.put_setting("me.name", "Ada Holm")
    file = path / "2027-02-15.md"
    file.write_text(text, "utf-8")
    import_notes(memory, file)
    return [(each.fact.fact_type, each.subject_name, each.text) for each in everything(memory)]


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Dagny collects the keys until Friday", "en"), ("Torvald will service the old organ", "en"),
        ("Heidrun bestellt die Noten bis Freitag", "de"), ("Karin hämtar stolarna på fredag", "sv"),
        ("Marta trae las sillas el viernes", "es"), ("Sanne brengt de stoelen vrijdag", "nl"),
        ("Camille apporte les chaises vendredi", "fr"), ("Giulia prenota la sala venerdì", "it"),
    ],
)  # fmt: skip
def test_what_a_person_does_whom_nobody_knows_yet_is_theirs(text: str, language: str) -> None:
    note = Context("note", date(2027, 2, 15), speaker=Person("Ada Holm"), language=language)
    assert acts(text, note, "commitment") == [("commitment", text.split()[0])]


@pytest.mark.parametrize("text", ["dagny sends the invoice on Monday", "10:15 she'll bring the keys on Friday"])
def test_a_promise_of_somebody_who_cannot_be_told_is_nobodys(text: str) -> None:
    assert acts(text, NOTE, "commitment") == [(None, None)]


def test_somebody_with_a_title_is_not_the_writer() -> None:
    note = Context("note", date(2027, 2, 15), speaker=Person("Ada Holm"), language="de")
    assert acts("Fr. Kern Mo + Di auf Kur und dann weg", note, "commitment") == [(None, None)]


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("ik heb de ramen gelapt die vuil waren", "nl"), ("ho verniciato le porte che mancavano", "it"),
        ("ya limpié las ventanas que faltaban", "es"), ("pomalowałam drzwi na górze", "pl"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("act", ["commitment", "request"])
def test_what_the_writer_has_done_is_neither_promised_nor_asked(text: str, language: str, act: SentenceAct) -> None:
    mail = Context("mail", date(2027, 2, 15), speaker=Person("Ada Holm"), language=language)
    assert [found for found, _ in acts(text, mail, act)] == ["event"]


@pytest.mark.parametrize("text", ["dagny prefers oat milk", "the caretaker hates glitter", "my aunt loves brass bands"])
def test_what_others_like_is_not_the_writers_taste(memory: Memory, tmp_path: Path, text: str) -> None:
    assert "preference" not in [kind for kind, _, _ in told(memory, tmp_path, f"{text}\n")]
    assert acts(text, NOTE, "preference") == [(None, None)]


def test_a_pronoun_behind_a_topic_means_whom_the_topic_names() -> None:
    [found] = read_block("coffee w/ Lena: she'd rather sing on Sundays", NOTE)
    assert (found.act, found.doer and found.doer.name) == ("preference", "Lena")


@pytest.mark.parametrize("line", ["M: the lock is fixed", "M - keys: the lock is fixed", "B: blocked until Friday"])
def test_words_behind_an_initial_that_nobody_explains_are_nobodys(memory: Memory, tmp_path: Path, line: str) -> None:
    assert told(memory, tmp_path, f"- {line}\n") == []


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('we decided to call the band "Low Tide"', 'we decided to call the band "Low Tide"'),
        ("j'ai décidé de garder « Marée basse » comme titre.", "j'ai décidé de garder « Marée basse » comme titre."),
        ("wir haben beschlossen, „Ebbe“ zu singen.", "wir haben beschlossen, „Ebbe“ zu singen."),
    ],
)  # fmt: skip
def test_a_decision_keeps_the_words_that_it_quotes(memory: Memory, tmp_path: Path, text: str, words: str) -> None:
    assert told(memory, tmp_path, f"{text}\n") == [("decision", "Ada Holm", f"Ada Holm: {words}")]


def test_a_bare_answer_is_stored_with_what_it_answers(memory: Memory, tmp_path: Path) -> None:
    found = told(memory, tmp_path, "- dagny wants Mondays off from May. said yes\n")
    assert ("decision", "Ada Holm", "Ada Holm: dagny wants Mondays off from May. said yes") in found


def test_what_would_have_been_is_not_quoted_with_what_was(memory: Memory, tmp_path: Path) -> None:
    found = told(memory, tmp_path, "I would have bought the lamp but the shop has closed.\n")
    assert not [words for _, _, words in found if "would have" in words]


def test_a_question_behind_its_mark_with_an_answer_is_decided(memory: Memory, tmp_path: Path) -> None:
    found = told(memory, tmp_path, "? who repairs the winch → Brandt & Sons\n")
    assert [(kind, who) for kind, who, _ in found] == [("decision", "Ada Holm")]
