"""What only looks like a decision, a cancellation or a request, and what is one in other words."""

from datetime import date

import pytest

from recollect.reading.context import Context, Person, TextKind
from recollect.reading.pronouns import tells_of_another
from recollect.reading.reader import read_block

PEOPLE = (Person("Sanja Kovac", ("Sanja",)),)


def acts(text: str, kind: TextKind = "mail") -> list[str | None]:
    read = read_block(text, Context(kind, date(2026, 5, 12), people=PEOPLE))
    return [each.act for each in read if each.is_fact]


@pytest.mark.parametrize(
    "text", ["Can't come Friday, sorry.", "Unable to attend Thursday.", "I cannot come on Friday", "can't do the 3rd"]
)
def test_who_cannot_come_on_a_day_cancels(text: str) -> None:
    assert acts(text) == ["cancellation"]


@pytest.mark.parametrize("text", ["I cannot come on Fridays", "We can't take on Saturday work"])
def test_who_never_can_cancels_nothing(text: str) -> None:
    assert "cancellation" not in acts(text)


@pytest.mark.parametrize("text", ["let's skip the meeting.", "ok forget it", "scrap the plan.", "bin it"])
def test_what_is_to_be_skipped_is_off(text: str) -> None:
    assert acts(text) == ["cancellation"]


@pytest.mark.parametrize(
    "text", ["Skip the checklist.", "You can skip the checklist.", "tempting to skip the checklist", "drop the keys."]
)
def test_who_skips_a_thing_calls_nothing_off(text: str) -> None:
    assert "cancellation" not in acts(text)


@pytest.mark.parametrize(
    "text", ["Specimens are accepted by post only.", "Cards are accepted.", "Cash is accepted only at the door"]
)
def test_what_is_always_accepted_is_no_decision(text: str) -> None:
    assert "decision" not in acts(text)


def test_what_was_accepted_is_a_decision() -> None:
    assert acts("Your offer is accepted.") == acts("The plans were accepted.") == ["decision"]


@pytest.mark.parametrize("text", ["paypal still says no.", "the portal keeps rejecting my card"])
def test_what_still_refuses_is_in_the_way(text: str) -> None:
    assert acts(text) == ["blocker"]


@pytest.mark.parametrize(
    "text",
    ["would you be a dear and post the parcel?", "Be a love and water the ferns.", "be an angel and feed the cat"],
)
def test_a_request_may_coax(text: str) -> None:
    assert acts(text) == ["request"]


def test_what_must_be_asked_of_somebody_asks_nobody() -> None:
    assert acts("must ask Sanja first") == []
    assert acts("must ask Sanja first", "note") == ["commitment"]


@pytest.mark.parametrize("text", ["Herewith PO 4471 for the twelve frames.", "Please find herewith our invoice 220."])
def test_what_comes_herewith_is_delivered(text: str) -> None:
    assert acts(text) == ["completion"]


@pytest.mark.parametrize(
    "text", ["Motion to buy a tent carried 5-2.", "The motion was defeated.", "Motion: buy a tent (KL/JB). Carried."]
)
def test_a_motion_that_was_voted_on_is_decided(text: str) -> None:
    assert acts(text, "minutes") == ["decision"]


@pytest.mark.parametrize("text", ["Ina moved that the fee be raised to 40.", "Motion: buy a tent (KL/JB)."])
def test_a_motion_decides_nothing_by_itself(text: str) -> None:
    assert acts(text, "minutes") == []


@pytest.mark.parametrize("text", ["Let me check with Jo", "Let me get back to you on the price."])
def test_who_asks_for_time_commits_and_asks_nobody(text: str) -> None:
    assert acts(text) == ["commitment"]


@pytest.mark.parametrize("text", ["Decision on Monday.", "Decision by Friday", "Decision pending for now."])
def test_when_it_will_be_decided_is_no_decision(text: str) -> None:
    assert "decision" not in acts(text)


@pytest.mark.parametrize("text", ["Decision on the venue: barn", "Decision: barn", "decision is to keep it"])
def test_what_was_decided_is_one(text: str) -> None:
    assert acts(text) == ["decision"]


