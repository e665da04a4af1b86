"""Reports of other things, denials and attempts leave an item open, whatever the matcher says of them."""

import pytest
from tests.ingest.records import Json, Reading, email, everything

from recollect.memory import Memory

TY = "Ty Moss <ty@harrow-bridge.example>"
MARCUS = "Marcus Webb <marcus@harrow-bridge.example>"


pytestmark = pytest.mark.usefixtures("eager_matcher")


def mail(key: str, content: str, day: int, sender: str = TY) -> Json:
    other = [MARCUS] if sender == TY else [TY]
    return email(key, content, f"2026-05-{day:02}T09:00:00Z", sender=sender, recipients=other, thread_id="t1")


def open_items(memory: Memory) -> list[str]:
    """The words of the items that are open."""
    found = [each.fact for each in everything(memory) if each.fact.fact_type in ("commitment", "request", "blocker")]
    return [str(each.words).partition(": ")[2] for each in found if not each.stale]


@pytest.mark.parametrize(
    ("item", "report"),
    [
        ("I will paint the Atlas hall by 18 May.", "The Atlas chairs arrived."),
        ("I will pay the Lumen Audit invoice by 18 May.", "The Lumen Audit report is done."),
        ("I will book the venue in Porto by 18 May.", "The Porto tickets arrived."),
        ("I will fix the login page by 18 May.", "The login icons are done."),
        ("I will pay the rent for June by 18 May.", "I paid the rent for May."),
        ("I will send the budget to the bank by 18 May.", "I sent the budget to the printer."),
        ("I will paint the hall by 18 May.", "The hall lamps arrived."),
        ("I will call Bo Orr by 18 May.", "I emailed Bo Orr."),
        ("I will weed the herb garden by 18 May.", "The concert in the herb garden is cancelled."),
        ("I will bake bread for the feast by 18 May.", "The wine for the feast has arrived."),
        ("I will post the invitation to the mayor and the invitation to the dean by 18 May.",
         "The invitation to the dean has been posted."),
        ("I will sell the piano by 18 May.", "The piano wasn't sold."),
        ("I will sharpen the skates by 18 May.", "Neither the skates nor the knives have been sharpened."),
        ("I will bring the cables by 18 May.", "The microphones are here, the cables are not."),
        ("I will fetch the vestments by 18 May.", "The vestments are ready, but nobody fetched them."),
        ("I will bring the ladder back by 18 May.", "I wanted to bring the ladder back but the car broke down."),
        ("I will ring the vet by 18 May.", "Rang the vet twice, no answer."),
        ("I will upload the recording by 18 May.", "The recording is 80% uploaded."),
        ("I will deliver the hymn books by 18 May.", "The hymn books were delivered to the wrong church."),
        ("I will check the detectors by 18 May.", "You asked whether I had checked the detectors. No."),
        ("I will write to the embassy in Riga by 18 May.", "The embassy in Riga wrote to me about the visas."),
        ("We will repair the lift by 18 May.", "The repair of the lift is not cancelled, only late."),
        ("I will draw the coverage map by 18 May.", "The coverage map was forwarded to Wilf, he draws it."),
        ("I will post the records by 18 May.", "Found the records behind the dip tins."),
        ("I will send the account form by 18 May.", "The account form is filled in, needs a stamp."),
        ("I will pay the 735 for the pump by 18 May.", "I paid 400 for the pump."),
        ("Ich schneide die Hecke bis 18. Mai.", "Die Hecke wurde nicht geschnitten."),
        ("Je traduirai la notice avant le 18 mai.", "La notice n'a pas été traduite."),
        ("Vou enviar a fatura até 18 de maio.", "A fatura não foi enviada."),
    ],
)  # fmt: skip
def test_what_tells_of_another_thing_or_of_no_deed_closes_nothing(read: Reading, item: str, report: str) -> None:
    read(mail("e1", item, 4), mail("e2", report, 6))
    assert item in open_items(read.memory)


