"""The reader of sentences: acts, modalities, doers and times of messy clauses."""

from datetime import date
from itertools import product

import pytest

from recollect.reading.clause_reading import ClauseReading, Doer
from recollect.reading.context import Context, Person, TextKind
from recollect.reading.reader import read_block, read_sentence

MONDAY = date(2026, 9, 28)
PEOPLE = (Person("Olle Sundqvist", ("Olle",)), Person("Mio Tan", ("Mio", "MT")), Person("Noor Haddad", ("Noor",)))


def context(kind: TextKind = "mail", language: str = "en") -> Context:
    return Context(kind, MONDAY, people=PEOPLE, language=language, date_order="dmy")


def facts(text: str, kind: TextKind = "mail", language: str = "en") -> list[ClauseReading]:
    return [each for each in read_block(text, context(kind, language)) if each.is_fact]


def acts(text: str, kind: TextKind = "mail", language: str = "en") -> list[str | None]:
    return [each.act for each in facts(text, kind, language)]


def test_a_sentence_may_hold_several_facts() -> None:
    found = facts("done, 3 comments. I'll look at the logs tomorrow and tell you by Thu")
    assert [(each.text, each.act, each.time.until) for each in found] == [
        ("done, 3 comments.", "completion", None),
        ("I'll look at the logs tomorrow", "commitment", date(2026, 9, 29)),
        ("tell you by Thu", "commitment", date(2026, 10, 1)),
    ]


def test_clauses_keep_their_place_in_the_text() -> None:
    text = "thanks! ill bring it mon, can u print the list?"
    for each in read_block(text, context()):
        assert text[each.start : each.stop] == each.text


@pytest.mark.parametrize(
    "text",
    [
        "I'll send the offer", "ill bring it", "gonna call him tonight", "will do", "leave it with me", "on it!",
        "we're going to replace the pump", "We will deliver the rest", "im on it", "we pick up fri 30 oct afternoon",
        "ok will send it over", "painting the fence sat 3 oct",
    ],
)  # fmt: skip
def test_first_person_words_commit_the_speaker(text: str) -> None:
    (found,) = facts(text)
    assert (found.act, found.doer) == ("commitment", Doer("speaker"))


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Mio makes the sign by 1 dec", "Mio"),
        ("Olle will bring one over on monday", "Olle"),
        ("MT to order the jars", "MT"),
        ("MT takes his shift", "MT"),
    ],
)
def test_a_named_person_is_the_doer_of_a_commitment(text: str, name: str) -> None:
    (found,) = facts(text, "minutes")
    assert (found.act, found.doer) == ("commitment", Doer("named", name))


def test_who_gets_a_day_off_has_promised_nothing() -> None:
    assert facts("MT gets 9 Oct off", "minutes") == []


@pytest.mark.parametrize(
    "text",
    [
        "please send the list", "pls check the batteries this time", "can u do the review by tmrw eod?",
        "could you confirm the date?", "I need an answer by mon", "We need the signed form from you by Friday",
        "It would be great if you could bring the keys.", "send me the contract", "Let me know which one you want",
        "Our DPO would need the questionnaire no later than Friday 9 October", "u bring the cake??",
        "Grades must be entered by Friday 2 October", "Would it be possible to borrow one demo bike?",
    ],
)  # fmt: skip
def test_words_that_ask_are_requests(text: str) -> None:
    assert acts(text) == ["request"]


def test_a_name_and_a_thing_ask_that_person() -> None:
    (found,) = facts("Olle: price list!")
    assert (found.act, found.doer) == ("request", Doer("named", "Olle"))


@pytest.mark.parametrize(
    "text",
    [
        "we decided against the on-premise option", "going with the blue one", "agreed", "ok deal!!",
        "boss approved it this morning", "We'll take the second offer", "no market stall this year",
    ],
)  # fmt: skip
def test_words_that_settle_are_decisions(text: str) -> None:
    assert set(acts(text)) == {"decision"}


