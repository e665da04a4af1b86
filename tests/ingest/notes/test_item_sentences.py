"""Promises, requests and reports in plain sentences, and which report closes which promise."""

import pytest
from tests.ingest.notes.remembering import bounds, claims, outcomes, tell

from recollect.memory import Memory

ME = "Me"


def test_promises_and_requests_belong_to_the_owner(memory: Memory) -> None:
    result = tell(memory, "I will send the report by Friday. Please check the logs.")
    assert [(claim[0], claim[1]) for claim in claims(memory, result)] == [(ME, "commitment"), (ME, "request")]
    assert bounds(memory, result) == (None, "2026-05-22")


@pytest.mark.parametrize(
    ("text", "asker", "asked"),
    [
        ("Ingrid asked me to send the slides by Friday.", "Ingrid", ME),
        ("Bob wants me to review the draft.", "Bob", ME),
        ("Bob asked me for the slides by Friday.", "Bob", ME),
        ("I asked Bob to send the slides by Friday.", ME, "Bob"),
    ],
)
def test_a_request_that_is_told_belongs_to_who_was_asked(memory: Memory, text: str, asker: str, asked: str) -> None:
    [claim] = claims(memory, tell(memory, text))
    assert claim[:3] == (asker, "request", asked)


@pytest.mark.parametrize("text", ["Ingrid never asked me to send it.", "I won't need it until April."])
def test_what_nobody_asked_for_is_no_request(memory: Memory, text: str) -> None:
    assert claims(memory, tell(memory, text)) == []


@pytest.mark.parametrize(
    ("text", "due"),
    [
        ("Please remind me to buy milk tomorrow.", "2026-05-21"),
        ("I'll call Bob on Friday.", "2026-05-22"),
        ("I'll call Bob tomorrow.", "2026-05-21"),
        ("I'll call Bob tomorrow at 5pm.", "2026-05-21"),
        ("I'll call Bob tonight.", "2026-05-20"),
        ("I'll call Bob next week.", "2026-05-31"),
        ("I'll send it in June.", "2026-06"),
        ("I'll pay the rent on 12 June.", "2026-06-12"),
        ("I'll call Bob in two weeks.", "2026-06-03"),
        ("I'll send the Q3 report.", None),
        ("I'll check yesterday's logs.", None),
        ("I'll send the Q3 report tomorrow.", "2026-05-21"),
        ("I'll send the report by Friday.", "2026-05-22"),
        ("I'll send it before June.", "2026-05"),
    ],
)
def test_a_promise_or_request_is_due_when_it_says(memory: Memory, text: str, due: str | None) -> None:
    assert bounds(memory, tell(memory, text)) == (None, due)


@pytest.mark.parametrize(
    "text",
    [
        "I'll call Bob on Monday or Tuesday.",
        "I'll call Bob every Monday.",
        "I'll call Bob at 3pm.",
        "I'll call Bob in 2 hours.",
        "I'll call Bob after Christmas.",
        "I'll call Bob someday.",
        "I'll pay the rent on 3/4/2026.",
        "I'll call Bob after Friday.",
        "I'll call Bob in the morning.",
    ],
)
def test_a_promise_at_an_uncertain_time_is_not_understood(memory: Memory, text: str) -> None:
    result = tell(memory, text)
    assert (result.facts, result.entities, result.not_understood) == ((), (), (text,))


def test_two_promises_of_a_sentence_have_a_time_each(memory: Memory) -> None:
    result = tell(memory, "I'll call Bob on Monday and send it by Friday.")
    assert [bounds(memory, result, index) for index in (0, 1)] == [(None, "2026-05-25"), (None, "2026-05-22")]


@pytest.mark.parametrize(
    ("text", "predicate"),
    [
        ("I prefer email for invoices.", "prefers"),
        ("I called the landlord about the mould.", "completion"),
        ("I have paid the invoice.", "completion"),
        ("Ada has sent the contract to Bob.", "completion"),
        ("Ada delivered the parts.", "completion"),
        ("I've finished the Q3 report.", "completion"),
        ("I fixed the login bug.", "resolution"),
        ("The Q3 report is done.", "completion"),
        ("INV-42 is paid.", "completion"),
        ("The login bug is resolved.", "resolution"),
        ("The launch party is cancelled.", "cancellation"),
    ],
)
def test_reports_of_what_is_done(memory: Memory, text: str, predicate: str) -> None:
    assert [claim[1] for claim in claims(memory, tell(memory, text))] == [predicate]


def test_a_report_closes_the_item_it_answers(memory: Memory) -> None:
    opened = tell(memory, "I will pay the garage invoice by Friday.", at="2026-05-19T10:00:00Z")
    closing = tell(memory, "I have paid the garage invoice.")
    assert closing.closed == (opened.facts[0].fact,)