@pytest.mark.parametrize(
    ("item", "report"),
    [
        ("I will paint the Atlas hall by 18 May.", "The Atlas hall is painted."),
        ("I will pay the Lumen Audit invoice by 18 May.", "The invoice is paid."),
        ("I will pay the rent for June by 18 May.", "I paid the rent for June."),
        ("I will pay the 735 for the pump by 18 May.", "I paid the 735 for the pump."),
        ("I will find the records by 18 May.", "Found the records behind the dip tins."),
        ("I will forward the map to Wilf by 18 May.", "The map was forwarded to Wilf."),
        ("I will repair the lift by 18 May.", "The repair of the lift is done."),
        ("I will bring the ladder back by 18 May.", "No problem, the ladder is back."),
        ("I will return the folder by 18 May.", "Got the folder back, thanks."),
        ("I will send you the menu by 18 May.", "Menu sent to you and Nora."),
    ],
)
def test_what_tells_of_the_very_thing_closes_it(read: Reading, item: str, report: str) -> None:
    read(mail("e1", item, 4), mail("e2", report, 6))
    assert item not in open_items(read.memory)


@pytest.mark.parametrize(
    ("items", "report", "still_open"),
    [
        ("I'll ship the honey to Basel by 8 May. I'll ship the wax to Basel by 9 May.",
         "The wax has been shipped to Basel.", "I'll ship the honey to Basel by 8 May."),
        ("I'll email the sopranos by 8 May. I'll email the tenors by 8 May.",
         "I've emailed the tenors.", "I'll email the sopranos by 8 May."),
        ("I'll clear customs for the figs by 8 May. I'll clear customs for the dates by 9 May.",
         "The figs have cleared customs.", "I'll clear customs for the dates by 9 May."),
        ("Ich bestelle die Waben bis 8. Mai. Ich bestelle die Gläser bis 9. Mai.",
         "Die Gläser sind bestellt.", "Ich bestelle die Waben bis 8. Mai."),
        ("Te envío las cajas antes del 8 de mayo. Te envío los frascos antes del 9 de mayo.",
         "Los frascos están enviados.", "Te envío las cajas antes del 8 de mayo."),
        ("I'll file the tax return for 2024 by 8 May. I'll file the tax return for 2025 by 9 May.",
         "The tax return for 2024 is filed.", "I'll file the tax return for 2025 by 9 May."),
    ],
)  # fmt: skip
def test_of_two_alike_items_only_the_one_that_is_named_is_closed(
    read: Reading, items: str, report: str, still_open: str
) -> None:
    read(mail("e1", items, 4), mail("e2", report, 6))
    assert open_items(read.memory) == [still_open]


def test_a_report_that_names_nothing_closes_none_of_several_requests(read: Reading) -> None:
    asked = "Please call the notary by 8 May. Please scan the deed by 8 May. Please book the surveyor by 8 May."
    read(mail("e1", asked, 4, MARCUS), mail("e2", "Done.", 6))
    assert len(open_items(read.memory)) == 3


def test_consent_is_no_answer(read: Reading) -> None:
    asked = "Could you please confirm the date with the bishop by 8 May?"
    read(mail("e1", asked, 4, MARCUS), mail("e2", "Will do.", 6))
    assert asked in open_items(read.memory)


def test_thanks_for_an_earlier_one_of_several_closes_nothing(read: Reading) -> None:
    item = "I'll send the minutes by 8 May."
    thanks = "Thanks for sending the minutes of March. Where are the ones of April?"
    read(mail("e1", item, 4), mail("e2", thanks, 6, MARCUS))
    assert item in open_items(read.memory)


def test_the_news_of_one_blocker_closes_no_other(read: Reading) -> None:
    item = "The export is blocked by the permit."
    read(mail("e1", item, 4), mail("e2", "The crane is here.", 6))
    assert item in open_items(read.memory)
