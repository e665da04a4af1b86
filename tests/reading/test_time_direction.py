"""Which way a time lies: by the tense of its own part of a clause, and by what is done."""

from datetime import date

import pytest

from recollect.reading.clause_reading import TimeReading
from recollect.reading.clause_time import clause_time, event_phrase
from recollect.reading.context import Context
from recollect.reading.reader import read_block

FRIDAY = date(2026, 11, 13)


def times(text: str, language: str = "en", anchor: date = FRIDAY) -> list[TimeReading]:
    readings = read_block(text, Context("note", anchor=anchor, language=language))
    return [each.time for each in readings if each.time.status != "none"]


def day(text: str, language: str = "en", anchor: date = FRIDAY) -> str:
    [time] = times(text, language, anchor)
    found = time.start or time.until
    return found.isoformat() if found is not None else time.status


@pytest.mark.parametrize(
    ("language", "text", "expected"),
    [
        ("en", "the recital on the 21st is cancelled", "2026-11-21"),
        ("en", "swimming on the 18th is called off", "2026-11-18"),
        ("en", "they called off the market on the 20th", "2026-11-20"),
        ("de", "Die Probe am 17. ist abgesagt.", "2026-11-17"),
        ("de", "Das Konzert am Mittwoch wurde abgesagt.", "2026-11-18"),
        ("fr", "La réunion de mardi est annulée.", "2026-11-17"),
        ("it", "La prova di martedì è annullata.", "2026-11-17"),
        ("nl", "De repetitie van dinsdag is afgelast.", "2026-11-17"),
        ("pl", "Próba we wtorek jest odwołana.", "2026-11-17"),
    ],
)
def test_what_is_cancelled_lies_ahead(language: str, text: str, expected: str) -> None:
    assert day(text, language) == expected


@pytest.mark.parametrize(
    ("language", "text", "expected"),
    [
        ("en", "I cancelled the hotel on Tuesday", "2026-11-10"),
        ("en", "the picnic was cancelled on Tuesday", "2026-11-10"),
        ("es", "El martes cancelé la reserva", "2026-11-10"),
        ("pt", "Na terça cancelei a reserva.", "2026-11-10"),
        ("en", "we decided on Monday to sell the boat", "2026-11-09"),
        ("de", "Wir haben am Montag beschlossen, den Keller zu streichen.", "2026-11-09"),
        ("fr", "Nous avons décidé lundi de garder le chat.", "2026-11-09"),
        ("it", "Abbiamo deciso lunedì di tenere il gatto.", "2026-11-09"),
        ("nl", "We hebben maandag besloten de kelder te verven.", "2026-11-09"),
        ("sv", "Vi bestämde på måndagen att behålla katten.", "2026-11-09"),
        ("pl", "W poniedziałek zdecydowaliśmy, że zostawimy kota.", "2026-11-09"),
        ("nl", "De kachel is dinsdag binnengekomen.", "2026-11-10"),
        ("de", "Die Heizung ist am Dienstag ausgefallen.", "2026-11-10"),
        ("es", "La caldera se rompió el martes.", "2026-11-10"),
        ("pt", "A caldeira avariou na terça.", "2026-11-10"),
        ("pl", "Paczka przyszła we wtorek.", "2026-11-10"),
        ("en", "we lost two days in week 9", "2026-02-23"),
    ],
)
def test_what_happened_lies_behind(language: str, text: str, expected: str) -> None:
    assert day(text, language) == expected


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "we decided to paint the hall on Monday"),
        ("de", "Wir haben beschlossen, am Montag den Keller zu streichen."),
        ("fr", "Nous avons décidé de repeindre la salle lundi."),
        ("nl", "We hebben besloten de kelder maandag te verven."),
    ],
)
def test_the_day_of_what_was_decided_lies_ahead(language: str, text: str) -> None:
    assert day(text, language) == "2026-11-16"


@pytest.mark.parametrize(
    "text",
    [
        "spare wheel arrives tue, shop arranged it",
        "bolts ordered, come tue",
        "rang the dentist, appt tue",
        "paper ordered, ships tue",
        "phoned the garage, pickup tue",
    ],
)
def test_a_time_has_the_tense_of_its_own_part(text: str) -> None:
    assert day(text) == "2026-11-17"


@pytest.mark.parametrize("text", ["mended the fence, on monday", "paid the fee, 40 eur on monday"])
def test_a_part_that_is_only_a_time_goes_with_the_clause(text: str) -> None:
    assert day(text) == "2026-11-09"


def test_what_was_arranged_for_a_day_is_not_almost_a_year_old() -> None:
    may = date(2026, 5, 12)
    assert day("ten chairs are ordered, Olga confirmed 31 july", anchor=may) == "2026-07-31"
    assert day("dentist rebooked for 19 aug", anchor=may) == "2026-08-19"
    assert day("mailed the forms 3 august", anchor=may) == "2025-08-03"
    assert times("bought tickets for fado night, 5 july, 2x 48 euros", anchor=may) == []
    assert times("Got the tickets (19 aug)", anchor=may) == []
    assert day("Sent the tickets, 3 may", anchor=may) == "2026-05-03"


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "fees paid for wk 3"),
        ("en", "paid the cleaner for april"),
        ("de", "Miete für April bezahlt"),
        ("fr", "loyer payé pour avril"),
    ],
)
def test_what_something_was_paid_for_is_not_when(language: str, text: str) -> None:
    assert times(text, language) == []


