"""Records that report: what is settled, where it is written; and whom statements join."""

import pytest
from tests.ingest.records import Reading, email, everything, issue, said
from tests.ingest.trap_sentences import TRAPS
from tests.support.facts import facts_of

from recollect.resolve.resolver import resolve


def test_a_resolution_is_an_event_at_the_time_of_its_record(read: Reading) -> None:
    read(issue(), email("e1", "Hi Lee,\n\nthe Lumen Audit export is fixed. It took a day.", subject="Export"))
    [fixed] = [each for each in everything(read.memory) if each.fact.fact_type == "resolution"]
    fact = fixed.fact
    assert (fact.label, fixed.subject_name, fixed.object_name) == ("TRANSITIONED", "Marcus Webb", "Lumen Audit")
    assert (fact.certainty, fact.valid_until, fact.stale) == ("stated", None, False)
    assert fixed.text == "Marcus Webb: the Lumen Audit export is fixed."
    with read.memory.read() as view:
        [source] = view.assertions(fact.id)
        document = view.document_named("record", "e1")
    assert document is not None
    assert (source.quote, source.extracted_by) == ("the Lumen Audit export is fixed.", "rules")
    assert fact.source_at == document.source_at


def test_a_reference_is_a_statement_about_the_project_of_its_subject(read: Reading) -> None:
    read(issue(), email("e1", "Details are in ENG-12.", subject="Lumen Audit"))
    assert said(read.memory) == [("reference", "Marcus Webb", "Lumen Audit", None)]
    [seen] = [each for each in everything(read.memory) if each.fact.fact_type == "reference"]
    assert seen.fact.label == "ASSERTED"


def test_whoever_settled_it_is_the_subject_also_when_nobody_knew_them(read: Reading) -> None:
    read(email("e1", "The leak was fixed by Dana Cole."))
    assert said(read.memory) == [("resolution", "Dana Cole", "", None)]
    read(issue())
    assert said(read.memory) == [("resolution", "Dana Cole", "", None)]


def test_a_record_that_no_longer_says_so_takes_it_back(read: Reading) -> None:
    read(email("e1", "The leak is fixed."))
    read(email("e1", "The leak is not fixed."))
    assert said(read.memory) == []


def test_minutes_give_each_speaker_a_line_but_a_name_that_begins_a_mail_is_greeted(read: Reading) -> None:
    minutes = "Dana Cole: I will call.\n\n**Dana Cole:** can you write?\n\nNext steps: we will rest."
    note = {"id": "n1", "source_at": "2026-03-12T09:00:00Z", "content": minutes, "metadata": {"author": "Bo Lind"}}
    read(issue(), {"record": note}, email("e1", "Dana Cole:\nI will send it."))
    assert sorted((kind, who) for kind, who, _, _ in said(read.memory)) == [
        ("commitment", "Bo Lind"),
        ("commitment", "Dana Cole"),
        ("commitment", "Marcus Webb"),
        ("request", "Dana Cole"),
    ]


def test_mails_that_ask_doubt_quote_or_deny_state_nothing(read: Reading) -> None:
    people = (issue(), issue("lin_2", identifier="ENG-2", creator="Bo"))
    read(*people, *(email(f"e{at}", text, subject=f"Mail {at}") for at, text in enumerate(TRAPS)))
    assert [each.text for each in everything(read.memory) if each.fact.fact_type != "employee"] == []


@pytest.mark.parametrize("is_turned", [False, True])
def test_a_statement_of_any_type_and_direction_joins_two(read: Reading, is_turned: bool) -> None:
    ends = [{"name": "Marcus Webb", "type": "Person"}, {"name": "Harrow Bridge", "type": "Company"}]
    subject, target = reversed(ends) if is_turned else ends
    claim = {"edge_label": "AFFILIATED", "fact_type": "night_watchman", "fact": "Marcus watches"}
    read({"facts": [{**claim, "from": subject, "to": target}]})
    read(email("e1"))
    assert [each.fact.fact_type for each in facts_of(read.memory, "Marcus Webb")] == ["night_watchman"]


def test_a_long_bundle_of_statements_still_takes_the_place_of_what_a_domain_suggested(read: Reading) -> None:
    read(email("e1"))
    ends = {"from": "Marcus Webb", "to": {"name": "Harrow Bridge", "type": "Company"}}
    further = ({"entities": [{"name": f"Thing {number}", "type": "Item"}]} for number in range(250))
    claim = {"edge_label": "AFFILIATED", "fact_type": "patron", "fact": "Marcus pays"}
    read({"facts": [{**claim, **ends}]}, *further)
    assert [each.fact.fact_type for each in facts_of(read.memory, "Marcus Webb")] == ["patron"]


@pytest.mark.parametrize("mailbox", ["m.webb@acme.example", "mwebb@acme.example", "marcus@acme.example"])
def test_a_signature_spells_out_what_an_address_begins(read: Reading, mailbox: str) -> None:
    read(email("e1", "Hello.\n\n-- \nMarcus Webb\nPartner", sender=mailbox, recipients=[]))
    with read.memory.read() as view:
        by_name, by_address = (resolve(read.memory.names(view), form).entity for form in ("Marcus Webb", mailbox))
    assert by_name is not None
    assert by_name == by_address
