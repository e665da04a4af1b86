"""Which items a later report closes or moves: by thread, words and names."""

import pytest
from tests.ingest.records import Json, Reading, email, everything

from recollect.memory import Memory
from recollect.reason.closures.item_closure import ClosureRules
from recollect.reason.closures.open_items import ItemFact

LEE = "Lee Park <lee@harrow-bridge.example>"
MARCUS = "Marcus Webb <marcus@harrow-bridge.example>"


def reply(key: str, content: str, at: str, thread: str = "t1") -> Json:
    return email(key, content, at, sender=LEE, recipients=[MARCUS], thread_id=thread)


def items(memory: Memory) -> dict[str, bool]:
    """Whether each commitment and request is still open."""
    found = [each.fact for each in everything(memory) if each.fact.fact_type in ("commitment", "request")]
    return {str(each.words): not each.stale for each in found}


ASKED = email("e1", "Please send the signed contract by Friday.", "2026-03-11T09:00:00Z", thread_id="t1")
ASK = "Marcus Webb: Please send the signed contract by Friday."


def test_a_bare_done_in_a_reply_closes_the_only_open_request(read: Reading) -> None:
    read(ASKED, reply("e2", "Done, sorry for the wait.", "2026-03-12T09:00:00Z"))
    assert items(read.memory)[ASK] is False


@pytest.mark.parametrize(
    "report", ["Done last night.", "Sent on Friday evening.", "All sent just now!", "Signed tonight"]
)
def test_a_bare_report_may_say_when(read: Reading, report: str) -> None:
    read(ASKED, reply("e2", report, "2026-03-14T09:00:00Z"))
    assert items(read.memory)[ASK] is False


@pytest.mark.parametrize(
    "report", ["I forgot to send the signed contract.", "The signed contract was sent to Lee by mistake."]
)
def test_what_was_forgotten_or_done_for_who_owes_it_stays_open(read: Reading, report: str) -> None:
    read(ASKED, reply("e2", report, "2026-03-12T09:00:00Z"))
    assert items(read.memory)[ASK] is True


@pytest.mark.parametrize(
    ("report", "is_open"),
    [
        ("The gate is mended, the shed isn't.", True),
        ("The gate is back on its hinges, the fence hasn't.", True),
        ("The gate and the shed are mended.", False),
    ],
)
def test_a_denial_without_a_verb_of_its_own_leaves_a_part_open(read: Reading, report: str, is_open: bool) -> None:
    asked = email("e1", "Please mend the gate and the shed by Friday.", "2026-03-11T09:00:00Z", thread_id="t1")
    read(asked, reply("e2", report, "2026-03-12T09:00:00Z"))
    assert list(items(read.memory).values()) == [is_open]


@pytest.mark.parametrize(
    ("request_", "is_open"), [("Chairs on the 28th then please!", False), ("Chairs on the 28th please?", True)]
)
def test_another_day_asked_for_instead_moves_the_promise(read: Reading, request_: str, is_open: bool) -> None:
    promise = email(
        "e1", "I'll bring the chairs on the 21st.", "2026-03-11T09:00:00Z", sender=LEE, recipients=[MARCUS],
        thread_id="t1",
    )  # fmt: skip
    asked = email("e2", request_, "2026-03-12T09:00:00Z", sender=MARCUS, recipients=[LEE], thread_id="t1")
    read(promise, asked)
    found = items(read.memory)
    assert found["Lee Park: I'll bring the chairs on the 21st."] is is_open


def test_a_bare_done_in_another_thread_closes_nothing(read: Reading) -> None:
    read(ASKED, reply("e2", "Done, sorry for the wait.", "2026-03-12T09:00:00Z", "t2"))
    assert items(read.memory)[ASK] is True


def test_a_bare_done_between_two_open_requests_closes_neither(read: Reading) -> None:
    other = email("e1b", "Please book the red room by Friday.", "2026-03-11T10:00:00Z", thread_id="t1")
    read(ASKED, other, reply("e2", "Done.", "2026-03-12T09:00:00Z"))
    assert list(items(read.memory).values()) == [True, True]


def test_a_report_about_the_same_thing_closes_the_item(read: Reading) -> None:
    read(ASKED, reply("e2", "The contract is attached.", "2026-03-12T09:00:00Z"))
    assert items(read.memory)[ASK] is False


def test_the_order_of_arrival_does_not_matter(read: Reading) -> None:
    read(reply("e2", "The contract is attached.", "2026-03-12T09:00:00Z"))
    read(ASKED)
    assert items(read.memory)[ASK] is False


def test_an_earlier_report_closes_nothing(read: Reading) -> None:
    read(reply("e2", "The contract is attached.", "2026-03-10T09:00:00Z"), ASKED)
    assert items(read.memory)[ASK] is True