@pytest.mark.parametrize(
    ("language", "text", "until"),
    [
        ("en", "licence renewed thru 2027", "2027-12-31"),
        ("en", "the crate stays in the hall til the end of the month", "2026-11-30"),
        ("en", "I can only use the kiln until 16 Dec", "2026-12-16"),
        ("de", "Der Laden ist bis 20. November geschlossen.", "2026-11-20"),
        ("fr", "Le magasin est fermé jusqu'au 20 novembre.", "2026-11-20"),
        ("nl", "De winkel is tot 20 november gesloten.", "2026-11-20"),
    ],
)
def test_until_gives_an_end(language: str, text: str, until: str) -> None:
    [time] = times(text, language)
    assert (time.start, time.until, time.role) == (None, date.fromisoformat(until), "lasting")


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "upper threshold is 4.05 now, not 4.10."),
        ("en", "we moved from 2.9 to 2.10."),
        ("en", "the rate went to 1.12."),
        ("de", "Der Grenzwert liegt jetzt bei 3.05, nicht 3.10."),
        ("en", "send them 4 500 EUR"),
    ],
)
def test_decimals_versions_and_amounts_are_no_dates(language: str, text: str) -> None:
    assert times(text, language) == []


def test_a_dotted_day_is_one_behind_a_word_that_leads_times() -> None:
    assert day("Die Feier ist am 3.12.", "de") == "2026-12-03"
    assert day("I'll bring the cake on 3.12.") == "2026-12-03"


def test_a_part_that_looks_back_gives_no_deadline() -> None:
    [time] = times("Please answer within 10 days, last time it took until march")
    assert (time.phrase, time.until) == ("within 10 days", date(2026, 11, 23))
    assert times("Please check the form, which was sent on Monday") == []


@pytest.mark.parametrize(
    ("language", "text", "expected"),
    [
        ("en", "I'll send the plans by labor day", "2027-09-06"),
        ("en", "I'll return the tent by whitsun", "2027-05-16"),
        ("en", "I'll bake the pies by thanksgiving", "2026-11-26"),
        ("de", "Ich schicke die Pläne bis Pfingsten.", "2027-05-16"),
        ("fr", "Je rends la tente avant la Pentecôte.", "2027-05-15"),
        ("nl", "Ik stuur de lijst voor Pinksteren.", "2027-05-15"),
        ("it", "Ti mando la lista oggi a otto.", "2026-11-20"),
        ("en", "I'll tune the piano the Monday before the gala on 10 December.", "2026-12-07"),
        ("en", "I'll sweep up on the Saturday after 10 December.", "2026-12-12"),
        ("en", "I'll ring you the Monday before the gala", "pending"),
        ("en", "I'll let you know within two days of that meeting", "pending"),
        ("en", "Please pay within 30 days of this letter.", "2026-12-13"),
    ],
)
def test_feasts_and_days_beside_others_are_read(language: str, text: str, expected: str) -> None:
    assert day(text, language) == expected


@pytest.mark.parametrize(
    ("text", "phrase"),
    [
        ("i'll send it by then", "by then"),
        ("sort the shed, 2 wks", "2 wks"),
        ("ik stuur de lijst vóór die tijd", "vóór die tijd"),
        ("ich schicke die liste bis dahin", "bis dahin"),
        ("je t'envoie la liste d'ici là", "d'ici là"),
        ("we'll clean the hall by diwali", "by diwali"),
    ],
)
def test_a_time_that_no_calendar_gives_keeps_its_words(text: str, phrase: str) -> None:
    assert event_phrase(text) == phrase


@pytest.mark.parametrize(
    ("language", "text", "role"),
    [
        ("en", "I'll come over on Friday.", "lasting"),
        ("en", "Could you come out on Thursday?", "lasting"),
        ("en", "We meet on Friday at ten.", "lasting"),
        ("en", "I'm taking Tuesday off.", "lasting"),
        ("en", "Noor will be at your place Thursday at 10.", "lasting"),
        ("en", "Ill keep them for you til the 15th.", "lasting"),
        ("en", "Repainting the kiosk on Saturday.", "lasting"),
        ("en", "I'm driving up to the quarry on Tuesday.", "lasting"),
        ("en", "We are sowing the clover on Thursday.", "lasting"),
        ("en", "I'm sending you the sketches on Friday.", "due"),
        ("en", "I'm writing the survey up by Friday.", "due"),
        ("en", "Cleaning rota on Friday.", "due"),
        ("en", "I'll come back to you on Friday.", "due"),
        ("en", "I'll come over by Friday.", "due"),
        ("en", "The invoice will come on Friday.", "due"),
        ("en", "I'll send the plan on Friday.", "due"),
        ("de", "Ich komme am Dienstag vorbei.", "lasting"),
        ("de", "Ich schicke den Plan am Dienstag.", "due"),
        ("fr", "On se voit le 10 mai.", "lasting"),
    ],
)
def test_the_day_of_a_visit_is_no_deadline(language: str, text: str, role: str) -> None:
    read = clause_time(text.lower(), Context("mail", FRIDAY, language=language), "commitment")
    assert read.role == role


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("the tasting on the 19th is moved to 3 December.", "2026-12-03"),
        ("Hal's lesson on Monday has been pushed back to the 27th.", "2026-11-27"),
        ("the tariff has been deferred to June.", "2027-06-01"),
        ("we found another kiln, the new date for the tiles is 9 February.", "2027-02-09"),
    ],
)
def test_a_new_day_lies_ahead_and_counts_before_the_former(text: str, expected: str) -> None:
    read = clause_time(text.lower(), Context("mail", FRIDAY), "event")
    assert read.start is not None
    assert read.start.isoformat() == expected


def test_a_day_behind_now_is_the_new_one_whatever_is_told() -> None:
    context = Context("note", anchor=date(2026, 11, 26))
    time = clause_time("petra rang, tulips now the 28th, van let her down", context, "completion")
    assert time.start == date(2026, 11, 28)