@pytest.mark.parametrize(
    ("promise", "report", "predicate"),
    [
        ("I will call the landlord about the mould.", "I called the landlord about the mould.", "completion"),
        ("I will call the landlord about the mould.", "I've finally called the landlord.", "completion"),
        ("I will water the ferns by Friday.", "We watered the ferns.", "completion"),
        ("I have to return the library books by the 22nd.", "The library books are back.", "completion"),
        ("I'll repaint the shed by Friday.", "I won't repaint the shed after all.", "cancellation"),
        ("I'll repaint the shed.", "I don't need to repaint the shed any more.", "cancellation"),
    ],
)
def test_a_report_in_the_words_of_a_promise_closes_it(
    memory: Memory, promise: str, report: str, predicate: str
) -> None:
    opened = tell(memory, promise, at="2026-05-19T10:00:00Z")
    closing = tell(memory, report)
    assert [claim[1] for claim in claims(memory, closing)] == [predicate]
    assert closing.closed == (opened.facts[0].fact,)


@pytest.mark.parametrize(
    "said",
    [
        "I wrote to the landlord about the mould.",
        "I called the landlord about the rent.",
        "I won't call the landlord today.",
        "I won't call the landlord until Friday.",
        "I won't call the landlord unless the mould returns.",
        "I haven't called the landlord.",
        "I should have called the landlord.",
        "I called the landlord about the mould?",
        "Bob called the landlord about the mould.",
    ],
)
def test_what_is_not_a_report_of_the_promise_leaves_it_open(memory: Memory, said: str) -> None:
    tell(memory, "I will call the landlord about the mould.", at="2026-05-19T10:00:00Z")
    assert tell(memory, said).closed == ()


def test_a_closing_fact_names_an_item_by_its_id(memory: Memory) -> None:
    from recollect.model.ids import format_fact_id

    item = {"subject": "me", "predicate": "commitment", "value": "send the report", "object": "Apollo"}
    opened = tell(memory, None, item)
    id_ = opened.facts[0].fact
    assert id_ is not None
    done = tell(memory, None, {"subject": "me", "predicate": "completion", "replaces": format_fact_id(id_)})
    assert outcomes(done) == ["replaced"]
    assert done.closed == (id_,)
    with memory.read() as view:
        found = view.fact(id_)
    assert found is not None
    assert found.stale


@pytest.mark.parametrize(
    ("text", "claimed"),
    [
        ("Ingrid would prefer tea.", [("Ingrid", "preference")]),
        ("I don't like olives.", [(ME, "preference")]),
        ("She likes hiking.", []),
        ("They hate meetings.", []),
        ("Customers prefer cash.", []),
        ("Decision: no meetings on Mondays.", [(ME, "decision")]),
    ],
)
def test_a_preference_is_of_who_has_it(memory: Memory, text: str, claimed: list[tuple[str, str]]) -> None:
    assert [each[:2] for each in claims(memory, tell(memory, text))] == claimed


def test_a_decision_closes_the_one_that_was_to_be_made(memory: Memory) -> None:
    opened = tell(memory, "We still have to decide whether to host in Frankfurt or Dublin.", at="2026-05-19T10:00:00Z")
    assert tell(memory, "We decided on Frankfurt.").closed == (opened.facts[0].fact,)


def test_forgetting_about_a_goal_cancels_it(memory: Memory) -> None:
    opened = tell(memory, "My goal is to have the pilot running by mid October.", at="2026-05-19T10:00:00Z")
    closing = tell(memory, "Forget about the pilot goal.")
    assert ([claim[1] for claim in claims(memory, closing)], closing.closed) == (
        ["cancellation"],
        (opened.facts[0].fact,),
    )


def test_what_somebody_asked_for_by_a_day_is_a_request_that_sending_it_closes(memory: Memory) -> None:
    opened = tell(memory, "Marie from finance asked for the Q3 forecast by the 25th.", at="2026-05-19T10:00:00Z")
    assert (claims(memory, opened)[0][:3], bounds(memory, opened)) == (("Marie", "request", ME), (None, "2026-05-25"))
    assert tell(memory, "I sent Marie the forecast.").closed == (opened.facts[0].fact,)


@pytest.mark.parametrize(
    "text",
    [
        "The neighbours have a cat, it's called Minka.",
        "We go climbing on Thursday evenings.",
        "Dina is no longer on Falcon.",
        "Luis can't make Friday, he needs until Monday.",
        "Aunt Wilma passed away in 2019.",
        "The rent drops to 800.",
    ],
)
def test_what_only_sounds_like_a_report_or_promise_is_none(memory: Memory, text: str) -> None:
    assert claims(memory, tell(memory, text)) == []


def test_what_is_done_for_a_later_day_is_done(memory: Memory) -> None:
    result = tell(memory, "I've reserved the hall for 3 June.")
    assert (claims(memory, result)[0][3], bounds(memory, result)) == ("current", (None, None))


