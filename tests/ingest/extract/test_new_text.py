"""What an author wrote now, and where its sentences end."""

import pytest

from recollect.ingest.extract.mail_text import signature_lines
from recollect.ingest.notes.reader import split_sentences


def said(text: str) -> list[str]:
    return [each.quote for each in split_sentences(text)]


def test_sentences_end_at_signs_before_a_space_and_at_the_end_of_paragraphs_and_items() -> None:
    text = "One. Two!  Three?\nstill three\n\nFour\n- five\n- six. seven\n2) eight\n# Nine"
    assert said(text) == ["One.", "Two!", "Three?", "still three", "Four", "five", "six.", "seven", "eight", "Nine"]


def test_short_forms_numbers_and_addresses_do_not_end_a_sentence() -> None:
    for text in (
        "Ask Dr. Webb about v2.5 by Mar. 16.",
        "Send it to a.b@x.example or see https://x.example/a.b first.",
        "Things, e.g. the J. Cole file, cost approx. 3.50 each.",
        "We meet at 9 a.m. on site.",
        "It rains... and rains.",
    ):
        assert said(text) == [text]


def test_a_short_form_may_still_be_the_last_word() -> None:
    assert said("We sell nuts, bolts, etc. They ship today.") == ["We sell nuts, bolts, etc.", "They ship today."]


def test_an_answer_next_to_quoted_lines_stands_without_them() -> None:
    assert said("> Will it come?\nYes, I will send it.") == ["Yes, I will send it."]
    assert said("Yes, I will send it\n> Will it come?") == ["Yes, I will send it"]
    assert said("> One?\n> Two?\nI will.\n> Three?") == ["I will."]


def test_earlier_mails_forwarded_ones_quoted_lines_and_signatures_are_not_read() -> None:
    for rest in (
        "> I will go.",
        "On Mon, 2 Mar 2026, Dana wrote:\nI will go.",
        "On Mon, 2 Mar 2026 at 09:00 Dana Cole <dana@x.example>\nwrote:\n\nI will go.",
        "-----Original Message-----\nI will go.",
        "---------- Forwarded message ---------\nI will go.",
        "Begin forwarded message:\n\nI will go.",
        "From: Dana\nSent: Monday\nI will go.",
        "-- \nI will go.",
        "--\nI will go.",
        "```\nI will go.\n```",
        "<!-- I will go. -->",
    ):
        assert said(f"Mine.\n\n{rest}") == ["Mine."]


@pytest.mark.parametrize(
    "rest",
    [
        "On Tue, 14 Apr 2026 at 10:11, Jon Okafor <\njon.okafor@mail.example>\nwrote:\n\n",
        "Am Di., 14. Apr. 2026 um 10:11 Uhr schrieb Jon Okafor <\njon@mail.example>:\n\n",
        "Am 14.04.2026 um 10:11 schrieb Jon Okafor:\n",
        "Le mar. 14 avr. 2026 à 10:11, Jon Okafor <jon@mail.example> a écrit :\n\n",
        "Le 14/04/2026 à 10:11, Jon Okafor a écrit\u00a0:\n",
        "El mar, 14 abr 2026 a las 10:11, Jon Okafor (<jon@mail.example>) escribió:\n\n",
        "Em ter., 14 de abr. de 2026 às 10:11, Jon Okafor <jon@mail.example> escreveu:\n",
        "Il giorno mar 14 apr 2026 alle ore 10:11 Jon Okafor <jon@mail.example> ha scritto:\n",
        "Op di 14 apr 2026 om 10:11 schreef Jon Okafor <jon@mail.example>:\n",
        "Den tis 14 apr. 2026 kl 10:11 skrev Jon Okafor <jon@mail.example>:\n",
        "ti 14. huhtik. 2026 klo 10.11 Jon Okafor (jon@mail.example) kirjoitti:\n",
        "wt., 14 kwi 2026 o 10:11 Jon Okafor <jon@mail.example> napisał(a):\n",
        "вт, 14 апр. 2026 г. в 10:11, Jon Okafor <jon@mail.example>:\n",
        "14.04.2026 10:11, Jon Okafor пишет:\n",
        "2026年4月14日(火) 10:11 Jon Okafor <jon@mail.example>:\n",
        "Jon Okafor <jon@mail.example> 于2026年4月14日周二 10:11写道：\n",
        "-----Ursprüngliche Nachricht-----\n",
        "-------- Message transféré --------\n",
        "---------- Mensaje reenviado ---------\n",
        "Anfang der weitergeleiteten Nachricht:\n",
        "Von: Jon Okafor\nGesendet: Dienstag, 14. April 2026 10:11\n",
        "De : Jon Okafor\nEnvoyé : mardi 14 avril 2026 10:11\n",
        "*Da:* Jon Okafor\n*Inviato:* martedì 14 aprile 2026\n",
        "От: Jon Okafor\nКому: Mira\n",
    ],
)
def test_earlier_mail_is_known_in_the_language_of_its_program(rest: str) -> None:
    assert said(f"Mine.\n\n{rest}I will go.") == ["Mine."]


