"""What a clause denies, and what is only said or nearly happened: no cancellation, decision or promise."""

from datetime import date

import pytest

from recollect.reading.context import Context
from recollect.reading.language import detect_language
from recollect.reading.reader import read_block

WEDNESDAY = date(2026, 10, 14)
ACTS = {"cancellation", "decision", "commitment", "completion", "event"}


def acts(text: str) -> set[str | None]:
    """What the clauses of a mail do that are meant."""
    context = Context("mail", WEDNESDAY, language=detect_language(text), date_order="dmy")
    return {each.act for each in read_block(text, context) if each.is_fact}


@pytest.mark.parametrize(
    "text",
    [
        "La prova di domani non è annullata.",
        "Das Konzert ist nicht abgesagt.",
        "Das Konzert ist keineswegs abgesagt.",
        "Le concert n'est pas annulé.",
        "Le récital n'est plus annulé.",
        "El concierto no está cancelado.",
        "Het concert is niet afgelast.",
        "O concerto não foi cancelado.",
        "Konserten är inte inställd.",
        "Koncert nie jest odwołany.",
        "Ningún concierto está cancelado.",
        "Nothing has been called off.",
        "Nobody cancelled the picnic.",
        "The budget was approved by nobody.",
        "No hemos decidido alquilar el barco.",
        "Wir haben nie beschlossen, die Orgel zu verkaufen.",
        "Ich schicke die Noten nicht vor Freitag.",
        "Ik stuur je de lijst niet.",
        "Ich sende nichts mehr.",
        "The concert hasn't been cancelled.",
        "The concert has not yet been cancelled.",
        "The concert was never actually cancelled.",
        "No concert has been cancelled.",
        "None of the concerts were cancelled.",
        "Neither of the rehearsals is called off.",
        "Not a single lesson was cancelled.",
        "No one has approved the budget.",
        "Nothing was decided at the meeting.",
        "Nobody decided to sell the organ.",
        "None of us agreed to pay the hotel.",
        "Es stimmt nicht, dass das Konzert abgesagt ist.",
        "Niemand hat das Konzert abgesagt.",
        "Der Vertrag wurde nie gekündigt.",
        "Keine einzige Stunde wurde abgesagt.",
        "Der Haushalt wurde von niemandem genehmigt.",
        "Wir haben nichts beschlossen.",
        "Ich bringe keine Stühle mit.",
        "Ich werde dir nie wieder Geld schicken.",
        "Le concert n'a jamais été annulé.",
        "Personne n'a annulé le concert.",
        "Le budget n'a été approuvé par personne.",
        "Nous n'avons rien décidé.",
        "Je ne vous enverrai rien vendredi.",
        "C'est pas annulé.",
        "Nadie ha cancelado el concierto.",
        "El concierto nunca fue cancelado.",
        "No se cancela nada.",
        "Ninguém cancelou o concerto.",
        "Nenhum concerto foi cancelado.",
        "Não foi decidido nada.",
        "Nessuno ha annullato il concerto.",
        "Il concerto non è mai stato annullato.",
        "Non abbiamo mai deciso di vendere l'organo.",
        "Geen enkel concert is afgelast.",
        "Niemand heeft het concert afgezegd.",
        "We hebben nooit besloten het orgel te verkopen.",
        "Ik stuur niets meer.",
        "Ingen konsert är inställd.",
        "Konserten har aldrig ställts in.",
        "Vi har aldrig beslutat att sälja orgeln.",
        "Żaden koncert nie został odwołany.",
        "Nikt nie odwołał koncertu.",
        "Nigdy nie postanowiliśmy sprzedać organów.",
        "Nic nie wyślę w piątek.",
    ],
)
def test_what_is_denied_is_no_act(text: str) -> None:
    assert not acts(text) & ACTS