@pytest.mark.parametrize(
    "text",
    [
        "done", "sent!", "paid it monday", "contract attached.", "belts are here", "importer: done, merged friday",
        "I have sent the invoice", "filled in Q31 and mailed it to noor", "The pump has been repaired.", "tap ok ✅",
        "migration went fine", "so i booked the place for sat 3 oct",
    ],
)  # fmt: skip
def test_words_that_report_something_done_are_completions(text: str) -> None:
    assert acts(text) == ["completion"]


@pytest.mark.parametrize(
    ("text", "act"),
    [
        ("blocked on Jonah's schema review since wed", "blocker"),
        ("they cannot decide anything until the committee has met", "blocker"),
        ("the game is called off", "cancellation"),
        ("i cant do the airport run on the 29th anymore", "cancellation"),
        ("I'm a little concerned that single sign-on keeps slipping", "concern"),
        ("we might not make it in time", "concern"),
        ("Our goal is 30 clinics by the end of the year", "goal"),
        ("I prefer the uncoated stock", "preference"),
        ("I'd rather walk than drive", "preference"),
        ("Bea is allergic to nuts", "attribute"),
        ("i'm out thu and fri", "attribute"),
        ("The sack costs 31 euros", "attribute"),
        ("2.4 release moved from 22 to 26 Oct", "event"),
    ],
)
def test_other_acts_have_their_words(text: str, act: str) -> None:
    assert acts(text) == [act]


@pytest.mark.parametrize(
    "text",
    [
        "If she likes it I'll throw in the rain cover for free",
        "Personally I hope we'll go with you but I can't promise anything.",
        "Maybe we will take the blue one",
        "Let me know if you need anything",
        "Apparently they will close the shop",
        "Looking forward to seeing you",
        "The bus will come at nine",
        "it will rain tomorrow",
        "We could move it to Friday",
        "Whoever wants the week off, write to me until the 8th.",
        'she wrote "I will send it tomorrow"',
        "Please note that this message may be confidential",
        "SALE! 20% off, order now",
        "I'm thinking of selling the van",
        "We almost signed the contract",
    ],
)
def test_what_is_not_meant_states_no_fact(text: str) -> None:
    assert [each for each in facts(text) if each.act not in ("attribute", "event")] == []


def test_a_condition_is_told_from_the_question_whether() -> None:
    assert acts("I'll ask her if the room is free") == ["commitment"]
    assert acts("I'll come if the room is free") == []


def test_a_question_is_asked_and_not_asserted() -> None:
    (found,) = read_sentence("Has a date been fixed?", context())
    assert (found.act, found.modality, found.is_fact) == ("question", "asked", False)


def test_an_order_in_a_note_is_a_task_of_its_author() -> None:
    (found,) = facts("call the plumber before weds", "note")
    assert (found.act, found.doer, found.time.until) == ("commitment", Doer("speaker"), date(2026, 9, 29))


FOREIGN = {
    "de": ("Ich schicke den Vertrag bis Freitag.", "Können Sie uns die Liste bis 30.10. schicken?",
           "Wir haben uns für das blaue Modell entschieden.", "Der Termin ist leider abgesagt."),
    "fr": ("Je vous envoie le contrat vendredi.", "Merci de confirmer avant le 20 octobre.",
           "Nous avons décidé de garder la salle.", "La réunion est annulée."),
    "es": ("Voy a enviar el contrato el viernes.", "Por favor, confirma antes del 20 de octubre.",
           "Hemos decidido cambiar de sala.", "La reunión está cancelada."),
    "pt": ("Vou enviar o contrato na sexta.", "Podes confirmar até 20 de outubro?",
           "Ficou decidido mudar de sala.", "A reunião foi cancelada."),
    "it": ("Ti mando il contratto venerdì.", "Puoi confermare entro il 20 ottobre?",
           "Abbiamo deciso di cambiare sala.", "La riunione è annullata."),
    "nl": ("Ik stuur het contract vrijdag.", "Kun je voor 20 oktober bevestigen?",
           "We hebben besloten de zaal te houden.", "De vergadering gaat niet door."),
    "sv": ("Jag skickar avtalet på fredag.", "Kan du bekräfta senast 20 oktober?",
           "Vi har beslutat att behålla lokalen.", "Mötet är inställt."),
    "pl": ("Wyślę umowę w piątek.", "Proszę potwierdzić do 20 października.",
           "Postanowiliśmy zmienić salę.", "Spotkanie jest odwołane."),
}  # fmt: skip
FOREIGN_ACTS = ("commitment", "request", "decision", "cancellation")


