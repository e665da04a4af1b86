"""Sentences that say that a trouble is over, and those that only speak of it."""

import pytest

from tests.reading.sentences import acts_of

SETTLED = {
    "I fixed the login redirect.": None,
    "We've finally fixed the flaky test.": None,
    "I fixed the date parser.": None,
    "I just closed ENG-19.": None,
    "We closed the ticket.": None,
    "We sorted out the billing mix-up with finance.": None,
    "We solved the mystery of the missing invoices.": None,
    "The build failure on main has been fixed.": None,
    "The rate limiter is fixed now.": None,
    "Issue 44 has been closed.": None,
    "ENG-212 is resolved.": None,
    "The outage has been resolved as of 10:15.": None,
    "The outage was resolved at 03:40.": None,
    "The issue was resolved by restarting the router.": None,
    "Update: both blockers are resolved.": None,
    "The bug is fixed, see PR 9.": None,
    "Dana Cole fixed the login redirect.": "Dana Cole",
    "Dana Cole has resolved the licence question.": "Dana Cole",
    "The leak was fixed by Dana Cole on Monday.": "Dana Cole",
    "The leak was fixed yesterday by Dana Cole.": "Dana Cole",
    "The pump was fixed by Greta Holm.": "Greta Holm",
    "The pump was fixed yesterday by Greta Holm.": "Greta Holm",
    "The leak was fixed by Friday.": None,
    "The export issue you reported has been fixed.": None,
}
NOT_SETTLED = (
    "The bug isn't fixed.",
    "The bug has not been resolved yet.",
    "Nothing is fixed.",
    "It will be fixed soon.",
    "The bug must be fixed.",
    "We want the bug fixed.",
    "Has it been fixed?",
    "If the bug is fixed, we ship.",
    "Let them know once the bug is resolved.",
    "They wait until the outage is resolved.",
    "After it is fixed, they test.",
    "I think the bug is fixed.",
    "She says the issue is resolved.",
    "Hopefully the issue is resolved.",
    "The alarm is almost fixed.",
    "Most issues are resolved.",
    "The issue is resolved for now.",
    "The issue is resolved, but it comes back.",
    "The bug that was fixed last year is back.",
    "The bug we fixed last year is back.",
    "We had fixed the leak.",
    "Tickets are closed.",
    "The price is fixed.",
    "The date for the launch is fixed.",
    "We fixed a date for the party.",
    "We fixed the price.",
    "The shelf is fixed to the wall.",
    "The hostnames are resolved at startup.",
    "The name resolved to an address.",
    "I resolved to do better.",
    "We resolved that this was wrong.",
    "The shop is closed.",
    "The road was closed by the police.",
    "He fixed the sink.",
    "Dana Cole and Marcus fixed the pump.",
    "This fixes the bug.",
    "The layout is fixed width.",
    "A bug is fixed when the test passes.",
    "All issues are resolved within two days.",
    "Your ticket is closed automatically.",
    "The fixed version is out.",
)


@pytest.mark.parametrize(("sentence", "who"), SETTLED.items())
def test_what_is_over_is_a_resolution(sentence: str, who: str | None) -> None:
    assert ("resolution", who) in acts_of(sentence)


@pytest.mark.parametrize("sentence", ["We closed the deal.", "I closed my account."])
def test_what_is_closed_without_a_trouble_is_done_but_not_resolved(sentence: str) -> None:
    assert acts_of(sentence) == [("completion", None)]


@pytest.mark.parametrize("sentence", NOT_SETTLED)
def test_what_is_not_clearly_over_is_no_report(sentence: str) -> None:
    assert {act for act, _ in acts_of(sentence)}.isdisjoint({"resolution", "completion"})