def test_what_somebody_said_they_would_do_is_their_promise() -> None:
    assert acts("Sanja said she'd bring it on Friday") == ["commitment"]
    assert acts("Sanja said she would call the vet if it got worse.") == []
    assert "commitment" not in acts("Sanja said she'd been there.")


def test_what_one_is_only_pretty_sure_of_is_not_told() -> None:
    assert acts("Pretty sure Liam has paid.") == []


@pytest.mark.parametrize(("text", "name"), [("Carmen can't make it.", "Carmen"), ("Sanja won't be there.", "Sanja")])
def test_who_cannot_come_cancels_for_themselves(text: str, name: str) -> None:
    [found] = read_block(text, Context("mail", date(2026, 5, 12), people=PEOPLE))
    assert (found.act, found.doer and found.doer.name) == ("cancellation", name)


def test_an_adverb_is_nobody() -> None:
    [found] = read_block("Sadly can't make it.", Context("mail", date(2026, 5, 12), people=PEOPLE))
    assert (found.act, found.doer) == ("cancellation", None)


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Ik kan vrijdag niet komen.", "nl"), ("Wij kunnen zaterdag niet.", "nl"),
        ("Nie mogę przyjść w piątek.", "pl"), ("Nie będę mógł być w sobotę.", "pl"),
        ("Ich kann am Freitag leider nicht kommen.", "de"), ("Jag kan inte komma på fredag.", "sv"),
    ],
)  # fmt: skip
def test_who_cannot_come_on_a_day_cancels_in_other_languages(text: str, language: str) -> None:
    [found] = read_block(text, Context("mail", date(2026, 5, 12), language=language))
    assert (found.act, found.is_fact) == ("cancellation", True)


@pytest.mark.parametrize(("text", "language"), [("Ik kan niet tegen dat lawaai.", "nl"), ("Nie mogę być sama.", "pl")])
def test_who_cannot_in_general_cancels_nothing_in_other_languages(text: str, language: str) -> None:
    [found] = read_block(text, Context("mail", date(2026, 5, 12), language=language))
    assert found.act != "cancellation"


@pytest.mark.parametrize(
    "text",
    [
        "Would you be so good as to send me the plans?",
        "You might bring the ladder on the 20th.",
        "Sanja wants the hem redone before 3 June.",
    ],
)
def test_a_polite_or_passed_on_request_asks(text: str) -> None:
    assert acts(text) == ["request"]


@pytest.mark.parametrize(
    "text", ["We shall not be having the fair this year.", "No need for the second van.", "The deal fell through."]
)
def test_what_will_not_be_had_is_off(text: str) -> None:
    assert acts(text) == ["cancellation"]


@pytest.mark.parametrize(
    "text",
    [
        "The cat fell through the floor of the shed.",
        "no need for a reply",
        "Some people are saying we won't run the fair this year.",
        "i'd quit my job and buy a boat",
        "You might bring trouble on Friday.",
    ],
)
def test_what_is_supposed_or_said_by_people_binds_nobody(text: str) -> None:
    assert acts(text) == []


def test_minutes_in_german_say_who_does_what() -> None:
    people = (Person("Verena Kuhn", ("Verena",)), Person("Lionel Bach", ("Lionel",)))
    context = Context("minutes", date(2026, 5, 12), people=people, language="de")
    read = read_block("Verena reicht den Antrag bis Freitag ein, Lionel klärt die Miete.", context)
    assert [(each.act, each.doer and each.doer.name) for each in read] == [
        ("commitment", "Verena"),
        ("commitment", "Lionel"),
    ]
    assert all(each.act is None for each in read_block("Verena schreibt immer am Freitag.", context))


def test_maybe_in_spanish_promises_nothing() -> None:
    assert not any(
        each.is_fact
        for each in read_block("a lo mejor llevo yo las sillas", Context("mail", date(2026, 5, 12), language="es"))
    )


@pytest.mark.parametrize(
    ("clause", "is_other"),
    [
        ("parish council are opening their hall for us on the 8th", True),
        ("wants our stock list by the end of today", True),
        ("Tom and I are opening the hall on the 8th", False),
        ("plan is painting the hall on the 8th", False),
    ],
)
def test_what_others_are_doing_or_want_is_not_the_writers(clause: str, is_other: bool) -> None:
    assert tells_of_another(clause, "en") is is_other
