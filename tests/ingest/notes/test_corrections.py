"""Corrections of a value alone, attributes of what a text is about, and the parts of a sentence that gave no fact."""

import pytest
from tests.ingest.notes.remembering import claims, tell

from recollect.memory import Memory


@pytest.mark.parametrize(
    ("told", "about", "correction", "value"),
    [
        ("We use Postgres 16.", "acme", "no, it's Postgres 17 not 16", "Postgres 17"),
        ("My rent is 900.", None, "Sorry, it's 950, not 900.", "950"),
    ],
)
def test_a_correction_of_the_value_alone_replaces_the_one_fact_that_has_it(
    memory: Memory, told: str, about: str | None, correction: str, value: str
) -> None:
    wrong = tell(memory, told, about=about, at="2026-05-19T10:00:00Z")
    right = tell(memory, correction, about=about)
    assert [claim[2] for claim in claims(memory, right)] == [value]
    assert (right.facts[0].outcome, right.facts[0].replaced) == ("replaced", (wrong.facts[0].fact,))


def test_a_correction_of_a_value_that_two_facts_have_is_not_guessed(memory: Memory) -> None:
    tell(memory, "My rent is 900. My salary is 900.")
    assert tell(memory, "No, it's 950, not 900.").facts == ()


@pytest.mark.parametrize(
    ("text", "claim"),
    [
        ("The main branch is called trunk.", ("acme", "main_branch", "trunk")),
        ("Budget is 240k.", ("acme", "budget", "240k")),
        ("Max line length is 110.", ("acme", "max_line_length", "110")),
    ],
)
def test_an_attribute_without_an_owner_is_of_what_the_text_is_about(
    memory: Memory, text: str, claim: tuple[str, str, str]
) -> None:
    assert [each[:3] for each in claims(memory, tell(memory, text, about="acme"))] == [claim]
    assert tell(memory, text).facts == ()


def test_every_statement_of_a_sentence_that_gave_no_fact_is_listed(memory: Memory) -> None:
    result = tell(memory, "My name is Ida Lorentz, I'm the backend dev on ledger-api, Ben does the frontend.")
    assert result.not_understood == ("I'm the backend dev on ledger-api", "Ben does the frontend.")