@pytest.mark.parametrize(("language", "place"), list(product(FOREIGN, range(4))))
def test_plain_acts_are_read_in_eight_more_languages(language: str, place: int) -> None:
    assert acts(FOREIGN[language][place], "mail", language) == [FOREIGN_ACTS[place]]


@pytest.mark.parametrize("language", FOREIGN)
def test_deadlines_are_read_in_eight_more_languages(language: str) -> None:
    commitment, request = (facts(text, "mail", language)[0] for text in FOREIGN[language][:2])
    assert commitment.time.until == date(2026, 10, 2)
    assert request.time.until is not None
    assert request.time.until.month == 10


def test_a_text_in_a_language_that_is_not_read_gives_nothing() -> None:
    assert acts("Lähetän sopimuksen perjantaina.", "mail", "fi") == []


def test_a_text_without_a_full_stop_for_pages_is_no_sentence() -> None:
    (found,) = read_sentence("I will " * 400, context())
    assert (found.act, found.decided_by) == (None, "too long")


def test_a_second_verb_goes_on_with_the_promise_and_its_deadline() -> None:
    (found,) = facts("I'll mark up the draft and return it no later than 9 March.")
    assert (found.act, found.doer, found.time.until) == ("commitment", Doer("speaker"), date(2027, 3, 9))


def test_a_number_ends_a_sentence_but_a_date_with_dots_does_not() -> None:
    assert acts("We got two changes to clause 9. I'll send the draft.")[-1:] == ["commitment"]
    assert len(facts("Können Sie uns bis 30.10. die Liste schicken?", "mail", "de")) == 1


@pytest.mark.parametrize(
    "text", ["Olle, can you take the call?", "olle can u do the review by fri?", "Olle, please switch it over"]
)
def test_a_request_asks_whom_it_calls_by_name(text: str) -> None:
    (found,) = facts(text)
    assert found.act == "request"
    assert found.doer is not None
    assert (found.doer.kind, found.doer.name.casefold()) == ("named", "olle")


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("the key's in your letterbox", "mail"), ("customs let the parcel go this morning", "mail"),
        ("posters at the printer (Mio, yesterday)", "note"), ("the logger in room 2 died", "note"), ("pump in", "note"),
    ],
)  # fmt: skip
def test_what_happened_or_is_in_its_place_is_an_event(text: str, kind: TextKind) -> None:
    assert acts(text, kind) == ["event"]


@pytest.mark.parametrize(
    "text", ["the key isn't in your letterbox", "if the key's in your letterbox", "is the key in your letterbox?"]
)
def test_what_is_denied_asked_or_supposed_is_no_event(text: str) -> None:
    assert acts(text) == []


@pytest.mark.parametrize(
    ("text", "language", "act"),
    [
        ("Les rideaux partiront le 23 octobre et non le 16.", "fr", "commitment"),
        ("Den Prüfbericht bekommen Sie bis zum 14.", "de", "commitment"),
        ("Wir fangen am 20. Oktober an.", "de", "commitment"),
        ("Das Geld ist da.", "de", "event"),
        ("La consegno entro il 7 ottobre.", "it", "commitment"),
        ("Vi skickar ritningen på fredag.", "sv", "commitment"),
    ],
)
def test_plans_and_reports_of_other_languages(text: str, language: str, act: str) -> None:
    assert acts(text, language=language) == [act]


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Dana schrieb: ich schicke den Vertrag.", "de"), ("Dana a écrit : je vous envoie le contrat.", "fr"),
        ("Dana escribió: te envío el contrato mañana.", "es"), ("Dana ha scritto: la consegno domani.", "it"),
        ("Dana schreef: ik stuur het contract morgen.", "nl"), ("Dana escreveu: envio o contrato amanhã.", "pt"),
        ("Dana skrev: vi skickar ritningen på fredag.", "sv"), ("Dana napisała: wyślę umowę jutro.", "pl"),
    ],
)  # fmt: skip
def test_words_of_others_are_nobody_else_s_in_any_language(text: str, language: str) -> None:
    assert acts(text, language=language) == []