def test_a_partial_completion_closes_nothing(read: Reading) -> None:
    read(
        email("e1", "Please send the 4 contracts by Friday.", thread_id="t1"),
        reply("e2", "I have sent 2 of the 4 contracts.", "2026-03-12T09:00:00Z"),
    )
    assert list(items(read.memory).values()) == [True]


def test_a_ticked_task_with_the_same_verb_closes_nothing(read: Reading) -> None:
    read(
        email("e1", "I'll book the train to Hamburg by Friday.", "2026-03-11T09:00:00Z", thread_id="t1"),
        email("e2", "- [x] book the dentist", "2026-03-12T09:00:00Z", thread_id="t2"),
    )
    assert items(read.memory)["Marcus Webb: I'll book the train to Hamburg by Friday."] is True


def test_what_is_still_to_go_is_a_part(read: Reading) -> None:
    read(
        email("e1", "Please label the bolt drawers by Friday.", thread_id="t1"),
        reply("e2", "I have labelled the bolt drawers M5 and M6, eleven drawers to go.", "2026-03-12T09:00:00Z"),
    )
    assert list(items(read.memory).values()) == [True]


@pytest.mark.parametrize(
    ("asked", "told", "is_open"),
    [
        ("Please send the contract and the invoice by Friday.", "I have sent the contract.", True),
        ("Please send the contract and the invoice by Friday.", "I have sent the contract and the invoice.", False),
        ("Please send the research and development plan by Friday.", "I have sent the plan.", False),
        ("The belts are in stock and will ship tomorrow.", "The belts are here.", False),
    ],
)
def test_a_report_on_one_of_several_things_closes_nothing(read: Reading, asked: str, told: str, is_open: bool) -> None:
    read(email("e1", asked, thread_id="t1"), reply("e2", told, "2026-03-12T09:00:00Z"))
    assert list(items(read.memory).values()) == [is_open]


def test_the_closing_fact_is_named_and_its_withdrawal_opens_the_item_again(read: Reading) -> None:
    read(ASKED, reply("e2", "The contract is attached.", "2026-03-12T09:00:00Z"))
    [asked] = [each.fact for each in everything(read.memory) if each.fact.fact_type == "request"]
    [done] = [each.fact for each in everything(read.memory) if each.fact.fact_type == "completion"]
    assert asked.replaced_by == done.id
    read(reply("e2", "Hello again.", "2026-03-12T09:00:00Z"))
    assert items(read.memory)[ASK] is True


def test_a_new_date_for_the_same_thing_moves_it(read: Reading) -> None:
    read(
        email("e1", "I will send the cost sheet for the depot by Wednesday.", "2026-03-09T09:00:00Z", thread_id="t1"),
        email("e2", "I will send the cost sheet for the depot by Friday.", "2026-03-10T09:00:00Z", thread_id="t1"),
    )
    [old, new] = [each.fact for each in everything(read.memory) if each.fact.fact_type == "commitment"]
    assert (old.stale, old.replaced_by, new.stale) == (True, new.id, False)


def test_a_thing_that_is_in_its_place_closes_the_promise_of_it(read: Reading) -> None:
    promised = email("e1", "I'll drop off the spare key on Thursday.", "2026-03-10T09:00:00Z", thread_id="t1")
    there = email("e2", "The key's in your letterbox.", "2026-03-12T09:00:00Z", thread_id="t1")
    read(promised, there)
    assert list(items(read.memory).values()) == [False]


def test_an_attachment_in_another_language_closes_the_only_open_promise_of_its_sender(read: Reading) -> None:
    asked = reply("e1", "Den Leihvertrag schicke ich Ihnen bis Freitag.", "2026-03-10T09:00:00Z")
    read(asked, reply("e2", "The loan agreement is attached as promised.", "2026-03-12T09:00:00Z"))
    assert list(items(read.memory).values()) == [False]


def test_a_word_akin_in_another_language_closes_the_request(read: Reading) -> None:
    asked = email(
        "e1", "Pourriez-vous me confirmer l'adresse de livraison avant mardi ?", "2026-03-10T09:00:00Z", thread_id="t1"
    )
    read(asked, reply("e2", "Address: 12 Mill Lane.", "2026-03-11T09:00:00Z"))
    assert list(items(read.memory).values()) == [False]


def test_a_report_about_what_an_item_is_for_leaves_it_open(read: Reading) -> None:
    read(
        email("e1", "I'll write the roster for the opening by Friday.", "2026-03-10T09:00:00Z", thread_id="t1"),
        email("e2", "I ordered the wine for the opening.", "2026-03-12T09:00:00Z", thread_id="t2"),
    )
    assert list(items(read.memory).values()) == [True]


