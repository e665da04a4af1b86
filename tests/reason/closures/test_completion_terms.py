"""The words by which a report is matched with the item it completes."""

import pytest

from recollect.reason.closures.completion_terms import completion_terms, item_terms


@pytest.mark.parametrize(
    ("item", "report"),
    [
        ("send the invoice", "sent the invoice"),
        ("send the invoice", "Nils completed: sent the invoice"),
        ("send the invoice", "invoice sent"),
        ("pay the plumber", "paid the plumber"),
        ("write the report", "Nils: wrote the report"),
        ("buy paint", "bought paint"),
        ("missing licence", "missing licence arrived"),
        ("missing licence", "the licence arrived"),
        ("Eva das Fahrrad bis Freitag zu reparieren", "Das Fahrrad ist repariert."),
        ("Ich schicke Frau Krüger das Angebot bis Freitag.", "Ich habe Frau Krüger das Angebot geschickt."),
        ("Jag ska skicka offerten till Lindqvist senast fredag.", "Jag har skickat offerten till Lindqvist."),
        ("Mañana enviaré el presupuesto a Marcos.", "Ya envié el presupuesto a Marcos."),
        ("Ik stuur Anna morgen de sleutels.", "Ik heb Anna de sleutels gestuurd."),
    ],
)
def test_a_report_in_the_past_has_the_words_of_its_item(item: str, report: str) -> None:
    terms = completion_terms(report, ("Nils",))
    assert terms
    assert terms <= item_terms(item)


@pytest.mark.parametrize(
    ("item", "report"),
    [
        ("send the invoice", "sent the contract"),
        ("pay the plumber", "paid the rent"),
        ("Ich schicke Frau Krüger das Angebot bis Freitag.", "Ich habe Frau Krüger die Rechnung geschickt."),
    ],
)
def test_a_report_of_something_else_does_not(item: str, report: str) -> None:
    assert not completion_terms(report, ("Nils",)) <= item_terms(item)


def test_a_denied_report_in_another_language_has_no_terms() -> None:
    assert not completion_terms("Ich habe Frau Krüger das Angebot nicht geschickt.", ())