def test_a_consequence_does_not_take_a_request_back() -> None:
    (found,) = facts("I need a yes from you by the 30th, otherwise they give our slot away.")
    assert (found.text, found.act, found.time.until) == (
        "I need a yes from you by the 30th",
        "request",
        date(2026, 9, 30),
    )


def test_somebody_else_s_word_binds_that_person() -> None:
    (found,) = facts("Mio swears he'll send them tmrw")
    assert (found.act, found.doer, found.time.until) == ("commitment", Doer("named", "Mio"), date(2026, 9, 29))


def test_a_quarter_that_is_over_is_next_year_s() -> None:
    (found,) = facts("I'll replace the pump before Q2")
    assert found.time.until == date(2027, 3, 31)


@pytest.mark.parametrize(
    ("text", "act"),
    [
        ("Leave the seed order with me.", "commitment"), ("Glass for bay 3 is cut.", "completion"),
        ("Invoices are out.", "completion"), ("We no longer stock zinc nails.", "attribute"),
        ("I feed the geese every morning at six.", "attribute"),
        ("We agreed with Solvang Press on 4000 copies.", "decision"),
        ("Yusuf took over from Marguerite as quarry master.", "relation"),
    ],
)  # fmt: skip
def test_words_of_other_trades_have_their_act(text: str, act: str) -> None:
    assert acts(text) == [act]


@pytest.mark.parametrize(
    "text",
    [
        "I'll believe the road is open when I drive on it.", "Could you possibly be any slower?",
        "`I'll delete the table tomorrow`",
    ],
)  # fmt: skip
def test_mockery_and_code_state_nothing(text: str) -> None:
    assert acts(text) == []


def test_two_unknown_names_are_both_bound() -> None:
    (found,) = facts("Anneke and Rik will carry the harp on Saturday.")
    assert found.doer == Doer("named", "Rik", ("Anneke",))


def test_what_one_wants_to_be_reminded_of_in_a_chat_is_ones_own_task() -> None:
    (found,) = facts("remind me to water the ferns on Thursday", "chat")
    assert (found.act, found.doer, found.time.until) == ("commitment", Doer("speaker"), date(2026, 10, 1))


def test_a_call_in_the_title_of_a_note_is_no_task() -> None:
    assert acts("Call with Anselm Kerr", "note") == []


@pytest.mark.parametrize(
    ("text", "language", "act"),
    [
        ("On a décidé de garder l'ancien four.", "fr", "decision"),
        ("Se cancela la visita del lunes.", "es", "cancellation"),
    ],
)
def test_further_words_of_other_languages(text: str, language: str, act: str) -> None:
    assert acts(text, language=language) == [act]


@pytest.mark.parametrize(
    "text",
    [
        "The raffle is as good as cancelled.", "The raffle isn't going to be cancelled after all.",
        "Easier said than done.", "Please yourself.", "You don't have to send the forms by Friday.",
        "There is no need to send the forms.", "I'm stuck for words.", "The stamp is stuck to the letter.",
        "I'll have the salmon, thanks.", "You will be hearing from my solicitor.",
    ],
)  # fmt: skip
def test_figures_of_speech_and_what_is_denied_are_no_acts(text: str) -> None:
    context = Context("mail", date(2026, 10, 14), speaker=Person("Orla Keane"))
    assert [each.act for each in read_block(text, context) if each.act] == []