@pytest.mark.parametrize(
    "text",
    ["On the list for 2026:\nI will go.", "Here is what he wrote:\nI will go.", "To do for 14 April:\nI will go.",
     "From: here to there\nI will go.", "Da: nothing\nI will go.", "Write to Jon <jon@mail.example>\nI will go."],
)  # fmt: skip
def test_a_line_with_a_colon_alone_is_no_earlier_mail(text: str) -> None:
    assert said(text)[-1].endswith("I will go.")


def test_a_text_with_carriage_returns_is_cut_like_any_other() -> None:
    for rest in ("-- \r\nI will go.", "On Mon, 2 Mar 2026, Dana wrote:\r\nI will go.", "> I will go.\r\n"):
        assert said(f"Mine.\r\n\r\n{rest}") == ["Mine."]
    assert signature_lines("Hello\r\n\r\n-- \r\nMarcus Webb\r\nPartner") == ["Marcus Webb", "Partner"]


def test_a_heading_is_not_part_of_the_sentence_under_it() -> None:
    assert said("# Next steps\nI will go.\n## Later\n- I will stay") == [
        "Next steps",
        "I will go.",
        "Later",
        "I will stay",
    ]


def test_a_title_before_a_name_and_a_table_row_are_not_cut_in_two() -> None:
    assert said("Rev. Alder will call.\n\n| Ida | will pay |\n| Nils | will not |") == [
        "Rev. Alder will call.",
        "Ida | will pay |",
        "Nils | will not |",
    ]


def test_a_japanese_full_stop_ends_a_sentence() -> None:
    assert said("明日行きます。イダは残ります。") == ["明日行きます。", "イダは残ります。"]


def test_quotation_marks_of_every_language_quote() -> None:
    for text in ("He wrote „I will go“ and left.", "He wrote «I will go» and left.", "He wrote „I will go” and left."):
        assert split_sentences(text)[0].masked_text == "He wrote and left."


def test_what_is_quoted_is_left_blank_but_the_sentence_stays_whole() -> None:
    [one, two] = split_sentences('He wrote "I will go. Really." and left. She said “we will stay”.')
    assert one.quote == 'He wrote "I will go. Really." and left.'
    assert "will" not in one.masked_text
    assert "will" not in two.masked_text


def test_a_sentence_may_run_over_lines_and_keeps_its_place() -> None:
    text = "Hi,\n\nI will send\nthe file.  "
    [_, found] = split_sentences(text)
    assert (found.quote, found.masked_text) == ("I will send\nthe file.", "I will send the file.")
    assert text[found.start : found.stop] == found.quote


def test_a_signature_is_what_follows_its_mark() -> None:
    assert signature_lines("Hello\n\n-- \nMarcus Webb\nPartner\n\nDisclaimer") == ["Marcus Webb", "Partner"]
    assert signature_lines("Hello") == []
