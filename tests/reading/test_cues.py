"""What a sentence does, row by row, and what it does not do."""

import pytest

from tests.reading.sentences import acts_of

ROWS = {
    "I promise to be there.": ("promise", None),
    "We promise that it holds.": ("promise", None),
    "Dana Cole promised to call.": ("promise", "Dana Cole"),
    "I decided to stay.": ("decision", None),
    "We have decided on the blue one.": ("decision", None),
    "We've decided against it.": ("decision", None),
    "We agreed on the price.": ("decision", None),
    "Decision: we keep the old one.": ("decision", None),
    "**Decision:** we keep the old one.": ("decision", None),
    "We're going with the second offer.": ("decision", None),
    "I am blocked by legal.": ("blocker", None),
    "I'm blocked on the keys.": ("blocker", None),
    "The build is currently blocked by the cache.": ("blocker", None),
    "Two tickets are blocking the release.": ("blocker", None),
    "We can't ship until Monday.": ("blocker", None),
    "We cannot move until they sign.": ("blocker", None),
    "I am stuck on the parser.": ("blocker", None),
    "We are waiting for the key before we start.": ("blocker", None),
    "Please send the file.": ("request", None),
    "Could you send the file?": ("request", None),
    "Please, send the file.": ("request", None),
    "Could you, please, send the file?": ("request", None),
    "Would you send the file?": ("request", None),
    "Can you please send the file?": ("request", None),
    "I need you to sign it.": ("request", None),
    "I will send it.": ("commitment", None),
    "We'll send it.": ("commitment", None),
    "I’ll reply soon.": ("commitment", None),
    "I'm going to send it.": ("commitment", None),
    "We are going to send it.": ("commitment", None),
    "Marcus will send it.": ("commitment", "Marcus"),
    "Bo will send it.": ("commitment", "Bo"),
    "Dana Cole committed to deliver it.": ("commitment", "Dana Cole"),
    "We commit to deliver it.": ("commitment", None),
    "I will be there.": ("commitment", None),
    "I'll be sending it on Monday.": ("commitment", None),
    "I will be in touch.": ("commitment", None),
    "We will be ready by Friday.": ("commitment", None),
    "I will certainly be there.": ("commitment", None),
    "We will meet in May.": ("commitment", None),
    "Dana Cole has promised to pay.": ("promise", "Dana Cole"),
    "I think it is fine, and I will send it.": ("commitment", None),
    "As I said, we will move it.": ("commitment", None),
    "I'll gladly supply the parts.": ("commitment", None),
    "Once they sign, I will send it.": ("commitment", None),
    "Can you see to it that the door is shut?": ("request", None),
    "Next steps: I will send it.": ("commitment", None),
    # The first row that fits wins.
    "I promise to decide, and I will send it.": ("promise", None),
    "We decided to ask: can you come?": ("request", None),
    "Please note it down, I will help.": ("commitment", None),
}
NOTHING = (
    "She is scared of dogs.",
    "the 1st is dead.",
    "I will not send it.",
    "I will be home tomorrow.",
    "We'll be back on Monday.",
    "Marcus will be in Berlin next week.",
    "I won't send it.",
    "I'm not going to send it.",
    "We are no longer blocked by it.",
    "We are not blocked by it.",
    "Nothing is blocking us.",
    "We have not decided on it.",
    "We haven't agreed to it.",
    "If it rains I will stay.",
    "I will stay unless it rains.",
    "I will bring one in case it rains.",
    "In case of rain I will cancel.",
    "I will bring one in case of rain.",
    "I might send it, and I will tell you.",
    "We may come, and then we will eat.",
    "I would send it.",
    "I'd say we will see them.",
    "Will I send it?",
    "Am I blocked by it?",
    "It will be fine.",
    "We will have lunch.",
    "Somebody will send it.",
    "The train will stop.",
    "How can you tell?",
    "What would you do?",
    "Please note that it rains.",
    "Please do not reply to this mail.",
    "Yes please.",
    "We'll see.",
    "Marcus committed to the plan.",
    "Marcus decided.",
    "Dana Cole wrote: I will send it.",
    "Dana Cole wrote: I will send it. I'll bring the key, too.",
    "I'm not sure we will make it.",
    "I hear that Dana Cole will send it.",
    "Can you see the sea from there?",
    "He said: send the keys and pay the rent by Friday.",
    "I think we will win.",
    "I hope that Dana Cole will come.",
    "I thought we agreed on Monday.",
    "Maybe Marcus will send it.",
    "I don't know when I will finish.",
    "We'll always have Paris.",
    "Should it fail, I will call.",
    "In the event of rain we will stay.",
    "Had we decided to go, we were late.",
    "Can you believe it?",
    "Can you hear me?",
    "Would you like coffee?",
    "I can't wait until Friday.",
    "We're going to Paris.",
    "I'm going to bed.",
    "It is not that we are blocked by them.",
    "It's not because the build is blocked by us.",
    "It's not that I will leave.",
    "It is not true that I promise to pay.",
    "Oh sure, I will do your work, too.",
    "Yeah right, we're going to win.",
)


@pytest.mark.parametrize(("sentence", "act"), ROWS.items())
def test_a_sentence_fits_its_row(sentence: str, act: tuple[str, str | None]) -> None:
    assert act in acts_of(sentence)


def test_what_two_will_do_is_promised_by_both() -> None:
    assert acts_of("Dana Cole and Marcus will send it.") == [("commitment", "Dana Cole"), ("commitment", "Marcus")]


def test_a_report_stands_beside_what_is_still_open() -> None:
    assert ("completion", None) in acts_of("I paid the rent yesterday, but the deposit is still open.")


@pytest.mark.parametrize("text", ["Please find attached the report.", "Please find the minutes of Monday attached."])
def test_what_is_attached_is_no_request(text: str) -> None:
    assert acts_of(text) == [("completion", None)]


def test_what_is_to_be_asked_later_is_not_promised() -> None:
    assert acts_of("Ask me later what I will do.") == [("request", None)]


@pytest.mark.parametrize("sentence", NOTHING)
def test_a_sentence_fits_no_row(sentence: str) -> None:
    assert acts_of(sentence) == []


def test_what_somebody_else_does_not_like_is_no_preference_of_the_writer() -> None:
    assert acts_of("I don't eat meat.") == [("preference", None)]
    assert ("preference", None) not in acts_of("Tomas doesn't eat meat.")