def test_another_contact_with_the_same_person_leaves_the_call_open(read: Reading) -> None:
    read(
        email("e1", "I'll call the accountant by Friday.", "2026-03-10T09:00:00Z", thread_id="t1"),
        email("e2", "I emailed the accountant.", "2026-03-12T09:00:00Z", thread_id="t2"),
    )
    assert list(items(read.memory).values()) == [True]


def test_an_item_that_names_nothing_is_closed_by_its_owner_around_its_day(read: Reading) -> None:
    read(
        email("e1", "I can't do the install on the 18th any more. Will do the 22nd instead.", "2026-03-10T09:00:00Z"),
        email("e2", "I fitted the harpoon.", "2026-03-22T09:00:00Z", thread_id="t9"),
    )
    assert list(items(read.memory).values()) == [False]


def test_a_reply_without_references_is_in_the_thread_of_the_mail_it_answers(read: Reading) -> None:
    first = email("e1", "Please tell me the format by Friday.", message_id="m1", thread_id="m1")
    back = {"sender": LEE, "recipients": [MARCUS]}
    second = email("e2", "Hello.", "2026-03-12T09:00:00Z", message_id="m2", thread_id="m1", **back)
    third = email("e3", "Format: TIFF, 600 dpi.", "2026-03-13T09:00:00Z", message_id="m3", thread_id="m2", **back)
    read(first, second, third)
    assert list(items(read.memory).values()) == [False]


EVE = "Eve Stone <eve@stone.example>"


def set_owner(memory: Memory) -> None:
    with memory.write() as change:
        change.put_setting("me.name", "Marcus Webb")
        change.put_setting("me.emails", "marcus@harrow-bridge.example")


@pytest.mark.parametrize(
    ("sender", "text", "is_open"),
    [
        pytest.param(LEE, "The signed contract is in the post.", False, id="the person asked"),
        pytest.param(EVE, "Lee Park has sent the signed contract.", True, id="somebody else"),
    ],
)
def test_a_report_of_the_person_asked_closes_a_request_of_the_owner(
    read: Reading, sender: str, text: str, is_open: bool
) -> None:
    set_owner(read.memory)
    read(ASKED, email("e2", text, "2026-03-12T09:00:00Z", sender=sender, recipients=[MARCUS], thread_id="t1"))
    assert items(read.memory)[ASK] is is_open


def test_another_date_offered_by_the_person_asked_moves_the_request(read: Reading) -> None:
    promised = "I'll send the signed contract on 20 March instead."
    read(ASKED, reply("e2", promised, "2026-03-12T09:00:00Z"))
    assert items(read.memory) == {ASK: False, f"Lee Park: {promised}": True}


def test_a_request_that_was_passed_on_is_closed_with_the_other(read: Reading) -> None:
    passed_on = reply("e2", "Ana, please transfer the 450 to the hall by Thursday.", "2026-03-12T09:00:00Z", "t2")
    passed_on["record"]["metadata"]["recipients"] = ["Ana Ruiz <ana@harrow-bridge.example>"]
    paid = email("e3", "The deposit is paid.", "2026-03-12T15:00:00Z", thread_id="t2", recipients=[LEE])
    paid["record"]["metadata"]["sender"] = "Ana Ruiz <ana@harrow-bridge.example>"
    read(email("e1", "Please pay the deposit of 450 by Friday.", "2026-03-11T09:00:00Z"), passed_on, paid)
    assert list(items(read.memory).values()) == [False, False]


def test_what_was_to_be_ready_for_a_step_is_done_once_the_step_is(read: Reading) -> None:
    asked = "Please clear the shelves by Thursday. I'll paint the store by Friday."
    read(
        email("e1", asked, "2026-03-09T09:00:00Z", thread_id="t1"),
        email("e2", "I painted the store.", "2026-03-13T17:00:00Z", thread_id="t1"),
    )
    assert list(items(read.memory).values()) == [False, False]


def test_a_message_to_others_closes_the_promise_to_tell_them(read: Reading) -> None:
    read(
        email("e1", "I'll tell everybody about the helmets by Friday.", "2026-03-09T09:00:00Z", thread_id="t1"),
        email("e2", "Please wear helmets on the site.", "2026-03-11T09:00:00Z", thread_id="t2"),
    )
    assert items(read.memory)["Marcus Webb: I'll tell everybody about the helmets by Friday."] is False


def test_an_event_that_puts_an_item_off_gives_it_the_new_day(read: Reading) -> None:
    read(
        email("e1", "I'll send the safety file by 11 March.", "2026-03-02T09:00:00Z", thread_id="t1"),
        email("e2", "Safety file: moved to Monday 23 March.", "2026-03-10T09:00:00Z", thread_id="t2"),
    )
    found = [each.fact for each in everything(read.memory) if each.fact.predicate == "commitment"]
    days = {str(each.valid_until.text): each.stale for each in found if each.valid_until is not None}
    assert days == {"2026-03-11": True, "2026-03-23": False}


