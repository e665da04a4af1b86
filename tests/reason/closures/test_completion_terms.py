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
    ],
)
def test_a_report_in_the_past_has_the_words_of_its_item(item: str, report: str) -> None:
    terms = completion_terms(report, ("Nils",))
    assert terms
    assert terms <= item_terms(item)


@pytest.mark.parametrize(
    ("item", "report"), [("send the invoice", "sent the contract"), ("pay the plumber", "paid the rent")]
)
def test_a_report_of_something_else_does_not(item: str, report: str) -> None:
    assert not completion_terms(report, ("Nils",)) <= item_terms(item)
