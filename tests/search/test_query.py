"""Taking a query apart."""

import unicodedata
from collections.abc import Sequence
from datetime import UTC

import pytest
from tests.search.names_on_paper import NamesOnPaper

from recollect.search.question import Question, question_terms, remove_names
from recollect.text.tokens import index_terms, terms
from recollect.when.instant import read_instant

NOW = read_instant("2026-05-20T10:00:00Z", UTC)


def _read(
    text: str, authors: Sequence[str] = (), titles: Sequence[str] = ()
) -> tuple[str, set[str], set[str], list[str]]:
    question = Question(text, NOW, UTC, NamesOnPaper(authors, titles))
    return question.meaning, set(question.authors), set(question.titles), [each.text for each in question.periods]


def test_the_name_of_an_author_leaves_the_vector_but_not_the_words() -> None:
    text = "When did Caroline's group meet?"
    assert _read(text, ["Caroline"]) == ("When did group meet?", {"Caroline"}, set(), [])
    assert question_terms(text) == ("carolin", "group", "meet")


def test_a_first_name_means_every_author_who_has_it() -> None:
    assert _read("Where did Ada go?", ["Ada Byron", "Ada Lovelace", "Adam"])[1] == {"Ada Byron", "Ada Lovelace"}


def test_a_title_stays_in_the_vector() -> None:
    text = "Who wrote The Bridge plan?"
    assert _read(text, (), ["Bridge plan"]) == (text, set(), {"Bridge plan"}, [])


def test_times_are_read_on_the_day_of_the_query() -> None:
    assert _read("What happened in July 2023?")[3] == ["July 2023"]


def test_a_query_of_names_and_question_words_alone_keeps_them() -> None:
    assert remove_names("Who is Ada?", ["Ada"]) == "Who is Ada?"
    assert question_terms("who was it") == ("who", "wa", "it")


@pytest.mark.parametrize(
    "text",
    [
        "Café Zoë naïve",
        unicodedata.normalize("NFD", "Café Zoë naïve Đặng"),
        "مُحَمَّدٌ كَتَبَ",
        "שָׁלוֹם עוֹלָם",
        "မြန်မာ နိုင်ငံ",
        "ខ្ញុំនៅប្រទេសកម្ពុជា",
        "हिन्दी में लिखा",
    ],
)
def test_a_query_is_cut_as_the_texts_are_that_are_indexed(text: str) -> None:
    assert set(question_terms(text)) <= set(index_terms(text))
    assert set(question_terms(text)) == set(terms(text))