@pytest.mark.parametrize(
    ("text", "modality"),
    [
        ("Idea: we move the fair to June.", "considered"), ("wild idea: I'll paint it on Friday", "considered"),
        ("Proposal: we meet on Monday.", "considered"), ("The proposal is attached.", "asserted"),
        ("would be nice to visit Arran in May", "hoped"),
    ],
)  # fmt: skip
def test_what_is_put_forward_is_not_meant_yet(text: str, modality: str) -> None:
    context = Context("mail", date(2026, 5, 4), speaker=Person("Orla Keane"))
    assert [each.modality for each in read_block(text, context)] == [modality]


@pytest.mark.parametrize(
    ("text", "language", "act", "until"),
    [
        ("The kiln is warm. Je vous envoie les six vases avant le 12 octobre.", "en", "commitment", date(2026, 10, 11)),
        (
            "Der Ofen ist warm. I need the two glaze lists and the keys by 9 October.",
            "de",
            "request",
            date(2026, 10, 9),
        ),
    ],
)
def test_a_sentence_in_another_language_than_its_text_is_read_in_its_own(
    text: str, language: str, act: str, until: date
) -> None:
    *_, last = read_block(text, Context("mail", date(2026, 9, 28), language=language))
    assert (last.act, last.time.until) == (act, until)


@pytest.mark.parametrize(
    "told", ["Told Anna the report comes on Friday.", "I reminded Bo that the van leaves on 20 October."]
)
def test_the_time_of_what_was_told_is_not_that_of_the_telling(told: str) -> None:
    assert all(each.time.start is None and each.time.until is None for each in read_block(told, context()))


def test_a_promise_told_again_is_one() -> None:
    [told] = facts("I told Ben I'd call him on Friday.")
    assert (told.act, told.time.until) == ("commitment", date(2026, 10, 2))


@pytest.mark.parametrize("text", ["I told Ben I'd rather stay at home.", "As far as I'm concerned the hall is fine."])
def test_what_somebody_would_rather_do_or_does_not_mind_is_no_promise_or_concern(text: str) -> None:
    assert not {"commitment", "concern"} & set(acts(text))


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("de", "Ich habe Lotte versprochen, die Daten bis Freitag zu schicken."),
        ("de", "Gestern habe ich Lotte zugesagt, bis Freitag zu liefern."),
        ("fr", "J'ai promis à Colette d'envoyer la charte d'ici vendredi."),
        ("es", "Prometí a Ana mandar la lista hasta el viernes."),
        ("es", "He prometido a Ana mandar la lista hasta el viernes."),
        ("it", "Ho promesso ad Anna di mandare la lista entro venerdì."),
        ("pt", "Prometi à Ana enviar a lista até sexta-feira."),
        ("nl", "Ik heb Lotte beloofd de lijst uiterlijk vrijdag te sturen."),
        ("sv", "Jag har lovat Anna att skicka listan senast på fredag."),
    ],
)
def test_what_was_promised_in_the_past_is_due_ahead(language: str, text: str) -> None:
    [told] = facts(text, language=language)
    assert (told.act, told.fact_type, told.time.until) == ("commitment", "promise", date(2026, 10, 2))


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("de", "Ich habe ihr nichts versprochen."),
        ("fr", "Je n'ai rien promis."),
        ("en", "I promised Mr. Prowse nothing."),
        ("en", "I write to report water damage on 2 October."),
        ("en", "Joss can't do Mondays."),
    ],
)
def test_what_was_not_promised_a_letter_s_purpose_and_a_habit_bind_nobody(language: str, text: str) -> None:
    assert not {"commitment", "cancellation"} & set(acts(text, language=language))


def test_who_begs_asks() -> None:
    assert acts("Ti prego di mandarmi l'indirizzo entro venerdì.", language="it") == ["request"]


@pytest.mark.parametrize("text", ["Last year Bo said he would visit in May.", "Yesterday call the bank"])
def test_what_is_told_of_a_time_that_is_over_is_not_to_be_done(text: str) -> None:
    assert not {"commitment", "request"} & set(acts(text))