def test_each_clause_of_a_report_can_close_an_item(read: Reading) -> None:
    read(
        email("e1", "I'll order the paint by Friday. I'll book the scaffold by Friday.", "2026-03-09T09:00:00Z"),
        email("e2", "I ordered the paint, the scaffold is booked.", "2026-03-12T09:00:00Z", thread_id="t9"),
    )
    assert list(items(read.memory).values()) == [False, False]


@pytest.mark.parametrize(
    ("item", "report"),
    [
        pytest.param("I'll repair rack 3 by Friday.", "rack 3: wood is ordered.", id="a step"),
        pytest.param("I'll return the card by Friday.", "The car is in the yard.", id="another word"),
    ],
)
def test_a_step_or_a_word_of_one_letter_more_closes_nothing(read: Reading, item: str, report: str) -> None:
    read(email("e1", item, thread_id="t1"), email("e2", report, "2026-03-12T09:00:00Z", thread_id="t2"))
    assert items(read.memory)[f"Marcus Webb: {item}"] is True


HEAD_COUNT = "Lee Park: I'll give you the final head count by 20 March."


@pytest.mark.parametrize(
    ("later", "is_open"),
    [
        ("You'll have the final head count on 27 March, my aunts keep changing their minds.", False),
        ("I'll give you the key of the small boat shed by 27 March.", True),
        ("I'll do the count by 27 March and not by the 20th.", False),
    ],
)
def test_a_restated_promise_moves_the_first_one(read: Reading, later: str, is_open: bool) -> None:
    read(
        reply("e1", "I'll give you the final head count by 20 March.", "2026-03-11T09:00:00Z", "t1"),
        reply("e2", later, "2026-03-16T09:00:00Z", "t2"),
    )
    assert items(read.memory)[HEAD_COUNT] is is_open


def test_a_receipt_is_no_answer_of_who_sends_it(read: Reading) -> None:
    asked = email("e1", "Could you let me know by Friday whether the town pays?", thread_id="t1")
    read(asked, reply("e2", "Received with thanks.", "2026-03-12T09:00:00Z"))
    assert list(items(read.memory).values()) == [True]


def test_a_complaint_that_a_thing_lies_undone_closes_nothing(read: Reading) -> None:
    read(ASKED, reply("e2", "The contract lies unsigned on my desk.", "2026-03-12T09:00:00Z"))
    assert items(read.memory)[ASK] is True


def test_reports_that_were_compared_before_are_compared_again_only_with_items_from_before_them(
    read: Reading, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []
    answered_by = ClosureRules._answered_by

    def noting(finder: ClosureRules, report: ItemFact) -> list[ItemFact]:
        asked.append(report.own_text.strip())
        return answered_by(finder, report)

    monkeypatch.setattr(ClosureRules, "_answered_by", noting)
    read(reply("e0", "I have paid the electrician.", "2026-03-09T09:00:00Z", "t3"))
    read(reply("e2", "The contract is attached.", "2026-03-12T09:00:00Z"))
    assert asked == ["I have paid the electrician.", "The contract is attached."]
    read(email("e3", "Please book the red room by Friday.", "2026-03-16T09:00:00Z", thread_id="t2"))
    assert asked[2:] == []
    read(ASKED)
    assert asked[2:] == ["The contract is attached."]
    assert items(read.memory)[ASK] is False


@pytest.mark.parametrize("later", ["I mended the back gate.", "The front gate was mended in 2019."])
def test_a_report_of_another_thing_or_of_long_ago_closes_nothing(read: Reading, later: str) -> None:
    promised = reply("e1", "I'll mend the front gate by 20 March.", "2026-03-11T09:00:00Z")
    read(promised, reply("e2", later, "2026-03-12T09:00:00Z"))
    assert items(read.memory)["Lee Park: I'll mend the front gate by 20 March."] is True


def test_a_later_promise_of_another_thing_moves_nothing(read: Reading) -> None:
    promised = reply("e1", "I'll send the oak samples by 20 March.", "2026-03-11T09:00:00Z")
    read(promised, reply("e2", "I'll send the pine samples by 24 March.", "2026-03-12T09:00:00Z"))
    assert list(items(read.memory).values()) == [True, True]


def test_an_event_that_an_item_is_due_before_is_kept_in_words(read: Reading) -> None:
    read(reply("e1", "I'll send the plan before the wedding.", "2026-03-11T09:00:00Z"))
    [promised] = [each.fact for each in everything(read.memory) if each.fact.fact_type == "commitment"]
    assert (promised.attributes["time_text"], promised.is_pending) == ("before the wedding", False)