@pytest.mark.parametrize(
    ("item", "said"),
    [
        ("Get legal to sign off the contract.", "Legal signed off the contract."),
        ("We can't deploy until security approves the image.", "Security approved the image."),
        ("I need to renew my passport.", "My passport is renewed."),
        ("I promise to call grandma tomorrow.", "I called grandma."),
        ("Please call the pharmacy about the tablets.", "The pharmacy was called about the tablets."),
        ("Ask Ben to call the bank.", "Ben called the bank."),
        ("I will call the bank. I need to wash the car.", "I swam in the lake and washed the car."),
    ],
)
def test_a_deed_in_the_words_of_one_item_closes_it(memory: Memory, item: str, said: str) -> None:
    tell(memory, item, at="2026-05-18T09:00:00Z")
    result = tell(memory, said)
    assert len(result.closed) == 1
    assert [claim[1] for claim in claims(memory, result)] == ["completion"]


@pytest.mark.parametrize(
    ("item", "said"),
    [
        ("Get legal to sign off the contract.", "Legal wanted to sign off the contract."),
        ("Get legal to sign off the contract.", "Legal signed off the annex."),
        ("Get legal to sign off the contract.", "If legal signed off the contract, tell me."),
        ("Call Tom after the contract is signed.", "The contract is signed."),
        ("Ask Ben to call the bank.", "Carla called the bank."),
        ("Priya promised to send the figures.", "Priya promised to send the figures."),
        ("I will wash the red car. I will wash the blue car.", "I washed the car."),
    ],
)
def test_other_deeds_and_deeds_of_others_close_nothing(memory: Memory, item: str, said: str) -> None:
    tell(memory, item, at="2026-05-18T09:00:00Z")
    assert tell(memory, said).closed == ()


@pytest.mark.parametrize(
    ("item", "said", "due"),
    [
        ("Mette will send the model by Thursday.", "Mette can't make Thursday, she needs until Monday.", "2026-05-25"),
        ("I will write the report by Thursday.", "I can't make it by Thursday, I need until Friday.", "2026-05-22"),
        ("Mette will send the logs by Thursday. Mette will call on Friday.", "Mette needs until Saturday for the logs.",
         "2026-05-23"),
    ],
)  # fmt: skip
def test_a_new_day_moves_the_item_it_is_for(memory: Memory, item: str, said: str, due: str) -> None:
    first = tell(memory, item, at="2026-05-18T09:00:00Z")
    result = tell(memory, said)
    [moved] = result.facts
    assert (moved.outcome, moved.replaced, bounds(memory, result)) == ("replaced", (first.facts[0].fact,), (None, due))
    assert moved.text.startswith(item.partition(".")[0] if "I will" not in item else "Me: I will write the report")


@pytest.mark.parametrize(
    "said",
    ["Mette needs until Monday.", "Carla can't make Thursday, she needs until Monday.", "Mette needs until noon."],
)
def test_a_new_day_that_fits_no_single_item_moves_none(memory: Memory, said: str) -> None:
    tell(memory, "Mette will send the logs by Thursday. Mette will call Ben on Friday.", at="2026-05-18T09:00:00Z")
    assert tell(memory, said).facts == ()


@pytest.mark.parametrize(
    "text",
    ["I called Ben and read chapter 4.", "Water the hydrangeas twice a week.", "The test database is reset nightly."],
)
def test_what_is_told_or_done_again_and_again_is_no_task_and_no_value(memory: Memory, text: str) -> None:
    kinds = {claim[1] for claim in claims(memory, tell(memory, text))}
    assert kinds <= {"completion"}


def test_tasks_with_titles_and_regular_things_are_read(memory: Memory) -> None:
    result = tell(memory, "Dr. Pell will look at bed 7 today. I need to send the weekly report by Friday.")
    assert [(claim[0], claim[1]) for claim in claims(memory, result)] == [
        ("Dr. Pell", "commitment"),
        (ME, "commitment"),
    ]


@pytest.mark.parametrize(
    ("first", "second", "is_moved"),
    [
        ("I'll return the ladder on 22 May.", "I'll return the ladder on 12 June.", True),
        ("I'll mail the key to Ruth by Thursday.", "I'll mail the key to Ruth by 20 June.", True),
        ("Lena will repair the pump by Friday.", "Lena will repair the pump by next Wednesday.", True),
        ("I'll send the offer to Brandt by Friday.", "I'll send the offer to Brandt by Monday instead.", True),
        ("I'll pay the March rent by 22 May.", "I'll pay the April rent by 24 May.", False),
        ("I'll mail the key to Ruth by Thursday.", "I'll mail the key to Nora by 20 June.", False),
        ("I'll file the tax return for 2024 by Friday.", "I'll file the tax return for 2025 by 20 June.", False),
    ],
)
def test_a_new_day_for_the_same_thing_moves_the_promise(
    memory: Memory, first: str, second: str, is_moved: bool
) -> None:
    told = tell(memory, first, at="2026-05-18T09:00:00Z")
    tell(memory, second, at="2026-05-19T09:00:00Z")
    assert [claim[3] for claim in claims(memory, told)] == ["stale" if is_moved else "current"]
