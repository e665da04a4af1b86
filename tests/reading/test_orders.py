"""What begins like an order: a task or request, or a noun phrase of which something is said."""

import pytest

from recollect.reading.context import TextKind
from tests.reading.test_reader import acts


@pytest.mark.parametrize("kind", ["note", "mail", "chat"])
@pytest.mark.parametrize(
    "text",
    [
        "Pull requests need two reviewers.",
        "Pull request templates live in the repo.",
        "Merge trains are built hourly.",
        "Push events arrive late.",
        "Email servers were down.",
        "Call centres close at noon.",
        "Call centre is closed.",
        "Send button is grey.",
        "Pay rises come in April.",
        "Buy signals appeared on Monday.",
        "Ask bids rose.",
        "Check boxes look odd on small screens.",
        "Clean builds take ten minutes.",
    ],
)
def test_a_noun_phrase_with_its_verb_is_no_order(text: str, kind: TextKind) -> None:
    assert not {"commitment", "request"} & set(acts(text, kind))


def test_a_question_word_behind_the_verb_begins_its_object() -> None:
    assert acts("Write what is broken.") == ["request"]


@pytest.mark.parametrize(
    "text",
    [
        "Send invoices to Siemens.",
        "Call clients back.",
        "Bring chairs and tables.",
        "Collect parcels post office.",
        "Pay taxes online.",
        "Write tests first.",
        "Pull weeds near the gate.",
        "Check engine oil.",
    ],
)
def test_a_verb_with_a_bare_plural_is_an_order(text: str) -> None:
    assert (acts(text, "note"), acts(text, "mail")) == (["commitment"], ["request"])
