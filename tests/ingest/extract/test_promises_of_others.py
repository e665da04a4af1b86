"""A promise is the sender's only where the sender makes it, whatever the sentence reader takes it for."""

from collections.abc import Sequence
from datetime import date

import pytest

from recollect.ingest.extract.model_readings import read_by_model
from recollect.reading.clause_reading import ClauseReading
from recollect.reading.context import Context, Person
from recollect.reading.language import detect_language
from recollect.reading.reader import read_block
from recollect.text_models.sentence import ACTS, SentenceInput, SentenceReading

PEOPLE = (Person("Paolo Ricci", ("Paolo",)),)


class EagerReader:
    """Takes every sentence for a promise."""

    model = "eager"

    def read(self, sentences: Sequence[SentenceInput]) -> list[SentenceReading]:
        shares = tuple(0.9 if each == "commitment" else 0.0 for each in ACTS)
        return [SentenceReading("commitment", 0.9, True, self.model, shares) for _ in sentences]


def promises_of_sender(text: str) -> list[ClauseReading]:
    language = detect_language(text)
    context = Context("mail", date(2026, 10, 14), people=PEOPLE, language=language, date_order="dmy")
    found = read_by_model(read_block(text, context), context, EagerReader())
    return [each for each in found if each.is_fact and each.act == "commitment" and each.doer and not each.doer.name]


@pytest.mark.parametrize(
    "text",
    [
        "You promised to send me the rota by Tuesday.",
        "You undertook to repair the case by 30 October.",
        "Your promise to deliver the chairs by Monday still stands, I trust.",
        "The caterer promised to send the menu by Tuesday.",
        "The mayor has promised to open the gala on 7 November.",
        "Paolo's wife will bring the cake on Saturday.",
        "The hall will send the bill by Friday.",
        "Tu m'as promis la liste pour vendredi.",
        "Je hebt beloofd de lijst vrijdag te sturen.",
        "Mein Bruder schickt dir die Liste bis Freitag.",
        "Mon frère vous enverra la liste vendredi.",
        "Mi hermana te enviará la lista el viernes.",
        "Mia sorella ti manderà la lista venerdì.",
        "Der Installateur kommt am Montag.",
        "Min bror skickar listan på fredag.",
        "Mój brat wyśle listę w piątek.",
        "Meu irmão envia a lista na sexta-feira.",
        "Mijn broer stuurt je de lijst vrijdag.",
        "You agreed to bring the mutes on Friday.",
        "You told me you would ship the harp by Monday.",
        "You swore to be here by Friday.",
        "Their offer to paint the hall by May still stands.",
        "The bank guarantees an answer by Monday.",
        "The landlord has agreed to fix the boiler by Friday.",
        "Heloise's brother is going to pick up the harp on Friday.",
        "The agency sends the contract on Monday.",
        "Someone will call you tomorrow.",
        "Your brother will collect the keys on Friday.",
        "The organ tuner comes on Monday.",
        "The choir will sing on Sunday.",
        "The tax office will send a letter by Friday.",
        "Ihr habt versprochen, die Liste bis Freitag zu schicken.",
        "Die Bank hat versprochen, das Geld bis Montag zu überweisen.",
        "Der Hausmeister bringt die Schlüssel am Freitag.",
        "Am Montag kommt der Klempner.",
        "Meine Schwester wird dir die Liste bis Freitag schicken.",
        "Du schickst mir die Liste bis Freitag.",
        "Le plombier viendra mardi.",
        "Vous avez promis la liste pour vendredi.",
        "Ma sœur va vous envoyer la liste vendredi.",
        "La mairie nous enverra la facture lundi.",
        "Me prometiste la lista para el viernes.",
        "El fontanero viene el lunes.",
        "Mi hermano va a llamarte el lunes.",
        "A minha irmã vai enviar a lista na sexta-feira.",
        "Prometeste enviar a lista até sexta-feira.",
        "O canalizador vem na segunda-feira.",
        "Mi hai promesso la lista entro venerdì.",
        "L'idraulico viene lunedì.",
        "Il sindaco aprirà la festa venerdì.",
        "De loodgieter komt maandag.",
        "Mijn zus brengt de sleutels vrijdag.",
        "Du lovade att skicka listan på fredag.",
        "Rörmokaren kommer på måndag.",
        "Min syster ringer dig på fredag.",
        "Obiecałeś wysłać listę do piątku.",
        "Hydraulik przyjdzie w poniedziałek.",
        "Moja siostra zadzwoni w piątek.",
        "Zadzwonisz w piątek?",
    ],
)
def test_what_somebody_else_promised_or_will_do_is_not_the_senders(text: str) -> None:
    assert promises_of_sender(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "I promised to send you the rota by Tuesday.",
        "The parcel will arrive on Friday.",
        "Your order will be delivered on Monday.",
        "The 6 belt drives will ship tomorrow.",
        "Our driver will deliver the chairs on Monday.",
        "You'll have the list by Friday.",
        "You will get the contract on Monday.",
        "My sister is ill, so I'll bring the tent on Friday.",
        "The new prints will be ready on Friday.",
        "The caterer wants a list, so I'll send him one by Monday.",
        "Ich schicke dir die Liste bis Freitag.",
        "Die Ware kommt am Montag.",
        "Mein Bruder kommt, und ich schicke dir die Liste bis Freitag.",
        "Am Freitag schicke ich die Liste.",
        "Je vous enverrai la liste vendredi.",
        "Mon frère arrive, donc je vous rappelle lundi.",
        "Te enviaré la lista el viernes.",
        "Te llamo el lunes.",
        "Vou enviar a lista na sexta-feira.",
        "Envio a fatura na segunda-feira.",
        "Ti manderò la lista venerdì.",
        "Vi mando il preventivo domani.",
        "Ik stuur je de lijst vrijdag.",
        "Jag skickar listan på fredag.",
        "Varorna skickas på fredag.",
        "Wyślę listę w piątek.",
        "Zadzwonię w poniedziałek.",
    ],
)
def test_what_the_sender_promises_is_read(text: str) -> None:
    assert promises_of_sender(text)