@pytest.mark.parametrize(
    "text",
    [
        "Das Konzert findet nicht statt.",
        "Das Konzert ist leider abgesagt.",
        "Ich kann nicht kommen, das Konzert ist abgesagt.",
        "Nicht nur das Konzert ist abgesagt.",
        "Wir haben beschlossen, die Orgel nicht zu verkaufen.",
        "Ich schicke die Noten bis Freitag, damit du nicht warten musst.",
        "Je ne pourrai pas venir parce que le concert est annulé.",
        "Le concert n'aura pas lieu.",
        "Le concert est annulé, pas reporté.",
        "Nous avons décidé de ne pas vendre l'orgue.",
        "Je vous enverrai la liste vendredi.",
        "No, el concierto está cancelado.",
        "El concierto está cancelado, no aplazado.",
        "Hemos decidido no vender el órgano.",
        "Te mando la lista el viernes, no el contrato.",
        "O concerto foi cancelado, não adiado.",
        "Decidimos não vender o órgão.",
        "Il concerto è annullato.",
        "Abbiamo deciso di non vendere l'organo.",
        "Het concert gaat niet door.",
        "Het concert is afgelast.",
        "We hebben besloten het orgel niet te verkopen.",
        "Ik stuur je de lijst vrijdag.",
        "Konserten är inställd.",
        "Vi har beslutat att inte sälja orgeln.",
        "Jag skickar listan på fredag, inte avtalet.",
        "Koncert jest odwołany.",
        "Postanowiliśmy nie sprzedawać organów.",
        "Wyślę listę w piątek.",
        "The picnic was cancelled by Paolo.",
        "No, the picnic is cancelled.",
        "The picnic is cancelled, not postponed.",
        "No more cookies this year.",
        "We decided not to sell the organ.",
        "It's no joke, the concert has been cancelled.",
        "We haven't got a hall, so the concert is cancelled.",
        "The gala is not happening.",
    ],
)
def test_a_negation_beside_the_act_or_part_of_it_takes_nothing_back(text: str) -> None:
    assert acts(text) & {"cancellation", "decision", "commitment"}


@pytest.mark.parametrize(
    "text",
    [
        "On dit que le concert est annulé.",
        "Es heißt, das Konzert sei abgesagt.",
        "Das Konzert wurde beinahe abgesagt.",
        "Das Konzert wäre fast abgesagt worden.",
        "Le concert serait annulé.",
        "Le concert a failli être annulé.",
        "Ils disent que nous avons décidé de vendre l'orgue.",
        "Paolo sagt, das Konzert ist abgesagt.",
        "Das Konzert soll abgesagt worden sein.",
        "Se dice que el concierto está cancelado.",
        "El concierto casi fue cancelado.",
        "Según Paolo el concierto está cancelado.",
        "Dizem que o concerto foi cancelado.",
        "O concerto quase foi cancelado.",
        "Si dice che il concerto sia annullato.",
        "Il concerto è stato quasi annullato.",
        "Naar verluidt is het concert afgelast.",
        "Het concert was bijna afgelast.",
        "Det sägs att konserten är inställd.",
        "Konserten blev nästan inställd.",
        "Podobno koncert jest odwołany.",
        "Mówią, że koncert jest odwołany.",
        "Koncert został prawie odwołany.",
        "It was said that the concert was cancelled.",
        "They nearly cancelled the tour.",
    ],
)
def test_hearsay_and_what_nearly_happened_are_no_acts(text: str) -> None:
    assert not acts(text) & ACTS


@pytest.mark.parametrize(
    "text",
    [
        "Ich sage dir, das Konzert ist abgesagt.",
        "Ich schicke die Noten bis Freitag.",
        "Le concert est annulé, je vous appelle demain.",
        "Je dis que nous avons décidé de vendre l'orgue.",
        "Vi har beslutat att sälja orgeln.",
        "Jag skickar listan på fredag.",
        "Wir haben uns entschieden, den Saal zu mieten.",
        "Sei bitte pünktlich und schick mir die Liste bis Montag.",
    ],
)
def test_what_the_writer_says_is_meant(text: str) -> None:
    assert acts(text) & {"cancellation", "decision", "commitment", "request"}


def test_a_denial_is_negative_in_every_language_and_decided_by_its_rule() -> None:
    context = Context("mail", WEDNESDAY, language="de")
    (found,) = read_block("Das Konzert ist nicht abgesagt.", context)
    assert (found.act, found.polarity, found.decided_by) == (None, "negative", "denied")


@pytest.mark.parametrize(
    "text",
    [
        "Ya no necesito el horno.",
        "Ich brauche den Ofen nicht mehr.",
        "Je n'ai plus besoin du four.",
        "Ik heb de oven niet meer nodig.",
        "Non ho più bisogno del forno.",
        "Já não preciso do forno.",
        "Jag behöver inte ugnen längre.",
        "Nie potrzebuję już piekarnika.",
        "I no longer need the oven.",
        "The swap with Femi is off.",
        "Friday is off.",
    ],
)
def test_what_is_needed_no_longer_is_cancelled_and_not_asked_for(text: str) -> None:
    assert acts(text) == {"cancellation"}


@pytest.mark.parametrize(
    "text", ["The vents are off.", "The heating is off.", "No necesito el horno.", "Não preciso do forno."]
)
def test_a_thing_that_is_off_or_not_needed_is_neither_cancelled_nor_asked_for(text: str) -> None:
    assert acts(text) <= {"event"}
